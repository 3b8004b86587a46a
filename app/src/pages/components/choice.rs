//! A field of choices in a form whose state is the page's address.

use leptos::prelude::*;

use crate::view::view;

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
        view! { <option value=value selected=is_chosen>{text}</option> }
    });
    let id = format!("filter-{name}");
    view! {
        <div class="field">
            <label for=id.clone()>{text}</label>
            <select id=id name=name>{options.collect_view()}</select>
        </div>
    }
}
