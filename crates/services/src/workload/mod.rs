//! Giving work out: previewed, carried out as a whole, undone where nobody has begun; and the board
//! that shows how far everybody is.

pub mod double_annotation;
pub(crate) mod evenly;
mod plan;
mod pool;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentQuery, AssignmentRow, AuditEvent, BoardQuery, Code, DocumentId,
    Error as Refusal, LoadOrder, MailKind, MemberId, Page, PersonLoad, ProjectId, Sorting,
    WorkState, WorkloadAsk, WorkloadBatchId, WorkloadBoard, WorkloadPlan, base::policy::Action,
    saturating,
};
use serde_json::json;
use store::{
    Db, Tx,
    workload::batches::{HoldingChange, NewBatch},
};

use crate::{
    Error, Result, Services,
    base::{
        access::permit,
        change::{ProjectChange, check_seen, mail::write_to, refuse_unpublished, undone_already},
        sorting::{Key, PAGE_SIZE, sort},
    },
};
use plan::{Ground, Planned, plan};
pub(crate) use pool::own as own_pool;
pub use pool::{close as close_pool, draw, open as open_pool};

/// As many batches are shown.
const BATCHES_SHOWN: u64 = 20;

/// The board, with the preview of what is asked for.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: BoardQuery,
) -> Result<WorkloadBoard> {
    permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let now = services.clock.now();
    let snapshot = services.store.begin_read().await?;
    let people = store::workload::people(&snapshot, project, now).await?;
    let plan = match query.ask {
        None => None,
        Some(ask) => match prepare(&snapshot, project, people.clone(), ask).await? {
            Ok(planned) => Some(Ok(planned.view)),
            Err(refusal) => Some(Err(refusal)),
        },
    };
    let documents =
        store::workload::documents(&snapshot, project, query.documents, PAGE_SIZE, now).await?;
    let pool = store::workload::pools::find(&snapshot, project).await?;
    let pooled = match pool {
        Some(pool) => store::workload::pools::left(&snapshot, project, pool.overlap).await?,
        None => (0, 0),
    };
    let batches = store::workload::batches::list(&snapshot, project, BATCHES_SHOWN).await?;
    Ok(WorkloadBoard {
        people: sorted(people, query.people),
        documents,
        pool,
        pooled,
        batches,
        plan,
    })
}

fn sorted(mut people: Vec<PersonLoad>, sorting: Sorting<LoadOrder>) -> Vec<PersonLoad> {
    sort(&mut people, sorting.descending, |person| match sorting.order {
        LoadOrder::Name => Key::Given,
        LoadOrder::Open => Key::Most(person.counts.open),
        LoadOrder::Saved => Key::Most(person.counts.saved),
        LoadOrder::Submitted => Key::Most(person.counts.submitted),
        LoadOrder::Overdue => Key::Most(person.overdue),
        LoadOrder::Skipped => Key::Most(person.counts.skipped),
        LoadOrder::Flagged => Key::Most(person.flagged),
        LoadOrder::All => Key::Most(person.counts.total()),
    });
    people
}

/// A page of the assignments behind a number of the board.
pub async fn assignments(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: AssignmentQuery,
) -> Result<Page<AssignmentRow>> {
    let store = &services.store;
    permit(store, actor, project, Action::ManageDocuments).await?;
    let now = services.clock.now();
    Ok(store::workload::assignments(store, project, query, PAGE_SIZE, now).await?)
}

/// Plans on a thread that may block: a project may have many assignments.
async fn prepare(
    db: &impl Db,
    project: ProjectId,
    people: Vec<PersonLoad>,
    ask: WorkloadAsk,
) -> Result<Result<Planned, Refusal>> {
    let documents: Vec<DocumentId> = store::document::names(db, project)
        .await?
        .into_iter()
        .map(|(document, _)| document)
        .collect();
    let holdings = store::workload::holdings(db, project).await?;
    let batches = store::workload::batches::count(db, project).await?;
    let turned_down = store::work::flags::turned_down(db, project).await?;
    let ground = Ground { project, documents, people, holdings, turned_down, batches };
    tokio::task::spawn_blocking(move || plan(&ground, ask)).await.map_err(Error::broken)
}

/// Carries out what was previewed; refused if it would be something else by now.
pub async fn give(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ask: WorkloadAsk,
    seen: &str,
) -> Result<WorkloadBatchId> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    // Nobody begins an assignment while it is taken.
    let change = ProjectChange::begin_alone(services, access, project).await?;
    let (tx, at) = (&change.tx, change.at);
    refuse_unpublished(tx, project).await?;
    let people = store::workload::people(tx, project, at).await?;
    let Planned { view, parts } = prepare(tx, project, people, ask).await??;
    check_seen(&view.seen, seen, MOVED_ON)?;
    if parts.is_empty() {
        let why = "no changes: everyone has this already";
        return Err(Code::NothingToDo.of("seen", why).into());
    }
    carry_out(tx, &parts).await?;
    // Who is given a document anew has it before them, whatever they said of it once.
    let given: Vec<_> = parts
        .iter()
        .filter(|part| part.before.is_none())
        .map(|part| (part.document, part.member))
        .collect();
    store::work::flags::forget_skips(tx, &given).await?;
    tell_labelers(services, tx, project, &given, at).await?;
    let WorkloadPlan { ask, seed, .. } = &view;
    let new = NewBatch { ask: *ask, seed: seed.as_deref(), by: change.access.person.id, at };
    let batch = store::workload::batches::insert(tx, project, new, &parts).await?;
    let detail = json!({ "asked": ask, "seed": seed, "changes": parts.len() });
    change.end(AuditEvent::GiveWorkOut, format!("work {batch}"), detail).await?;
    Ok(batch)
}

/// Has the labelers who were given documents be written of it.
async fn tell_labelers(
    services: &Services,
    tx: &Tx,
    project: ProjectId,
    given: &[(DocumentId, MemberId)],
    at: DateTime<Utc>,
) -> Result<()> {
    let labelers: BTreeSet<_> = given.iter().map(|(_, member)| *member).collect();
    let mut members = store::project::members::list(tx, project).await?;
    members.retain(|member| labelers.contains(&member.id));
    let people: Vec<_> = members.into_iter().map(|member| member.user).collect();
    write_to(services, tx, (MailKind::NewWork, project), &people, at).await
}

const MOVED_ON: &str = "assignments have changed meanwhile; check the preview again";

async fn carry_out(tx: &Tx, parts: &[HoldingChange]) -> Result<()> {
    if store::workload::batches::carry_out(tx, parts).await? {
        Ok(())
    } else {
        Err(Code::ChangedMeanwhile.of("seen", MOVED_ON).into())
    }
}

/// Undoes what was given out at once, wherever nobody has begun, and says what was left alone.
pub async fn undo(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    batch: WorkloadBatchId,
) -> Result<u64> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin_alone(services, access, project).await?;
    let (tx, now) = (&change.tx, change.at);
    let found = store::workload::batches::find(tx, batch).await?;
    let (_, undone, parts) = found.filter(|(of, ..)| *of == project).ok_or(Refusal::NotFound)?;
    if undone {
        return Err(undone_already().into());
    }
    let holdings = store::workload::holdings(tx, project).await?;
    let people = store::workload::people(tx, project, now).await?;
    let members: Vec<_> = people.iter().map(|person| person.member).collect();
    let held_now: BTreeMap<_, _> = holdings
        .iter()
        .map(|assignment| ((assignment.document, assignment.member), assignment))
        .collect();
    // An assignment that was handed over goes back only as a whole: what the other has begun is theirs.
    let as_it_was_left =
        |part: &HoldingChange| match (held_now.get(&(part.document, part.member)), part.after) {
            (None, None) => members.contains(&part.member),
            (Some(assignment), Some(due)) if part.before.is_none() => {
                assignment.state == WorkState::Open && assignment.due_at == due
            }
            (Some(assignment), Some(due)) => assignment.due_at == due,
            _ => false,
        };
    let mut by_document: BTreeMap<DocumentId, Vec<HoldingChange>> = BTreeMap::new();
    for part in parts {
        by_document.entry(part.document).or_default().push(part);
    }
    let mut back = Vec::new();
    let mut left_alone = Vec::new();
    for parts in by_document.into_values() {
        let is_handed_over = parts.iter().any(|part| part.after.is_none());
        let all = parts.iter().all(as_it_was_left);
        for part in parts {
            if if is_handed_over { all } else { as_it_was_left(&part) } {
                back.push(part.turned());
            } else {
                left_alone.push(part);
            }
        }
    }
    if back.is_empty() {
        let why = "nothing to undo: all of it was started or changed since";
        return Err(Code::NothingToUndo.because(why).into());
    }
    carry_out(tx, &back).await?;
    if !store::workload::batches::undo(tx, batch, &left_alone, now).await? {
        return Err(undone_already().into());
    }
    let detail = json!({ "undone": back.len(), "left_alone": left_alone.len() });
    change.end(AuditEvent::UndoWorkGivenOut, format!("work {batch}"), detail).await?;
    Ok(saturating::<u64>(left_alone.len()))
}

/// Pauses a labeler's work, or lets it go on: while it is paused, what they have not begun is put
/// away and nothing new is given to them; what they have begun can be finished.
pub async fn pause(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    member: MemberId,
    pause: bool,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    let since = pause.then_some(change.at);
    if !store::workload::pause(&change.tx, project, member, since).await? {
        let people = store::workload::people(&change.tx, project, change.at).await?;
        if people.iter().any(|person| person.member == member) {
            return Ok(());
        }
        return Err(Refusal::NotFound.into());
    }
    let event = if pause { AuditEvent::PauseWork } else { AuditEvent::ResumeWork };
    change.end(event, format!("member {member}"), json!({})).await
}
