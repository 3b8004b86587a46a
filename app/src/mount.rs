//! Takes the islands of a page over: what the server has rendered gives way to what works.

use leptos::{mount::mount_to, prelude::*};
use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::{
    islands::{annotator::Annotator, reviewer::Reviewer},
    view::view,
};

/// Mounts every island of the page where it stands. It is put together in one go, so that nobody
/// sees the page without it.
pub(crate) fn mount_islands() {
    let Ok(hosts) = document().query_selector_all("[data-island]") else { return };
    for place in 0..hosts.length() {
        let Some(host) = hosts.item(place).and_then(|host| host.dyn_into().ok()) else { continue };
        mount_island(&host);
    }
}

fn mount_island(host: &HtmlElement) {
    match host.dataset().get("island").as_deref() {
        Some("annotator") => mount(host, |view| view! { <Annotator view/> }),
        Some("reviewer") => mount(host, |review| view! { <Reviewer review/> }),
        _ => {}
    }
}

/// Mounts an island with what the page says it is made of.
fn mount<T: DeserializeOwned + 'static>(
    host: &HtmlElement,
    island: impl FnOnce(T) -> AnyView + 'static,
) {
    let Ok(Some(data)) = host.query_selector("script[type='application/json']") else { return };
    let data = data.text_content().unwrap_or_default();
    match serde_json::from_slice(data.as_bytes()) {
        Ok(data) => {
            host.replace_children_with_node_0();
            mount_to(host.clone(), move || island(data)).forget();
        }
        // The server that made the page is the one that made this build.
        Err(error) => leptos::logging::error!("the page cannot be read: {error}"),
    }
}
