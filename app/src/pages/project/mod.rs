//! The frame of a project's pages: its name, the areas and tabs that the viewer's role has, and the
//! project itself, loaded once for all of them.

mod areas;
mod card;
pub(crate) mod guidelines;
pub(crate) mod list;
pub(crate) mod members;
pub(crate) mod reasons;
pub(crate) mod settings;

use domain::ProjectView;
use leptos_router::components::Outlet;

use self::areas::{Offer, Tab, offered};
use crate::{
    api::project::load_project,
    context::{loading::Loading, page_path},
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// The project that the page belongs to, as the viewer sees it; provided by [`ProjectFrame`].
#[derive(Clone)]
pub(crate) struct ProjectContext(pub(crate) Loading<ProjectView>);

/// What stands around every page of a project. Where the project cannot be loaded, the page
/// inside says why.
#[component]
pub(crate) fn ProjectFrame() -> impl IntoView {
    let project = load(load_project(use_project_id()));
    provide_context(ProjectContext(project.clone()));
    view! {
        <Loaded resource=project quiet=true view=|project| view! { <Head project/> }/>
        <div id="content" tabindex="-1"><Outlet/></div>
    }
}

/// The project's name, the areas, and the tabs of the one that the page is in.
#[component]
fn Head(project: ProjectView) -> impl IntoView {
    let address = format!("/projects/{}", project.id);
    let path = page_path();
    let here = path.strip_prefix(&address).unwrap_or_default().to_owned();
    let offers = offered(project.role);
    let areas = offers.iter().map(|offer| area(&address, &here, offer)).collect_view();
    let tabs = offers
        .iter()
        .find(|offer| offer.has(&here) && offer.tabs.len() > 1)
        .map(|offer| tabs(&address, &here, offer));
    // For the palette.
    let pages = serde_json::to_string(&pages(&address, &offers)).unwrap_or_default();
    let archived = project.archived_at.map(|_| {
        view! { <p class="notice">"Archived: read-only."</p> }
    });
    view! {
        <div class="project-head" data-pages=pages>
            <a class="skip-link" href="#content">"Skip tabs"</a>
            <div class="project-line">
                <a class="project-name" dir="auto" href=address.clone()>{project.name}</a>
                <span class="badge">{project.role.name()}</span>
                <nav aria-label="Project">
                    <ul class="tabs areas">{areas}</ul>
                </nav>
            </div>
            {tabs}
            {archived}
        </div>
    }
}

/// What each page is called together with its area, and where it is.
fn pages(address: &str, offers: &[Offer]) -> Vec<(String, String)> {
    let of_area = |offer: &Offer| {
        let area = offer.title();
        let page = |tab: &Tab| {
            let is_alone = offer.tabs.len() == 1;
            let name = if is_alone { area.to_owned() } else { format!("{area}: {}", tab.title) };
            (name, format!("{address}{}", tab.path))
        };
        offer.tabs.iter().map(page).collect::<Vec<_>>()
    };
    offers.iter().flat_map(of_area).collect()
}

/// The way to an area.
fn area(address: &str, here: &str, offer: &Offer) -> AnyView {
    let href = format!("{address}{}", offer.path());
    let current = offer.has(here).then_some(if offer.path() == here { "page" } else { "true" });
    let title = offer.title();
    if offer.is_gear() {
        return view! {
            <li class="gear">
                <a href=href aria-current=current aria-label=title title=title><Icon glyph=Glyph::Gear/></a>
            </li>
        };
    }
    view! { <li><a href=href aria-current=current>{title}</a></li> }
}

/// The tabs of an area. What numbers are looked at, and how, is the same on all tabs of agreement.
fn tabs(address: &str, here: &str, offer: &Offer) -> AnyView {
    let present = offer.tab_of(here);
    let kept = query::kept_switches(in_query);
    let links = offer.tabs.iter().map(|tab| {
        let is_current = present == Some(*tab);
        let current = is_current.then_some(if tab.path == here { "page" } else { "true" });
        let href = format!("{address}{}{kept}", tab.path);
        view! { <li><a href=href aria-current=current>{tab.title}</a></li> }
    });
    let links = links.collect_view();
    view! {
        <nav class="area-tabs" aria-label=offer.title()>
            <ul class="tabs">{links}</ul>
        </nav>
    }
}
