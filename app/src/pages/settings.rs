//! A project's settings: name, guidelines, what labelers see of their agreement, and labels.

mod form;
mod label_form;
mod labels;
mod release;

use domain::{ProjectId, SettingsView};
use leptos::prelude::*;
use leptos_meta::Title;

use self::{form::SettingsForm, labels::Labels, release::Release};
use crate::{
    ApiError, api::projects::load_settings, context::take_note, loading::load,
    pages::components::loaded::Loaded, pages::project::use_project_id, view::view,
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let settings = load(load_with_note(use_project_id()));
    view! {
        <Title text="Settings"/>
        <div class="page settings">
            <h1>"Settings"</h1>
            <Loaded resource=settings titled=true view=|(view, is_saved)| {
                let SettingsView { project, settings, labels, released_at } = view;
                let level = settings.release_level;
                view! {
                    <SettingsForm project settings is_saved/>
                    <Release project level released_at/>
                    <Labels project labels/>
                }
            }/>
        </div>
    }
}

/// The settings, and whether they have just been saved.
async fn load_with_note(project: ProjectId) -> Result<(SettingsView, bool), ApiError> {
    let is_saved = take_note(project, "settings").is_some();
    Ok((load_settings(project).await?, is_saved))
}
