//! Scott's π, Bennett's S and Gwet's AC1 step by step: the same observed agreement, three views
//! of chance.

use domain::{Choices, PairView, Steps};

use super::{
    super::math::{
        Formula, count, decimal, equation, fraction, indexed, operator, row, squared, sum, symbol,
    },
    super::share::share,
    beyond_chance_steps,
    terms::terms_table,
};
use crate::pages::components::prelude::*;

/// The steps of π, S or AC1; nothing if the steps are those of another measure.
#[component]
pub(crate) fn ChanceSteps(pair: PairView) -> impl IntoView {
    let Some(steps) = pair.steps else { return ().into_any() };
    let one = || view! { <mn>"1"</mn> };
    let p_e = || indexed("p", "e");
    let (name, n, agreements, observed, expected, value, chance) = match steps {
        Steps::Pi { n, agreements, margins, observed, expected, pi } => {
            let parts = equation([
                p_e(),
                row([
                    sum(),
                    squared(fraction(
                        vec![indexed("row", "k"), operator("+"), indexed("column", "k")],
                        vec![count(2), symbol("n")],
                    )),
                ]),
                decimal(expected),
            ]);
            let chance = view! {
                <p>
                    "If both drew from one hat with the labels of both, they would both say category "
                    <i>"k"</i>" with the square of its share π"<sub>"k"</sub>":"
                </p>
                <Shares n margins term="π²" of=squared_share/>
                <Formula parts/>
            };
            ("π", n, agreements, observed, expected, pi, chance)
        }
        Steps::S { n, agreements, choices, observed, expected, s } => {
            let parts = equation([
                p_e(),
                fraction(vec![one()], vec![symbol("q")]),
                fraction(vec![one()], vec![count(choices.all)]),
                decimal(expected),
            ]);
            let chance = view! {
                <p>"If both guessed evenly among q categories, they would agree once in q times. "{counted(choices)}</p>
                <Formula parts/>
            };
            ("S", n, agreements, observed, expected, s, chance)
        }
        Steps::Ac1 { n, agreements, choices, margins, observed, expected, ac1 } => {
            let parts = equation([
                p_e(),
                row([
                    fraction(vec![one()], vec![symbol("q"), operator("−"), one()]),
                    sum(),
                    indexed("π", "k"),
                    operator("("),
                    one(),
                    operator("−"),
                    indexed("π", "k"),
                    operator(")"),
                ]),
                row([
                    fraction(vec![one()], vec![count(choices.all), operator("−"), one()]),
                    decimal(share_of_terms(&margins, n)),
                ]),
                decimal(expected),
            ]);
            let chance = view! {
                <p>
                    "Chance plays a part only on hard positions; there are more of them the more evenly the categories are used. "
                    {counted(choices)}" Unused categories add nothing."
                </p>
                <Shares n margins term="π (1 − π)" of=spread_share/>
                <Formula parts/>
            };
            ("AC1", n, agreements, observed, expected, ac1, chance)
        }
        _ => return ().into_any(),
    };
    beyond_chance_steps(name, (n, agreements), [observed, expected, value], chance)
}

/// What q is made of.
fn counted(Choices { all, declared, occurring, empty }: Choices) -> String {
    let mut parts = vec![format!("{} of the label set", display::thousands(declared))];
    if occurring > 0 {
        parts.push(format!("{} only in this table", display::thousands(occurring)));
    }
    if empty > 0 {
        parts.push("∅".to_owned());
    }
    format!("q = {} categories: {}.", display::thousands(all), parts.join(", "))
}

/// Each category's share of the labels of both, and its term of p_e.
#[component]
fn Shares(
    n: u64,
    margins: Vec<(String, u64, u64)>,
    term: &'static str,
    of: fn(u64, u64) -> f64,
) -> impl IntoView {
    let heads =
        ["Row".into_any(), "Column".into_any(), view! { "Share π"<sub>"k"</sub> }, term.into_any()];
    let terms = margins.into_iter().map(|(name, row, column)| {
        let labels = row + column;
        let own = [pooled_share(labels, n), of(labels, n)].map(|value| display::decimals(value, 4));
        (name, row, column, own)
    });
    terms_table(heads, terms.collect(), None)
}

/// A category's share of the labels that both gave to n positions.
fn pooled_share(labels: u64, n: u64) -> f64 {
    share(u128::from(labels), 2 * u128::from(n))
}

fn squared_share(labels: u64, n: u64) -> f64 {
    pooled_share(labels, n) * pooled_share(labels, n)
}

fn spread_share(labels: u64, n: u64) -> f64 {
    pooled_share(labels, n) * (1.0 - pooled_share(labels, n))
}

/// The sum that the step of AC1 shows.
fn share_of_terms(margins: &[(String, u64, u64)], n: u64) -> f64 {
    margins.iter().map(|(_, row, column)| spread_share(row + column, n)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn q_says_what_it_is_made_of() {
        let choices = Choices { all: 9, declared: 6, occurring: 2, empty: 1 };
        assert_eq!(
            counted(choices),
            "q = 9 categories: 6 of the label set, 2 only in this table, ∅."
        );
        let choices = Choices { all: 6, declared: 6, occurring: 0, empty: 0 };
        assert_eq!(counted(choices), "q = 6 categories: 6 of the label set.");
    }

    #[test]
    fn the_terms_are_those_of_the_printed_example() {
        // Artstein and Poesio (2008), page 568: π = .7995 of an A_o of .88 and 98, 76 and 26 labels.
        let terms = [98, 76, 26].map(|labels| squared_share(labels, 100));
        assert_eq!(display::decimals(terms.iter().sum(), 4), "0.4014");
        assert_eq!(display::decimals(spread_share(100, 100), 4), "0.2500");
    }
}
