//! The projects one is a member of: where everybody starts.

use domain::{
    Actor, ProjectCard, Role, Target, User,
    base::policy::{Action as Act, Standpoint, offers},
};
use leptos_router::components::Redirect;

use crate::{
    api::project::{CreateProject, list_projects},
    context::viewer,
    islands::icon::{Glyph, Icon},
    pages::{
        components::{agreement::target::TargetFields, prelude::*},
        document::comparison::Comparing,
    },
};

#[component]
pub(crate) fn ProjectsPage() -> impl IntoView {
    let projects = load(load_own());
    view! {
        <Title text="Projects"/>
        <Loaded resource=projects view=|own| match own {
            None => view! { <Redirect path="/sign-in"/> },
            Some(Own { viewer, projects, archived }) => view! { <Projects viewer projects archived/> },
        }/>
    }
}

/// The viewer and their projects.
#[derive(Clone)]
struct Own {
    viewer: User,
    projects: Vec<ProjectCard>,
    archived: Vec<ProjectCard>,
}

/// None if nobody is signed in.
async fn load_own() -> Result<Option<Own>, ApiError> {
    let Some(viewer) = viewer()? else { return Ok(None) };
    let projects = list_projects().await?;
    let (services, actor) = request()?;
    let archived = answer(services::project::list_archived(&services, &actor).await)?;
    Ok(Some(Own { viewer, projects, archived }))
}

#[component]
fn Projects(viewer: User, projects: Vec<ProjectCard>, archived: Vec<ProjectCard>) -> impl IntoView {
    let may_create = offers(Act::CreateProject, Standpoint::outside(&Actor::Person(viewer)));
    let button = may_create.then(|| {
        view! {
            <OpenDialog dialog=CREATE.to_owned() class="primary">
                <Icon glyph=Glyph::Add/>
                "New project"
            </OpenDialog>
        }
    });
    let list = if projects.is_empty() {
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
        let cards = projects.into_iter().map(|project| view! { <li><Card project/></li> });
        view! { <ul class="plain-list grid">{cards.collect_view()}</ul> }
    };
    let archived = (!archived.is_empty()).then(|| {
        let cards = archived.into_iter().map(|project| view! { <li><Card project/></li> });
        view! {
            <details class="stack">
                <summary>"Archived projects"</summary>
                <ul class="plain-list grid">{cards.collect_view()}</ul>
            </details>
        }
    });
    view! {
        <div class="page">
            <div class="page-head">
                <h1>"Projects"</h1>
                <span class="row">
                    <a class="button" href="/study">"Measure a study"</a>
                    {button}
                </span>
            </div>
            {list}
            {archived}
            {may_create.then(|| view! { <NewProject/> })}
            <Section title_id="compare-title" title="Compare finished exports">
                <p class="how">
                    "Drop the exports of two or more people, from any tool. No project needed, nothing is stored. "
                    <a href="/compare">"Open full page"</a>
                </p>
                <Comparing/>
            </Section>
        </div>
    }
}

/// A project: its name, what the viewer is in it, and how far it has come.
#[component]
fn Card(project: ProjectCard) -> impl IntoView {
    let ProjectCard { id, name, role, documents, submitted, assigned } = project;
    let whose = if role == Role::Labeler { "your assignments" } else { "assignments" };
    let progress = if assigned == 0 {
        view! { <p class="soft">"Nothing is assigned yet"</p> }
    } else {
        let text = format!(
            "{} of {} {whose} submitted",
            display::thousands(submitted),
            display::thousands(assigned)
        );
        view! {
            <div class="stack tight">
                <progress value=submitted.to_string() max=assigned.to_string() aria-hidden="true"></progress>
                <p class="soft number">{text}</p>
            </div>
        }
    };
    view! {
        <a class="card project-card" href=format!("/projects/{id}")>
            <div class="row spread">
                <h2 dir="auto">{name}</h2>
                <span class="badge">{role.name()}</span>
            </div>
            <p class="soft number">{display::count(documents, "document")}</p>
            {progress}
        </a>
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
