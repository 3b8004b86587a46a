//! Agreement: the matrix of all raters, and one pair of it.

mod matrix_page;
mod pair_page;

use domain::Switches;
use leptos::prelude::*;
use leptos_router::hooks::use_query_map;

pub(crate) use matrix_page::AgreementPage;
pub(crate) use pair_page::PairPage;

use crate::query;

/// The switches that the page's address names.
fn use_switches() -> Memo<Switches> {
    let parameters = use_query_map();
    Memo::new(move |_| query::read_switches(|name| parameters.read().get(name)))
}
