//! Comments between labelers and those who review: a labeler writes about a place or a document,
//! reviewers and managers answer and settle. A labeler reads their own words always, and answers as
//! the release of agreement has it; nobody else's threads are ever theirs to read.

use std::{collections::HashMap, sync::Arc};

use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentId, AuditEvent, Comment, CommentThread, CommentThreadId, DocumentComments,
    DocumentId, Error as Refusal, MemberId, Page, ProjectComments, ProjectId, Range, ReleaseLevel,
    Role, ThreadFilter,
    base::policy::{Action, tells_labelers},
    check_comment,
};
use formats::TextIndex;
use serde_json::json;
use store::{Db, document::Document, work::comments::Thread};

use crate::{
    Result, Services,
    base::{
        access::{Access, independent, permit},
        change::ProjectChange,
        names::Names,
        quoting::slice,
    },
    work::annotation::find_own,
};

/// Threads on a page of a list.
const PAGE_SIZE: u64 = 50;

/// The most characters of what a comment is about that are shown.
const QUOTE: usize = 160;

/// Who reads.
enum Reader {
    /// A reviewer or a manager, with what they may call people. Somebody who reviews a second time
    /// reads no other reviewer until that is ended.
    All { names: Box<Names>, alone: Option<MemberId> },
    /// The labeler themselves, and when what was said to them is theirs to read.
    Own { member: MemberId, level: ReleaseLevel, released_at: Option<DateTime<Utc>> },
}

impl Reader {
    async fn own(db: &impl Db, project: ProjectId, member: MemberId) -> Result<Self> {
        let found = store::project::find(db, project).await?.ok_or(Refusal::NotFound)?;
        let level = found.settings.release_level;
        Ok(Self::Own { member, level, released_at: found.released_at })
    }

    async fn all(db: &impl Db, project: ProjectId, access: &Access) -> Result<Self> {
        let names = Box::new(Names::load(db, project, &access.member).await?);
        let waits = independent(db, access).await.is_err();
        Ok(Self::All { names, alone: waits.then_some(access.member.id) })
    }

    /// Whether what somebody in this role wrote at this time is theirs to read.
    fn reads(&self, (by, role): (MemberId, Role), at: DateTime<Utc>) -> bool {
        let is_other = |alone: &MemberId| *alone != by && role == Role::Reviewer;
        match self {
            Self::All { alone, .. } => !alone.as_ref().is_some_and(is_other),
            Self::Own { .. } => self.knows(Some(by), at),
        }
    }

    /// Whether something that somebody did at this time is theirs to know.
    fn knows(&self, by: Option<MemberId>, at: DateTime<Utc>) -> bool {
        match self {
            Self::All { .. } => true,
            Self::Own { member, level, released_at } => {
                by == Some(*member) || tells_labelers(*level, *released_at, at)
            }
        }
    }

    /// When a thread was settled, as far as that is theirs to know: also that it was opened again is told
    /// with the next release.
    fn settled_at(&self, thread: &Thread) -> Option<DateTime<Utc>> {
        let at = match self {
            Self::Own { level: ReleaseLevel::AfterRelease, .. } => thread.released_settled_at,
            _ => thread.settled_at,
        };
        at.filter(|at| self.knows(None, *at))
    }

    fn name(&self, by: MemberId, role: Role) -> String {
        let named = match self {
            Self::All { names, .. } => names.name(by).map(str::to_owned),
            Self::Own { member, .. } if by == *member => Some("You".to_owned()),
            Self::Own { .. } => None,
        };
        named.unwrap_or_else(|| match role {
            Role::Manager => "Manager".to_owned(),
            Role::Reviewer => "Reviewer".to_owned(),
            Role::Labeler => "Labeler".to_owned(),
        })
    }

    const fn is_labeler(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Whether answers may be there that are not shown.
    const fn waits(&self) -> bool {
        matches!(self, Self::Own { level: ReleaseLevel::None | ReleaseLevel::AfterRelease, .. })
    }
}

/// The labeler's own threads on their assignment, and the place that they ask about.
pub async fn own(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    at: Option<Range>,
) -> Result<DocumentComments> {
    let store = &services.store;
    let (found, access) = find_own(services, actor, assignment).await?;
    let document = store::document::find(store, found.document).await?.ok_or(Refusal::NotFound)?;
    let member = access.member.id;
    let threads = store::work::comments::of_document(store, found.document, Some(member)).await?;
    let reader = Reader::own(store, found.project, member).await?;
    let mut comments = document_comments(store, &reader, document, threads, at).await?;
    comments.assignment = Some(assignment);
    Ok(comments)
}

/// All threads on a document, for those who review it or manage the project.
pub async fn of_document(
    services: &Arc<Services>,
    actor: &Actor,
    document: DocumentId,
    at: Option<Range>,
) -> Result<DocumentComments> {
    let store = &services.store;
    actor.person()?;
    let document = store::document::find(store, document).await?.ok_or(Refusal::NotFound)?;
    let access = permit(store, actor, document.project, Action::Discuss).await?;
    let threads = store::work::comments::of_document(store, document.id, None).await?;
    let reader = Reader::all(store, document.project, &access).await?;
    document_comments(store, &reader, document, threads, at).await
}

async fn document_comments(
    db: &impl Db,
    reader: &Reader,
    document: Document,
    threads: Vec<Thread>,
    at: Option<Range>,
) -> Result<DocumentComments> {
    let at = at.and_then(|range| range.checked(document.characters).ok());
    let threads = with_comments(db, reader, threads).await?;
    let index = TextIndex::new(&document.text);
    let at = at.map(|range| (range, cut(slice(&index, range))));
    Ok(DocumentComments {
        project: document.project,
        document: document.id,
        document_name: document.name,
        assignment: None,
        threads,
        at,
        waits: reader.waits(),
    })
}

/// A page of all threads of a project.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    filter: ThreadFilter,
    page: u64,
) -> Result<ProjectComments> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::Discuss).await?;
    let (open, settled) = store::work::comments::count(store, project).await?;
    let total = match filter {
        ThreadFilter::Open => open,
        ThreadFilter::Settled => settled,
        ThreadFilter::All => open + settled,
    };
    let page = (page, PAGE_SIZE);
    let found = store::work::comments::of_project(store, project, filter, page, total).await?;
    let reader = Reader::all(store, project, &access).await?;
    let threads = paged(store, &reader, found).await?;
    let reviews = access.member.role == Role::Reviewer;
    Ok(ProjectComments { reviews, filter, threads, open, settled })
}

/// A page of what a labeler has begun, on all their documents.
pub async fn list_own(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    page: u64,
) -> Result<(Page<CommentThread>, bool)> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewOwnWork).await?;
    let member = access.member.id;
    let (total, _) =
        store::work::comments::count_of_member(store, member, DocumentId::default()).await?;
    let found = store::work::comments::of_member(store, member, (page, PAGE_SIZE), total).await?;
    let reader = Reader::own(store, project, member).await?;
    Ok((paged(store, &reader, found).await?, reader.waits()))
}

async fn paged(
    db: &impl Db,
    reader: &Reader,
    Page { rows, total, number, size }: Page<Thread>,
) -> Result<Page<CommentThread>> {
    Ok(Page { rows: with_comments(db, reader, rows).await?, total, number, size })
}

/// Puts to each thread what its reader may read of it.
async fn with_comments(
    db: &impl Db,
    reader: &Reader,
    threads: Vec<Thread>,
) -> Result<Vec<CommentThread>> {
    let ids: Vec<_> = threads.iter().map(|thread| thread.id).collect();
    let mut documents: Vec<_> = threads.iter().map(|thread| thread.document).collect();
    documents.sort_unstable();
    documents.dedup();
    let texts = store::document::texts(db, &documents).await?;
    let indices: HashMap<_, _> =
        texts.iter().map(|(id, (_, text))| (*id, TextIndex::new(text))).collect();
    let mut comments: HashMap<CommentThreadId, Vec<Comment>> = HashMap::new();
    for comment in store::work::comments::list(db, &ids).await? {
        let store::work::comments::Comment { thread, member, role, words, written_at } = comment;
        if reader.reads((member, role), written_at) {
            let by = reader.name(member, role);
            let told = Comment { by, role, words, written_at };
            comments.entry(thread).or_default().push(told);
        }
    }
    let told = threads.into_iter().map(|thread| {
        let quote = thread.range.zip(indices.get(&thread.document));
        CommentThread {
            comments: comments.remove(&thread.id).unwrap_or_default(),
            quote: quote.map(|(range, index)| cut(slice(index, range))).unwrap_or_default(),
            settled_at: reader.settled_at(&thread),
            id: if reader.is_labeler() { thread.number } else { thread.id },
            document: thread.document,
            document_name: thread.document_name,
            member: thread.member,
            range: thread.range,
            is_marked: thread.is_marked,
        }
    });
    Ok(told.collect())
}

fn cut(quote: String) -> String {
    match quote.char_indices().nth(QUOTE) {
        Some((end, _)) => format!("{}…", quote.get(..end).unwrap_or_default()),
        None => quote,
    }
}

/// Begins a thread on a place of the labeler's own assignment, or on the whole document.
pub async fn begin(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    at: Option<Range>,
    words: &str,
) -> Result<()> {
    let (found, access) = find_own(services, actor, assignment).await?;
    let words = check_comment(words)?;
    if let Some(range) = at {
        range.checked(found.characters)?;
    }
    let change = ProjectChange::begin(services, access, found.project).await?;
    let (tx, member, now) = (&change.tx, change.access.member.id, change.at);
    let thread = store::work::comments::begin(tx, found.document, member, at, now).await?;
    store::work::comments::add(tx, thread, member, &words, now).await?;
    let detail = json!({ "assignment": assignment });
    change.end(AuditEvent::Comment, format!("comments {thread}"), detail).await
}

/// The labeler writes more in their own thread, by its number; what was settled is open again then.
pub async fn go_on(
    services: &Arc<Services>,
    actor: &Actor,
    assignment: AssignmentId,
    number: CommentThreadId,
    words: &str,
) -> Result<()> {
    let (found, access) = find_own(services, actor, assignment).await?;
    let words = check_comment(words)?;
    let change = ProjectChange::begin(services, access, found.project).await?;
    let (tx, member) = (&change.tx, change.access.member.id);
    let threads = store::work::comments::of_document(tx, found.document, Some(member)).await?;
    let thread = threads.into_iter().find(|thread| thread.number == number);
    let thread = thread.ok_or(Refusal::NotFound)?;
    store::work::comments::add(tx, thread.id, member, &words, change.at).await?;
    store::work::comments::reopen_by_labeler(tx, thread.id).await?;
    change.end(AuditEvent::Comment, format!("comments {}", thread.id), json!({})).await
}

/// A reviewer or manager answers, and may settle the thread with it.
pub async fn answer(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    thread: CommentThreadId,
    words: &str,
    settles: bool,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::Discuss).await?;
    let words = check_comment(words)?;
    let change = ProjectChange::begin(services, access, project).await?;
    let (tx, now) = (&change.tx, change.at);
    let thread = in_project(tx, project, thread).await?;
    store::work::comments::add(tx, thread.id, change.access.member.id, &words, now).await?;
    if settles {
        store::work::comments::settle(tx, thread.id, Some(now)).await?;
    }
    let detail = json!({ "settled": settles });
    change.end(AuditEvent::AnswerComment, format!("comments {}", thread.id), detail).await
}

/// Settles a thread, or opens it again.
pub async fn settle(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    thread: CommentThreadId,
    settle: bool,
) -> Result<()> {
    let access = permit(&services.store, actor, project, Action::Discuss).await?;
    let change = ProjectChange::begin(services, access, project).await?;
    let thread = in_project(&change.tx, project, thread).await?;
    let at = settle.then_some(change.at);
    if store::work::comments::settle(&change.tx, thread.id, at).await? {
        let event = if settle { AuditEvent::SettleComments } else { AuditEvent::ReopenComments };
        change.end(event, format!("comments {}", thread.id), json!({})).await?;
    }
    Ok(())
}

async fn in_project(db: &impl Db, project: ProjectId, thread: CommentThreadId) -> Result<Thread> {
    let found = store::work::comments::find(db, thread).await?;
    found.filter(|found| found.project == project).ok_or_else(|| Refusal::NotFound.into())
}
