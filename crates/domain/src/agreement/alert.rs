//! Limits that a manager sets on agreement, and the alerts that they raise.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AlertRuleId, Code, Documents, Error, Measure, PolicyChoice, Rater, Revision, SeveralMeasure,
    Switches,
};

switch! {
    /// Whose agreement a limit is set on.
    AlertSubject {
        /// All labelers at once.
        AllLabelers = "all-labelers",
        /// Any two labelers.
        LabelerPair = "labeler-pair",
        /// Any labeler with any reviewer.
        ReviewerPair = "reviewer-pair",
    }
}

/// A limit: an alert is raised when the 95 % interval's lower bound falls below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewAlertRule {
    pub subject: AlertSubject,
    /// For all labelers at once κ is that of Fleiss; see [`NewAlertRule::several`].
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub documents: Documents,
    pub limit: f64,
    /// Fewer positions raise no alert.
    pub minimum_n: u64,
}

impl NewAlertRule {
    /// The measure of all labelers at once that `measure` stands for; none for those of pairs only.
    pub const fn several(&self) -> Option<SeveralMeasure> {
        match self.measure {
            Measure::Kappa => Some(SeveralMeasure::FleissKappa),
            Measure::Alpha => Some(SeveralMeasure::Alpha),
            Measure::Percent => Some(SeveralMeasure::Percent),
            Measure::Pi | Measure::S | Measure::Ac1 | Measure::F1 => None,
        }
    }

    /// The switches of the matrix that show the number in question.
    pub fn switches(&self) -> Switches {
        let Self { measure, policy, documents, .. } = *self;
        Switches { measure, policy, documents, ..Switches::default() }
    }

    /// Refuses limits that no value or every value lies below, and measures that there are none of.
    pub fn checked(self) -> Result<Self, Error> {
        if self.subject == AlertSubject::AllLabelers && self.several().is_none() {
            let why = "of all labelers at once there are κ, α and the percentage";
            return Err(Code::Unsuitable.of("measure", why));
        }
        if !(-1.0..=1.0).contains(&self.limit) {
            return Err(Code::OutOfRange.of("limit", "a limit lies between -1 and 1"));
        }
        if self.minimum_n > 1_000_000 {
            return Err(
                Code::OutOfRange.of("minimum_n", "at most 1,000,000 positions can be asked for")
            );
        }
        Ok(self)
    }
}

/// A limit that is set.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertRule {
    pub id: AlertRuleId,
    pub rule: NewAlertRule,
    pub created_at: DateTime<Utc>,
}

/// An alert that stands: whoever it is about is under the limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertNotice {
    pub rule: NewAlertRule,
    /// Both raters; none for all labelers at once.
    pub pair: Option<(Rater, Rater)>,
    pub fired_at: DateTime<Utc>,
    /// As they were when it was raised.
    pub value: f64,
    pub lower: f64,
    pub n: u64,
    pub revision: Revision,
}

/// What a manager sees of the alerts of a project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AlertsView {
    pub rules: Vec<AlertRule>,
    pub standing: Vec<AlertNotice>,
    /// The addresses that alerts are sent to.
    pub sent_to: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_labelers_have_three_measures_and_pairs_have_all() {
        for &subject in AlertSubject::ALL {
            for &measure in Measure::ALL {
                let rule = NewAlertRule { subject, measure, limit: 0.6, ..NewAlertRule::default() };
                let expected = subject != AlertSubject::AllLabelers
                    || matches!(measure, Measure::Kappa | Measure::Alpha | Measure::Percent);
                assert_eq!(rule.checked().is_ok(), expected, "{subject} {measure}");
            }
        }
    }

    #[test]
    fn a_limit_is_a_number_that_a_value_can_reach() {
        for (limit, is_fine) in [
            (0.6, true),
            (-1.0, true),
            (1.0, true),
            (1.01, false),
            (60.0, false),
            (f64::NAN, false),
        ] {
            let rule = NewAlertRule { limit, ..NewAlertRule::default() };
            assert_eq!(rule.checked().is_ok(), is_fine, "{limit}");
        }
    }
}
