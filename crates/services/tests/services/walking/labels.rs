//! Deciding by layer: one label at a time across documents.

use domain::{
    Actor, Choice, Error as Refusal, LabelCard, LabelSet, Position, WalkDecision, WalkList,
    WalkQuery, WalkView,
};
use services::review::{self, walk};

use super::{THE, TRAGEDY, at, differing, is_sound, seen};
use crate::{
    house::refused,
    world::{World, worlds},
};

async fn labels(world: &World) -> Vec<(u64, u64)> {
    let actor = &world.reviewer.actor;
    let labels = walk::load_labels(&world.services, actor, world.project).await.unwrap();
    labels.iter().map(|LabelCard { decisions, undecided, .. }| (*decisions, *undecided)).collect()
}

async fn step(world: &World, actor: &Actor, label: usize, at: Option<Position>) -> WalkView {
    let list = WalkList::Label(world.labels[label]);
    let query = WalkQuery { list, at, act: None };
    walk::load(&world.services, actor, world.project, query).await.unwrap()
}

#[tokio::test]
async fn a_layer_has_every_position_that_any_labeler_gave_its_label() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let reviewer = &world.reviewer.actor;
        assert_eq!(labels(&world).await, [(4, 4), (3, 3), (0, 0)]);
        let mut walked = Vec::new();
        let mut next = step(&world, reviewer, 0, None).await.step.map(|step| step.position);
        while let Some(position) = next {
            walked.push(position);
            next = step(&world, reviewer, 0, Some(position)).await.next;
        }
        let expected = [(0, TRAGEDY), (1, TRAGEDY), (2, THE), (2, TRAGEDY)];
        assert_eq!(walked, expected.map(|(document, range)| at(&world, document, range)));
        let third = step(&world, reviewer, 0, Some(walked[2])).await;
        assert_eq!((third.place, third.total, third.undecided), (Some(3), 4, Some(4)));
        assert!(step(&world, reviewer, 2, None).await.step.is_none());
    }
}

#[tokio::test]
async fn the_walk_through_a_layer_begins_and_goes_on_with_what_is_undecided() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let reviewer = &world.reviewer.actor;
        let first = at(&world, 0, TRAGEDY);
        let command = WalkDecision {
            list: WalkList::Label(world.labels[0]),
            from: first,
            seen: vec![seen(&world, first).await],
            choice: Choice::Give(LabelSet::one(world.labels[0])),
            note: String::new(),
        };
        let walked = walk::decide(&world.services, reviewer, world.project, command).await.unwrap();
        assert_eq!(walked.to, at(&world, 1, TRAGEDY), "the next document");
        // What one layer has decided is decided in the other, too.
        assert_eq!(labels(&world).await, [(4, 3), (3, 2), (0, 0)]);
        // A review that is ended has nothing to decide any more.
        let document = world.documents[1];
        let base =
            review::load(&world.services, reviewer, document).await.unwrap().content.revision;
        review::submit(&world.services, reviewer, document, base).await.unwrap();
        let view = step(&world, reviewer, 0, None).await;
        assert_eq!(view.step.unwrap().position, at(&world, 2, THE));
        assert_eq!((view.total, view.undecided), (4, Some(2)));
        is_sound(&world).await;
    }
}

#[tokio::test]
async fn layers_are_for_reviewers_and_their_walk_for_who_may_see_agreement() {
    for world in worlds(2, 3).await {
        differing(&world).await;
        let labels = async |actor: &Actor| {
            refused(walk::load_labels(&world.services, actor, world.project).await)
        };
        assert_eq!(labels(&Actor::Anonymous).await, Refusal::SignInRequired);
        assert_eq!(labels(&world.outsider).await, Refusal::NotFound);
        for actor in [&world.labelers[0].actor, &world.manager.actor] {
            assert!(matches!(labels(actor).await, Refusal::Denied(_)));
        }
        let of_manager = step(&world, &world.manager.actor, 0, None).await;
        assert_eq!((of_manager.total, of_manager.undecided), (4, None));
        let list = WalkList::Label(world.labels[0]);
        let query = WalkQuery { list, at: None, act: None };
        let labeler = &world.labelers[0].actor;
        let refusal = refused(walk::load(&world.services, labeler, world.project, query).await);
        assert!(matches!(refusal, Refusal::Denied(_)));
    }
}
