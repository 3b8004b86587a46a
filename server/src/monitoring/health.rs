//! Whether the server answers at all, for whoever watches over it.

/// Answers.
pub(crate) async fn load() -> &'static str {
    "ok\n"
}
