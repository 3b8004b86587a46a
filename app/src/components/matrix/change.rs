//! What has changed in a cell between two snapshots of the matrix.

use std::{cmp::Ordering, collections::BTreeMap};

use domain::{AgreementSnapshot, MemberId, PairCell, Switches};
use serde::{Deserialize, Serialize};

use crate::display;

/// The cells of a matrix by pair, the lower id first.
pub(crate) type Cells = BTreeMap<(MemberId, MemberId), PairCell>;

/// The key of a pair in [`Cells`], in whichever order the two are named.
pub(crate) fn pair_key(a: MemberId, b: MemberId) -> (MemberId, MemberId) {
    (a.min(b), a.max(b))
}

/// The cells of a snapshot by pair.
pub(crate) fn index(snapshot: &AgreementSnapshot) -> Cells {
    let cells = snapshot.cells.iter();
    cells.map(|cell| (pair_key(cell.first, cell.second), cell.clone())).collect()
}

/// A difference that can be seen on screen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    /// Whether the value rose or fell; equal if only what it rests on has changed.
    pub(crate) direction: Ordering,
    /// "+0.03", "new", "n +2".
    pub(crate) text: String,
}

impl Change {
    pub(crate) const fn glyph(&self) -> &'static str {
        match self.direction {
            Ordering::Greater => "▲",
            Ordering::Less => "▼",
            Ordering::Equal => "•",
        }
    }
}

/// What is remembered of a cell that was seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SeenCell {
    pub(crate) value: Option<f64>,
    pub(crate) n: u64,
}

impl From<&PairCell> for SeenCell {
    fn from(cell: &PairCell) -> Self {
        Self { value: cell.measured.value(), n: cell.n }
    }
}

/// What is different in a cell, measured by what stood on screen; a pair that was not there
/// before has nothing to be compared with.
pub(crate) fn change(before: Option<&SeenCell>, now: &PairCell) -> Option<Change> {
    let before = before?;
    match (before.value, now.measured.value()) {
        (None, Some(_)) => Some(Change { direction: Ordering::Greater, text: "new".to_owned() }),
        (Some(_), None) => {
            Some(Change { direction: Ordering::Less, text: "no value now".to_owned() })
        }
        (Some(before), Some(now)) if display::decimals(before, 2) != display::decimals(now, 2) => {
            let difference = on_screen(now) - on_screen(before);
            let direction = difference.total_cmp(&0.0);
            let sign = if direction == Ordering::Greater { "+" } else { "" };
            Some(Change { direction, text: format!("{sign}{}", display::decimals(difference, 2)) })
        }
        _ => change_of_count(before.n, now.n),
    }
}

fn change_of_count(before: u64, now: u64) -> Option<Change> {
    let sign = match now.cmp(&before) {
        Ordering::Greater => "+",
        Ordering::Less => "−",
        Ordering::Equal => return None,
    };
    let text = format!("n {sign}{}", display::thousands(now.abs_diff(before)));
    Some(Change { direction: Ordering::Equal, text })
}

/// The number that a value's two decimals say: both are rounded by the same rule.
fn on_screen(value: f64) -> f64 {
    format!("{value:.2}").parse().unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use domain::{CoverageView, Measure, Measured, ProjectId, Revision, UndefinedReason};

    use super::*;

    fn cell(value: Option<f64>, n: u64) -> PairCell {
        PairCell {
            first: MemberId(1),
            second: MemberId(2),
            measured: value.map_or(Measured::Undefined(UndefinedReason::OneCategory), |value| {
                Measured::Value { value, observed: 0.0, expected: 0.0 }
            }),
            confidence: domain::Confidence::Pending,
            n,
            coverage: CoverageView::default(),
            documents: 1,
        }
    }

    fn text(before: &PairCell, now: &PairCell) -> Option<String> {
        change(Some(&before.into()), now)
            .map(|change| format!("{} {}", change.glyph(), change.text))
    }

    fn snapshot(revision: i64, measure: Measure) -> AgreementSnapshot {
        AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(revision),
            switches: Switches { measure, ..Switches::default() },
            raters: Vec::new(),
            cells: Vec::new(),
            pooled: Vec::new(),
            several: None,
            last_change: None,
        }
    }

    #[test]
    fn a_change_is_the_difference_of_what_stood_on_screen() {
        let at = |value| cell(Some(value), 9);
        assert_eq!(text(&at(0.51), &at(0.54)).as_deref(), Some("▲ +0.03"));
        assert_eq!(text(&at(0.2), &at(-0.1)).as_deref(), Some("▼ −0.30"));
        assert_eq!(text(&at(0.554), &at(0.556)).as_deref(), Some("▲ +0.01"));
        assert_eq!(text(&at(0.556), &at(0.564)), None);
    }

    #[test]
    fn appearing_vanishing_and_counting_are_changes_too() {
        assert_eq!(text(&cell(None, 0), &cell(Some(0.0), 3)).as_deref(), Some("▲ new"));
        assert_eq!(text(&cell(Some(1.0), 3), &cell(None, 3)).as_deref(), Some("▼ no value now"));
        let (more, fewer) = (cell(Some(0.5), 1200), cell(Some(0.5), 100));
        assert_eq!(text(&fewer, &more).as_deref(), Some("• n +1,100"));
        assert_eq!(text(&more, &fewer).as_deref(), Some("• n −1,100"));
    }

    #[test]
    fn a_pair_that_was_not_there_has_not_changed() {
        assert_eq!(change(None, &cell(Some(0.5), 3)), None);
    }

    #[test]
    fn a_pair_has_one_key_in_both_orders() {
        assert_eq!(pair_key(MemberId(5), MemberId(2)), pair_key(MemberId(2), MemberId(5)));
        let mut indexed = snapshot(1, Measure::Kappa);
        indexed.cells = vec![cell(None, 4)];
        assert_eq!(index(&indexed)[&pair_key(MemberId(2), MemberId(1))].n, 4);
    }

    #[test]
    fn the_stream_replaces_the_page_only_with_something_newer() {
        let own = snapshot(5, Measure::Kappa);
        let newer = snapshot(6, Measure::Kappa);
        let older = snapshot(4, Measure::Kappa);
        assert_eq!(newest(&own, Some(&newer), own.switches), &newer);
        assert_eq!(newest(&own, Some(&older), own.switches), &own);
        assert_eq!(newest(&own, None, own.switches), &own);
    }

    #[test]
    fn a_late_answer_about_other_switches_replaces_nothing() {
        let old = snapshot(5, Measure::Alpha);
        assert!(!replaces(&snapshot(9, Measure::Kappa), Some(&old), old.switches));
        assert!(replaces(&snapshot(6, Measure::Alpha), Some(&old), old.switches));
        assert!(replaces(&snapshot(1, Measure::Kappa), None, old.switches));
    }

    #[test]
    fn a_snapshot_of_the_wanted_switches_wins_over_a_newer_one_of_others() {
        let own = snapshot(5, Measure::Alpha);
        let other = snapshot(9, Measure::Kappa);
        assert_eq!(newest(&own, Some(&other), own.switches), &own);
        assert_eq!(newest(&own, Some(&other), other.switches), &other);
    }
}
