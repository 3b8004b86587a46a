//! Importing files: everything that is in them, or nothing. Marks become suggestions, or the saved
//! work of the people who made them.

mod labels;
mod people;
mod plan;
mod running;
mod scan;
mod undo;
mod write;

use std::sync::Arc;

use domain::{
    Actor, AssignTo, Error as Refusal, ImportAs, ImportId, ImportMapping, ImportPreview,
    ImportRecord, ImportState, ImportSummary, MemberId, ProjectId, RatersFrom, Role, UserId,
    WorkPreview, WorkState, policy::Action,
};
use serde_json::json;
use store::{
    Tx,
    audit::Audit,
    imports::{Made, NewImport},
};

pub use crate::reading::{Content, Source, UploadedFile};
use crate::{
    Error, Result, Services,
    access::permit,
    accounts::token,
    documents,
    passwords::NOBODYS,
    projects::check_room,
    reading::{ReadingOptions, number},
    saving::to_the_end,
};
use labels::Labels;
use people::Who;
use plan::{Plan, plan};
pub(crate) use running::{Job, Running};
use scan::{Files, Scan, scan};
pub use undo::undo;
use write::{Writing, Written, write};

/// The most bytes of one upload, all files together: 256 MiB.
pub const MAX_UPLOAD_BYTES: usize = 256 * 1024 * 1024;

/// The most documents of one import on a server.
const MAX_DOCUMENTS: usize = 100_000;

/// How many imports a project's list has.
const LISTED: u64 = 20;

/// What is to be done with the documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    pub marks: ImportAs,
    /// Who gets copies of new documents, beside those whose work comes along.
    pub assign: AssignTo,
    /// Whether labels that the project does not have are added; without it they are errors.
    pub create_labels: bool,
    /// Whether people's work is still in progress, not submitted.
    pub in_progress: bool,
    /// Whether people who have other marks in a document keep them; without it that is an error.
    pub keep_differing: bool,
    pub raters_from: RatersFrom,
    pub mapping: ImportMapping,
}

impl ImportOptions {
    const fn state(&self) -> WorkState {
        if self.in_progress { WorkState::Saved } else { WorkState::Submitted }
    }
}

/// What is to be done, and how much of it.
struct Order {
    options: ImportOptions,
    most_documents: usize,
    most_unpacked: Option<u64>,
}

impl Order {
    /// What somebody may ask of a server.
    fn of_server(options: ImportOptions) -> Self {
        Self { options, most_documents: MAX_DOCUMENTS, most_unpacked: None }
    }

    /// What whoever owns the machine may ask of it.
    fn without_limits(options: ImportOptions) -> Self {
        Self { options, most_documents: usize::MAX, most_unpacked: Some(u64::MAX) }
    }

    const fn reading(&self) -> ReadingOptions {
        let raters_from = self.options.raters_from;
        ReadingOptions { raters_from, most_unpacked: self.most_unpacked }
    }
}

/// What importing these files would bring, or what is wrong with them.
pub async fn preview(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Result<ImportPreview> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let files = received(files)?;
    looked_at(services, project, &files, Order::of_server(options)).await
}

/// Imports files in one transaction, and waits until they are there.
pub async fn import(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Result<ImportSummary> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let (files, by) = (received(files)?, Some(access.person.id));
    let services = Arc::clone(services);
    to_the_end(async move {
        let order = Order::of_server(options);
        let begun = Begun::new(&services, project, by, &files, &order).await?;
        begun.carry_out(&services, files, order, false).await
    })
    .await
}

/// Begins to import files in one transaction, and says by which number to look at it.
pub async fn start(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Result<ImportId> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let (files, by) = (received(files)?, Some(access.person.id));
    let turn = services.imports.turn()?;
    let order = Order::of_server(options);
    let begun = Begun::new(services, project, by, &files, &order).await?;
    let (services, id) = (Arc::clone(services), begun.id);
    tokio::spawn(async move {
        // What became of it is in its row.
        drop(begun.carry_out(&services, files, order, true).await);
        drop(turn);
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
    looked_at(services, project, &Arc::new(files), Order::without_limits(options)).await
}

/// Imports files of this machine in one transaction, for whoever owns it.
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
    let found = store::imports::find(&services.store, project, id).await?;
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
    let mut records = store::imports::list(&services.store, project, LISTED).await?;
    for record in &mut records {
        record.progress = services.imports.find(record.id).map(|job| job.progress());
    }
    Ok(records)
}

/// Stops an import that runs, so that nothing of it stays. One that has ended has nothing to stop.
pub async fn cancel(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    id: ImportId,
) -> Result<()> {
    let record = load(services, actor, project, id).await?;
    if let Some(job) = services.imports.find(record.id) {
        job.cancel();
    }
    Ok(())
}

/// The files as they came, if they are not too large.
fn received(files: Vec<UploadedFile>) -> Result<Files, Refusal> {
    if files.is_empty() {
        return Err(Refusal::invalid("files", "choose at least one file"));
    }
    if files.iter().map(|file| file.bytes.len()).sum::<usize>() > MAX_UPLOAD_BYTES {
        let why = "the files have more than 256 MiB together; import them in several steps";
        return Err(Refusal::invalid("files", why));
    }
    Ok(Arc::new(files.into_iter().map(|file| -> Box<dyn Source> { Box::new(file) }).collect()))
}

/// Looks at the files without the project's documents.
async fn scanned(
    services: &Services,
    project: ProjectId,
    files: &Files,
    order: Order,
    job: &Arc<Job>,
) -> Result<(Scan, Labels, Order)> {
    let present = store::labels::list(&services.store, project).await?;
    let (choices, create) = (&order.options.mapping.labels, order.options.create_labels);
    let labels = Labels::new(&present, choices, create)?;
    let (files, job) = (Arc::clone(files), Arc::clone(job));
    let look = move || scan(&files, &labels, &order, &job).map(|scan| (scan, labels, order));
    let (scan, labels, order) =
        tokio::task::spawn_blocking(look).await.map_err(Error::broken)??;
    let new = scan.new_labels.iter().filter(|name| labels.creates(name)).count();
    check_room(&present, new)?;
    Ok((scan, labels, order))
}

async fn looked_at(
    services: &Services,
    project: ProjectId,
    files: &Files,
    order: Order,
) -> Result<ImportPreview> {
    let job = Arc::new(Job::default());
    let (mut scan, labels, order) = scanned(services, project, files, order, &job).await?;
    let snapshot = services.store.begin_read().await?;
    let plan = plan(&snapshot, project, &mut scan, &order).await?;
    drop(snapshot);
    let work = (order.options.marks == ImportAs::Work).then(|| WorkPreview {
        people: plan.people.preview(&scan),
        labelers: plan.people.labelers.iter().map(|it| (it.id, it.name.clone())).collect(),
        changes: plan.changes,
        notes: scan.notes.clone(),
    });
    Ok(ImportPreview {
        labels: labels.preview(&scan),
        work,
        problem_count: scan.problems.count(),
        problems: scan.problems.into_first(),
        files: scan.previews,
        new_labels: scan.new_labels,
    })
}

/// An import whose row is there.
struct Begun {
    id: ImportId,
    project: ProjectId,
    by: Option<UserId>,
    job: Arc<Job>,
}

impl Begun {
    async fn new(
        services: &Services,
        project: ProjectId,
        by: Option<UserId>,
        files: &Files,
        order: &Order,
    ) -> Result<Self> {
        let new = NewImport {
            by,
            at: services.clock.now(),
            marks: order.options.marks,
            files: files.iter().map(|file| file.name().to_owned()).collect(),
        };
        let tx = services.store.begin().await?;
        let id = store::imports::insert(&tx, project, new).await?;
        tx.commit().await?;
        let job = Arc::new(Job::default());
        services.imports.begin(id, &job);
        Ok(Self { id, project, by, job })
    }

    /// Carries it out. If it comes to nothing its row says why, unless somebody waits to hear it.
    async fn carry_out(
        self,
        services: &Services,
        files: Files,
        order: Order,
        in_background: bool,
    ) -> Result<ImportSummary> {
        let outcome = self.try_to(services, &files, order).await;
        services.imports.end(self.id);
        let outcome = outcome.map_err(|error| {
            let refusal: Refusal = error.into();
            refusal
        });
        if let Err(error) = &outcome {
            let tx = services.store.begin().await?;
            let now = services.clock.now();
            if self.job.is_cancelled() {
                store::imports::end(&tx, self.id, ImportState::Cancelled, None, now).await?;
            } else if in_background {
                store::imports::end(&tx, self.id, ImportState::Failed, Some(error), now).await?;
            } else {
                store::imports::forget(&tx, self.id).await?;
            }
            tx.commit().await?;
        }
        Ok(outcome?)
    }

    async fn try_to(
        &self,
        services: &Services,
        files: &Files,
        order: Order,
    ) -> Result<ImportSummary> {
        let Self { id, project, by, job } = self;
        let (mut scan, labels, order) = scanned(services, *project, files, order, job).await?;
        job.end_reading();
        if scan.problems.count() > 0 {
            return Err(Refusal::InvalidImport(scan.problems.into_first()).into());
        }
        let now = services.clock.now();
        // Nobody saves while it is decided what is new.
        let _turn = services.live.turn(*project).await;
        let tx = services.store.begin().await?;
        let revision = store::projects::advance(&tx, *project).await?;
        let plan = plan(&tx, *project, &mut scan, &order).await?;
        if scan.problems.count() > 0 {
            return Err(Refusal::InvalidImport(scan.problems.into_first()).into());
        }
        let (by_name, new_labels) = labels.make(&tx, *project, &scan).await?;
        let (members, new_members) = self.make_people(&tx, &plan, now).await?;
        let writing = Writing {
            tx: &tx,
            project: *project,
            import: *id,
            by: *by,
            now,
            order: &order,
            scan: &scan,
            plan: &plan,
            labels: &by_name,
            members: &members,
            job,
        };
        let written = write(writing, files).await?;
        let Written { documents, suggestions, copies, spans, has } = written;
        let imported = number(documents.len());
        let assign = order.options.assign;
        let assignments = documents::assign(&tx, *project, documents, has, assign).await?;
        let summary = ImportSummary {
            import: *id,
            documents: imported,
            suggestions,
            assignments: number(assignments),
            copies,
            spans,
            placeholders: number(new_members.len()),
            labels: number(new_labels.len()),
            changes: plan.changes,
        };
        let made = Made { labels: new_labels, members: new_members };
        store::imports::finish(&tx, *id, &summary, &made, now).await?;
        let audit = Audit {
            project: Some(*project),
            user: *by,
            at: now,
            action: "import documents",
            subject: format!("project {project}"),
            detail: json!({
                "import": id,
                "documents": imported,
                "suggestions": suggestions,
                "assignments": summary.assignments,
                "copies": copies,
                "spans": spans,
                "placeholders": summary.placeholders,
            }),
            revision: Some(revision),
        };
        store::audit::append(&tx, audit).await?;
        job.check()?;
        tx.commit().await?;
        services.live.invalidate(*project);
        Ok(summary)
    }

    /// The labelers by the places of the raters, and those who are made for it.
    async fn make_people(
        &self,
        tx: &Tx,
        plan: &Plan,
        now: chrono::DateTime<chrono::Utc>,
    ) -> Result<(Vec<Option<MemberId>>, Vec<MemberId>)> {
        let mut made = Vec::new();
        let mut members = Vec::with_capacity(plan.people.who.len());
        for who in &plan.people.who {
            members.push(match who {
                Who::Nobody => None,
                Who::Member(member, _) => Some(*member),
                Who::New(name) => {
                    // No mail is delivered there, and nobody else has it.
                    let address = format!("{}@placeholder.invalid", token::generate());
                    let person = (address.as_str(), name.as_str());
                    let user = store::users::create_placeholder(tx, person, NOBODYS, now).await?;
                    let member =
                        store::members::add(tx, self.project, user, Role::Labeler, now).await?;
                    made.push(member);
                    Some(member)
                }
            });
        }
        Ok((members, made))
    }
}
