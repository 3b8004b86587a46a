//! The positions behind a count: exactly those that it counts, each in its text.

use std::sync::Arc;

use domain::{
    Outcome, PositionList, PositionQuery, PositionRow, ProjectId, ProjectView, Rater, Role, Said,
    WalkList, Whose,
    base::policy::{Action as Act, Standpoint, offers},
};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    ApiError,
    context::{answer, request},
    loading::load,
    pages::{
        base::address::in_query,
        components::{
            diagnostics::boundary_words,
            disagreements::{
                row::{Decided, Said as SaidHere, after, before},
                table::StepKeys,
            },
            live_line::LiveLine,
            loaded::Loaded,
            naming,
            pager::{Pager, counted_rows},
            table::{Text, heads},
            walk_through::WalkThrough,
        },
        project::{ProjectContext, use_project_id},
    },
    query,
    view::view,
};

/// The positions that the page's address asks for.
#[component]
pub(crate) fn PositionsPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read_positions(in_query);
    let list = load(load_positions(project, query.clone()));
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Positions"/>
        <div class="page wide">
            <h1>"Positions"</h1>
            <Loaded resource=context titled=true view=move |project: ProjectView| view! {
                <Loaded resource=list titled=true view=move |list| view! {
                    <Positions project list query/>
                }/>
            }/>
        </div>
    }
}

async fn load_positions(
    project: ProjectId,
    query: PositionQuery,
) -> Result<PositionList, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::positions::list(&services, &actor, project, query).await)
}

#[component]
fn Positions(project: ProjectView, list: PositionList, query: PositionQuery) -> impl IntoView {
    let PositionList { revision, raters, document_name, page } = list;
    let conditions = conditions(&query, &project, &raters, document_name);
    let conditions: Vec<_> = conditions
        .into_iter()
        .map(|(what, how)| view! { <div><dt>{what}</dt><dd dir="auto">{how}</dd></div> })
        .collect();
    let rows = if page.rows.is_empty() {
        let text = if query.page > 0 {
            "This page is past the end of the list."
        } else {
            "No position is counted here any more: the work has moved on, or a switch was changed."
        };
        view! { <p class="empty">{text}</p> }
    } else {
        let may_review =
            offers(Act::Review, Standpoint::Member { role: project.role, owns: false });
        let labels: Arc<[_]> = project.labels.clone().into();
        let raters: Arc<[_]> = raters.into();
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|row| {
                let (row, raters, labels) = (row.clone(), raters.clone(), labels.clone());
                view! { <Row row raters labels may_review/> }
            })
            .collect();
        view! {
            <table class="rows disagreements positions">
                <caption class="visually-hidden">"Positions that are counted"</caption>
                {heads([Text("Position"), Text("Raters"), Text("Decision")])}
                <tbody>{rows}</tbody>
            </table>
            <StepKeys/>
        }
    };
    let id = project.id;
    let switches = query.switches;
    let noun = match query.whose {
        _ if query.boundary.is_some() => "group",
        Whose::Pooled(..) => "comparison",
        Whose::Pair(..) | Whose::Labelers => "position",
    };
    let count = counted_rows(&page, noun);
    let walk = WalkList::Positions(query.clone());
    let walk = view! { <WalkThrough project=id list=walk total=page.total/> };
    let back = back(id, &query);
    let address =
        move |page| query::positions_address(id, &PositionQuery { page, ..query.clone() });
    view! {
        <p><a href=back.1>{back.0}</a></p>
        <dl class="facts conditions">{conditions}</dl>
        <LiveLine project=id switches revision/>
        <div class="row spread">
            <p role="status" class="number">{count}</p>
            {walk}
        </div>
        {rows}
        <Pager page address/>
    }
}

/// Where the count stands that led here.
fn back(project: ProjectId, query: &PositionQuery) -> (&'static str, String) {
    match query.whose {
        Whose::Pair(first, second) => {
            ("← The pair", query::pair_address(project, first, second, query.switches))
        }
        Whose::Pooled(..) => (
            "← All people",
            query::parts_address::<domain::PersonOrder>(
                project,
                "people",
                query.switches,
                &domain::Sorting::default(),
            ),
        ),
        Whose::Labelers => ("← All raters", query::matrix_address(project, query.switches)),
    }
}

/// What the query asks for, in words.
fn conditions(
    query: &PositionQuery,
    project: &ProjectView,
    raters: &[Rater],
    document: Option<String>,
) -> Vec<(&'static str, String)> {
    let name = |id| naming::rater(id, raters);
    let (whose, first, second) = match query.whose {
        Whose::Pair(first, second) => {
            let (first, second) = (name(first), name(second));
            (format!("{first} and {second}"), first, second)
        }
        Whose::Pooled(rater, role) => {
            let rater = name(rater);
            let others = match role {
                Role::Reviewer => "every reviewer",
                Role::Labeler | Role::Manager => "every other labeler",
            };
            (format!("{rater} and {others}"), rater, "the other".to_owned())
        }
        Whose::Labelers => {
            ("all labelers".to_owned(), "somebody".to_owned(), "somebody".to_owned())
        }
    };
    let category = |set| naming::category(set, &project.labels);
    let label = query.label.map(|label| naming::label(label, &project.labels));
    let outcome = outcome_words(query, &first, &second, label.as_deref());
    let filter = query.switches.filter;
    let against_the_rest = filter.label.map(|label| naming::label(label, &project.labels));
    let round = filter.round.and_then(|id| project.rounds.iter().find(|round| round.id == id));
    [
        Some(("Compared", whose)),
        query.said.as_ref().map(|set| ("Said", format!("{first}: {}", category(set)))),
        query.against.as_ref().map(|set| ("Said", format!("{second}: {}", category(set)))),
        outcome.map(|outcome| ("Only", outcome)),
        query
            .boundary
            .map(|boundary| ("Boundary", format!("{first}’s mark {}", boundary_words(boundary)))),
        document.map(|document| ("Document", document)),
        against_the_rest.map(|label| ("Label", format!("{label} against the rest"))),
        round.map(|round| ("Round", round.name.clone())),
        filter.document.map(|id| ("Narrowed to", format!("document {id}"))),
        Some(("One-sided positions", one_sided(query).to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const fn one_sided(query: &PositionQuery) -> &'static str {
    if query.switches.counts_one_sided() { "counted, with ∅ for the other" } else { "left out" }
}

/// How the raters stand on the positions; none where that does not matter.
fn outcome_words(
    query: &PositionQuery,
    first: &str,
    second: &str,
    label: Option<&str>,
) -> Option<String> {
    Some(match (label, query.outcome) {
        (None, Outcome::Any) => return None,
        (None, _) if query.boundary.is_some() => match query.outcome {
            Outcome::Agree => "marks with the same labels".to_owned(),
            _ => "marks with other labels".to_owned(),
        },
        (None, Outcome::Agree) => "where they said the same".to_owned(),
        (None, Outcome::Differ) => "where they differ".to_owned(),
        (None, Outcome::Both) => "judged by both".to_owned(),
        (None, Outcome::OnlyFirst) => format!("judged by {first} alone"),
        (None, Outcome::OnlySecond) => format!("judged by {second} alone"),
        (None, Outcome::Neither) => "judged by neither".to_owned(),
        (Some(label), Outcome::Any) => format!("{label}, by anybody"),
        (Some(label), Outcome::Agree | Outcome::Both) => format!("{label}, by all of them"),
        (Some(label), Outcome::Differ) => format!("{label}, by some and not by others"),
        (Some(label), Outcome::OnlyFirst) => format!("{label}, by {first} alone"),
        (Some(label), Outcome::OnlySecond) => format!("{label}, by {second} alone"),
        (Some(label), Outcome::Neither) => format!("{label}, by nobody"),
    })
}

/// One position. Its cells carry the column's name for narrow screens, where rows are cards.
#[component]
fn Row(
    row: PositionRow,
    raters: Arc<[Rater]>,
    labels: Arc<[domain::Label]>,
    may_review: bool,
) -> impl IntoView {
    let place = format!("{}–{}", row.range.start, row.range.end);
    let review =
        format!("/documents/{}/review#{}-{}", row.document, row.range.start, row.range.end);
    let document = if may_review {
        view! { <a href=review>"Review in "<bdi>{row.document_name}</bdi></a> }
    } else {
        view! { <bdi>{row.document_name}</bdi> }
    };
    let said: Vec<_> = row
        .said
        .into_iter()
        .map(|Said { rater, judgement, elsewhere }| {
            let words = elsewhere.map(|(range, words)| {
                let place = format!("{}–{}", range.start, range.end);
                view! { <q dir="auto">{words}</q>" "<span class="soft number">{place}</span> }
            });
            let name = naming::rater(rater, &raters);
            let labels = labels.clone();
            view! { <li><SaidHere judgement labels/>{words}<bdi class="names">{name}</bdi></li> }
        })
        .collect();
    let decision = match row.decision {
        Some(decision) => view! { <Decided decision labels/> },
        None => view! { <span class="soft">"not decided"</span> },
    };
    view! {
        <tr>
            <th scope="row" data-head="Position">
                <span class="quote" dir="auto">
                    {before(&row.left)}<mark>{row.quote}</mark>{after(&row.right)}
                </span>
                <span class="where">{document}" "<span class="soft number" title="characters from and to">{place}</span></span>
            </th>
            <td data-head="Raters"><ul class="judgements">{said}</ul></td>
            <td data-head="Decision">{decision}</td>
        </tr>
    }
}
