//! How fresh the numbers of a page are that is only read.

use domain::{ProjectId, Revision, Switches};
use leptos::prelude::*;

use crate::{query, view::view};

/// What the page's script says of the stream that brings what has changed; the first is
/// what holds without a script.
const STATES: [(&str, &str, &str, &str); 4] = [
    ("waiting", "○", "As of page load", "soft"),
    ("live", "●", "Live", "good"),
    ("offline", "△", "Offline, retrying", "warn"),
    ("ended", "■", "Ended: reload the page", "danger"),
];

/// Has the page follow a project: it shows what has moved as soon as it has.
#[component]
pub(crate) fn LiveLine(
    project: ProjectId,
    /// Intervals under these switches are computed for as long as the page is open.
    switches: Switches,
    /// The revision that the page shows.
    revision: Revision,
    /// Whether the page waits for intervals that are being computed.
    #[prop(optional)]
    pending: bool,
) -> impl IntoView {
    let words = STATES.into_iter().enumerate().map(|(place, (state, icon, words, class))| {
        let class = format!("badge {class}");
        view! {
            <span class=class data-state=state hidden=(place > 0)>
                <span aria-hidden="true">{icon}</span>{words}
            </span>
        }
    });
    view! {
        <p
            class="live-line"
            role="status"
            data-live=query::followed(project, switches)
            data-revision=revision.to_string()
            data-pending=pending.then_some("")
        >
            {words.collect_view()}
        </p>
    }
}
