//! The axum shell around the product: who is asking, over which path, within which limits. What
//! is permitted and what is done is decided in `services`.

pub mod cli;
mod files;
mod middleware;
mod monitoring;
mod pages;
mod rest;
pub mod routes;
mod serving;
mod site;

pub use pages::list as list_pages;
pub use routes::router::router;
pub use site::{Site, assets::Assets, proxies::TrustedProxy, public_url::PublicUrl};
