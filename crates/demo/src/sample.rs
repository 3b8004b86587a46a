//! A sample project as a value, and how it gets into the database.

use std::{
    collections::{BTreeMap, BTreeSet},
    iter,
};

use chrono::{DateTime, NaiveTime, TimeDelta, Utc};
use domain::{
    AuditEvent, Code, Decision, Delta, DocumentId, Fact, LabelId, LabelSet, MemberId, NewLabel,
    ProjectId, Range, Revision, Role, Span, Target, UserId, Verdict, VersionKind, WorkState,
    base::text,
};
use serde_json::json;
use services::{Result, base::secrets::checksum::checksum};
use store::{
    Store, Tx,
    document::NewDocument,
    outside::audit::Audit,
    project::{guidelines::Edit, rounds::NewRow},
    review::decisions::Replacement,
    work::versions::{NewVersion, Pass},
};

use super::people::People;

/// A label on a range, by name.
pub(super) type LabelledRange = (Range, &'static str);

/// A project with everything in it.
pub(super) struct Sample {
    pub(super) name: &'static str,
    /// In order; they have all the documents between them.
    pub(super) rounds: Vec<SampleRound>,
    pub(super) labels: &'static [&'static str],
    /// Name and text.
    pub(super) documents: Vec<(String, String)>,
    /// For each labeler, an assignment. At most as many as the demo has labelers.
    pub(super) labelers: Vec<Vec<SampleWork>>,
    /// The reviewer's passes, of the first so many documents.
    pub(super) reviews: Vec<Review>,
}

/// A round of a sample project.
pub(super) struct SampleRound {
    pub(super) title: &'static str,
    pub(super) note: &'static str,
    pub(super) guidelines: &'static str,
    /// How many of the documents, from where the round before has ended.
    pub(super) documents: usize,
    /// The days on which they were worked on, evenly, counted from the start of the project.
    pub(super) days: &'static [i64],
}

/// A labeler's assignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct SampleWork {
    pub(super) state: WorkState,
    pub(super) spans: Vec<LabelledRange>,
}

/// A reviewer's pass over a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Review {
    pub(super) state: WorkState,
    pub(super) decisions: Vec<(Range, Verdict, Vec<&'static str>)>,
}

/// How long before the server's start the samples were begun, at which hour of the day (UTC) their
/// people start to work, how long a document takes them, and how much later each of them comes to
/// it than the one before.
const STARTED_BEFORE: TimeDelta = TimeDelta::days(10);
const STARTS_AT: TimeDelta = TimeDelta::hours(9);
const EACH_TOOK: TimeDelta = TimeDelta::minutes(11);
const EACH_WAITED: TimeDelta = TimeDelta::minutes(17);

/// Stores a sample project unless there is one of its name. All or nothing.
pub(super) async fn create_if_missing(
    store: &Store,
    now: DateTime<Utc>,
    people: &People,
    name: &'static str,
    sample: impl FnOnce() -> Sample + Send + 'static,
) -> Result<()> {
    if store::project::find_by_name(store, name).await?.is_some() {
        return Ok(());
    }
    let sample = tokio::task::spawn_blocking(sample).await?;
    let tx = store.begin().await?;
    let midnight = (now - STARTED_BEFORE).date_naive().and_time(NaiveTime::MIN).and_utc();
    let writer = Writer::create(&tx, midnight + STARTS_AT, people.manager, &sample).await?;
    let documents = writer.add_documents(&sample).await?;
    let users = people.labelers.iter().take(sample.labelers.len());
    let mut labelers = Vec::new();
    for user in users {
        labelers.push((*user, writer.add_member(*user, Role::Labeler).await?));
    }
    let pairs: Vec<_> = labelers
        .iter()
        .flat_map(|(_, member)| documents.iter().map(|document| (*document, *member)))
        .collect();
    store::work::assignments::insert_many(&tx, &pairs).await?;
    let reviewer = writer.add_member(people.reviewer, Role::Reviewer).await?;
    let mut from = 0;
    for (number, round) in sample.rounds.iter().enumerate() {
        if number > 0 {
            writer.start_round(people.manager, round).await?;
        }
        let part = from..from + round.documents;
        let turns = labelers.iter().zip(&sample.labelers).zip(0..);
        for ((member, assignments), turn) in turns {
            let times = writer.times(round, turn);
            writer.fill_assignments(*member, assignments, part.clone(), times).await?;
        }
        let reviews = documents.iter().zip(&sample.reviews);
        let times = writer.times(round, 1 + i32::try_from(labelers.len()).unwrap_or(0));
        let reviews = reviews.skip(part.start).take(part.len());
        writer.add_reviews(reviewer, reviews.zip(times)).await?;
        from = part.end;
    }
    services::project::release_written(&tx, writer.project, &documents, now).await?;
    let revision = store::project::advance(&tx, writer.project).await?;
    let audit = Audit {
        project: Some(writer.project),
        user: Some(people.manager),
        at: now,
        event: AuditEvent::CreateDemoProject,
        subject: format!("project {}", writer.project),
        detail: json!({ "documents": documents.len() }),
        revision: Some(revision),
    };
    store::outside::audit::append(&tx, audit).await?;
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
        manager: UserId,
        sample: &Sample,
    ) -> Result<Self> {
        let guidelines = sample.rounds.first().map_or("", |first| first.guidelines);
        let project = store::project::create_with(tx, sample.name, guidelines, started).await?;
        store::agreement::target::set(tx, project, Some(Target::PROPOSED)).await?;
        let mut labels = BTreeMap::new();
        for (index, name) in sample.labels.iter().enumerate() {
            let label = NewLabel::numbered(*name, index);
            labels.insert(*name, store::project::labels::create(tx, project, &label).await?);
        }
        let writer = Self { tx, project, labels, started };
        writer.add_member(manager, Role::Manager).await?;
        Ok(writer)
    }

    async fn add_member(&self, user: UserId, role: Role) -> Result<MemberId> {
        Ok(store::project::members::add(self.tx, self.project, user, role, self.started).await?)
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
                overlap: None,
            })
            .collect();
        let (tx, project, started) = (self.tx, self.project, self.started);
        Ok(store::document::insert_many(tx, project, documents, started).await?)
    }

    /// Starts a round as a manager does, on the morning of its first day.
    async fn start_round(&self, manager: UserId, round: &SampleRound) -> Result<()> {
        let (tx, project) = (self.tx, self.project);
        let (title, note) = (round.title, round.note);
        let by = Some(manager);
        let at = self.started + TimeDelta::days(round.days.first().copied().unwrap_or(0));
        let edit = Edit { author: by, note, at };
        let version =
            store::project::guidelines::change(tx, project, round.guidelines, edit).await?;
        let row = NewRow { title, note, guidelines_version: version, by, at };
        let round = store::project::rounds::insert(tx, project, row).await?;
        store::project::rounds::move_untouched(tx, project, round).await?;
        Ok(())
    }

    /// Fills a part of a labeler's assignments, which are in the order of the documents.
    async fn fill_assignments(
        &self,
        (user, member): (UserId, MemberId),
        assignments: &[SampleWork],
        part: std::ops::Range<usize>,
        times: impl Iterator<Item = DateTime<Utc>>,
    ) -> Result<()> {
        let cards = store::work::assignments::list_of_member(self.tx, member).await?;
        let assignments = cards.iter().zip(assignments).skip(part.start).take(part.len());
        let (mut spans, mut versions) = (Vec::new(), Vec::new());
        for ((card, assignment), at) in assignments.zip(times) {
            if assignment.state.has_work() {
                let base = Revision::default();
                store::work::assignments::save(self.tx, &[(card.id, base)], assignment.state, at)
                    .await?;
                let mut added = BTreeSet::new();
                for (range, name) in &assignment.spans {
                    added.insert(Span { range: *range, label: self.label(name)? });
                }
                spans.extend(added.iter().map(|span| (card.id, *span)));
                let kind = match assignment.state {
                    WorkState::Submitted => VersionKind::Submit,
                    WorkState::Open | WorkState::Saved => VersionKind::Save,
                };
                versions.push(NewVersion {
                    pass: Pass { assignment: card.id, repeat: None },
                    revision: base.next(),
                    at,
                    by: Some(user),
                    kind,
                    restored: None,
                    state: assignment.state,
                    delta: Delta {
                        removed: Vec::new(),
                        added: added.into_iter().map(Fact::from).collect(),
                    },
                });
            }
        }
        store::work::versions::append(self.tx, &versions).await?;
        Ok(store::work::spans::insert_many(self.tx, &spans).await?)
    }

    async fn add_reviews<'sample>(
        &self,
        member: MemberId,
        reviews: impl Iterator<Item = ((&'sample DocumentId, &'sample Review), DateTime<Utc>)>,
    ) -> Result<()> {
        for ((document, review), at) in reviews {
            let row = store::review::find_or_create(self.tx, *document, member).await?;
            let replacements = review
                .decisions
                .iter()
                .map(|(range, verdict, names)| {
                    let labels =
                        names.iter().map(|name| self.label(name)).collect::<Result<LabelSet>>()?;
                    let (range, verdict, note) = (*range, *verdict, String::new());
                    let answers = BTreeSet::new();
                    let decision =
                        Decision { range, verdict, labels, decided_at: at, note, answers };
                    Ok(Replacement { review: row.id, range, decision: Some(decision) })
                })
                .collect::<Result<Vec<_>>>()?;
            store::review::save(self.tx, &[(row.id, row.revision)], review.state, at).await?;
            store::review::decisions::replace(self.tx, &replacements).await?;
        }
        Ok(())
    }

    fn label(&self, name: &str) -> Result<LabelId> {
        let found = self.labels.get(name).copied();
        found.ok_or_else(|| Code::Unknown.of("label", format!("the sample has no {name}")).into())
    }

    /// When one document of a round after the other was worked on by the person whose turn comes
    /// after so many others.
    fn times(&self, round: &SampleRound, turn: i32) -> impl Iterator<Item = DateTime<Utc>> + use<> {
        let (started, days) = (self.started, round.days);
        let a_day = round.documents.div_ceil(days.len().max(1));
        days.iter().flat_map(move |day| {
            let morning = started + TimeDelta::days(*day) + EACH_WAITED * turn;
            iter::successors(Some(morning + EACH_TOOK), |at| Some(*at + EACH_TOOK)).take(a_day)
        })
    }
}
