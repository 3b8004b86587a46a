//! What managers are written of a week.

use std::sync::atomic::Ordering;

use services::outside::mail;

use super::{deliver, email, log, world_with};
use crate::world::World;

const DAY: i64 = 24 * 60 * 60;

/// When summaries fall due.
const EIGHT: i64 = 2 * 60 * 60;

/// Has both labelers finish a document, as one or otherwise.
async fn compare(world: &World, document: usize, differ: usize) {
    world.mark_by_both(document, differ).await;
    for labeler in 0..2 {
        world.submit(labeler, document).await;
    }
}

#[tokio::test]
async fn each_day_is_in_the_summary_of_its_week_and_in_no_other() {
    for (world, office, second) in world_with(2, &[]).await {
        let at = |time: i64| second.store(time, Ordering::Relaxed);
        let summarize = async || {
            mail::summarize_due(&world.services).await.unwrap();
            mail::summarize_due(&world.services).await.unwrap();
            deliver(&world).await;
            office.mails()
        };
        at(-10 * DAY);
        compare(&world, 0, 0).await;
        // The evening of the Monday of which the summary was made in the morning.
        at(-7 * DAY + 12 * 60 * 60);
        compare(&world, 1, 1).await;
        // The Monday on which it is made.
        at(0);
        compare(&world, 2, 0).await;
        assert!(summarize().await.is_empty(), "it is not eight yet");
        at(EIGHT);
        let sent = summarize().await;
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].to, email(&world.manager.actor));
        assert_eq!(sent[0].header("Subject"), "Tragedies: the week since 16 November 2026");
        let body = sent[0].body();
        assert!(body.contains("Documents compared this week: 1"), "{body}");
        let first = "α: Same label where both marked: ";
        let value = body.split(first).nth(1).unwrap().lines().next().unwrap();
        assert!(value.contains(", down "), "{value}");
        at(7 * DAY + EIGHT);
        let body = summarize().await[1].body();
        assert!(body.contains("Documents compared this week: 1"), "{body}");
        let before = value.split(',').next().unwrap();
        let next = body.split(first).nth(1).unwrap().lines().next().unwrap();
        assert!(next.contains(", up ") && !next.starts_with(before), "{next} after {before}");
        at(14 * DAY + EIGHT);
        assert_eq!(summarize().await.len(), 2);
        assert_eq!(log(&world).await.len(), 2, "nothing was saved, and nothing is queued");
    }
}
