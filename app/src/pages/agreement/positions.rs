//! The positions behind a count: exactly those that it counts, each in its text.

use std::sync::Arc;

use domain::{
    PositionList, PositionOutcome, PositionQuery, PositionRow, ProjectId, ProjectView, Rater, Role,
    Said, WalkList, Whose,
};

use crate::pages::{
    components::{
        agreement::{
            diagnostics::boundary_words,
            disagreements::{
                group::Alternatives,
                kind::kind_of_row,
                place::Way,
                row::{InText, Said as SaidHere, Shown},
                table::StepKeys,
            },
            matrix::controls::{
                question_menu::QUESTION,
                switch_bar::{POLICY, POSITIONS, positions_name},
            },
            walk_through::WalkThrough,
        },
        prelude::*,
    },
    project::ProjectContext,
};

/// The positions that the page's address asks for.
#[component]
pub(crate) fn PositionsPage() -> impl IntoView {
    let project = use_project_id();
    let query = query::read_positions(in_query);
    let asked = query.clone();
    let list = load_with(move |services, actor| async move {
        services::review::counted::list(&services, &actor, project, asked).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="Positions" class="page" back=back(project, &query)>
            <Loaded resource=context titled=true view=move |project: ProjectView| view! {
                <Loaded resource=list titled=true view=move |list| view! {
                    <Positions project list query/>
                }/>
            }/>
        </PageBody>
    }
}

#[component]
fn Positions(project: ProjectView, list: PositionList, query: PositionQuery) -> impl IntoView {
    let PositionList { revision, raters, document_name, positions, unlisted, page } = list;
    let conditions = conditions(&query, &project, &raters, document_name);
    let conditions: Vec<_> = conditions
        .into_iter()
        .map(|(what, how)| view! { <div><dt>{what}</dt><dd dir="auto">{how}</dd></div> })
        .collect();
    let unlisted = (unlisted > 0).then(|| {
        let tokens = display::count(unlisted, "token");
        view! { <p class="soft">{format!("Counted and not listed: {tokens} without a label by any of them.")}</p> }
    });
    let rows = if page.rows.is_empty() {
        let text = if query.page > 0 {
            PAST_END
        } else {
            "No positions left: the work or a switch has changed."
        };
        view! { <p class="empty">{text}</p> }
    } else {
        let way = Way::new(&project, WalkList::Positions(query.clone()));
        let question = query.switches.filter.question;
        let labels: Arc<[_]> = project.categories(question).into();
        let raters: Arc<[_]> = raters.into();
        let rows: Vec<_> = page
            .rows
            .iter()
            .map(|row| {
                let (row, raters, labels) = (row.clone(), raters.clone(), labels.clone());
                view! { <Row row raters labels way=way.clone()/> }
            })
            .collect();
        view! {
            <table class="rows disagreements positions">
                <caption class="visually-hidden">"Counted positions"</caption>
                {heads([Text("Position"), Text("Kind"), Text("Raters"), Text("Decision")])}
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
        Whose::Pair(..) | Whose::Labelers => naming::position(switches.policy.positions()),
    };
    let count = if positions == page.total {
        counted_rows(&page, noun)
    } else {
        let decisions = counted_rows(&page, "decision");
        format!("{decisions} on {}", display::count(positions, noun))
    };
    let walk = WalkList::Positions(query.clone());
    let walk = view! { <WalkThrough project=id list=walk total=page.total/> };
    let address =
        move |page| query::positions_address(id, &PositionQuery { page, ..query.clone() });
    view! {
        <dl class="facts conditions">{conditions}</dl>
        <LiveLine project=id switches revision/>
        <div class="row spread">
            <p role="status" class="number">{count}</p>
            {walk}
        </div>
        {unlisted}
        {rows}
        <Pager page address/>
    }
}

/// Where the count stands that led here.
fn back(project: ProjectId, query: &PositionQuery) -> (String, &'static str) {
    match query.whose {
        Whose::Pair(first, second) => {
            (query::pair_address(project, first, second, query.switches), "← The pair")
        }
        Whose::Pooled(..) => (
            query::parts_address::<domain::PersonOrder>(
                project,
                "people",
                query.switches,
                &domain::Sorting::default(),
            ),
            "← All people",
        ),
        Whose::Labelers => (query::matrix_address(project, query.switches), "← Matrix"),
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
    let filter = query.switches.filter;
    let labels = project.categories(filter.question);
    let category = |set| naming::category(set, &labels);
    let label = query.label.map(|label| naming::label(label, &labels));
    let outcome = outcome_words(query, &first, &second, label.as_deref());
    let question = filter.question.and_then(|id| project.attribute(id));
    let question = question.map(|asked| naming::question(asked, &project.labels));
    let against_the_rest = filter.label.map(|label| naming::label(label, &labels));
    let round = filter.round.and_then(|id| project.rounds.iter().find(|round| round.id == id));
    [
        Some(("Compared", whose)),
        question.map(|question| (QUESTION, question)),
        query.said.as_ref().map(|set| ("Said", format!("{first}: {}", category(set)))),
        query.against.as_ref().map(|set| ("Said", format!("{second}: {}", category(set)))),
        outcome.map(|outcome| ("Only", outcome)),
        query
            .boundary
            .map(|boundary| ("Boundary", format!("{first}’s span {}", boundary_words(boundary)))),
        document.map(|document| ("Document", document)),
        against_the_rest.map(|label| ("Label", format!("{label} against the rest"))),
        round.map(|round| ("Round", round.name.clone())),
        filter.document.map(|id| ("Narrowed to", format!("document {id}"))),
        Some((POSITIONS, positions_name(query.switches.policy.positions()).to_owned())),
        Some((POLICY, one_sided(query).to_owned())),
    ]
    .into_iter()
    .flatten()
    .collect()
}

const fn one_sided(query: &PositionQuery) -> &'static str {
    if query.switches.counts_one_sided() { "counted as ∅ for the other" } else { "left out" }
}

/// How the raters stand on the positions; none where that does not matter.
fn outcome_words(
    query: &PositionQuery,
    first: &str,
    second: &str,
    label: Option<&str>,
) -> Option<String> {
    Some(match (label, query.outcome) {
        (None, PositionOutcome::Any) => return None,
        (None, _) if query.boundary.is_some() => match query.outcome {
            PositionOutcome::Agree => "spans with the same labels".to_owned(),
            _ => "spans with other labels".to_owned(),
        },
        (None, PositionOutcome::Agree) => "agreements".to_owned(),
        (None, PositionOutcome::Differ) => "differences".to_owned(),
        (None, PositionOutcome::Both) => "judged by both".to_owned(),
        (None, PositionOutcome::OnlyFirst) => format!("judged by {first} only"),
        (None, PositionOutcome::OnlySecond) => format!("judged by {second} only"),
        (None, PositionOutcome::Neither) => "judged by neither".to_owned(),
        (Some(label), PositionOutcome::Any) => format!("{label}, by anyone"),
        (Some(label), PositionOutcome::Agree | PositionOutcome::Both) => format!("{label}, by all"),
        (Some(label), PositionOutcome::Differ) => format!("{label}, by some only"),
        (Some(label), PositionOutcome::OnlyFirst) => format!("{label}, by {first} only"),
        (Some(label), PositionOutcome::OnlySecond) => format!("{label}, by {second} only"),
        (Some(label), PositionOutcome::Neither) => format!("{label}, by nobody"),
    })
}

/// One position, or several that are decided as one.
#[component]
fn Row(
    row: PositionRow,
    raters: Arc<[Rater]>,
    labels: Arc<[domain::Label]>,
    way: Way,
) -> impl IntoView {
    let at = row.at();
    let kind = kind_of_row(&row);
    let PositionRow { document_name, quote, left, right, said, group, decision, .. } = row;
    let said = if let Some(group) = group {
        let (quote, labels) = (quote.clone(), labels.clone());
        view! { <Alternatives quote group raters labels/> }
    } else {
        said_here(said, &raters, &labels)
    };
    let shown = Shown { at, document_name, text: (left, quote, right), kind, decision };
    view! { <InText shown said labels way/> }
}

/// Who said what at a position, or elsewhere in its place.
pub(crate) fn said_here(
    said: Vec<Said>,
    raters: &[Rater],
    labels: &Arc<[domain::Label]>,
) -> AnyView {
    let said = said.into_iter().map(|Said { rater, judgement, elsewhere }| {
        let words = elsewhere.map(|(range, words)| {
            let place = format!("{}–{}", range.start, range.end);
            view! { <q dir="auto">{words}</q>" "<span class="soft number">{place}</span> }
        });
        let name = naming::rater(rater, raters);
        let labels = Arc::clone(labels);
        view! { <li><SaidHere judgement labels/>{words}<bdi class="names">{name}</bdi></li> }
    });
    let said = said.collect_view();
    view! { <ul class="judgements">{said}</ul> }.into_any()
}
