//! What the agreement engine reads, over the store.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use domain::{
    DocumentId, DocumentRatings, Error as Refusal, MemberId, ProjectId, Revision,
    base::text::tokens,
};
use live::{Change, DocumentFacts, DocumentTokens, Feed, Reader, document_work};
use store::{
    Store,
    agreement::{
        feed::{self, Moved},
        ratings::ProjectRatings,
    },
};
use tokio::sync::mpsc;

use crate::{Error, Result};

/// The rows of a store.
pub(crate) struct Rows(pub(crate) Store);

impl Reader for Rows {
    type Error = Error;

    async fn ratings(
        &self,
        project: ProjectId,
        pieces: mpsc::Sender<Vec<DocumentRatings>>,
    ) -> Result<Revision> {
        let snapshot = self.0.begin_read().await?;
        let found = ProjectRatings::of(&snapshot, project).await?;
        let mut ratings = found.ok_or(Refusal::NotFound)?;
        while let Some(piece) = ratings.next().await? {
            if pieces.send(piece).await.is_err() {
                break;
            }
        }
        Ok(ratings.revision)
    }

    async fn feed(&self, project: ProjectId, since: Revision) -> Result<Feed> {
        let snapshot = self.0.begin_read().await?;
        let moved = feed::since(&snapshot, project, since).await?;
        Ok(match moved {
            Some(moved) if moved.revision == since => Feed::UpToDate,
            Some(moved) => change(since, moved).map_or(Feed::Everything, Feed::Change),
            None => Feed::Everything,
        })
    }

    async fn tokens(&self, documents: &[DocumentId]) -> Result<Vec<DocumentTokens>> {
        let texts = store::document::texts(&self.0, documents).await?;
        let cut = move || {
            let of_text =
                |(document, (_, text)): (_, (_, String))| (document, tokens(&text).into());
            texts.into_iter().map(of_text).collect()
        };
        tokio::task::spawn_blocking(cut).await.map_err(Error::broken)
    }

    async fn last_move(&self, project: ProjectId) -> Result<Option<(MemberId, DateTime<Utc>)>> {
        Ok(store::outside::audit::last_move(&self.0, project).await?)
    }

    async fn revisions(&self, projects: &[ProjectId]) -> Result<Vec<(ProjectId, Revision)>> {
        Ok(store::project::revisions(&self.0, projects).await?)
    }
}

/// What raters have now on what was moved; none if it is gone, which no save does.
fn change(since: Revision, moved: Moved) -> Option<Change> {
    let Moved { revision, ratings, brought, works, by } = moved;
    let facts = |it: &DocumentRatings| (it.document, DocumentFacts::of(it));
    let documents: Vec<_> =
        ratings.iter().filter(|it| brought.contains(&it.document)).map(facts).collect();
    if documents.len() != brought.len() {
        return None;
    }
    let mut all: BTreeMap<_, _> = ratings.into_iter().map(document_work).collect();
    let works = works.into_iter().map(|(document, rater)| {
        let work = all.get_mut(&document)?.remove(&rater)?;
        Some((document, rater, work))
    });
    let works: Vec<_> = works.collect::<Option<_>>()?;
    let by = by.and_then(|(by, saved)| {
        let of_last = works.iter().filter(|(it, rater, _)| *rater == by && saved.contains(it));
        Some((by, of_last.map(|(.., work)| work.saved_at).max()?))
    });
    Some(Change { since, revision, documents, works, by })
}
