//! What one server does at a time, and which database it is.

use chrono::{DateTime, TimeDelta, Utc};
use store::{
    Store,
    outside::backup::{
        chores::{self, Chore},
        lineage,
    },
    testing::stores,
};

async fn claim(store: &Store, chore: Chore, now: i64, until: i64) -> bool {
    let tx = store.begin().await.unwrap();
    let claimed = chores::claim(&tx, chore, at(now), at(until)).await.unwrap();
    tx.commit().await.unwrap();
    claimed
}

async fn put_off(store: &Store, chore: Chore, from: i64, until: i64) -> bool {
    let tx = store.begin().await.unwrap();
    let put_off = chores::put_off(&tx, chore, at(from), at(until)).await.unwrap();
    tx.commit().await.unwrap();
    put_off
}

fn at(second: i64) -> DateTime<Utc> {
    "2026-11-26T09:00:00Z".parse::<DateTime<Utc>>().unwrap() + TimeDelta::seconds(second)
}

#[tokio::test]
async fn a_chore_is_in_one_hand_until_its_claim_has_ended() {
    for store in stores().await {
        let chore = Chore::Backup;
        assert!(claim(&store, chore, 0, 60).await);
        assert!(!claim(&store, chore, 0, 60).await);
        assert!(!claim(&store, chore, 59, 100).await);
        assert!(claim(&store, Chore::RestoreDrill, 59, 100).await, "another chore is free");
        assert!(put_off(&store, chore, 60, 120).await);
        assert!(!claim(&store, chore, 60, 180).await);
        assert!(claim(&store, chore, 120, 180).await, "whoever had it did not come back");
        assert!(!put_off(&store, chore, 120, 240).await, "and is told so");
        assert!(put_off(&store, chore, 180, 150).await, "it is given back");
        assert!(claim(&store, chore, 150, 200).await);
    }
}

#[tokio::test]
async fn a_claim_of_a_clock_that_was_years_ahead_holds_nobody_up() {
    for store in stores().await {
        let year = 366 * 24 * 3600;
        assert!(claim(&store, Chore::Backup, year, year + 60).await);
        assert!(claim(&store, Chore::Backup, 0, 60).await);
        assert!(!claim(&store, Chore::Backup, 30, 90).await);
        assert!(!put_off(&store, Chore::Backup, year + 60, year + 120).await);
    }
}

#[tokio::test]
async fn of_several_that_claim_at_once_one_has_it() {
    for store in stores().await {
        let claims = (0..8).map(|_| claim(&store, Chore::Backup, 0, 60));
        let claimed = futures::future::join_all(claims).await;
        assert_eq!(claimed.into_iter().filter(|claimed| *claimed).count(), 1);
    }
}

#[tokio::test]
async fn a_database_keeps_the_number_that_it_was_given_first() {
    for store in stores().await {
        for new in [-7, 7] {
            let tx = store.begin().await.unwrap();
            assert_eq!(lineage::find_or_set(&tx, new).await.unwrap(), -7);
            tx.commit().await.unwrap();
        }
    }
}
