//! Carries an import out. What is little is written at once. What is more is put on a shelf first, where
//! nobody sees it; then it is decided, in one short transaction, that all of it comes; and then it comes in
//! pieces. Saves wait for none of them longer than for one another.

mod decision;
mod packing;
mod parcel;
pub(super) mod publishing;
pub(super) mod shelving;
mod writing;

use std::time::{Duration, Instant};

use domain::{Code, Error as Refusal, ImportSummary};

use super::{
    begun::Begun,
    labels::Labels,
    order::Order,
    plan::{Plan, find_people, plan},
    preview::scanned,
    scan::{Files, Scan},
};
use crate::{Result, Services, document::check_assign};
use decision::Decision;
use packing::Parcels;
use parcel::{Packing, weight_of_all};
use publishing::{finish, publish, publish_decided};
use shelving::shelve;
use writing::write;

/// How much one transaction writes, in spans, about: some 30 ms of the database.
const PIECE: i64 = 2_500;

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

/// Carries an import out, from its files to its end.
pub(super) async fn carry_out(
    services: &Services,
    begun: &Begun,
    files: &Files,
    order: Order,
) -> Result<ImportSummary> {
    let (scan, labels, order) = scanned(services, begun.project, files, order, &begun.job).await?;
    begun.job.end_reading();
    let mut course = Course { services, begun, files, scan, labels, order };
    course.refuse_problems()?;
    let assigned =
        check_assign(&services.store, begun.project, course.order.options.assign).await?;
    if weight_of_all(&course.scan, assigned) <= PIECE {
        course.write_at_once().await
    } else {
        course.write_in_pieces(assigned).await
    }
}

impl Course<'_> {
    fn refuse_problems(&mut self) -> Result<(), Refusal> {
        if self.scan.problems.count() > 0 {
            let problems = std::mem::take(&mut self.scan.problems);
            return Err(Refusal::InvalidImport(problems.into_first()));
        }
        Ok(())
    }

    /// What is planned for the project as it is.
    async fn plan(&mut self, db: &impl store::Db) -> Result<Plan> {
        let plan = plan(db, self.begun.project, &mut self.scan, &self.order).await?;
        self.refuse_problems()?;
        Ok(plan)
    }

    /// All of it in one transaction.
    async fn write_at_once(mut self) -> Result<ImportSummary> {
        let Self { services, begun, .. } = self;
        let project = begun.project;
        for _ in 0..ATTEMPTS {
            publish_decided(services, project).await?;
            // Nobody saves while it is decided what is new.
            let _lock = services.live.lock_project(project).await;
            let tx = services.store.begin().await?;
            let revision = store::project::advance(&tx, project).await?;
            if store::document::imports::decided_in(&tx, project).await?.is_some() {
                continue;
            }
            let now = services.clock.now();
            let plan = self.plan(&tx).await?;
            let made = (&self.scan, &self.labels, &self.order);
            let mut decision = Decision::make(&tx, begun, made, &plan, now).await?;
            let (mut parcels, mut packed) = (self.parcels(&plan, 0), Vec::new());
            while let Some(batch) = parcels.next().await? {
                packed.extend(batch);
            }
            write(&tx, (project, begun.id), &mut decision, packed).await?;
            finish(&tx, (project, begun.id), &decision, revision).await?;
            begun.job.decide()?;
            tx.commit().await?;
            services.live.invalidate(project);
            return Ok(decision.summary);
        }
        Err(changed().into())
    }

    async fn write_in_pieces(mut self, assigned: usize) -> Result<ImportSummary> {
        let Self { services, begun, .. } = self;
        let snapshot = services.store.begin_read().await?;
        let plan = self.plan(&snapshot).await?;
        drop(snapshot);
        let mut parcels = self.parcels(&plan, assigned);
        while let Some(batch) = parcels.next().await? {
            shelve(services, begun.id, &batch).await?;
            begun.job.count_stored(batch.len());
        }
        self.decide(&plan).await?;
        publish(services, begun.id, Some(&begun.job)).await?.ok_or_else(|| Refusal::NotFound.into())
    }

    /// What is planned, as the files are read again.
    fn parcels<'b>(&'b self, plan: &'b Plan, assigned: usize) -> Parcels<'b> {
        let packing = Packing::new(&self.order, &self.scan, plan, assigned);
        let from = (self.files, &self.scan, self.order.reading());
        Parcels::of(packing, from, &self.begun.job)
    }

    /// Makes it certain that what is on the shelf comes, if what was planned still holds. That is found out
    /// without keeping anybody from saving, for a moment since which no document came or went.
    async fn decide(&mut self, planned: &Plan) -> Result<()> {
        let Self { services, begun, .. } = *self;
        let project = begun.project;
        for _ in 0..ATTEMPTS {
            begun.job.check()?;
            publish_decided(services, project).await?;
            let snapshot = services.store.begin_read().await?;
            let extent = store::document::extent(&snapshot, project).await?;
            let plan = self.plan(&snapshot).await?;
            drop(snapshot);
            if !plan.is_like(planned) {
                return Err(changed().into());
            }
            let _lock = services.live.lock_project(project).await;
            let tx = services.store.begin().await?;
            store::project::advance(&tx, project).await?;
            if store::document::imports::decided_in(&tx, project).await?.is_some()
                || store::document::extent(&tx, project).await? != extent
            {
                continue;
            }
            let people = find_people(&tx, project, &self.scan, &self.order).await?;
            if people.who != plan.people.who {
                return Err(changed().into());
            }
            let now = services.clock.now();
            let made = (&self.scan, &self.labels, &self.order);
            let decision = Decision::make(&tx, begun, made, &plan, now).await?;
            begun.job.decide()?;
            if !store::document::imports::decide(&tx, begun.id, &decision, now).await? {
                return Err(ended().into());
            }
            tx.commit().await?;
            services.live.invalidate(project);
            return Ok(());
        }
        Err(changed().into())
    }
}

/// Somebody has changed what the plan was made from.
fn changed() -> Refusal {
    let why = "the project was changed while the files were read; check the preview again";
    Code::ChangedMeanwhile.of("files", why)
}

/// Somebody has ended an import that was being carried out.
fn ended() -> Refusal {
    Code::Interrupted.because("the import was ended from elsewhere; nothing was saved")
}

/// Lets others write who wait for the database, for as long as they had to wait. Those of this process have
/// their turn anyway, but those of another find the database free only by chance.
async fn rest(since: Instant) {
    const LONGEST: Duration = Duration::from_millis(50);
    tokio::time::sleep(since.elapsed().min(LONGEST)).await;
}
