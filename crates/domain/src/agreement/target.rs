//! A project's target for agreement, and whether what was measured reaches it.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::alert::{check_all_labelers, check_limit};
use crate::{Code, Confidence, Error, FEW, Measure, Measured, PolicyChoice, Switches};

switch! {
    /// What has to reach a target.
    TargetBasis {
        /// The value itself.
        Value = "value",
        /// The lower bound of its 95 % interval.
        LowerBound = "lower-bound",
    }
}

/// How much all labelers at once are to agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Target {
    /// One that there is of all labelers at once; κ is that of Fleiss.
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub basis: TargetBasis,
    /// From -1 to 1.
    pub at_least: f64,
}

/// How a project stands to its target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum TargetVerdict {
    Met,
    NotMet,
    /// It cannot be told yet.
    Unclear,
}

impl Target {
    /// What is proposed to a new project. Krippendorff (Content Analysis, 2nd edition, 2004, p. 241): rely
    /// on variables with α of at least 0.800, and draw tentative conclusions from 0.667 on. Whatever only
    /// one labeler marked counts, since not finding a span is the commonest way to disagree.
    pub const PROPOSED: Self = Self {
        measure: Measure::Alpha,
        policy: PolicyChoice::EmptyLabel,
        basis: TargetBasis::Value,
        at_least: 0.8,
    };

    /// As it is typed into a form; without a measure there is no target.
    pub fn typed(
        measure: &str,
        policy: PolicyChoice,
        basis: TargetBasis,
        at_least: &str,
    ) -> Result<Option<Self>, Error> {
        if measure.is_empty() {
            return Ok(None);
        }
        let number = at_least.trim().replace(',', ".").replace('−', "-");
        let at_least = number
            .parse()
            .map_err(|_| Code::Malformed.of("at_least", "a number is needed, such as 0.80"))?;
        Self { measure: measure.parse()?, policy, basis, at_least }.checked().map(Some)
    }

    /// Refuses what is no target, as it is refused of limits.
    pub fn checked(self) -> Result<Self, Error> {
        check_all_labelers(self.measure)?;
        self.policy.check_exact()?;
        check_limit("at_least", self.at_least)?;
        Ok(self)
    }

    /// The switches of the matrix that show the number in question.
    pub fn switches(&self) -> Switches {
        Switches { measure: self.measure, policy: self.policy, ..Switches::default() }
    }

    /// Whether what is counted under these switches is what the target is about; all measures of all
    /// labelers are shown under any of them.
    pub fn is_about(&self, switches: Switches) -> bool {
        let counted = |of: Switches| Switches { measure: self.measure, ..of }.counted_documents();
        switches.policy == self.policy
            && !switches.filter.is_some()
            && counted(switches) == counted(self.switches())
    }

    /// Whether a value of so many positions reaches the target.
    ///
    /// A value of few positions tells nothing, whatever is asked of it: each of them moves it a lot, and
    /// resampling a handful that agree makes an interval without width. From there on:
    ///
    /// - Of [`TargetBasis::Value`] the question is whether this annotation is as good as was agreed on, and
    ///   the value answers it: an interval on both sides of the target makes it neither more nor less so.
    /// - Of [`TargetBasis::LowerBound`] the question is what holds of documents like these, and there are
    ///   three answers: all that is plausible reaches the target, nothing of it does, or more data are
    ///   needed. An upper bound on the target is plausible, so it is not missed.
    ///
    /// Numbers are compared as they are, not as they are rounded to be shown.
    pub fn judge(&self, measured: Measured, confidence: Confidence, n: u64) -> TargetVerdict {
        let Some(value) = measured.value().filter(|_| n >= FEW) else {
            return TargetVerdict::Unclear;
        };
        let (least, most) = match (self.basis, confidence) {
            (TargetBasis::Value, _) => (value, value),
            (TargetBasis::LowerBound, Confidence::Interval { lower, upper }) => (lower, upper),
            (TargetBasis::LowerBound, Confidence::Pending | Confidence::None(_)) => {
                return TargetVerdict::Unclear;
            }
        };
        if least >= self.at_least {
            TargetVerdict::Met
        } else if most < self.at_least {
            TargetVerdict::NotMet
        } else {
            TargetVerdict::Unclear
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Documents, Filter, NoInterval, UndefinedReason};

    fn target(basis: TargetBasis, at_least: f64) -> Target {
        Target { basis, at_least, ..Target::PROPOSED }
    }

    fn measured(value: f64) -> Measured {
        Measured::Value { value, observed: 0.9, expected: 0.5 }
    }

    fn confidences() -> impl Strategy<Value = Confidence> {
        prop_oneof![
            (-1.0..=1.0, 0.0..=1.0)
                .prop_map(|(lower, width)| Confidence::Interval { lower, upper: lower + width }),
            Just(Confidence::Pending),
            Just(Confidence::None(NoInterval::OneDocument)),
        ]
    }

    proptest! {
        #[test]
        fn of_enough_positions_the_value_meets_its_target_exactly_where_it_reaches_it(
            value in -1.0..=1.0, at_least in -1.0..=1.0, n in FEW.., confidence in confidences(),
        ) {
            let verdict = target(TargetBasis::Value, at_least).judge(measured(value), confidence, n);
            prop_assert_eq!(verdict == TargetVerdict::Met, value >= at_least);
            prop_assert_eq!(verdict == TargetVerdict::NotMet, value < at_least);
        }

        #[test]
        fn a_lower_bound_misses_its_target_only_where_the_whole_interval_does(
            value in -1.0..=1.0, lower in -1.0..=1.0, width in 0.0..=1.0, at_least in -1.0..=1.0,
            n in FEW..,
        ) {
            let upper = lower + width;
            let confidence = Confidence::Interval { lower, upper };
            let verdict =
                target(TargetBasis::LowerBound, at_least).judge(measured(value), confidence, n);
            prop_assert_eq!(verdict == TargetVerdict::Met, lower >= at_least);
            prop_assert_eq!(verdict == TargetVerdict::NotMet, upper < at_least);
        }

        #[test]
        fn nothing_is_told_of_few_positions_of_no_value_and_of_no_interval(
            value in -1.0..=1.0, at_least in -1.0..=1.0, few in 0..FEW, n in any::<u64>(),
            confidence in confidences(),
        ) {
            let none = Measured::Undefined(UndefinedReason::NoSharedPositions);
            for basis in [TargetBasis::Value, TargetBasis::LowerBound] {
                let target = target(basis, at_least);
                prop_assert_eq!(target.judge(measured(value), confidence, few), TargetVerdict::Unclear);
                prop_assert_eq!(target.judge(none, confidence, n), TargetVerdict::Unclear);
            }
            let target = target(TargetBasis::LowerBound, at_least);
            let pending = target.judge(measured(value), Confidence::Pending, n);
            prop_assert_eq!(pending, TargetVerdict::Unclear);
        }

        #[test]
        fn a_higher_target_is_met_by_nothing_that_misses_a_lower_one(
            value in -1.0..=1.0, low in -1.0..=1.0, more in 0.0..=1.0, n in any::<u64>(),
            confidence in confidences(),
        ) {
            for basis in [TargetBasis::Value, TargetBasis::LowerBound] {
                let judge = |at_least| target(basis, at_least).judge(measured(value), confidence, n);
                prop_assert!(judge(low + more) != TargetVerdict::Met || judge(low) == TargetVerdict::Met);
                prop_assert!(judge(low) != TargetVerdict::NotMet || judge(low + more) == TargetVerdict::NotMet);
            }
        }
    }

    #[test]
    fn a_target_is_typed_or_left_out() {
        let typed = |measure: &str, at_least: &str| {
            Target::typed(measure, PolicyChoice::EmptyLabel, TargetBasis::Value, at_least)
        };
        assert_eq!(typed("alpha", " 0,80 "), Ok(Some(Target::PROPOSED)));
        let below = Target { at_least: -0.2, ..Target::PROPOSED };
        assert_eq!(typed("alpha", "−0.2"), Ok(Some(below)));
        assert_eq!(typed("", "whatever"), Ok(None));
        for (measure, at_least, field) in [
            ("alpha", "", "at_least"),
            ("alpha", "80 %", "at_least"),
            ("alpha", "80", "at_least"),
            ("alpha", "NaN", "at_least"),
            ("ac1", "0.8", "measure"),
        ] {
            let refused = typed(measure, at_least).unwrap_err();
            assert!(matches!(refused, Error::Invalid { field: of, .. } if of == field));
        }
        let by_token = Target { policy: PolicyChoice::Token, ..Target::PROPOSED };
        assert!(by_token.checked().is_err(), "a target is about one of the two numbers");
    }

    #[test]
    fn a_target_is_about_the_whole_project_under_its_own_policy() {
        let target = Target::PROPOSED;
        assert!(target.is_about(target.switches()));
        let others = Switches { measure: Measure::F1, ..target.switches() };
        assert!(target.is_about(others), "all measures of all labelers are shown with any");
        let submitted = Switches { documents: Documents::Submitted, ..target.switches() };
        assert!(target.is_about(submitted), "the empty label leaves no choice of documents");
        let cleaned = Switches { policy: PolicyChoice::Cleaned, ..submitted };
        assert!(!target.is_about(cleaned));
        let of_cleaned = Target { policy: PolicyChoice::Cleaned, ..target };
        assert!(!of_cleaned.is_about(cleaned) && of_cleaned.is_about(of_cleaned.switches()));
        let filter = Filter { document: Some(crate::DocumentId(1)), ..Filter::default() };
        assert!(!target.is_about(Switches { filter, ..target.switches() }));
    }
}
