//! The three steps that κ, π, S and AC1 share: what was observed, what chance gives, what lies beyond.

use leptos::prelude::*;

use super::math::{
    Formula, beyond_chance, count, decimal, fraction, indexed, operator, symbol, words,
};
use crate::{display, view::view};

/// The steps of the coefficient of this name, with how it sees chance.
pub(super) fn beyond_chance_steps(
    name: &'static str,
    (n, agreements): (u64, u64),
    [observed, expected, value]: [f64; 3],
    chance: AnyView,
) -> AnyView {
    let equals = || operator("=");
    let (p_o, p_e) = (|| indexed("p", "o"), || indexed("p", "e"));
    let observed_parts = vec![
        p_o(),
        equals(),
        fraction(vec![words("agreements")], vec![symbol("n")]),
        equals(),
        fraction(vec![count(agreements)], vec![count(n)]),
        equals(),
        decimal(observed),
    ];
    let parts = vec![
        symbol(name),
        equals(),
        beyond_chance(p_o(), [p_e(), p_e()]),
        equals(),
        beyond_chance(decimal(observed), [decimal(expected), decimal(expected)]),
        equals(),
        decimal(value),
    ];
    view! {
        <ol class="steps">
            <li>
                <h3>"Observed agreement"</h3>
                <p>{format!(
                    "Of n = {} counted positions the two said the same on {}: the diagonal of the table.",
                    display::thousands(n),
                    display::thousands(agreements),
                )}</p>
                <Formula parts=observed_parts/>
            </li>
            <li>
                <h3>"Agreement by chance"</h3>
                {chance}
            </li>
            <li>
                <h3>"Agreement beyond chance"</h3>
                <p>"What was reached of what chance leaves open."</p>
                <Formula parts/>
            </li>
        </ol>
    }
}
