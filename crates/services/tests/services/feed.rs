//! The feed of changes: a server learns from it what others have saved, without counting anew.

use std::{collections::BTreeSet, time::Duration};

use crate::world::{World, started, ticking, worlds};
use domain::{LabelSet, Range, Revision, Span, Switches, Verdict};
use services::{agreement, project};
use store::agreement::feed;
use tokio::time::timeout;

/// Which work the feed names after a revision; none if it cannot tell.
async fn named(world: &World, since: Revision) -> Option<BTreeSet<(i64, i64)>> {
    let snapshot = world.store.begin_read().await.unwrap();
    let moved = feed::since(&snapshot, world.project, since).await.unwrap();
    moved.map(|moved| moved.works.into_iter().map(|(it, member)| (it.0, member.0)).collect())
}

async fn revision(world: &World) -> Revision {
    store::project::find(&*world.store, world.project).await.unwrap().unwrap().revision
}

#[tokio::test]
async fn it_names_the_work_of_each_save_and_nothing_where_more_has_moved() {
    for world in worlds(2, 3).await {
        let before = revision(&world).await;
        assert_eq!(named(&world, before).await, Some(BTreeSet::new()));
        world.mark(0, 1, &[Span::new(0, 3, world.labels[0])]).await;
        world.mark(1, 1, &[Span::new(0, 3, world.labels[0])]).await;
        world.submit(1, 1).await;
        let labels = LabelSet::one(world.labels[0]);
        world.decide(1, Range::new(0, 3), Verdict::Accept, labels).await;
        let document = world.documents[1].0;
        let members = [&world.labelers[0], &world.labelers[1], &world.reviewer];
        let works: BTreeSet<_> =
            members.into_iter().map(|person| (document, person.member.0)).collect();
        assert_eq!(named(&world, before).await, Some(works));

        let settings =
            store::project::find(&*world.store, world.project).await.unwrap().unwrap().settings;
        let manager = &world.manager.actor;
        project::save_settings(&world.services, manager, world.project, settings).await.unwrap();
        assert_eq!(named(&world, before).await, None);
        let settled = revision(&world).await;
        assert_eq!(named(&world, settled).await, Some(BTreeSet::new()));
    }
}

#[tokio::test]
async fn it_is_kept_for_a_thousand_revisions() {
    for world in worlds(1, 1).await {
        let before = revision(&world).await;
        let tx = world.store.begin().await.unwrap();
        let (member, documents) = (world.labelers[0].member, [world.documents[0]]);
        for _ in 0..=1_000 {
            feed::advance(&tx, world.project, &[(member, documents.to_vec())]).await.unwrap();
        }
        assert_eq!(feed::trim(&tx).await.unwrap(), 1);
        tx.commit().await.unwrap();
        assert_eq!(named(&world, before).await, None);
        assert!(named(&world, before.next()).await.is_some());
    }
}

#[tokio::test]
async fn a_second_server_that_nobody_saves_on_shows_what_the_first_has_saved() {
    for world in worlds(2, 2).await {
        let second = started(&world.store, ticking());
        let matrix = async || {
            let switches = Switches::default();
            agreement::snapshot(&second, &world.manager.actor, world.project, switches)
                .await
                .unwrap()
        };
        world.mark(0, 0, &[Span::new(0, 3, world.labels[0])]).await;
        assert_eq!(matrix().await.cells[0].coverage.both, 0);
        world.mark(1, 0, &[Span::new(0, 3, world.labels[0])]).await;
        let watching = tokio::spawn(second.clone().watch_database());
        let shown = async {
            while matrix().await.cells[0].coverage.both == 0 {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        timeout(Duration::from_secs(30), shown).await.unwrap();
        watching.abort();
    }
}
