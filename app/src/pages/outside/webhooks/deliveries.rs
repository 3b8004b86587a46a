//! What was or is to be sent to a webhook, each with its body and a way to send it again.

use domain::{Delivery, ProjectId, WebhookId};

use crate::{api::outside::webhooks::SendAgain, pages::components::prelude::*};

#[component]
pub(super) fn Deliveries(
    place: (ProjectId, WebhookId),
    is_paused: bool,
    deliveries: Vec<Delivery>,
) -> impl IntoView {
    let again = ServerAction::<SendAgain>::new();
    let form = move |delivery: &Delivery| {
        let id = delivery.id.to_string();
        let verb = format!("Resend delivery {id}");
        view! {
            <ActionForm action=again>
                {hidden_fields([("project", &place.0), ("webhook", &place.1), ("delivery", &id)])}
                <button class="small" aria-label=verb>"Resend"</button>
            </ActionForm>
        }
    };
    let table = if deliveries.is_empty() {
        view! { <p class="empty">"Nothing sent yet."</p> }
    } else {
        let rows = deliveries
            .into_iter()
            .map(|delivery| {
                let (sign, word, class) = state(&delivery);
                view! {
                    <tr>
                        <th scope="row" class="number">{delivery.id.to_string()}</th>
                        <td>
                            <details>
                                <summary><code>{delivery.event.name()}</code></summary>
                                <pre dir="ltr" class="delivery-body">{delivery.body.clone()}</pre>
                            </details>
                        </td>
                        <td class="time"><Moment at=delivery.created_at/></td>
                        <td>
                            <span class=format!("badge {class}")>
                                <span aria-hidden="true">{sign}</span>{word}
                            </span>
                        </td>
                        <td class="number">{delivery.attempts.to_string()}</td>
                        <td>{outcome(&delivery)}</td>
                        <td class="time">{delivery.next_at.map(|at| view! { <Moment at/> })}</td>
                        <td class="tools">{(!is_paused).then(|| form(&delivery))}</td>
                    </tr>
                }
            })
            .collect_view();
        view! {
            <Table label="Last deliveries">
                <caption class="visually-hidden">"The last 50 deliveries, latest first"</caption>
                {heads([
                    Text("Id"), Text("Event"), Text("Queued"), Text("State"), Number("Tries"),
                    Text("Last answer"), Text("Next attempt"), Hidden("Actions"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    view! {
        <Section title_id="deliveries" title="Deliveries">
            <Problem refusal=refusal(again.into())/>
            {table}
        </Section>
    }
}

const fn state(delivery: &Delivery) -> (&'static str, &'static str, &'static str) {
    match (delivery.delivered_at, delivery.next_at) {
        (Some(_), _) => ("✓", "arrived", "good"),
        (None, Some(_)) => ("○", "waiting", "soft"),
        (None, None) => ("■", "failed", "danger"),
    }
}

/// "HTTP 204", "not delivered".
fn outcome(delivery: &Delivery) -> String {
    match (delivery.status, &delivery.problem) {
        (_, Some(problem)) => problem.clone(),
        (Some(status), None) => format!("HTTP {status}"),
        (None, None) => "–".to_owned(),
    }
}
