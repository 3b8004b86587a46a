//! The table of the matrix: labelers, then reviewers in a band of their own, in rows and columns.

use domain::{Rater, Role};
use leptos::{ev::KeyboardEvent, prelude::*};

use crate::view::view;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use super::{
    board::Board,
    cell::{MatrixCell, cell_id},
    stepping::Step,
};

/// The matrix as a table of links that the arrow keys walk through.
#[component]
pub(crate) fn MatrixGrid(board: Board) -> impl IntoView {
    let on_key = move |event: KeyboardEvent| {
        if event.alt_key() || event.shift_key() || event.meta_key() {
            return;
        }
        let step = Step::of_key(&event.key(), event.ctrl_key());
        if let Some(reached) = step.and_then(|step| board.walk(step)) {
            event.prevent_default();
            focus(&cell_id(reached));
        }
    };
    let columns = move |role| move || board.band(role);
    let column_heads = move |role| {
        view! {
            <For each=columns(role) key=rater_key let:rater>
                <th scope="col" dir="auto" title=rater.name.clone()><span class="name">{rater.name.clone()}</span></th>
            </For>
        }
    };
    view! {
        <div class="matrix-region" role="region" aria-labelledby="matrix-caption" tabindex="0">
            <table class="matrix" on:keydown=on_key aria-describedby="matrix-keys">
                <caption id="matrix-caption" class="visually-hidden">"Agreement of every two raters"</caption>
                <thead>
                    <tr class="bands">
                        <td class="corner"></td>
                        <BandHead board role=Role::Labeler/>
                        <BandHead board role=Role::Reviewer/>
                    </tr>
                    <tr>
                        <th scope="col" class="corner">"Rater"</th>
                        {column_heads(Role::Labeler)}
                        {column_heads(Role::Reviewer)}
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

/// The head over the columns of a band; none where the band is empty.
#[component]
fn BandHead(board: Board, role: Role) -> impl IntoView {
    let width = Memo::new(move |_| board.band(role).len());
    move || {
        (width.get() > 0).then(|| view! {
            <th scope="colgroup" colspan=width.get().to_string() class="band-head" class:reviewers=role == Role::Reviewer>
                {band_name(role)}
            </th>
        })
    }
}

/// The rows of a band under its name.
#[component]
fn BandRows(board: Board, role: Role) -> impl IntoView {
    let rows = move || board.band(role);
    let span = Memo::new(move |_| board.raters.with(Vec::len) + 1);
    view! {
        <tbody class="band">
            <tr class="band-row" hidden=move || board.band(role).is_empty()>
                <th scope="rowgroup" colspan=move || span.get().to_string()><span>{band_name(role)}</span></th>
            </tr>
            <For each=rows key=rater_key let:row>
                <tr>
                    <th scope="row" dir="auto" title=row.name.clone()><span class="name">{row.name.clone()}</span></th>
                    <RowCells board row=row.clone() role=Role::Labeler/>
                    <RowCells board row=row.clone() role=Role::Reviewer/>
                </tr>
            </For>
        </tbody>
    }
}

/// The cells of a row under the columns of a band.
#[component]
fn RowCells(board: Board, row: Rater, role: Role) -> impl IntoView {
    view! {
        <For each=move || board.band(role) key=rater_key let:column>
            <MatrixCell board row=row.clone() column/>
        </For>
    }
}

/// What a row or column is known by: a rater under a new name is drawn anew.
fn rater_key(rater: &Rater) -> (domain::MemberId, String) {
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
