//! Where alerts are sent, and the way to the page that says so.

use domain::ProjectId;

use crate::pages::components::prelude::*;

#[component]
pub(super) fn SentTo(project: ProjectId, addresses: Vec<String>) -> impl IntoView {
    let list = if addresses.is_empty() {
        view! { <p class="empty">"No webhook receives alerts."</p> }
    } else {
        let rows = addresses
            .into_iter()
            .map(|url| view! { <li><code dir="ltr" class="secret">{url}</code></li> })
            .collect_view();
        view! {
            <p>"Sent when an alert is raised and when it is cleared:"</p>
            <ul>{rows}</ul>
        }
    };
    view! {
        <Section title_id="sent-to" title="Webhooks for alerts">
            {list}
            <p><a class="button" href=format!("/projects/{project}/settings/webhooks")>"Webhooks"</a></p>
        </Section>
    }
}
