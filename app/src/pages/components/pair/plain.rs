//! Percentage and F1 step by step: shares from which no chance is taken.

use domain::{PairView, Steps};
use leptos::prelude::*;

use super::math::{Formula, count, decimal, fraction, indexed, operator, symbol, words};
use crate::display;
use crate::view::view;

/// The step of a share; nothing if the steps are those of another measure.
#[component]
pub(crate) fn PlainSteps(pair: PairView) -> impl IntoView {
    let equals = || operator("=");
    match pair.steps {
        Some(Steps::Percent { n, agreements, percent }) => {
            let parts = vec![
                symbol("p"),
                equals(),
                fraction(vec![words("agreements")], vec![symbol("n")]),
                equals(),
                fraction(vec![count(agreements)], vec![count(n)]),
                equals(),
                decimal(percent),
            ];
            view! {
                <p>{format!(
                    "Of n = {} counted positions the two said the same on {}. Nothing is taken off for chance.",
                    display::thousands(n),
                    display::thousands(agreements),
                )}</p>
                <Formula parts/>
            }
        }
        Some(Steps::F1 { agreed, first, second, f1 }) => {
            let spans = |n| vec![indexed("spans", "1"), operator("+"), indexed("spans", n)];
            let parts = vec![
                symbol("F1"),
                equals(),
                fraction(vec![count(2), operator("·"), words("agreed")], spans("2")),
                equals(),
                fraction(
                    vec![count(2), operator("·"), count(agreed)],
                    vec![count(first), operator("+"), count(second)],
                ),
                equals(),
                decimal(f1),
            ];
            view! {
                <p>
                    <bdi>{pair.first.name}</bdi>" has "{display::count(first, "span")}", "
                    <bdi>{pair.second.name}</bdi>" has "{display::thousands(second)}", and "
                    {display::thousands(agreed)}" are the same: the same position with the same labels. "
                    "What only one of them marked counts against the value under every policy; ∅ (a reject) is no span."
                </p>
                <Formula parts/>
            }
        }
        _ => ().into_any(),
    }
}
