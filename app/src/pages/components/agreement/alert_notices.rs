//! The alerts that stand: whose agreement lies under a limit, since when, and where to look.

use domain::{AlertNotice, ProjectId};

use crate::pages::components::prelude::*;

/// So many are shown at once; more fold away under their number.
const MOST: usize = 3;

/// The alerts that stand.
pub(crate) async fn load_standing(project: ProjectId) -> Result<Vec<AlertNotice>, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::alerts::standing(&services, &actor, project).await)
}

/// A notice for each alert; nothing while there is none.
#[component]
pub(crate) fn AlertNotices(project: ProjectId, notices: Vec<AlertNotice>) -> impl IntoView {
    if notices.is_empty() {
        return ().into_any();
    }
    let count = notices.len();
    let rows = notices
        .into_iter()
        .map(|notice| view! { <li class="notice danger"><Notice project notice/></li> })
        .collect_view();
    let list = view! { <ul class="plain-list stack tight" aria-label="Alerts">{rows}</ul> };
    if count <= MOST {
        return list;
    }
    view! {
        <details class="notice danger">
            <summary>{format!("▼ {count} values below a limit")}</summary>
            {list}
        </details>
    }
}

/// "κ of Ada × Ben: the lower bound 0.41 is under your limit 0.60, since …".
#[component]
fn Notice(project: ProjectId, notice: AlertNotice) -> impl IntoView {
    let AlertNotice { rule, pair, fired_at, value, lower, n, .. } = notice;
    let symbol = rule.measure.called(rule.subject);
    let switches = rule.switches();
    let (address, whose) = match pair {
        Some((first, second)) => (
            query::pair_address(project, first.id, second.id, switches),
            view! { <bdi>{first.name}</bdi>" × "<bdi>{second.name}</bdi> },
        ),
        None => (query::matrix_address(project, switches), view! { <span>"all labelers"</span> }),
    };
    let [value, lower, limit] =
        [value, lower, rule.limit].map(|number| display::decimals(number, 2));
    view! {
        <p>
            <span aria-hidden="true">"▼ "</span>
            {symbol}" of "<a href=address>{whose}</a>
            <span class="number">
                {format!(": lower bound {lower} below the limit {limit} since ")}
                <Moment at=fired_at/>
                {format!("; value then {value}, of {}.", display::count(n, "position"))}
            </span>
        </p>
    }
}
