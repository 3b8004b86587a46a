//! Silent repeats: labelers are given documents back that they have submitted, without being told,
//! to see whether they agree with themselves. The first pass stays what is counted everywhere else.

mod drawing;

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{
    Actor, AuditEvent, Code, Error as Refusal, ProjectId, RepeatAsk, RepeatBatchId, RepeatPlan,
    RepeatsView, base::policy::Action,
};
use serde_json::json;
use store::{
    Db,
    work::repeats::{Candidate, NewBatch},
};

use crate::{
    Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, check_seen, refuse_unpublished},
    },
};

/// What was given so far, and what would be given now.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ask: RepeatAsk,
) -> Result<RepeatsView> {
    let store = &services.store;
    permit(store, actor, project, Action::ManageDocuments).await?;
    let snapshot = store.begin_read().await?;
    let (plan, _) = plan(services, &snapshot, project, ask.checked()?).await?;
    let batches = store::work::repeats::list_batches(&snapshot, project).await?;
    Ok(RepeatsView { plan, batches })
}

/// Gives the repeats that were previewed, and says how many; refused if it would be others by now.
pub async fn give(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ask: RepeatAsk,
    seen: &str,
) -> Result<u64> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let ask = ask.checked()?;
    // Nobody reopens an assignment while it is given back.
    let change = ProjectChange::begin_alone(services, access, project).await?;
    refuse_unpublished(&change.tx, project).await?;
    let (plan, drawn) = plan(services, &change.tx, project, ask).await?;
    let moved_on = "documents to repeat have changed meanwhile; check the preview again";
    check_seen(&plan.seen, seen, moved_on)?;
    if drawn.is_empty() {
        let why = "no submitted document can be repeated";
        return Err(Code::NothingToDo.of("documents", why).into());
    }
    let new = NewBatch { ask, seed: &plan.seed, by: change.access.person.id, at: change.at };
    let assignments: Vec<_> = drawn.iter().map(|one| one.assignment).collect();
    let (batch, given) =
        store::work::repeats::insert_batch(&change.tx, project, new, &assignments).await?;
    let detail = json!({ "given": given, "asked": ask, "seed": plan.seed });
    change.end(AuditEvent::GiveRepeats, format!("repeats {batch}"), detail).await?;
    Ok(given)
}

/// Takes back those of a batch that nobody has begun, and says how many.
pub async fn take_back(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    batch: RepeatBatchId,
) -> Result<u64> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin_alone(services, access, project).await?;
    let taken = store::work::repeats::take_back(&change.tx, project, batch).await?;
    let taken = taken.ok_or(Refusal::NotFound)?;
    let detail = json!({ "taken": taken });
    change.end(AuditEvent::TakeRepeatsBack, format!("repeats {batch}"), detail).await?;
    Ok(taken)
}

/// What would be given now.
async fn plan(
    services: &Services,
    db: &impl Db,
    project: ProjectId,
    ask: RepeatAsk,
) -> Result<(RepeatPlan, Vec<Candidate>)> {
    let before = services.clock.now() - TimeDelta::days(i64::from(ask.days));
    let members = store::project::members::list(db, project).await?;
    let candidates = store::work::repeats::candidates(db, project, before).await?;
    let batches = store::work::repeats::list_batches(db, project).await?.len();
    Ok(drawing::draw(ask, drawing::seed(project, batches), &members, candidates))
}
