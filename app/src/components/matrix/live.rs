//! The live part of the matrix page: it follows the work of others where it stands.

use domain::{AgreementSnapshot, Role};
use leptos::prelude::*;

use super::{
    arrange::Arrange,
    board::Board,
    freshness::FreshnessLine,
    grid::MatrixGrid,
    missing::{Missing, MissingNotice, missing},
    seen::SeenLine,
    several::SeveralTable,
    take_away::TakeAway,
};
use crate::{
    live::use_live_agreement,
    view::{dynamic, view},
};

/// The matrix with everything that follows it: how fresh it is, what has changed, what is missing.
/// What the server has rendered stands until the stream has something newer; from then on numbers
/// change where they stand.
#[island]
pub(crate) fn LiveMatrix(
    /// The matrix as the server has rendered it.
    first: AgreementSnapshot,
    /// What the viewer is in the project.
    role: Role,
) -> impl IntoView {
    let newest = RwSignal::new(first);
    let freshness = use_live_agreement(newest);
    let board = Board::new(newest);
    let lacking = Memo::new(move |_| board.shown.with(missing));
    let last_change = Signal::derive(move || board.shown.with(|shown| shown.last_change.clone()));
    let notice = dynamic(move || {
        lacking.get().map(|missing| {
            let snapshot = board.shown.get_untracked();
            view! { <MissingNotice missing snapshot role/> }
        })
    });
    let has_raters = Memo::new(move |_| lacking.get() != Some(Missing::Raters));
    view! {
        <div class="live-line">
            <FreshnessLine freshness last_change/>
            <SeenLine board/>
        </div>
        {notice}
        <Show when=move || has_raters.get()>
            <Arrange board/>
            <MatrixGrid board/>
            <TakeAway board/>
            <SeveralTable board/>
        </Show>
    }
}
