//! The way of an import from its files into its project: at once, or over the shelf.

use domain::{Code, DocumentId, Error as Refusal, ImportSummary};
use store::document::{imports, shelf::Shelved};

use super::{
    super::{
        begun::Begun,
        names::labels::Labels,
        order::Order,
        plan::{Plan, find_people, plan},
        preview::scanned,
        scan::{Files, Scan},
    },
    decision::Decision,
    ending::ended,
    pace::PIECE,
    packing::Parcels,
    parcel::{Packing, Parcel, weight_of_all},
    publishing::{finish, publish_decided},
    shelving::shelve,
    writing::write,
};
use crate::{
    Result, Services, base::access::storage_space::leave_space_for_saves, document::check_assign,
};

/// How often it is looked for a moment in which what is planned still holds, before that is given up.
const ATTEMPTS: u8 = 5;

/// An import whose files have been read once.
struct Course<'a> {
    services: &'a Services,
    begun: &'a Begun,
    files: &'a Files,
    scan: Scan,
    labels: Labels,
    order: Order,
}

/// Carries an import out, from its files until it is certain to come, and says what it has brought if it has
/// come with that.
pub(super) async fn run(
    services: &Services,
    begun: &Begun,
    files: &Files,
    order: Order,
) -> Result<Option<ImportSummary>> {
    leave_space_for_saves(services).await?;
    let (scan, labels, order) = scanned(services, begun.project, files, order, &begun.job).await?;
    begun.job.end_reading(scan.groups.len());
    let mut course = Course { services, begun, files, scan, labels, order };
    course.refuse_problems()?;
    let assigned =
        check_assign(&services.store, begun.project, course.order.options.assign).await?;
    let planned = course.plan().await?;
    let packed = if weight_of_all(&course.scan, assigned) <= PIECE {
        Some(course.pack(&planned.plan, assigned).await?)
    } else {
        course.shelve(&planned.plan, assigned).await?;
        None
    };
    course.decide(planned, packed).await
}

/// What is planned for the project as it was at a moment.
struct Planned {
    plan: Plan,
    /// What tells whether documents have come or gone since.
    extent: (u64, Option<DocumentId>),
}

impl Course<'_> {
    fn refuse_problems(&mut self) -> Result<(), Refusal> {
        if self.scan.problems.count() > 0 {
            let problems = std::mem::take(&mut self.scan.problems);
            return Err(Refusal::InvalidImport(problems.into_first()));
        }
        Ok(())
    }

    /// Plans for the project as it is, without keeping anybody from changing it. What was decided to come
    /// before is there.
    async fn plan(&mut self) -> Result<Planned> {
        let (services, project) = (self.services, self.begun.project);
        publish_decided(services, project).await?;
        let snapshot = services.store.begin_read().await?;
        let extent = store::document::extent(&snapshot, project).await?;
        let plan = plan(&snapshot, project, &mut self.scan, &self.order).await?;
        self.refuse_problems()?;
        Ok(Planned { plan, extent })
    }

    /// Reads what is planned into memory.
    async fn pack(&self, plan: &Plan, assigned: usize) -> Result<Vec<Shelved<Parcel>>> {
        let (mut parcels, mut packed) = (self.parcels(plan, assigned), Vec::new());
        while let Some(batch) = parcels.next().await? {
            packed.extend(batch);
        }
        Ok(packed)
    }

    /// Puts what is planned on the shelf.
    async fn shelve(&self, plan: &Plan, assigned: usize) -> Result<()> {
        let mut parcels = self.parcels(plan, assigned);
        while let Some(batch) = parcels.next().await? {
            leave_space_for_saves(self.services).await?;
            shelve(self.services, self.begun.id, &batch).await?;
            self.begun.job.note_stored(parcels.documents());
        }
        Ok(())
    }

    /// What is planned, as the files are read again.
    fn parcels<'b>(&'b self, plan: &'b Plan, assigned: usize) -> Parcels<'b> {
        let packing = Packing::new(&self.order, &self.scan, plan, assigned);
        let from = (self.files, &self.scan, self.order.reading());
        Parcels::of(packing, from, &self.begun.job)
    }

    /// Makes it certain that what is planned comes, if it still holds: that no document came or went since
    /// it was planned, and that people are who they were. What was packed is written with that, and the
    /// answer says what it came to; what was shelved, which takes its time, is planned once more before.
    async fn decide(
        &mut self,
        mut planned: Planned,
        mut packed: Option<Vec<Shelved<Parcel>>>,
    ) -> Result<Option<ImportSummary>> {
        let Self { services, begun, .. } = *self;
        let (project, import) = (begun.project, begun.id);
        for attempt in 0..ATTEMPTS {
            begun.job.check()?;
            if attempt > 0 || packed.is_none() {
                let now = self.plan().await?;
                if !now.plan.is_like(&planned.plan) {
                    return Err(changed().into());
                }
                planned = now;
            }
            let _lock = services.live.lock_project(project).await;
            let tx = services.store.begin().await?;
            let revision = store::project::advance(&tx, project).await?;
            if imports::decided_in(&tx, project).await?.is_some()
                || store::document::extent(&tx, project).await? != planned.extent
            {
                continue;
            }
            let people = find_people(&tx, project, &self.scan, &self.order).await?;
            if people.who != planned.plan.people.who {
                return Err(changed().into());
            }
            let now = services.clock.now();
            let from = (&self.scan, &self.labels, &self.order);
            let mut decision = Decision::make(&tx, begun, from, &planned.plan, now).await?;
            if !imports::decide(&tx, import, &decision, now).await? {
                return Err(ended().into());
            }
            let is_whole = packed.is_some();
            if let Some(parcels) = packed.take() {
                write(&tx, (project, import), &mut decision, parcels, now).await?;
                let whole = (project, import);
                if !finish(services, &tx, whole, &decision, (revision, now)).await? {
                    return Err(ended().into());
                }
            }
            begun.job.decide()?;
            tx.commit().await?;
            services.live.invalidate(project);
            return Ok(is_whole.then_some(decision.summary));
        }
        Err(changed().into())
    }
}

/// Somebody has changed what the plan was made from.
fn changed() -> Refusal {
    let why = "the project was changed while the files were read; check the preview again";
    Code::ChangedMeanwhile.of("files", why)
}
