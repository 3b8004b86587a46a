//! What a labeler does next, and how far they have come.

use domain::{AssignmentCard, OwnPace, OwnPool, ProjectId, StateCounts, WorkState};

use crate::{api::workload::DrawDocument, pages::components::prelude::*};

/// The way on, the day's pace and the progress.
#[component]
pub(super) fn Hero(
    project: ProjectId,
    counts: StateCounts,
    pace: OwnPace,
    next: Option<AssignmentCard>,
    pool: Option<OwnPool>,
) -> impl IntoView {
    if counts.total() == 0 && pool.is_none() {
        return view! {
            <p class="empty">"No documents yet. They appear here once your manager assigns some."</p>
        };
    }
    let progress = (counts.total() > 0).then(|| {
        let (value, max) = (counts.submitted.to_string(), counts.total().to_string());
        view! {
            <div class="stack tight">
                <progress aria-labelledby="progress-text" max=max value=value></progress>
                <p class="number soft">
                    <span id="progress-text">{progress_words(counts)}</span>
                    {pace_words(pace)}
                </p>
            </div>
        }
    });
    view! {
        <section class="card hero" aria-label="Next">
            {match next {
                Some(next) => view! { <Next next counts/> },
                None => view! { <Finished project counts pool/> },
            }}
            {progress}
        </section>
    }
}

/// The document to go on with.
#[component]
fn Next(next: AssignmentCard, counts: StateCounts) -> impl IntoView {
    let AssignmentCard { id, document_name, characters, state, due_at, .. } = next;
    let verb = match state {
        WorkState::Open if counts.submitted == 0 => "Start",
        _ => "Continue",
    };
    let due = due_at.map(|at| view! { " · due "<Moment at/> });
    let about = display::count(characters.into(), "character");
    view! {
        <div class="row spread">
            <div class="stack tight">
                <p class="soft">"Next"</p>
                <h2 dir="auto">{document_name.clone()}</h2>
                <p class="soft number">{about}{due}</p>
            </div>
            <a class="button primary large" href=format!("/assignments/{id}") aria-label=format!("{verb} with {document_name}")>
                {verb}
            </a>
        </div>
    }
}

/// Nothing is left: more is drawn, or all is done.
#[component]
fn Finished(project: ProjectId, counts: StateCounts, pool: Option<OwnPool>) -> impl IntoView {
    let words = match (counts.skipped, counts.total(), pool) {
        (_, 0, _) => "Get your first document when you are ready.".to_owned(),
        (0, _, _) => "All documents submitted. Thank you!".to_owned(),
        _ => "Only skipped documents are left.".to_owned(),
    };
    view! {
        <div class="row spread">
            <p><strong>{words}</strong></p>
            {pool.map(|pool| view! { <Draw project pool/> })}
        </div>
    }
}

/// The next document on demand.
#[component]
pub(super) fn Draw(project: ProjectId, pool: OwnPool) -> impl IntoView {
    let (draw, refused) = form_action::<DrawDocument>();
    let content = match pool {
        OwnPool::Ready => view! {
            <ActionForm action=draw>
                <input type="hidden" name="project" value=project.to_string()/>
                <button>"Get next document"</button>
            </ActionForm>
        },
        OwnPool::Full(most) => view! {
            <p class="soft">{format!("You have {} open, the maximum. Submit one to get the next.", display::count(most.into(), "document"))}</p>
        },
        OwnPool::Empty => view! { <p class="soft">"No further documents at present."</p> },
    };
    view! { {content}<Problem refusal=refused/> }
}

/// "3 of 12 submitted · 1 saved", and how many were skipped.
fn progress_words(counts: StateCounts) -> String {
    let [submitted, total] = [counts.submitted, counts.total()].map(display::thousands);
    let saved = match counts.saved {
        0 => String::new(),
        n => format!(" · {} saved", display::thousands(n)),
    };
    let aside = match counts.skipped {
        0 => String::new(),
        n => format!(" · {} skipped", display::thousands(n)),
    };
    format!("{submitted} of {total} submitted{saved}{aside}")
}

/// " · 3 today, usually 6 a day".
fn pace_words(pace: OwnPace) -> String {
    let today = display::thousands(pace.today);
    match pace.usual {
        Some(usual) => format!(" · {today} today, usually {} a day", display::thousands(usual)),
        None if pace.today == 0 => String::new(),
        None => format!(" · {today} today"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_every_state() {
        let aside = StateCounts { open: 1, skipped: 2, ..StateCounts::default() };
        assert_eq!(progress_words(aside), "0 of 3 submitted · 2 skipped");
        let counts = StateCounts { open: 1008, saved: 1, submitted: 3, skipped: 0 };
        assert_eq!(progress_words(counts), "3 of 1,012 submitted · 1 saved");
    }

    #[test]
    fn a_pace_is_told_once_there_is_one() {
        assert_eq!(pace_words(OwnPace::default()), "");
        assert_eq!(pace_words(OwnPace { today: 2, usual: None }), " · 2 today");
        let usual = OwnPace { today: 0, usual: Some(6) };
        assert_eq!(pace_words(usual), " · 0 today, usually 6 a day");
    }
}
