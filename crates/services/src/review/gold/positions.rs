//! The positions of a document's gold standard with where each comes from, as they are shown and
//! locked: labels by name, people by id.

use domain::{
    GoldPosition, Label, LabelSet, MemberId, OpenPosition, Provenance, Range, Role, Ruling,
    Verdict, Voice, saturating,
};
use formats::GoldSpan;
use live::{DocumentWork, Work};

use super::{Origin, Place, places, submitted};
use crate::agreement::{LatestDecision, latest_decision};

/// A document's positions, in order of position.
#[derive(Default)]
pub(super) struct DocumentGold {
    pub(super) gold: Vec<GoldPosition>,
    pub(super) rejected: Vec<GoldPosition>,
    pub(super) open: Vec<OpenPosition>,
}

/// Everything that was marked or decided in a document, with what became of it.
pub(super) fn document_gold(work: &DocumentWork, labels: &[Label], quorum: u64) -> DocumentGold {
    let mut found = DocumentGold::default();
    for (range, place) in places(work, quorum) {
        match place {
            Place::Gold(set, Origin::Unanimous) => found.gold.push(GoldPosition {
                range,
                labels: names_of(&set, labels),
                provenance: Provenance::Unanimous {
                    among: submitted(work).into_iter().map(|(id, _)| id).collect(),
                },
            }),
            Place::Gold(..) => found.gold.extend(ruled(work, range, labels)),
            Place::Rejected => found.rejected.extend(ruled(work, range, labels)),
            Place::Open(reason) => {
                found.open.push(OpenPosition {
                    range,
                    reason,
                    judged: judged(work, range, labels),
                });
            }
        }
    }
    found
}

/// The gold positions of a document.
pub(crate) fn gold_positions(
    work: &DocumentWork,
    labels: &[Label],
    quorum: u64,
) -> Vec<GoldPosition> {
    document_gold(work, labels, quorum).gold
}

/// A position with the latest decision on it.
fn ruled(work: &DocumentWork, range: Range, labels: &[Label]) -> Option<GoldPosition> {
    let LatestDecision { reviewer, verdict, labels: set, at, note } = latest_decision(work, range)?;
    let otherwise = |(id, other): (&MemberId, &Work)| {
        let said = other.judgements.get(&range).filter(|said| *said != set)?;
        let is_other = other.role == Role::Reviewer && *id != reviewer;
        is_other.then(|| Voice { rater: *id, labels: names_of(said, labels) })
    };
    let ruling = Ruling {
        by: reviewer,
        verdict,
        at,
        note: note.to_owned(),
        judged: judged(work, range, labels),
        others: work.iter().filter_map(otherwise).collect(),
    };
    let labels = if verdict == Verdict::Reject { Vec::new() } else { names_of(set, labels) };
    Some(GoldPosition { range, labels, provenance: Provenance::Decided(ruling) })
}

/// What labelers have on a position who have saved the document.
fn judged(work: &DocumentWork, range: Range, labels: &[Label]) -> Vec<Voice> {
    let labelers = work.iter().filter(|(_, work)| work.is_of_labeler());
    labelers
        .map(|(id, work)| Voice {
            rater: *id,
            labels: work.judgements.get(&range).map_or_else(Vec::new, |set| names_of(set, labels)),
        })
        .collect()
}

/// The names of a set's labels, in the order of the label set.
pub(crate) fn names_of(set: &LabelSet, labels: &[Label]) -> Vec<String> {
    labels.iter().filter(|label| set.contains(label.id)).map(|label| label.name.clone()).collect()
}

/// The gold standard of a document as files have it: a span for each label.
pub(crate) fn written(positions: &[GoldPosition]) -> Vec<GoldSpan> {
    let offset = |offset: u32| saturating::<usize>(offset);
    let spans = |position: &GoldPosition| {
        let origin = match position.provenance {
            Provenance::Unanimous { .. } => Origin::Unanimous,
            Provenance::Decided(_) => Origin::Reviewer,
        };
        let (start, end) = (offset(position.range.start), offset(position.range.end));
        let span = |label: &String| GoldSpan {
            start,
            end,
            label: label.clone(),
            origin: origin.name().to_owned(),
        };
        position.labels.iter().map(span).collect::<Vec<_>>()
    };
    positions.iter().flat_map(spans).collect()
}
