//! The ingredients of a coefficient, with categories by name, to fill its formula in with.

use agreement::{Contingency, MeanSquares, SpanCounts};
use domain::{Choices, Filter, Label, LabelId, LabelSet, Measure, Steps};
use live::{Scores, coefficient, mean_squares};

/// The formula's ingredients; none where the measure is undefined.
pub(crate) fn steps(
    table: &Contingency<LabelSet>,
    choices: Choices,
    (measure, scores): (Measure, &Scores),
    name: impl Fn(&LabelSet) -> String,
) -> Option<Steps> {
    let result = coefficient(table, measure, choices.all, &LabelSet::EMPTY, scores).ok()?;
    let (n, agreements) = (table.total(), table.agreements());
    let (observed, expected) = (result.observed, result.expected);
    let margins = || {
        let margin =
            |category| (name(category), table.row_total(category), table.column_total(category));
        table.categories().into_iter().map(margin).collect()
    };
    Some(match measure {
        Measure::Kappa => {
            let steps = agreement::kappa_steps(table).ok()?;
            let margins = steps.per_category.iter();
            Steps::Kappa {
                n: steps.n,
                agreements: steps.agreements,
                margins: margins.map(|(c, row, column)| (name(c), *row, *column)).collect(),
                observed: steps.observed,
                expected: steps.expected,
                kappa: steps.kappa,
            }
        }
        Measure::Alpha => {
            let steps = agreement::alpha_steps(table).ok()?;
            let totals = steps.per_category.iter();
            Steps::Alpha {
                n: steps.n,
                r: steps.r,
                r_mean: steps.r_bar,
                totals: totals.map(|(c, total, share)| (name(c), *total, *share)).collect(),
                observed_uncorrected: steps.observed_uncorrected,
                observed: steps.observed,
                expected: steps.expected,
                alpha: steps.alpha,
            }
        }
        Measure::Pi => {
            Steps::Pi { n, agreements, margins: margins(), observed, expected, pi: result.value }
        }
        Measure::S => Steps::S { n, agreements, choices, observed, expected, s: result.value },
        Measure::Ac1 => Steps::Ac1 {
            n,
            agreements,
            choices,
            margins: margins(),
            observed,
            expected,
            ac1: result.value,
        },
        Measure::Percent => Steps::Percent { n, agreements, percent: result.value },
        Measure::F1 => {
            let spans = SpanCounts::of_table(table, &LabelSet::EMPTY);
            Steps::F1 {
                agreed: spans.matched,
                first: spans.gold,
                second: spans.found,
                f1: result.value,
            }
        }
        _ if measure.is_correlation() => {
            let squares = mean_squares(table, scores).ok()?;
            let MeanSquares { items, raters, residual, within, .. } = squares;
            Steps::Correlation { n, items, raters, residual, within, value: result.value }
        }
        _ => Steps::Graded {
            n,
            observed: 1.0 - observed,
            expected: 1.0 - expected,
            value: result.value,
        },
    })
}

/// "PER", "PER + ORG", "∅"; "not PER" where one label stands against everything else.
pub(crate) fn category_name(category: &LabelSet, labels: &[Label], filter: Filter) -> String {
    let name = |is_named: &dyn Fn(LabelId) -> bool| {
        let named = labels.iter().filter(|label| is_named(label.id));
        named.map(|label| label.name.as_str()).collect::<Vec<_>>().join(" + ")
    };
    match (category.is_empty(), filter.label) {
        (false, _) => name(&|label| category.contains(label)),
        (true, None) => "∅".to_owned(),
        (true, Some(wanted)) => format!("not {}", name(&|label| label == wanted)),
    }
}
