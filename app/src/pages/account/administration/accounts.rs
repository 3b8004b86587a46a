//! All accounts of the server.

use domain::Account;

use super::{List, list_page, notes::Done};
use crate::pages::components::prelude::*;

#[component]
pub(crate) fn AccountsPage() -> impl IntoView {
    list_page(
        List { title: "Accounts", address: "/admin", label: "Name or address", noun: "account" },
        |services, actor, query| async move {
            services::account::administration::list_accounts(&services, &actor, &query).await
        },
        |note| view! { <Done note/> },
        |rows| {
            let rows = rows.into_iter().map(|account| view! { <Row account/> }).collect_view();
            view! { <Rows rows/> }
        },
    )
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
