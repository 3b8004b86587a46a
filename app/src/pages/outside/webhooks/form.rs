//! Asks for an address and for the events that are sent there.

use std::collections::BTreeSet;

use domain::{ProjectId, WebhookEvent};

use crate::{api::outside::webhooks::AddWebhook, pages::components::prelude::*};

/// What an event is, in words.
const fn meaning(event: WebhookEvent) -> &'static str {
    match event {
        WebhookEvent::AlertFired => "an alert is raised",
        WebhookEvent::AlertCleared => "an alert is cleared",
        WebhookEvent::AssignmentSubmitted => "a labeler submits a document",
        WebhookEvent::ReviewSubmitted => "a reviewer finishes a review",
        WebhookEvent::GoldLocked => "a gold standard is locked",
        WebhookEvent::ImportFinished => "an import finishes",
        WebhookEvent::Test => "someone sends a test",
    }
}

/// The form that adds a webhook.
#[component]
pub(super) fn NewWebhookForm(project: ProjectId) -> impl IntoView {
    let (add, refused) = form_action::<AddWebhook>();
    view! {
        <Section title_id="new-webhook" title="New webhook" class="card">
            <ActionForm action=add attr:class="stack">
                <input type="hidden" name="project" value=project.to_string()/>
                <Fields form="new" url=None events=BTreeSet::new() refused/>
                <div class="actions"><button class="primary">"Add webhook"</button></div>
            </ActionForm>
        </Section>
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
                <Check name=format!("events[{place}]") value=event.name() checked=events.contains(&event)><span>{meaning(event)}" "<code>{event.name()}</code></span></Check>
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
            <legend>"Send when"</legend>
            {boxes}
        </fieldset>
        <Problem refusal=refused fields=&["url"]/>
    }
}
