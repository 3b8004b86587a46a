//! The manager's overview: what to do next, and how far everybody has come.

use domain::{PersonProgress, ProjectId, ProjectView, Role, StateCounts};
use leptos::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{
    ApiError,
    api::document::{list_documents, list_progress},
    display,
    islands::icon::{Glyph, Icon},
    pages::components::table::Table,
    view::view,
};

/// How far a project has come.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Progress {
    documents: u64,
    people: Vec<PersonProgress>,
}

pub(super) async fn load_progress(project: ProjectId) -> Result<Progress, ApiError> {
    Ok(Progress {
        documents: list_documents(project, 0).await?.total,
        people: list_progress(project).await?,
    })
}

impl Progress {
    /// How many people have this role.
    fn number_of(&self, role: Role) -> u64 {
        self.people.iter().filter(|person| person.role == role).map(|_| 1).sum()
    }

    /// The labelers' copies by state.
    fn copies(&self) -> StateCounts {
        let mut sum = StateCounts::default();
        for person in self.people.iter().filter(|person| person.role == Role::Labeler) {
            sum.open += person.counts.open;
            sum.saved += person.counts.saved;
            sum.submitted += person.counts.submitted;
            sum.skipped += person.counts.skipped;
        }
        sum
    }
}

/// A number and what it counts.
fn counted(n: u64, one: &'static str, many: &'static str) -> (String, &'static str) {
    (display::thousands(n), if n == 1 { one } else { many })
}

#[component]
pub(super) fn Overview(project: ProjectView, progress: Progress) -> impl IntoView {
    let copies = progress.copies();
    let figures = [
        counted(progress.documents, "document", "documents"),
        (
            format!(
                "{} of {}",
                display::thousands(copies.submitted),
                display::thousands(copies.total())
            ),
            "copies submitted",
        ),
        counted(progress.number_of(Role::Labeler), "labeler", "labelers"),
        counted(progress.number_of(Role::Reviewer), "reviewer", "reviewers"),
    ];
    let figures = figures
        .map(|(number, what)| {
            view! { <div class="figure"><dt>{what}</dt><dd class="number">{number}</dd></div> }
        })
        .collect_view();
    view! {
        <div class="page">
            <h1>"Overview"</h1>
            <NextSteps project=project.clone() progress=progress.clone()/>
            <dl class="figures">{figures}</dl>
            <People people=progress.people/>
            {project.demo.then(|| view! { <Watch project=project.id/> })}
        </div>
    }
}

/// Where a demo shows labelers at work.
#[component]
fn Watch(project: ProjectId) -> impl IntoView {
    view! {
        <section class="card" aria-labelledby="watch-title">
            <h2 id="watch-title">"See it move"</h2>
            <p>
                "Nobody else is working here? The "
                <a href=format!("/projects/{project}/agreement#simulation")>"agreement matrix"</a>
                " of a demo can have two labelers mark a few spans every moment."
            </p>
        </section>
    }
}

/// What is still to be done before agreement can be measured; nothing once all of it is done.
#[component]
fn NextSteps(project: ProjectView, progress: Progress) -> impl IntoView {
    let address = format!("/projects/{}", project.id);
    let steps = [
        (!project.labels.is_empty(), "settings#labels", "Add labels", "what people mark text with"),
        (progress.documents > 0, "documents", "Add documents", "plain text, JSON lines or CoNLL"),
        (
            progress.number_of(Role::Labeler) > 1,
            "members",
            "Invite people",
            "agreement takes at least two labelers",
        ),
    ];
    let is_ready = steps.iter().all(|(is_done, ..)| *is_done);
    (!is_ready).then(|| {
        let steps = steps
            .map(|(is_done, path, title, why)| {
                let (glyph, state) =
                    if is_done { (Glyph::Done, "done: ") } else { (Glyph::Next, "to do: ") };
                view! {
                    <li class="step" class:done=is_done>
                        <Icon glyph/>
                        <span>
                            <span class="visually-hidden">{state}</span>
                            <a href=format!("{address}/{path}")>{title}</a>
                            <span class="soft">" – " {why}</span>
                        </span>
                    </li>
                }
            })
            .collect_view();
        view! {
            <section class="card" aria-labelledby="steps-title">
                <h2 id="steps-title">"Next steps"</h2>
                <ol class="plain-list stack">{steps}</ol>
            </section>
        }
    })
}

/// A row for everybody who works on documents.
#[component]
fn People(people: Vec<PersonProgress>) -> impl IntoView {
    let rows = people
        .into_iter()
        .filter(|person| person.role != Role::Manager)
        .map(|PersonProgress { name, role, counts, .. }| {
            view! {
                <tr>
                    <th scope="row" dir="auto">{name}</th>
                    <td>{role.name()}</td>
                    <td class="bar-cell"><StateBar counts/></td>
                    <td class="number">{display::thousands(counts.open)}</td>
                    <td class="number">{display::thousands(counts.saved)}</td>
                    <td class="number">{display::thousands(counts.submitted)}</td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <section class="stack" aria-labelledby="people-title">
                <h2 id="people-title">"Progress"</h2>
                <Table labelled_by="people-title">
                    <thead>
                        <tr>
                            <th scope="col">"Person"</th>
                            <th scope="col">"Role"</th>
                            <th scope="col" class="bar-cell">
                                <span class="visually-hidden">"Share submitted and saved"</span>
                            </th>
                            <th scope="col" class="number">"Open"</th>
                            <th scope="col" class="number">"Saved"</th>
                            <th scope="col" class="number">"Submitted"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </Table>
            </section>
        }
    })
}

/// Submitted, saved and open documents as one bar; the numbers stand beside it.
#[component]
fn StateBar(counts: StateCounts) -> impl IntoView {
    let total = counts.total().max(1);
    let worked = counts.submitted + counts.saved;
    view! {
        <svg
            class="state-bar"
            viewBox=format!("0 0 {total} 1")
            preserveAspectRatio="none"
            aria-hidden="true"
        >
            <rect class="open" width=total.to_string() height="1"></rect>
            <rect class="saved" width=worked.to_string() height="1"></rect>
            <rect class="submitted" width=counts.submitted.to_string() height="1"></rect>
        </svg>
    }
}

#[cfg(test)]
mod tests {
    use domain::MemberId;

    use super::*;

    fn person(role: Role, submitted: u64) -> PersonProgress {
        let counts = StateCounts { open: 1, saved: 2, submitted, skipped: 0 };
        PersonProgress { member: MemberId(1), name: "Ada".to_owned(), role, counts }
    }

    #[test]
    fn reviews_are_not_counted_as_copies() {
        let people =
            vec![person(Role::Labeler, 3), person(Role::Labeler, 4), person(Role::Reviewer, 5)];
        let progress = Progress { documents: 1, people };
        assert_eq!(progress.copies(), StateCounts { open: 2, saved: 4, submitted: 7, skipped: 0 });
        assert_eq!(progress.number_of(Role::Labeler), 2);
    }
}
