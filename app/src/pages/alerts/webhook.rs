//! Where alerts are sent: an address, and the secret that proves where they come from.

use domain::{ProjectId, WebhookView};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::alerts::{HideSecret, RemoveWebhook, SaveWebhook, TryWebhook},
    display,
    pages::components::field::{Field, Problem, refusal},
    view::view,
};

#[component]
pub(super) fn Webhook(project: ProjectId, webhook: Option<WebhookView>) -> impl IntoView {
    let save = ServerAction::<SaveWebhook>::new();
    let refused = refusal(save.into());
    let (title, button) = match webhook {
        Some(_) => ("Another address", "Save with a new secret"),
        None => ("Send alerts to an address", "Save"),
    };
    view! {
        <section class="stack" aria-labelledby="webhook">
            <h2 id="webhook">"Webhook"</h2>
            <p class="soft">
                "Every alert is sent to this address as JSON by POST when it is raised and when it is cleared, "
                "with the names of the raters in it. What is not answered with a status of 200 to 299 is tried four times more within about half an hour. "
                "The header concord-signature is v1= and the HMAC-SHA-256, in hexadecimal digits, of the header concord-timestamp, a full stop and the body."
            </p>
            {webhook.map(|webhook| view! { <Present project webhook/> })}
            <ActionForm action=save attr:class="card stack">
                <h3>{title}</h3>
                <input type="hidden" name="project" value=project.to_string()/>
                <Field form="webhook" name="url" label="Address" kind="url" hint="https://… or http://…" refusal=refused.clone()/>
                <Problem refusal=refused fields=&["url"]/>
                <div class="actions"><button class="primary">{button}</button></div>
            </ActionForm>
        </section>
    }
}

/// The webhook that is set: its secret until it is copied, a try, and the end of it.
#[component]
fn Present(project: ProjectId, webhook: WebhookView) -> impl IntoView {
    let hide = ServerAction::<HideSecret>::new();
    let send = ServerAction::<TryWebhook>::new();
    let remove = ServerAction::<RemoveWebhook>::new();
    let secret = webhook.secret.map(|secret| {
        view! {
            <div class="notice warn">
                <p>"The secret that deliveries are signed with. Copy it now: it is not shown again."</p>
                <p><code class="secret">{secret}</code></p>
                <ActionForm action=hide>
                    <input type="hidden" name="project" value=project.to_string()/>
                    <button class="small">"I have copied it"</button>
                </ActionForm>
            </div>
        }
    });
    view! {
        {secret}
        <div class="card stack">
            <p>
                "Alerts are sent to "<code dir="ltr" class="secret">{webhook.url}</code>
                <span class="soft number">{format!(", set {}", display::time(webhook.created_at))}</span>
            </p>
            <div class="row">
                <ActionForm action=send>
                    <input type="hidden" name="project" value=project.to_string()/>
                    <button class="small">"Send a test"</button>
                </ActionForm>
                <ActionForm action=remove>
                    <input type="hidden" name="project" value=project.to_string()/>
                    <button class="small">"Remove"</button>
                </ActionForm>
            </div>
        </div>
    }
}
