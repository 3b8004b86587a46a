//! Asks what a new token is to be for.

use domain::{ProjectCard, Scope};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::account::tokens::CreateToken,
    pages::components::field::{Field, Problem, refusal},
    view::view,
};

/// How long a token may last, in days, with the usual choice first.
const DAYS: [u16; 4] = [30, 7, 90, 365];

/// What a scope is good for.
const fn purpose(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read: see what you see",
        Scope::Annotate => "annotate: work on your own copies",
        Scope::Review => "review: decide on what labelers marked",
        Scope::Manage => "manage: bring documents, change labels",
    }
}

/// The form that makes a token.
#[component]
pub(super) fn Make(projects: Vec<ProjectCard>) -> impl IntoView {
    let make = ServerAction::<CreateToken>::new();
    let refused = refusal(make.into());
    let scopes = Scope::ALL.iter().enumerate().map(|(place, scope)| {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    name=format!("scopes[{place}]")
                    value=scope.name()
                    checked=*scope == Scope::Read
                />
                {purpose(*scope)}
            </label>
        }
    });
    let projects = projects.into_iter().enumerate().map(|(place, project)| {
        view! {
            <label class="check">
                <input
                    type="checkbox"
                    name=format!("projects[{place}]")
                    value=project.id.to_string()
                />
                <bdi>{project.name}</bdi>
            </label>
        }
    });
    let days = DAYS.map(|days| view! { <option value=days.to_string()>{days}" days"</option> });
    view! {
        <ActionForm action=make attr:class="stack">
            <Field
                form="token"
                name="name"
                label="Name"
                hint="What it is for, so that you know it again."
                autocomplete="off"
                longest=100
                refusal=refused.clone()
            />
            <fieldset>
                <legend>"For"</legend>
                {scopes.collect_view()}
            </fieldset>
            <fieldset>
                <legend>"Projects"</legend>
                {projects.collect_view()}
                <p class="hint">"If you choose none, it leads to all of yours, also those that you join later."</p>
            </fieldset>
            <div class="field">
                <label for="token-days">"Works for"</label>
                <select id="token-days" name="days">{days.collect_view()}</select>
            </div>
            <Problem refusal=refused fields=&["name"]/>
            <div class="actions">
                <button class="primary">"Make token"</button>
            </div>
        </ActionForm>
    }
}
