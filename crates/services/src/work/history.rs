//! The versions of a labeler's assignment: each is rebuilt by walking back from the present spans through
//! what the saves after it have changed; any of them can be made current again as a new save.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, AssignmentId, Base, Code, Error as Refusal, Fact, HistoryView, LabelId, OpenedVersion,
    ProjectId, Revision, Role, SaveOutcome, Span, UserId, Version, VersionKind, WorkState,
    base::policy::{Action, Standpoint, offers},
    saturating, sittings,
};
use store::{
    Db,
    work::{
        assignments::Assignment,
        versions::{Kept, Pass},
    },
};

use crate::{
    Error, Result, Services,
    base::{
        access::{Access, permit_assignment},
        names::Names,
    },
    work::{
        assignment_updates::{self, spans_of},
        saving::{assignments::AssignmentChange, to_the_end, together::commit},
    },
};

/// The history of an assignment, with a version opened if one is asked for.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    version: Option<Revision>,
) -> Result<HistoryView> {
    let (found, access) = find(services, actor, assignment, Action::ViewHistory).await?;
    let db = services.store.begin_read().await?;
    let assignment = Looked::at(&db, &found, &access).await?;
    let kept = store::work::versions::list(&db, assignment.pass).await?;
    let callers = Callers::load(&db, &found, &access).await?;
    let bytes = kept.iter().map(|kept| kept.bytes).sum();
    let (versions, base) = counted(&assignment, kept, &callers);
    let opened = match version {
        None => None,
        Some(revision) => Some(open(&db, &found, &assignment, revision, &versions, base).await?),
    };
    let standpoint =
        Standpoint::Member { role: access.member.role, owns: callers.owner == access.person.id };
    Ok(HistoryView {
        assignment: found.id,
        project: found.project,
        document_name: found.document_name.clone(),
        labeler: (callers.owner != access.person.id).then(|| callers.labeler.clone()),
        may_restore: offers(Action::RestoreVersion, standpoint),
        is_repeated: assignment.is_over,
        revision: assignment.revision,
        state: assignment.state,
        sittings: sittings(versions),
        base,
        bytes,
        opened,
    })
}

/// Makes an earlier version current again, as one new save on `base`. What labels that are gone
/// marked stays away. A version that is current already is not saved again.
pub async fn restore(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    version: Revision,
    base: Revision,
) -> Result<ProjectId> {
    let (services, actor) = (Arc::clone(services), actor.clone());
    to_the_end(async move {
        let (found, access) =
            find(&services, &actor, assignment, Action::RestoreVersion).await?;
        let db = services.store.begin_read().await?;
        let assignment = Looked::at(&db, &found, &access).await?;
        if assignment.is_over {
            let why = "this document was given again as a repeat: the first version stays unchanged";
            return Err(Code::RepeatUnderWay.because(why).into());
        }
        if assignment.state == WorkState::Submitted {
            let why = "this document is submitted; once its labeler reopens it, a version can be restored";
            return Err(Code::Submitted.because(why).into());
        }
        if assignment.revision != base {
            return Err(moved_on().into());
        }
        let wanted = rebuilt(&db, &assignment, version).await?;
        let labels = store::project::labels::list(&db, found.project).await?;
        let mut known: BTreeSet<LabelId> = labels.iter().map(|label| label.id).collect();
        known.insert(LabelId::DOCUMENT);
        let wanted: BTreeSet<Fact> =
            wanted.into_iter().filter(|fact| known.contains(&fact.span.label)).collect();
        let now = assignment.facts;
        if wanted == now {
            return Ok(found.project);
        }
        drop(db);
        let change = AssignmentChange {
            base,
            once: None,
            kind: VersionKind::Restore,
            restored: Some(version),
            removed: now.difference(&wanted).copied().collect(),
            added: wanted.difference(&now).copied().collect(),
        };
        match commit(&services, &found, access, change).await? {
            SaveOutcome::Saved { .. } => Ok(found.project),
            SaveOutcome::Conflict(_) => Err(moved_on().into()),
        }
    })
    .await
}

fn moved_on() -> Refusal {
    Code::ChangedMeanwhile.of(
        "base",
        "the document has been saved meanwhile; check the current version, then restore",
    )
}

async fn find(
    services: &Services,
    actor: &Actor,
    assignment: AssignmentId,
    action: Action,
) -> Result<(Assignment, Access)> {
    actor.person()?;
    let found = store::work::assignments::find(&services.store, assignment)
        .await?
        .ok_or(Refusal::NotFound)?;
    let access =
        permit_assignment(&services.store, actor, found.project, action, found.user).await?;
    Ok((found, access))
}

/// What the viewer sees of an assignment. Once it is repeated, its labeler sees the repeat, since what they
/// said at first would spoil it; everybody else sees the first pass, which is what counts.
struct Looked {
    pass: Pass,
    revision: Revision,
    state: WorkState,
    facts: BTreeSet<Fact>,
    /// Whether this pass is over, because the next has begun.
    is_over: bool,
}

impl Looked {
    async fn at(db: &impl Db, found: &Assignment, access: &Access) -> Result<Self> {
        // Read again, so that all of it is of one moment.
        let found = store::work::assignments::find(db, found.id).await?.ok_or(Refusal::NotFound)?;
        if found.repeat.is_none() || found.user == access.person.id {
            return Ok(Self {
                pass: assignment_updates::pass(&found),
                revision: found.revision,
                state: found.state,
                facts: assignment_updates::facts(db, &found).await?,
                is_over: false,
            });
        }
        let first = Assignment { repeat: None, ..found };
        Ok(Self {
            pass: assignment_updates::pass(&first),
            // The revision of the first pass does not matter: it is not saved any more.
            revision: first.revision,
            // Only what is submitted is given back.
            state: WorkState::Submitted,
            facts: assignment_updates::facts(db, &first).await?,
            is_over: true,
        })
    }
}

/// The facts of a version: the present ones, walked back through what came after it.
async fn rebuilt(db: &impl Db, assignment: &Looked, version: Revision) -> Result<BTreeSet<Fact>> {
    let kept = store::work::versions::list(db, assignment.pass).await?;
    let first = kept.last().map_or(assignment.revision, |first| before(first.revision));
    if version != first && kept.iter().all(|kept| kept.revision != version) {
        return Err(Refusal::NotFound.into());
    }
    walk_back(db, assignment, version).await
}

async fn walk_back(db: &impl Db, assignment: &Looked, version: Revision) -> Result<BTreeSet<Fact>> {
    let mut facts = assignment.facts.clone();
    for delta in store::work::versions::since(db, assignment.pass, version).await? {
        delta.undo(&mut facts);
    }
    Ok(facts)
}

const fn before(revision: Revision) -> Revision {
    Revision(revision.0 - 1)
}

/// What people are called in a history.
struct Callers {
    owner: UserId,
    viewer: UserId,
    labeler: String,
    is_manager: bool,
}

impl Callers {
    async fn load(db: &impl Db, found: &Assignment, access: &Access) -> Result<Self> {
        // A labeler only ever sees their own history, and needs nobody's name for it.
        let labeler = if found.user == access.person.id {
            access.person.name.clone()
        } else {
            let names = Names::load(db, found.project, &access.member).await?;
            names.name(found.member).unwrap_or("former member").to_owned()
        };
        let is_manager = access.member.role == Role::Manager;
        Ok(Self { owner: found.user, viewer: access.person.id, labeler, is_manager })
    }

    /// The name that the viewer may know: a manager's is for managers.
    fn name(&self, kept: &Kept) -> Option<String> {
        let by = kept.by?;
        if by == self.viewer {
            Some("you".to_owned())
        } else if by == self.owner {
            Some(self.labeler.clone())
        } else if self.is_manager {
            kept.name.clone()
        } else {
            // A reviewer can give an assignment back, a manager can restore it, too.
            Some("a reviewer or manager".to_owned())
        }
    }
}

/// The versions with the number of their spans, and what was there before them.
fn counted(assignment: &Looked, kept: Vec<Kept>, callers: &Callers) -> (Vec<Version>, Base) {
    let mut spans = saturating::<u64>(spans_of(&assignment.facts).len());
    let mut first = assignment.revision;
    let versions: Vec<_> = kept
        .into_iter()
        .map(|kept| {
            let after = spans;
            spans = spans.saturating_add(kept.removed).saturating_sub(kept.added);
            first = before(kept.revision);
            Version {
                revision: kept.revision,
                at: kept.at,
                by: callers.name(&kept),
                kind: kept.kind,
                restored: kept.restored,
                state: kept.state,
                removed: kept.removed,
                added: kept.added,
                spans: after,
            }
        })
        .collect();
    // A repeat starts where the assignment has ended, with nothing in it.
    let has_past = if assignment.pass.repeat.is_some() { spans > 0 } else { first > Revision(0) };
    let has_past = has_past && (!versions.is_empty() || assignment.state.has_work());
    (versions, Base { revision: first, spans, has_past })
}

async fn open(
    db: &impl Db,
    found: &Assignment,
    assignment: &Looked,
    revision: Revision,
    versions: &[Version],
    base: Base,
) -> Result<OpenedVersion> {
    let version = versions.iter().find(|version| version.revision == revision).cloned();
    if version.is_none() && revision != base.revision {
        return Err(Refusal::NotFound.into());
    }
    let facts = walk_back(db, assignment, revision).await?;
    let choices =
        facts.symmetric_difference(&assignment.facts).filter(|it| it.choice.is_some()).count();
    let spans = |facts| spans_of(facts).into_iter().collect::<BTreeSet<Span>>();
    let (then, now) = (spans(&facts), spans(&assignment.facts));
    if version.as_ref().is_some_and(|version| Ok(version.spans) != u64::try_from(then.len())) {
        return Err(Error::broken("a version does not have the spans that were saved"));
    }
    let document = store::document::find(db, found.document).await?.ok_or(Refusal::NotFound)?;
    Ok(OpenedVersion {
        revision,
        version,
        text: document.text,
        labels: store::work::versions::labels(db, found.project).await?,
        kept: then.intersection(&now).copied().collect(),
        only_then: then.difference(&now).copied().collect(),
        only_now: now.difference(&then).copied().collect(),
        choices,
    })
}
