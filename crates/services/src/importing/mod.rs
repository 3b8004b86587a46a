//! Importing files: everything that is in them, or nothing.

mod problems;
mod reading;

use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::Arc,
};

use domain::{
    Actor, AssignTo, Error as Refusal, ImportPreview, ImportProblem, ImportSummary, Label, LabelId,
    ProjectId, Span, policy::Action,
};
use serde_json::json;
use store::{Db, Tx, audit::Audit};

use crate::{
    Error, Result, Services,
    access::permit,
    documents,
    projects::{check_room, fresh_labels},
};
pub(crate) use reading::UNKNOWN_FORMAT;
use reading::{Reading, Wanted};

/// The most bytes of one upload, all files together: 256 MiB.
pub const MAX_UPLOAD_BYTES: usize = 256 * 1024 * 1024;

/// A file as it was sent.
pub struct UploadedFile {
    pub name: String,
    pub bytes: Vec<u8>,
}

/// What is to be done with the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    pub assign: AssignTo,
    /// Whether labels that the project does not have are added; without it they are errors.
    pub create_labels: bool,
}

/// What importing these files would bring, or what is wrong with them.
pub async fn preview(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    create_labels: bool,
) -> Result<ImportPreview> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let reading = read(&services.store, project, files, create_labels).await?;
    Ok(ImportPreview {
        files: reading.files,
        problem_count: reading.problems.count(),
        problems: reading.problems.into_first(),
        new_labels: reading.new_labels,
    })
}

/// Imports files in one transaction. The spans in them become suggestions.
pub async fn import(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Result<ImportSummary> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let reading = read(&services.store, project, files, options.create_labels).await?;
    if reading.problems.count() > 0 {
        return Err(Refusal::InvalidImport(reading.problems.into_first()).into());
    }
    let now = services.clock.now();
    let tx = services.store.begin().await?;
    let revision = store::projects::advance(&tx, project).await?;
    let labels = labels_by_name(&tx, project, reading.new_labels).await?;
    let copies = match options.assign {
        AssignTo::Everyone => None,
        AssignTo::Some(copies) => Some(copies),
    };
    let (documents, spans): (Vec<_>, Vec<_>) =
        reading.documents.into_iter().map(|wanted| wanted.into_parts(copies)).unzip();
    let documents = match store::documents::insert_many(&tx, project, documents, now).await {
        Err(store::Error::Duplicate(_)) => {
            let why = "somebody imported a document with one of these ids just now; look again";
            return Err(Refusal::invalid("files", why).into());
        }
        stored => stored?,
    };
    let mut suggestions = Vec::new();
    for (document, spans) in documents.iter().zip(spans) {
        for (range, name) in spans {
            let label = *labels.get(&name).ok_or_else(|| {
                Refusal::invalid("files", format!("the label \"{name}\" was deleted just now"))
            })?;
            suggestions.push((*document, Span { range, label }));
        }
    }
    store::suggestions::insert_many(&tx, &suggestions).await?;
    let imported = documents.len();
    let assignments = documents::assign(&tx, project, documents, options.assign).await?;
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at: now,
        action: "import documents",
        subject: format!("project {project}"),
        detail: json!({
            "documents": imported,
            "suggestions": suggestions.len(),
            "assignments": assignments,
        }),
        revision: Some(revision),
    };
    store::audit::append(&tx, audit).await?;
    tx.commit().await?;
    services.live.invalidate(project);
    Ok(ImportSummary {
        documents: number(imported),
        suggestions: number(suggestions.len()),
        assignments: number(assignments),
    })
}

/// Reads the files and finds everything that is wrong with them in this project.
async fn read(
    db: &impl Db,
    project: ProjectId,
    files: Vec<UploadedFile>,
    create_labels: bool,
) -> Result<Reading> {
    if files.is_empty() {
        return Err(Refusal::invalid("files", "choose at least one file").into());
    }
    if files.iter().map(|file| file.bytes.len()).sum::<usize>() > MAX_UPLOAD_BYTES {
        let why = "the files have more than 256 MiB together; import them in several steps";
        return Err(Refusal::invalid("files", why).into());
    }
    let labels = store::labels::list(db, project).await?;
    let known: BTreeSet<String> = labels.iter().map(|label| label.name.clone()).collect();
    let read = move || reading::read(files, &known, create_labels);
    let mut reading = tokio::task::spawn_blocking(read).await.map_err(Error::broken)??;
    if create_labels {
        check_room(&labels, reading.new_labels.len())?;
    }
    find_known_ids(db, project, &mut reading).await?;
    Ok(reading)
}

/// Adds a problem for each document whose id the project has already.
async fn find_known_ids(db: &impl Db, project: ProjectId, reading: &mut Reading) -> Result<()> {
    let ids: Vec<String> = reading.documents.iter().filter_map(Wanted::id).collect();
    let existing: HashSet<String> =
        store::documents::existing_external_ids(db, project, &ids).await?.into_iter().collect();
    for wanted in &reading.documents {
        if let Some(id) = wanted.id().filter(|id| existing.contains(id)) {
            reading.problems.add(ImportProblem {
                file: wanted.file.to_string(),
                line: Some(wanted.line),
                field: Some("id".to_owned()),
                message: format!("the project has a document with the id \"{id}\" already"),
            });
        }
    }
    Ok(())
}

/// The project's labels by name, with the new ones added to them.
async fn labels_by_name(
    tx: &Tx,
    project: ProjectId,
    new: Vec<String>,
) -> Result<HashMap<String, LabelId>> {
    let present: Vec<Label> = store::labels::list(tx, project).await?;
    check_room(&present, new.len())?;
    let mut ids: HashMap<String, LabelId> =
        present.iter().map(|label| (label.name.clone(), label.id)).collect();
    let missing = new.into_iter().filter(|name| !ids.contains_key(name));
    let fresh = fresh_labels(&present, missing);
    for label in fresh {
        let id = store::labels::create(tx, project, &label).await?;
        ids.insert(label.name, id);
    }
    Ok(ids)
}

fn number(n: usize) -> u64 {
    u64::try_from(n).unwrap_or(u64::MAX)
}
