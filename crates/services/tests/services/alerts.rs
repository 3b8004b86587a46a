//! Limits: raised when an interval's lower bound falls below them, cleared when it does not lie
//! there any more.

use crate::{
    house::{invalid_field, refused},
    world::{World, worlds},
};
use domain::{
    AlertNotice, AlertSubject, Documents, Error as Refusal, LabelSet, Measure, NewAlertRule,
    PolicyChoice, Range, Revision, Span, Verdict,
};
use services::{
    agreement::{self, alerts},
    work::annotation,
};

const POSITIONS: [(u32, u32); 6] = [(0, 3), (4, 11), (15, 21), (23, 29), (33, 40), (43, 48)];

/// Has a labeler mark a document; every position gets another label when they are `contrary`.
async fn mark(world: &World, labeler: usize, document: usize, contrary: bool) {
    let spans: Vec<_> = POSITIONS
        .iter()
        .enumerate()
        .map(|(place, &(start, end))| {
            let label = (document + place + usize::from(contrary)) % 3;
            Span { range: Range::new(start, end), label: world.labels[label] }
        })
        .collect();
    world.mark(labeler, document, &spans).await;
}

/// Takes everything away that a labeler marked in a document.
async fn clear(world: &World, labeler: usize, document: usize) {
    let actor = &world.labelers[labeler].actor;
    let assignment = world.assignment(labeler, document).await;
    let view = annotation::load(&world.services, actor, assignment).await.unwrap();
    let command = domain::SaveSpans {
        removed: view.content.spans.into_iter().map(domain::Fact::from).collect(),
        ..world.adding(labeler, document, &[]).await
    };
    annotation::save(&world.services, actor, command).await.unwrap();
}

fn rule(subject: AlertSubject, measure: Measure) -> NewAlertRule {
    NewAlertRule { subject, measure, limit: 0.6, minimum_n: 5, ..NewAlertRule::default() }
}

async fn set(world: &World, rule: NewAlertRule) -> domain::AlertRuleId {
    let (services, manager) = (&world.services, &world.manager.actor);
    alerts::add_rule(services, manager, world.project, rule).await.unwrap()
}

async fn standing(world: &World) -> Vec<AlertNotice> {
    alerts::evaluate_due(&world.services).await.unwrap();
    let manager = &world.manager.actor;
    alerts::standing(&world.services, manager, world.project).await.unwrap()
}

#[tokio::test]
async fn a_pair_under_the_limit_is_told_and_cleared_when_it_is_above() {
    for world in worlds(3, 4).await {
        for document in 0..4 {
            mark(&world, 0, document, false).await;
            mark(&world, 1, document, document > 1).await;
            mark(&world, 2, document, false).await;
        }
        for measure in [Measure::Kappa, Measure::Alpha, Measure::Percent, Measure::F1] {
            set(&world, rule(AlertSubject::LabelerPair, measure)).await;
        }
        let told = standing(&world).await;
        // The second labeler differs from both others, under each of the measures.
        assert_eq!(told.len(), 8, "{told:?}");
        let second = world.labelers[1].member;
        for notice in &told {
            let (first, other) = notice.pair.as_ref().unwrap();
            assert!([first.id, other.id].contains(&second));
            assert!(notice.lower < 0.6 && notice.lower <= notice.value);
            assert_eq!(notice.n, 24);
            // It is the number of the matrix.
            let switches = notice.rule.switches();
            let actor = &world.manager.actor;
            let snapshot =
                agreement::snapshot(&world.services, actor, world.project, switches).await;
            let snapshot = snapshot.unwrap();
            let cell = snapshot.cell(first.id, other.id).unwrap();
            assert_eq!(cell.measured.value(), Some(notice.value));
            let domain::Confidence::Interval { lower, .. } = cell.confidence else {
                panic!("what was settled is known to the matrix: {cell:?}")
            };
            assert!((lower - notice.lower).abs() < 1e-12);
        }
        for document in 2..4 {
            clear(&world, 1, document).await;
            mark(&world, 1, document, false).await;
        }
        assert_eq!(standing(&world).await, []);
    }
}

#[tokio::test]
async fn all_labelers_and_reviewers_have_limits_of_their_own() {
    for world in worlds(2, 4).await {
        for document in 0..4 {
            mark(&world, 0, document, false).await;
            mark(&world, 1, document, true).await;
            for (place, (start, end)) in POSITIONS.iter().enumerate() {
                let label = LabelSet::one(world.labels[(document + place) % 3]);
                world.decide(document, Range::new(*start, *end), Verdict::Accept, label).await;
            }
        }
        set(&world, rule(AlertSubject::AllLabelers, Measure::Kappa)).await;
        set(&world, rule(AlertSubject::ReviewerPair, Measure::Alpha)).await;
        let told = standing(&world).await;
        let pairs: Vec<_> = told
            .iter()
            .map(|notice| notice.pair.as_ref().map(|(first, second)| (first.id, second.id)))
            .collect();
        let second = world.labelers[1].member;
        assert_eq!(pairs, [None, Some((second, world.reviewer.member))]);
        assert_eq!((told[0].n, told[1].n), (24, 24));
        // Reviewers are told, too, under the names that they may know.
        let seen = alerts::standing(&world.services, &world.reviewer.actor, world.project).await;
        let pair = seen.unwrap()[1].pair.clone().unwrap();
        assert_eq!((pair.0.name.as_str(), pair.1.name.as_str()), ("Labeler 2", "reviewer-1"));
    }
}

#[tokio::test]
async fn few_positions_and_missing_intervals_raise_nothing() {
    for world in worlds(2, 2).await {
        for labeler in 0..2 {
            mark(&world, labeler, 0, labeler == 1).await;
        }
        let many = NewAlertRule { minimum_n: 7, ..rule(AlertSubject::LabelerPair, Measure::Kappa) };
        set(&world, many).await;
        // One document cannot be drawn anew.
        set(&world, rule(AlertSubject::LabelerPair, Measure::Alpha)).await;
        let empty = NewAlertRule {
            policy: PolicyChoice::EmptyLabel,
            documents: Documents::Submitted,
            ..rule(AlertSubject::AllLabelers, Measure::Alpha)
        };
        set(&world, empty).await;
        assert_eq!(standing(&world).await, []);
        set(&world, rule(AlertSubject::LabelerPair, Measure::Kappa)).await;
        assert_eq!(standing(&world).await.len(), 1);
    }
}

#[tokio::test]
async fn a_limit_is_held_against_a_project_only_after_it_has_moved() {
    for world in worlds(2, 2).await {
        let store = &*world.store;
        assert_eq!(
            store::agreement::alerts::due(store).await.unwrap(),
            [],
            "nobody has set a limit"
        );
        let first = set(&world, rule(AlertSubject::LabelerPair, Measure::Kappa)).await;
        assert_eq!(store::agreement::alerts::due(store).await.unwrap(), [world.project]);
        alerts::evaluate_due(&world.services).await.unwrap();
        assert_eq!(store::agreement::alerts::due(store).await.unwrap(), []);
        mark(&world, 0, 0, false).await;
        assert_eq!(store::agreement::alerts::due(store).await.unwrap(), [world.project]);
        alerts::evaluate_due(&world.services).await.unwrap();

        // Of two processes that look at the same time, one says what it has found.
        let tx = world.store.begin().await.unwrap();
        let later = Revision(1_000);
        assert!(store::agreement::alerts::claim(&tx, first, later).await.unwrap());
        assert!(!store::agreement::alerts::claim(&tx, first, later).await.unwrap());
    }
}

#[tokio::test]
async fn an_alert_stands_once_and_goes_with_its_limit() {
    for world in worlds(2, 2).await {
        for document in 0..2 {
            mark(&world, 0, document, false).await;
            mark(&world, 1, document, true).await;
        }
        let id = set(&world, rule(AlertSubject::LabelerPair, Measure::Kappa)).await;
        let fired_at = standing(&world).await[0].fired_at;
        world.mark(0, 0, &[Span::new(90, 94, world.labels[0])]).await;
        let again = standing(&world).await;
        assert_eq!((again.len(), again[0].fired_at), (1, fired_at));
        let (services, manager) = (&world.services, &world.manager.actor);
        alerts::remove_rule(services, manager, world.project, id).await.unwrap();
        assert_eq!(standing(&world).await, []);
        let gone = alerts::remove_rule(services, manager, world.project, id).await;
        assert_eq!(refused(gone), Refusal::NotFound);
    }
}

#[tokio::test]
async fn only_managers_set_limits_and_only_such_as_a_value_can_reach() {
    for world in worlds(1, 1).await {
        let (services, project) = (&world.services, world.project);
        let kappa = rule(AlertSubject::LabelerPair, Measure::Kappa);
        for (actor, refusal) in [
            (&domain::Actor::Anonymous, Refusal::SignInRequired),
            (&world.outsider, Refusal::NotFound),
        ] {
            assert_eq!(refused(alerts::add_rule(services, actor, project, kappa).await), refusal);
            assert_eq!(refused(alerts::load(services, actor, project).await), refusal);
        }
        for actor in [&world.labelers[0].actor, &world.reviewer.actor] {
            let denied = |refusal| matches!(refusal, Refusal::Denied(_));
            assert!(denied(refused(alerts::add_rule(services, actor, project, kappa).await)));
            assert!(denied(refused(alerts::load(services, actor, project).await)));
        }
        let labeler = &world.labelers[0].actor;
        let seen = refused(alerts::standing(services, labeler, project).await);
        assert!(matches!(seen, Refusal::Denied(_)), "what stands tells of other people");
        let add =
            async |rule| alerts::add_rule(services, &world.manager.actor, project, rule).await;
        assert_eq!(invalid_field(add(NewAlertRule { limit: 2.0, ..kappa }).await), "limit");
        let f1 = rule(AlertSubject::AllLabelers, Measure::F1);
        assert_eq!(invalid_field(add(f1).await), "measure");
        for _ in 0..20 {
            add(kappa).await.unwrap();
        }
        assert_eq!(invalid_field(add(kappa).await), "limit");
    }
}
