//! A count as a link to exactly the positions that it counts.

use domain::{PositionOutcome, PositionQuery, ProjectId, WalkList};

use crate::pages::components::{agreement::walk_through::can_be_walked, prelude::*};

/// The count; nothing to count is no link. Where it counts disagreements, a walk through them
/// begins beside it.
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
    let is_worth_a_walk = is_worth_a_walk(&query);
    let list = WalkList::Positions(query);
    let walk = (is_worth_a_walk && can_be_walked(&list)).then(|| {
        let name = format!("Step through these {words}");
        let address = query::walk_address(project, &list, None, None);
        view! { " "<a class="walk-through" href=address aria-label=name title="Step through these">"⇥"</a> }
    });
    view! { <a class="counted" href=address aria-label=words>{number}</a>{walk} }
}

/// Whether a whole kind of disagreement is counted, and not one cell of it.
fn is_worth_a_walk(query: &PositionQuery) -> bool {
    match query.boundary {
        Some(_) => query.outcome == PositionOutcome::Any,
        None => query.outcome == PositionOutcome::Differ,
    }
}
