//! Makes an invitation and shows its link, this once.

use domain::{ProjectId, Role};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::members::InviteMember,
    islands::icon::{Glyph, Icon},
    pages::components::field::{Field, Problem, refusal},
    view::view,
};

/// What somebody with this role does.
const fn duty(role: Role) -> &'static str {
    match role {
        Role::Labeler => "Labeler: marks own copies of documents, sees nobody else's",
        Role::Reviewer => "Reviewer: decides what the labelers disagree on",
        Role::Manager => "Manager: sets the project up and sees everything",
    }
}

/// Asks who is to be invited.
#[component]
pub(super) fn Invite(project: ProjectId) -> impl IntoView {
    let invite = ServerAction::<InviteMember>::new();
    let refused = refusal(invite.into());
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
                hint="Only this address can then accept. No mail is sent."
                kind="email"
                autocomplete="off"
                required=false
                refusal=refused.clone()
            />
            <Problem refusal=refused fields=&["email"]/>
            <button class="primary">"Make invitation link"</button>
        </ActionForm>
    }
}

/// The link of the invitation that was made, with a button that copies it and one that leads back
/// to the form.
#[component]
pub(super) fn NewLink(project: ProjectId, link: String) -> impl IntoView {
    view! {
        <div class="stack">
            <p>
                <strong>"Send this link to the person you invite. "</strong>
                "It is shown only now, and works once."
            </p>
            <div class="row copy-row">
                <input
                    id="invitation-link"
                    type="text"
                    readonly
                    autofocus
                    aria-label="Invitation link"
                    value=link
                />
                <button type="button" class="primary" data-copy="invitation-link">
                    <Icon glyph=Glyph::Copy/>
                    "Copy"
                </button>
                <form action=format!("/projects/{project}/members")>
                    <button>"Invite another"</button>
                </form>
            </div>
            <p id="invitation-link-copied" role="status" data-done="Copied."></p>
        </div>
    }
}
