//! What stands beside copies: a labeler flags a document or puts it aside, a manager answers, and a
//! submitted copy goes back to its labeler with a note.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AssignmentId, AuditEvent, CopyNote, Delta, DocumentCopies, DocumentId, Error as Refusal,
    FlagKind, MemberId, NewFlag, OwnMarks, ProjectId, ReviewedCopy, VersionKind, WorkState,
    base::policy::Action, check_words,
};
use serde_json::json;
use store::{Tx, outside::audit::Audit};

use crate::{
    Result, Services,
    base::{
        access::{Access, permit},
        names::Names,
    },
    live::{Change, Work},
    work::{annotation::find_own, passes, saving::to_the_end},
};

/// What stands beside the labeler's own copy.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
) -> Result<OwnMarks> {
    let store = &services.store;
    let (found, access) = find_own(services, actor, assignment).await?;
    let marks = store::work::flags::of_copy(store, found.document, found.member).await?;
    let member = access.member.id;
    let (_, comments) =
        store::work::comments::count_of_member(store, member, found.document).await?;
    Ok(OwnMarks {
        assignment,
        project: found.project,
        document_name: found.document_name,
        is_submitted: found.state == WorkState::Submitted,
        marks,
        comments,
    })
}

/// Flags the document of the labeler's own copy, or puts it aside; says which copy is next.
pub async fn raise(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    flag: NewFlag,
) -> Result<(ProjectId, Option<AssignmentId>)> {
    let (found, access) = find_own(services, actor, assignment).await?;
    let flag = flag.checked()?;
    let now = services.clock.now();
    // Nobody submits it meanwhile.
    let _turn = services.live.turn(found.project).await;
    let tx = services.store.begin().await?;
    let found = store::work::assignments::find(&tx, found.id).await?.ok_or(Refusal::NotFound)?;
    if flag.kind == FlagKind::Skip && found.state == WorkState::Submitted {
        let why = "this document is submitted; reopen it before you put it aside";
        return Err(Refusal::denied(why).into());
    }
    store::work::flags::raise(&tx, found.document, found.member, &flag, now).await?;
    let event = match flag.kind {
        FlagKind::Flag => AuditEvent::FlagDocument,
        FlagKind::Skip => AuditEvent::SkipDocument,
    };
    let detail = json!({ "reason": flag.reason });
    let subject = format!("assignment {assignment}");
    record(services, &tx, (&access, found.project), event, subject, detail).await?;
    let cards = store::work::assignments::list_of_member(&tx, found.member).await?;
    let marks = store::work::flags::of_member(&tx, found.member).await?;
    tx.commit().await?;
    services.live.nudge(found.project);
    let is_next = |id: &AssignmentId, state: WorkState| {
        state != WorkState::Submitted
            && marks.get(id).is_none_or(|marks| !marks.is_skipped())
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
    let tx = services.store.begin().await?;
    if store::work::flags::lower(&tx, found.document, found.member, kind).await? {
        let event = match kind {
            FlagKind::Flag => AuditEvent::TakeFlagBack,
            FlagKind::Skip => AuditEvent::TakeDocumentUpAgain,
        };
        let subject = format!("assignment {assignment}");
        record(services, &tx, (&access, found.project), event, subject, json!({})).await?;
        tx.commit().await?;
        services.live.nudge(found.project);
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
    let tx = services.store.begin().await?;
    let copy = store::work::assignments::find_of(&tx, document, member).await?;
    let copy = copy.filter(|copy| copy.project == project).ok_or(Refusal::NotFound)?;
    if !store::work::flags::lower(&tx, document, member, kind).await? {
        return Err(Refusal::denied("this was answered or taken back already").into());
    }
    say(services, &tx, &access, (document, member), &note).await?;
    let event = match kind {
        FlagKind::Flag => AuditEvent::SettleFlag,
        FlagKind::Skip => AuditEvent::SendSkippedDocumentBack,
    };
    let subject = format!("assignment {}", copy.id);
    record(services, &tx, (&access, project), event, subject, json!({})).await?;
    tx.commit().await?;
    services.live.nudge(project);
    Ok(())
}

/// The copies of a document, with the notes that they came back with.
pub async fn copies(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
) -> Result<DocumentCopies> {
    let store = &services.store;
    actor.person()?;
    let found = store::document::find(store, document).await?.ok_or(Refusal::NotFound)?;
    let access = permit(store, actor, found.project, Action::Discuss).await?;
    let names = Names::load(store, found.project, &access.member).await?;
    let mut marks = store::work::flags::of_documents(store, &[document]).await?;
    let ratings = store::agreement::ratings::load_document(store, document)
        .await?
        .ok_or(Refusal::NotFound)?;
    let copies = ratings.copies.iter().filter_map(|copy| {
        let rater = names.rater(copy.member)?;
        let note = marks.remove(&(document, copy.member)).and_then(|marks| marks.note);
        Some((ReviewedCopy { rater, state: copy.state }, note.map(|note| note.note)))
    });
    Ok(DocumentCopies {
        project: found.project,
        copies: copies.collect(),
        document_name: found.name,
    })
}

/// Gives a submitted copy back to its labeler with a note, as if they had reopened it themselves.
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
            return Err(Refusal::invalid("note", "say what the labeler is to look at").into());
        }
        let now = services.clock.now();
        let _turn = services.live.turn(project).await;
        let tx = services.store.begin().await?;
        let copy = store::work::assignments::find_of(&tx, document, member).await?;
        let copy = copy.filter(|copy| copy.project == project).ok_or(Refusal::NotFound)?;
        // The first pass has been judged as it is: it cannot change beside its repeat.
        if copy.repeat.is_some() {
            let why = "this copy is done a second time at present; it cannot be given back";
            return Err(Refusal::denied(why).into());
        }
        let state = copy.state.reopened()?;
        let facts = passes::facts(&tx, &copy).await?;
        let step = passes::Step {
            base: copy.revision,
            state,
            now,
            by: access.person.id,
            kind: VersionKind::Reopen,
            restored: None,
            delta: &Delta::default(),
        };
        let revision = passes::save(&tx, &copy, step).await?;
        say(&services, &tx, &access, (document, member), &note).await?;
        let audit = Audit {
            project: Some(project),
            user: Some(access.person.id),
            at: now,
            event: AuditEvent::SendCopyBack,
            subject: format!("assignment {}", copy.id),
            detail: json!({ "state": state }),
            revision,
        };
        store::outside::audit::append(&tx, audit).await?;
        tx.commit().await?;
        if let Some(revision) = revision {
            let spans: BTreeSet<_> = passes::spans_of(&facts).into_iter().collect();
            let works = vec![(document, Work::of_labeler(state, now, spans))];
            services.live.apply(project, Change { revision, rater: member, works, at: now });
        }
        Ok(())
    })
    .await
}

/// Leaves a note for the labeler, if there is anything in it.
async fn say(
    services: &Services,
    tx: &Tx,
    access: &Access,
    (document, member): (DocumentId, MemberId),
    note: &str,
) -> Result<()> {
    if note.is_empty() {
        return Ok(());
    }
    let note = CopyNote {
        note: note.to_owned(),
        by: access.member.role,
        written_at: services.clock.now(),
    };
    Ok(store::work::flags::note(tx, document, member, &note, access.person.id).await?)
}

pub(crate) async fn record(
    services: &Services,
    tx: &Tx,
    (access, project): (&Access, ProjectId),
    event: AuditEvent,
    subject: String,
    detail: serde_json::Value,
) -> Result<()> {
    let audit = Audit {
        project: Some(project),
        user: Some(access.person.id),
        at: services.clock.now(),
        event,
        subject,
        detail,
        revision: None,
    };
    Ok(store::outside::audit::append(tx, audit).await?)
}
