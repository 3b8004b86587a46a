//! Small drawings of how stretches lie to each other: the first rater's above, the second's below.

use domain::Boundary;

use crate::pages::components::prelude::*;

/// Where stretches start and end, of 80.
type Stretches = &'static [(u8, u8)];

/// The spans of the first and of the second rater.
const fn stretches(boundary: Boundary) -> (Stretches, Stretches) {
    const WHOLE: Stretches = &[(20, 60)];
    const HALVES: Stretches = &[(20, 37), (43, 60)];
    match boundary {
        Boundary::StartsEarlier => (&[(6, 60)], WHOLE),
        Boundary::StartsLater => (&[(36, 60)], WHOLE),
        Boundary::EndsEarlier => (&[(20, 44)], WHOLE),
        Boundary::EndsLater => (&[(20, 74)], WHOLE),
        Boundary::Before => (&[(6, 44)], WHOLE),
        Boundary::After => (&[(36, 74)], WHOLE),
        Boundary::Around => (&[(6, 74)], WHOLE),
        Boundary::Inside => (&[(32, 48)], WHOLE),
        Boundary::Split => (HALVES, WHOLE),
        Boundary::Merged => (WHOLE, HALVES),
        Boundary::Several => (&[(4, 32), (46, 66)], &[(16, 54), (60, 76)]),
    }
}

/// The drawing; the words beside it say the same.
#[component]
pub(super) fn Drawing(boundary: Boundary) -> impl IntoView {
    let (first, second) = stretches(boundary);
    let bars = |stretches: Stretches, y: &'static str, class: &'static str| {
        stretches
            .iter()
            .map(|(from, to)| {
                let (x, width) = (from.to_string(), (to - from).to_string());
                view! { <rect class=class x=x y=y width=width height="8" rx="2"/> }
            })
            .collect_view()
    };
    view! {
        <svg class="boundary" viewBox="0 0 80 24" width="80" height="24" aria-hidden="true" focusable="false">
            {bars(first, "2", "first")}
            {bars(second, "14", "second")}
        </svg>
    }
}
