//! Makes an invitation and shows its link, this once.

use domain::{ProjectId, Role};
use leptos::{html, prelude::*, task::spawn_local};

use crate::{
    api::members::invite_member,
    clipboard::write_to_clipboard,
    components::{
        field::{Field, FormValues, Problem, refusal},
        icon::{Glyph, Icon},
    },
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

#[component]
pub(super) fn Invite(
    project: Memo<ProjectId>,
    /// Called when an invitation has been made.
    on_invite: Callback<()>,
) -> impl IntoView {
    let invite = Action::new(move |(role, email): &(Role, Option<String>)| {
        let (role, email) = (*role, email.clone());
        async move {
            let token = invite_member(project.get_untracked(), role, email).await;
            if token.is_ok() {
                on_invite.run(());
            }
            token
        }
    });
    let refused = refusal(invite);
    // A refusal leaves it as it is, and so the form with what was typed.
    let token = Memo::new(move |_| invite.value().get().and_then(Result::ok));
    let panel = NodeRef::<html::Div>::new();
    let submit = move |event| {
        let values = FormValues::take(&event);
        let email = values.text("email").trim().to_owned();
        let Ok(role) = values.text("role").parse() else { return };
        invite.dispatch((role, (!email.is_empty()).then_some(email)));
    };
    let form = move || {
        // Most people who are invited are labelers.
        let roles = [Role::Labeler, Role::Reviewer, Role::Manager]
            .map(|role| view! { <option value=role.name()>{duty(role)}</option> })
            .collect_view();
        view! {
            <form class="invite" on:submit=submit>
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
                    refusal=refused
                />
                <Problem refusal=refused fields=&["email"]/>
                <button class="primary" disabled=invite.pending()>"Make invitation link"</button>
            </form>
        }
    };
    view! {
        <section class="card" aria-labelledby="invite-title">
            <h2 id="invite-title">"Invite somebody"</h2>
            <div node_ref=panel tabindex="-1">
                {move || match token.get() {
                    Some(token) => {
                        let again = Callback::new(move |()| {
                            invite.clear();
                            // The button that had the focus is gone.
                            drop(panel.get_untracked().map(|panel| panel.focus()));
                        });
                        view! { <NewLink token again/> }
                    }
                    None => form().into_any(),
                }}
            </div>
        </section>
    }
}

/// The link of a new invitation with a button that copies it. Made in the browser only, where the
/// site's own address is known.
#[component]
fn NewLink(
    token: String,
    /// Goes back to the form.
    again: Callback<()>,
) -> impl IntoView {
    let origin = window().location().origin().unwrap_or_default();
    let link = format!("{origin}/invitations/{token}");
    let field = NodeRef::<html::Input>::new();
    let is_copied = RwSignal::new(false);
    let copied = link.clone();
    // Selected as soon as it is there: in browsers that let no page write to the clipboard one
    // more key copies it.
    Effect::new(move |_| {
        if let Some(field) = field.get() {
            field.select();
        }
    });
    let copy = move |_| {
        let link = copied.clone();
        spawn_local(async move { is_copied.set(write_to_clipboard(&link).await.is_ok()) });
    };
    view! {
        <div class="stack">
            <p>
                <strong>"Send this link to the person you invite. "</strong>
                "It is shown only now, and works once."
            </p>
            <div class="row copy-row">
                <input node_ref=field type="text" readonly aria-label="Invitation link" value=link/>
                <button type="button" class="primary" on:click=copy>
                    <Icon glyph=Glyph::Copy/>
                    "Copy"
                </button>
                <button type="button" on:click=move |_| again.run(())>"Invite another"</button>
            </div>
            <p role="status">{move || is_copied.get().then_some("Copied.")}</p>
        </div>
    }
}
