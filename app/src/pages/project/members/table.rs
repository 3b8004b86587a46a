//! The members of a project, each with a way to end the membership.

use domain::{Member, MemberId, ProjectId, Role};

use crate::{
    api::project::members::{InviteMember, RemoveMember},
    pages::components::prelude::*,
};

#[component]
pub(super) fn MemberTable(
    project: ProjectId,
    members: Vec<Member>,
    /// The viewer's own membership, which is not for them to end.
    own: MemberId,
) -> impl IntoView {
    let remove = ServerAction::<RemoveMember>::new();
    let invite = ServerAction::<InviteMember>::new();
    let dialogs = members
        .iter()
        .filter(|member| member.id != own)
        .map(|member| view! { <Removal project member=member.clone() remove/> })
        .collect_view();
    let rows = members
        .into_iter()
        .map(|Member { id, user, name, email, role, is_placeholder }| {
            let is_own = id == own;
            let not_claimed = || format!("account {user}, not claimed yet");
            let email = if is_placeholder { not_claimed() } else { email };
            let claim = is_placeholder
                .then(|| view! { <Claim project member=id name=name.clone() invite/> });
            let label = format!("Remove {name}");
            let remove = (!is_own).then(|| {
                view! { <OpenDialog dialog=dialog_of(id) class="small" label>"Remove"</OpenDialog> }
            });
            view! {
                <tr>
                    <th scope="row">
                        <bdi>{name}</bdi>
                        {is_own.then_some(" (you)")}
                    </th>
                    <td dir="auto">{email}</td>
                    <td>{role.name()}</td>
                    <td class="tools">{claim} {remove}</td>
                </tr>
            }
        })
        .collect_view();
    view! {
        <Section title_id="members-title" title="Members">
            <Problem refusal=refusal(remove.into())/>
            <Table labelled_by="members-title">
                {heads([Text("Name"), Text("E-mail address"), Text("Role"), Hidden("Actions")])}
                <tbody>{rows}</tbody>
            </Table>
            {dialogs}
        </Section>
    }
}

/// Makes a link by which somebody claims the place and the work of a labeler.
#[component]
fn Claim(
    project: ProjectId,
    member: MemberId,
    name: String,
    invite: ServerAction<InviteMember>,
) -> impl IntoView {
    view! {
        <ActionForm action=invite>
            {hidden_fields([("project", &project), ("role", &Role::Labeler.name()), ("claims", &member)])}
            <button class="small" aria-label=format!("Invite someone to claim the work of {name}")>
                "Invite to claim"
            </button>
        </ActionForm>
    }
}

/// The dialog that ends this membership.
fn dialog_of(member: MemberId) -> String {
    format!("remove-member-{member}")
}

/// Asks whether a membership is to be ended.
#[component]
fn Removal(
    project: ProjectId,
    member: Member,
    remove: ServerAction<RemoveMember>,
) -> impl IntoView {
    let dialog = dialog_of(member.id);
    view! {
        <PlainDialog id=dialog.clone() title="Remove this member?">
            <p>
                <strong dir="auto">{member.name}</strong>
                " loses access at once. Their work stays."
            </p>
            <ActionForm action=remove attr:class="row dialog-actions">
                {hidden_fields([("project", &project), ("member", &member.id)])}
                <CloseDialog dialog/>
                <button class="danger">"Remove member"</button>
            </ActionForm>
        </PlainDialog>
    }
}
