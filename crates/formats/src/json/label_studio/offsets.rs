//! What the offsets of regions count.
//!
//! Label Studio counts code points since it stopped to store lengths of JavaScript strings (its
//! pull request 1559 of 2021); files from before count UTF-16 units. Which of them a task counts is
//! told by the texts that its regions quote.

use crate::TextIndex;
use crate::import::findings::Findings;
use crate::import::spans::{Unit, measure, quotes};
use crate::json::value::at::At;

/// The types of regions that are labelled, which are also the fields with their labels. Only on a
/// plain text are their offsets numbers.
pub(super) const LABEL_KINDS: [&str; 3] = ["labels", "hypertextlabels", "paragraphlabels"];

/// What the regions of a task count: what all their quotes agree with, else code points.
pub(super) fn unit(index: &TextIndex<'_>, all_agree: impl Fn(Unit) -> bool) -> Unit {
    let differ = index.utf16_count() != index.scalar_count();
    if differ && !all_agree(Unit::Scalars) && all_agree(Unit::Utf16) {
        Unit::Utf16
    } else {
        Unit::Scalars
    }
}

/// Whether the `value` of a region holds what it quotes; one that quotes nothing agrees.
pub(super) fn agrees(index: &TextIndex<'_>, unit: Unit, value: &At<'_>) -> bool {
    let mut ignored = Findings::default();
    let Some(quote) = value.get("text").as_text() else { return true };
    let start = value.get("start").offset(&mut ignored);
    let end = value.get("end").offset(&mut ignored);
    let (Some(start), Some(end)) = (start, end) else { return true };
    measure(index, unit, start, end).is_ok_and(|(start, end)| quotes(index, start, end, quote))
}
