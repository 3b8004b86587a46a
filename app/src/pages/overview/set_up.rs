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
) -> impl IntoView {
    let address = format!("/projects/{}", project.id);
    let steps = [
        (
            !project.labels.is_empty(),
            "settings/labels",
            "Add labels",
            "what people label text with",
        ),
        (documents > 0, "work/documents", "Add documents", "plain text, JSON Lines or CoNLL"),
        (
            people.iter().filter(|person| person.role == Role::Labeler).count() > 1,
            "settings/members",
            "Invite people",
            "agreement needs at least two labelers",
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
