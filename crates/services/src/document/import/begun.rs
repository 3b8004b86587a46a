//! An import, from its row to its end: all of it in one transaction.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    AuditEvent, Error as Refusal, ImportId, ImportState, ImportSummary, MemberId, ProjectId, Role,
    UserId, WebhookEvent, readable_name, saturating,
};
use serde_json::json;
use store::{
    Tx,
    document::imports::{Made, NewImport},
    outside::audit::Audit,
};

use super::{
    order::Order,
    people::Who,
    plan::{Plan, plan},
    preview::scanned,
    running::Job,
    scan::Files,
    write::{Writing, Written, write},
};
use crate::{
    Result, Services,
    account::passwords::NOBODYS,
    base::{
        change::events::{Event, about, announce},
        secrets::token,
    },
    document,
};

/// So many documents and assignments change what a database has to know of its tables.
const MANY: u64 = 1_000;

/// An import whose row is there.
pub(super) struct Begun {
    pub(super) id: ImportId,
    project: ProjectId,
    by: Option<UserId>,
    job: Arc<Job>,
}

impl Begun {
    pub(super) async fn new(
        services: &Services,
        project: ProjectId,
        by: Option<UserId>,
        files: &Files,
        order: &Order,
    ) -> Result<Self> {
        let new = NewImport {
            by,
            at: services.clock.now(),
            import_as: order.options.import_as,
            files: files.iter().map(|file| file.name().to_owned()).collect(),
        };
        let tx = services.store.begin().await?;
        store::project::removal::refuse_archived(&tx, project).await?;
        let id = store::document::imports::insert(&tx, project, new).await?;
        tx.commit().await?;
        let job = Arc::new(Job::default());
        services.imports.begin(id, &job);
        Ok(Self { id, project, by, job })
    }

    /// Carries it out. If it comes to nothing its row says why, unless somebody waits to hear it.
    pub(super) async fn carry_out(
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
                store::document::imports::end(&tx, self.id, ImportState::Cancelled, None, now)
                    .await?;
                self.tell(&tx, ImportState::Cancelled, None, now).await?;
            } else if in_background {
                store::document::imports::end(&tx, self.id, ImportState::Failed, Some(error), now)
                    .await?;
                self.tell(&tx, ImportState::Failed, None, now).await?;
            } else {
                store::document::imports::forget(&tx, self.id).await?;
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
        let _lock = services.live.lock_project(*project).await;
        let tx = services.store.begin().await?;
        let revision = store::project::advance(&tx, *project).await?;
        let plan = plan(&tx, *project, &mut scan, &order).await?;
        if scan.problems.count() > 0 {
            return Err(Refusal::InvalidImport(scan.problems.into_first()).into());
        }
        let (by_name, new_labels) =
            labels.make(&tx, *project, &scan.labels, &scan.new_labels).await?;
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
        let Written { documents, suggestions, worked, spans, has } = written;
        let imported = saturating::<u64>(documents.len());
        let assign = order.options.assign;
        let assignments = document::assign(&tx, *project, documents, has, assign).await?;
        let summary = ImportSummary {
            import: *id,
            documents: imported,
            suggestions,
            assignments: saturating::<u64>(assignments),
            worked,
            spans,
            placeholders: saturating::<u64>(new_members.len()),
            labels: saturating::<u64>(new_labels.len()),
            changes: plan.changes,
        };
        let made = Made { labels: new_labels, members: new_members };
        store::document::imports::finish(&tx, *id, &summary, &made, now).await?;
        let audit = Audit {
            project: Some(*project),
            user: *by,
            at: now,
            event: AuditEvent::ImportDocuments,
            subject: format!("project {project}"),
            detail: json!({
                "import": id,
                "documents": imported,
                "suggestions": suggestions,
                "assignments": summary.assignments,
                "copies": worked,
                "spans": spans,
                "placeholders": summary.placeholders,
            }),
            revision: Some(revision),
        };
        store::outside::audit::append(&tx, audit).await?;
        self.tell(&tx, ImportState::Done, Some(&summary), now).await?;
        job.check()?;
        tx.commit().await?;
        services.live.invalidate(*project);
        if imported + worked >= MANY {
            // It is imported, whether or not.
            if let Err(error) = store::document::imports::look_at_rows(&services.store).await {
                tracing::warn!(%error, "the database could not look at what was imported");
            }
        }
        Ok(summary)
    }

    /// Tells webhooks that it has ended so, and what it has brought.
    async fn tell(
        &self,
        tx: &Tx,
        state: ImportState,
        summary: Option<&ImportSummary>,
        at: DateTime<Utc>,
    ) -> Result<()> {
        metrics::counter!("concord_imports_total", "state" => state.name()).increment(1);
        let count = |of: fn(&ImportSummary) -> u64| summary.map_or(0, of);
        let import = json!({
            "id": self.id,
            "state": state.name(),
            "documents": count(|it| it.documents),
            "assignments": count(|it| it.assignments),
            "copies": count(|it| it.worked),
            "spans": count(|it| it.spans),
            "suggestions": count(|it| it.suggestions),
        });
        let event = Event {
            kind: WebhookEvent::ImportFinished,
            at,
            project: self.project,
            about: about([("import", import)]),
            path: format!("/projects/{}/work/documents", self.project),
        };
        announce(tx, event).await
    }

    /// The labelers by the places of the raters, and those who are made for it.
    async fn make_people(
        &self,
        tx: &Tx,
        plan: &Plan,
        now: DateTime<Utc>,
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
                    let name = readable_name(name);
                    let person = (address.as_str(), &*name);
                    let user =
                        store::account::users::create_placeholder(tx, person, NOBODYS, now).await?;
                    let member =
                        store::project::members::add(tx, self.project, user, Role::Labeler, now)
                            .await?;
                    made.push(member);
                    Some(member)
                }
            });
        }
        Ok((members, made))
    }
}
