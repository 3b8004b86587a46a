//! What stands in a browser for a page that only the server has.

use std::time::Duration;

use leptos::prelude::*;

/// Leads to the page whose address was just chosen. The router has by then put the address into
/// the history, so loading anew is all there is to do.
#[component]
pub(crate) fn FromServer() -> impl IntoView {
    // It fails only where a document may not be left, which ours can always be.
    set_timeout(|| drop(window().location().reload()), Duration::ZERO);
}
