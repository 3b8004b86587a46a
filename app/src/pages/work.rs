//! The labeler's own page: how far they have come, what is next, and their own agreement.

mod consistency;
mod own_agreement;

use domain::{AssignmentCard, OwnWork, StateCounts, WorkState};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    api::annotating::load_own_work, display, loading::load, pages::components::loaded::Loaded,
    pages::project::use_project_id, view::view,
};
use consistency::ConsistencyView;
use own_agreement::OwnAgreementView;

/// The viewer's documents; nothing on it tells of another person.
#[component]
pub(crate) fn WorkPage() -> impl IntoView {
    let work = load(load_own_work(use_project_id()));
    view! {
        <Title text="My work"/>
        <div class="page work">
            <Loaded resource=work view=|work| view! { <Work work/> }/>
        </div>
    }
}

#[component]
fn Work(work: OwnWork) -> impl IntoView {
    let OwnWork { counts, assignments, agreement, consistency, .. } = work;
    view! {
        <h1>"My work"</h1>
        <Progress counts next=first_unfinished(&assignments).cloned()/>
        <OwnAgreementView agreement/>
        <ConsistencyView consistency/>
        <Assignments assignments/>
    }
}

/// How many documents are done, and the way on.
#[component]
fn Progress(counts: StateCounts, next: Option<AssignmentCard>) -> impl IntoView {
    if counts.total() == 0 {
        return view! {
            <p class="empty">"No documents are assigned to you yet. They appear here once your manager has added some."</p>
        };
    }
    let way_on = match next {
        Some(AssignmentCard { id, document_name, state, .. }) => {
            let verb = if counts.submitted == 0 && state == WorkState::Open {
                "Start"
            } else {
                "Continue"
            };
            view! {
                <a class="button primary" href=format!("/assignments/{id}")>
                    {verb}" with "<bdi>{document_name}</bdi>
                </a>
            }
        }
        None => view! { <p><strong>"All your documents are submitted. Thank you!"</strong></p> },
    };
    view! {
        <section class="card" aria-label="Progress">
            <div class="row spread">
                <p id="progress-text">{progress_words(counts)}</p>
                {way_on}
            </div>
            <progress
                aria-labelledby="progress-text"
                max=counts.total().to_string()
                value=counts.submitted.to_string()
            ></progress>
        </section>
    }
}

/// All copies, in the order they are worked through.
#[component]
fn Assignments(assignments: Vec<AssignmentCard>) -> impl IntoView {
    let rows = assignments.iter().map(|card| {
        let AssignmentCard { id, document_name, characters, spans, state, saved_at } = card.clone();
        let (icon, word, class) = state_words(state);
        view! {
            <tr>
                <th scope="row"><a dir="auto" href=format!("/assignments/{id}")>{document_name}</a></th>
                <td><span class=format!("badge {class}")><span aria-hidden="true">{icon}</span>{word}</span></td>
                <td class="number">{display::thousands(spans)}</td>
                <td class="number">{display::thousands(characters.into())}</td>
                <td class="when">{saved_at.map_or_else(|| "–".to_owned(), display::time)}</td>
            </tr>
        }
    });
    (!assignments.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="documents-title">
                <h2 id="documents-title">"Documents"</h2>
                <div class="scroll-x" role="region" aria-labelledby="documents-title" tabindex="0">
                    <table class="rows">
                        <thead>
                            <tr>
                                <th scope="col">"Document"</th>
                                <th scope="col">"State"</th>
                                <th scope="col" class="number">"Spans"</th>
                                <th scope="col" class="number">"Characters"</th>
                                <th scope="col">"Last saved"</th>
                            </tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </section>
        }
    })
}

/// The first document that is still to be submitted.
fn first_unfinished(assignments: &[AssignmentCard]) -> Option<&AssignmentCard> {
    assignments.iter().find(|card| card.state != WorkState::Submitted)
}

/// "3 of 12 submitted · 1 saved · 8 open".
fn progress_words(counts: StateCounts) -> String {
    let [open, saved, submitted, total] =
        [counts.open, counts.saved, counts.submitted, counts.total()].map(display::thousands);
    format!("{submitted} of {total} submitted · {saved} saved · {open} open")
}

/// The icon, the word and the class of a state.
const fn state_words(state: WorkState) -> (&'static str, &'static str, &'static str) {
    match state {
        WorkState::Open => ("○", "open", ""),
        WorkState::Saved => ("◐", "saved", "accent"),
        WorkState::Submitted => ("●", "submitted", "good"),
    }
}

#[cfg(test)]
mod tests {
    use domain::AssignmentId;

    use super::*;

    fn card(id: i64, state: WorkState) -> AssignmentCard {
        AssignmentCard {
            id: AssignmentId(id),
            document_name: id.to_string(),
            characters: 10,
            spans: 0,
            state,
            saved_at: None,
        }
    }

    #[test]
    fn the_way_on_leads_past_what_is_submitted() {
        let cards =
            [card(1, WorkState::Submitted), card(2, WorkState::Open), card(3, WorkState::Saved)];
        assert_eq!(first_unfinished(&cards).map(|card| card.id), Some(AssignmentId(2)));
        assert_eq!(first_unfinished(&[card(1, WorkState::Submitted)]), None);
    }

    #[test]
    fn progress_counts_every_state() {
        let counts = StateCounts { open: 1008, saved: 1, submitted: 3 };
        assert_eq!(progress_words(counts), "3 of 1,012 submitted · 1 saved · 1,008 open");
    }
}
