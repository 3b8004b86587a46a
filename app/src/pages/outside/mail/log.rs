//! What was sent, to whom, when and with what outcome.

use domain::{MailId, MailLog, MailOutcome, MailRow};

use crate::pages::{account::administration::Sections, components::prelude::*};

#[component]
pub(crate) fn MailPage() -> impl IntoView {
    let before: Option<MailId> = query::read(&in_query, "before");
    let log = load_with(move |services, actor| async move {
        services::outside::mail::load_log(&services, &actor, before).await
    });
    view! {
        <PageBody title="E-mail" class="page">
            <Sections/>
            <Loaded resource=log titled=true view=move |log| {
                view! { <Log log is_first=before.is_none()/> }
            }/>
        </PageBody>
    }
}

#[component]
fn Log(log: MailLog, is_first: bool) -> impl IntoView {
    let MailLog { is_on, rows, goes_on } = log;
    let off = (!is_on).then(|| {
        view! {
            <p class="notice">
                "This server sends no mail: people are given links. Set " <code>"--smtp-url"</code> " to change that."
            </p>
        }
    });
    let latest = (!is_first)
        .then(|| view! { <a class="button small" rel="prev" href="/admin/mail">"Latest"</a> });
    let earlier = rows.last().filter(|_| goes_on).map(|last| {
        let address = format!("/admin/mail?before={}", last.id);
        view! { <a class="button small" rel="next" href=address>"Earlier"</a> }
    });
    let pager = (latest.is_some() || earlier.is_some())
        .then(|| view! { <nav class="row" aria-label="Pages">{latest}{earlier}</nav> });
    let content = if rows.is_empty() {
        view! { <p class="empty">"Nothing sent yet."</p> }
    } else {
        view! { <Rows rows/> }
    };
    view! {
        {off}
        <p class="soft">"Kept for 90 days, without what was written."</p>
        {content}
        {pager}
    }
}

#[component]
fn Rows(rows: Vec<MailRow>) -> impl IntoView {
    let rows = rows
        .into_iter()
        .map(|row| {
            let (sign, word, class) = state(row.outcome);
            let when = row.ended_at.unwrap_or(row.created_at);
            view! {
                <tr>
                    <td data-head="When" class="time"><Moment at=when/></td>
                    <th scope="row">
                        <bdi>{row.name.clone().or(row.address.clone())}</bdi>
                    </th>
                    <td data-head="Address"><bdi>{row.address}</bdi></td>
                    <td data-head="Kind">{row.kind.words()}</td>
                    <td data-head="Project"><bdi>{row.project}</bdi></td>
                    <td data-head="State">
                        <span class=format!("badge {class}")>
                            <span aria-hidden="true">{sign}</span>{word}
                        </span>
                    </td>
                    <td class="number" data-head="Tries">{row.attempts.to_string()}</td>
                    <td data-head="Answer"><bdi>{row.problem}</bdi></td>
                    <td data-head="Next try" class="time">{row.next_at.map(|at| view! { <Moment at/> })}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Table label="E-mail" class="rows blocks">
            {heads([
                Text("When"), Text("To"), Text("Address"), Text("Kind"), Text("Project"), Text("State"),
                Number("Tries"), Text("Answer"), Text("Next try"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

const fn state(outcome: Option<MailOutcome>) -> (&'static str, &'static str, &'static str) {
    match outcome {
        None => ("○", "waiting", "soft"),
        Some(MailOutcome::Sent) => ("✓", "sent", "good"),
        Some(MailOutcome::Refused) => ("■", "refused", "danger"),
        Some(MailOutcome::GivenUp) => ("■", "given up", "danger"),
        Some(MailOutcome::Unsubscribed) => ("–", "unsubscribed", "soft"),
        Some(MailOutcome::Outdated) => ("–", "outdated", "soft"),
    }
}
