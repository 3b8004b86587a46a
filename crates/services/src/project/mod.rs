//! Projects: their settings, guidelines and labels, and the release of agreement to labelers.

mod attributes;
pub mod guidelines;
mod keeping;
pub(crate) mod label_views;
mod labels;
pub mod members;
pub(crate) mod places;
pub mod reasons;
pub mod rounds;
mod start;
mod suggestions;

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    Actor, AuditEvent, Code, DocumentId, Error as Refusal, ProjectCard, ProjectId, ProjectSettings,
    ProjectView, Role, RoundName, SettingsView, Target, UserId,
    base::policy::{Action, Standpoint, offers},
};
use serde_json::json;
use store::{
    Store, Tx,
    outside::audit::Audit,
    project::{OwnProject, Project, guidelines::Edit},
};

pub(crate) use attributes::MAX_ATTRIBUTES;
pub use attributes::{create_attribute, save_attribute};
pub use keeping::{archive, delete, restore};
pub(crate) use keeping::{delete_whole, set_archived};
pub(crate) use labels::{check_room, fresh_labels};
pub use labels::{create_label, delete_label, describe_label, save_label};
pub(crate) use start::Conflicts;
pub use start::{search, start};
pub use suggestions::save_suggestions;

use crate::{
    Result, Services,
    agreement::own,
    base::{
        access::{permit, permit_outside, refuse_without_second_factor},
        change::ProjectChange,
    },
    project::label_views::grouped,
};

/// The projects that one is a member of, without those that are archived.
pub async fn list(services: &Arc<Services>, actor: &Actor) -> Result<Vec<ProjectCard>> {
    let own = list_either(services, actor, false).await?;
    Ok(own.into_iter().map(|own| own.card).collect())
}

async fn list_either(
    services: &Services,
    actor: &Actor,
    archived: bool,
) -> Result<Vec<OwnProject>> {
    permit_outside(&services.store, actor, Action::VisitOwn)?;
    let own = actor.person()?.id;
    let mut projects = store::project::list_of_user(&services.store, own, archived).await?;
    projects.retain(|project| actor.leads_to(project.card.id));
    Ok(projects)
}

/// The project of this name, or else of this number; for whoever owns the machine.
pub async fn find(services: &Arc<Services>, name: &str) -> Result<Option<ProjectId>> {
    let store = &services.store;
    if let Some(project) = store::project::find_by_name(store, name).await? {
        return Ok(Some(project.id));
    }
    let Ok(id) = name.parse() else { return Ok(None) };
    Ok(store::project::find(store, id).await?.map(|project| project.id))
}

/// Creates a project that its creator manages, with no labels yet.
pub async fn create(
    services: &Arc<Services>,
    actor: &Actor,
    name: String,
    target: Option<Target>,
) -> Result<ProjectId> {
    permit_outside(&services.store, actor, Action::CreateProject)?;
    let person = actor.person()?.id;
    create_by(services, person, Some(person), name, target).await
}

/// Creates a project that the account with this address manages, for whoever owns the machine.
/// Refused where a project has that name.
pub async fn create_of(services: &Arc<Services>, email: &str, name: String) -> Result<ProjectId> {
    let found = store::account::users::find_by_email(&services.store, email.trim()).await?;
    let user = found.ok_or(Refusal::NotFound)?.user.id;
    if store::project::find_by_name(&services.store, &name).await?.is_some() {
        return Err(Code::Taken.of("name", "a project has this name").into());
    }
    create_by(services, user, None, name, None).await
}

async fn create_by(
    services: &Services,
    manager: UserId,
    by: Option<UserId>,
    name: String,
    target: Option<Target>,
) -> Result<ProjectId> {
    let settings = ProjectSettings { name, ..ProjectSettings::default() }.checked()?;
    let target = target.map(Target::checked).transpose()?;
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let project = store::project::create(&tx, &settings.name, now).await?;
    store::project::members::add(&tx, project, manager, Role::Manager, now).await?;
    store::agreement::target::set(&tx, project, target).await?;
    let audit = Audit {
        project: Some(project),
        user: by,
        at: now,
        event: AuditEvent::CreateProject,
        subject: format!("project {project}"),
        detail: json!({ "target": target }),
        revision: None,
    };
    store::outside::audit::append(&tx, audit).await?;
    tx.commit().await?;
    Ok(project)
}

/// The project as one of its members sees it.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<ProjectView> {
    let db = services.store.begin_read().await?;
    let member = permit(&db, actor, project, Action::ViewProject).await?.member;
    let found = store::project::find(&db, project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::project::labels::list(&db, project).await?;
    let attributes = store::project::attributes::list(&db, project).await?;
    let may = |action| offers(action, Standpoint::inside(actor, Some(member.role), false));
    let rounds = if may(Action::ViewAgreement) {
        store::project::rounds::list(&db, project).await?
    } else {
        Vec::new()
    };
    drop(db);
    Ok(ProjectView {
        id: project,
        name: found.settings.name,
        member: member.id,
        role: member.role,
        labels,
        attributes,
        rounds: rounds.iter().map(|round| RoundName { id: round.id, name: round.name() }).collect(),
        guidelines_html: services.markdown.render(found.settings.guidelines).await?,
        guidelines_version: found.guidelines_version,
        revision: may(Action::ViewAgreement).then_some(found.revision),
        archived_at: found.archived_at,
        demo: may(Action::ManageProject) && services.demo.is_some(),
    })
}

/// Lets a manager of a project on a demo server have its labelers simulated, by what the store has.
pub async fn permit_simulation(
    services: &Services,
    actor: &Actor,
    project: ProjectId,
) -> Result<Store> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    if services.demo.is_none() {
        return Err(Code::NotOffered.because("only a demo server simulates labelers").into());
    }
    Ok(services.store.clone())
}

/// What a manager can change of a project.
pub async fn load_settings(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<SettingsView> {
    let db = services.store.begin_read().await?;
    permit(&db, actor, project, Action::ManageProject).await?;
    let found = store::project::find(&db, project).await?.ok_or(Refusal::NotFound)?;
    let labels = store::project::labels::list(&db, project).await?;
    let details = store::project::label_details::list(&db, project).await?;
    let suggestions =
        store::work::suggestions::settings(&db, project).await?.ok_or(Refusal::NotFound)?;
    let Project { settings, released_at, archived_at, .. } = found;
    let labels = grouped(labels, &details);
    Ok(SettingsView { project, settings, labels, details, suggestions, released_at, archived_at })
}

/// Changes name, guidelines and what labelers and reviewers are shown.
pub async fn save_settings(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    settings: ProjectSettings,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let settings = settings.checked()?;
    if settings.requires_second_factor {
        refuse_without_second_factor(&services.store, &access.person).await?;
    }
    let _lock = services.live.lock_project(project).await;
    let tallies = if own::is_live(settings.release_level) {
        Some(services.live.read(project).await?)
    } else {
        None
    };
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    let edit = Edit { author: Some(change.access.person.id), note: "", at: change.at };
    store::project::save_settings(&change.tx, project, &settings, edit).await?;
    if let Some(tallies) = tallies {
        own::catch_up(&change.tx, project, tallies).await?;
    }
    let detail = json!({
        "name": settings.name,
        "release_level": settings.release_level,
        "reviewers_see_names": settings.reviewers_see_names,
        "reviewers_see_consensus": settings.reviewers_see_consensus,
        "requires_second_factor": settings.requires_second_factor,
    });
    change.end(AuditEvent::SaveSettings, format!("project {project}"), detail).await
}

/// Releases agreement within the transaction in which a project is written with all its work, as
/// samples are.
pub async fn release_written(
    tx: &Tx,
    project: ProjectId,
    documents: &[DocumentId],
    now: DateTime<Utc>,
) -> Result<()> {
    own::release_written(tx, project, documents, now).await?;
    Ok(store::project::set_released(tx, project, now).await?)
}

/// Lets the labelers see their agreement as of now, where the project shows it after a release.
pub async fn release_agreement(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<DateTime<Utc>> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let _lock = services.live.lock_project(project).await;
    let tallies = services.live.read(project).await?;
    let change = ProjectChange::begin(services, access, project).await?.counted().await?;
    let now = change.at;
    let labelers = own::release(&change.tx, project, tallies, now).await?;
    store::work::comments::release(&change.tx, project).await?;
    store::project::set_released(&change.tx, project, now).await?;
    let detail = json!({ "labelers": labelers });
    change.end(AuditEvent::ReleaseAgreement, format!("project {project}"), detail).await?;
    Ok(now)
}
