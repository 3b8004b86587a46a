//! What a call to the server can fail with, as the browser sees it.

use domain::Error;
use serde::{Deserialize, Serialize};
use server_fn::{
    codec::JsonEncoding,
    error::{FromServerFnError, ServerFnErrorErr},
};
use thiserror::Error as ThisError;

/// The server said no, or it could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, ThisError, Serialize, Deserialize)]
pub enum ApiError {
    /// The server's answer.
    #[error("{0}")]
    App(#[from] Error),
    /// No answer that could be understood: offline, a proxy's page, a newer server.
    #[error("the server cannot be reached")]
    Transport(String),
}

impl FromServerFnError for ApiError {
    type Encoder = JsonEncoding;

    fn from_server_fn_error(error: ServerFnErrorErr) -> Self {
        crate::refuse_unreadable(&error).unwrap_or_else(|| Self::Transport(error.to_string()))
    }
}
