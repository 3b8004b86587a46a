//! The feed of changes: which work each revision of a project has moved. A revision that is not in it
//! has moved more than work, or is from too long ago: nobody can tell what.

use std::collections::BTreeSet;

use domain::{DocumentId, DocumentRatings, MemberId, ProjectId, Revision, saturating};

use super::ratings;
use crate::{
    Snapshot,
    base::prelude::*,
    entity::feed::{self, Column, Entity},
    project,
};

/// How many revisions a server may be behind and still be told what they have moved; to count
/// everything anew is cheaper than to read more.
const MOST: i64 = 1_000;

/// How much work they may have moved for the same to hold.
const MOST_WORK: u64 = 10_000;

/// Who brings a document by an import: none of the members. Whatever else the revision has moved is no save.
const NOBODY: MemberId = MemberId(0);

/// What raters have now on what has been moved after a revision.
#[derive(Debug)]
pub struct Moved {
    pub revision: Revision,
    /// Everybody's work on the documents that were moved.
    pub ratings: Vec<DocumentRatings>,
    /// The rater and the document of each work that was moved.
    pub works: BTreeSet<(DocumentId, MemberId)>,
    /// Documents that imports have brought, or have brought work to.
    pub brought: BTreeSet<DocumentId>,
    /// Who saved something last, and on which documents; none if nobody has.
    pub by: Option<(MemberId, BTreeSet<DocumentId>)>,
}

/// Moves the project's revision on, by one for each save of a rater on documents, and says to which
/// each has led; locks the project like [`project::advance`].
pub async fn advance(
    tx: &Tx,
    project: ProjectId,
    saves: &[(MemberId, Vec<DocumentId>)],
) -> Result<Vec<Revision>, Error> {
    let last = project::advance_by(tx, project, saves.len()).await?.0;
    let first = last - sql::signed(saves.len()) + 1;
    let rows = (first..).zip(saves).flat_map(|(revision, (rater, documents))| {
        documents.iter().map(move |document| feed::ActiveModel {
            project_id: Set(project.0),
            revision: Set(revision),
            document_id: Set(document.0),
            member_id: Set(rater.0),
        })
    });
    chunks::insert(tx, rows.collect()).await?;
    Ok((first..=last).map(Revision).collect())
}

/// Says what a revision has brought to a project by an import: documents, and whose work on which of them.
pub async fn bring(
    tx: &Tx,
    project: ProjectId,
    revision: Revision,
    documents: &BTreeSet<DocumentId>,
    works: &[(DocumentId, MemberId)],
) -> Result<(), Error> {
    let documents = documents.iter().map(|document| (*document, NOBODY));
    let rows = documents.chain(works.iter().copied()).map(|(document, member)| feed::ActiveModel {
        project_id: Set(project.0),
        revision: Set(revision.0),
        document_id: Set(document.0),
        member_id: Set(member.0),
    });
    chunks::insert_steadily(tx, rows.collect()).await
}

/// What has been moved after a revision of a project, with what raters have there now; none if nobody can
/// tell.
pub async fn since(
    snapshot: &Snapshot,
    project: ProjectId,
    since: Revision,
) -> Result<Option<Moved>, Error> {
    let newest = project::revisions(snapshot, &[project]).await?;
    let newest = newest.first().map_or(since, |(_, newest)| (*newest).max(since));
    if newest.0 - since.0 > MOST {
        return Ok(None);
    }
    let rows = Entity::find()
        .select_only()
        .columns([Column::Revision, Column::DocumentId, Column::MemberId])
        .filter(Column::ProjectId.eq(project.0).and(Column::Revision.gt(since.0)))
        .order_by_asc(Column::Revision)
        .limit(MOST_WORK + 1);
    let rows: Vec<(Revision, DocumentId, MemberId)> = sql::all(snapshot, rows).await?;
    if rows.len() > saturating(MOST_WORK) {
        return Ok(None);
    }
    let told: BTreeSet<_> = rows.iter().map(|(revision, ..)| *revision).collect();
    if sql::signed(told.len()) != newest.0 - since.0 {
        return Ok(None);
    }
    let (brought, moved): (Vec<_>, Vec<_>) =
        rows.into_iter().partition(|(.., member)| *member == NOBODY);
    let imports: BTreeSet<_> = brought.iter().map(|(revision, ..)| *revision).collect();
    let saves = || moved.iter().filter(|(revision, ..)| !imports.contains(revision));
    let by = saves().next_back().map(|(.., last)| {
        let own = saves().filter(|(.., member)| member == last);
        (*last, own.map(|(_, document, _)| *document).collect())
    });
    let brought: BTreeSet<_> = brought.into_iter().map(|(_, document, _)| document).collect();
    let works: BTreeSet<_> =
        moved.iter().map(|(_, document, member)| (*document, *member)).collect();
    let mut documents = brought.clone();
    documents.extend(works.iter().map(|(document, _)| *document));
    let documents: Vec<_> = documents.into_iter().collect();
    let ratings = ratings::load_documents(snapshot, &documents).await?;
    Ok(Some(Moved { revision: newest, ratings, works, brought, by }))
}

/// How many revisions are forgotten at once: those of imports have moved hundreds of documents each.
const FORGOTTEN_AT_ONCE: i64 = 50;

/// Forgets some of what was moved so long ago that nobody is told, and says how much; nothing if that was all.
pub async fn trim(tx: &Tx) -> Result<u64, Error> {
    // SQL: the builder has no rows of another table in a condition of what is deleted.
    let delete = "DELETE FROM feed WHERE (project_id, revision) IN (
        SELECT DISTINCT feed.project_id, feed.revision
        FROM feed JOIN project ON project.id = feed.project_id
        WHERE feed.revision <= project.revision - $1 LIMIT $2)";
    sql::execute(tx, delete, [MOST.into(), FORGOTTEN_AT_ONCE.into()]).await
}
