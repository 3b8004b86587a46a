//! The user interface: rendered on the server, hydrated in the browser.

#![expect(unreachable_pub, reason = "the component macro makes its functions and props public")]

pub mod api;
mod components;
#[cfg(feature = "ssr")]
pub mod context;
mod display;
mod error;
mod loading;
#[cfg(feature = "ssr")]
mod pages;
mod query;
#[cfg(feature = "ssr")]
mod reading;
#[cfg(feature = "ssr")]
mod routes;
#[cfg(feature = "ssr")]
mod shell;
mod view;

#[cfg(feature = "ssr")]
pub use components::matrix::text_table::{TextFormat, written as matrix_as_text};
pub use error::ApiError;
#[cfg(feature = "ssr")]
pub use reading::ImportStage;
#[cfg(feature = "ssr")]
pub use routes::App;
#[cfg(feature = "ssr")]
pub use shell::{FrontEnd, PageKind, shell};

/// Starts the user interface in the browser, on the page that the server has rendered.
#[cfg(feature = "hydrate")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn hydrate() {
    console_error_panic_hook::set_once();
    leptos::mount::hydrate_islands();
}
