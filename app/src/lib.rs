//! The user interface: pages rendered on the server, and the islands of them that work in the browser.

#![expect(unreachable_pub, reason = "the component macro makes its functions and props public")]

pub mod api;
#[cfg(feature = "ssr")]
pub mod context;
pub mod display;
mod error;
pub mod islands;
#[cfg(feature = "csr")]
mod mount;
#[cfg(feature = "ssr")]
mod pages;
#[cfg(feature = "ssr")]
mod query;
#[cfg(feature = "ssr")]
mod routes;
#[cfg(feature = "ssr")]
mod shell;
mod view;

#[cfg(feature = "ssr")]
pub use context::loading::with_loads;
#[cfg(feature = "ssr")]
pub(crate) use context::refuse_unreadable;
pub use error::ApiError;
#[cfg(feature = "ssr")]
pub use pages::{ComparisonOutcome, FilesCompared, ImportStage};
#[cfg(feature = "ssr")]
pub use routes::App;
#[cfg(feature = "ssr")]
pub use shell::{FrontEnd, PageKind, shell};

/// Whether this build renders pages, or takes over what was rendered.
pub(crate) const RENDERS: bool = cfg!(feature = "ssr");

/// Requests are read by the server.
#[cfg(not(feature = "ssr"))]
pub(crate) fn refuse_unreadable(_: &server_fn::error::ServerFnErrorErr) -> Option<ApiError> {
    None
}

/// Starts the islands of the page that the server has rendered.
#[cfg(feature = "csr")]
#[wasm_bindgen::prelude::wasm_bindgen]
pub fn start() {
    console_error_panic_hook::set_once();
    mount::mount_islands();
}
