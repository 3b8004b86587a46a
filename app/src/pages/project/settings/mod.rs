//! A project's settings: name, guidelines, target, what labelers see of their agreement, labels, suggestions,
//! and the reasons for decisions; the ways to webhooks and to the audit trail.

mod attributes;
mod form;
mod keeping;
mod label_form;
mod label_page;
mod labels;
mod reasons;
mod release;
mod suggestions;
mod target;
mod time;

use domain::{ProjectId, SettingsView, Target};

pub(crate) use self::label_page::LabelPage;
use self::{
    form::SettingsForm,
    keeping::ProjectKeeping,
    labels::Labels,
    reasons::Reasons,
    release::Release,
    suggestions::Suggestions,
    target::TargetForm,
    time::{Time, load_measured},
};
use crate::{
    context::take_note,
    pages::{
        components::{agreement::target::load_target, form::keeping::Kept, prelude::*},
        project::reasons::load_reasons,
    },
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let settings = load(load_with_note(use_project_id()));
    view! {
        <PageBody title="Settings" class="page settings">
            <Loaded resource=settings titled=true view=|found| {
                let Found { view, target, reasons, note, is_measured } = found;
                let SettingsView { project, settings, labels, details, suggestions, released_at, archived_at } = view;
                let is_saved = |form: &str| note.as_deref() == Some(form);
                let (is_form_saved, is_target_saved) = (is_saved("saved"), is_saved("target"));
                let are_suggestions_saved = is_saved("suggestions");
                let level = settings.release_level;
                let name = settings.name.clone();
                let kept = note.clone();
                view! {
                    <Kept note=kept/>
                    <SettingsForm project settings is_saved=is_form_saved/>
                    <TargetForm project target is_saved=is_target_saved/>
                    <Release project level released_at/>
                    <Time project is_measured/>
                    <Labels project labels details/>
                    <Suggestions project settings=suggestions is_saved=are_suggestions_saved/>
                    <Reasons project reasons/>
                    <Section title_id="webhooks-title" title="Webhooks" class="card">
                        <p>"Send project events to your own addresses."</p>
                        <p><a class="button" href=format!("/projects/{project}/webhooks")>"Webhooks"</a></p>
                    </Section>
                    <Section title_id="audit-title" title="Audit trail" class="card">
                        <p>"Who did what, and when."</p>
                        <p><a class="button" href=format!("/projects/{project}/audit")>"Audit trail"</a></p>
                    </Section>
                    <ProjectKeeping project name archived_at/>
                }
            }/>
        </PageBody>
    }
}

/// What the page shows.
#[derive(Clone)]
struct Found {
    view: SettingsView,
    target: Option<Target>,
    reasons: Vec<String>,
    /// Which form has just been saved.
    note: Option<String>,
    is_measured: bool,
}

async fn load_with_note(project: ProjectId) -> Result<Found, ApiError> {
    let note = take_note(project, "settings");
    let (services, actor) = request()?;
    let view = answer(services::project::load_settings(&services, &actor, project).await)?;
    let target = load_target(project).await?;
    let reasons = load_reasons(project).await?;
    Ok(Found { view, target, reasons, note, is_measured: load_measured(project).await? })
}
