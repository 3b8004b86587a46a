//! Cohen's κ step by step, filled in with a pair's numbers.

use domain::{PairView, Steps};

use super::{
    super::math::{
        Formula, decimal, equation, fraction, indexed, operator, row, squared, sum, symbol,
    },
    super::share::share,
    beyond_chance_steps,
    terms::terms_table,
};
use crate::pages::components::prelude::*;

/// The steps of κ; nothing if the steps are those of another measure.
#[component]
pub(crate) fn KappaSteps(pair: PairView) -> impl IntoView {
    let Some(Steps::Kappa { n, agreements, margins, observed, expected, kappa }) = pair.steps
    else {
        return ().into_any();
    };
    let expected_parts = equation([
        indexed("p", "e"),
        row([
            sum(),
            fraction(
                vec![indexed("row", "k"), operator("·"), indexed("column", "k")],
                vec![squared(symbol("n"))],
            ),
        ]),
        decimal(expected),
    ]);
    let chance = view! {
        <p>
            "If both kept their own use of the categories and gave them at random, they would both say category "
            <i>"k"</i>" on this share of the positions:"
        </p>
        <Terms n margins expected first=pair.first.name second=pair.second.name/>
        <Formula parts=expected_parts/>
    };
    beyond_chance_steps("κ", (n, agreements), [observed, expected, kappa], chance)
}

/// Each category's term of p_e, written out.
#[component]
fn Terms(
    n: u64,
    margins: Vec<(String, u64, u64)>,
    expected: f64,
    first: String,
    second: String,
) -> impl IntoView {
    let heads = [
        view! { <bdi>{first}</bdi>" (row)" },
        view! { <bdi>{second}</bdi>" (column)" },
        "row · column / n²".into_any(),
        "Term".into_any(),
    ];
    let terms = margins.into_iter().map(|(name, row, column)| {
        let value = display::decimals(term(row, column, n), 4);
        (name, row, column, [written_out(row, column, n), value])
    });
    let sum = view! {
        <tr>
            <th scope="row" colspan="4">"Sum: p"<sub>"e"</sub></th>
            <td class="number">{display::decimals(expected, 4)}</td>
        </tr>
    };
    terms_table(heads, terms.collect(), Some(sum))
}

/// "3 · 2 / 6²".
fn written_out(row: u64, column: u64, n: u64) -> String {
    format!(
        "{} · {} / {}²",
        display::thousands(row),
        display::thousands(column),
        display::thousands(n)
    )
}

/// A category's part of the expected agreement.
fn term(row: u64, column: u64, n: u64) -> f64 {
    let [row, column, n] = [row, column, n].map(u128::from);
    share(row * column, n * n)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_terms_of_cohens_table_sum_to_its_expected_agreement() {
        // Cohen (1960), page 45: p_e = .41.
        let terms = [(120, 100), (60, 60), (20, 40)].map(|(row, column)| term(row, column, 200));
        assert_eq!(terms.map(|term| display::decimals(term, 4)), ["0.3000", "0.0900", "0.0200"]);
        assert_eq!(display::decimals(terms.iter().sum(), 4), "0.4100");
    }

    #[test]
    fn a_term_is_written_out_with_its_own_numbers() {
        assert_eq!(written_out(1200, 3, 2000), "1,200 · 3 / 2,000²");
    }
}
