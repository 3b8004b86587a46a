//! The keys of the editors as somebody would rather have them.

use domain::{Error, OwnKeys, keys_field};

use crate::{
    api::account::SaveKeys,
    islands::editor::keys::table::{COMMANDS, Entry},
    pages::components::prelude::*,
    query::own_keys::{editor, still_free},
};

/// All commands with their keys, in fields.
#[component]
pub(crate) fn KeysPage() -> impl IntoView {
    let keys = load(load_keys());
    let from = in_query("from").filter(|from| editor(from).is_some());
    let is_saved = in_query("saved").is_some();
    view! {
        <Title text="Keyboard shortcuts"/>
        <div class="page">
            {from.clone().map(|from| view! {
                <p><a href=format!("/{from}")>"Back to the document"</a></p>
            })}
            <h1>"Keyboard shortcuts"</h1>
            <p>
                "Press the new keys in a field; Backspace restores the default. They follow you to every device, and a label's own key wins over a plain letter."
            </p>
            {is_saved.then(|| view! { <p class="notice good" role="status">"Shortcuts saved."</p> })}
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
    let (save, refused) = form_action::<SaveKeys>();
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
                <button class="primary">"Save shortcuts"</button>
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
