//! How two gold standards differ.

use domain::{
    GoldChange, GoldChangeKind, GoldCompare, GoldComparison, GoldVersion, Label, ProjectId,
};

use super::voices::chips;
use crate::pages::components::{
    agreement::disagreements::row::{after, before},
    prelude::*,
};

#[component]
pub(crate) fn GoldComparePage() -> impl IntoView {
    let project = use_project_id();
    let asked = query::read_comparison(in_query);
    let found = load_with(move |services, actor| async move {
        services::review::gold::compare(&services, &actor, project, asked).await
    });
    view! {
        <PageBody title="Compare gold standards" class="page" back=(format!("/projects/{project}/review/gold#versions"), "← Gold standard")>
            <Loaded resource=found titled=true view=move |found| view! { <Comparison project found asked/> }/>
        </PageBody>
    }
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
            PAST_END
        } else if asked.kind.is_some() {
            "No such changes."
        } else {
            "No differences."
        };
        view! { <p class="empty">{why}</p> }
    } else {
        view! {
            <table class="rows disagreements positions">
                <caption class="visually-hidden">"Differences"</caption>
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
        <p role="status" class="number">{format!("{count}; {unchanged} unchanged.")}</p>
        <nav class="row" aria-label="Filter">{kinds}</nav>
        {content}
        <Pager page address/>
    }
}

/// "version 2 (before training)", "current".
fn called(version: Option<&GoldVersion>) -> String {
    version.map_or_else(
        || "current".to_owned(),
        |version| format!("version {} ({})", version.number, version.name),
    )
}

/// Which two are compared.
fn choice(versions: &[GoldVersion], asked: GoldCompare) -> AnyView {
    let select = |name: &'static str, words: &'static str, chosen: Option<i64>| {
        let options = versions.iter().map(|version| {
            let number = version.number;
            let words = format!("{number} · {}", version.name);
            (number.to_string(), words, chosen == Some(number))
        });
        let now = ("now".to_owned(), "current".to_owned(), chosen.is_none());
        select_field(format!("compare-{name}"), name, words, options.chain([now]))
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
                    <span class="soft number" title=OFFSETS>{place}</span>
                </span>
            </th>
            <td data-head="Change"><span aria-hidden="true">{icon}" "</span>{kind}</td>
            <td data-head="Before">{side(&change.before)}</td>
            <td data-head="After">{side(&change.after)}</td>
        </tr>
    }
}
