//! The webhook that is looked at: its secret until it is copied, a try, a pause, changes, its end.

use domain::{ProjectId, WebhookView};

use super::form::Fields;
use crate::{
    api::outside::webhooks::{
        ChangeWebhook, HideWebhookSecret, PauseWebhook, RemoveWebhook, SendTest,
    },
    pages::components::prelude::*,
};

#[component]
pub(super) fn Chosen(project: ProjectId, webhook: WebhookView) -> impl IntoView {
    let WebhookView { id, url, events, paused, secret, created_at, .. } = webhook;
    let change = ServerAction::<ChangeWebhook>::new();
    let hide = ServerAction::<HideWebhookSecret>::new();
    let send = ServerAction::<SendTest>::new();
    let pause = ServerAction::<PauseWebhook>::new();
    let remove = ServerAction::<RemoveWebhook>::new();
    let refused = refusal(change.into());
    let is_refused = refused.is_some();
    let ids = move || hidden_fields([("project", &project), ("webhook", &id)]);
    let secret = secret.map(|secret| {
        view! {
            <div class="notice warn">
                <p>"Signing secret. Copy it now: it is shown only once."</p>
                <p><code class="secret">{secret}</code></p>
                <ActionForm action=hide>
                    {ids()}
                    <button class="small">"I have copied it"</button>
                </ActionForm>
            </div>
        }
    });
    let test = (!paused).then(|| {
        view! {
            <ActionForm action=send>
                {ids()}
                <button class="small">"Send test"</button>
            </ActionForm>
        }
    });
    let (word, wish) = if paused { ("Resume", "false") } else { ("Pause", "true") };
    let state = paused.then(|| {
        view! {
            <p class="notice">
                "Paused: new events are not sent, now or later. Deliveries already waiting are sent when you resume."
            </p>
        }
    });
    view! {
        <section class="card stack" aria-labelledby="chosen">
            <h2 id="chosen" dir="ltr" class="secret">{url.clone()}</h2>
            <p class="soft number">"Added "<Moment at=created_at/></p>
            {state}
            {secret}
            <div class="row">
                {test}
                <ActionForm action=pause>
                    {ids()}
                    <input type="hidden" name="pause" value=wish/>
                    <button class="small">{word}</button>
                </ActionForm>
                <ActionForm action=remove>
                    {ids()}
                    <button class="small">"Remove"</button>
                </ActionForm>
            </div>
            <Problem refusal=refusal(send.into())/>
            <details open=is_refused>
                <summary>"Change address or events"</summary>
                <ActionForm action=change attr:class="stack">
                    {ids()}
                    <Fields form="change" url=Some(url) events refused/>
                    <p class="hint">"A new address gets a new secret."</p>
                    <div class="actions"><button class="primary">"Save"</button></div>
                </ActionForm>
            </details>
        </section>
    }
}
