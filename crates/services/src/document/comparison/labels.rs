//! Labels that somebody could have meant to be the same.

use std::collections::BTreeMap;

use domain::Label;

/// A note on each group of labels whose names differ by case and white space alone.
pub(super) fn notes_on_similar_names(labels: &[Label]) -> Vec<String> {
    let mut groups: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for label in labels {
        groups.entry(label.name.trim().to_lowercase()).or_default().push(&label.name);
    }
    let note = |names: Vec<&str>| {
        let names: Vec<String> = names.into_iter().map(|name| format!("“{name}”")).collect();
        format!("The labels {} count as different labels.", names.join(" and "))
    };
    groups.into_values().filter(|names| names.len() > 1).map(note).collect()
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, NewLabel};

    use super::*;

    #[test]
    fn names_that_differ_by_case_alone_are_told() {
        let label = |(name, id): (&str, i64)| {
            let NewLabel { name, colour, hotkey } = NewLabel::numbered(name, 0);
            Label { id: LabelId(id), name, colour, hotkey }
        };
        let labels: Vec<_> = ["LOC", "PER", "Per"].into_iter().zip(1..).map(label).collect();
        assert_eq!(
            notes_on_similar_names(&labels),
            ["The labels “PER” and “Per” count as different labels."]
        );
        assert!(notes_on_similar_names(&labels[..2]).is_empty());
    }
}
