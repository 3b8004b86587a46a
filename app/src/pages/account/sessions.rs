//! Where one is signed in, with buttons that end it.

use domain::OwnSession;

use crate::{
    api::account::{EndSession, SignOutEverywhere},
    pages::components::prelude::*,
};

/// One's sessions.
#[component]
pub(super) fn Sessions(sessions: Vec<OwnSession>) -> impl IntoView {
    let end = ServerAction::<EndSession>::new();
    let everywhere = ServerAction::<SignOutEverywhere>::new();
    let rows = sessions.into_iter().map(|session| row(session, end)).collect::<Vec<_>>();
    view! {
        <Section title_id="sessions-title" title="Active sessions">
            <Problem refusal=refusal(end.into())/>
            <Table labelled_by="sessions-title" class="rows blocks">
                {heads([Text("Browser"), Text("From"), Text("Signed in"), Text("Last seen"), Hidden("Actions")])}
                <tbody>{rows}</tbody>
            </Table>
            <ActionForm action=everywhere>
                <button>"Sign out everywhere"</button>
            </ActionForm>
        </Section>
    }
}

fn row(session: OwnSession, end: ServerAction<EndSession>) -> AnyView {
    let OwnSession { is_this, device, address, started_at, last_seen_at, .. } = session;
    let device = if device.is_empty() { "Unknown".to_owned() } else { device };
    let last_seen = if is_this {
        view! { <strong>"This session"</strong> }
    } else {
        view! { <Moment at=last_seen_at/> }
    };
    let named = device.clone();
    let action = if is_this {
        ().into_any()
    } else {
        view! {
            <ActionForm action=end>
                <input type="hidden" name="started" value=started_at.timestamp_micros().to_string()/>
                <button class="small">
                    "End"<span class="visually-hidden">" the session of "{named}", since "<Moment at=started_at/></span>
                </button>
            </ActionForm>
        }
    };
    view! {
        <tr>
            <th scope="row">{device}</th>
            <td data-head="From">{address}</td>
            <td class="time" data-head="Signed in"><Moment at=started_at/></td>
            <td class="time" data-head="Last seen">{last_seen}</td>
            <td class="tools">{action}</td>
        </tr>
    }
}
