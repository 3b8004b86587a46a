//! The pool: labelers draw their next document themselves, up to a number that they may have open.

use std::sync::Arc;

use chrono::TimeDelta;
use domain::{
    Actor, AssignmentId, AuditEvent, Code, MemberId, OwnPool, Pool, ProjectId,
    base::policy::Action, end_of_day,
};
use serde_json::json;
use store::Db;

use crate::{
    Result, Services,
    base::{access::permit, change::ProjectChange},
};

/// Opens the pool, or changes it.
pub async fn open(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    pool: Pool,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let pool = pool.checked()?;
    let change = ProjectChange::begin(services, access, project).await?;
    store::workload::pools::save(&change.tx, project, pool).await?;
    change.end(AuditEvent::OpenPool, "pool", json!(pool)).await
}

/// Closes the pool. What was drawn stays with who drew it.
pub async fn close(services: &Arc<Services>, actor: &Actor, project: ProjectId) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    if store::workload::pools::close(&change.tx, project).await? {
        change.end(AuditEvent::ClosePool, "pool", json!({})).await?;
    }
    Ok(())
}

/// What a labeler finds of the pool; none where there is none, or their work is paused.
pub(crate) async fn own(
    db: &impl Db,
    project: ProjectId,
    member: MemberId,
    paused: bool,
) -> Result<Option<OwnPool>> {
    let Some(pool) = store::workload::pools::find(db, project).await?.filter(|_| !paused) else {
        return Ok(None);
    };
    let (open, left) = store::workload::pools::of_member(db, project, member, pool.overlap).await?;
    Ok(Some(if open >= u64::from(pool.cap) {
        OwnPool::Full(pool.cap)
    } else if left {
        OwnPool::Ready
    } else {
        OwnPool::Empty
    }))
}

/// Gives the labeler who asks the next document.
pub async fn draw(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<AssignmentId> {
    let access = permit(&services.store, actor, project, Action::ViewOwnWork).await?;
    let member = access.member.id;
    let change = ProjectChange::begin(services, access, project).await?;
    let (tx, now) = (&change.tx, change.at);
    let paused = store::workload::is_paused(tx, member).await?;
    let pool = store::workload::pools::find(tx, project).await?.filter(|_| !paused);
    let pool =
        pool.ok_or_else(|| Code::NotOffered.because("getting documents is turned off here"))?;
    let due = (pool.days > 0)
        .then(|| end_of_day((now + TimeDelta::days(i64::from(pool.days))).date_naive()));
    let drawn = store::workload::pools::draw(tx, project, member, pool.overlap, due).await?;
    // Counted with the new one, and after whoever drew at the same time.
    let (open, _) = store::workload::pools::of_member(tx, project, member, pool.overlap).await?;
    if open > u64::from(pool.cap) {
        let why = format!("you can have {} open at a time; submit one first", pool.cap);
        return Err(Code::TooManyOpen.because(why).into());
    }
    let drawn = drawn.ok_or_else(|| Code::NothingLeft.because("no document left for you"))?;
    change.end(AuditEvent::DrawDocument, format!("assignment {drawn}"), json!({})).await?;
    Ok(drawn)
}
