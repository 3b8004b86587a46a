//! What is still to be done before agreement can be measured.

use domain::{PersonProgress, ProjectView, Role};

use crate::{
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// Nothing once all of it is done.
#[component]
pub(super) fn SetUp(
    project: ProjectView,
    documents: u64,
    people: Vec<PersonProgress>,
    /// Whether there is a number already.
    is_counted: bool,
) -> impl IntoView {
    let address = format!("/projects/{}", project.id);
    let labelers = || people.iter().filter(|person| person.role == Role::Labeler);
    let assigned: u64 = labelers().map(|labeler| labeler.counts.total()).sum();
    let steps = [
        (
            !project.labels.is_empty(),
            "settings/labels",
            "Add labels",
            "what people label text with",
        ),
        (documents > 0, "work/documents", "Add documents", "plain text, JSON Lines or CoNLL"),
        (
            labelers().count() > 1,
            "settings/members",
            "Invite people",
            "agreement needs at least two labelers",
        ),
        // With more assignments than documents one of these has two.
        (
            is_counted || assigned > documents,
            "work/people",
            "Assign documents",
            "some of them to two labelers",
        ),
        (
            is_counted,
            "work/documents",
            "Get them labeled",
            "numbers are here once two labelers have saved the same document",
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
            <Section title_id="steps-title" title="Set up" class="card">
                <ol class="plain-list stack">{steps}</ol>
            </Section>
        }
    })
}
