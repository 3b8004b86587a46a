//! What a save promises: once, whole, never over somebody else's, at a fixed cost.

use crate::{house::refused, world::worlds};
use domain::{Error as Refusal, SaveOutcome, Span, WorkState};
use services::{Error, outside::verification, work::annotation};

#[tokio::test]
async fn the_same_save_sent_twice_is_carried_out_once_and_answered_alike() {
    for world in worlds(2, 1).await {
        let actor = &world.labelers[0].actor;
        let command = world.adding(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let first = annotation::save(&world.services, actor, command.clone()).await.unwrap();
        let again = annotation::save(&world.services, actor, command.clone()).await.unwrap();
        assert_eq!(first, again);
        let view = annotation::load(&world.services, actor, command.assignment).await.unwrap();
        assert_eq!(view.content.revision, command.base.next());
        assert_eq!(view.content.facts(), command.added.iter().copied().collect());
    }
}

/// Whoever changes many assignments at once has the project first and an assignment then; a save has them the
/// other way round. PostgreSQL ends the one that has waited for a second: the other is told to wait for longer, so
/// that it is the save also where the save begins late.
#[tokio::test]
async fn a_save_that_another_change_is_in_the_way_of_is_written_all_the_same() {
    for world in worlds(1, 1).await {
        let url = world.store.url().to_owned();
        if !url.starts_with("postgres") {
            continue;
        }
        let labeler = &world.labelers[0].actor;
        let command = world.adding(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let (project, assignment) = (world.project, command.assignment);
        let other = tokio::spawn(async move {
            let change = format!(
                "BEGIN; SET LOCAL deadlock_timeout = '1min';
                 UPDATE project SET revision = revision WHERE id = {project};
                 SELECT pg_sleep(0.6);
                 UPDATE assignment SET revision = revision WHERE id = {assignment};
                 COMMIT"
            );
            store::testing::tamper_at(&url, &change).await;
        });
        tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        let saved = annotation::save(&world.services, labeler, command).await.unwrap();
        assert!(matches!(saved, SaveOutcome::Saved { .. }));
        other.await.unwrap();
        let checked = verification::live(&world.services, &world.manager.actor, project).await;
        assert_eq!(checked.unwrap().problems, [""; 0]);
    }
}

#[tokio::test]
async fn a_key_does_not_serve_two_different_saves() {
    for world in worlds(1, 1).await {
        let actor = &world.labelers[0].actor;
        let mut command = world.adding(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        annotation::save(&world.services, actor, command.clone()).await.unwrap();
        command.added = vec![Span::new(4, 11, world.labels[0]).into()];
        let refused = annotation::save(&world.services, actor, command).await;
        assert!(matches!(
            refused,
            Err(Error::Refused(Refusal::Invalid { field, .. })) if field == "key"
        ));
    }
}

#[tokio::test]
async fn a_save_on_an_old_revision_changes_nothing_and_is_told_what_is_there() {
    for world in worlds(1, 1).await {
        let actor = &world.labelers[0].actor;
        let kept = Span::new(0, 3, world.labels[0]);
        let late = world.adding(0, 0, &[Span::new(4, 11, world.labels[1])]).await;
        world.mark(0, 0, &[kept]).await;
        let outcome = annotation::save(&world.services, actor, late).await.unwrap();
        let SaveOutcome::Conflict(content) = outcome else { panic!("expected a conflict") };
        assert_eq!(content.spans, [kept]);
        assert_eq!(content.state, WorkState::Saved);
    }
}

#[tokio::test]
async fn of_two_saves_at_once_on_one_revision_exactly_one_is_stored() {
    for world in worlds(1, 1).await {
        let actor = &world.labelers[0].actor;
        let one = world.adding(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let other = world.adding(0, 0, &[Span::new(4, 11, world.labels[1])]).await;
        let (one, other) = tokio::join!(
            annotation::save(&world.services, actor, one),
            annotation::save(&world.services, actor, other),
        );
        let saved = [one.unwrap(), other.unwrap()]
            .iter()
            .filter(|outcome| matches!(outcome, SaveOutcome::Saved { .. }))
            .count();
        assert_eq!(saved, 1);
        let report = verification::live(&world.services, &world.manager.actor, world.project).await;
        assert_eq!(report.unwrap().problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn a_submitted_assignment_is_closed_until_it_is_reopened() {
    for world in worlds(1, 1).await {
        let actor = &world.labelers[0].actor;
        world.submit(0, 0).await;
        let command = world.adding(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let (assignment, base) = (command.assignment, command.base);
        let refused = annotation::save(&world.services, actor, command).await;
        assert!(matches!(refused, Err(Error::Refused(Refusal::Conflict(_)))));
        annotation::reopen(&world.services, actor, assignment, base).await.unwrap();
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
    }
}

#[tokio::test]
async fn bad_spans_are_refused_by_field_and_nothing_is_stored() {
    for world in worlds(1, 1).await {
        let actor = &world.labelers[0].actor;
        let unknown = domain::LabelId(world.labels[2].0 + 1000);
        let bad = [
            (Span::new(3, 3, world.labels[0]), "end"),
            (Span::new(9, 3, world.labels[0]), "end"),
            (Span::new(0, 100_000, world.labels[0]), "end"),
            (Span::new(0, 3, unknown), "label"),
        ];
        for (span, wrong) in bad {
            let good = Span::new(4, 11, world.labels[0]);
            let command = world.adding(0, 0, &[good, span]).await;
            let assignment = command.assignment;
            let refused = annotation::save(&world.services, actor, command).await;
            assert!(
                matches!(
                    &refused,
                    Err(Error::Refused(Refusal::Invalid { field, .. })) if field == wrong
                ),
                "{span:?}: {refused:?}"
            );
            let view = annotation::load(&world.services, actor, assignment).await.unwrap();
            assert_eq!(view.content.spans, []);
        }
    }
}

#[tokio::test]
async fn saves_at_the_same_time_share_their_statements_and_reach_the_tallies() {
    for world in worlds(24, 1).await {
        verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
        let mut commands = Vec::new();
        for labeler in 0..24 {
            commands.push(world.adding(labeler, 0, &[Span::new(0, 3, world.labels[0])]).await);
        }
        let before = world.services.statements();
        let saves = commands
            .into_iter()
            .zip(&world.labelers)
            .map(|(command, labeler)| annotation::save(&world.services, &labeler.actor, command));
        for outcome in futures::future::join_all(saves).await {
            assert!(matches!(outcome, Ok(SaveOutcome::Saved { .. })), "{outcome:?}");
        }
        let statements = world.services.statements() - before;
        assert!(statements <= 6 * 24, "{statements} statements of 24 saves");
        let report = verification::live(&world.services, &world.manager.actor, world.project).await;
        assert_eq!(report.unwrap().problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn of_saves_at_the_same_time_each_gets_its_own_answer() {
    for world in worlds(4, 2).await {
        let good = Span::new(0, 3, world.labels[0]);
        let unknown = Span::new(0, 3, domain::LabelId(world.labels[2].0 + 1000));
        world.mark(2, 0, &[Span::new(4, 11, world.labels[0])]).await;
        let mut commands = [
            world.adding(0, 0, &[good]).await,
            world.adding(1, 0, &[unknown]).await,
            world.adding(2, 0, &[good]).await,
            world.adding(3, 0, &[good]).await,
            // A second document under the same key.
            world.adding(3, 1, &[good]).await,
        ];
        commands[2].base = domain::Revision(0);
        commands[4].key = commands[3].key.clone();
        let saves = commands.iter().zip([0, 1, 2, 3, 3]).map(|(command, labeler)| {
            annotation::save(&world.services, &world.labelers[labeler].actor, command.clone())
        });
        let outcomes = futures::future::join_all(saves).await;
        let is_saved = |outcome: &_| matches!(outcome, Ok(SaveOutcome::Saved { .. }));
        let is_refused = |outcome: &_, wrong: &str| {
            matches!(
                outcome,
                Err(Error::Refused(Refusal::Invalid { field, .. })) if field == wrong
            )
        };
        assert!(is_saved(&outcomes[0]) && is_refused(&outcomes[1], "label"), "{outcomes:?}");
        assert!(matches!(outcomes[2], Ok(SaveOutcome::Conflict(_))), "{outcomes:?}");
        assert_eq!(
            outcomes[3..].iter().filter(|outcome| is_saved(outcome)).count(),
            1,
            "{outcomes:?}"
        );
        assert!(outcomes[3..].iter().any(|outcome| is_refused(outcome, "key")), "{outcomes:?}");

        // The same again: what was saved is answered alike.
        let actor = &world.labelers[0].actor;
        let again = annotation::save(&world.services, actor, commands[0].clone()).await;
        assert_eq!(again.unwrap(), *outcomes[0].as_ref().unwrap());
        let report = verification::live(&world.services, &world.manager.actor, world.project).await;
        assert_eq!(report.unwrap().problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn the_spans_of_an_assignment_are_read_without_its_document() {
    for world in worlds(2, 1).await {
        let span = Span::new(15, 21, world.labels[0]);
        world.mark(0, 0, &[span]).await;
        let (services, actor) = (&world.services, &world.labelers[0].actor);
        let assignment = world.assignment(0, 0).await;
        let view = annotation::load(services, actor, assignment).await.unwrap();
        let before = services.statements();
        let (revision, facts) = annotation::facts(services, actor, assignment).await.unwrap();
        assert!(services.statements() - before <= 8, "{}", services.statements() - before);
        assert_eq!((revision, facts), (view.content.revision, view.content.facts()));
        let others = annotation::facts(services, &world.labelers[1].actor, assignment).await;
        assert_eq!(refused(others), Refusal::NotFound);
    }
}

#[tokio::test]
async fn a_save_costs_the_same_statements_whatever_the_size_of_the_project() {
    let mut costs = Vec::new();
    for (labelers, documents) in [(2, 2), (6, 60)] {
        for world in worlds(labelers, documents).await {
            for document in 0..documents {
                for labeler in 1..labelers {
                    world.mark(labeler, document, &[Span::new(0, 3, world.labels[0])]).await;
                }
            }
            // Somebody is looking: the tallies are in memory and have to move.
            verification::live(&world.services, &world.manager.actor, world.project).await.unwrap();
            world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
            let added = [Span::new(4, 11, world.labels[1]), Span::new(12, 14, world.labels[1])];
            let mut command = world.adding(0, 0, &added).await;
            command.removed = vec![Span::new(0, 3, world.labels[0]).into()];
            let before = world.services.statements();
            annotation::save(&world.services, &world.labelers[0].actor, command).await.unwrap();
            costs.push(world.services.statements() - before);
        }
    }
    costs.dedup();
    assert_eq!(costs.len(), 1, "statements of a save: {costs:?}");
    assert!(costs[0] <= 14, "statements of a save: {costs:?}");
}
