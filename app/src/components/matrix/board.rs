//! What the grid and all its cells look at: the present snapshot, what was seen before, and which
//! cell the keyboard is on.

use std::collections::HashMap;

use domain::{AgreementSnapshot, MemberId, PairCell, Rater, Role, Switches};
use leptos::prelude::*;

use super::{
    change::{Cells, Change, change, index, newest, pair_key},
    stepping::{Step, target},
};
use crate::query;

/// The cells that changes are measured against, for each setting of the switches that was looked
/// at: as the page first showed them, or as they were last marked as seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    cells: HashMap<Switches, Cells>,
    /// Whether changes count from a mark; from the opening of the page otherwise.
    pub(crate) marked: bool,
}

impl Seen {
    /// What was seen under these switches.
    pub(crate) fn under(&self, switches: Switches) -> Option<&Cells> {
        self.cells.get(&switches.without_scale())
    }

    /// Takes in what is on screen for the first time.
    fn open(&mut self, switches: Switches, cells: Cells) {
        self.cells.entry(switches.without_scale()).or_insert(cells);
    }

    /// Takes everything on screen as seen; what other switches showed starts over.
    pub(crate) fn mark(&mut self, switches: Switches, cells: Cells) {
        *self = Self { cells: HashMap::from([(switches.without_scale(), cells)]), marked: true };
    }
}

/// The state of a matrix on screen.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    /// The snapshot on screen.
    pub(crate) shown: Memo<AgreementSnapshot>,
    /// Its cells by pair.
    pub(crate) cells: Memo<Cells>,
    /// Its raters, labelers first.
    pub(crate) raters: Memo<Vec<Rater>>,
    /// What changes are measured against.
    pub(crate) seen: RwSignal<Seen>,
    /// The cell (row, column) that the keyboard is on; none before hydration.
    pub(crate) active: RwSignal<Option<(MemberId, MemberId)>>,
    /// The switches that the address names.
    switches: Signal<Switches>,
}

impl Board {
    /// A board that shows `own` until the stream has something newer.
    pub(crate) fn new(
        own: AgreementSnapshot,
        stream: RwSignal<Option<AgreementSnapshot>>,
        switches: Signal<Switches>,
    ) -> Self {
        let shown = Memo::new(move |_| {
            stream.with(|stream| newest(&own, stream.as_ref(), switches.get()).clone())
        });
        let cells = Memo::new(move |_| shown.with(index));
        let raters = Memo::new(move |_| shown.with(|shown| shown.raters.clone()));
        let seen = RwSignal::new(Seen::default());
        let board = Self { shown, cells, raters, seen, active: RwSignal::new(None), switches };
        Effect::new(move |_| {
            let (switches, cells) = (board.shown_switches(), cells.get());
            seen.update(|seen| seen.open(switches, cells));
        });
        Effect::new(move |_| {
            raters.with(|raters| {
                let lost =
                    |(row, column)| place(raters, row).is_none() || place(raters, column).is_none();
                if board.active.get_untracked().is_none_or(lost) {
                    board.active.set(step(raters, (0, 0), Step::First));
                }
            });
        });
        board
    }

    /// The raters of the labelers' band, or of the reviewers'.
    pub(crate) fn band(self, role: Role) -> Vec<Rater> {
        self.raters
            .with(|raters| raters.iter().filter(|rater| rater.role == role).cloned().collect())
    }

    /// The switches of the snapshot on screen.
    fn shown_switches(self) -> Switches {
        self.shown.with(|shown| shown.switches)
    }

    /// A pair's cell together with the switches that it is under.
    pub(crate) fn cell(self, a: MemberId, b: MemberId) -> Memo<(Switches, Option<PairCell>)> {
        Memo::new(move |_| {
            let cell = self.cells.with(|cells| cells.get(&pair_key(a, b)).cloned());
            (self.shown_switches(), cell)
        })
    }

    /// What is new in a cell since it was last seen.
    pub(crate) fn change(self, cell: Memo<(Switches, Option<PairCell>)>) -> Memo<Option<Change>> {
        Memo::new(move |_| {
            let (switches, now) = cell.get();
            let now = now?;
            self.seen.with(|seen| {
                let before = seen.under(switches)?.get(&pair_key(now.first, now.second));
                change(before, &now)
            })
        })
    }

    /// How many cells are not as they were last seen.
    pub(crate) fn changes(self) -> usize {
        let switches = self.shown_switches();
        self.seen.with(|seen| {
            let Some(before) = seen.under(switches) else { return 0 };
            self.cells.with(|cells| {
                cells.iter().filter(|(pair, now)| change(before.get(pair), now).is_some()).count()
            })
        })
    }

    /// Takes everything on screen as seen.
    pub(crate) fn mark_seen(self) {
        let (switches, cells) = (self.shown_switches(), self.cells.get_untracked());
        self.seen.update(|seen| seen.mark(switches, cells));
    }

    /// The address of a pair under the switches that the page's address names.
    pub(crate) fn address(self, row: MemberId, column: MemberId) -> String {
        let project = self.shown.with(|shown| shown.project);
        query::pair_address(project, row, column, self.switches.get())
    }

    /// Moves the keyboard; says where to, if there is a cell that way.
    pub(crate) fn walk(self, step_taken: Step) -> Option<(MemberId, MemberId)> {
        let (row, column) = self.active.get_untracked()?;
        let reached = self.raters.with_untracked(|raters| {
            step(raters, (place(raters, row)?, place(raters, column)?), step_taken)
        })?;
        self.active.set(Some(reached));
        Some(reached)
    }
}

/// The cell that a step leads to from one place in the matrix of these raters.
fn step(raters: &[Rater], from: (usize, usize), taken: Step) -> Option<(MemberId, MemberId)> {
    let pair = |row: usize, column: usize| raters.get(row).zip(raters.get(column));
    let is_link = |row, column| pair(row, column).is_some_and(|(a, b)| a.id != b.id);
    let (row, column) = target(from, taken, raters.len(), is_link)?;
    pair(row, column).map(|(row, column)| (row.id, column.id))
}

fn place(raters: &[Rater], member: MemberId) -> Option<usize> {
    raters.iter().position(|rater| rater.id == member)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raters() -> Vec<Rater> {
        [(4, Role::Labeler), (7, Role::Labeler), (2, Role::Reviewer), (9, Role::Reviewer)]
            .map(|(id, role)| Rater { id: MemberId(id), name: format!("rater {id}"), role })
            .into()
    }

    #[test]
    fn a_step_goes_by_the_order_of_the_raters_and_not_by_their_ids() {
        let right = step(&raters(), (0, 1), Step::Right);
        assert_eq!(right, Some((MemberId(4), MemberId(2))));
        assert_eq!(step(&raters(), (2, 1), Step::Right), Some((MemberId(2), MemberId(9))));
        assert_eq!(step(&raters(), (0, 0), Step::First), Some((MemberId(4), MemberId(7))));
        assert_eq!(step(&[], (0, 0), Step::First), None);
    }

    #[test]
    fn what_was_seen_first_stays_until_it_is_marked() {
        let (one, two) = (
            Switches::default(),
            Switches { measure: domain::Measure::Alpha, ..Switches::default() },
        );
        let later = Cells::from([(
            (MemberId(4), MemberId(7)),
            PairCell {
                first: MemberId(4),
                second: MemberId(7),
                measured: domain::Measured::Undefined(domain::UndefinedReason::NoSharedPositions),
                confidence: domain::Confidence::Pending,
                n: 0,
                coverage: domain::CoverageView::default(),
                documents: 1,
            },
        )]);
        let mut seen = Seen::default();
        seen.open(one, Cells::new());
        seen.open(one, later.clone());
        seen.open(two, Cells::new());
        assert_eq!(seen.under(one), Some(&Cells::new()));

        seen.mark(one, later.clone());
        assert_eq!(seen.under(one), Some(&later));
        assert_eq!((seen.under(two), seen.marked), (None, true));
    }
}
