//! A field of choices in a form whose state is the page's address.

use crate::pages::components::prelude::*;

/// A field with its choices; `any` is the choice that asks for nothing.
#[component]
pub(crate) fn Choice(
    name: &'static str,
    text: &'static str,
    #[prop(optional)] any: &'static str,
    choices: Vec<(String, String)>,
    chosen: String,
) -> impl IntoView {
    let any = (!any.is_empty()).then(|| (String::new(), any.to_owned()));
    let options = any.into_iter().chain(choices).map(|(value, text)| {
        let is_chosen = value == chosen;
        (value, text, is_chosen)
    });
    select_field(format!("filter-{name}"), name, text, options)
}
