//! The adjudication list as a table; on narrow screens its rows become cards.

use std::sync::Arc;

use domain::{DisagreementOrder, DisagreementQuery, Dispute, Label, ProjectId, Rater};

use super::{place::Way, row::DisagreementRow};
use crate::pages::components::prelude::*;

/// The rows of a page of the list.
#[component]
pub(crate) fn DisagreementTable(
    raters: Vec<Rater>,
    rows: Vec<Dispute>,
    labels: Arc<[Label]>,
    /// Where rows lead.
    way: Way,
    /// The query that the heads sort; without it they are plain text.
    #[prop(optional_no_strip)]
    sorting: Option<(ProjectId, DisagreementQuery)>,
) -> impl IntoView {
    let rows = rows.into_iter().map(|row| {
        view! { <DisagreementRow row raters=raters.clone() labels=labels.clone() way=way.clone()/> }
    });
    view! {
        <table class="rows disagreements">
            <caption class="visually-hidden">"Positions on which raters differ"</caption>
            <thead>
                <tr>
                    <SortableHead text="Position" order=DisagreementOrder::Document sorting/>
                    <SortableHead text="Kind" order=DisagreementOrder::Kind sorting/>
                    <th scope="col">"Raters"</th>
                    <SortableHead text="Decision" order=DisagreementOrder::Decided sorting/>
                </tr>
            </thead>
            <tbody>{rows.collect_view()}</tbody>
        </table>
        <StepKeys/>
    }
}

/// How the rows are walked through by keyboard.
#[component]
pub(crate) fn StepKeys() -> impl IntoView {
    view! {
        <p class="soft keys">
            "On a row, "<kbd>"↓"</kbd>" "<kbd>"↑"</kbd>" step through the list, "
            <kbd>"Enter"</kbd>" opens the position."
        </p>
    }
}

/// A head that sorts by its column.
#[component]
fn SortableHead(
    text: &'static str,
    order: DisagreementOrder,
    sorting: Option<(ProjectId, DisagreementQuery)>,
) -> impl IntoView {
    let Some((project, query)) = sorting else {
        return view! { <th scope="col">{text}</th> };
    };
    let (state, arrow) = match (query.order == order, query.descending) {
        (false, _) => (None, ""),
        (true, false) => (Some("ascending"), " ▲"),
        (true, true) => (Some("descending"), " ▼"),
    };
    let address = query::disagreements_address(project, &query::sorted_by(&query, order));
    view! {
        <th scope="col" aria-sort=state>
            <a href=address>{text}<span aria-hidden="true">{arrow}</span></a>
        </th>
    }
}
