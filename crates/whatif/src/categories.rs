//! What judgements are counted as: sets of labels, as the scenario and the switches leave them.

use agreement::Contingency;

use crate::{Scenario, Study, study::count};

/// ∅: the first of the categories, as it is of all sets.
pub(crate) const NOTHING: usize = 0;

/// What becomes of the sets of labels of a study.
pub(crate) struct Categories {
    /// For each set its category. They are numbered in the order of their labels, which is the order
    /// that the matrix adds up in.
    of_sets: Vec<usize>,
    /// For each category whether it is one of the declared choices.
    declared: Vec<bool>,
    /// How many choices are declared, whether they occur or not.
    choices: u64,
    /// Whether ∅ is a choice beside the declared ones.
    adds_nothing: bool,
}

impl Categories {
    pub(crate) fn of(study: &Study, scenario: &Scenario) -> Self {
        let only = study.only_label.map(|label| scenario.label(label));
        let counted_as: Vec<Vec<u64>> = study
            .sets
            .iter()
            .map(|set| {
                let labels = distinct(set.iter().map(|label| scenario.label(*label)));
                match only {
                    None => labels,
                    Some(only) if labels.contains(&only) => vec![only],
                    Some(_) => Vec::new(),
                }
            })
            .collect();
        let known = distinct(counted_as.iter().cloned().chain([Vec::new()]));
        let of_set = |set| known.binary_search(set).unwrap_or(NOTHING);
        let labels = distinct(study.labels.iter().map(|label| scenario.label(*label)));
        Self {
            of_sets: counted_as.iter().map(of_set).collect(),
            declared: known.iter().map(|set| only.is_some() || set.len() == 1).collect(),
            // One label, and everything else.
            choices: if only.is_some() { 2 } else { count(labels.len()) },
            adds_nothing: study.several.one_sided && only.is_none(),
        }
    }

    /// The category that a set of labels is counted as.
    pub(crate) fn of_set(&self, set: usize) -> usize {
        self.of_sets.get(set).copied().unwrap_or(NOTHING)
    }

    /// How many categories two raters with this table choose among: the labels, what they chose
    /// beside (several labels, a reject), and ∅ where the policy makes it a category.
    pub(crate) fn choices(&self, table: &Contingency<usize>) -> usize {
        let is_beside = |category: &usize| {
            let is_declared = self.declared.get(*category).copied().unwrap_or(false);
            let is_added = self.adds_nothing && *category == NOTHING;
            !is_declared && !is_added
        };
        let beside = table.categories().into_iter().filter(|category| is_beside(category)).count();
        let all = self.choices + count(beside) + u64::from(self.adds_nothing);
        usize::try_from(all).unwrap_or(usize::MAX)
    }
}

/// Each of the items once, sorted. There are few, and this is less code than sorting takes.
fn distinct<T: Ord>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for item in items {
        if let Err(place) = distinct.binary_search(&item) {
            distinct.insert(place, item);
        }
    }
    distinct
}
