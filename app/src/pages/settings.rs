//! A project's settings: name, guidelines, what labelers see of their agreement, and labels.

mod form;
mod label_form;
mod labels;
mod release;

use domain::{ProjectSettings, ProjectView};
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    api::projects::load_project,
    components::loaded::Loaded,
    pages::{
        project::{ProjectContext, use_project_id},
        settings::{form::SettingsForm, labels::Labels, release::Release},
    },
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let id = use_project_id();
    // Not the project that the frame has: that one is loaded again after every change, and this
    // page would lose what is being typed.
    let project = Resource::new_blocking(move || id.get(), load_project);
    view! {
        <Title text="Settings"/>
        <div class="page settings">
            <h1>"Settings"</h1>
            <Loaded resource=project view=|project| match project.settings.clone() {
                Some(settings) => view! { <Settings project settings/> }.into_any(),
                None => view! { <p class="empty">"Only managers change settings."</p> }.into_any(),
            }/>
        </div>
    }
    .into_any()
}

#[component]
fn Settings(project: ProjectView, settings: ProjectSettings) -> impl IntoView {
    let ProjectContext(shown) = expect_context();
    let on_change = Callback::new(move |()| shown.refetch());
    let settings = RwSignal::new(settings);
    let level = Signal::derive(move || settings.read().release_level);
    view! {
        <SettingsForm project=project.id settings on_change/>
        <Release project=project.id level released_at=project.released_at/>
        <Labels project=project.id labels=project.labels on_change/>
    }
}
