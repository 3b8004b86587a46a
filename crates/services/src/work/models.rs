//! A project's models: managers add and remove them and make their tokens; programs hand in what they say of
//! documents. None of it moves the project's revision, or anything else that people's numbers follow from.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, Attribute, AuditEvent, Code, DocumentId, Error as Refusal, Fact, LabelId, Model,
    ModelDocument, ModelDocumentCard, ModelId, ModelWork, NewModel, ProjectId,
    base::policy::Action, change_facts, check_prompt_hash,
};
use serde_json::json;
use store::{Db, document::Document, outside::audit::Audit};

use crate::{
    Error, Result, Services,
    account::create_model_token,
    base::{
        access::{Access, permit},
        change::ProjectChange,
    },
    work::saving::to_the_end,
};

/// The most models that a project has.
const MOST: usize = 100;

/// The most spans and answers that a model has in a document: as many as a labeler saves at once.
const MAX_FACTS: usize = 50_000;

/// The project's models by name, then version, for those who see its numbers.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<Model>> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    Ok(store::project::models::list(&services.store, project).await?)
}

/// The same, for those who may change them.
pub async fn load_all(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<Model>> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    Ok(store::project::models::list(&services.store, project).await?)
}

/// A model, for those who see its project's numbers.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    model: ModelId,
) -> Result<Model> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    find(&services.store, project, model).await
}

async fn find(db: &impl Db, project: ProjectId, model: ModelId) -> Result<Model> {
    let found = store::project::models::find(db, project, model).await?;
    Ok(found.ok_or(Refusal::NotFound)?)
}

/// Adds a model. Another prompt is another version: under one that is there, none is added.
pub async fn add(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    new: NewModel,
) -> Result<ModelId> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let new = new.checked()?;
    let change = ProjectChange::begin(services, access, project).await?;
    let present = store::project::models::list(&change.tx, project).await?;
    let is_same = |model: &&Model| (&model.name, &model.version) == (&new.name, &new.version);
    if let Some(same) = present.iter().find(is_same) {
        check_prompt(same, &new.prompt_hash)?;
        return Err(taken().into());
    }
    check_count(&present, 1)?;
    let id = store::project::models::create(&change.tx, project, &new, change.at).await;
    let id = id.map_err(|error| match error {
        store::Error::Duplicate(_) => Error::from(taken()),
        error => error.into(),
    })?;
    let NewModel { name, version, prompt_hash, made_on } = new;
    let detail = json!({
        "name": name, "version": version, "prompt_hash": prompt_hash, "made_on": made_on,
    });
    change.end(AuditEvent::AddModel, format!("model {id}"), detail).await?;
    Ok(id)
}

/// Refuses more models than a project has room for.
pub(crate) fn check_count(present: &[Model], new: usize) -> Result<(), Refusal> {
    if new > 0 && present.len() + new > MOST {
        let why = format!("a project has at most {MOST} models");
        return Err(Code::LimitReached.of("name", why));
    }
    Ok(())
}

fn taken() -> Refusal {
    Code::Taken.of("version", "a model of the project has this name and version")
}

/// Refuses what came by another prompt than the model's.
fn check_prompt(model: &Model, prompt_hash: &str) -> Result<(), Refusal> {
    if model.prompt_hash == prompt_hash {
        return Ok(());
    }
    let why = "this version has another prompt: add a version for it";
    Err(Code::Unsuitable.of("prompt_hash", why))
}

/// Removes a model with all its work and its tokens.
pub async fn remove(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    model: ModelId,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageProject).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    let lost = store::project::models::find(&change.tx, project, model).await?;
    let lost = lost.ok_or(Refusal::NotFound)?;
    if !store::project::models::delete(&change.tx, project, model).await? {
        return Err(Refusal::NotFound.into());
    }
    let Model { name, version, documents, .. } = lost;
    let detail = json!({ "name": name, "version": version, "documents": documents });
    change.end(AuditEvent::RemoveModel, format!("model {model}"), detail).await
}

/// Makes a token with which a program speaks for a model, and does nothing else. The answer is its secret; it
/// is not kept.
pub async fn create_token(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    days: u16,
) -> Result<String> {
    permit(&services.store, actor, project, Action::ManageProject).await?;
    let model = find(&services.store, project, model).await?;
    create_model_token(services, actor, (project, &model), days).await
}

/// Somebody who may speak for a model of the project: its managers, and programs with a token of theirs for all
/// models or for this one.
async fn permit_speaking(
    db: &impl Db,
    actor: &Actor,
    project: ProjectId,
    model: ModelId,
) -> Result<(Access, Model)> {
    let access = permit(db, actor, project, Action::SaveModelWork).await?;
    if !actor.speaks_for(model) {
        return Err(Refusal::NotFound.into());
    }
    Ok((access, find(db, project, model).await?))
}

/// The documents of the project after this one in the order of their import, as a model lists them; at most
/// so many.
pub async fn list_documents(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    after: DocumentId,
    limit: u64,
) -> Result<Vec<ModelDocumentCard>> {
    permit_speaking(&services.store, actor, project, model).await?;
    let page = (after, limit);
    Ok(store::agreement::model_work::list_documents(&services.store, project, model, page).await?)
}

/// A document as a model is given it: its text, the labels there are and what is asked, and what the model said of it.
pub async fn load_document(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    document: DocumentId,
) -> Result<ModelDocument> {
    let db = services.store.begin_read().await?;
    permit_speaking(&db, actor, project, model).await?;
    let Document { id, name, text, .. } = find_document(&db, project, document).await?;
    let labels = store::project::labels::list(&db, project).await?;
    let attributes = store::project::attributes::list(&db, project).await?;
    let work = store::agreement::model_work::find(&db, model, document).await?;
    let (saved_at, spans) = work.map_or((None, Vec::new()), |(at, facts)| (Some(at), facts));
    Ok(ModelDocument { id, name, text, labels, attributes, spans, saved_at })
}

async fn find_document(db: &impl Db, project: ProjectId, document: DocumentId) -> Result<Document> {
    let found = store::document::find(db, document).await?;
    Ok(found.filter(|found| found.project == project).ok_or(Refusal::NotFound)?)
}

/// Makes this all that a model has to say of a document. Nothing at all is that there is nothing to mark.
pub async fn save_work(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    document: DocumentId,
    work: ModelWork,
) -> Result<()> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (access, found) = permit_speaking(&services.store, &actor, project, model).await?;
        let ModelWork { spans, prompt_hash } = work;
        if let Some(typed) = prompt_hash {
            check_prompt(&found, &check_prompt_hash(&typed)?)?;
        }
        let (now, tx) = (services.clock.now(), services.store.begin().await?);
        // Held until the end: nobody removes the model meanwhile, or saves the same.
        if !store::project::models::advance(&tx, project, model).await? {
            return Err(Refusal::NotFound.into());
        }
        let characters = find_document(&tx, project, document).await?.characters;
        let labels = store::project::labels::list(&tx, project).await?;
        let labels: BTreeSet<_> = labels.into_iter().map(|label| label.id).collect();
        let attributes = store::project::attributes::list(&tx, project).await?;
        let facts = checked(&spans, characters, (&labels, &attributes))?;
        let present = store::agreement::model_work::find(&tx, model, document).await?;
        if present.is_some_and(|(_, present)| present == facts) {
            // What is said again moves nothing, and is not an import's any more.
            store::agreement::model_work::keep(&tx, model, document).await?;
            return Ok(tx.commit().await?);
        }
        let answers = facts.iter().filter(|fact| fact.choice.is_some()).count();
        let spans = facts.len() - answers;
        let works = [(document, facts)];
        let saved = store::agreement::model_work::replace(&tx, model, &works, (now, None)).await;
        saved.map_err(|error| match error {
            // A label, what is asked or the document has gone since it was found.
            store::Error::InUse => Error::from(Refusal::NotFound),
            error => error.into(),
        })?;
        let audit = Audit {
            project: Some(project),
            user: Some(access.person.id),
            at: now,
            event: AuditEvent::SaveModelWork,
            subject: format!("model {model}"),
            detail: json!({ "document": document, "spans": spans, "answers": answers }),
            revision: None,
        };
        store::outside::audit::append(&tx, audit).await?;
        tx.commit().await?;
        services.live.nudge(project);
        Ok(())
    })
    .await
}

/// What is marked and answered, in order, each once. Refuses more than there may be, what leaves a text of so many
/// characters, and labels and answers that are none of the project's.
fn checked(
    facts: &[Fact],
    characters: u32,
    (labels, attributes): (&BTreeSet<LabelId>, &[Attribute]),
) -> Result<Vec<Fact>, Refusal> {
    if facts.len() > MAX_FACTS {
        let why = format!("a model has at most {MAX_FACTS} spans and answers in a document");
        return Err(Code::TooMany.of("spans", why));
    }
    for (place, fact) in facts.iter().enumerate() {
        fact.checked(characters).map_err(|refusal| within(place, refusal))?;
        let label = fact.span.label;
        if label != LabelId::DOCUMENT && !labels.contains(&label) {
            let why = format!("the project has no label {label}");
            return Err(Code::Unknown.of(format!("spans.{place}.label"), why));
        }
        if fact.choice.is_some() && !attributes.iter().any(|attribute| attribute.has(fact)) {
            let why = "the label has no such attribute or choice";
            return Err(Code::Unknown.of(format!("spans.{place}.choice"), why));
        }
    }
    let mut ordered = BTreeSet::new();
    change_facts(&mut ordered, &[], facts);
    Ok(ordered.into_iter().collect())
}

/// A refusal of a span, with its place among all of them.
fn within(place: usize, refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::Invalid { field, problem } => {
            Refusal::Invalid { field: format!("spans.{place}.{field}"), problem }
        }
        refusal => refusal,
    }
}
