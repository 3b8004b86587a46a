//! Asks what a new token is to be for.

use domain::{ProjectCard, Scope};

use crate::{api::account::tokens::CreateToken, pages::components::prelude::*};

/// How long a token may last, in days, with the usual choice first.
const DAYS: [u16; 4] = [30, 7, 90, 365];

/// What a scope is good for.
const fn purpose(scope: Scope) -> &'static str {
    match scope {
        Scope::Read => "read: see what you can see",
        Scope::Annotate => "annotate: work on your own assignments",
        Scope::Review => "review: decide on labelers' spans",
        Scope::Manage => "manage: import documents, change labels",
        Scope::Model => "model: save one model's spans",
    }
}

/// The form that makes a token.
#[component]
pub(super) fn Make(projects: Vec<ProjectCard>) -> impl IntoView {
    let (make, refused) = form_action::<CreateToken>();
    let scopes = Scope::CHOOSABLE.iter().enumerate().map(|(place, scope)| {
        view! {
            <Check name=format!("scopes[{place}]") value=scope.name() checked={*scope == Scope::Read}>{purpose(*scope)}</Check>
        }
    });
    let projects = projects.into_iter().enumerate().map(|(place, project)| {
        view! {
            <Check name=format!("projects[{place}]") value=project.id.to_string()><bdi>{project.name}</bdi></Check>
        }
    });
    let days = DAYS.map(|days| (days.to_string(), format!("{days} days"), false));
    view! {
        <ActionForm action=make attr:class="stack">
            <Field
                form="token"
                name="name"
                label="Name"
                hint="What the token is for."
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
                <p class="hint">"Leave empty for all projects, including later ones."</p>
            </fieldset>
            {select_field("token-days".to_owned(), "days", "Expires after", days)}
            <Problem refusal=refused fields=&["name"]/>
            <div class="actions">
                <button class="primary">"Create token"</button>
            </div>
        </ActionForm>
    }
}
