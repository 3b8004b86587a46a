//! A sample project as a value, and how it gets into the database.

use std::{collections::BTreeMap, iter};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    DecisionChange, DocumentId, Error as Refusal, LabelId, LabelSet, MemberId, NewLabel, ProjectId,
    ProjectSettings, Range, ReleaseLevel, Revision, Role, Span, Verdict, WorkState, text,
};
use serde_json::json;
use store::{Store, Tx, audit::Audit, documents::NewDocument, guidelines::Edit};

use super::people::People;
use crate::{Error, Result, documents::checksum};

/// A label on a range, by name.
pub(super) type Mark = (Range, &'static str);

/// A project with everything in it.
pub(super) struct Sample {
    pub(super) name: &'static str,
    pub(super) guidelines: &'static str,
    pub(super) labels: &'static [&'static str],
    /// Name and text.
    pub(super) documents: Vec<(String, String)>,
    /// For each labeler, a copy of each document. At most as many as the demo has labelers.
    pub(super) labelers: Vec<Vec<Copy>>,
    /// The reviewer's passes, of the first so many documents.
    pub(super) reviews: Vec<Review>,
}

/// A labeler's copy of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Copy {
    pub(super) state: WorkState,
    pub(super) marks: Vec<Mark>,
}

/// A reviewer's pass over a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Review {
    pub(super) state: WorkState,
    pub(super) decisions: Vec<(Range, Verdict, Vec<&'static str>)>,
}

/// How long before the server's start the work in the samples was done, and how long each piece
/// of it took.
const STARTED_BEFORE: TimeDelta = TimeDelta::days(6);
const EACH_TOOK: TimeDelta = TimeDelta::minutes(11);

/// Stores a sample project unless there is one of its name. All or nothing.
pub(super) async fn create_if_missing(
    store: &Store,
    now: DateTime<Utc>,
    people: &People,
    name: &'static str,
    sample: fn() -> Sample,
) -> Result<()> {
    if store::projects::find_by_name(store, name).await?.is_some() {
        return Ok(());
    }
    let sample = tokio::task::spawn_blocking(sample).await.map_err(Error::broken)?;
    let tx = store.begin().await?;
    let writer = Writer::create(&tx, now - STARTED_BEFORE, people.manager, &sample).await?;
    let documents = writer.add_documents(&sample).await?;
    let users = people.labelers.iter().take(sample.labelers.len());
    let mut labelers = Vec::new();
    for user in users {
        labelers.push(writer.add_member(*user, Role::Labeler).await?);
    }
    let pairs: Vec<_> = labelers
        .iter()
        .flat_map(|member| documents.iter().map(|document| (*document, *member)))
        .collect();
    store::assignments::insert_many(&tx, &pairs).await?;
    for (member, copies) in labelers.iter().zip(&sample.labelers) {
        writer.fill_copies(*member, copies).await?;
    }
    let reviewer = writer.add_member(people.reviewer, Role::Reviewer).await?;
    writer.add_reviews(reviewer, &documents, &sample.reviews).await?;
    let revision = store::projects::advance(&tx, writer.project).await?;
    let audit = Audit {
        project: Some(writer.project),
        user: Some(people.manager),
        at: now,
        action: "create demo project",
        subject: format!("project {}", writer.project),
        detail: json!({ "documents": documents.len() }),
        revision: Some(revision),
    };
    store::audit::append(&tx, audit).await?;
    Ok(tx.commit().await?)
}

/// Writes a sample, step by step.
struct Writer<'tx> {
    tx: &'tx Tx,
    project: ProjectId,
    labels: BTreeMap<&'static str, LabelId>,
    started: DateTime<Utc>,
}

impl<'tx> Writer<'tx> {
    async fn create(
        tx: &'tx Tx,
        started: DateTime<Utc>,
        manager: domain::UserId,
        sample: &Sample,
    ) -> Result<Self> {
        let project = store::projects::create(tx, sample.name, started).await?;
        let settings = ProjectSettings {
            name: sample.name.to_owned(),
            guidelines: sample.guidelines.to_owned(),
            release_level: ReleaseLevel::default(),
            reviewers_see_names: false,
        };
        let edit = Edit { author: Some(manager), note: "", at: started };
        store::projects::save_settings(tx, project, &settings, edit).await?;
        let mut labels = BTreeMap::new();
        for (index, name) in sample.labels.iter().enumerate() {
            let label = NewLabel::numbered(*name, index);
            labels.insert(*name, store::labels::create(tx, project, &label).await?);
        }
        let writer = Self { tx, project, labels, started };
        writer.add_member(manager, Role::Manager).await?;
        Ok(writer)
    }

    async fn add_member(&self, user: domain::UserId, role: Role) -> Result<MemberId> {
        Ok(store::members::add(self.tx, self.project, user, role, self.started).await?)
    }

    async fn add_documents(&self, sample: &Sample) -> Result<Vec<DocumentId>> {
        let documents = sample
            .documents
            .iter()
            .map(|(name, body)| NewDocument {
                external_id: None,
                name: name.clone(),
                text: body.clone(),
                characters: text::length(body),
                sha256: checksum(body),
                copies: None,
            })
            .collect();
        let (tx, project, started) = (self.tx, self.project, self.started);
        Ok(store::documents::insert_many(tx, project, documents, started).await?)
    }

    /// Fills a labeler's copies, which are in the order of the documents.
    async fn fill_copies(&self, member: MemberId, copies: &[Copy]) -> Result<()> {
        let cards = store::assignments::list_of_member(self.tx, member).await?;
        for ((card, copy), at) in cards.iter().zip(copies).zip(self.times()) {
            if copy.state.has_work() {
                let base = Revision::default();
                store::assignments::save(self.tx, card.id, base, copy.state, at).await?;
                let spans = copy
                    .marks
                    .iter()
                    .map(|(range, name)| Ok(Span { range: *range, label: self.label(name)? }))
                    .collect::<Result<Vec<_>>>()?;
                store::spans::insert_many(self.tx, card.id, &spans).await?;
            }
        }
        Ok(())
    }

    async fn add_reviews(
        &self,
        member: MemberId,
        documents: &[DocumentId],
        reviews: &[Review],
    ) -> Result<()> {
        for ((document, review), at) in documents.iter().zip(reviews).zip(self.times()) {
            let changes = review
                .decisions
                .iter()
                .map(|(range, verdict, names)| {
                    let labels =
                        names.iter().map(|name| self.label(name)).collect::<Result<LabelSet>>()?;
                    Ok(DecisionChange { range: *range, decision: Some((*verdict, labels)) })
                })
                .collect::<Result<Vec<_>>>()?;
            let row = store::reviews::find_or_create(self.tx, *document, member).await?;
            store::reviews::save(self.tx, row.id, row.revision, review.state, at).await?;
            store::decisions::replace(self.tx, row.id, &changes, at).await?;
        }
        Ok(())
    }

    fn label(&self, name: &str) -> Result<LabelId> {
        let found = self.labels.get(name).copied();
        found.ok_or_else(|| Refusal::invalid("label", format!("the sample has no {name}")).into())
    }

    /// When one piece of work after the other was done.
    fn times(&self) -> impl Iterator<Item = DateTime<Utc>> + use<> {
        iter::successors(Some(self.started + EACH_TOOK), |at| Some(*at + EACH_TOOK))
    }
}
