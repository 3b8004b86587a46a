//! The keys of the editors as somebody would rather have them.

use domain::{Error, OwnKeys, keys_field};
use leptos::{form::ActionForm, prelude::*};
use leptos_meta::Title;

use crate::{
    ApiError,
    api::account::SaveKeys,
    context::{answer, request},
    islands::editor::keys::table::{COMMANDS, Entry},
    loading::load,
    own_keys::{editor, still_free},
    pages::{
        base::address::in_query,
        components::{
            field::{Field, Problem, Refusal, refusal},
            loaded::Loaded,
        },
    },
    view::view,
};

/// All commands with their keys, in fields.
#[component]
pub(crate) fn KeysPage() -> impl IntoView {
    let keys = load(load_keys());
    let from = in_query("from").filter(|from| editor(from).is_some());
    let is_saved = in_query("saved").is_some();
    view! {
        <Title text="Your keys"/>
        <div class="page narrow">
            {from.clone().map(|from| view! {
                <p><a href=format!("/{from}")>"Back to the document"</a></p>
            })}
            <h1>"Your keys"</h1>
            <p>
                "These keys are yours, on every machine. Go to a field and press the new keys; Backspace empties it, and an empty field stands for the keys that are shown in it. A label's own key comes before a bare letter."
            </p>
            {is_saved.then(|| view! { <p class="notice good" role="status">"Your keys are saved."</p> })}
            <Loaded resource=keys titled=true view=move |keys| view! { <Form keys from=from.clone()/> }/>
        </div>
    }
}

/// The keys that one has given commands, as far as they are still free.
pub(crate) async fn load_keys() -> Result<OwnKeys, ApiError> {
    let (services, actor) = request()?;
    answer(services::account::load_keys(&services, &actor).await).map(still_free)
}

#[component]
fn Form(keys: OwnKeys, from: Option<String>) -> impl IntoView {
    let save = ServerAction::<SaveKeys>::new();
    let refused = refusal(save.into());
    let commands = || COMMANDS.iter().filter(|entry| entry.command.is_some());
    let mut groups: Vec<&str> = commands().map(|entry| entry.group).collect();
    groups.dedup();
    let row = |entry: &'static Entry| {
        let own = keys.get(entry.id).map(str::to_owned);
        view! { <Row entry own refusal=refused.clone()/> }
    };
    let group = |group| {
        let rows = commands().filter(|entry| entry.group == group).map(row).collect_view();
        view! { <fieldset class="own-keys"><legend>{group}</legend>{rows}</fieldset> }
    };
    let groups = groups.into_iter().map(group).collect_view();
    view! {
        <ActionForm action=save attr:class="card">
            {from.map(|from| view! { <input type="hidden" name="from" value=from/> })}
            {groups}
            <Problem refusal=others(refused)/>
            <div class="actions">
                <button class="primary">"Save keys"</button>
            </div>
        </ActionForm>
    }
}

/// What is wrong with none of the fields.
fn others(refusal: Refusal) -> Refusal {
    let of_field = |error: &ApiError| matches!(error, ApiError::App(Error::Invalid { field, .. }) if field.starts_with("keys["));
    refusal.filter(|error| !of_field(error))
}

#[component]
fn Row(entry: &'static Entry, own: Option<String>, refusal: Refusal) -> impl IntoView {
    view! {
        <Field
            form="own-keys"
            name=keys_field(entry.id)
            label=entry.name
            placeholder=entry.keys
            autocomplete="off"
            required=false
            initial=own.unwrap_or_default()
            longest=60
            refusal
        />
    }
}
