//! Asks for an address and for the events that are sent there.

use std::collections::BTreeSet;

use domain::{ProjectId, WebhookEvent};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::outside::webhooks::AddWebhook,
    pages::components::field::{Field, Problem, Refusal, refusal},
    view::view,
};

/// What an event is, in words.
const fn meaning(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::AlertFired => "an alert is raised",
        WebhookEvent::AlertCleared => "an alert is cleared",
        WebhookEvent::AssignmentSubmitted => "a labeler submits a document",
        WebhookEvent::ReviewSubmitted => "a reviewer ends a review",
        WebhookEvent::GoldLocked => "a gold standard is locked",
        WebhookEvent::ImportFinished => "an import ends",
        WebhookEvent::Test => "somebody sends a test",
    }
}

/// The form that adds a webhook.
#[component]
pub(super) fn NewWebhookForm(project: ProjectId) -> impl IntoView {
    let add = ServerAction::<AddWebhook>::new();
    let refused = refusal(add.into());
    view! {
        <section class="card" aria-labelledby="new-webhook">
            <h2 id="new-webhook">"New webhook"</h2>
            <ActionForm action=add attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <Fields form="new" url=None events=BTreeSet::new() refused/>
                <div class="actions"><button class="primary">"Add webhook"</button></div>
            </ActionForm>
        </section>
    }
}

/// The address and the events of a form of this name.
#[component]
pub(super) fn Fields(
    form: &'static str,
    url: Option<String>,
    events: BTreeSet<WebhookEvent>,
    refused: Refusal,
) -> impl IntoView {
    let boxes = WebhookEvent::choices()
        .enumerate()
        .map(|(place, event)| {
            view! {
                <label class="check">
                    <input
                        type="checkbox"
                        name=format!("events[{place}]")
                        value=event.name()
                        checked=events.contains(&event)
                    />
                    <span>{meaning(event)}" "<code>{event.name()}</code></span>
                </label>
            }
        })
        .collect_view();
    view! {
        <Field
            form
            name="url"
            label="Address"
            kind="url"
            hint="https://… or http://…"
            initial=url.unwrap_or_default()
            refusal=refused.clone()
        />
        <fieldset>
            <legend>"Sent when"</legend>
            {boxes}
        </fieldset>
        <Problem refusal=refused fields=&["url"]/>
    }
}
