//! How the engine reads: whoever has the rows says what is in them.

use chrono::{DateTime, Utc};
use domain::{DocumentId, DocumentRatings, MemberId, ProjectId, Revision};
use tokio::{sync::mpsc, task::JoinError};

use crate::{Change, DocumentTokens};

/// What has changed after a revision.
pub enum Feed {
    /// Nothing.
    UpToDate,
    /// Work on documents.
    Change(Change),
    /// More, or it is not known any more what: everything is to be counted anew.
    Everything,
}

/// The rows that the tallies follow from, wherever they are kept.
pub trait Reader: Send + Sync {
    /// Why something could not be read; also, that a thread that was counting has panicked.
    type Error: From<JoinError> + std::fmt::Display;

    /// Sends what raters said about every document of a project, and returns the project's revision at
    /// that moment: all of one consistent state. Nobody takes more when `pieces` is closed. An error if
    /// there is no such project.
    fn ratings(
        &self,
        project: ProjectId,
        pieces: mpsc::Sender<Vec<DocumentRatings>>,
    ) -> impl Future<Output = Result<Revision, Self::Error>> + Send;

    /// What has changed in a project after a revision, up to now: of one consistent state.
    fn feed(
        &self,
        project: ProjectId,
        since: Revision,
    ) -> impl Future<Output = Result<Feed, Self::Error>> + Send;

    /// Where the tokens are in the texts of a few documents, in order: texts never change. Documents that
    /// there are not are left out.
    fn tokens(
        &self,
        documents: &[DocumentId],
    ) -> impl Future<Output = Result<Vec<DocumentTokens>, Self::Error>> + Send;

    /// The rater whose save moved a project's numbers last, and when; none if nobody has saved.
    fn last_move(
        &self,
        project: ProjectId,
    ) -> impl Future<Output = Result<Option<(MemberId, DateTime<Utc>)>, Self::Error>> + Send;

    /// The revisions that projects have now; those that there are not are left out.
    fn revisions(
        &self,
        projects: &[ProjectId],
    ) -> impl Future<Output = Result<Vec<(ProjectId, Revision)>, Self::Error>> + Send;
}
