//! Whether the server is alive, and whether it is ready, for whoever watches over it.

use std::sync::Arc;

use axum::{
    Extension,
    extract::State,
    response::{IntoResponse, Response},
};
use http::StatusCode;
use services::outside::standing::{NotReady, ready};

use crate::{Site, site::limits::busy::AsAsked};

/// It answers at all.
pub(crate) async fn alive() -> &'static str {
    "ok\n"
}

/// It can do what it is asked: its database answers and takes writes, with the tables of this version, and the
/// tallies in memory are up to date.
pub(crate) async fn is_ready(State(site): State<Arc<Site>>) -> Response {
    let why = match ready(&site.services).await {
        Ok(()) => return "ready\n".into_response(),
        Err(NotReady::Database) => "the database does not answer\n",
        Err(NotReady::Writer) => "the database takes no writes\n",
        Err(NotReady::StorageFull) => "the storage is full\n",
        Err(NotReady::Migrations) => "the database is not of this version\n",
        Err(NotReady::Behind) => "what other servers saved is not known here\n",
    };
    (StatusCode::SERVICE_UNAVAILABLE, Extension(AsAsked), why).into_response()
}
