//! A cell of the contingency table: a shade or a square, and the count that leads to its positions.

use domain::{PairView, PositionQuery, Whose};

use super::share::{heat, share};
use crate::pages::components::{agreement::counted::Counted, prelude::*};

/// How often the first rater said one category where the second said the other.
#[component]
pub(super) fn Cell(
    pair: PairView,
    row: usize,
    column: usize,
    count: u64,
    /// The largest count of the table.
    largest: u64,
    /// A square whose area is the count, instead of a shade.
    squares: bool,
) -> impl IntoView {
    let PairView { project, switches, first, second, categories, .. } = pair;
    let (said, against) = (categories.get(row), categories.get(column));
    let query = PositionQuery {
        said: said.map(|category| category.labels.clone()),
        against: against.map(|category| category.labels.clone()),
        ..PositionQuery::of(Whose::Pair(first.id, second.id), switches)
    };
    let name = |category: Option<&domain::Category>| {
        category.map(|category| category.name.clone()).unwrap_or_default()
    };
    let of = format!(
        "positions: {} said {}, {} said {}",
        first.name,
        name(said),
        second.name,
        name(against)
    );
    let class =
        if squares { "square".to_owned() } else { format!("heat-{}", heat(count, largest)) };
    let same = row == column;
    view! {
        <td class=class class:same=same>
            {squares.then(|| view! { <Square count largest/> })}
            <Counted project count query of/>
            {same.then(|| view! { <span class="visually-hidden">" the same"</span> })}
        </td>
    }
}

/// A square whose area is the count's part of the largest (a Hinton diagram).
#[component]
fn Square(count: u64, largest: u64) -> impl IntoView {
    let side = 32.0 * share(count.into(), largest.max(1).into()).sqrt();
    let place = display::decimals(16.0 - side / 2.0, 1);
    let side = display::decimals(side, 1);
    view! {
        <svg viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" focusable="false">
            <rect x=place.clone() y=place width=side.clone() height=side/>
        </svg>
    }
}
