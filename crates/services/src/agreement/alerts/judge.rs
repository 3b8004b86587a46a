//! What limits say about a project's numbers. Takes as long as resampling does.

use agreement::inference::{Level, cohen_kappa_estimate};
use domain::{AlertRule, AlertSubject, Confidence, MemberId, NewAlertRule, Rater, Role};
use live::{
    LabelChoices, Settling, Subject, Tallies, counted_positions, is_immediate, labelers_measured,
    measured,
};

/// A number that lies under a limit: the lower bound of its interval does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Below {
    /// The raters, the lower id first; none for all labelers at once.
    pub(super) pair: Option<(MemberId, MemberId)>,
    pub(super) value: f64,
    pub(super) lower: f64,
    pub(super) n: u64,
}

/// A project's numbers at one moment.
pub(super) struct Numbers<'a> {
    pub(super) tallies: &'a Tallies,
    pub(super) labels: &'a LabelChoices,
    pub(super) raters: &'a [Rater],
    pub(super) settling: &'a Settling,
}

impl Numbers<'_> {
    /// Who is under a limit. Whatever has no value, no interval or too few positions is not.
    pub(super) fn below(&self, rule: &AlertRule) -> Vec<Below> {
        let rule = &rule.rule;
        let judged = match rule.subject {
            AlertSubject::AllLabelers => vec![self.all_labelers(rule)],
            AlertSubject::LabelerPair => self.pairs(rule, Role::Labeler),
            AlertSubject::ReviewerPair => self.pairs(rule, Role::Reviewer),
        };
        let is_below = |judged: &Below| judged.n >= rule.minimum_n && judged.lower < rule.limit;
        judged.into_iter().flatten().filter(is_below).collect()
    }

    fn all_labelers(&self, rule: &NewAlertRule) -> Option<Below> {
        let (switches, measure) = (rule.switches(), rule.measure.several()?);
        let counted = self.tallies.several(switches);
        let value = labelers_measured(self.tallies, switches, measure).value()?;
        let subject = Subject::Labelers(measure);
        let interval = self.settling.settle(self.tallies, switches, subject, self.labels);
        let n = counted.tally.items();
        Some(Below { pair: None, value, lower: lower(interval)?, n })
    }

    /// Every labeler with every other, or with every reviewer.
    fn pairs(&self, rule: &NewAlertRule, with: Role) -> Vec<Option<Below>> {
        let mut pairs = Vec::new();
        for (place, first) in self.raters.iter().enumerate() {
            for second in self.raters.iter().skip(place + 1) {
                if first.role == Role::Labeler && second.role == with {
                    pairs.push(self.pair(rule, first.id, second.id));
                }
            }
        }
        pairs
    }

    fn pair(&self, rule: &NewAlertRule, first: MemberId, second: MemberId) -> Option<Below> {
        let switches = rule.switches();
        let (first, second) = (first.min(second), first.max(second));
        let counted = self.tallies.pair(first, second, switches);
        let n = counted_positions(&counted.tally.table, switches.measure);
        // Resampling takes long: not for what raises no alert anyway.
        if n < rule.minimum_n {
            return None;
        }
        let value = measured(&counted, self.labels, switches).value()?;
        let lower = if is_immediate(switches) {
            cohen_kappa_estimate(&counted.tally.table).ok()?.interval(Level::P95).lower
        } else {
            let subject = Subject::pair(first, second);
            lower(self.settling.settle(self.tallies, switches, subject, self.labels))?
        };
        Some(Below { pair: Some((first, second)), value, lower, n })
    }
}

const fn lower(confidence: Confidence) -> Option<f64> {
    match confidence {
        Confidence::Interval { lower, .. } => Some(lower),
        Confidence::Pending | Confidence::None(_) => None,
    }
}
