//! A small project with people in it, for tests of work and agreement.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{
    Actor, AssignmentId, DecisionChange, DocumentId, ExportFormat, ExportQuery, ExportWhat, Fact,
    LabelId, LabelSet, MemberId, NewLabel, ProjectId, Range, ReviewOutcome, Revision, Role,
    SaveDecisions, SaveKey, SaveOutcome, SaveSpans, Span, User, Verdict, base::text,
};
use services::{
    Clock, Result, ServerKey, Services, Settings, Store,
    document::export::{self, ExportFile},
    outside::webhooks::Destinations,
    review,
    work::annotation,
};
use store::{
    document::NewDocument,
    testing::{TestStore, stores},
};

/// The text of every document.
pub(crate) const TEXT: &str = "The Tragedy of Hamlet, Prince of Denmark, was written by William \
                        Shakespeare between 1599 and 1601.";

/// Somebody in the world.
#[derive(Clone)]
pub(crate) struct Person {
    pub(crate) actor: Actor,
    pub(crate) member: MemberId,
}

/// A project with labelers, a reviewer, a manager, and somebody from elsewhere.
pub(crate) struct World {
    pub(crate) services: Arc<Services>,
    pub(crate) store: TestStore,
    pub(crate) project: ProjectId,
    pub(crate) manager: Person,
    pub(crate) labelers: Vec<Person>,
    pub(crate) reviewer: Person,
    pub(crate) outsider: Actor,
    pub(crate) labels: Vec<LabelId>,
    pub(crate) documents: Vec<DocumentId>,
    keys: AtomicU32,
}

/// A world on each database engine at hand.
pub(crate) async fn worlds(labelers: usize, documents: usize) -> Vec<World> {
    let mut worlds = Vec::new();
    for store in stores().await {
        worlds.push(World::new(store, labelers, documents).await);
    }
    worlds
}

/// A server at this time. Its webhooks reach listeners of tests.
pub(crate) fn started(store: &Store, clock: Clock) -> Arc<Services> {
    let here = Destinations::with(vec!["127.0.0.1".parse().unwrap()]);
    let settings = Settings { destinations: here, ..Settings::default() };
    Services::with(store.clone(), clock, None, ServerKey::from([7; 32]), settings)
}

/// A clock that moves on by a second whenever it is read.
pub(crate) fn ticking() -> Clock {
    let second = AtomicU32::new(0);
    Clock::from_fn(move || {
        DateTime::<Utc>::UNIX_EPOCH
            + TimeDelta::seconds(i64::from(second.fetch_add(1, Ordering::Relaxed)))
    })
}

impl World {
    async fn new(store: TestStore, labelers: usize, documents: usize) -> Self {
        let now = DateTime::<Utc>::UNIX_EPOCH;
        let tx = store.begin().await.unwrap();
        let project = store::project::create(&tx, "Tragedies", now).await.unwrap();
        let mut labels = Vec::new();
        for (index, name) in ["PER", "TITLE", "YEAR"].into_iter().enumerate() {
            let label = NewLabel::numbered(name, index);
            labels.push(store::project::labels::create(&tx, project, &label).await.unwrap());
        }
        let mut people = Vec::new();
        let roles = [Role::Manager, Role::Reviewer]
            .into_iter()
            .chain(std::iter::repeat_n(Role::Labeler, labelers));
        for (index, role) in roles.enumerate() {
            let user = user(&tx, &format!("{role}-{index}")).await;
            let member =
                store::project::members::add(&tx, project, user.id, role, now).await.unwrap();
            people.push(Person { actor: Actor::Person(user), member });
        }
        let outsider = Actor::Person(user(&tx, "outsider").await);
        let document = |index| NewDocument {
            external_id: None,
            name: format!("document {index}"),
            text: TEXT.to_owned(),
            characters: text::length(TEXT),
            sha256: String::new(),
            overlap: None,
        };
        let new = (0..documents).map(document).collect();
        let documents = store::document::insert_many(&tx, project, new, now).await.unwrap();
        let labelers = people.split_off(2);
        let assignments: Vec<_> = documents
            .iter()
            .flat_map(|document| labelers.iter().map(|labeler| (*document, labeler.member)))
            .collect();
        store::work::assignments::insert_many(&tx, &assignments).await.unwrap();
        tx.commit().await.unwrap();
        let reviewer = people.pop().unwrap();
        let manager = people.pop().unwrap();
        let services = started(&store, ticking());
        let keys = AtomicU32::new(0);
        Self {
            services,
            store,
            project,
            manager,
            labelers,
            reviewer,
            outsider,
            labels,
            documents,
            keys,
        }
    }

    pub(crate) fn key(&self) -> SaveKey {
        SaveKey(format!("test-key-{}", self.keys.fetch_add(1, Ordering::Relaxed)))
    }

    /// A labeler's assignment.
    pub(crate) async fn assignment(&self, labeler: usize, document: usize) -> AssignmentId {
        let member = self.labelers[labeler].member;
        let cards = store::work::assignments::list_of_member(&*self.store, member).await.unwrap();
        cards[document].id
    }

    /// The command that adds spans to an assignment.
    pub(crate) async fn adding(
        &self,
        labeler: usize,
        document: usize,
        added: &[Span],
    ) -> SaveSpans {
        let assignment = self.assignment(labeler, document).await;
        let view = annotation::load(&self.services, &self.labelers[labeler].actor, assignment)
            .await
            .unwrap();
        SaveSpans {
            assignment,
            base: view.content.revision,
            key: self.key(),
            removed: Vec::new(),
            added: added.iter().copied().map(Fact::from).collect(),
        }
    }

    /// Changes an assignment.
    pub(crate) async fn change(
        &self,
        labeler: usize,
        document: usize,
        removed: &[Fact],
        added: &[Fact],
    ) -> SaveOutcome {
        let mut command = self.adding(labeler, document, &[]).await;
        (command.removed, command.added) = (removed.to_vec(), added.to_vec());
        annotation::save(&self.services, &self.labelers[labeler].actor, command).await.unwrap()
    }

    /// Adds spans to an assignment.
    pub(crate) async fn mark(&self, labeler: usize, document: usize, added: &[Span]) -> Revision {
        let command = self.adding(labeler, document, added).await;
        let outcome =
            annotation::save(&self.services, &self.labelers[labeler].actor, command).await.unwrap();
        match outcome {
            SaveOutcome::Saved { revision, .. } => revision,
            SaveOutcome::Conflict(_) => panic!("a save on the present revision is no conflict"),
        }
    }

    /// Has the first two labelers mark the same three places of a document; the labels of the second are
    /// `differ` further on than those of the first.
    pub(crate) async fn mark_by_both(&self, document: usize, differ: usize) {
        for labeler in 0..2 {
            let spans: Vec<_> = [(0, 3), (4, 11), (15, 21)]
                .iter()
                .enumerate()
                .map(|(place, &(start, end))| Span {
                    range: Range::new(start, end),
                    label: self.labels[(place + labeler * differ) % 3],
                })
                .collect();
            self.mark(labeler, document, &spans).await;
        }
    }

    /// Hands an assignment in.
    pub(crate) async fn submit(&self, labeler: usize, document: usize) {
        let assignment = self.assignment(labeler, document).await;
        let actor = &self.labelers[labeler].actor;
        let view = annotation::load(&self.services, actor, assignment).await.unwrap();
        let base = view.content.revision;
        annotation::submit(&self.services, actor, assignment, base).await.unwrap();
    }

    /// What somebody exports.
    pub(crate) async fn exported(
        &self,
        actor: &Actor,
        what: ExportWhat,
        format: ExportFormat,
    ) -> Result<ExportFile> {
        let query = ExportQuery { what, format, ..ExportQuery::default() };
        export::export(&self.services, actor, self.project, query).await
    }

    /// What a manager exports, in bytes.
    pub(crate) async fn export_bytes(&self, what: ExportWhat, format: ExportFormat) -> Vec<u8> {
        let mut file = self.exported(&self.manager.actor, what, format).await.unwrap();
        let mut bytes = Vec::new();
        assert_eq!(file.write_to(&mut bytes).unwrap(), file.length);
        bytes
    }

    /// Decides on a position.
    pub(crate) async fn decide(
        &self,
        document: usize,
        range: Range,
        verdict: Verdict,
        labels: LabelSet,
    ) -> ReviewOutcome {
        self.decide_as(&self.reviewer, document, range, verdict, labels).await
    }

    /// The same by some reviewer.
    pub(crate) async fn decide_as(
        &self,
        reviewer: &Person,
        document: usize,
        range: Range,
        verdict: Verdict,
        labels: LabelSet,
    ) -> ReviewOutcome {
        let document = self.documents[document];
        let view = review::load(&self.services, &reviewer.actor, document).await.unwrap();
        let command = SaveDecisions {
            document,
            base: view.content.revision,
            key: self.key(),
            changes: vec![DecisionChange::new(range, Some((verdict, labels)))],
        };
        review::save(&self.services, &reviewer.actor, command).await.unwrap()
    }
}

async fn user(tx: &store::Tx, name: &str) -> User {
    let email = format!("{name}@example.org");
    let now = DateTime::<Utc>::UNIX_EPOCH;
    let id = store::account::users::create(tx, &email, name, "", false, now).await.unwrap();
    User {
        id,
        email,
        name: name.to_owned(),
        may_create_projects: false,
        is_administrator: false,
        has_factor_elsewhere: false,
    }
}
