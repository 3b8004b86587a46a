//! Where alerts are sent, and the way to the page that says so.

use domain::ProjectId;
use leptos::prelude::*;

use crate::view::view;

#[component]
pub(super) fn SentTo(project: ProjectId, addresses: Vec<String>) -> impl IntoView {
    let list = if addresses.is_empty() {
        view! { <p class="empty">"Alerts are sent nowhere: no webhook is told of them."</p> }
    } else {
        let rows = addresses
            .into_iter()
            .map(|url| view! { <li><code dir="ltr" class="secret">{url}</code></li> })
            .collect_view();
        view! {
            <p>"Every alert is sent there when it is raised and when it is cleared:"</p>
            <ul>{rows}</ul>
        }
    };
    view! {
        <section class="stack" aria-labelledby="sent-to">
            <h2 id="sent-to">"Where alerts are sent"</h2>
            {list}
            <p><a class="button" href=format!("/projects/{project}/webhooks")>"Webhooks"</a></p>
        </section>
    }
}
