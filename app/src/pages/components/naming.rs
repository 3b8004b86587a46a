//! What categories and raters are called.

use domain::{Label, LabelId, LabelSet, MemberId, Rater};

/// "PER", "PER + ORG", "∅".
pub(crate) fn category(set: &LabelSet, labels: &[Label]) -> String {
    if set.is_empty() {
        return "∅".to_owned();
    }
    set.iter().map(|id| label(id, labels)).collect::<Vec<_>>().join(" + ")
}

/// A label's name; its number if it is newer than the page.
pub(crate) fn label(id: LabelId, labels: &[Label]) -> String {
    let known = labels.iter().find(|label| label.id == id);
    known.map_or_else(|| format!("label {id}"), |label| label.name.clone())
}

/// A rater's name; nothing for somebody who is gone.
pub(crate) fn rater(id: MemberId, raters: &[Rater]) -> String {
    raters.iter().find(|rater| rater.id == id).map(|rater| rater.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use domain::NewLabel;

    use super::*;

    #[test]
    fn a_category_is_called_by_its_labels() {
        let labels: Vec<_> = [(1, "PER"), (2, "ORG")]
            .into_iter()
            .map(|(id, name)| {
                let NewLabel { name, colour, hotkey } = NewLabel::numbered(name, 0);
                Label { id: LabelId(id), name, colour, hotkey }
            })
            .collect();
        let set = |ids: &[i64]| ids.iter().map(|id| LabelId(*id)).collect::<LabelSet>();
        assert_eq!(category(&set(&[]), &labels), "∅");
        assert_eq!(category(&set(&[2, 1]), &labels), "PER + ORG");
        assert_eq!(category(&set(&[2, 7]), &labels), "ORG + label 7");
    }
}
