//! Which document to have annotated a second time.

use crate::{
    house::refused,
    world::{World, worlds},
};
use domain::{BoardQuery, NoPrecision, SecondView, Span, WorkloadAsk, WorkloadKind};
use services::workload::{self, double_annotation};

async fn list(world: &World) -> SecondView {
    double_annotation::list(&world.services, &world.manager.actor, world.project, 0).await.unwrap()
}

/// The first four documents are done by both labelers, the others by the first alone: with one span,
/// with twelve, with five. Of the fifth of those nobody has anything.
async fn worked_on(world: &World) {
    let [per, title, year] = world.labels[..] else { panic!("three labels") };
    let span = |at: u32, label| Span::new(at * 3, at * 3 + 2, label);
    for document in 0..4 {
        let one: Vec<_> =
            (0..8).map(|at| span(at, if at % 2 == 0 { per } else { title })).collect();
        let mut other = one.clone();
        for span in other.iter_mut().take(document) {
            span.label = year;
        }
        world.mark(0, document, &one).await;
        world.mark(1, document, &other).await;
    }
    for (document, marks) in [(4, 1), (5, 12), (6, 5)] {
        let spans: Vec<_> = (0..marks).map(|at| span(at, title)).collect();
        world.mark(0, document, &spans).await;
    }
    let tx = world.store.begin().await.unwrap();
    let parts: Vec<_> = world.documents[4..]
        .iter()
        .map(|document| store::workload::batches::HoldingChange {
            document: *document,
            member: world.labelers[1].member,
            before: Some(None),
            after: None,
        })
        .collect();
    assert!(store::workload::batches::carry_out(&tx, &parts).await.unwrap());
    tx.commit().await.unwrap();
}

#[tokio::test]
async fn the_document_with_most_to_compare_comes_first_and_each_would_narrow_the_interval() {
    for world in worlds(2, 8).await {
        worked_on(&world).await;
        let shown = list(&world).await;
        let now = shown.now.unwrap();
        assert_eq!((shown.documents, shown.ratings), (4, 64));
        assert!((now.disagreement - 6.0 / 32.0).abs() < 1e-12);
        let rows: Vec<_> = shown.page.rows.iter().map(|row| (row.place, row.spans)).collect();
        assert_eq!(rows, [(6, 12), (7, 5), (5, 1)]);
        let widths: Vec<_> = shown.page.rows.iter().map(|row| row.half_width.unwrap()).collect();
        assert!(widths.iter().all(|width| *width < now.half_width), "{widths:?} {now:?}");
        for row in &shown.page.rows {
            assert!(row.compared > 0.0 && row.disagreeing < row.compared);
            assert_eq!(row.labeler, world.labelers[0].member);
        }

        // Assigned from the list it waits no more.
        let place = shown.page.rows[0].place;
        let ask = WorkloadAsk {
            kind: WorkloadKind::Overlap,
            first: place,
            last: Some(place),
            ..WorkloadAsk::default()
        };
        let (services, actor, project) = (&world.services, &world.manager.actor, world.project);
        let query = BoardQuery { ask: Some(ask), ..BoardQuery::default() };
        let board = workload::load(services, actor, project, query).await.unwrap();
        let plan = board.plan.unwrap().unwrap();
        assert_eq!((plan.changes, plan.shares[1].gets), (1, 1));
        workload::give(services, actor, project, ask, &plan.seen).await.unwrap();
        assert_eq!(list(&world).await.page.total, 2);
    }
}

#[tokio::test]
async fn where_nothing_was_done_twice_the_reason_stands_in_place_of_a_width() {
    for world in worlds(1, 2).await {
        world.mark(0, 1, &[Span::new(0, 3, world.labels[0])]).await;
        let shown = list(&world).await;
        assert!(matches!(shown.now, Err(NoPrecision::NoValue(_))));
        let rows: Vec<_> = shown.page.rows.iter().map(|row| (row.place, row.half_width)).collect();
        assert_eq!(rows, [(2, None)]);
        let (services, project) = (&world.services, world.project);
        for actor in [&world.reviewer.actor, &world.labelers[0].actor] {
            refused(double_annotation::list(services, actor, project, 0).await);
        }
    }
}
