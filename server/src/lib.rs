//! The axum shell around the product: who is asking, over which path, within which limits. What
//! is permitted and what is done is decided in `services`.

pub mod cli;
mod events;
mod files;
mod heads;
mod health;
mod metrics;
mod middleware;
mod openapi;
mod pages;
mod problem;
mod proxies;
mod public_url;
mod refusals;
mod rest;
mod router;
pub mod routes;
mod serving;
mod site;

pub use files::Assets;
pub use pages::list as list_pages;
pub use proxies::TrustedProxy;
pub use public_url::PublicUrl;
pub use router::router;
pub use site::Site;
