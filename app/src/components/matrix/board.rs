//! What the grid and all its cells look at: the present snapshot, what was seen before, and which
//! cell the keyboard is on.

use std::ops::Range;

use domain::{AgreementSnapshot, MemberId, PairCell, ProjectId, Rater, Revision, Role, Switches};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    arrangement::Arrangement,
    change::{Cells, Change, SeenCell, change, index, pair_key},
    stepping::{Step, target},
    view::{SMALL, View},
};
use crate::{kept, query};

/// The state of the matrix that changes are measured against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Baseline {
    switches: Switches,
    pub(crate) revision: Revision,
    cells: Vec<(MemberId, MemberId, SeenCell)>,
}

impl Baseline {
    fn new(switches: Switches, revision: Revision, cells: &Cells) -> Self {
        let cells = cells.iter().map(|((a, b), cell)| (*a, *b, cell.into())).collect();
        Self { switches: switches.without_scale(), revision, cells }
    }

    /// A pair's cell as it was.
    fn get(&self, pair: (MemberId, MemberId)) -> Option<&SeenCell> {
        // In the order of the keys that it was made from.
        let place = self.cells.binary_search_by_key(&pair, |(a, b, _)| (*a, *b)).ok()?;
        self.cells.get(place).map(|(.., cell)| cell)
    }
}

/// What changes are measured against, for each setting of the switches that was looked at: the
/// matrix as it was when somebody looked last, or as they last marked it as seen.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Seen {
    baselines: Vec<Baseline>,
    /// Whether changes count from a mark; from the last visit or the opening of the page otherwise.
    pub(crate) marked: bool,
}

/// For how many settings of the switches a browser remembers what was seen.
const REMEMBERED: usize = 6;

impl Seen {
    /// What was seen under these switches.
    pub(crate) fn under(&self, switches: Switches) -> Option<&Baseline> {
        let switches = switches.without_scale();
        self.baselines.iter().find(|baseline| baseline.switches == switches)
    }

    /// Takes in what is on screen for the first time.
    fn open(&mut self, now: Baseline) {
        if self.under(now.switches).is_none() {
            self.baselines.push(now);
        }
    }

    /// Takes everything on screen as seen; what other switches showed starts over.
    pub(crate) fn mark(&mut self, now: Baseline) {
        *self = Self { baselines: vec![now], marked: true };
    }

    /// What the next visit is to measure changes against.
    fn left(&self, now: Baseline) -> Vec<Baseline> {
        let others = self.baselines.iter().filter(|kept| kept.switches != now.switches).cloned();
        std::iter::once(now.clone()).chain(others).take(REMEMBERED).collect()
    }
}

/// A pair that is not as it was seen.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Changed {
    pub(crate) raters: (Rater, Rater),
    pub(crate) before: SeenCell,
    pub(crate) now: PairCell,
    pub(crate) change: Change,
}

/// The state of a matrix on screen.
#[derive(Clone, Copy)]
pub(crate) struct Board {
    /// The snapshot on screen.
    pub(crate) shown: RwSignal<AgreementSnapshot>,
    /// Its cells by pair.
    pub(crate) cells: Memo<Cells>,
    /// Its raters that are shown, labelers first.
    pub(crate) raters: Memo<Vec<Rater>>,
    pub(crate) arrangement: RwSignal<Arrangement>,
    /// Which of them are on screen, where there are too many for all.
    pub(crate) view: RwSignal<View>,
    /// What changes are measured against.
    pub(crate) seen: RwSignal<Seen>,
    /// The cell (row, column) that the keyboard is on; none before hydration.
    pub(crate) active: RwSignal<Option<(MemberId, MemberId)>>,
}

impl Board {
    /// A board that shows a matrix as it is now.
    pub(crate) fn new(shown: RwSignal<AgreementSnapshot>) -> Self {
        let cells = Memo::new(move |_| shown.with(index));
        let project = shown.with_untracked(|shown| shown.project);
        let arrangement = RwSignal::new(Arrangement::default());
        let raters = Memo::new(move |_| {
            shown.with(|shown| arrangement.with(|kept| kept.arranged(&shown.raters)))
        });
        let (seen, view) = (RwSignal::new(Seen::default()), RwSignal::new(View::default()));
        let active = RwSignal::new(None);
        let board = Self { shown, cells, raters, arrangement, view, seen, active };
        // What the browser remembers is not known to the server: it comes after the first paint.
        Effect::new(move |before: Option<()>| {
            if before.is_none() {
                arrangement.set(Arrangement::load(project));
                let baselines = kept::load(&seen_name(project)).unwrap_or_default();
                seen.set(Seen { baselines, marked: false });
            }
        });
        Effect::new(move |_| {
            let now = board.baseline();
            seen.update(|seen| seen.open(now));
        });
        let leave = move || {
            if let Some(now) = board.shown.try_get_untracked().map(|_| board.baseline()) {
                let left = seen.with_untracked(|seen| seen.left(now));
                kept::keep(&seen_name(project), &left);
            }
        };
        let leaving = window_event_listener(leptos::ev::pagehide, move |_| leave());
        on_cleanup(move || leaving.remove());
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

    /// Whether there are too many raters to draw all cells.
    pub(crate) fn is_large(self) -> bool {
        self.raters.with(|raters| raters.len() > SMALL)
    }

    /// The raters whose rows are drawn.
    pub(crate) fn rows(self, role: Role) -> Vec<Rater> {
        self.drawn(role, View::rows)
    }

    /// The raters whose columns are drawn.
    pub(crate) fn columns(self, role: Role) -> Vec<Rater> {
        self.drawn(role, View::columns)
    }

    /// How many rows of a band are not drawn: before and after those that are.
    pub(crate) fn undrawn_rows(self, role: Role) -> (usize, usize) {
        self.undrawn(role, View::rows)
    }

    /// How many columns of a band are not drawn: before and after those that are.
    pub(crate) fn undrawn_columns(self, role: Role) -> (usize, usize) {
        self.undrawn(role, View::columns)
    }

    /// What is drawn of all raters, and where a band begins and ends among them. The averages
    /// between the bands are narrow enough to be passed over.
    fn part(self, role: Role, of: fn(View, usize) -> Range<usize>) -> (Range<usize>, Range<usize>) {
        let size = self.raters.with(Vec::len);
        let band = self.raters.with(|raters| {
            let labelers = raters.iter().filter(|rater| rater.role == Role::Labeler).count();
            if role == Role::Labeler { 0..labelers } else { labelers..size }
        });
        let drawn = if self.is_large() { of(self.view.get(), size) } else { 0..size };
        let start = drawn.start.clamp(band.start, band.end);
        let end = drawn.end.clamp(start, band.end);
        (band, start..end)
    }

    fn drawn(self, role: Role, of: fn(View, usize) -> Range<usize>) -> Vec<Rater> {
        let (_, drawn) = self.part(role, of);
        self.raters.with(|raters| raters.get(drawn).map(<[_]>::to_vec).unwrap_or_default())
    }

    fn undrawn(self, role: Role, of: fn(View, usize) -> Range<usize>) -> (usize, usize) {
        let (band, drawn) = self.part(role, of);
        (drawn.start - band.start, band.end - drawn.end)
    }

    /// Row and column of a cell among those that are shown.
    pub(crate) fn place(self, (row, column): (MemberId, MemberId)) -> Option<(usize, usize)> {
        self.raters.with_untracked(|raters| Some((place(raters, row)?, place(raters, column)?)))
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

    /// What is on screen, to measure changes against later.
    fn baseline(self) -> Baseline {
        let (switches, revision) = self.shown.with(|shown| (shown.switches, shown.revision));
        self.cells.with(|cells| Baseline::new(switches, revision, cells))
    }

    /// What is new in a cell since it was last seen.
    pub(crate) fn change(self, cell: Memo<(Switches, Option<PairCell>)>) -> Memo<Option<Change>> {
        Memo::new(move |_| {
            let (switches, now) = cell.get();
            let now = now?;
            self.seen.with(|seen| {
                let before = seen.under(switches)?.get(pair_key(now.first, now.second));
                change(before, &now)
            })
        })
    }

    /// The pairs that are not as they were last seen, those whose value moved most first.
    pub(crate) fn changes(self) -> Vec<Changed> {
        let switches = self.shown_switches();
        let raters = self.shown.with(|shown| shown.raters.clone());
        let rater = |id| raters.iter().find(|rater| rater.id == id).cloned();
        let mut changes: Vec<Changed> = self.seen.with(|seen| {
            let Some(baseline) = seen.under(switches) else { return Vec::new() };
            self.cells.with(|cells| {
                let changed = cells.iter().filter_map(|(pair, now)| {
                    let before = *baseline.get(*pair)?;
                    Some(Changed {
                        raters: (rater(now.first)?, rater(now.second)?),
                        before,
                        change: change(Some(&before), now)?,
                        now: now.clone(),
                    })
                });
                changed.collect()
            })
        });
        let moved = |changed: &Changed| {
            let now = changed.now.measured.value();
            changed
                .before
                .value
                .zip(now)
                .map_or(f64::INFINITY, |(before, now)| (now - before).abs())
        };
        changes.sort_by(|a, b| moved(b).total_cmp(&moved(a)));
        changes
    }

    /// The revision that changes are counted from.
    pub(crate) fn seen_at(self) -> Option<Revision> {
        let switches = self.shown_switches();
        self.seen.with(|seen| Some(seen.under(switches)?.revision))
    }

    /// Takes everything on screen as seen.
    pub(crate) fn mark_seen(self) {
        let now = untrack(|| self.baseline());
        self.seen.update(|seen| seen.mark(now));
    }

    /// The address of a pair under the switches that the page's address names.
    pub(crate) fn address(self, row: MemberId, column: MemberId) -> String {
        self.shown.with_untracked(|shown| {
            query::pair_address(shown.project, row, column, shown.switches)
        })
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

/// Where the browser keeps what was seen of a project.
fn seen_name(project: ProjectId) -> String {
    format!("concord.seen.{project}")
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
    fn what_was_seen_first_stays_until_it_is_marked_and_is_kept_for_the_next_visit() {
        let one = Switches::default();
        let two = Switches { measure: domain::Measure::Alpha, ..Switches::default() };
        let cell = PairCell {
            first: MemberId(4),
            second: MemberId(7),
            measured: domain::Measured::Undefined(domain::UndefinedReason::NoSharedPositions),
            confidence: domain::Confidence::Pending,
            n: 3,
            coverage: domain::CoverageView::default(),
            documents: 1,
        };
        let later = Cells::from([((MemberId(4), MemberId(7)), cell)]);
        let at =
            |switches, revision, cells: &Cells| Baseline::new(switches, Revision(revision), cells);
        let mut seen = Seen::default();
        seen.open(at(one, 1, &Cells::new()));
        seen.open(at(one, 2, &later));
        seen.open(at(two, 2, &later));
        assert_eq!(seen.under(one).map(|seen| seen.revision), Some(Revision(1)));
        let left = seen.left(at(one, 3, &later));
        assert_eq!(left.iter().map(|kept| kept.revision.0).collect::<Vec<_>>(), [3, 2]);
        assert_eq!(left[0].get((MemberId(4), MemberId(7))).map(|cell| cell.n), Some(3));
        assert_eq!(left[0].get((MemberId(4), MemberId(8))), None);

        seen.mark(at(one, 4, &later));
        assert_eq!(seen.under(one).map(|seen| seen.revision), Some(Revision(4)));
        assert_eq!((seen.under(two), seen.marked), (None, true));
    }
}
