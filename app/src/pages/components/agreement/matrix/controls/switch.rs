//! A switch of a page: a menu of links, so that every choice has an address.

use std::borrow::Cow;

use crate::pages::components::prelude::*;

/// A choice of a switch, and the address that makes it.
pub(crate) struct Choice {
    pub(crate) name: Cow<'static, str>,
    pub(crate) is_current: bool,
    pub(crate) address: String,
}

/// One switch. The links keep the page where it is scrolled to.
#[component]
pub(crate) fn Switch(
    name: &'static str,
    choices: Vec<Choice>,
    /// What the present choice means.
    meaning: &'static str,
    /// What else there is to say of it.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let chosen = choices
        .iter()
        .find(|choice| choice.is_current)
        .map_or_else(String::new, |choice| choice.name.to_string());
    let links = choices.into_iter().map(|Choice { name, is_current, address }| {
        view! {
            <a href=address aria-current=is_current.then_some("true") data-noscroll="" dir="auto">{name}</a>
        }
    });
    view! {
        <Menu name chosen>
            <div class="menu-list" role="group" aria-label=name>{links.collect_view()}</div>
            <p class="hint">{meaning}</p>
            {children.map(|children| children())}
        </Menu>
    }
}
