//! Krippendorff's α step by step, filled in with a pair's numbers.

use domain::{PairView, Steps};

use super::{
    math::{
        Formula, beyond_chance, count, decimal, equation, fraction, indexed, operator, primed,
        primed_indexed, row, squared, sum, symbol, words,
    },
    share::agreements,
};
use crate::pages::components::prelude::*;

/// The steps of α; nothing if the steps are those of another measure.
#[component]
pub(crate) fn AlphaSteps(pair: PairView) -> impl IntoView {
    let agreements = agreements(&pair.counts);
    let Some(Steps::Alpha {
        n,
        r,
        r_mean,
        totals,
        observed_uncorrected,
        observed,
        expected,
        alpha,
    }) = pair.steps
    else {
        return ().into_any();
    };
    let equals = || operator("=");
    let (p_a, p_e) = (|| indexed("p", "a"), || indexed("p", "e"));
    let mean_parts = equation([
        primed("r"),
        fraction(vec![symbol("r")], vec![symbol("n")]),
        fraction(vec![count(r)], vec![count(n)]),
        decimal(r_mean),
    ]);
    let uncorrected_parts = equation([
        primed_indexed("p", "a"),
        fraction(vec![words("agreements")], vec![symbol("n")]),
        fraction(vec![count(agreements)], vec![count(n)]),
        decimal(observed_uncorrected),
    ]);
    let corrected_parts =
        correction(p_a(), primed_indexed("p", "a"), || vec![symbol("n"), primed("r")]);
    let filled_parts = correction(p_a(), decimal(observed_uncorrected), || {
        vec![count(n), operator("·"), decimal(r_mean)]
    })
    .into_iter()
    .chain([equals(), decimal(observed)]);
    let expected_parts =
        equation([p_e(), row([sum(), squared(indexed("π", "k"))]), decimal(expected)]);
    let alpha_parts = equation([
        symbol("α"),
        beyond_chance(p_a(), [p_e(), p_e()]),
        beyond_chance(decimal(observed), [decimal(expected), decimal(expected)]),
        decimal(alpha),
    ]);
    view! {
        <ol class="steps">
            <li>
                <h3>"Labels"</h3>
                <p>
                    {format!("n = {} positions carry r = {} labels in all. ", display::thousands(n), display::thousands(r))}
                    "Every position of a pair has two, r"<sub>"i"</sub>" = 2, and so has their mean:"
                </p>
                <Formula parts=mean_parts/>
            </li>
            <li>
                <h3>"Observed agreement"</h3>
                <p>{format!(
                    "With two labels per position, the share of positions on which they agree: {} of {}.",
                    display::thousands(agreements),
                    display::thousands(n),
                )}</p>
                <Formula parts=uncorrected_parts/>
                <p>"Corrected for small samples:"</p>
                <Formula parts=corrected_parts/>
                <Formula parts=filled_parts.collect()/>
            </li>
            <li>
                <h3>"Agreement by chance"</h3>
                <p>"The labels of both together give each category "<i>"k"</i>" its share π"<sub>"k"</sub>":"</p>
                <Totals r totals expected/>
                <Formula parts=expected_parts/>
            </li>
            <li>
                <h3>"Agreement beyond chance"</h3>
                <p>"Observed agreement beyond chance, as a share of the most possible."</p>
                <Formula parts=alpha_parts/>
            </li>
        </ol>
    }
}

/// `corrected = uncorrected (1 − 1/labels) + 1/labels`, in symbols or in numbers.
fn correction(
    corrected: AnyView,
    uncorrected: AnyView,
    labels: impl Fn() -> Vec<AnyView>,
) -> Vec<AnyView> {
    let one = || view! { <mn>"1"</mn> };
    let one_label = || fraction(vec![one()], labels());
    vec![
        corrected,
        operator("="),
        uncorrected,
        operator("("),
        one(),
        operator("−"),
        one_label(),
        operator(")"),
        operator("+"),
        one_label(),
    ]
}

/// Each category's labels, their share, and its square: the term of p_e.
#[component]
fn Totals(r: u64, totals: Vec<(String, u64, f64)>, expected: f64) -> impl IntoView {
    let rows = totals.into_iter().map(|(name, labels, share)| {
        view! {
            <tr>
                <th scope="row" dir="auto">{name}</th>
                <td class="number">{display::thousands(labels)}</td>
                <td class="number">{written_out(labels, r, share)}</td>
                <td class="number">{display::decimals(share * share, 4)}</td>
            </tr>
        }
    });
    let rows = rows.collect_view();
    view! {
        <Table label="Shares of the categories" class="rows terms">
            <thead>
                <tr>
                    <th scope="col">"Category "<i>"k"</i></th>
                    <th scope="col" class="number">"Labels r"<sub>"k"</sub></th>
                    <th scope="col" class="number">"Share π"<sub>"k"</sub>" = r"<sub>"k"</sub>" / r"</th>
                    <th scope="col" class="number">"π"<sub>"k"</sub>"²"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
            <tfoot>
                <tr>
                    <th scope="row" colspan="3">"Sum: p"<sub>"e"</sub></th>
                    <td class="number">{display::decimals(expected, 4)}</td>
                </tr>
            </tfoot>
        </Table>
    }
}

/// "5 / 12 = 0.4167".
fn written_out(labels: u64, r: u64, share: f64) -> String {
    format!(
        "{} / {} = {}",
        display::thousands(labels),
        display::thousands(r),
        display::decimals(share, 4)
    )
}

#[cfg(test)]
mod tests {
    use super::written_out;

    #[test]
    fn a_share_is_written_out_with_its_own_numbers() {
        assert_eq!(written_out(5, 12, 5.0 / 12.0), "5 / 12 = 0.4167");
    }
}
