//! How two gold standards differ.

use domain::{
    GoldChange, GoldChangeKind, GoldCompare, GoldComparison, GoldVersion, Label, ProjectId,
};
use leptos::prelude::*;
use leptos_meta::Title;

use super::voices::chips;
use crate::{
    ApiError,
    context::{answer, request},
    display,
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            disagreements::row::{after, before},
            loaded::Loaded,
            pager::{Pager, counted_rows},
            table::{Text, heads},
        },
        project::use_project_id,
    },
    query,
    view::view,
};

#[component]
pub(crate) fn GoldComparePage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_comparison(in_query);
    let found = load(load_comparison(project, asked));
    view! {
        <Title text="Gold standards compared"/>
        <div class="page wide">
            <p><a href=format!("/projects/{project}/gold#versions")>"← Gold standard"</a></p>
            <h1>"Gold standards compared"</h1>
            <Loaded resource=found titled=true view=move |found| view! { <Comparison project found asked/> }/>
        </div>
    }
}

async fn load_comparison(
    project: ProjectId,
    query: GoldCompare,
) -> Result<GoldComparison, ApiError> {
    let (services, actor) = request()?;
    answer(services::review::gold::compare(&services, &actor, project, query).await)
}

#[component]
fn Comparison(project: ProjectId, found: GoldComparison, asked: GoldCompare) -> impl IntoView {
    let GoldComparison { labels, versions, from, to, same, added, removed, relabelled, page } =
        found;
    let form = choice(&versions, asked);
    let words = format!("From {} to {}", called(from.as_ref()), called(to.as_ref()));
    let kinds: Vec<_> = [
        (None, "All changes", added + removed + relabelled),
        (Some(GoldChangeKind::Added), "Added", added),
        (Some(GoldChangeKind::Removed), "Removed", removed),
        (Some(GoldChangeKind::Relabelled), "Relabelled", relabelled),
    ]
    .into_iter()
    .map(|(kind, words, n)| {
        let address = query::comparison_address(project, &GoldCompare { kind, page: 0, ..asked });
        let is_current = asked.kind == kind;
        let class = if is_current { "button small primary" } else { "button small" };
        let current = is_current.then_some("true");
        view! { <a class=class href=address aria-current=current>{format!("{words}: {}", display::thousands(n))}</a> }
    })
    .collect();
    let rows: Vec<_> =
        page.rows.iter().map(|change| row(project, change, &labels, to.as_ref())).collect();
    let content = if rows.is_empty() {
        let why = if page.total > 0 {
            "This page is past the end of the list."
        } else if asked.kind.is_some() {
            "There is no change of this kind."
        } else {
            "They are the same: every position with the same labels."
        };
        view! { <p class="empty">{why}</p> }
    } else {
        view! {
            <table class="rows disagreements positions">
                <caption class="visually-hidden">"Positions that differ"</caption>
                {heads([Text("Position"), Text("Change"), Text("Before"), Text("After")])}
                <tbody>{rows}</tbody>
            </table>
        }
    };
    let count = counted_rows(&page, "change");
    let unchanged = display::count(same, "position");
    let address = move |page| query::comparison_address(project, &GoldCompare { page, ..asked });
    view! {
        {form}
        <h2>{words}</h2>
        <p role="status" class="number">{format!("{count}; {unchanged} the same in both.")}</p>
        <nav class="row" aria-label="Which changes">{kinds}</nav>
        {content}
        <Pager page address/>
    }
}

/// "version 2 (before training)", "what is gold now".
fn called(version: Option<&GoldVersion>) -> String {
    version.map_or_else(
        || "what is gold now".to_owned(),
        |version| format!("version {} ({})", version.number, version.name),
    )
}

/// Which two are compared.
fn choice(versions: &[GoldVersion], asked: GoldCompare) -> AnyView {
    let select = |name: &'static str, words: &'static str, chosen: Option<i64>| {
        let id = format!("compare-{name}");
        let options: Vec<_> = versions
            .iter()
            .map(|version| {
                let number = version.number;
                view! {
                    <option value=number.to_string() selected=(chosen == Some(number))>
                        {format!("{number} · {}", version.name)}
                    </option>
                }
            })
            .collect();
        view! {
            <div class="field">
                <label for=id.clone()>{words}</label>
                <select id=id name=name>
                    {options}
                    <option value="now" selected=chosen.is_none()>"what is gold now"</option>
                </select>
            </div>
        }
    };
    view! {
        <form method="get" class="filters">
            {select("from", "From", asked.from)}
            {select("to", "To", asked.to)}
            <button>"Compare"</button>
        </form>
    }
}

fn row(
    project: ProjectId,
    change: &GoldChange,
    labels: &[Label],
    to: Option<&GoldVersion>,
) -> AnyView {
    let (icon, kind) = match change.kind {
        GoldChangeKind::Added => ("+", "added"),
        GoldChangeKind::Removed => ("−", "removed"),
        GoldChangeKind::Relabelled => ("⇄", "relabelled"),
    };
    let side = |names: &[String]| {
        if names.is_empty() {
            view! { <span class="soft">"not gold"</span> }
        } else {
            chips(names, labels)
        }
    };
    let number = to.map(|version| version.number);
    let address = query::gold_document_address(project, change.document, number);
    let place = format!("{}–{}", change.range.start, change.range.end);
    view! {
        <tr>
            <th scope="row" data-head="Position">
                <span class="quote" dir="auto">
                    {before(&change.left)}<mark>{change.quote.clone()}</mark>{after(&change.right)}
                </span>
                <span class="where">
                    <a href=address><bdi>{change.document_name.clone()}</bdi></a>" "
                    <span class="soft number" title="characters from and to">{place}</span>
                </span>
            </th>
            <td data-head="Change"><span aria-hidden="true">{icon}" "</span>{kind}</td>
            <td data-head="Before">{side(&change.before)}</td>
            <td data-head="After">{side(&change.after)}</td>
        </tr>
    }
}
