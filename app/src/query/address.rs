//! What the address of the page says.

use std::str::FromStr;

use domain::{LabelId, ProjectId};
use leptos::prelude::*;
use leptos_router::hooks::{use_params_map, use_query_map};

/// What a part of the path names. A part that names none gives the default, which nothing has: it
/// leads to "not found".
pub(crate) fn in_path<T: FromStr + Default>(name: &str) -> T {
    in_path_if_there(name).unwrap_or_default()
}

/// What a part of the path names that not every address of the page has.
pub(crate) fn in_path_if_there<T: FromStr + Default>(name: &str) -> Option<T> {
    let part = use_params_map().read_untracked().get(name)?;
    Some(part.parse().unwrap_or_default())
}

/// The project that the page's address names; an address that names none leads to "not found".
pub(crate) fn use_project_id() -> ProjectId {
    in_path("project")
}

/// Where a label's attributes stand, or what is asked of documents.
pub(crate) fn label_address(project: ProjectId, label: LabelId) -> String {
    match label {
        LabelId::DOCUMENT => format!("/projects/{project}/settings/labels"),
        label => format!("/projects/{project}/settings/labels/{label}"),
    }
}

/// A field of the query.
pub(crate) fn in_query(name: &str) -> Option<String> {
    use_query_map().read_untracked().get(name)
}

/// All fields of the query that have a name.
pub(crate) fn all_in_query(name: &str) -> Vec<String> {
    use_query_map().read_untracked().get_all(name).unwrap_or_default()
}

/// The query as it was written.
pub(crate) fn whole_query() -> String {
    use_query_map().read_untracked().to_query_string()
}
