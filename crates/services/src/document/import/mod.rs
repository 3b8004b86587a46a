//! Importing files: everything that is in them, or nothing. Marks become suggestions, or the saved
//! work of the people who made them.

mod begun;
mod carrying;
mod names;
mod order;
mod plan;
mod preview;
mod recovery;
mod running;
mod scan;
mod undo;

use std::sync::Arc;

use domain::{
    Actor, Code, Error as Refusal, ImportId, ImportPreview, ImportRecord, ImportState,
    ImportSummary, ProjectId, base::policy::Action,
};

pub use crate::document::reading::{Content, Source, SpooledFile, UploadedFile};
use crate::{Result, Services, base::access::permit, work::saving::to_the_end};
use begun::Begun;
use carrying::ending::call_off;
pub use carrying::publishing::publish_decided;
pub use order::ImportOptions;
use order::Order;
use preview::preview_files;
pub use recovery::end_abandoned;
pub(crate) use recovery::recover_regularly;
pub(crate) use running::{Job, Running};
use scan::Files;
pub use undo::undo;

/// The most bytes of one upload, all files together: 256 MiB.
pub const MAX_UPLOAD_BYTES: usize = 256 * 1024 * 1024;

/// Why more is refused.
pub const UPLOAD_TOO_LARGE: &str =
    "the files exceed 256 MiB together; import them in several steps";

/// How many imports a project's list has.
const LISTED: u64 = 20;

/// What importing these files would bring, or what is wrong with them.
pub async fn preview(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<impl Source + 'static>,
    options: ImportOptions,
) -> Result<ImportPreview> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let files = received(files)?;
    let _slot = services.imports.previews.acquire(access.person.id).await?;
    preview_files(services, project, &files, Order::of_server(options)).await
}

/// Imports files, and waits until they are there.
pub async fn import(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<impl Source + 'static>,
    options: ImportOptions,
) -> Result<ImportSummary> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let (files, by) = (received(files)?, Some(access.person.id));
    let slot = services.imports.at_once.acquire(access.person.id).await?;
    let services = Arc::clone(services);
    to_the_end(async move {
        let _slot = slot;
        let order = Order::of_server(options);
        let begun = Begun::new(&services, project, by, &files, &order).await?;
        begun.carry_out(&services, files, order, false).await
    })
    .await
}

/// Begins to import files, and says by which number to look at it.
pub async fn start(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<impl Source + 'static>,
    options: ImportOptions,
) -> Result<ImportId> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let (files, by) = (received(files)?, Some(access.person.id));
    let slot = services.imports.at_once.acquire(access.person.id).await?;
    let order = Order::of_server(options);
    let begun = Begun::new(services, project, by, &files, &order).await?;
    let (services, id) = (Arc::clone(services), begun.id);
    tokio::spawn(async move {
        // What became of it is in its row.
        drop(begun.carry_out(&services, files, order, true).await);
        drop(slot);
    });
    Ok(id)
}

/// What importing files of this machine would bring, for whoever owns it.
pub async fn preview_for_owner(
    services: &Arc<Services>,
    project: ProjectId,
    files: Vec<Box<dyn Source>>,
    options: ImportOptions,
) -> Result<ImportPreview> {
    preview_files(services, project, &Arc::new(files), Order::without_limits(options)).await
}

/// Imports files of this machine, for whoever owns it.
pub async fn import_for_owner(
    services: &Arc<Services>,
    project: ProjectId,
    files: Vec<Box<dyn Source>>,
    options: ImportOptions,
) -> Result<ImportSummary> {
    let (files, order) = (Arc::new(files), Order::without_limits(options));
    let begun = Begun::new(services, project, None, &files, &order).await?;
    begun.carry_out(services, files, order, false).await
}

/// An import, with how far it has come if it runs here.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: ImportId,
) -> Result<ImportRecord> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let found = store::document::imports::find(&services.store, project, id).await?;
    let record = found.ok_or(Refusal::NotFound)?;
    let progress = services.imports.find(id).map(|job| job.progress());
    Ok(ImportRecord { progress, ..record })
}

/// A project's latest imports, the latest first.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<ImportRecord>> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let mut records = store::document::imports::list(&services.store, project, LISTED).await?;
    for record in &mut records {
        record.progress = services.imports.find(record.id).map(|job| job.progress());
    }
    Ok(records)
}

/// Stops an import that runs, so that nothing of it stays. One that has ended has nothing to stop; one that
/// is certain to come is not stopped any more.
pub async fn cancel(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: ImportId,
) -> Result<()> {
    let record = load(services, actor, project, id).await?;
    if record.state != ImportState::Running {
        return Ok(());
    }
    let is_stopped = match services.imports.find(record.id) {
        Some(job) => job.cancel(),
        None => call_off(services, (project, id), ImportState::Cancelled, None).await?,
    };
    if !is_stopped && load(services, actor, project, id).await?.state == ImportState::Running {
        let why = "this import is being saved and cannot be cancelled; undo it when it is done";
        return Err(Code::Conflict.because(why).into());
    }
    Ok(())
}

/// The files as they came, if they are not too large.
fn received(files: Vec<impl Source + 'static>) -> Result<Files, Refusal> {
    if files.is_empty() {
        return Err(Code::Missing.of("files", "choose at least one file"));
    }
    let bytes: u64 = files.iter().map(Source::length).sum();
    if usize::try_from(bytes).is_ok_and(|bytes| bytes > MAX_UPLOAD_BYTES) {
        return Err(Code::TooLong.of("files", UPLOAD_TOO_LARGE));
    }
    Ok(Arc::new(files.into_iter().map(|file| -> Box<dyn Source> { Box::new(file) }).collect()))
}
