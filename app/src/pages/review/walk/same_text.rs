//! The positions that are like one of them, with the one decision for those that stay chosen.

use std::sync::Arc;

use domain::{
    AlikeRow, AlikeView, Label, Position, ProjectId, ProjectView, Rater, SeenPosition, WalkList,
    WalkQuery,
};

use super::{
    choices::{Choices, Subject},
    note::Note,
};
use crate::{
    api::review::walk::DecideAlike,
    pages::{
        components::{
            agreement::disagreements::{
                chips::LabelChips,
                row::{Said, after, before, grouped},
            },
            prelude::*,
        },
        project::ProjectContext,
    },
};

/// The positions that are like the one that the page's address names.
#[component]
pub(crate) fn SameTextPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read_walk(in_query);
    let (question, at) = (query.list.question(), query.at);
    let alike = load_with(move |services, actor| async move {
        services::review::walk::load_same_text(&services, &actor, project, question, at).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <Title text="Same decision"/>
        <div class="page walk">
            <Loaded resource=context view=move |project: ProjectView| view! {
                <Loaded resource=alike view=move |alike| view! {
                    <AlikeOrNone project alike query/>
                }/>
            }/>
        </div>
    }
}

/// An address may name no position.
#[component]
fn AlikeOrNone(project: ProjectView, alike: Option<AlikeView>, query: WalkQuery) -> impl IntoView {
    let Some(alike) = alike else {
        let walk = query::walk_address(project.id, &query.list, None, None);
        return view! {
            <h1>"Same decision"</h1>
            <p class="empty">
                <span>"No position selected. "<a href=walk>"Start one by one"</a></span>
            </p>
        };
    };
    view! { <Alike project alike query/> }
}

#[component]
fn Alike(project: ProjectView, alike: AlikeView, query: WalkQuery) -> impl IntoView {
    let WalkQuery { list, .. } = query;
    let AlikeView { raters, like, quote, given, comes_with, rows, total } = alike;
    let id = project.id;
    let subject = Subject::of(&project, list.question());
    let labels = Arc::clone(&subject.categories);
    let question = subject.question().map(|question| view! { <p dir="auto">{question}</p> });
    let back = query::walk_address(id, &list, Some(like), None);
    let head = view! {
        <p><a href=back data-key="Escape">"← One by one"" "<kbd aria-hidden="true">"Esc"</kbd></a></p>
        <h1>"Same decision for all like “"<bdi>{quote}</bdi>"”"</h1>
        {question}
        <p class="soft">
            "Same words, ignoring case and spacing, with the same answers from labelers. Leaves out positions you have decided and finished reviews."
        </p>
    };
    if rows.is_empty() {
        return view! {
            {head}
            <p class="empty">"No similar positions left to decide."</p>
        };
    }
    let shown = u64::try_from(rows.len()).unwrap_or(u64::MAX);
    let rest = (shown < total).then(|| {
        let (shown, total) = (display::thousands(shown), display::thousands(total));
        view! { <p class="notice">{format!("First {shown} of {total}: decide these, then the rest.")}</p> }
    });
    let (decide, refused) = form_action::<DecideAlike>();
    let seen_like = rows
        .iter()
        .find(|row| row.seen.position == like)
        .map_or(SeenPosition { position: like, base: domain::Revision::default() }, |row| row.seen);
    let with = comes_with.map(|set| {
        let labels = Arc::clone(&subject.labels);
        view! { <p class="row"><span class="soft">"Label: "</span><LabelChips set labels/></p> }
    });
    let rejecting = subject.asked.is_none().then(|| {
        view! {
            <div class="row">
                <button class="danger" name="choice" value="none" data-key="r">
                    "Reject "<kbd aria-hidden="true">"R"</kbd>
                </button>
            </div>
            <Note project=id form="alike" note=String::new()/>
        }
    });
    let raters: Arc<[Rater]> = raters.into();
    let lines = rows
        .into_iter()
        .enumerate()
        .map(|(place, row)| {
            let (list, raters, labels) = (list.clone(), raters.clone(), labels.clone());
            view! { <Line project=id list place row raters labels/> }
        })
        .collect_view();
    view! {
        {head}
        {rest}
        <ActionForm action=decide attr:class="stack">
            {hidden_fields([("project", &id), ("walk", &query::write_walk(&list)), ("like", &seen_like)])}
            <Problem refusal=refused/>
            <section class="card stack" aria-labelledby="alike-decide">
                <h2 id="alike-decide">{format!("One decision for {}", display::count(shown, "position"))}</h2>
                <Choices subject given own=None of="alike".to_owned() for_all=true/>
                {with}
                {rejecting}
            </section>
            <table class="rows disagreements alike">
                <caption class="visually-hidden">"Similar positions; uncheck any you want to leave out"</caption>
                {heads([Text("Decide"), Text("Position"), Text("Raters")])}
                <tbody>{lines}</tbody>
            </table>
        </ActionForm>
    }
}

#[component]
fn Line(
    project: ProjectId,
    list: WalkList,
    place: usize,
    row: AlikeRow,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let position: Position = row.seen.position;
    let address = query::walk_address(project, &list, Some(position), None);
    let name = format!("Decide on {} in {}", position.range.start, row.document_name);
    let field = format!("seen[{place}]");
    let said = grouped(&raters, row.judgements)
        .into_iter()
        .map(|(judgement, names)| {
            let labels = labels.clone();
            view! { <li><Said judgement labels/><bdi class="names">{names.join(", ")}</bdi></li> }
        })
        .collect_view();
    let where_it_is = format!("{}–{}", position.range.start, position.range.end);
    view! {
        <tr>
            <td data-head="Decide">
                <input type="checkbox" checked="" name=field value=row.seen.to_string() aria-label=name/>
            </td>
            <th scope="row" data-head="Position">
                <span class="quote" dir="auto">
                    {before(&row.left)}<mark>{row.quote}</mark>{after(&row.right)}
                </span>
                <span class="where">
                    <a href=address><bdi>{row.document_name}</bdi></a>" "
                    <span class="soft number" title=OFFSETS>{where_it_is}</span>
                </span>
            </th>
            <td data-head="Raters"><ul class="judgements">{said}</ul></td>
        </tr>
    }
}
