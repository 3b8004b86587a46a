//! Invitations that nobody has accepted yet, each with a button that takes it back.

use domain::{OpenInvitation, ProjectId};

use crate::{api::project::members::DeleteInvitation, pages::components::prelude::*};

/// The invitations as a table; nothing if there is none.
#[component]
pub(super) fn Invitations(project: ProjectId, invitations: Vec<OpenInvitation>) -> impl IntoView {
    let revoke = ServerAction::<DeleteInvitation>::new();
    let rows = invitations
        .into_iter()
        .map(|OpenInvitation { id, role, email, created_at, expires_at }| {
            let whose = email.unwrap_or_else(|| "anybody with the link".to_owned());
            let verb = format!("Revoke the invitation of {whose} as {role}");
            view! {
                <tr>
                    <th scope="row" dir="auto">{whose}</th>
                    <td>{role.name()}</td>
                    <td class="time"><Moment at=created_at/></td>
                    <td class="time"><Moment at=expires_at/></td>
                    <td class="tools">
                        <ActionForm action=revoke>
                            {hidden_fields([("project", &project), ("id", &id)])}
                            <button class="small" aria-label=verb>"Revoke"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <Section title_id="invitations-title" title="Open invitations">
                <Table labelled_by="invitations-title">
                    {heads([Text("For"), Text("Role"), Text("Made"), Text("Expires"), Hidden("Actions")])}
                    <tbody>{rows}</tbody>
                </Table>
            </Section>
        }
    });
    view! {
        <Problem refusal=refusal(revoke.into())/>
        {table}
    }
}
