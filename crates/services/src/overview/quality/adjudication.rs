//! How disagreements were settled.

use domain::{Documents, GoldList, Rater, Role, TimeView};
use formats::ReportBlock;
use live::Tallies;

use super::words::{points, with_interval};

/// What reviewers have done.
#[derive(Clone, Copy, Default)]
pub(super) struct Decisions {
    /// Documents of which a review is ended.
    documents: u64,
    all: u64,
    with_reason: u64,
}

impl Decisions {
    pub(super) fn of(tallies: &Tallies) -> Self {
        let mut counted = Self::default();
        for (_, work) in tallies.documents() {
            let of_reviewers = work.values().filter(|work| !work.is_of_labeler());
            counted.documents +=
                u64::from(of_reviewers.clone().any(|work| work.counts(Documents::Submitted)));
            for decided in of_reviewers.flat_map(|work| work.verdicts.values()) {
                counted.all += 1;
                counted.with_reason += u64::from(!decided.note.is_empty());
            }
        }
        counted
    }
}

/// How far it has come, and how labelers agree with what was decided.
pub(super) fn blocks(
    decisions: Decisions,
    gold: &GoldList,
    with_reviewers: &TimeView,
    raters: &[Rater],
) -> Vec<ReportBlock> {
    let Decisions { documents, all, with_reason } = decisions;
    let counts = gold.sums;
    let against = with_reviewers.days.last().map(|day| day.up_to);
    let against = against
        .map_or_else(|| "none".to_owned(), |value| with_interval(value.measured, value.confidence));
    let reviewers = raters.iter().filter(|rater| rater.role == Role::Reviewer).count();
    let version = gold.versions.iter().max_by_key(|version| version.number);
    let version = version.map_or_else(
        || "none locked".to_owned(),
        |it| format!("{}, locked on {}, SHA-256 {}", it.name, it.locked_at.date_naive(), it.sha256),
    );
    vec![points(
        "How disagreements were settled",
        [
            ("Reviewers", reviewers.to_string()),
            ("Documents reviewed", documents.to_string()),
            ("Decisions", format!("{all}, of these {with_reason} with a reason")),
            ("Gold: labelers were unanimous", counts.unanimous.to_string()),
            ("Gold: decided by a reviewer", counts.decided.to_string()),
            ("Struck out by a reviewer", counts.rejected.to_string()),
            ("Still open", counts.open().to_string()),
            ("α of labelers with reviewers’ decisions", against),
            ("Latest gold version", version),
        ],
    )]
}
