//! What is to be otherwise, as it stands in an address.

/// The most characters that boundaries are relaxed by.
pub const FURTHEST: u64 = 20;

/// What is to be otherwise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scenario {
    /// Labels by id, each with the number of the group that it is put in. Labels that share a group
    /// are one; groups that share a label are one as well.
    pub merged: Vec<(u64, u64)>,
    /// Raters who are left out, by id.
    pub without: Vec<u64>,
    /// How many characters starts, and ends, may be apart.
    pub within: u64,
    /// Whether the reviewers' decisions are taken as given.
    pub decisions: bool,
}

/// What the parameters of an address are called. A group's number follows the name.
const MERGE: &str = "merge";
const WITHOUT: &str = "without";
const WITHIN: &str = "relax";
const DECISIONS: &str = "decisions";
const GIVEN: &str = "given";

impl Scenario {
    /// The scenario that the parameters of an address name; what cannot be read changes nothing.
    pub fn of_parameters<'a>(parameters: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        let mut scenario = Self::default();
        for (name, value) in parameters {
            let number = value.parse().ok();
            let group = name.strip_prefix(MERGE).and_then(|group| group.parse().ok());
            match (name, number, group) {
                (_, Some(label), Some(group)) => scenario.merged.push((group, label)),
                (WITHOUT, Some(rater), _) => scenario.without.push(rater),
                (WITHIN, Some(within), _) => scenario.within = FURTHEST.min(within),
                (DECISIONS, ..) => scenario.decisions = value == GIVEN,
                _ => {}
            }
        }
        scenario
    }

    /// The scenario that a query string names. Nothing in it needs escapes.
    pub fn of_query(query: &str) -> Self {
        let query = query.strip_prefix('?').unwrap_or(query);
        Self::of_parameters(query.split('&').filter_map(|pair| pair.split_once('=')))
    }

    /// The scenario as parameters that follow others: empty without changes.
    pub fn written(&self) -> String {
        let merged = self.merged.iter().map(|(group, label)| format!("&{MERGE}{group}={label}"));
        let without = self.without.iter().map(|rater| format!("&{WITHOUT}={rater}"));
        let within = (self.within > 0).then(|| format!("&{WITHIN}={}", self.within));
        let decisions = self.decisions.then(|| format!("&{DECISIONS}={GIVEN}"));
        merged.chain(without).chain(within).chain(decisions).collect()
    }

    /// The label that stands for a label: the one with the lowest id of all that are one with it.
    pub(crate) fn label(&self, label: u64) -> u64 {
        let mut together = vec![label];
        let mut checked = 0;
        while let Some(&one) = together.get(checked) {
            checked += 1;
            for (group, _) in self.merged.iter().filter(|(_, member)| *member == one) {
                for (_, other) in self.merged.iter().filter(|(of, _)| of == group) {
                    if !together.contains(other) {
                        together.push(*other);
                    }
                }
            }
        }
        together.into_iter().min().unwrap_or(label)
    }

    /// Whether a rater is left out.
    pub(crate) fn leaves_out(&self, rater: u64) -> bool {
        self.without.contains(&rater)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_keeps_the_scenario() {
        let scenario = Scenario {
            merged: vec![(1, 3), (1, 5), (2, 8)],
            without: vec![4],
            within: 2,
            decisions: true,
        };
        let written = scenario.written();
        assert_eq!(written, "&merge1=3&merge1=5&merge2=8&without=4&relax=2&decisions=given");
        assert_eq!(Scenario::of_query(&format!("?measure=kappa{written}")), scenario);
        assert_eq!(Scenario::default().written(), "");
    }

    #[test]
    fn what_cannot_be_read_changes_nothing_and_no_boundary_moves_too_far() {
        let read =
            Scenario::of_query("merge=3&mergex=3&merge1=&without=Ann&relax=-1&decisions=no&a");
        assert_eq!(read, Scenario::default());
        assert_eq!(Scenario::of_query("relax=99").within, FURTHEST);
    }

    #[test]
    fn labels_that_share_a_group_are_one_and_so_are_groups_that_share_a_label() {
        let scenario = Scenario {
            merged: vec![(1, 7), (1, 5), (2, 9), (2, 5), (3, 4)],
            ..Scenario::default()
        };
        let stands_for = [4, 5, 6, 7, 9].map(|label| scenario.label(label));
        assert_eq!(stands_for, [4, 5, 6, 5, 5]);
    }
}
