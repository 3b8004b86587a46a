//! Agreement of a part of a project: of one label, one document, one round.

use agreement::{Contingency, cohen_kappa};
use domain::{Filter, LabelSet, Measured, PairView, Range, Span, Switches};
use services::agreement as matrix;

use crate::world::{World, worlds};

/// Two labelers' marks on three documents, with every kind of agreement and disagreement.
async fn labelled(world: &World) {
    let [per, title, year] = [world.labels[0], world.labels[1], world.labels[2]];
    let span = |start, label| Span { range: Range::new(start, start + 3), label };
    let marks = [
        [vec![span(0, per), span(4, title), span(12, year)], vec![span(0, per), span(4, per)]],
        [vec![span(0, per), span(8, year)], vec![span(0, title), span(8, year)]],
        [vec![span(4, per), span(8, per)], vec![span(4, per), span(8, year), span(20, per)]],
    ];
    for (document, both) in marks.into_iter().enumerate() {
        for (labeler, spans) in both.into_iter().enumerate() {
            world.mark(labeler, document, &spans).await;
        }
    }
}

async fn pair(world: &World, filter: Filter) -> PairView {
    let [a, b] = [0, 1].map(|place| world.labelers[place].member);
    let switches = Switches { filter, ..Switches::default() };
    let actor = &world.manager.actor;
    matrix::pair(&world.services, actor, world.project, a, b, switches).await.unwrap()
}

#[tokio::test]
async fn a_label_is_counted_against_everything_else_on_the_same_positions() {
    for world in worlds(2, 3).await {
        labelled(&world).await;
        let whole = pair(&world, Filter::NONE).await;
        for label in world.labels.iter().copied() {
            let wanted = LabelSet::one(label);
            let mut table = Contingency::new();
            for (row, counts) in whole.categories.iter().zip(&whole.counts) {
                for (column, count) in whole.categories.iter().zip(counts) {
                    table.add_count(row.labels == wanted, column.labels == wanted, *count);
                }
            }
            let narrowed = pair(&world, Filter { label: Some(label), ..Filter::NONE }).await;
            assert_eq!(narrowed.cell.n, whole.cell.n);
            assert_eq!(narrowed.cell.coverage, whole.cell.coverage);
            let expected = cohen_kappa(&table).ok().map(|kappa| kappa.value);
            assert_eq!(narrowed.cell.measured.value(), expected);
            assert!(narrowed.categories.iter().any(|category| category.name.starts_with("not ")));
        }
    }
}

#[tokio::test]
async fn the_documents_add_up_to_the_whole_and_a_save_moves_a_part_that_is_kept() {
    for world in worlds(2, 3).await {
        labelled(&world).await;
        let of = |document| Filter { document: Some(document), ..Filter::NONE };
        let mut positions = 0;
        for document in &world.documents {
            let part = pair(&world, of(*document)).await;
            assert_eq!(part.cell.documents, 1);
            positions += part.cell.n;
        }
        assert_eq!(pair(&world, Filter::NONE).await.cell.n, positions);

        let [first, second] = [world.documents[0], world.documents[1]];
        let untouched = pair(&world, of(second)).await.cell;
        let extra = [Span { range: Range::new(30, 33), label: world.labels[0] }];
        for labeler in 0..2 {
            world.mark(labeler, 0, &extra).await;
        }
        let before = positions;
        assert_eq!(pair(&world, Filter::NONE).await.cell.n, before + 1);
        assert_eq!(pair(&world, of(second)).await.cell, untouched);
        let part = pair(&world, of(first)).await;
        assert!(matches!(part.cell.measured, Measured::Value { .. }));
        assert_eq!(part.revision, pair(&world, Filter::NONE).await.revision);
    }
}
