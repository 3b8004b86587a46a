//! The documents that a reviewer goes through: how far each is, and what to go on with.

mod labels;

use domain::{DocumentId, ProjectId, ReviewCard, ReviewQueue, WorkState};

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
    let reviews = load(list_reviews(project, page));
    let labels = load_with(move |services, actor| async move {
        services::review::walk::load_labels(&services, &actor, project).await
    });
    let time = load(load_own_time(project));
    view! {
        <Title text="Review queue"/>
        <div class="page">
            <Loaded resource=reviews view=move |queue| view! {
                <Reviews project queue/>
            }/>
            <Loaded resource=labels quiet=true view=move |labels| view! { <ByLabel project labels/> }/>
            <Loaded resource=time quiet=true view=|own| view! { <OwnTimeView own/> }/>
        </div>
    }
}

#[component]
fn Reviews(project: ProjectId, queue: ReviewQueue) -> impl IntoView {
    let ReviewQueue { page, next } = queue;
    if page.total == 0 {
        return view! {
            <PageHead heading="Queue"/>
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
        <PageHead heading="Queue">
            <a class="button" href=format!("/projects/{project}/agreement/reasons")>"Reasons"</a>
            <a class="button" href=format!("/projects/{project}/review/rules")>"Accept what labelers agree on"</a>
            <Continue next/>
        </PageHead>
        <p class="number soft">{total}</p>
        <Table label="Documents to review" class="rows reviews">
            {heads([
                Text("Document"), Text("Labelers"), Number("Conflict"), Number("Boundaries"),
                Number("Marked by some"), Number("Waiting"), Number("Unanimous"), Number("Decided"),
                Text("Review"), Hidden("Actions"),
            ])}
            <tbody>{rows}</tbody>
        </Table>
        <Pager page address/>
    }
}

#[component]
fn Row(card: ReviewCard) -> impl IntoView {
    let saved = card.saved - card.submitted;
    let saved = (saved > 0).then(|| format!(" · {} saved", display::thousands(saved)));
    let labelers = format!("{} of {} submitted", card.submitted, card.assigned);
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
            <td class="number-words">{labelers}{saved}</td>
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

/// Leads to the next document that waits for the reviewer.
#[component]
fn Continue(next: Option<DocumentId>) -> impl IntoView {
    match next {
        Some(document) => view! {
            <a class="button primary" href=review_address(document)>"Next undecided"</a>
        },
        None => view! { <p>"All documents with spans are reviewed."</p> },
    }
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
    use domain::DecisionCounts;

    use super::*;

    #[test]
    fn a_document_that_nobody_has_saved_is_not_waiting() {
        let card = |saved| ReviewCard {
            document: DocumentId(1),
            document_name: String::new(),
            submitted: 0,
            saved,
            assigned: 3,
            unanimous: 0,
            conflict: 0,
            one_sided: 0,
            waiting: 0,
            decided: 0,
            decisions: DecisionCounts::default(),
            state: WorkState::Open,
            second: false,
        };
        assert_eq!(state_words(&card(0)).1, "not saved yet");
        assert_eq!(state_words(&card(1)).1, "waiting");
    }
}
