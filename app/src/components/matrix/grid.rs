//! The table of the matrix: labelers, then reviewers in a band of their own, in rows and columns.

use domain::{MemberId, Rater, Role};
use leptos::{
    ev::KeyboardEvent, html, prelude::*, tachys::html::attribute::custom::custom_attribute,
};

use crate::view::view;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::{
    board::Board,
    cell::{MatrixCell, cell_id},
    pooled::{Pooled, pooled_name},
    stepping::Step,
    view::{CELL, View},
};

/// The matrix as a table of links that the arrow keys walk through. Of a large one only what can be
/// seen is drawn.
#[component]
pub(crate) fn MatrixGrid(board: Board) -> impl IntoView {
    let region = NodeRef::<html::Div>::new();
    let on_key = move |event: KeyboardEvent| {
        if event.alt_key() || event.shift_key() || event.meta_key() {
            return;
        }
        let step = Step::of_key(&event.key(), event.ctrl_key());
        if let Some(reached) = step.and_then(|step| board.walk(step)) {
            event.prevent_default();
            go_to(board, region, reached);
        }
    };
    let look = move || {
        let Some(region) = region.get_untracked() else { return };
        board.view.set(shown_by(&region));
    };
    Effect::new(move |_| {
        if region.get().is_some() && board.is_large() {
            look();
        }
    });
    let resized = window_event_listener(leptos::ev::resize, move |_| look());
    on_cleanup(move || resized.remove());
    let size = move || board.raters.with(Vec::len);
    view! {
        <div
            class="matrix-region"
            role="region"
            aria-labelledby="matrix-caption"
            tabindex="0"
            node_ref=region
            on:scroll=move |_| {
                if board.is_large() {
                    look();
                }
            }
        >
            <table
                class="matrix"
                class:large=move || board.is_large()
                on:keydown=on_key
                aria-describedby="matrix-keys"
                aria-rowcount=move || size() + 1
                aria-colcount=move || size() + 1
            >
                <caption id="matrix-caption" class="visually-hidden">"Agreement of every two raters"</caption>
                <thead>
                    <tr class="bands" hidden=move || board.is_large()>
                        <td class="corner"></td>
                        <BandHead board role=Role::Labeler/>
                        <BandHead board role=Role::Reviewer/>
                    </tr>
                    <tr>
                        <th scope="col" class="corner">"Rater"</th>
                        <ColumnHeads board role=Role::Labeler/>
                        <ColumnHeads board role=Role::Reviewer/>
                    </tr>
                </thead>
                <BandRows board role=Role::Labeler/>
                <BandRows board role=Role::Reviewer/>
            </table>
        </div>
        <p id="matrix-keys" class="soft keys">
            <kbd>"←"</kbd>" "<kbd>"↑"</kbd>" "<kbd>"→"</kbd>" "<kbd>"↓"</kbd>
            " move between cells, "<kbd>"Enter"</kbd>" opens the pair behind a number."
        </p>
    }
}

/// What the region of the matrix shows now.
fn shown_by(region: &HtmlElement) -> View {
    View {
        top: f64::from(region.scroll_top()),
        left: f64::from(region.scroll_left()),
        height: f64::from(region.client_height()),
        width: f64::from(region.client_width()),
    }
}

/// Puts the keyboard on a cell, which may have to be drawn first.
fn go_to(board: Board, region: NodeRef<html::Div>, reached: (MemberId, MemberId)) {
    if let Some((row, column)) = board.is_large().then(|| board.place(reached)).flatten()
        && let Some(region) = region.get_untracked()
    {
        let shows = shown_by(&region);
        let (top, left) = shows.showing(row, column);
        region.scroll_to_with_x_and_y(left, top);
        board.view.set(View { top, left, ..shows });
    }
    // Rows are drawn before one frame, and their cells before the next.
    request_animation_frame(move || request_animation_frame(move || focus(&cell_id(reached))));
}

/// The head over the columns of a band; none where the band is empty.
#[component]
fn BandHead(board: Board, role: Role) -> impl IntoView {
    // One more for the band's average.
    let width = Memo::new(move |_| match board.band(role).len() {
        0 => 0,
        raters => raters + 1,
    });
    move || {
        (width.get() > 0).then(|| view! {
            <th scope="colgroup" colspan=width.get().to_string() class="band-head" class:reviewers=role == Role::Reviewer>
                {band_name(role)}
            </th>
        })
    }
}

/// The heads of a band's columns and of its average.
#[component]
fn ColumnHeads(board: Board, role: Role) -> impl IntoView {
    let has_raters = Memo::new(move |_| !board.band(role).is_empty());
    view! {
        <Gap board role before=true/>
        <For each=move || board.columns(role) key=rater_key let:rater>
            <th scope="col" dir="auto" title=rater.name.clone()><span class="name">{rater.name.clone()}</span></th>
        </For>
        <Gap board role before=false/>
        {move || has_raters.get().then(|| view! { <th scope="col" class="pooled"><span class="name">{pooled_name(role)}</span></th> })}
    }
}

/// What stands for the columns of a band that are not drawn.
#[component]
fn Gap(board: Board, role: Role, before: bool) -> impl IntoView {
    let width = Memo::new(move |_| {
        let (first, last) = board.undrawn_columns(role);
        if before { first } else { last }
    });
    move || {
        (width.get() > 0).then(|| {
            view! {
                <td class="gap" aria-hidden="true" {..custom_attribute("width", pixels(width.get(), CELL.1))}></td>
            }
        })
    }
}

/// The rows of a band under its name.
#[component]
fn BandRows(board: Board, role: Role) -> impl IntoView {
    let span = Memo::new(move |_| board.raters.with(Vec::len) + 3);
    let undrawn = Memo::new(move |_| board.undrawn_rows(role));
    let gap = move |height: usize| {
        (height > 0).then(|| view! {
            <tr aria-hidden="true"><td class="gap" {..custom_attribute("height", pixels(height, CELL.0))} colspan=span.get().to_string()></td></tr>
        })
    };
    view! {
        <tbody class="band">
            <tr class="band-row" hidden=move || board.band(role).is_empty()>
                <th scope="rowgroup" colspan=move || span.get().to_string()><span>{band_name(role)}</span></th>
            </tr>
            {move || gap(undrawn.get().0)}
            <For each=move || board.rows(role) key=rater_key let:row>
                <tr>
                    <th scope="row" dir="auto" title=row.name.clone()><span class="name">{row.name.clone()}</span></th>
                    <RowCells board row=row.clone() role=Role::Labeler/>
                    <RowCells board row=row.clone() role=Role::Reviewer/>
                </tr>
            </For>
            {move || gap(undrawn.get().1)}
        </tbody>
    }
}

/// The cells of a row under the columns of a band, and their average.
#[component]
fn RowCells(board: Board, row: Rater, role: Role) -> impl IntoView {
    let has_raters = Memo::new(move |_| !board.band(role).is_empty());
    let id = row.id;
    view! {
        <Gap board role before=true/>
        <For each=move || board.columns(role) key=rater_key let:column>
            <MatrixCell board row=row.clone() column/>
        </For>
        <Gap board role before=false/>
        {move || has_raters.get().then(|| view! { <Pooled board row=id with=role/> })}
    }
}

/// The extent of so many cells.
fn pixels(count: usize, each: f64) -> String {
    let count = f64::from(u32::try_from(count).unwrap_or(u32::MAX));
    format!("{:.0}", count * each)
}

/// What a row or column is known by: a rater under a new name is drawn anew.
fn rater_key(rater: &Rater) -> (MemberId, String) {
    (rater.id, rater.name.clone())
}

const fn band_name(role: Role) -> &'static str {
    match role {
        Role::Reviewer => "Reviewers",
        Role::Labeler | Role::Manager => "Labelers",
    }
}

/// Puts the keyboard on an element.
fn focus(id: &str) {
    let element = document().get_element_by_id(id);
    if let Some(element) = element.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        // An element that cannot take the focus leaves it where it is.
        let _ = element.focus();
    }
}
