//! A cell of the matrix: a link to the pair behind the number, and what has moved in it.

use std::cmp::Ordering;

use domain::{MemberId, Rater};
use leptos::prelude::*;

use crate::view::view;

use super::{
    board::Board,
    face::{Face, face, few_words},
};

/// The id of a cell's link, by which the arrow keys find it.
pub(crate) fn cell_id((row, column): (MemberId, MemberId)) -> String {
    format!("pair-{row}-{column}")
}

/// The cell of two raters: a link, unless they are the same.
#[component]
pub(crate) fn MatrixCell(board: Board, row: Rater, column: Rater) -> impl IntoView {
    if row.id == column.id {
        view! { <td class="cell same">"—"<span class="visually-hidden">"the same person"</span></td> }
    } else {
        view! { <PairLink board row column/> }
    }
}

/// The cell of a pair. The link stays the same element whatever happens to the
/// numbers, so focus and pointer stay where they are.
#[component]
fn PairLink(board: Board, row: Rater, column: Rater) -> impl IntoView {
    let here = (row.id, column.id);
    let cell = board.cell(row.id, column.id);
    let change = board.change(cell);
    let texts = Memo::new(move |_| {
        cell.with(|(switches, cell)| cell.as_ref().map(|cell| face(cell, switches.scale)))
    });
    let text = move |part: fn(&Face) -> String| {
        move || texts.with(|face| face.as_ref().map(part).unwrap_or_default())
    };
    let flashes = RwSignal::new(0_u32);
    Effect::new(move |before: Option<_>| {
        let now = cell.get();
        // Other switches show other numbers: that is no change of the work.
        if before.is_some_and(|before: (_, _)| before.0 == now.0 && before.1 != now.1) {
            flashes.update(|flashes| *flashes += 1);
        }
        now
    });
    let class = move || {
        let band = texts.with(|face| face.as_ref().map_or("undefined", |face| face.class));
        // Two names for one animation: changing the name starts it again.
        let flash = match flashes.get() {
            0 => "",
            n if n % 2 == 1 => "flash-odd",
            _ => "flash-even",
        };
        let weak = texts.with(|face| face.as_ref().is_some_and(|face| face.few));
        format!("cell pair {band} {} {flash}", if weak { "weak" } else { "" })
    };
    let tab_index =
        move || board.active.get().map(|active| if active == here { "0" } else { "-1" });
    let names = format!("{} and {}: ", row.name, column.name);
    view! {
        <td class=class>
            <a
                id=cell_id(here)
                href=move || board.address(row.id, column.id)
                title=text(|face| face.sentence.clone())
                tabindex=tab_index
                on:focus=move |_| board.active.set(Some(here))
            >
                <span class="visually-hidden">{names}</span>
                <span class="top">
                    <span class="value">{text(|face| face.value.clone())}</span>
                    {move || change.get().map(|change| view! {
                        <span class=format!("change {}", direction_class(change.direction))>
                            <span aria-hidden="true">{change.glyph()}</span>
                            <span class="visually-hidden">"changed: "</span>" "
                            {change.text}
                        </span>
                    })}
                </span>
                <span class="word">{text(|face| face.word.to_owned())}</span>
                <span class="interval">{text(|face| face.interval.clone())}</span>
                <span class="basis">
                    {text(|face| face.basis.clone())}
                    {move || texts.with(|face| face.as_ref().is_some_and(|face| face.few)).then(|| view! {
                        <span class="few">{few_words()}</span>
                    })}
                </span>
            </a>
        </td>
    }
}

const fn direction_class(direction: Ordering) -> &'static str {
    match direction {
        Ordering::Greater => "up",
        Ordering::Less => "down",
        Ordering::Equal => "",
    }
}
