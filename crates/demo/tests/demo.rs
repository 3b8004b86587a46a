//! The demo: the same on every start, true to the worked example, and alive when asked to be.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

#[expect(dead_code, reason = "the tests of services need more of it")]
#[path = "../../services/tests/services/house/mod.rs"]
mod house;

use std::sync::Arc;

use chrono::TimeDelta;
use demo::simulate_labelers;
use domain::{
    Actor, AgreementSnapshot, Confidence, Error as Refusal, Measure, Measured, PolicyChoice,
    ProjectId, Role, Switches, TimeSwitches, WorkState,
};
use services::{
    Client, ServerKey, Services, account,
    agreement::{self, over_time},
    document::import::{self, ImportOptions},
    project::{self, guidelines, members},
};
use store::{Store, testing::stores};

use house::{House, houses, refused, uploaded};

const HAMLET: &str = "Hamlet";
const CLASSICS: &str = "Places and people in classic prose";

/// A server that was started with the demo.
async fn start(house: &House) -> Arc<Services> {
    let demo = demo::prepare(&house.store, &house.clock()).await.unwrap();
    Services::new(house.store.clone(), house.clock(), Some(demo), ServerKey::from([7; 32]))
}

async fn person(store: &Store, email: &str) -> Actor {
    let known = store::account::users::find_by_email(store, email).await.unwrap();
    Actor::Person(known.unwrap().user)
}

async fn manager(house: &House) -> Actor {
    person(&house.store, "manager@demo.example").await
}

async fn project(house: &House, name: &str) -> ProjectId {
    store::project::find_by_name(&*house.store, name).await.unwrap().unwrap().id
}

/// The values of the pairs A–B, A–R and B–R with the number of positions behind them.
fn values(snapshot: &AgreementSnapshot) -> Vec<(f64, u64)> {
    let value = |measured| match measured {
        Measured::Value { value, .. } => (value * 10_000.0).round() / 10_000.0,
        Measured::Undefined(reason) => panic!("{reason:?}"),
    };
    snapshot.cells.iter().map(|cell| (value(cell.measured), cell.n)).collect()
}

#[tokio::test]
async fn hamlet_shows_the_values_of_the_worked_example() {
    for house in houses().await {
        let services = start(&house).await;
        let hamlet = project(&house, HAMLET).await;
        let manager = manager(&house).await;
        let show = async |measure, policy| {
            let switches = Switches { measure, policy, ..Switches::default() };
            values(&agreement::snapshot(&services, &manager, hamlet, switches).await.unwrap())
        };
        let cleaned = show(Measure::Alpha, PolicyChoice::Cleaned).await;
        assert_eq!(cleaned, [(0.6, 6), (0.56, 6), (0.5686, 6)]);
        let cleaned = show(Measure::Kappa, PolicyChoice::Cleaned).await;
        assert_eq!(cleaned, [(0.5862, 6), (0.5385, 6), (0.5556, 6)]);
        let pi = show(Measure::Pi, PolicyChoice::Cleaned).await;
        assert_eq!(pi, [(0.5636, 6), (0.52, 6), (0.5294, 6)]);
        // Six labels, and each pair agrees on four of six: (4/6 − 1/6) / (1 − 1/6).
        let even = show(Measure::S, PolicyChoice::Cleaned).await;
        assert_eq!(even, [(0.6, 6); 3]);
        let ac1 = show(Measure::Ac1, PolicyChoice::Cleaned).await;
        assert_eq!(ac1, [(0.6066, 6), (0.6129, 6), (0.6117, 6)]);
        let percent = show(Measure::Percent, PolicyChoice::Cleaned).await;
        assert_eq!(percent, [(0.6667, 6); 3]);
        // Four spans in common; A has seven, B six, and the reviewer decided for seven.
        for policy in [PolicyChoice::Cleaned, PolicyChoice::EmptyLabel] {
            let f1 = show(Measure::F1, policy).await;
            assert_eq!(f1, [(0.6154, 7), (0.5714, 8), (0.6154, 7)]);
        }
        // Of two raters without gaps Fleiss' κ is Scott's π.
        let switches = Switches::default();
        let snapshot = agreement::snapshot(&services, &manager, hamlet, switches).await.unwrap();
        let several = snapshot.several.clone().unwrap();
        assert_eq!((several.labelers, several.n, several.documents), (2, 6, 1));
        let values = several.rows.iter().map(|row| row.measured.value().unwrap());
        let values: Vec<_> = values.map(|value| format!("{value:.4}")).collect();
        assert_eq!(values, ["0.5636", "0.6000", "0.6667"]);
        // ∅ is a seventh category.
        let even = show(Measure::S, PolicyChoice::EmptyLabel).await;
        assert_eq!(even, [(0.5, 7), (0.4167, 8), (0.5, 7)]);
        let pi = show(Measure::Pi, PolicyChoice::EmptyLabel).await;
        assert_eq!(pi[1], (0.3469, 8));
        let ac1 = show(Measure::Ac1, PolicyChoice::EmptyLabel).await;
        assert_eq!(ac1[1], (0.4269, 8));
        let with_empty = show(Measure::Kappa, PolicyChoice::EmptyLabel).await;
        assert_eq!(with_empty, [(0.4878, 7), (0.36, 8), (0.475, 7)]);
    }
}

#[tokio::test]
async fn every_sign_in_that_is_shown_works() {
    for house in houses().await {
        let services = start(&house).await;
        let sign_ins = account::demo_sign_ins(&services);
        assert_eq!(sign_ins.len(), 8);
        for sign_in in sign_ins {
            let session =
                house::sign_in(&services, &Client::LOCAL, &sign_in.email, sign_in.password).await;
            let actor = account::actor_of(&services, &session.unwrap().token).await.unwrap();
            assert_eq!(account::viewer(actor.clone()).unwrap().name, sign_in.name);
            assert!(!project::list(&services, &actor).await.unwrap().is_empty());
        }
    }
}

#[tokio::test]
async fn starting_again_changes_nothing_but_the_passwords() {
    for store in stores().await {
        let clock = services::Clock::system();
        let first = demo::prepare(&store, &clock).await.unwrap();
        let before = fingerprint(&store).await;
        let second = demo::prepare(&store, &clock).await.unwrap();
        assert_eq!(fingerprint(&store).await, before);
        for (old, new) in first.iter().zip(&second) {
            assert_eq!(old.email, new.email);
            assert_ne!(old.password, new.password);
        }
        let services = Services::new(store.clone(), clock, Some(second), ServerKey::from([7; 32]));
        let old = &first[0];
        let tried =
            house::sign_in(&services, &Client::LOCAL, &old.email, old.password.clone()).await;
        assert_eq!(refused(tried), Refusal::WrongCredentials);
    }
}

#[tokio::test]
async fn no_server_but_a_demo_lets_the_people_of_the_demo_in() {
    for store in stores().await {
        let clock = services::Clock::system();
        let key = || ServerKey::from([7; 32]);
        let demo = demo::prepare(&store, &clock).await.unwrap();
        let sign_ins = demo.clone();
        let services = Services::new(store.clone(), clock.clone(), Some(demo), key());
        let manager = &sign_ins[0];
        let sign_in = async |services: &Arc<Services>| {
            let (email, password) = (&manager.email, manager.password.clone());
            house::sign_in(services, &Client::LOCAL, email, password).await
        };
        let session = sign_in(&services).await.unwrap();
        let actor = account::actor_of(&services, &session.token).await.unwrap();
        let (present, new) = (manager.password.clone(), "walnut copper lantern".to_owned());
        let changed =
            account::change_password(&services, &actor, &Client::LOCAL, present, new).await;
        assert!(matches!(refused(changed), Refusal::Denied(_)), "they are everybody's");

        // Another server at the same database, which is no demo.
        let other = Services::new(store.clone(), clock.clone(), None, key());
        assert_eq!(refused(sign_in(&other).await), Refusal::WrongCredentials);
        demo::lock(&store).await.unwrap();
        assert!(account::actor_of(&services, &session.token).await.unwrap().person().is_err());
        assert_eq!(refused(sign_in(&services).await), Refusal::WrongCredentials);
    }
}

/// Users, projects, and what was done in them.
async fn fingerprint(store: &Store) -> Vec<String> {
    let mut told = vec![format!("{:?}", store::account::users::list(store).await.unwrap())];
    for id in store::project::list_ids(store).await.unwrap() {
        let project = store::project::find(store, id).await.unwrap();
        let members = store::project::members::list(store, id).await.unwrap();
        let snapshot = store.begin_read().await.unwrap();
        let ratings = store::agreement::ratings::load_project(&snapshot, id).await.unwrap();
        told.push(format!("{project:?} {members:?} {ratings:?}"));
    }
    told
}

#[tokio::test]
async fn the_classics_were_done_in_two_rounds_over_several_days() {
    for house in houses().await {
        house.pass(TimeDelta::days(400));
        let services = start(&house).await;
        let classics = project(&house, CLASSICS).await;
        let manager = manager(&house).await;
        let view = over_time::load(&services, &manager, classics, TimeSwitches::default()).await;
        let view = view.unwrap();
        let days: Vec<_> =
            view.days.iter().map(|of| (house.now().date_naive() - of.day).num_days()).collect();
        assert_eq!(days, [10, 9, 8, 7, 4, 3, 2, 1], "days ago");
        let of_rounds: Vec<_> = view
            .rounds
            .iter()
            .map(|of| (of.round.guidelines_version, of.round.documents))
            .collect();
        assert_eq!(of_rounds, [(1, 28), (2, 40)]);
        let numbers: Vec<_> = view.versions.iter().map(|version| version.number).collect();
        assert_eq!(numbers, [2, 1]);
        assert!(
            view.days.iter().all(|of| matches!(of.up_to.confidence, Confidence::Interval { .. }))
        );
        let first = guidelines::load(&services, &manager, classics, Some(1)).await.unwrap();
        assert!(!first.html.contains("Hard cases") && first.html.contains("The labels"));
        for verified in services::outside::verification::all(&house.store).await.unwrap() {
            assert_eq!(verified.problems, Vec::<String>::new());
        }
    }
}

#[tokio::test]
async fn the_classics_have_work_in_every_state_and_agreement_that_differs() {
    for house in houses().await {
        let services = start(&house).await;
        let classics = project(&house, CLASSICS).await;
        let manager = manager(&house).await;
        let switches = Switches::default();
        let snapshot = agreement::snapshot(&services, &manager, classics, switches).await.unwrap();
        assert_eq!(snapshot.raters.len(), 7);
        assert_eq!(snapshot.cells.len(), 21);
        let values = values(&snapshot);
        assert!(
            values.iter().all(|(value, n)| (0.4..0.99).contains(value) && *n > 50),
            "{values:?}"
        );
        let empty = Switches { policy: PolicyChoice::EmptyLabel, ..switches };
        let snapshot = agreement::snapshot(&services, &manager, classics, empty).await.unwrap();
        let careful = snapshot.cells[0].measured.value().unwrap();
        let careless = snapshot.cells[4].measured.value().unwrap();
        assert!(careful > careless + 0.2, "A–B {careful}, A–F {careless}");

        let progress = store::workload::progress(&*house.store, classics).await.unwrap();
        let labelers: Vec<_> = progress.iter().filter(|p| p.role == Role::Labeler).collect();
        let total: u64 = labelers.iter().map(|labeler| labeler.counts.total()).sum();
        let submitted: u64 = labelers.iter().map(|labeler| labeler.counts.submitted).sum();
        assert!(submitted * 10 > total * 7 && submitted < total);
        assert!(labelers.iter().any(|labeler| labeler.counts.saved > 0));
        assert!(labelers.iter().any(|labeler| labeler.counts.open > 0));
        let reviewer = progress.iter().find(|p| p.role == Role::Reviewer).unwrap().counts;
        assert_eq!(reviewer.submitted, reviewer.total() / 3);
        assert_eq!(reviewer.saved, 1);
    }
}

#[tokio::test]
async fn simulated_labelers_are_for_managers_of_a_demo() {
    for house in houses().await {
        let project = house.project().await;
        let without = &house.services;
        project
            .is_for_managers(async |actor| simulate_labelers(without, actor, project.id).await)
            .await;
        let no_demo = refused(simulate_labelers(without, &project.manager, project.id).await);
        assert!(matches!(no_demo, Refusal::Conflict(_)));
        let with = start(&house).await;
        let no_documents = refused(simulate_labelers(&with, &project.manager, project.id).await);
        assert!(matches!(no_documents, Refusal::Conflict(_)));
    }
}

#[tokio::test]
async fn two_simulated_labelers_save_what_they_would_mark_next() {
    for house in houses().await {
        let services = start(&house).await;
        let classics = project(&house, CLASSICS).await;
        let manager = manager(&house).await;
        let spans = async || {
            let snapshot = house.store.begin_read().await.unwrap();
            let (revision, documents) =
                store::agreement::ratings::load_project(&snapshot, classics)
                    .await
                    .unwrap()
                    .unwrap();
            let assignments = documents.into_iter().flat_map(|document| document.assignments);
            (revision, assignments.map(|assignment| assignment.spans.len()).sum::<usize>())
        };
        for _ in 0..20 {
            let before = spans().await;
            let saved = simulate_labelers(&services, &manager, classics).await.unwrap();
            let after = spans().await;
            assert!((1..=8).contains(&saved), "{saved}");
            assert_eq!(after.1, before.1 + usize::try_from(saved).unwrap());
            assert!(after.0 > before.0);
        }
        let switches = Switches::default();
        let live = agreement::snapshot(&services, &manager, classics, switches).await.unwrap();
        assert_eq!(live.revision, spans().await.0);
    }
}

#[tokio::test]
async fn when_everything_is_handed_in_simulated_labelers_have_second_thoughts() {
    for house in houses().await {
        let services = start(&house).await;
        let hamlet = project(&house, HAMLET).await;
        let manager = manager(&house).await;
        for _ in 0..6 {
            assert!(simulate_labelers(&services, &manager, hamlet).await.unwrap() > 0);
        }
        let snapshot = house.store.begin_read().await.unwrap();
        let (_, documents) =
            store::agreement::ratings::load_project(&snapshot, hamlet).await.unwrap().unwrap();
        assert_eq!(documents[0].assignments.len(), 2);
        let submitted = |assignment: &store::agreement::ratings::RatedAssignment| {
            assignment.state == WorkState::Submitted
        };
        assert!(documents[0].assignments.iter().any(submitted), "they hand it in again");
    }
}

#[tokio::test]
async fn simulated_labelers_mark_names_in_any_document() {
    for house in houses().await {
        let services = start(&house).await;
        let manager = manager(&house).await;
        let own = project::create(&services, &manager, "Own".to_owned(), None).await.unwrap();
        let token = members::invite(&services, &manager, own, Role::Labeler, None).await.unwrap();
        let labeler = person(&house.store, "labeler-a@demo.example").await;
        account::join(&services, &labeler, &token).await.unwrap();
        let file = r#"{"text": "In Paris Ada Lovelace met Charles Babbage and Mary Somerville.",
            "spans": [{"start": 3, "end": 8, "label": "PLACE"}]}"#;
        let files = uploaded(&[("own.jsonl", &file.replace('\n', " "))]);
        let options = ImportOptions { create_labels: true, ..Default::default() };
        import::import(&services, &manager, own, files, options).await.unwrap();
        assert!(simulate_labelers(&services, &manager, own).await.unwrap() > 0);
    }
}
