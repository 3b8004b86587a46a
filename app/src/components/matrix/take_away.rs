//! The matrix to take away: copied as text, or downloaded with every count behind it.

use leptos::{prelude::*, task::spawn_local};

use super::{
    board::Board,
    text_table::{TextFormat, written},
};
use crate::{clipboard::write_to_clipboard, query, view::view};

/// Buttons that copy what is on screen, and links to the files.
#[component]
pub(crate) fn TakeAway(board: Board) -> impl IntoView {
    let message = RwSignal::new("");
    let copy = move |format| {
        let text = board.shown.with_untracked(|shown| written(shown, format));
        spawn_local(async move {
            let is_copied = write_to_clipboard(&text).await.is_ok();
            // It is gone if the page was left meanwhile.
            message.try_set(if is_copied {
                "Copied."
            } else {
                "Your browser does not let this page copy. Download a file instead."
            });
        });
    };
    let buttons = TextFormat::ALL.map(|format| {
        view! {
            <button type="button" class="small" on:click=move |_| copy(format)>
                {format!("Copy as {}", format.name())}
            </button>
        }
    });
    let file = move |extension| {
        move || {
            board.shown.with(|shown| query::matrix_file(shown.project, shown.switches, extension))
        }
    };
    let study = move || board.shown.with(|shown| query::study_file(shown.project, shown.switches));
    view! {
        <section class="exports take-away" aria-label="Take away">
            <div class="row">
                {buttons.into_iter().collect_view()}
                <a class="button small" download="" rel="external" href=file("html")>"Report"</a>
                <a download="" rel="external" href=file("csv")>"Download CSV"</a>
                <a download="" rel="external" href=file("json")>"Download JSON"</a>
                <a download="" rel="external" href=file("svg")>"Download picture (SVG)"</a>
                <a download="" rel="external" href=study>"Download as a study"</a>
                <p role="status">{move || message.get()}</p>
            </div>
            <p class="soft">
                "The files have the counts of every pair, JSON those of every document too, with the seeds of the intervals: R or Python can compute it all again. The study says who said what at each position: `concord measure` and other programs read it."
            </p>
        </section>
    }
}
