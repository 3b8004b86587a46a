//! A project's webhooks: where its news is sent, which news, and what became of it.

mod chosen;
mod deliveries;
mod form;

use domain::{ProjectId, WebhookView, WebhooksView};

use self::{chosen::Chosen, deliveries::Deliveries, form::NewWebhookForm};
use crate::pages::components::prelude::*;

/// The most webhooks that a project may have.
const MOST: usize = 10;

#[component]
pub(crate) fn WebhooksPage() -> impl IntoView {
    let project = use_project_id();
    let chosen = in_query("webhook").map(|id| id.parse().unwrap_or_default());
    let webhooks = load_with(move |services, actor| async move {
        services::outside::webhooks::load(&services, &actor, project, chosen).await
    });
    view! {
        <PageBody title="Webhooks" class="page webhooks">
            <Lead line="Project events are sent as JSON by POST: names of people and documents, never their text." about="webhooks">
                <p>"Unless the answer is a status of 200 to 299, delivery is tried four more times within about half an hour."</p>
                <p>"The header concord-signature is v1= and the HMAC-SHA-256, in hexadecimal digits, of the header concord-timestamp, a full stop and the body."</p>
            </Lead>
            <Loaded resource=webhooks titled=true view=move |view| view! { <View project view/> }/>
        </PageBody>
    }
}

#[component]
fn View(project: ProjectId, view: WebhooksView) -> impl IntoView {
    let WebhooksView { webhooks, chosen } = view;
    let is_full = webhooks.len() >= MOST;
    let looked_at = chosen.and_then(|(id, deliveries)| {
        let webhook = webhooks.iter().find(|webhook| webhook.id == id)?.clone();
        let is_paused = webhook.paused;
        Some(view! {
            <Chosen project webhook/>
            <Deliveries place=(project, id) is_paused deliveries/>
        })
    });
    let add = if is_full {
        view! { <p class="notice">"Maximum of 10 webhooks reached. Remove one to add another."</p> }
    } else {
        view! { <NewWebhookForm project/> }
    };
    view! {
        <List project webhooks/>
        {looked_at}
        {add}
    }
}

/// All of them, each a link to the one that is looked at.
#[component]
fn List(project: ProjectId, webhooks: Vec<WebhookView>) -> impl IntoView {
    if webhooks.is_empty() {
        return view! { <p class="empty">"No webhooks."</p> };
    }
    let rows = webhooks
        .into_iter()
        .map(|WebhookView { id, url, events, paused, .. }| {
            let address = format!("/projects/{project}/settings/webhooks?webhook={id}");
            let (sign, word, class) =
                if paused { ("‖", "paused", "soft") } else { ("✓", "active", "good") };
            let events: Vec<_> = events.iter().map(|event| event.name()).collect();
            view! {
                <tr>
                    <th scope="row"><a href=address dir="ltr" class="secret">{url}</a></th>
                    <td>
                        <span class=format!("badge {class}")>
                            <span aria-hidden="true">{sign}</span>{word}
                        </span>
                    </td>
                    <td>{events.join(", ")}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Table label="Webhooks">
            {heads([Text("Address"), Text("State"), Text("Events")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}
