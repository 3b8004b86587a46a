//! All accounts of the server.

use domain::{Account, Page, SearchQuery};
use leptos::prelude::*;
use leptos_meta::Title;

use super::{Found, Search, Sections, notes::Done};
use crate::{
    ApiError,
    context::{answer, request, take_note_at},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            loaded::Loaded,
            table::{Number, Table, Text, heads},
        },
    },
    query::read_page,
    view::view,
};

/// Where the accounts are.
const ADDRESS: &str = "/admin";

#[component]
pub(crate) fn AccountsPage() -> impl IntoView {
    let search = in_query("search").unwrap_or_default();
    let query = SearchQuery { search: search.trim().to_owned(), page: read_page(in_query) };
    let accounts = load(load_accounts(query));
    view! {
        <Title text="Accounts"/>
        <div class="page">
            <h1>"Accounts"</h1>
            <Sections/>
            <Loaded resource=accounts titled=true view=move |(page, note): (Page<Account>, Option<String>)| {
                let rows = page.rows.iter().cloned().map(|account| view! { <Row account/> }).collect_view();
                let rows = (!page.rows.is_empty()).then(|| view! { <Rows rows/> });
                view! {
                    <Done note/>
                    <Search address=ADDRESS label="Name or address" search=search.clone()/>
                    <Found page noun="account" address=ADDRESS search rows/>
                }
            }/>
        </div>
    }
}

async fn load_accounts(query: SearchQuery) -> Result<(Page<Account>, Option<String>), ApiError> {
    let (services, actor) = request()?;
    let page = services::account::administration::list_accounts(&services, &actor, &query).await;
    Ok((answer(page)?, take_note_at(ADDRESS)))
}

#[component]
fn Rows(rows: Vec<AnyView>) -> impl IntoView {
    view! {
        <Table label="Accounts" class="rows blocks accounts">
            {heads([Text("Name"), Text("E-mail address"), Text("May"), Number("Projects"), Text("Created"), Text("Last seen")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

#[component]
fn Row(account: Account) -> impl IntoView {
    let may = rights(&account);
    let Account { id, name, email, created_at, last_seen_on, projects, disabled_at, .. } = account;
    let disabled = disabled_at.map(|_| view! { " " <span class="badge danger">"disabled"</span> });
    let seen = last_seen_on.map_or_else(|| "never".to_owned(), |day| day.to_string());
    view! {
        <tr>
            <th scope="row">
                <a href=format!("/admin/accounts/{id}") dir="auto">{name}</a>
                {disabled}
            </th>
            <td data-head="E-mail address"><bdi>{email}</bdi></td>
            <td data-head="May">{may}</td>
            <td class="number" data-head="Projects">{display::thousands(projects)}</td>
            <td class="time" data-head="Created">{created_at.date_naive().to_string()}</td>
            <td class="time" data-head="Last seen">{seen}</td>
        </tr>
    }
}

/// What somebody may do on this server beside working in projects.
pub(super) fn rights(account: &Account) -> String {
    let all = [
        (account.is_administrator, "administer"),
        (account.may_create_projects, "create projects"),
    ];
    let words: Vec<_> = all.iter().filter(|(may, _)| *may).map(|(_, word)| *word).collect();
    if words.is_empty() { "–".to_owned() } else { words.join(", ") }
}
