//! Each document's part of a pair's number.

use agreement::diagnostics::Share;
use domain::{CauseOrder, DocumentCause, Page, Sorting};
use live::{LabelChoices, agreements, counted_positions, coverage, measured};

use super::Pair;
use crate::base::sorting::{Key, page, sort};

/// Documents on a page of a pair, which has more to show.
const SHOWN: u64 = 10;

/// The documents that count for the pair, in the order and on the page that are wanted; without their names.
pub(super) fn of(
    pair: &Pair<'_>,
    choices: &LabelChoices,
    sorting: Sorting<CauseOrder>,
) -> Page<DocumentCause> {
    let switches = pair.switches;
    let [tallies, _] = pair.tallies;
    let mut rows: Vec<_> = tallies
        .pair_by_document(pair.first, pair.second, switches)
        .map(|(document, counted)| {
            let table = &counted.tally.table;
            DocumentCause {
                document,
                name: String::new(),
                positions: counted_positions(table, switches.measure),
                agreements: agreements(table, switches.measure),
                disagreements: table.total() - table.agreements(),
                share: 0.0,
                measured: measured(&counted, choices, switches),
                coverage: coverage(&counted),
            }
        })
        .collect();
    let all = rows.iter().map(|row| row.disagreements).sum();
    for row in &mut rows {
        let share = Share { agreeing: row.disagreements, pairs: all };
        row.share = share.agreement().unwrap_or_default();
    }
    sort(&mut rows, sorting.descending, |row| match sorting.order {
        CauseOrder::Disagreements => Key::Most(row.disagreements),
        CauseOrder::Document => Key::Given,
        CauseOrder::Value => Key::Lowest(row.measured.value()),
        CauseOrder::Positions => Key::Most(row.positions),
    });
    page(rows, &sorting, SHOWN)
}
