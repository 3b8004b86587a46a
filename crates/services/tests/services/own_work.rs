//! What a labeler may see of their own agreement, and that nothing of others shines through.

use crate::world::{World, worlds};
use domain::{Error as Refusal, Measured, OwnAgreement, ReleaseLevel, Span};
use services::{Error, projects, work};

async fn set_level(world: &World, release_level: ReleaseLevel) {
    let project = store::projects::find(&*world.store, world.project).await.unwrap().unwrap();
    let settings = domain::ProjectSettings { release_level, ..project.settings };
    let actor = &world.manager.actor;
    projects::save_settings(&world.services, actor, world.project, settings).await.unwrap();
}

async fn shown(world: &World, labeler: usize) -> OwnAgreement {
    let actor = &world.labelers[labeler].actor;
    work::load(&world.services, actor, world.project).await.unwrap().agreement
}

/// Labelers 0 and 1 agree on two of three positions.
async fn two_of_three(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    for (labeler, third) in [(0, per), (1, title)] {
        let spans = [Span::new(0, 3, per), Span::new(4, 11, title), Span::new(15, 21, third)];
        world.mark(labeler, 0, &spans).await;
    }
}

#[tokio::test]
async fn nothing_is_shown_before_the_release_and_only_submitted_work_after_it() {
    for world in worlds(2, 1).await {
        two_of_three(&world).await;
        assert_eq!(shown(&world, 0).await, OwnAgreement::NotReleased);
        world.submit(0, 0).await;
        let manager = &world.manager.actor;
        let release = async || {
            projects::release_agreement(&world.services, manager, world.project).await.unwrap();
        };
        release().await;
        let OwnAgreement::Shown { peers, as_of, .. } = shown(&world, 0).await else {
            panic!("it was released")
        };
        assert!(as_of.is_some());
        assert_eq!(peers.n, 0, "the peer has not submitted");
        world.submit(1, 0).await;
        let OwnAgreement::Shown { peers, .. } = shown(&world, 0).await else { panic!() };
        assert_eq!(peers.n, 0, "what was released does not move with the work of others");
        release().await;
        let OwnAgreement::Shown { peers, .. } = shown(&world, 0).await else { panic!() };
        assert_eq!(peers.n, 3);
        assert!(
            matches!(peers.kappa, Measured::Value { value, .. } if (value - 0.4).abs() < 1e-12)
        );
    }
}

#[tokio::test]
async fn the_level_decides_what_is_shown() {
    for world in worlds(2, 1).await {
        two_of_three(&world).await;
        world.submit(0, 0).await;
        world.submit(1, 0).await;
        set_level(&world, ReleaseLevel::None).await;
        assert_eq!(shown(&world, 0).await, OwnAgreement::Never);
        set_level(&world, ReleaseLevel::GoldOnly).await;
        assert!(
            matches!(shown(&world, 0).await, OwnAgreement::GoldOnly { reviewers } if reviewers.n == 0)
        );
        set_level(&world, ReleaseLevel::Open).await;
        assert!(matches!(
            shown(&world, 0).await,
            OwnAgreement::Shown { peers, as_of: None, .. } if peers.n == 3
        ));
    }
}

#[tokio::test]
async fn two_histories_that_differ_in_others_work_alone_look_alike_to_a_labeler() {
    for (one, other) in worlds(3, 2).await.into_iter().zip(worlds(3, 2).await) {
        for world in [&one, &other] {
            world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        }
        // Only in one of the worlds do the others work, and the reviewer's list is looked at.
        two_of_three_by_others(&one).await;
        let mut seen = Vec::new();
        for world in [&one, &other] {
            let actor = &world.labelers[0].actor;
            let own = work::load(&world.services, actor, world.project).await.unwrap();
            let assignment = world.assignment(0, 0).await;
            let copy =
                services::annotating::load(&world.services, actor, assignment).await.unwrap();
            let mut own = serde_json::to_value(own).unwrap();
            let mut copy = serde_json::to_value(copy).unwrap();
            // The two worlds' clocks differ; nothing else may.
            strip_times(&mut own);
            strip_times(&mut copy);
            seen.push((own, copy));
        }
        assert_eq!(seen[0], seen[1]);
    }
}

async fn two_of_three_by_others(world: &World) {
    for labeler in [1, 2] {
        world.mark(labeler, 0, &[Span::new(0, 3, world.labels[labeler])]).await;
        world.submit(labeler, 0).await;
    }
}

fn strip_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(map) => {
            map.remove("saved_at");
            map.values_mut().for_each(strip_times);
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(strip_times),
        _ => {}
    }
}

#[tokio::test]
async fn the_page_is_for_labelers_of_the_project_alone() {
    for world in worlds(1, 1).await {
        let load = async |actor| work::load(&world.services, actor, world.project).await;
        assert!(matches!(load(&world.outsider).await, Err(Error::Refused(Refusal::NotFound))));
        assert!(matches!(
            load(&world.manager.actor).await,
            Err(Error::Refused(Refusal::Denied(_)))
        ));
    }
}
