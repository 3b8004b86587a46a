//! Makes an invitation and shows its link, this once.

use domain::{ProjectId, Role};

use crate::{
    api::project::members::InviteMember,
    pages::components::{form::shown_once::ShownOnce, prelude::*},
};

/// What somebody with this role does.
const fn duty(role: Role) -> &'static str {
    match role {
        Role::Labeler => "Labeler: labels documents, sees nobody else's work",
        Role::Reviewer => "Reviewer: decides where labelers disagree",
        Role::Manager => "Manager: sets up the project, sees everything",
    }
}

/// Asks who is to be invited.
#[component]
pub(super) fn Invite(
    project: ProjectId,
    /// Whether the link is sent to the address.
    sends_mail: bool,
) -> impl IntoView {
    let hint = if sends_mail {
        "If given, only this address can accept, and the link is sent to it."
    } else {
        "If given, only this address can accept. No mail is sent."
    };
    let (invite, refused) = form_action::<InviteMember>();
    // Most people who are invited are labelers.
    let roles = [Role::Labeler, Role::Reviewer, Role::Manager]
        .map(|role| view! { <option value=role.name()>{duty(role)}</option> })
        .collect_view();
    view! {
        <ActionForm action=invite attr:class="invite">
            <input type="hidden" name="project" value=project.to_string()/>
            <div class="field">
                <label for="invite-role">"Role"</label>
                <select id="invite-role" name="role">{roles}</select>
            </div>
            <Field
                form="invite"
                name="email"
                label="E-mail address"
                hint
                kind="email"
                autocomplete="off"
                required=false
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["email"]/>
            <button class="primary">"Create invitation link"</button>
        </ActionForm>
    }
}

/// The link of the invitation that was made.
#[component]
pub(super) fn NewLink(project: ProjectId, link: String) -> impl IntoView {
    view! {
        <ShownOnce
            id="invitation-link"
            label="Invitation link"
            secret=link
            advice="Send this link to the person you invite."
            terms="Shown only once. Works once."
            on=(format!("/projects/{project}/settings/members"), "Invite another")
        />
    }
}
