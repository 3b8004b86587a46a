//! Silent repeats: labelers are given documents back that they have submitted, without being told,
//! to see whether they agree with themselves. The first pass stays what is counted everywhere else.

mod consistency;
mod drawing;

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{
    Actor, AuditEvent, Error as Refusal, ProjectId, RepeatAsk, RepeatBatchId, RepeatPlan,
    RepeatsView, base::policy::Action,
};
use serde_json::json;
use store::{
    Db,
    outside::audit::Audit,
    work::repeats::{Candidate, NewBatch},
};

use crate::{Result, Services, base::access::permit};
pub(crate) use consistency::{Known, Themselves, for_viewer, of_labeler};

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
    let at = services.clock.now();
    // Nobody reopens a copy while it is given back.
    let _turn = services.live.turn(project).await;
    let tx = services.store.begin().await?;
    let (plan, drawn) = plan(services, &tx, project, ask).await?;
    if plan.seen != seen {
        let why = "what can be given back has changed meanwhile; look at it again";
        return Err(Refusal::invalid("seen", why).into());
    }
    if drawn.is_empty() {
        let why = "nobody has submitted a document that can be given back";
        return Err(Refusal::invalid("documents", why).into());
    }
    let new = NewBatch { ask, seed: &plan.seed, by: access.person.id, at };
    let copies: Vec<_> = drawn.iter().map(|one| one.assignment).collect();
    let (batch, given) = store::work::repeats::insert_batch(&tx, project, new, &copies).await?;
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at,
        event: AuditEvent::GiveRepeats,
        subject: format!("repeats {batch}"),
        detail: json!({ "given": given, "asked": ask, "seed": plan.seed }),
        revision: None,
    };
    store::outside::audit::append(&tx, audit).await?;
    tx.commit().await?;
    services.live.nudge(project);
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
    let _turn = services.live.turn(project).await;
    let tx = services.store.begin().await?;
    let taken =
        store::work::repeats::take_back(&tx, project, batch).await?.ok_or(Refusal::NotFound)?;
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at: services.clock.now(),
        event: AuditEvent::TakeRepeatsBack,
        subject: format!("repeats {batch}"),
        detail: json!({ "taken": taken }),
        revision: None,
    };
    store::outside::audit::append(&tx, audit).await?;
    tx.commit().await?;
    services.live.nudge(project);
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
