//! The projects one is a member of: where everybody starts.

use domain::{
    Actor, ProjectCard, StartCard, StartPage, Target, User,
    base::policy::{Action as Act, Standpoint, offers},
};
use leptos_router::components::Redirect;

use super::card::{Card, is_on_its_way};
use crate::{
    api::project::CreateProject,
    context::viewer,
    islands::icon::{Glyph, Icon},
    pages::components::{agreement::target::TargetFields, prelude::*},
};

#[component]
pub(crate) fn ProjectsPage() -> impl IntoView {
    let projects = load(load_own());
    view! {
        <Title text="Projects"/>
        <Loaded resource=projects view=|own| match own {
            None => view! { <Redirect path="/sign-in"/> },
            Some((viewer, StartPage { cards, archived })) => view! { <Projects viewer cards archived/> },
        }/>
    }
}

/// The viewer and their projects; none if nobody is signed in.
async fn load_own() -> Result<Option<(User, StartPage)>, ApiError> {
    let Some(viewer) = viewer()? else { return Ok(None) };
    let (services, actor) = request()?;
    Ok(Some((viewer, answer(services::project::start(&services, &actor).await)?)))
}

#[component]
fn Projects(viewer: User, cards: Vec<StartCard>, archived: Vec<ProjectCard>) -> impl IntoView {
    let may_create = offers(Act::CreateProject, Standpoint::outside(&Actor::Person(viewer)));
    let button = may_create.then(|| {
        view! {
            <OpenDialog dialog=CREATE.to_owned() class="primary">
                <Icon glyph=Glyph::Add/>
                "New project"
            </OpenDialog>
        }
    });
    let again = cards.iter().any(is_on_its_way).then_some("");
    let list = if cards.is_empty() {
        let what_next = if may_create {
            "A project holds documents, labels and people."
        } else {
            "Open the invitation link from your manager."
        };
        view! {
            <div class="empty">
                <p>"No projects yet."</p>
                <p>{what_next}</p>
            </div>
        }
    } else {
        let cards: Vec<_> = cards.into_iter().map(|card| view! { <li><Card card/></li> }).collect();
        view! { <ul class="plain-list start-cards" data-again=again>{cards}</ul> }
    };
    let archived = (!archived.is_empty()).then(|| {
        let rows: Vec<_> = archived
            .into_iter()
            .map(|project| {
                let address = format!("/projects/{}", project.id);
                view! { <li><a dir="auto" href=address>{project.name}</a></li> }
            })
            .collect();
        view! {
            <details>
                <summary>"Archived projects"</summary>
                <ul class="plain-list stack tight archived">{rows}</ul>
            </details>
        }
    });
    view! {
        <div class="page">
            <PageHead heading="Projects">
                <a class="button quiet" href="/compare">"Compare finished exports"</a>
                <a class="button quiet" href="/study">"Measure a study"</a>
                {button}
            </PageHead>
            {list}
            {archived}
            {may_create.then(|| view! { <NewProject/> })}
        </div>
    }
}

/// The dialog that creates a project.
const CREATE: &str = "create-project";

/// Asks for a project's name and target, creates it and leads to it.
#[component]
fn NewProject() -> impl IntoView {
    let (create, refused) = form_action::<CreateProject>();
    view! {
        <PlainDialog id=CREATE.to_owned() title="New project" open=refused.is_some()>
            <ActionForm action=create attr:class="stack">
                <Field
                    form="project"
                    name="name"
                    label="Name"
                    hint="Next: labels, documents and people."
                    longest=120
                    refusal=refused.clone()
                />
                <fieldset class="stack">
                    <legend>"Target for agreement"</legend>
                    <TargetFields form="project" target=Some(Target::PROPOSED) refusal=refused.clone()/>
                </fieldset>
                <Problem refusal=refused fields=&["name", "at_least"]/>
                <div class="actions">
                    <CloseDialog dialog=CREATE.to_owned()/>
                    <button class="primary">"Create project"</button>
                </div>
            </ActionForm>
        </PlainDialog>
    }
}
