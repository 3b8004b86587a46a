//! Formulas in `MathML`: read aloud by screen readers, set by the browser.

use crate::pages::components::prelude::*;

/// A formula on a line of its own; a long one scrolls by itself.
#[component]
pub(crate) fn Formula(parts: Vec<AnyView>) -> impl IntoView {
    // On a narrow screen a long formula scrolls, for which the keyboard has to reach it.
    view! {
        <div class="formula" role="group" aria-label="Formula" tabindex="0">
            <math display="block"><mrow>{parts}</mrow></math>
        </div>
    }
}

/// A symbol: κ, n.
pub(crate) fn symbol(name: &'static str) -> AnyView {
    view! { <mi>{name}</mi> }
}

/// A symbol with an index: p with o below.
pub(crate) fn indexed(name: &'static str, index: &'static str) -> AnyView {
    view! { <msub><mi>{name}</mi><mi>{index}</mi></msub> }
}

/// A symbol with a prime: r′.
pub(crate) fn primed(name: &'static str) -> AnyView {
    view! { <msup><mi>{name}</mi><mo>"′"</mo></msup> }
}

/// A symbol with an index and a prime: p′ with a below.
pub(crate) fn primed_indexed(name: &'static str, index: &'static str) -> AnyView {
    view! { <msubsup><mi>{name}</mi><mi>{index}</mi><mo>"′"</mo></msubsup> }
}

/// The square of something.
pub(crate) fn squared(base: AnyView) -> AnyView {
    view! { <msup><mrow>{base}</mrow><mn>"2"</mn></msup> }
}

/// The sum over all categories k.
pub(crate) fn sum() -> AnyView {
    view! { <munder><mo>"∑"</mo><mi>"k"</mi></munder> }
}

pub(crate) fn operator(sign: &'static str) -> AnyView {
    view! { <mo>{sign}</mo> }
}

/// Words in a formula.
pub(crate) fn words(text: &'static str) -> AnyView {
    view! { <mtext>{text}</mtext> }
}

/// A number with four decimals.
pub(crate) fn decimal(value: f64) -> AnyView {
    view! { <mn>{display::decimals(value, 4)}</mn> }
}

/// A count.
pub(crate) fn count(n: u64) -> AnyView {
    view! { <mn>{display::thousands(n)}</mn> }
}

pub(crate) fn fraction(over: Vec<AnyView>, under: Vec<AnyView>) -> AnyView {
    view! { <mfrac><mrow>{over}</mrow><mrow>{under}</mrow></mfrac> }
}

/// What stands side by side.
pub(crate) fn row<const N: usize>(parts: [AnyView; N]) -> AnyView {
    parts.into_any()
}

/// The parts of a formula whose sides are equal.
pub(crate) fn equation<const N: usize>(sides: [AnyView; N]) -> Vec<AnyView> {
    let parts = sides.into_iter().flat_map(|side| [operator("="), side]);
    parts.skip(1).collect()
}

/// `(observed − expected) / (1 − expected)`, in symbols or in numbers.
pub(crate) fn beyond_chance(observed: AnyView, expected: [AnyView; 2]) -> AnyView {
    let [above, below] = expected;
    let one = view! { <mn>"1"</mn> };
    fraction(vec![observed, operator("−"), above], vec![one, operator("−"), below])
}
