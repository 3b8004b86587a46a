//! What has happened in every history that is compared, up to the last release: made once, and copied.

use chrono::{DateTime, Utc};
use domain::{
    Actor, AssignmentId, DecisionChange, DocumentId, LabelSet, Range, SaveDecisions, SaveKey,
    SaveSpans, Span, Verdict,
};
use services::{
    Client, Clock, account,
    document::{
        self,
        import::{self, ImportOptions, UploadedFile},
    },
    project, review,
    work::{self, annotation, comments},
};
use tokio::sync::OnceCell;

use crate::world::{Facts, PASSWORD, PEER_EMAIL, Person, World};

/// The text of every document, but for its number.
const TEXT: &str = "Ida met Jon in Kiel and Lea in Metz, Ole in Rome, Pia in Bonn, Uri in Bern.";

/// Where its words are that somebody might mark.
pub(super) const WORDS: [(u32, u32); 10] = [
    (0, 3),
    (8, 11),
    (15, 19),
    (24, 27),
    (31, 35),
    (37, 40),
    (44, 48),
    (50, 53),
    (57, 61),
    (63, 66),
];

/// Of so many documents, everybody has submitted the first, and so they are counted.
pub(super) const DOCUMENTS: usize = 12;
pub(super) const COUNTED: usize = 5;

/// The document after the one that is the last to be done by everybody in one go.
pub(super) const SHARED: usize = 10;

/// Labelers by number: whoever looks comes first.
pub(super) const LENA: usize = 0;

/// What has happened, and to whom.
pub(super) struct Past {
    pub(super) files: Vec<(String, Vec<u8>)>,
    pub(super) facts: Facts,
    pub(super) labelers: [Actor; 3],
    pub(super) reviewer: Actor,
    pub(super) manager: Actor,
    /// The labelers' assignments of the documents.
    pub(super) assignments: [Vec<AssignmentId>; 3],
    pub(super) documents: Vec<DocumentId>,
    /// After all of it.
    pub(super) now: DateTime<Utc>,
}

static PAST: OnceCell<Past> = OnceCell::const_new();

pub(super) async fn past() -> &'static Past {
    PAST.get_or_init(build).await
}

/// The text of a document.
pub(super) fn text(document: usize) -> String {
    format!("{TEXT} {document}")
}

/// What everybody marks in a document of which nothing is known yet.
pub(super) fn plain(facts: &Facts) -> Vec<Span> {
    let span = |(place, &(start, end)): (usize, &(u32, u32))| {
        Span::new(start, end, facts.labels[place % 2].id)
    };
    WORDS.iter().take(8).enumerate().map(span).collect()
}

async fn build() -> Past {
    let world = World::new().await;
    let (services, facts) = (&world.services, &world.facts);
    let manager = world.actor(Person::Manager).await;
    let reviewer = world.actor(Person::Reviewer).await;
    let peer =
        account::sign_in(services, &Client::LOCAL, PEER_EMAIL, PASSWORD.to_owned()).await.unwrap();
    let peer = account::actor_of(services, &peer.session().unwrap().token).await.unwrap();
    let labelers = [world.actor(Person::Labeler).await, peer, world.actor(Person::Bystander).await];
    let files = (0..DOCUMENTS)
        .map(|n| UploadedFile { name: format!("later {n:02}.txt"), bytes: text(n).into_bytes() })
        .collect();
    let options = ImportOptions::default();
    import::import(services, &manager, facts.project, files, options).await.unwrap();

    let mut assignments = [const { Vec::new() }; 3];
    for (labeler, assignments) in labelers.iter().zip(&mut assignments) {
        let own = work::load(services, labeler, facts.project).await.unwrap().assignments;
        let later = own.iter().filter(|assignment| assignment.document_name.starts_with("later"));
        *assignments = later.map(|assignment| assignment.id).collect();
        assert_eq!(assignments.len(), DOCUMENTS);
        for assignment in assignments.iter().take(COUNTED) {
            do_plainly(&world, labeler, *assignment, "past").await;
        }
    }
    let all = document::list(services, &manager, facts.project, 0).await.unwrap();
    let later = all.rows.iter().filter(|row| row.name.starts_with("later"));
    let documents: Vec<_> = later.map(|row| row.id).collect();
    for document in documents.iter().take(COUNTED) {
        review(&world, &reviewer, *document).await;
    }
    comments::begin(services, &labelers[LENA], assignments[LENA][1], None, "Odd?").await.unwrap();
    project::release_agreement(services, &manager, facts.project).await.unwrap();
    let facts = facts.clone();
    let files = world.files();
    let now = Clock::system().now();
    Past { files, facts, labelers, reviewer, manager, assignments, documents, now }
}

/// Marks what everybody marks in an assignment, and submits it; whatever else is there stays.
pub(super) async fn do_plainly(
    world: &World,
    labeler: &Actor,
    assignment: AssignmentId,
    key: &str,
) {
    let services = &world.services;
    let Ok(view) = annotation::load(services, labeler, assignment).await else { return };
    let base = view.content.revision;
    let command = SaveSpans {
        assignment,
        base,
        key: SaveKey(format!("{key}-plainly-{assignment}")),
        removed: Vec::new(),
        added: plain(&world.facts).into_iter().map(Into::into).collect(),
    };
    // It may be submitted already.
    if annotation::save(services, labeler, command).await.is_ok() {
        annotation::submit(services, labeler, assignment, base.next()).await.unwrap();
    }
}

async fn review(world: &World, reviewer: &Actor, document: DocumentId) {
    let view = review::load(&world.services, reviewer, document).await.unwrap();
    let decided = |span: Span| {
        let decision = (Verdict::Accept, LabelSet::one(span.label));
        DecisionChange::new(Range::new(span.range.start, span.range.end), Some(decision))
    };
    let base = view.content.revision;
    let command = SaveDecisions {
        document,
        base,
        key: SaveKey(format!("past-decisions-{document}")),
        changes: plain(&world.facts).into_iter().map(decided).collect(),
    };
    review::save(&world.services, reviewer, command).await.unwrap();
    review::submit(&world.services, reviewer, document, base.next()).await.unwrap();
}
