//! What a reviewer goes through: most in doubt first, over all pages, with as many queries for many
//! documents as for few.

use domain::{DocumentId, FlagKind, FlagReason, NewFlag, Range, ReviewQueue, Span};
use services::{review, work::flags};

use crate::{
    house::refused,
    world::{World, worlds},
};

const DOCUMENTS: usize = 53;

async fn queue(world: &World, page: u64) -> ReviewQueue {
    let actor = &world.reviewer.actor;
    review::queue(&world.services, actor, world.project, page).await.unwrap()
}

fn documents(queue: &ReviewQueue) -> Vec<DocumentId> {
    queue.page.rows.iter().map(|card| card.document).collect()
}

/// Ends the review of a document as it is.
async fn end(world: &World, document: usize) {
    let (services, actor) = (&world.services, &world.reviewer.actor);
    let document = world.documents[document];
    let view = review::load(services, actor, document).await.unwrap();
    review::submit(services, actor, document, view.content.revision).await.unwrap();
}

/// Two labelers disagree on the label in one of the last documents, on the boundaries in another; in
/// a third one alone marked something.
async fn worked_on(world: &World) {
    let [per, title, _] = world.labels[..] else { panic!("three labels") };
    let at = |start, end, label| Span { range: Range::new(start, end), label };
    for (document, spans) in [
        (50, [vec![at(15, 21, per)], vec![at(15, 21, title)]]),
        (51, [vec![at(15, 21, per), at(0, 3, per)], vec![at(15, 28, per), at(0, 3, title)]]),
        (52, [vec![at(15, 21, per)], vec![]]),
    ] {
        for (labeler, spans) in spans.iter().enumerate() {
            world.mark(labeler, document, spans).await;
            world.submit(labeler, document).await;
        }
    }
}

#[tokio::test]
async fn what_is_most_in_doubt_comes_first_whichever_page_it_was_imported_to() {
    for world in worlds(2, DOCUMENTS).await {
        worked_on(&world).await;
        let id = |document: usize| world.documents[document];
        let first = queue(&world, 0).await;
        assert_eq!((first.page.total, first.page.rows.len()), (53, 50));
        assert_eq!(documents(&first)[..4], [id(51), id(50), id(52), id(0)]);
        assert_eq!(first.next, Some(id(51)));
        let card = &first.page.rows[0];
        assert_eq!((card.decisions.boundaries, card.decisions.conflict), (1, 1));
        let last = queue(&world, 1).await;
        assert_eq!(documents(&last), [id(47), id(48), id(49)]);
        assert_eq!(last.next, Some(id(51)), "the same from every page");
        let by_import = review::list(&world.services, &world.reviewer.actor, world.project, 0);
        assert_eq!(by_import.await.unwrap().rows[0].document, id(0));
    }
}

#[tokio::test]
async fn what_is_finished_comes_last_and_waits_no_more() {
    for world in worlds(2, DOCUMENTS).await {
        worked_on(&world).await;
        for (ended, next) in [(51, Some(50)), (50, Some(52)), (52, None)] {
            end(&world, ended).await;
            let queue = queue(&world, 0).await;
            assert_eq!(queue.next, next.map(|next: usize| world.documents[next]));
        }
        let finished = &documents(&queue(&world, 1).await)[..];
        assert_eq!(finished, [51, 50, 52].map(|document: usize| world.documents[document]));
    }
}

#[tokio::test]
async fn the_queue_is_asked_for_at_once_however_long_it_is() {
    let mut counts = Vec::new();
    for documents in [53, 120] {
        for world in worlds(2, documents).await {
            worked_on(&world).await;
            queue(&world, 0).await;
            let before = world.services.statements();
            queue(&world, 1).await;
            counts.push(world.services.statements() - before);
        }
    }
    assert!(counts.iter().all(|count| *count == counts[0]), "{counts:?}");
}

#[tokio::test]
async fn who_puts_a_document_aside_is_waited_for_no_more_at_once() {
    for world in worlds(3, 2).await {
        let span = Span { range: Range::new(15, 21), label: world.labels[0] };
        for labeler in 0..2 {
            world.mark(labeler, 0, &[span]).await;
            world.submit(labeler, 0).await;
        }
        let waiting = |queue: &ReviewQueue| {
            let card = queue.page.rows.iter().find(|card| card.document == world.documents[0]);
            card.map(|card| (card.decisions.waiting, card.decisions.unanimous))
        };
        assert_eq!(waiting(&queue(&world, 0).await), Some((1, 0)));
        // Nothing has moved that is counted, and yet it counts.
        let (third, actor) = (world.assignment(2, 0).await, &world.labelers[2].actor);
        let skip =
            NewFlag { kind: FlagKind::Skip, reason: FlagReason::Damaged, note: "torn".to_owned() };
        flags::raise(&world.services, actor, third, skip).await.unwrap();
        assert_eq!(waiting(&queue(&world, 0).await), Some((0, 1)));
        flags::lower(&world.services, actor, third, FlagKind::Skip).await.unwrap();
        assert_eq!(waiting(&queue(&world, 0).await), Some((1, 0)));
    }
}

#[tokio::test]
async fn the_queue_is_for_reviewers() {
    for world in worlds(1, 1).await {
        for actor in [&world.labelers[0].actor, &world.outsider] {
            refused(review::queue(&world.services, actor, world.project, 0).await);
        }
    }
}
