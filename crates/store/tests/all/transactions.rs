//! All or nothing, one state at a time, every statement counted.

use std::time::Duration;

use domain::{ProjectId, Revision};
use store::{account::users, project, testing::stores};
use tokio::time::timeout;

use crate::sample::at;

#[tokio::test]
async fn a_dropped_transaction_leaves_no_trace() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "gone", at(0)).await.unwrap();
        assert!(project::find(&tx, project).await.unwrap().is_some());
        assert_eq!(project::find(&*store, project).await.unwrap(), None, "not yet committed");
        drop(tx);
        assert_eq!(project::list_ids(&*store).await.unwrap(), []);
        let tx = store.begin().await.unwrap();
        assert_eq!(project::find(&tx, project).await.unwrap(), None);
    }
}

#[tokio::test]
async fn a_snapshot_does_not_see_what_is_committed_after_it() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        tx.commit().await.unwrap();

        let snapshot = store.begin_read().await.unwrap();
        let before = project::find(&snapshot, project).await.unwrap().unwrap();
        let tx = store.begin().await.unwrap();
        project::advance(&tx, project).await.unwrap();
        tx.commit().await.unwrap();
        let after = project::find(&snapshot, project).await.unwrap().unwrap();
        assert_eq!((before.revision, after.revision), (Revision(0), Revision(0)));
        let now = project::find(&*store, project).await.unwrap().unwrap();
        assert_eq!(now.revision, Revision(1));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn transactions_that_nobody_waits_for_leave_their_connections_as_they_were() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        tx.commit().await.unwrap();
        for hung_up in 0..200 {
            let patience = Duration::from_micros(hung_up * 5);
            let _reading = timeout(patience, store.begin_read()).await;
            let _writing = timeout(patience, store.begin()).await;
            assert!(project::find(&*store, project).await.unwrap().is_some());
            let snapshot = store.begin_read().await.unwrap();
            assert!(project::find(&snapshot, project).await.unwrap().is_some());
        }
        let tx = store.begin().await.unwrap();
        project::advance(&tx, project).await.unwrap();
        tx.commit().await.unwrap();
        let now = project::find(&*store, project).await.unwrap().unwrap();
        assert_eq!(now.revision, Revision(1));
    }
}

#[tokio::test]
async fn writers_at_the_same_time_lose_no_revision() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        tx.commit().await.unwrap();
        let writers: Vec<_> = (0..20)
            .map(|_| {
                let store = (*store).clone();
                tokio::spawn(async move { advance_once(&store, project).await })
            })
            .collect();
        let mut revisions = Vec::new();
        for writer in writers {
            revisions.push(writer.await.unwrap());
        }
        revisions.sort_unstable();
        assert_eq!(revisions, (1..=20).map(Revision).collect::<Vec<_>>());
    }
}

/// Reads before it writes, as services do.
async fn advance_once(store: &store::Store, project: ProjectId) -> Revision {
    let tx = store.begin().await.unwrap();
    project::find(&tx, project).await.unwrap().unwrap();
    let revision = project::advance(&tx, project).await.unwrap();
    tx.commit().await.unwrap();
    revision
}

#[tokio::test]
async fn statements_are_counted_inside_and_outside_transactions() {
    for store in stores().await {
        let before = store.statements();
        users::count(&*store).await.unwrap();
        assert_eq!(store.statements() - before, 1);
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "Hamlet", at(0)).await.unwrap();
        project::advance(&tx, project).await.unwrap();
        tx.commit().await.unwrap();
        // A project comes with a version of its guidelines and a round.
        assert_eq!(store.statements() - before, 6);
    }
}
