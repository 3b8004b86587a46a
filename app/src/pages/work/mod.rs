//! The labeler's own page: how far they have come, what is next, and their own agreement.

pub(crate) mod annotate;
pub(crate) mod comments;
mod consistency;
pub(crate) mod history;
mod own_agreement;
pub(crate) mod repeats;
mod time;

use std::collections::BTreeMap;

use domain::{
    AssignmentCard, AssignmentId, AssignmentNotes, FlagKind, OwnPool, OwnWork, ProjectId,
    StateCounts, WorkState,
};

use self::comments::{flag_words, note};
use crate::{
    api::{
        work::{flags::LowerFlag, load_own_work},
        workload::DrawDocument,
    },
    pages::components::prelude::*,
};
use consistency::ConsistencyView;
use own_agreement::OwnAgreementView;
pub(crate) use time::{OwnTimeView, load_own_time};

/// The viewer's documents; nothing on it tells of another person.
#[component]
pub(crate) fn WorkPage() -> impl IntoView {
    let project = use_project_id();
    let work = load(load_own_work(project));
    let time = load(load_own_time(project));
    view! {
        <Title text="My work"/>
        <div class="page work">
            <Loaded resource=work view=move |work| view! { <Work project work/> }/>
            <Loaded resource=time quiet=true view=|own| view! { <OwnTimeView own/> }/>
        </div>
    }
}

#[component]
fn Work(project: ProjectId, work: OwnWork) -> impl IntoView {
    let OwnWork {
        counts,
        assignments,
        skipped,
        notes,
        comments,
        agreement,
        consistency,
        paused,
        pool,
        overdue,
        ..
    } = work;
    let notes: BTreeMap<_, _> = notes.into_iter().collect();
    let comments = (comments > 0).then(|| {
        let address = format!("/projects/{project}/work/comments");
        let words = display::count(comments, "comment");
        view! { <p><a href=address>{format!("Your {words} and the answers")}</a></p> }
    });
    view! {
        <h1>"My work"</h1>
        {paused.then(paused_notice)}
        <Progress counts next=first_unfinished(&assignments).cloned() draws=pool.is_some()/>
        {pool.map(|pool| view! { <Draw project pool/> })}
        <OwnAgreementView agreement/>
        <ConsistencyView consistency/>
        {put_aside(skipped, &notes)}
        {comments}
        <Assignments assignments overdue notes/>
    }
}

fn paused_notice() -> AnyView {
    view! {
        <p class="notice warn" role="status">
            "Your manager paused your work. You can finish what you have started; other documents are hidden for now."
        </p>
    }
}

/// The next document on demand.
#[component]
fn Draw(project: ProjectId, pool: OwnPool) -> impl IntoView {
    let (draw, refused) = form_action::<DrawDocument>();
    let content = match pool {
        OwnPool::Ready => view! {
            <ActionForm action=draw>
                <input type="hidden" name="project" value=project.to_string()/>
                <button>"Get next document"</button>
            </ActionForm>
        },
        OwnPool::Full(most) => view! {
            <p>{format!("You have {} open, the maximum. Submit one to get the next.", display::count(most.into(), "document"))}</p>
        },
        OwnPool::Empty => {
            view! { <p>"No further documents at present."</p> }
        }
    };
    view! {
        <section class="card row spread" aria-label="Next document">
            <p class="soft">"Get your next document when you are ready."</p>
            {content}
            <Problem refusal=refused/>
        </section>
    }
}

/// How many documents are done, and the way on.
#[component]
fn Progress(
    counts: StateCounts,
    next: Option<AssignmentCard>,
    /// Whether documents are drawn: then none at first is as it should be.
    draws: bool,
) -> impl IntoView {
    if counts.total() == 0 && draws {
        return ().into_any();
    }
    if counts.total() == 0 {
        return view! {
            <p class="empty">"No documents yet. They appear here once your manager assigns some."</p>
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
        None if counts.skipped > 0 => view! {
            <p><strong>"Only skipped documents are left."</strong></p>
        },
        None => view! { <p><strong>"All documents submitted. Thank you!"</strong></p> },
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

/// All assignments, in the order they are worked through.
#[component]
fn Assignments(
    assignments: Vec<AssignmentCard>,
    /// Those that were to be submitted by now.
    overdue: Vec<AssignmentId>,
    /// What stands beside them.
    notes: BTreeMap<AssignmentId, AssignmentNotes>,
) -> impl IntoView {
    let back: Vec<_> = assignments
        .iter()
        .filter_map(|card| {
            let note = note(notes.get(&card.id)?.note.as_ref()?);
            let (id, name) = (card.id, card.document_name.clone());
            Some(view! {
                <li><a dir="auto" href=format!("/assignments/{id}")>{name}</a>{note}</li>
            })
        })
        .collect();
    let back = (!back.is_empty()).then(|| {
        view! {
            <Section title_id="back-title" title="Sent back to you">
                <ul class="plain-list stack">{back}</ul>
            </Section>
        }
    });
    let is_due = assignments.iter().any(|card| card.due_at.is_some());
    let due_head = is_due.then(|| view! { <th scope="col">"Due"</th> });
    let rows = assignments.iter().map(|card| {
        let AssignmentCard { id, document_name, characters, spans, state, saved_at, due_at } = card.clone();
        let due = is_due.then(|| {
            let late = overdue.contains(&id).then(|| {
                view! { " "<span class="badge danger"><span aria-hidden="true">"△"</span>"overdue"</span> }
            });
            view! { <td class="when">{due_at.map_or_else(|| "–".to_owned(), display::time)}{late}</td> }
        });
        let (icon, word, class) = state_words(state);
        let is_flagged = notes.get(&id).is_some_and(|notes| notes.find(FlagKind::Flag).is_some());
        let flagged = is_flagged.then(|| {
            view! { " "<span class="badge warn"><span aria-hidden="true">"⚑"</span>"flagged"</span> }
        });
        view! {
            <tr>
                <th scope="row"><a dir="auto" href=format!("/assignments/{id}")>{document_name}</a>{flagged}</th>
                <td><span class=format!("badge {class}")><span aria-hidden="true">{icon}</span>{word}</span></td>
                <td class="number">{display::thousands(spans)}</td>
                <td class="number">{display::thousands(characters.into())}</td>
                <td class="when">{saved_at.map_or_else(|| "–".to_owned(), display::time)}</td>
                {due}
            </tr>
        }
    });
    let rows = rows.collect_view();
    (!assignments.is_empty()).then(|| {
        view! {
            {back}
            <Section title_id="documents-title" title="Documents">
                <Table labelled_by="documents-title">
                    <thead>
                        <tr>
                            <th scope="col">"Document"</th>
                            <th scope="col">"State"</th>
                            <th scope="col" class="number">"Spans"</th>
                            <th scope="col" class="number">"Characters"</th>
                            <th scope="col">"Last saved"</th>
                            {due_head}
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </Table>
            </Section>
        }
    })
}

/// What the labeler has put aside, and the way to take it up again.
fn put_aside(
    skipped: Vec<AssignmentCard>,
    notes: &BTreeMap<AssignmentId, AssignmentNotes>,
) -> Option<AnyView> {
    let lower = ServerAction::<LowerFlag>::new();
    let rows: Vec<_> = skipped
        .into_iter()
        .map(|AssignmentCard { id, document_name, .. }| {
            let flag = notes.get(&id).and_then(|notes| notes.find(FlagKind::Skip)).map(flag_words);
            let label = format!("Resume {document_name}");
            view! {
                <tr>
                    <th scope="row"><a dir="auto" href=format!("/assignments/{id}")>{document_name}</a></th>
                    <td>{flag}</td>
                    <td class="tools">
                        <ActionForm action=lower>
                            {hidden_fields([("assignment", &id), ("kind", &FlagKind::Skip.name())])}
                            <button class="small" aria-label=label>"Resume"</button>
                        </ActionForm>
                    </td>
                </tr>
            }
        })
        .collect();
    (!rows.is_empty()).then(|| {
        view! {
            <Section title_id="aside-title" title="Skipped">
                <Problem refusal=refusal(lower.into())/>
                <Table labelled_by="aside-title">
                    {heads([Text("Document"), Text("Why"), Hidden("Actions")])}
                    <tbody>{rows}</tbody>
                </Table>
            </Section>
        }
    })
}

/// The first document that is still to be submitted.
fn first_unfinished(assignments: &[AssignmentCard]) -> Option<&AssignmentCard> {
    assignments.iter().find(|card| card.state != WorkState::Submitted)
}

/// "3 of 12 submitted · 1 saved · 8 open", and how many were skipped.
fn progress_words(counts: StateCounts) -> String {
    let [open, saved, submitted, total] =
        [counts.open, counts.saved, counts.submitted, counts.total()].map(display::thousands);
    let aside = match counts.skipped {
        0 => String::new(),
        n => format!(" · {} skipped", display::thousands(n)),
    };
    format!("{submitted} of {total} submitted · {saved} saved · {open} open{aside}")
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
            due_at: None,
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
        let aside = StateCounts { open: 1, skipped: 2, ..StateCounts::default() };
        assert_eq!(progress_words(aside), "0 of 3 submitted · 0 saved · 1 open · 2 skipped");
        let counts = StateCounts { open: 1008, saved: 1, submitted: 3, skipped: 0 };
        assert_eq!(progress_words(counts), "3 of 1,012 submitted · 1 saved · 1,008 open");
    }
}
