//! What administrators look after: the server's accounts, and its projects from outside.

mod account;
mod accounts;
mod notes;
mod password;
mod project;
mod projects;

use domain::Page;
use leptos::prelude::*;
use leptos_router::{components::A, params::ParamsMap};

use crate::{
    pages::components::pager::{Pager, counted_rows},
    view::view,
};

pub(crate) use self::{
    account::KeptAccountPage, accounts::AccountsPage, project::KeptProjectPage,
    projects::AllProjectsPage,
};

/// The two lists, and the server's audit trail.
#[component]
pub(crate) fn Sections() -> impl IntoView {
    view! {
        <nav aria-label="Administration">
            <ul class="tabs">
                <li><A href="/admin" exact=true>"Accounts"</A></li>
                <li><A href="/admin/projects" exact=true>"All projects"</A></li>
                <li><A href="/audit" exact=true>"Audit trail"</A></li>
            </ul>
        </nav>
    }
}

/// The form that looks for rows by a part of their names, and the way back to all of them.
#[component]
fn Search(
    /// Where the list is.
    address: &'static str,
    label: &'static str,
    /// What is looked for now.
    search: String,
) -> impl IntoView {
    let all = (!search.is_empty()).then(|| view! { <a class="button" href=address>"Show all"</a> });
    view! {
        <form class="row" role="search" action=address>
            <label class="visually-hidden" for="search">{label}</label>
            <input id="search" type="search" name="search" value=search placeholder=label dir="auto" maxlength="100"/>
            <button>"Search"</button>
            {all}
        </form>
    }
}

/// What was found: how much, its rows, and the way to the other pages.
#[component]
fn Found<T: Send + 'static>(
    page: Page<T>,
    /// What a row is called.
    noun: &'static str,
    /// Where the list is.
    address: &'static str,
    /// What was looked for.
    search: String,
    /// None if nothing was found.
    rows: Option<AnyView>,
) -> impl IntoView {
    let id = format!("{noun}s-count");
    let labelled = id.clone();
    let counted = counted_rows(&page, noun);
    view! {
        <section class="stack" aria-labelledby=labelled>
            <p id=id class="soft number" role="status">{counted}</p>
            {rows}
            <Pager page address=move |number| list_address(address, &search, number)/>
        </section>
    }
}

/// The address of a page of a list that is searched, pages counted from 0.
fn list_address(address: &str, search: &str, page: u64) -> String {
    let mut query = ParamsMap::new();
    if !search.is_empty() {
        query.insert("search", search.to_owned());
    }
    query.insert("page", page.saturating_add(1).to_string());
    format!("{address}{}", query.to_query_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_looked_for_goes_along_to_the_other_pages() {
        let address = list_address("/admin", "a&b=ü", 1);
        let query = address.strip_prefix("/admin?").unwrap();
        assert!(query.contains("page=2"), "{query}");
        assert_eq!(query.matches('&').count(), 1, "{query}");
        assert!(!query.contains('ü'), "{query}");
    }
}
