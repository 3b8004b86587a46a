//! The three steps that κ, π, S and AC1 share: what was observed, what chance gives, what lies beyond.

mod chance;
mod kappa;
mod terms;

pub(super) use chance::ChanceSteps;
pub(super) use kappa::KappaSteps;

use super::math::{
    Formula, beyond_chance, count, decimal, equation, fraction, indexed, symbol, words,
};
use crate::pages::components::prelude::*;

/// The steps of the coefficient of this name, with how it sees chance.
fn beyond_chance_steps(
    name: &'static str,
    (n, agreements): (u64, u64),
    [observed, expected, value]: [f64; 3],
    chance: AnyView,
) -> AnyView {
    let (p_o, p_e) = (|| indexed("p", "o"), || indexed("p", "e"));
    let observed_parts = equation([
        p_o(),
        fraction(vec![words("agreements")], vec![symbol("n")]),
        fraction(vec![count(agreements)], vec![count(n)]),
        decimal(observed),
    ]);
    let parts = equation([
        symbol(name),
        beyond_chance(p_o(), [p_e(), p_e()]),
        beyond_chance(decimal(observed), [decimal(expected), decimal(expected)]),
        decimal(value),
    ]);
    view! {
        <ol class="steps">
            <li>
                <h3>"Observed agreement"</h3>
                <p>{format!(
                    "The two agree on {1} of n = {0} counted positions: the table's diagonal.",
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
                <p>"Observed agreement beyond chance, as a share of the most possible."</p>
                <Formula parts/>
            </li>
        </ol>
    }
}
