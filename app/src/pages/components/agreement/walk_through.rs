//! The way from a list of positions to a walk through it.

use domain::{PositionKind, ProjectId, WalkList};

use crate::pages::components::prelude::*;

/// Whether a list can be walked through: what is decided on the way are exact positions.
pub(crate) fn can_be_walked(list: &WalkList) -> bool {
    list.switches().policy.positions() == PositionKind::Exact
}

/// A link that begins the walk; an empty list has none.
#[component]
pub(crate) fn WalkThrough(project: ProjectId, list: WalkList, total: u64) -> impl IntoView {
    if !can_be_walked(&list) {
        return None;
    }
    let words = match total {
        0 => return None,
        1 => "Step to this position",
        // How many steps that are, the walk says: several positions can be one.
        _ => "Step through these",
    };
    let address = query::walk_address(project, &list, None, None);
    Some(view! { <a class="button" href=address>{words}</a> })
}
