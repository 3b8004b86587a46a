//! Intervals: at once by formula, later by resampling, and told when they are there.

use std::{sync::Arc, time::Duration};

use crate::world::{World, worlds};
use ::agreement::{
    Contingency,
    inference::{Level, cohen_kappa_estimate},
};
use domain::{
    AgreementSnapshot, Confidence, Measure, NoInterval, PolicyChoice, PositionKind, Range, Span,
    Switches,
};
use futures::StreamExt;
use services::{Clock, ServerKey, Services, agreement};

const POSITIONS: [(u32, u32); 5] = [(0, 3), (4, 11), (15, 21), (23, 29), (33, 40)];

/// Has two labelers mark every document, alike on most positions, and hand it in.
async fn work(world: &World) {
    for document in 0..world.documents.len() {
        for labeler in 0..2 {
            let spans: Vec<_> = POSITIONS
                .iter()
                .enumerate()
                .map(|(place, &(start, end))| {
                    let differs = labeler == 1 && (document + place) % 4 == 0;
                    let label = (document * place + usize::from(differs)) % 3;
                    Span { range: Range::new(start, end), label: world.labels[label] }
                })
                .collect();
            world.mark(labeler, document, &spans).await;
            world.submit(labeler, document).await;
        }
    }
}

async fn snapshot(
    services: &Arc<Services>,
    world: &World,
    switches: Switches,
) -> AgreementSnapshot {
    let actor = &world.manager.actor;
    let shared = agreement::snapshot(services, actor, world.project, switches).await.unwrap();
    AgreementSnapshot::clone(&shared)
}

/// The interval of the two labelers, once it is there.
async fn settled(services: &Arc<Services>, world: &World, switches: Switches) -> Confidence {
    let actor = &world.manager.actor;
    let stream = agreement::follow(services, actor, world.project, switches).await.unwrap();
    let mut stream = Box::pin(stream);
    let patience = Duration::from_secs(20);
    loop {
        let next = tokio::time::timeout(patience, stream.next()).await.unwrap().unwrap();
        if next.pending() == 0 {
            return next.cells[0].confidence;
        }
    }
}

fn of(measure: Measure) -> Switches {
    Switches { measure, ..Switches::default() }
}

#[tokio::test]
async fn kappa_has_its_interval_at_once() {
    for world in worlds(2, 4).await {
        work(&world).await;
        let snapshot = snapshot(&world.services, &world, of(Measure::Kappa)).await;
        let (first, second) = (world.labelers[0].member, world.labelers[1].member);
        let pair = agreement::pair(
            &world.services,
            &world.manager.actor,
            world.project,
            first,
            second,
            of(Measure::Kappa),
        );
        let pair = pair.await.unwrap();
        let mut table = Contingency::new();
        for (row, counts) in pair.categories.iter().zip(&pair.counts) {
            for (column, &count) in pair.categories.iter().zip(counts) {
                table.add_count(row.labels.clone(), column.labels.clone(), count);
            }
        }
        let interval = cohen_kappa_estimate(&table).unwrap().interval(Level::P95);
        let expected = Confidence::Interval { lower: interval.lower, upper: interval.upper };
        assert_eq!(snapshot.cells[0].confidence, expected);
        assert_eq!(pair.cell.confidence, expected);
    }
}

#[tokio::test]
async fn the_other_intervals_are_pending_until_they_are_told_and_the_same_after_a_restart() {
    for world in worlds(2, 4).await {
        work(&world).await;
        for measure in Measure::OF_LABELS {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { policy, ..of(measure) };
                if measure != Measure::Kappa || policy.positions() != PositionKind::Exact {
                    let first = snapshot(&world.services, &world, switches).await;
                    assert_eq!(first.cells[0].confidence, Confidence::Pending, "{measure}");
                }
                let interval = settled(&world.services, &world, switches).await;
                assert!(
                    matches!(interval, Confidence::Interval { lower, upper } if lower <= upper),
                    "{measure}: {interval:?}"
                );
                let again = snapshot(&world.services, &world, switches).await;
                assert_eq!(again.cells[0].confidence, interval, "known from now on");
                let restarted = Services::new(
                    world.store.clone(),
                    Clock::system(),
                    None,
                    ServerKey::from([7; 32]),
                );
                assert_eq!(settled(&restarted, &world, switches).await, interval, "{measure}");
            }
        }
    }
}

#[tokio::test]
async fn a_save_makes_the_intervals_of_its_rater_pending_and_no_others() {
    for world in worlds(3, 4).await {
        work(&world).await;
        let alpha = of(Measure::Alpha);
        world.mark(2, 0, &[Span::new(0, 3, world.labels[0])]).await;
        world.mark(2, 1, &[Span::new(4, 11, world.labels[0])]).await;
        settled(&world.services, &world, alpha).await;
        world.mark(2, 2, &[Span::new(4, 11, world.labels[1])]).await;
        let moved = snapshot(&world.services, &world, alpha).await;
        let pending: Vec<_> =
            moved.cells.iter().map(|cell| cell.confidence == Confidence::Pending).collect();
        // One and two; one and three; two and three; then each with the reviewer.
        assert_eq!(pending, [false, true, false, true, false, false]);
        settled(&world.services, &world, alpha).await;
    }
}

#[tokio::test]
async fn by_token_and_overlap_a_save_leaves_the_intervals_of_others_known_too() {
    for policy in [PolicyChoice::Token, PolicyChoice::Overlap] {
        for world in worlds(3, 4).await {
            work(&world).await;
            let mark = async |document: usize| {
                let spans = [(0, 3), (4, 12)].map(|(start, end)| {
                    Span::new(start, end, world.labels[document.min(usize::from(start > 0))])
                });
                world.mark(2, document, &spans).await;
                world.submit(2, document).await;
            };
            mark(0).await;
            mark(1).await;
            let kappa = Switches { policy, ..of(Measure::Kappa) };
            settled(&world.services, &world, kappa).await;
            mark(2).await;
            let moved = snapshot(&world.services, &world, kappa).await;
            let pending: Vec<_> =
                moved.cells.iter().map(|cell| cell.confidence == Confidence::Pending).collect();
            assert_eq!(pending, [false, true, false, true, false, false], "{policy}");
        }
    }
}

#[tokio::test]
async fn one_document_and_no_value_have_no_interval() {
    for world in worlds(2, 1).await {
        let alpha = of(Measure::Alpha);
        let nothing = snapshot(&world.services, &world, alpha).await.cells[0].confidence;
        assert_eq!(nothing, Confidence::None(NoInterval::NoValue));
        work(&world).await;
        let one = snapshot(&world.services, &world, alpha).await.cells[0].confidence;
        assert_eq!(one, Confidence::None(NoInterval::OneDocument));
    }
}
