//! Takes the islands of a page over: what the server has rendered gives way to what works.

use leptos::{mount::mount_to, prelude::*};
use serde::de::DeserializeOwned;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::{
    islands::{annotator::Annotator, editor::text_view::TEXT, reviewer::Reviewer},
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
        Some("reviewer") => mount(host, |(review, keys)| view! { <Reviewer review keys/> }),
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
            let drawn = text_in(host);
            host.replace_children_with_node_0();
            mount_to(host.clone(), move || island(data)).forget();
            take_over(host, drawn.as_ref());
        }
        // The server that made the page is the one that made this build.
        Err(error) => leptos::logging::error!("the page cannot be read: {error}"),
    }
}

fn text_in(host: &HtmlElement) -> Option<Element> {
    host.query_selector(&format!("#{TEXT}")).ok().flatten()
}

/// Moves the text that the server has drawn into the text view that takes its place: it is neither
/// drawn twice nor laid out from nothing.
fn take_over(host: &HtmlElement, drawn: Option<&Element>) {
    let (Some(drawn), Some(text)) = (drawn, text_in(host)) else { return };
    while let Some(block) = drawn.first_child() {
        // It cannot fail for an element that is no ancestor of the text.
        drop(text.append_child(&block));
    }
}
