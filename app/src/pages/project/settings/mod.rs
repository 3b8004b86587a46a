//! A project's settings: name, guidelines, and what labelers see of their agreement; and on a page of
//! their own labels, suggestions, and the reasons for decisions.

mod attributes;
mod form;
mod keeping;
mod label_form;
mod label_page;
mod labels;
mod models;
mod reasons;
mod release;
mod suggestions;
mod time;

use domain::{LabelId, ProjectId, SettingsView};

use self::{
    attributes::Attributes,
    form::SettingsForm,
    keeping::ProjectKeeping,
    labels::Labels,
    reasons::Reasons,
    release::Release,
    suggestions::Suggestions,
    time::{Time, load_measured},
};
pub(crate) use self::{label_page::LabelPage, models::ModelsPage};
use crate::{
    context::take_note,
    pages::{
        components::{form::keeping::Kept, prelude::*},
        project::reasons::load_reasons,
    },
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let project = use_project_id();
    let note = take_note(project, "settings");
    let settings =
        load(async move { Ok((load_view(project).await?, load_measured(project).await?)) });
    view! {
        <PageBody title="Settings" class="page settings">
            <Loaded resource=settings titled=true view=move |(view, is_measured)| {
                let SettingsView { project, settings, released_at, archived_at, .. } = view;
                let is_saved = note.as_deref() == Some("saved");
                let level = settings.release_level;
                let name = settings.name.clone();
                view! {
                    <Kept note/>
                    <SettingsForm project settings is_saved/>
                    <Release project level released_at/>
                    <Time project is_measured/>
                    <ProjectKeeping project name archived_at/>
                }
            }/>
        </PageBody>
    }
}

/// What spans are labelled with, what is suggested, and why reviewers decide as they do.
#[component]
pub(crate) fn LabelsPage() -> impl IntoView {
    let project = use_project_id();
    let note = take_note(project, "settings/labels");
    let found = load(async move { Ok((load_view(project).await?, load_reasons(project).await?)) });
    view! {
        <PageBody title="Labels" class="page settings">
            <Loaded resource=found titled=true view=move |(view, reasons)| {
                let SettingsView { project, labels, details, suggestions, .. } = view;
                let is_saved = note.as_deref() == Some("suggestions");
                let of_documents = details.iter().find(|it| it.id == LabelId::DOCUMENT);
                let questions = of_documents.map(|it| it.attributes.clone()).unwrap_or_default();
                view! {
                    <Labels project labels details/>
                    <Attributes project label=LabelId::DOCUMENT attributes=questions/>
                    <Suggestions project settings=suggestions is_saved/>
                    <Reasons project reasons/>
                }
            }/>
        </PageBody>
    }
}

async fn load_view(project: ProjectId) -> Result<SettingsView, ApiError> {
    let (services, actor) = request()?;
    answer(services::project::load_settings(&services, &actor, project).await)
}
