//! Whether the server is alive, and whether it is ready, for whoever watches over it.

use std::sync::Arc;

use axum::extract::State;
use http::StatusCode;
use services::outside::standing::{NotReady, ready};

use crate::Site;

/// It answers at all.
pub(crate) async fn alive() -> &'static str {
    "ok\n"
}

/// It can answer what it is asked: its database does, with the tables that this version works on, and it
/// knows what others have saved.
pub(crate) async fn is_ready(State(site): State<Arc<Site>>) -> (StatusCode, &'static str) {
    match ready(&site.services).await {
        Ok(()) => (StatusCode::OK, "ready\n"),
        Err(NotReady::Database) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the database does not answer\n")
        }
        Err(NotReady::Migrations) => {
            (StatusCode::SERVICE_UNAVAILABLE, "the database is not of this version\n")
        }
        Err(NotReady::Behind) => {
            (StatusCode::SERVICE_UNAVAILABLE, "what other servers saved is not known here\n")
        }
    }
}
