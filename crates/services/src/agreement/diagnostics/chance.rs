//! Coefficients that allow for chance in different ways, side by side, and why they differ.

use agreement::{
    Contingency,
    diagnostics::{Prevalence, Share},
    inference::{Binary, Level, cohen_kappa_estimate},
};
use domain::{ChanceView, Confidence, LabelSet, Measure, Measured, NoInterval};
use live::{Counted, Scores, coefficient, to_measured};

/// κ and AC1 tell different stories when they are further apart than this.
const APART: f64 = 0.2;

/// Whether κ and AC1 tell different stories: they are more than 0.2 apart, κ's 95 % interval does
/// not hold AC1, or there is no κ while there is an AC1.
pub(super) fn diverges(kappa: Measured, confidence: Confidence, ac1: Option<f64>) -> bool {
    let Some(ac1) = ac1 else { return false };
    let Some(kappa) = kappa.value() else { return true };
    let outside = match confidence {
        Confidence::Interval { lower, upper } => ac1 < lower || upper < ac1,
        Confidence::Pending | Confidence::None(_) => false,
    };
    (ac1 - kappa).abs() > APART || outside
}

/// The coefficients of a pair's table. `confidence` is κ's, and `choices` q of PABAK and AC1.
pub(super) fn of(counted: &Counted, confidence: Confidence, choices: u64) -> ChanceView {
    let table = &counted.tally.table;
    let measured = |measure| {
        let none = LabelSet::EMPTY;
        let result = coefficient(table, measure, choices, &none, &Scores::default());
        to_measured(counted, measure, result)
    };
    let (kappa, ac1) = (measured(Measure::Kappa), measured(Measure::Ac1));
    ChanceView {
        kappa,
        confidence,
        pabak: measured(Measure::S),
        ac1,
        choices,
        diverges: diverges(kappa, confidence, ac1.value()),
        commonest: commonest(table),
        most_biased: most_biased(table),
    }
}

/// The interval of κ by its formula.
pub(super) fn confidence<C: Ord + Clone>(table: &Contingency<C>) -> Confidence {
    cohen_kappa_estimate(table).map_or(Confidence::None(NoInterval::NoValue), |estimate| {
        let interval = estimate.interval(Level::P95);
        Confidence::Interval { lower: interval.lower, upper: interval.upper }
    })
}

/// The category that the two said most often, and its share of all that they said.
fn commonest(table: &Contingency<LabelSet>) -> Option<(LabelSet, f64)> {
    let times_given =
        |category: &LabelSet| table.row_total(category) + table.column_total(category);
    let category = table.categories().into_iter().max_by_key(|category| times_given(category))?;
    let share = Share { agreeing: times_given(category), pairs: 2 * table.total() };
    Some((category.clone(), share.agreement().ok()?))
}

/// The category that the two use most differently, and its bias index.
fn most_biased(table: &Contingency<LabelSet>) -> Option<(LabelSet, f64)> {
    let bias = |category: &LabelSet| {
        let prevalence = Prevalence::of(&Binary::one_vs_rest(table, category)).ok()?;
        Some((category.clone(), prevalence.bias_index))
    };
    table
        .categories()
        .into_iter()
        .filter_map(bias)
        .filter(|(_, bias)| *bias != 0.0)
        .max_by(|(_, one), (_, other)| one.abs().total_cmp(&other.abs()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn value(value: f64) -> Measured {
        Measured::Value { value, observed: 0.9, expected: 0.5 }
    }

    #[test]
    fn far_apart_or_outside_the_interval_is_another_story() {
        let wide = Confidence::Interval { lower: -0.5, upper: 1.2 };
        let narrow = Confidence::Interval { lower: 0.55, upper: 0.65 };
        assert!(!diverges(value(0.6), wide, Some(0.79)));
        assert!(diverges(value(0.6), wide, Some(0.81)));
        assert!(diverges(value(0.6), narrow, Some(0.7)));
        assert!(!diverges(value(0.6), narrow, Some(0.65)));
        assert!(!diverges(value(0.6), narrow, None));
    }

    #[test]
    fn a_kappa_that_does_not_exist_differs_from_an_ac1_that_does() {
        let undefined = Measured::Undefined(domain::UndefinedReason::OneCategory);
        let none = Confidence::None(NoInterval::NoValue);
        assert!(diverges(undefined, none, Some(1.0)));
        assert!(!diverges(undefined, none, None));
    }
}
