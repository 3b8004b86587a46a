//! Invitations that nobody has accepted yet, each with a button that takes it back.

use domain::{OpenInvitation, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::project::members::DeleteInvitation,
    display,
    pages::components::{
        field::{Problem, refusal},
        table::{Hidden, Table, Text, heads},
    },
    view::view,
};

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
                    <td class="time">{display::time(created_at)}</td>
                    <td class="time">{display::time(expires_at)}</td>
                    <td class="tools">
                        <ActionForm action=revoke>
                            <input type="hidden" name="project" value=project.to_string()/>
                            <input type="hidden" name="id" value=id.to_string()/>
                            <button class="small" aria-label=verb>"Revoke"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    let table = (!rows.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="invitations-title">
                <h2 id="invitations-title">"Open invitations"</h2>
                <Table labelled_by="invitations-title">
                    {heads([Text("For"), Text("Role"), Text("Made"), Text("Works until"), Hidden("Actions")])}
                    <tbody>{rows}</tbody>
                </Table>
            </section>
        }
    });
    view! {
        <Problem refusal=refusal(revoke.into())/>
        {table}
    }
}
