//! The same decision for all that are alike: what it is for, what it does, how it is undone.

use super::*;

#[tokio::test]
async fn alike_are_the_same_words_with_the_same_answers_whoever_gave_them() {
    for world in worlds(2, 4).await {
        differing(&world).await;
        let [per, title, year] = world.labels[..] else { panic!("three labels") };
        // In the fourth, one of them answers otherwise.
        world.mark(0, 3, &[Span { range: TRAGEDY, label: per }]).await;
        world.mark(1, 3, &[Span { range: TRAGEDY, label: year }]).await;
        let like = at(&world, 1, TRAGEDY);
        let view = alike(&world, like).await;
        let found: Vec<_> = view.rows.iter().map(|row| row.seen.position).collect();
        // The one that it is about comes first.
        assert_eq!(found, [1, 0, 2].map(|document| at(&world, document, TRAGEDY)));
        assert_eq!((view.total, view.quote.as_str()), (3, "Tragedy"));
        assert_eq!(view.given.len(), 2);
        assert!(view.given.contains(&(LabelSet::one(title), 1)));
        let step = step(&world, Some(like)).await.step.unwrap();
        assert_eq!(step.deciding.unwrap().alike, 3);

        // What is decided, and what is in a review that has ended, is left out.
        decide_one(&world, at(&world, 0, TRAGEDY), label(per), "").await;
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let ended = world.documents[2];
        review::submit(services, actor, ended, domain::Revision(0)).await.unwrap();
        assert_eq!(alike(&world, like).await.total, 1);
    }
}

#[tokio::test]
async fn one_decision_for_all_alike_is_what_was_previewed_and_is_undone_as_a_whole() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let per = world.labels[0];
        let like = at(&world, 0, TRAGEDY);
        let preview = alike(&world, like).await;
        let seen: Vec<_> = preview.rows.iter().map(|row| row.seen).collect();
        assert_eq!(seen.len(), 3);
        let before = decisions(&world).await;
        let statements = world.store.statements();
        let walked = decide(&world, like, seen.clone(), label(per), "titles").await.unwrap();
        let of_three = world.store.statements() - statements;
        let now = decisions(&world).await;
        let decided: Vec<_> = now.iter().map(|(position, _)| *position).collect();
        let mut previewed: Vec<_> = seen.iter().map(|seen| seen.position).collect();
        previewed.sort_unstable();
        assert_eq!(decided, previewed);
        for (_, decision) in &now {
            assert_eq!(decision.labels, LabelSet::one(per));
            assert_eq!((decision.verdict, decision.note.as_str()), (Verdict::Accept, "titles"));
        }
        assert_eq!(walked.to, at(&world, 2, THE));
        is_sound(&world).await;
        let told = summary(&world, walked).await.unwrap();
        assert_eq!((told.positions, told.undone, told.quote.as_str()), (3, false, "Tragedy"));

        undo(&world, walked).await.unwrap();
        assert_eq!(decisions(&world).await, before);
        is_sound(&world).await;

        // All at once costs no more statements than one.
        let one = vec![self::seen(&world, like).await];
        let statements = world.store.statements();
        decide(&world, like, one, label(per), "").await.unwrap();
        assert_eq!(world.store.statements() - statements, of_three);
    }
}

#[tokio::test]
async fn positions_that_are_not_alike_are_not_decided_at_once() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let [per, title, _] = world.labels[..] else { panic!("three labels") };
        let like = at(&world, 0, TRAGEDY);
        let other = vec![seen(&world, like).await, seen(&world, at(&world, 2, THE)).await];
        refused(decide(&world, like, other, label(per), "").await);

        // A labeler changes one of them after the preview: all or none.
        let preview: Vec<_> = alike(&world, like).await.rows.iter().map(|row| row.seen).collect();
        let mut command = world.adding(1, 2, &[]).await;
        command.removed = vec![Span { range: TRAGEDY, label: title }.into()];
        let actor = &world.labelers[1].actor;
        services::work::annotation::save(&world.services, actor, command).await.unwrap();
        let result = decide(&world, like, preview.clone(), label(per), "").await;
        assert!(matches!(refused(result), Refusal::Invalid { field, .. } if field == "seen"));
        assert!(decisions(&world).await.is_empty());

        // Without that one it goes through.
        let kept: Vec<_> = preview
            .into_iter()
            .filter(|seen| seen.position.document != world.documents[2])
            .collect();
        decide(&world, like, kept, label(per), "").await.unwrap();
        assert_eq!(decisions(&world).await.len(), 2);
    }
}

#[tokio::test]
async fn undo_leaves_alone_what_was_changed_since() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let per = world.labels[0];
        let like = at(&world, 0, TRAGEDY);
        let preview: Vec<_> = alike(&world, like).await.rows.iter().map(|row| row.seen).collect();
        let walked = decide(&world, like, preview, label(per), "").await.unwrap();
        // One is decided anew on the review screen, another review ends.
        world.decide(1, TRAGEDY, Verdict::Reject, LabelSet::EMPTY).await;
        let (services, actor) = (&world.services, &world.reviewer.actor);
        let ended = world.documents[2];
        review::submit(services, actor, ended, domain::Revision(1)).await.unwrap();

        undo(&world, walked).await.unwrap();
        let left: Vec<_> = decisions(&world)
            .await
            .into_iter()
            .map(|(position, decision)| (position, decision.verdict))
            .collect();
        let (rejected, ended) = (at(&world, 1, TRAGEDY), at(&world, 2, TRAGEDY));
        assert_eq!(left, [(rejected, Verdict::Reject), (ended, Verdict::Accept)]);
        let told = summary(&world, walked).await.unwrap();
        assert_eq!(told.left_alone, [rejected, ended]);
        is_sound(&world).await;

        // Where nothing can be put back, that is said.
        let position = at(&world, 0, TRAGEDY);
        let walked = decide_one(&world, position, label(per), "").await;
        world.decide(0, TRAGEDY, Verdict::Reject, LabelSet::EMPTY).await;
        assert!(matches!(refused(undo(&world, walked).await), Refusal::Conflict(_)));
    }
}
