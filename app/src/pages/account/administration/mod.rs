//! What administrators look after: the server's accounts, and its projects from outside.

mod account;
mod accounts;
pub(super) mod data;
mod notes;
mod password;
mod project;
mod projects;

use std::sync::Arc;

use domain::{Actor, Page, SearchQuery, to_f64};
use leptos_router::{components::A, params::ParamsMap};
use services::{
    Services,
    base::access::storage_space::{SpaceLevel, StorageSpace, show_storage_space},
};

use crate::{context::take_note_at, pages::components::prelude::*, query::read_page};

pub(crate) use self::{
    account::KeptAccountPage, accounts::AccountsPage, project::KeptProjectPage,
    projects::AllProjectsPage,
};

/// The two lists, what was sent, and the server's audit trail.
#[component]
pub(crate) fn Sections() -> impl IntoView {
    view! {
        <nav aria-label="Administration">
            <ul class="tabs">
                <li><A href="/admin" exact=true>"Accounts"</A></li>
                <li><A href="/admin/projects" exact=true>"All projects"</A></li>
                <li><A href="/admin/mail" exact=true>"E-mail"</A></li>
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

/// What a list of the server is called.
#[derive(Clone, Copy)]
struct List {
    title: &'static str,
    /// Where it is.
    address: &'static str,
    /// What it is searched by.
    label: &'static str,
    /// What a row is called.
    noun: &'static str,
}

/// The page of a list that is searched: how much was found, its rows, and the way to the other pages.
fn list_page<T, F>(
    List { title, address, label, noun }: List,
    fetch: fn(Arc<Services>, Actor, SearchQuery) -> F,
    note: fn(Option<String>) -> AnyView,
    table: fn(Vec<T>) -> AnyView,
) -> AnyView
where
    T: Clone + Send + Sync + 'static,
    F: Future<Output = Result<Page<T>, services::Error>> + Send + 'static,
{
    let search = in_query("search").unwrap_or_default();
    let query = SearchQuery { search: search.trim().to_owned(), page: read_page(in_query) };
    let found = load(async move {
        let (services, actor) = request()?;
        let space = answer(show_storage_space(&services, &actor).await)?;
        Ok((answer(fetch(services, actor, query).await)?, take_note_at(address), space))
    });
    let id = format!("{noun}s-count");
    let show = move |(page, done, space): (Page<T>, Option<String>, Option<StorageSpace>)| {
        let rows = (!page.rows.is_empty()).then(|| table(page.rows.clone()));
        let counted = counted_rows(&page, noun);
        let (labelled, searched) = (id.clone(), search.clone());
        view! {
            {note(done)}
            {space.map(show_space)}
            <Search address label search=search.clone()/>
            <section class="stack" aria-labelledby=labelled>
                <p id=id class="soft number" role="status">{counted}</p>
                {rows}
                <Pager page address=move |number| list_address(address, &searched, number)/>
            </section>
        }
    };
    view! {
        <PageBody title class="page">
            <Sections/>
            <Loaded resource=found titled=true view=show/>
        </PageBody>
    }
}

/// The space that is left for the database, with what to do where it runs out.
fn show_space(space: StorageSpace) -> AnyView {
    let left = format!("{} of {} storage free", size(space.free), size(space.total));
    let todo = match space.level() {
        SpaceLevel::Enough => return view! { <p class="soft number">{left}</p> }.into_any(),
        SpaceLevel::Low => "Make room soon: imports and backups stop first.",
        SpaceLevel::Reserved => {
            "Make room: imports and backups are refused, so that people can save."
        }
        SpaceLevel::Full => {
            "Make room now: people cannot save. Their work is kept in their browsers."
        }
    };
    view! { <p class="notice warn" role="alert"><strong class="number">{left}</strong>" " {todo}</p> }.into_any()
}

/// Bytes as people read them.
fn size(bytes: u64) -> String {
    let bytes = to_f64(bytes);
    if bytes < 1e9 { format!("{:.0} MB", bytes / 1e6) } else { format!("{:.1} GB", bytes / 1e9) }
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
