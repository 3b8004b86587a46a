//! A count as a link to exactly the positions that it counts.

use domain::{PositionQuery, ProjectId};
use leptos::prelude::*;

use crate::{display, pages::query, view::view};

/// The count; nothing to count is no link.
#[component]
pub(crate) fn Counted(
    project: ProjectId,
    count: u64,
    query: PositionQuery,
    /// What is counted, for who hears the link and does not see where it stands.
    #[prop(into)]
    of: String,
) -> impl IntoView {
    let number = display::thousands(count);
    if count == 0 {
        return view! { <span class="soft">{number}</span> };
    }
    let address = query::positions_address(project, &query);
    let words = format!("{number} {of}");
    view! { <a class="counted" href=address aria-label=words>{number}</a> }
}
