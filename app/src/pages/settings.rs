//! A project's settings: name, guidelines, what labelers see of their agreement, and labels.

mod form;
mod label_form;
mod labels;
mod release;

use domain::SettingsView;
use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    api::projects::load_settings,
    components::loaded::Loaded,
    loading::load,
    pages::{
        project::{ProjectContext, use_project_id},
        settings::{form::SettingsForm, labels::Labels, release::Release},
    },
    view::view,
};

#[component]
pub(crate) fn SettingsPage() -> impl IntoView {
    let id = use_project_id();
    let settings = load(move || id.get(), load_settings);
    view! {
        <Title text="Settings"/>
        <div class="page settings">
            <h1>"Settings"</h1>
            <Loaded resource=settings view=|view| view! { <Settings view/> }/>
        </div>
    }
}

#[component]
fn Settings(view: SettingsView) -> impl IntoView {
    let SettingsView { project, settings, labels, released_at } = view;
    let ProjectContext(shown) = expect_context();
    let on_change = Callback::new(move |()| shown.refetch());
    let settings = RwSignal::new(settings);
    let level = Signal::derive(move || settings.read().release_level);
    view! {
        <SettingsForm project settings on_change/>
        <Release project level released_at/>
        <Labels project labels on_change/>
    }
}
