//! What stands beside assignments: a labeler flags a document or puts it aside, a manager answers, and a
//! submitted assignment goes back to its labeler with a note.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentId, AuditEvent, Code, Delta, DocumentAssignments, DocumentId,
    Error as Refusal, FlagKind, MemberId, NewFlag, OwnAssignmentNotes, ProjectId, ReturnNote,
    ReviewedAssignment, VersionKind, WorkState, base::policy::Action, check_words,
};
use serde_json::json;
use store::{Tx, outside::audit::Audit, work::versions::NewVersion};

use crate::{
    Result, Services,
    base::{
        access::{Access, permit},
        change::ProjectChange,
        names::Names,
    },
    work::{
        annotation::find_own,
        assignment_updates,
        saving::{self, Saved, assignments::moved, to_the_end},
    },
};

/// What stands beside the labeler's own assignment.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<OwnAssignmentNotes> {
    let store = &services.store;
    let (found, access) = find_own(services, actor, assignment).await?;
    let notes = store::work::flags::of_assignment(store, found.document, found.member).await?;
    let member = access.member.id;
    let (_, comments) =
        store::work::comments::count_of_member(store, member, found.document).await?;
    Ok(OwnAssignmentNotes {
        assignment,
        project: found.project,
        document_name: found.document_name,
        is_submitted: found.state == WorkState::Submitted,
        notes,
        comments,
    })
}

/// Flags the document of the labeler's own assignment, or puts it aside; says which assignment is next.
pub async fn raise(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    flag: NewFlag,
) -> Result<(ProjectId, Option<AssignmentId>)> {
    let (found, access) = find_own(services, actor, assignment).await?;
    let flag = flag.checked()?;
    // Nobody submits it meanwhile.
    let change = ProjectChange::begin_alone(services, access, found.project).await?;
    let tx = &change.tx;
    let found = store::work::assignments::find(tx, found.id).await?.ok_or(Refusal::NotFound)?;
    if flag.kind == FlagKind::Skip && found.state == WorkState::Submitted {
        let why = "this document is submitted; reopen it to skip it";
        return Err(Code::Submitted.because(why).into());
    }
    store::work::flags::raise(tx, found.document, found.member, &flag, change.at).await?;
    let event = match flag.kind {
        FlagKind::Flag => AuditEvent::FlagDocument,
        FlagKind::Skip => AuditEvent::SkipDocument,
    };
    let cards = store::work::assignments::list_of_member(tx, found.member).await?;
    let notes = store::work::flags::of_member(tx, found.member).await?;
    let detail = json!({ "reason": flag.reason });
    change.end(event, format!("assignment {assignment}"), detail).await?;
    let is_next = |id: &AssignmentId, state: WorkState| {
        state != WorkState::Submitted
            && notes.get(id).is_none_or(|notes| !notes.is_skipped())
            && *id != assignment
    };
    let place = cards.iter().position(|card| card.id == assignment).unwrap_or_default();
    let (before, after) = cards.split_at(place);
    let next = after.iter().chain(before).find(|card| is_next(&card.id, card.state));
    Ok((found.project, next.map(|card| card.id)))
}

/// Takes the labeler's own flag back, or takes up again what was put aside.
pub async fn lower(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    kind: FlagKind,
) -> Result<()> {
    let (found, access) = find_own(services, actor, assignment).await?;
    let change = ProjectChange::begin(services, access, found.project).await?;
    if store::work::flags::lower(&change.tx, found.document, found.member, kind).await? {
        let event = match kind {
            FlagKind::Flag => AuditEvent::TakeFlagBack,
            FlagKind::Skip => AuditEvent::TakeDocumentUpAgain,
        };
        change.end(event, format!("assignment {assignment}"), json!({})).await?;
    }
    Ok(())
}

/// A manager's answer to a flag or a skip: it stands no longer, and the labeler is told why if there
/// is something to tell. What was skipped is before them again.
pub async fn answer(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    (document, member): (DocumentId, MemberId),
    kind: FlagKind,
    note: &str,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::ManageDocuments).await?;
    let note = check_words(note)?;
    let change = ProjectChange::begin(services, access, project).await?;
    let assignment = store::work::assignments::find_of(&change.tx, document, member).await?;
    let assignment =
        assignment.filter(|assignment| assignment.project == project).ok_or(Refusal::NotFound)?;
    if !store::work::flags::lower(&change.tx, document, member, kind).await? {
        return Err(Code::AlreadyAnswered
            .because("this has already been answered or withdrawn")
            .into());
    }
    say(&change.tx, &change.access, (document, member), &note, change.at).await?;
    let event = match kind {
        FlagKind::Flag => AuditEvent::SettleFlag,
        FlagKind::Skip => AuditEvent::SendSkippedDocumentBack,
    };
    change.end(event, format!("assignment {}", assignment.id), json!({})).await
}

/// The assignments of a document, with the notes that they came back with.
pub async fn assignments(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
) -> Result<DocumentAssignments> {
    let store = &services.store;
    actor.person()?;
    let found = store::document::find(store, document).await?.ok_or(Refusal::NotFound)?;
    let access = permit(store, actor, found.project, Action::Discuss).await?;
    let names = Names::load(store, found.project, &access.member).await?;
    let mut notes = store::work::flags::of_documents(store, &[document]).await?;
    let ratings = store::agreement::ratings::load_document(store, document)
        .await?
        .ok_or(Refusal::NotFound)?;
    let assignments = ratings.assignments.iter().filter_map(|assignment| {
        let rater = names.rater(assignment.member)?;
        let note = notes.remove(&(document, assignment.member)).and_then(|notes| notes.note);
        Some((ReviewedAssignment { rater, state: assignment.state }, note.map(|note| note.note)))
    });
    Ok(DocumentAssignments {
        project: found.project,
        assignments: assignments.collect(),
        document_name: found.name,
    })
}

/// Gives a submitted assignment back to its labeler with a note, as if they had reopened it themselves.
pub async fn send_back(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    (document, member): (DocumentId, MemberId),
    note: String,
) -> Result<()> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let access = permit(&services.store, &actor, project, Action::Discuss).await?;
        let note = check_words(&note)?;
        if note.is_empty() {
            return Err(Code::Missing.of("note", "write a note to the labeler").into());
        }
        let now = services.clock.now();
        let lock = services.live.lock_project(project).await;
        let write = async |tx: &Tx| {
            let assignment = store::work::assignments::find_of(tx, document, member).await?;
            let assignment = assignment
                .filter(|assignment| assignment.project == project)
                .ok_or(Refusal::NotFound)?;
            // The first pass has been judged as it is: it cannot change beside its repeat.
            if assignment.repeat.is_some() {
                let why = "this document is being repeated; it cannot be sent back";
                return Err(Code::RepeatUnderWay.because(why).into());
            }
            let state = assignment.state.reopened()?;
            let facts = assignment_updates::facts(tx, &assignment).await?;
            let version = NewVersion {
                pass: assignment_updates::pass(&assignment),
                revision: assignment.revision.next(),
                at: now,
                by: Some(access.person.id),
                kind: VersionKind::Reopen,
                restored: None,
                state,
                delta: Delta::default(),
            };
            let saves = [(&assignment, &version)];
            let revisions = assignment_updates::save(tx, project, &saves, now).await?;
            let revision = revisions.into_iter().next().flatten();
            say(tx, &access, (document, member), &note, now).await?;
            let audit = Audit {
                project: Some(project),
                user: Some(access.person.id),
                at: now,
                event: AuditEvent::SendBack,
                subject: format!("assignment {}", assignment.id),
                detail: json!({ "state": state }),
                revision,
            };
            store::outside::audit::append(tx, audit).await?;
            let moved = revision.map(|revision| moved(&assignment, &facts, revision, state, now));
            Ok(Saved::Done((), moved))
        };
        saving::save(&services, (project, lock), None, now, write).await
    })
    .await
}

/// Leaves a note for the labeler, if there is anything in it.
async fn say(
    tx: &Tx,
    access: &Access,
    (document, member): (DocumentId, MemberId),
    note: &str,
    written_at: DateTime<Utc>,
) -> Result<()> {
    if note.is_empty() {
        return Ok(());
    }
    let note = ReturnNote { note: note.to_owned(), by: access.member.role, written_at };
    Ok(store::work::flags::note(tx, document, member, &note, access.person.id).await?)
}
