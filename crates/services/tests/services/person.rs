//! Everything of a person: taken away by those who may, and erased without a number of agreement moving.

use std::{io::Read, sync::Arc};

use chrono::DateTime;
use domain::{
    Actor, AuditEvent, Code, Confidence, Documents, Error as Refusal, LabelSet, Measure,
    NewApiToken, NewWebhook, OwnKeys, PolicyChoice, ProjectSettings, Range, ReleaseLevel, Removal,
    RepeatAsk, Role, Scope, Span, Switches, Verdict, WebhookEvent, WorkState, base::policy::Reach,
};
use serde_json::{Value, json};
use services::{
    ServerKey, Services,
    account::{
        self,
        administration::{self, Whose},
    },
    agreement,
    outside::{
        audit::ExportedHeads,
        verification,
        webhooks::{self, Secret},
    },
    project::{self, members},
    work::{self, repeats},
};
use store::testing::{columns_with, count_rows};

use crate::{
    house::{House, houses, new_account, refused},
    world::{World, started, ticking, worlds},
};

fn by_email(email: &str) -> Whose {
    Whose::Email(email.to_owned())
}

/// Every coefficient with what it rests on, to the last digit; without names, and without intervals, which come
/// a moment later.
async fn numbers(services: &Arc<Services>, world: &World) -> Vec<String> {
    let mut numbers = Vec::new();
    for measure in Measure::ALL {
        for policy in PolicyChoice::ALL {
            for documents in [Documents::Saved, Documents::Submitted] {
                let switches =
                    Switches { measure: *measure, policy: *policy, documents, ..<_>::default() };
                let manager = &world.manager.actor;
                let found = agreement::snapshot(services, manager, world.project, switches).await;
                let found = found.unwrap();
                let mut cells = found.cells.clone();
                for cell in &mut cells {
                    cell.confidence = Confidence::Pending;
                }
                let several = found.several.as_ref().map(|several| {
                    let rows = several.rows.iter().map(|row| (row.measure, row.measured));
                    (several.labelers, several.n, several.documents, rows.collect::<Vec<_>>())
                });
                numbers.push(serde_json::to_string(&(cells, &found.pooled, several)).unwrap());
            }
        }
    }
    numbers
}

#[tokio::test]
async fn erasing_a_labeler_moves_no_number_and_breaks_no_signature() {
    for world in worlds(3, 3).await {
        let events = [WebhookEvent::AssignmentSubmitted].into();
        let hook = NewWebhook { url: "http://127.0.0.1:9/".to_owned(), events };
        let (services, manager) = (&world.services, &world.manager.actor);
        webhooks::add(services, manager, world.project, hook, Secret::Told).await.unwrap();
        for labeler in 0..3 {
            for document in 0..3 {
                let (from, label) = (4 * u32::try_from(labeler % 2).unwrap(), labeler + document);
                let own = Span::new(from, from + 3, world.labels[label % 3]);
                let all = Span::new(15, 21, world.labels[document]);
                world.mark(labeler, document, &[own, all]).await;
            }
            world.submit(labeler, 0).await;
        }
        let right = LabelSet::one(world.labels[0]);
        world.decide(0, Range::new(15, 21), Verdict::Accept, right).await;
        project::release_agreement(services, manager, world.project).await.unwrap();
        let ask = RepeatAsk { documents: 1, days: 0 };
        let plan = repeats::load(services, manager, world.project, ask).await.unwrap().plan;
        repeats::give(services, manager, world.project, plan.ask, &plan.seen).await.unwrap();
        let shown = async || {
            let of = &world.labelers[0].actor;
            format!("{:?}", work::load(services, of, world.project).await.unwrap().agreement)
        };
        let own = shown().await;
        let before = numbers(&world.services, &world).await;
        assert!(before.iter().any(|numbers| numbers.contains("\"value\"")), "{before:?}");
        let person = world.labelers[1].actor.person().unwrap().clone();
        let before_that = columns_with(&world.store, &person.name).await;
        assert!(before_that.contains(&"webhook_delivery.body".to_owned()), "{before_that:?}");
        let erased =
            administration::erase_person_of(&world.services, &by_email(&person.email)).await;
        assert_eq!(erased.unwrap(), Removal::MadeAnonymous);

        assert_eq!(numbers(&world.services, &world).await, before);
        assert_eq!(shown().await, own);
        let counted_anew = started(&world.store, ticking());
        assert_eq!(numbers(&counted_anew, &world).await, before);
        for words in [&person.email, &person.name] {
            assert_eq!(columns_with(&world.store, words).await, Vec::<String>::new());
        }
        let pseudonym = format!("Former member {}", person.id);
        assert_eq!(
            columns_with(&world.store, &pseudonym).await,
            ["user_account.name", "webhook_delivery.body"]
        );
        let key = ServerKey::from([7; 32]);
        let trails = verification::trails(&world.store, &key, &ExportedHeads::default()).await;
        let problems: Vec<_> = trails.unwrap().into_iter().flat_map(|it| it.problems).collect();
        assert_eq!(problems, Vec::<String>::new());
        let again =
            administration::erase_person_of(&world.services, &by_email(&person.email)).await;
        assert_eq!(refused(again), Refusal::NotFound);

        // While another one saves.
        let other = Whose::Account(world.labelers[2].actor.person().unwrap().id);
        let late = [Span::new(30, 34, world.labels[0])];
        let erasing = administration::erase_person_of(&world.services, &other);
        let (erased, _) = tokio::join!(erasing, world.mark(0, 1, &late));
        assert_eq!(erased.unwrap(), Removal::MadeAnonymous);
        let counted_anew = started(&world.store, ticking());
        let live = numbers(&world.services, &world).await;
        assert_ne!(live, before);
        assert_eq!(numbers(&counted_anew, &world).await, live);
    }
}

/// The first account of a house, and so its administrator.
async fn administrator(house: &House) -> Actor {
    account::add_user(&house.services, new_account("adele"), false).await.unwrap();
    house_actor(house, "adele").await
}

async fn house_actor(house: &House, name: &str) -> Actor {
    let email = format!("{name}@example.org");
    let known = store::account::users::find_by_email(&*house.store, &email).await;
    Actor::Person(known.unwrap().unwrap().user)
}

#[tokio::test]
async fn the_only_administrator_is_not_erased() {
    for house in houses().await {
        administrator(&house).await;
        let erase = async || {
            administration::erase_person_of(&house.services, &by_email("Adele@example.org")).await
        };
        let Refusal::Conflict(why) = refused(erase().await) else { panic!("nobody is left") };
        assert!(why.contains("only administrator"), "{why}");
        account::add_user(&house.services, new_account("ben"), false).await.unwrap();
        administration::set_administrator(&house.services, "ben@example.org", true).await.unwrap();
        assert_eq!(erase().await.unwrap(), Removal::Deleted);
    }
}

#[tokio::test]
async fn whoever_has_claimed_nothing_is_erased_by_number() {
    for world in worlds(1, 1).await {
        let tx = world.store.begin().await.unwrap();
        let (address, now) = ("1@placeholder.invalid", DateTime::UNIX_EPOCH);
        let placeholder = store::account::users::create_placeholder(&tx, (address, "Zoe"), "", now);
        let placeholder = placeholder.await.unwrap();
        let role = Role::Labeler;
        store::project::members::add(&tx, world.project, placeholder, role, now).await.unwrap();
        tx.commit().await.unwrap();
        let whose = Whose::Account(placeholder);
        let own = administration::export_person_of(&world.services, &whose).await.unwrap();
        assert_eq!(read(own)["tables"]["user_account"][0]["name"], "Zoe");
        let erased = administration::erase_person_of(&world.services, &whose).await;
        assert_eq!(erased.unwrap(), Removal::MadeAnonymous);
        assert_eq!(columns_with(&world.store, "Zoe").await, Vec::<String>::new());
        let again = administration::erase_person_of(&world.services, &whose).await;
        assert_eq!(refused(again), Refusal::NotFound);
    }
}

#[tokio::test]
async fn nothing_is_written_of_whoever_is_erased_while_they_ask() {
    for house in houses().await {
        administrator(&house).await;
        let project = house.project().await;
        let (services, asking) = (&house.services, &project.labeler);
        let person = asking.person().unwrap();
        let other = project.with("other", Role::Manager).await;
        let invited = members::invite(services, &other, project.id, Role::Labeler, None);
        let invitation = invited.await.unwrap();
        let erased = administration::erase_person_of(services, &by_email(&person.email)).await;
        assert_eq!(erased.unwrap(), Removal::MadeAnonymous);

        // They were found to be signed in before.
        let scopes = Scope::CHOOSABLE.iter().copied().collect();
        let new = NewApiToken { name: "late".to_owned(), scopes, projects: None, days: 1 };
        let refusals = [
            account::create_token(services, asking, new).await.err(),
            account::save_keys(services, asking, &OwnKeys::default()).await.err(),
            account::join(services, asking, &invitation).await.err(),
        ];
        for refusal in refusals {
            assert_eq!(Refusal::from(refusal.unwrap()).code(), Code::AccountDisabled);
        }
        assert_eq!(count_rows(&house.store, &["api_token"]).await, [("api_token", 0)]);
    }
}

fn read(mut file: administration::PersonFile) -> Value {
    let mut text = String::new();
    file.content.read_to_string(&mut text).unwrap();
    assert_eq!(u64::try_from(text.len()).unwrap(), file.length);
    serde_json::from_str(&text).unwrap()
}

/// What is told of somebody's work on documents, by how many rows, and where it is withheld.
fn told_of_work(all: &Value) -> (Vec<usize>, &Value) {
    let tables = ["assignment", "span", "assignment_version", "repeat", "repeat_span", "focus_day"];
    let rows = |table: &str| all["tables"][table].as_array().unwrap().len();
    let audits = all["tables"]["audit"].as_array().unwrap().iter();
    let passes = audits.filter(|row| row["subject"].as_str().unwrap().contains("assignment"));
    (tables.into_iter().map(rows).chain([passes.count()]).collect(), &all["withheld"])
}

#[tokio::test]
async fn nobody_reads_in_their_file_what_they_label_again() {
    for world in worlds(1, 3).await {
        let labeler = &world.labelers[0].actor;
        let own =
            async || read(administration::export_own(&world.services, labeler).await.unwrap());
        let per = Span::new(0, 3, world.labels[0]);
        for document in 0..3 {
            world.mark(0, document, &[per]).await;
            world.submit(0, document).await;
        }
        assert_eq!(told_of_work(&own().await), (vec![3, 3, 6, 0, 0, 0, 6], &json!([])));
        let ask = RepeatAsk { documents: 1, days: 0 };
        let manager = &world.manager.actor;
        let plan = repeats::load(&world.services, manager, world.project, ask).await.unwrap().plan;
        repeats::give(&world.services, manager, world.project, plan.ask, &plan.seen).await.unwrap();

        let meanwhile = own().await;
        let (rows, withheld) = told_of_work(&meanwhile);
        assert_eq!(rows, [0; 7], "what is missing would say which document it is");
        assert_eq!(withheld[0]["project_id"], json!(world.project));
        let cards =
            store::work::assignments::list_of_member(&*world.store, world.labelers[0].member);
        let again = cards.await.unwrap().iter().position(|card| card.state == WorkState::Open);
        world.mark(0, again.unwrap(), &[per]).await;
        assert_eq!(told_of_work(&own().await).0, [0; 7]);
        world.submit(0, again.unwrap()).await;
        assert_eq!(told_of_work(&own().await), (vec![3, 3, 8, 1, 1, 0, 6], &json!([])));
    }
}

#[tokio::test]
async fn a_file_tells_no_more_of_own_agreement_than_its_page() {
    for world in worlds(2, 3).await {
        let (services, manager) = (&world.services, &world.manager.actor);
        project::release_agreement(services, manager, world.project).await.unwrap();
        let project = store::project::find(&*world.store, world.project).await.unwrap().unwrap();
        for level in ReleaseLevel::ALL {
            let settings = ProjectSettings { release_level: level, ..project.settings.clone() };
            project::save_settings(services, manager, world.project, settings).await.unwrap();
            let own = administration::export_own(services, &world.labelers[0].actor).await;
            let rows = read(own.unwrap())["tables"]["own_release"].as_array().unwrap().len();
            assert_eq!(rows, usize::from(level == ReleaseLevel::AfterRelease), "{level:?}");
        }
    }
}

#[tokio::test]
async fn people_take_their_own_away_and_administrators_that_of_others() {
    for house in houses().await {
        let adele = administrator(&house).await;
        let project = house.project().await;
        let services = &house.services;
        let labeler = project.labeler.person().unwrap();
        let own = read(administration::export_own(services, &project.labeler).await.unwrap());
        assert_eq!(own["tables"]["user_account"][0]["email"], labeler.email);
        let member = &own["tables"]["member"];
        assert_eq!(member.as_array().unwrap().len(), 1);
        assert_eq!(own["names"]["project"][member[0]["project_id"].to_string()], "Tragedies");
        let text = own.to_string();
        for other in [&project.manager, &project.reviewer] {
            let other = other.person().unwrap();
            assert!(!text.contains(&other.email) && !text.contains(&other.name), "{text}");
        }

        let id = labeler.id;
        let by = |actor: &Actor| {
            let (services, actor) = (Arc::clone(services), actor.clone());
            async move { administration::export_person(&services, &actor, id).await }
        };
        assert_eq!(read(by(&adele).await.unwrap())["account"], own["account"]);
        for (actor, expected) in [
            (Actor::Anonymous, Refusal::SignInRequired),
            (project.manager.clone(), Refusal::NotFound),
            (project.labeler.clone(), Refusal::NotFound),
        ] {
            assert_eq!(by(&actor).await.err().map(Refusal::from), Some(expected));
        }
        // Whoever labels or reviews with somebody is not to read their work.
        for (role, is_refused) in [(Role::Manager, false), (Role::Labeler, true)] {
            project.join(&adele, role).await.unwrap();
            let refusal = by(&adele).await.err().map(Refusal::from);
            assert_eq!(matches!(refusal, Some(Refusal::Denied(_))), is_refused, "{refusal:?}");
            let adeles = adele.person().unwrap().id;
            administration::export_person(services, &adele, adeles).await.unwrap();
            project.remove(&adele).await.unwrap();
        }
        let scopes = Scope::CHOOSABLE.iter().copied().collect();
        let new = NewApiToken { name: "all".to_owned(), scopes, projects: None, days: 1 };
        let secret = account::create_token(services, &project.labeler, new).await.unwrap();
        let program = account::actor_of_token(services, &secret, Reach::Change).await.unwrap();
        let taken = administration::export_own(services, &program).await;
        assert!(matches!(taken.err().map(Refusal::from), Some(Refusal::Denied(_))));

        let noted = store::outside::audit::Filter {
            event: Some(AuditEvent::ExportPerson),
            ..<_>::default()
        };
        let noted = store::outside::audit::list(&*house.store, None, &noted, 9).await.unwrap();
        let subject = format!("user {id}");
        let noted = noted.iter().map(|row| (row.user, row.subject.as_str()));
        let noted: Vec<_> = noted.filter(|(_, of)| *of == subject).collect();
        let by_adele = Some(adele.person().unwrap().id);
        assert_eq!(noted, [(by_adele, &*subject), (by_adele, &*subject), (Some(id), &*subject)]);
    }
}
