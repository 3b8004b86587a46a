//! The positions of a document's gold standard with where each comes from, as they are shown and
//! locked: labels by name, people by id.

use domain::{
    GoldMark, Label, LabelSet, MemberId, OpenMark, Provenance, Range, Role, Ruling, Verdict, Voice,
};
use formats::GoldSpan;
use live::{DocumentWork, Work};

use super::{LatestDecision, Origin, Place, latest_decision, places, submitted};

/// A document's positions, in order of position.
#[derive(Default)]
pub(super) struct Marks {
    pub(super) gold: Vec<GoldMark>,
    pub(super) rejected: Vec<GoldMark>,
    pub(super) open: Vec<OpenMark>,
}

/// Everything that was marked or decided in a document, with what became of it.
pub(super) fn marks(work: &DocumentWork, labels: &[Label]) -> Marks {
    let mut marks = Marks::default();
    for (range, place) in places(work) {
        match place {
            Place::Gold(set, Origin::Unanimous) => marks.gold.push(GoldMark {
                range,
                labels: names_of(&set, labels),
                provenance: Provenance::Unanimous {
                    among: submitted(work).into_iter().map(|(id, _)| id).collect(),
                },
            }),
            Place::Gold(..) => marks.gold.extend(ruled(work, range, labels)),
            Place::Rejected => marks.rejected.extend(ruled(work, range, labels)),
            Place::Open(reason) => {
                marks.open.push(OpenMark { range, reason, judged: judged(work, range, labels) });
            }
        }
    }
    marks
}

/// The gold positions of a document.
pub(crate) fn marks_of(work: &DocumentWork, labels: &[Label]) -> Vec<GoldMark> {
    marks(work, labels).gold
}

/// A position with the latest decision on it.
fn ruled(work: &DocumentWork, range: Range, labels: &[Label]) -> Option<GoldMark> {
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
    Some(GoldMark { range, labels, provenance: Provenance::Decided(ruling) })
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

/// Marks as files have them: a span for each label.
pub(crate) fn written(marks: &[GoldMark]) -> Vec<GoldSpan> {
    let offset = |offset: u32| usize::try_from(offset).unwrap_or(usize::MAX);
    let spans = |mark: &GoldMark| {
        let origin = match mark.provenance {
            Provenance::Unanimous { .. } => Origin::Unanimous,
            Provenance::Decided(_) => Origin::Reviewer,
        };
        let (start, end) = (offset(mark.range.start), offset(mark.range.end));
        let span = |label: &String| GoldSpan {
            start,
            end,
            label: label.clone(),
            origin: origin.name().to_owned(),
        };
        mark.labels.iter().map(span).collect::<Vec<_>>()
    };
    marks.iter().flat_map(spans).collect()
}
