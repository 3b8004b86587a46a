//! Listeners on the document, for events that do not reach the window; they end with their owner.

use leptos::prelude::{document, on_cleanup};
use send_wrapper::SendWrapper;
use wasm_bindgen::{JsCast, prelude::Closure};
use web_sys::Event;

/// Listens until the owner that it is called under is cleaned up.
pub(crate) fn on_document(event: &'static str, mut heard: impl FnMut() + 'static) {
    let closure = Closure::<dyn FnMut(Event)>::new(move |_| heard());
    // It cannot fail for a function.
    drop(document().add_event_listener_with_callback(event, closure.as_ref().unchecked_ref()));
    let closure = SendWrapper::new(closure);
    on_cleanup(move || {
        let listener = closure.as_ref().unchecked_ref();
        drop(document().remove_event_listener_with_callback(event, listener));
    });
}
