//! A project's settings: name, guidelines, what labelers see of their agreement, labels, suggestions,
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
mod time;

use domain::{ProjectId, SettingsView};
use leptos::prelude::*;
use leptos_meta::Title;

pub(crate) use self::label_page::LabelPage;
use self::{
    form::SettingsForm,
    keeping::ProjectKeeping,
    labels::Labels,
    reasons::Reasons,
    release::Release,
    suggestions::Suggestions,
    time::{Time, load_measured},
};
use crate::{
    ApiError,
    context::{answer, request, take_note},
    loading::load,
    pages::{
        components::{keeping::Kept, loaded::Loaded},
        project::{reasons::load_reasons, use_project_id},
    },
    view::view,
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let settings = load(load_with_note(use_project_id()));
    view! {
        <Title text="Settings"/>
        <div class="page settings">
            <h1>"Settings"</h1>
            <Loaded resource=settings titled=true view=|(view, reasons, note, is_measured)| {
                let SettingsView { project, settings, labels, details, suggestions, released_at, archived_at } = view;
                let is_saved = |form: &str| note.as_deref() == Some(form);
                let (is_form_saved, are_suggestions_saved) = (is_saved("saved"), is_saved("suggestions"));
                let level = settings.release_level;
                let name = settings.name.clone();
                let kept = note.clone();
                view! {
                    <Kept note=kept/>
                    <SettingsForm project settings is_saved=is_form_saved/>
                    <Release project level released_at/>
                    <Time project is_measured/>
                    <Labels project labels details/>
                    <Suggestions project settings=suggestions is_saved=are_suggestions_saved/>
                    <Reasons project reasons/>
                    <section class="card" aria-labelledby="webhooks-title">
                        <h2 id="webhooks-title">"Webhooks"</h2>
                        <p>"What happens in this project can be sent to addresses of yours."</p>
                        <p><a class="button" href=format!("/projects/{project}/webhooks")>"Webhooks"</a></p>
                    </section>
                    <section class="card" aria-labelledby="audit-title">
                        <h2 id="audit-title">"Audit trail"</h2>
                        <p>"Who did what in this project, and when."</p>
                        <p><a class="button" href=format!("/projects/{project}/audit")>"Audit trail"</a></p>
                    </section>
                    <ProjectKeeping project name archived_at/>
                }
            }/>
        </div>
    }
}

/// The settings, the reasons for decisions, which form has just been saved, and whether time is
/// measured.
async fn load_with_note(
    project: ProjectId,
) -> Result<(SettingsView, Vec<String>, Option<String>, bool), ApiError> {
    let note = take_note(project, "settings");
    let (services, actor) = request()?;
    let settings = answer(services::project::load_settings(&services, &actor, project).await)?;
    let reasons = load_reasons(project).await?;
    Ok((settings, reasons, note, load_measured(project).await?))
}
