//! What the address of the page says.

use std::str::FromStr;

use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

/// What a part of the path names. A part that names none gives the default, which nothing has: it
/// leads to "not found".
pub(crate) fn in_path<T: FromStr + Default>(name: &str) -> T {
    let part = use_params_map().read_untracked().get(name);
    part.and_then(|part| part.parse().ok()).unwrap_or_default()
}

/// A field of the query.
pub(crate) fn in_query(name: &str) -> Option<String> {
    use_query_map().read_untracked().get(name)
}
