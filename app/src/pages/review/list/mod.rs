//! The documents that a reviewer goes through: how far each is, and what to go on with.

mod labels;

use std::cmp::Reverse;

use domain::{DecisionCounts, DocumentId, Page, ProjectId, ReviewCard, WorkState};

use self::labels::ByLabel;
use crate::{
    api::review::list_reviews,
    pages::{
        components::prelude::*,
        work::{OwnTimeView, load_own_time},
    },
};

/// The list of documents to review.
#[component]
pub(crate) fn ReviewsPage() -> impl IntoView {
    let project = use_project_id();
    let page = in_query("page").and_then(|page| page.parse().ok()).unwrap_or_default();
    let reviews = load(load_list(project, page));
    let labels = load_with(move |services, actor| async move {
        services::review::walk::load_labels(&services, &actor, project).await
    });
    let time = load(load_own_time(project));
    view! {
        <Title text="Reviews"/>
        <div class="page">
            <Loaded resource=reviews view=move |list| view! {
                <Reviews project list/>
            }/>
            <Loaded resource=labels quiet=true view=move |labels| view! { <ByLabel project labels/> }/>
            <Loaded resource=time quiet=true view=|own| view! { <OwnTimeView own/> }/>
        </div>
    }
}

/// A page of the list, and the document to go on with, on whichever page it is.
#[derive(Clone)]
struct List {
    page: Page<ReviewCard>,
    waiting: Option<DocumentId>,
}

/// Loads a page of the list, and others only if nothing waits on it.
async fn load_list(project: ProjectId, number: u64) -> Result<List, ApiError> {
    let mut page = list_reviews(project, number).await?;
    page.rows.sort_by_key(doubt);
    let mut waiting = first_waiting(&page.rows);
    let pages = page.pages();
    for step in 1..pages {
        if waiting.is_some() {
            break;
        }
        let mut other = list_reviews(project, number.saturating_add(step) % pages).await?;
        other.rows.sort_by_key(doubt);
        waiting = first_waiting(&other.rows);
    }
    Ok(List { page, waiting })
}

#[component]
fn Reviews(project: ProjectId, list: List) -> impl IntoView {
    let List { page, waiting } = list;
    if page.total == 0 {
        return view! {
            <h1>"Reviews"</h1>
            <div class="empty">
                <p>"No documents yet."</p>
                <p>"They appear once a manager imports some, and can be reviewed once a labeler has saved."</p>
            </div>
        };
    }
    let address = move |page| format!("/projects/{project}/review?page={page}");
    let rows = page.rows.iter().map(|card| view! { <Row card=card.clone()/> }).collect_view();
    let total = display::count(page.total, "document");
    view! {
        <div class="page-head">
            <h1>"Reviews"</h1>
            <span class="row">
                <a class="button" href=format!("/projects/{project}/agreement/reasons")>"Reasons"</a>
                <a class="button" href=format!("/projects/{project}/review/rules")>"Accept what labelers agree on"</a>
                <Continue waiting/>
            </span>
        </div>
        <p class="number soft">{total}</p>
        <Table label="Documents to review" class="rows reviews">
            {heads([
                Text("Document"), Text("Labelers"), Number("Conflict"), Number("Boundaries"),
                Number("Marked by only one"), Number("Waiting"), Number("Unanimous"), Number("Decided"),
                Text("Review"), Hidden("Actions"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
        <Pager page address/>
    }
}

#[component]
fn Row(card: ReviewCard) -> impl IntoView {
    let labelers =
        format!("{} submitted, {} saved, of {}", card.submitted, card.saved, card.assigned);
    let (sign, word, class) = state_words(&card);
    let decisions = card.decisions;
    let decided = format!(
        "{} of {}",
        display::thousands(decisions.decided),
        display::thousands(decisions.total())
    );
    let second = card.second.then(|| {
        view! { " "<span class="badge accent"><span aria-hidden="true">"②"</span>"second review"</span> }
    });
    let back = (card.submitted > 0).then(|| {
        let label = format!("Send back {}", card.document_name);
        let address = format!("/documents/{}/back", card.document);
        view! { <a class="button quiet small" href=address aria-label=label>"Send back …"</a> }
    });
    view! {
        <tr>
            <th scope="row">
                <a dir="auto" href=review_address(card.document)>{card.document_name.clone()}</a>
                {second}
            </th>
            <td class="number-words">{labelers}</td>
            {coloured(decisions.conflict, "badge danger")}
            {coloured(decisions.boundaries, "badge warn")}
            {coloured(decisions.one_sided, "badge warn")}
            {coloured(decisions.waiting, "badge")}
            {coloured(decisions.unanimous, "badge good")}
            <td class="number">{decided}</td>
            <td>
                <span class=format!("badge {class}")>
                    <span aria-hidden="true">{sign}</span>
                    {word}
                </span>
            </td>
            <td class="tools">{back}</td>
        </tr>
    }
}

/// A number on its colour; none has no colour.
fn coloured(n: u64, class: &'static str) -> AnyView {
    let class = if n == 0 { "soft" } else { class };
    view! { <td class="number"><span class=class>{display::thousands(n)}</span></td> }
}

/// What a document of the queue is ordered by: what is finished comes last, before it the most conflicts
/// first, of labels or of boundaries, then the largest share of decisions in dispute, in thousandths, then
/// what labelers have not finished.
fn doubt(card: &ReviewCard) -> (bool, Reverse<u64>, Reverse<u64>, bool) {
    let DecisionCounts { boundaries, conflict, one_sided, .. } = card.decisions;
    let conflicts = conflict + boundaries;
    let disputed = 1_000 * (conflicts + one_sided);
    (
        card.state == WorkState::Submitted,
        Reverse(conflicts),
        Reverse(disputed.checked_div(card.decisions.total()).unwrap_or_default()),
        card.submitted == card.assigned,
    )
}

/// Leads to the next document that waits for the reviewer.
#[component]
fn Continue(waiting: Option<DocumentId>) -> impl IntoView {
    match waiting {
        Some(document) => view! {
            <a class="button primary" href=review_address(document)>"Next undecided"</a>
        },
        None => view! { <p>"All documents with spans are reviewed."</p> },
    }
}

/// The first document whose review is not ended although there is something to decide.
fn first_waiting(cards: &[ReviewCard]) -> Option<DocumentId> {
    cards
        .iter()
        .find(|card| card.state != WorkState::Submitted && card.decisions.total() > 0)
        .map(|card| card.document)
}

/// The sign, the word and the class of a review's state.
const fn state_words(card: &ReviewCard) -> (&'static str, &'static str, &'static str) {
    match card.state {
        WorkState::Submitted => ("●", "finished", "good"),
        WorkState::Saved => ("◐", "begun", "accent"),
        WorkState::Open if card.saved == 0 => ("–", "not saved yet", ""),
        WorkState::Open => ("○", "waiting", "warn"),
    }
}

fn review_address(document: DocumentId) -> String {
    format!("/documents/{document}/review")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(id: i64, state: WorkState, conflict: u64) -> ReviewCard {
        ReviewCard {
            document: DocumentId(id),
            document_name: id.to_string(),
            submitted: 1,
            saved: 2,
            assigned: 3,
            unanimous: 0,
            conflict,
            one_sided: 0,
            waiting: 0,
            decided: 0,
            decisions: DecisionCounts { conflict, ..DecisionCounts::default() },
            state,
            second: false,
        }
    }

    #[test]
    fn what_is_ended_or_has_no_marks_does_not_wait() {
        let cards = [
            card(1, WorkState::Submitted, 4),
            card(2, WorkState::Open, 0),
            card(3, WorkState::Saved, 1),
        ];
        assert_eq!(first_waiting(&cards), Some(DocumentId(3)));
        assert_eq!(first_waiting(&cards[..2]), None);
    }

    #[test]
    fn conflicts_come_first_and_what_is_finished_last() {
        let with = |id, decisions| ReviewCard { decisions, ..card(id, WorkState::Open, 0) };
        let some = |id, one_sided, unanimous| {
            with(id, DecisionCounts { one_sided, unanimous, ..DecisionCounts::default() })
        };
        let boundaries = DecisionCounts { boundaries: 1, ..DecisionCounts::default() };
        let mut cards = [
            card(1, WorkState::Submitted, 9),
            some(2, 1, 9),
            some(3, 1, 1),
            with(5, boundaries),
            card(4, WorkState::Saved, 2),
        ];
        cards.sort_by_key(doubt);
        assert_eq!(cards.iter().map(|card| card.document.0).collect::<Vec<_>>(), [4, 5, 3, 2, 1]);
    }

    #[test]
    fn a_document_that_nobody_has_saved_is_not_waiting() {
        let untouched = ReviewCard { saved: 0, ..card(1, WorkState::Open, 0) };
        assert_eq!(state_words(&untouched).1, "not saved yet");
        assert_eq!(state_words(&card(1, WorkState::Open, 0)).1, "waiting");
    }
}
