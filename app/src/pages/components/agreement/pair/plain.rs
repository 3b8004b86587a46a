//! Percentage and F1 step by step: shares from which no chance is taken.

use domain::{Measure, PairView, PositionKind, Steps};

use super::math::{
    Formula, count, decimal, equation, fraction, indexed, operator, row, symbol, words,
};
use crate::pages::components::prelude::*;

/// The step of a share; nothing if the steps are those of another measure.
#[component]
pub(crate) fn PlainSteps(pair: PairView) -> impl IntoView {
    match pair.steps {
        Some(Steps::Percent { n, agreements, percent }) => {
            let parts = equation([
                symbol("p"),
                fraction(vec![words("agreements")], vec![symbol("n")]),
                fraction(vec![count(agreements)], vec![count(n)]),
                decimal(percent),
            ]);
            view! {
                <p>{format!(
                    "The two agree on {1} of n = {0} counted positions. No correction for chance.",
                    display::thousands(n),
                    display::thousands(agreements),
                )}</p>
                <Formula parts/>
            }
        }
        Some(Steps::F1 { agreed, first, second, f1 }) => {
            let (noun, same) = counted(pair.switches.policy.positions());
            let spans = |n| vec![indexed(noun, "1"), operator("+"), indexed(noun, n)];
            let parts = equation([
                symbol("F1"),
                fraction(vec![count(2), operator("·"), words("agreed")], spans("2")),
                fraction(
                    vec![count(2), operator("·"), count(agreed)],
                    vec![count(first), operator("+"), count(second)],
                ),
                decimal(f1),
            ]);
            view! {
                <p>
                    <bdi>{pair.first.name}</bdi>" has "{display::thousands(first)}" "{noun}", "
                    <bdi>{pair.second.name}</bdi>" has "{display::thousands(second)}", and "
                    {display::thousands(agreed)}{same}
                </p>
                <Formula parts/>
            }
        }
        Some(Steps::Graded { n, observed, expected, value }) => {
            let beyond = |observed, expected| {
                row([count(1), operator("−"), fraction(vec![observed], vec![expected])])
            };
            let parts = equation([
                beyond(indexed("D", "o"), indexed("D", "e")),
                beyond(decimal(observed), decimal(expected)),
                decimal(value),
            ]);
            view! {
                <p>{format!(
                    "n = {} counted positions. Dₒ is how far the two are apart, Dₑ how far they would be by chance, as shares of the widest difference.",
                    display::thousands(n),
                )}</p>
                <Formula parts/>
            }
        }
        Some(Steps::Correlation { n, items, raters, residual, within, value }) => {
            let letters = |letter| symbol(letter);
            let numbers = |letter| match letter {
                "R" => decimal(items),
                "C" => decimal(raters),
                "E" => decimal(residual),
                "W" => decimal(within),
                _ => count(n),
            };
            let measure = pair.switches.measure;
            let parts = equation([
                correlation(measure, letters),
                correlation(measure, numbers),
                decimal(value),
            ]);
            view! {
                <p>{format!(
                    "n = {} counted positions. Mean squares: R between positions, C between the two raters, E of what neither explains, W within positions.",
                    display::thousands(n),
                )}</p>
                <Formula parts/>
            }
        }
        _ => ().into_any(),
    }
}

/// An intraclass correlation of two raters, of mean squares R, C, E and W and of n (`McGraw` and Wong 1996).
fn correlation(measure: Measure, of: impl Fn(&'static str) -> AnyView) -> AnyView {
    let (error, has_bias) = match measure {
        Measure::Icc1 | Measure::IccK => ("W", false),
        Measure::IccA1 | Measure::IccAk => ("E", true),
        _ => ("E", false),
    };
    let is_once = matches!(measure, Measure::Icc1 | Measure::IccA1 | Measure::IccC1);
    let mut below = vec![of("R")];
    if is_once {
        below.extend([operator("+"), of(error)]);
    }
    if has_bias {
        below.push(operator("+"));
        if is_once {
            below.extend([count(2), operator("·")]);
        }
        below.push(fraction(vec![of("C"), operator("−"), of("E")], vec![of("n")]));
    }
    fraction(vec![of("R"), operator("−"), of(error)], below)
}

/// What F1 counts, and what is the same of two.
const fn counted(kind: PositionKind) -> (&'static str, &'static str) {
    match kind {
        PositionKind::Exact => (
            "spans",
            " are identical: same position, same labels. Spans of only one always count against \
             it; ∅ (a reject) is not a span.",
        ),
        PositionKind::Tokens => ("tokens", " have the same labels of both. ∅ is no label."),
        PositionKind::Overlapping => (
            "spans",
            " are paired and have the same labels. Spans without a partner count against it; a \
             reject is not a span.",
        ),
    }
}
