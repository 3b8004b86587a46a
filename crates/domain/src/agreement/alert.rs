//! Limits that a manager sets on agreement, and the alerts that they raise.

use std::{fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AlertRuleId, Code, Documents, Error, Measure, PolicyChoice, Rater, Revision, Switches,
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

impl Measure {
    /// What it is called in a sentence about somebody's agreement.
    pub const fn called(self, subject: AlertSubject) -> &'static str {
        match (self, subject) {
            (Self::Kappa, AlertSubject::AllLabelers) => "Fleiss’ κ",
            (Self::Kappa, _) => "Cohen’s κ",
            (Self::Alpha, _) => "Krippendorff’s α",
            (Self::Pi, _) => "Scott’s π",
            (Self::S, _) => "Bennett’s S",
            (Self::Ac1, _) => "Gwet’s AC1",
            (Self::Percent, _) => "Percentage",
            (Self::F1, _) => "F1",
            (Self::WeightedKappa, _) => "Weighted κ",
            (Self::AlphaOrdinal, _) => "Ordinal α",
            (Self::AlphaInterval, _) => "Interval α",
            (Self::AlphaRatio, _) => "Ratio α",
            (Self::AlphaMasi, _) => "α of sets",
            (Self::Ac2, _) => "Gwet’s AC2",
            (Self::Icc1, _) => "ICC(1)",
            (Self::IccA1, _) => "ICC(A,1)",
            (Self::IccC1, _) => "ICC(C,1)",
            (Self::IccK, _) => "ICC(k)",
            (Self::IccAk, _) => "ICC(A,k)",
            (Self::IccCk, _) => "ICC(C,k)",
        }
    }
}

/// A limit: an alert is raised when the 95 % interval's lower bound falls below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NewAlertRule {
    pub subject: AlertSubject,
    /// For all labelers at once κ is that of Fleiss; see [`Measure::several`].
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub documents: Documents,
    pub limit: f64,
    /// Fewer positions raise no alert.
    pub minimum_n: u64,
}

impl NewAlertRule {
    /// The switches of the matrix that show the number in question.
    pub fn switches(&self) -> Switches {
        let Self { measure, policy, documents, .. } = *self;
        Switches { measure, policy, documents, ..Switches::default() }
    }

    /// Refuses limits that no value or every value lies below, and measures that there are none of.
    pub fn checked(self) -> Result<Self, Error> {
        if self.subject == AlertSubject::AllLabelers {
            check_all_labelers(self.measure)?;
        }
        if self.measure.is_graded() {
            return Err(Code::Unsuitable.of("measure", "labels have no order"));
        }
        self.policy.check_exact()?;
        check_limit("limit", self.limit)?;
        if self.minimum_n > 1_000_000 {
            return Err(Code::OutOfRange.of("minimum_n", "at most 1,000,000 positions"));
        }
        Ok(self)
    }
}

/// Refuses measures that there are none of for all labelers at once.
pub(super) fn check_all_labelers(measure: Measure) -> Result<(), Error> {
    if measure.several().is_none() {
        let why = "for all labelers together: κ, α or percentage";
        return Err(Code::Unsuitable.of("measure", why));
    }
    Ok(())
}

/// Refuses limits that no value or every value lies below.
pub(super) fn check_limit(field: &str, limit: f64) -> Result<(), Error> {
    if !(-1.0..=1.0).contains(&limit) {
        return Err(Code::OutOfRange.of(field, "between -1 and 1"));
    }
    Ok(())
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
    fn all_labelers_have_three_measures_and_pairs_have_all_of_labels() {
        for &subject in AlertSubject::ALL {
            for &measure in Measure::ALL {
                let rule = NewAlertRule { subject, measure, limit: 0.6, ..NewAlertRule::default() };
                let expected = (subject != AlertSubject::AllLabelers && !measure.is_graded())
                    || matches!(measure, Measure::Kappa | Measure::Alpha | Measure::Percent);
                assert_eq!(rule.checked().is_ok(), expected, "{subject} {measure}");
            }
        }
    }

    #[test]
    fn limits_are_about_the_two_policies_of_exact_positions() {
        for &policy in PolicyChoice::ALL {
            let rule = NewAlertRule { policy, limit: 0.6, ..NewAlertRule::default() };
            assert_eq!(rule.checked().is_ok(), PolicyChoice::HEADLINES.contains(&policy));
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
