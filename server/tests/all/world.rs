//! A server with people of every standpoint around one project, made once and copied for each
//! test.

use std::{
    fs,
    num::{NonZeroU32, NonZeroUsize},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};

use axum::{
    Router,
    body::{Body, to_bytes},
    response::Response,
};
use domain::{
    ActId, Actor, AlertRuleId, ApiTokenId, AssignmentId, AttributeId, CommentThreadId, DeliveryId,
    DocumentId, ImportId, InvitationId, Label, LabelId, MemberId, ModelId, PasskeyId, ProjectId,
    RepeatBatchId, Revision, SaveKey, SaveSpans, SecondReviewId, Span, UserId, WebhookId,
    WorkloadBatchId,
};
use http::{HeaderMap, Request, StatusCode, header};
use rust_embed::Embed;
use serde_json::Value;
use server::{Assets, PublicUrl, Site, router};
use services::{
    Clock, ServerKey, Services, Settings, Store, account,
    outside::{audit, webhooks::Destinations},
    work::annotation,
};
use store::testing::{TestDatabase, TestStore, stores};
use tempfile::TempDir;
use tokio::sync::OnceCell;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::template;

pub(crate) const PASSWORD: &str = "correct horse battery";

/// Words that nobody else would write; a labeler must never meet those of others.
pub(crate) const PEER_NAME: &str = "Zyxwyck Peerless";
pub(crate) const PEER_EMAIL: &str = "zyxwyck@peers.example";
pub(crate) const REVIEWER_NAME: &str = "Rheingard Reviewer";
pub(crate) const REVIEWER_EMAIL: &str = "rheingard@review.example";
pub(crate) const PEER_DOCUMENT: &str = "quetzalcoatlus";
/// Why the reviewer decided what they decided on the peer's document.
pub(crate) const REASON: &str = "quixotically unmarked";
/// What the peer wrote about the document that both have done, and what the reviewer answered to the
/// labeler, which is not released.
pub(crate) const PEER_WORDS: &str = "sesquipedalian musings";
pub(crate) const ANSWER: &str = "perspicaciously answered";
pub(crate) const PEER_TEXT: &str = "Xanthippe met Brobdingnag.";
/// What a model is called, which no labeler knows of.
pub(crate) const MODEL_NAME: &str = "Quagmirella tagger";
pub(crate) const MODEL_VERSION: &str = "9-zephyrine";
pub(crate) const MODEL_PROMPT: &str = "sha256:bumfuzzled";

/// Who somebody is to the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Person {
    Anonymous,
    /// A labeler with assignments of the shared documents.
    Labeler,
    /// A labeler of the project without an assignment of any document.
    Bystander,
    /// A labeler of the other project.
    Outsider,
    Reviewer,
    Manager,
    /// The manager of the other project.
    OtherManager,
    /// In no project; looks after the server.
    Administrator,
}

impl Person {
    pub(crate) const ALL: [Self; 8] = [
        Self::Anonymous,
        Self::Labeler,
        Self::Bystander,
        Self::Outsider,
        Self::Reviewer,
        Self::Manager,
        Self::OtherManager,
        Self::Administrator,
    ];
}

/// What the template holds: ids, and a session for everybody.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    pub(super) tokens: Vec<(Person, String)>,
    /// When everybody's session was started, in microseconds.
    pub(super) started: Vec<(Person, i64)>,
    /// The token of a link to a new password.
    pub(crate) reset: String,
    /// The token of a link by which the bystander wants no more alerts.
    pub(crate) unsubscribing: String,
    /// A token of everybody's, for everything, by its secret and its id.
    pub(super) api_tokens: Vec<(Person, String, ApiTokenId)>,
    /// A passkey of everybody's.
    pub(super) passkeys: Vec<(Person, PasskeyId)>,
    /// The bystander's account, for administrators.
    pub(crate) account: UserId,
    pub(crate) project: ProjectId,
    pub(crate) labels: Vec<Label>,
    /// A label that nothing is marked with.
    pub(crate) unused_label: LabelId,
    /// Of the first label.
    pub(crate) attribute: AttributeId,
    /// Submitted by the labeler, by the peer and by the reviewer.
    pub(crate) finished: DocumentId,
    pub(crate) finished_assignment: AssignmentId,
    pub(crate) finished_revision: Revision,
    pub(crate) finished_review: Revision,
    /// Nothing is saved in it.
    pub(crate) fresh: DocumentId,
    /// One that brought nothing.
    pub(crate) import: ImportId,
    pub(crate) fresh_assignment: AssignmentId,
    pub(crate) labeler: MemberId,
    pub(crate) peer: MemberId,
    pub(crate) reviewer: MemberId,
    /// The token of an open invitation to the project, and of one to the other project.
    pub(crate) invitation: String,
    pub(crate) invitation_elsewhere: String,
    pub(crate) invitation_id: InvitationId,
    /// A limit on agreement.
    pub(crate) limit: AlertRuleId,
    /// Where news is sent, and a test that waits to be sent there.
    pub(crate) webhook: WebhookId,
    /// A model with work on the finished document, and a token of it.
    pub(crate) model: ModelId,
    pub(crate) model_token: String,
    pub(crate) delivery: DeliveryId,
    /// What the reviewer decided on a walk, with [`REASON`].
    pub(crate) act: ActId,
    /// What the labeler wrote about the finished document, which they have flagged, too.
    pub(crate) thread: CommentThreadId,
    /// What another reviewer is to review a second time, and what stands for the preview of asking
    /// the reviewer.
    pub(crate) second_sample: SecondReviewId,
    pub(crate) second_seen: String,
    /// What the peer was given back and has not begun, and what stands for the preview of giving
    /// everybody five documents back.
    pub(crate) repeats: RepeatBatchId,
    pub(crate) repeats_seen: String,
    /// Due dates that were set, and others with what stands for their preview.
    pub(crate) work_act: WorkloadBatchId,
    pub(crate) work_ask: String,
    pub(crate) work_seen: String,
}

impl Facts {
    pub(crate) fn token(&self, person: Person) -> Option<&str> {
        self.tokens.iter().find(|(who, _)| *who == person).map(|(_, token)| token.as_str())
    }

    /// When a person's session was started; a moment at which none was, for nobody.
    pub(crate) fn started(&self, person: Person) -> i64 {
        self.started.iter().find(|(who, _)| *who == person).map_or(0, |(_, started)| *started)
    }

    /// The secret of a person's token for everything.
    pub(crate) fn api_token(&self, person: Person) -> Option<&str> {
        let found = self.api_tokens.iter().find(|(who, ..)| *who == person);
        found.map(|(_, secret, _)| secret.as_str())
    }

    /// The id of a person's token; of nobody's, one that there is not.
    pub(crate) fn api_token_id(&self, person: Person) -> ApiTokenId {
        let found = self.api_tokens.iter().find(|(who, ..)| *who == person);
        found.map_or(ApiTokenId(0), |(.., id)| *id)
    }

    pub(crate) fn passkey(&self, person: Person) -> PasskeyId {
        let found = self.passkeys.iter().find(|(who, _)| *who == person);
        found.map_or(PasskeyId(0), |(_, id)| *id)
    }

    pub(crate) const fn email(person: Person) -> &'static str {
        match person {
            Person::Anonymous => "nobody@example.org",
            Person::Labeler => "lena@example.org",
            Person::Bystander => "bert@example.org",
            Person::Outsider => "otto@example.org",
            Person::Reviewer => REVIEWER_EMAIL,
            Person::Manager => "mara@example.org",
            Person::OtherManager => "olga@example.org",
            Person::Administrator => "adele@example.org",
        }
    }
}

pub(crate) struct Template {
    pub(super) facts: Facts,
    /// Name and content of the database's files.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

static TEMPLATE: OnceCell<Template> = OnceCell::const_new();

/// The template, made once.
pub(crate) async fn template() -> &'static Template {
    // Boxed: all that is done in it would be a part of every test's future.
    TEMPLATE.get_or_init(|| Box::pin(template::build())).await
}

/// The files of a front end of these tests' own.
#[derive(Embed)]
#[folder = "tests/site/"]
struct TestFiles;

/// A server over its own assignment of the template.
pub(crate) struct World {
    pub(crate) facts: Facts,
    pub(crate) services: Arc<Services>,
    pub(crate) store: Store,
    pub(crate) shutdown: CancellationToken,
    router: Router,
    database: Database,
}

/// What a world's database goes with.
enum Database {
    Folder(TempDir),
    Test(TestStore),
    Duplicate(String, #[expect(dead_code, reason = "held for its Drop")] TestDatabase),
}

/// How a world differs from the usual one.
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) demo: bool,
    pub(crate) public_url: Option<&'static str>,
    pub(crate) recheck: Option<Duration>,
    pub(crate) requests_a_minute: Option<NonZeroU32>,
    pub(crate) streams_a_session: Option<NonZeroUsize>,
    /// The system's clock if there is none.
    pub(crate) clock: Option<Clock>,
    /// Through whom people sign in, beside.
    pub(crate) providers: Vec<account::ProviderSettings>,
    /// The folder of the front end's files; the one of these tests if there is none.
    pub(crate) front_end: Option<PathBuf>,
}

impl World {
    pub(crate) async fn new() -> Self {
        Self::with(Options::default()).await
    }

    pub(crate) async fn with(options: Options) -> Self {
        Self::of(&template().await.files, options).await
    }

    /// A world over the files of a database that was made of the template's.
    pub(crate) async fn of(files: &[(String, Vec<u8>)], options: Options) -> Self {
        let dir = written(files);
        let facts = template().await.facts.clone();
        let store = open(&dir).await;
        Self::over(store, Database::Folder(dir), facts, options).await
    }

    /// A world over its own assignment of another one's files.
    pub(crate) async fn of_files(
        files: &[(String, Vec<u8>)],
        facts: Facts,
        options: Options,
    ) -> Self {
        let dir = written(files);
        let store = open(&dir).await;
        Self::over(store, Database::Folder(dir), facts, options).await
    }

    /// A world whose requests share a single connection to its database.
    pub(crate) async fn with_one_connection(options: Options) -> Self {
        let (dir, facts) = assignment().await;
        let store = Store::open_single(&url(&dir)).await.unwrap();
        Self::over(store, Database::Folder(dir), facts, options).await
    }

    /// A world on each engine that is at hand.
    pub(crate) async fn on_each_engine() -> Vec<Self> {
        let mut worlds = Vec::new();
        for database in stores().await {
            let store = Store::clone(&database);
            let services =
                Services::new(store.clone(), Clock::system(), None, ServerKey::from([7; 32]));
            let facts = template::fill(&services, &store).await;
            drop(services);
            let database = Database::Test(database);
            worlds.push(Self::over(store, database, facts, Options::default()).await);
        }
        worlds
    }

    /// The facts of a world, and its database alone, which nobody has open any more; none on SQLite.
    pub(crate) async fn into_template(self) -> Option<(Facts, TestStore)> {
        self.shutdown.cancel();
        self.store.close().await.unwrap();
        match self.database {
            Database::Test(store) => Some((self.facts, store)),
            Database::Folder(_) | Database::Duplicate(..) => None,
        }
    }

    /// A world over a database of its own with a template's rows, which it reaches by the address that
    /// `through` makes of the database's.
    pub(crate) async fn duplicate(
        (facts, template): &(Facts, TestStore),
        through: impl AsyncFnOnce(&str) -> String,
    ) -> Self {
        let (url, database) = template.duplicate().await.unwrap();
        let store = Store::open(&through(&url).await).await.unwrap();
        let database = Database::Duplicate(url, database);
        Self::over(store, database, facts.clone(), Options::default()).await
    }

    async fn over(store: Store, database: Database, facts: Facts, options: Options) -> Self {
        let (key, clock) = (ServerKey::from([7; 32]), options.clock.unwrap_or_else(Clock::system));
        let store = audit::open(store, &key, clock.now(), audit::Known::Nothing).await.unwrap();
        let demo =
            if options.demo { Some(demo::prepare(&store, &clock).await.unwrap()) } else { None };
        // Webhooks reach listeners of tests.
        let here = Destinations::with(vec!["127.0.0.1".parse().unwrap()]);
        let key = ServerKey::from([7; 32]);
        let services = Services::with(
            store.clone(),
            clock,
            demo,
            key,
            Settings { destinations: here, providers: options.providers, ..Settings::default() },
        );
        let url: Option<PublicUrl> = options.public_url.map(|url| url.parse().unwrap());
        let here = ([127, 0, 0, 1], 3000).into();
        let assets = options.front_end.map_or_else(Assets::of::<TestFiles>, Assets::in_folder);
        let mut site = Site::new(Arc::clone(&services), url, assets).listening(here);
        if let Some(recheck) = options.recheck {
            site = site.rechecking_every(recheck);
        }
        // Tests ask faster than people may.
        let usual = NonZeroU32::new(100_000).unwrap();
        site = site.answering(options.requests_a_minute.unwrap_or(usual));
        if let Some(streams) = options.streams_a_session {
            site = site.streaming(streams);
        }
        let shutdown = site.shutdown();
        let router = router(Arc::new(site));
        Self { facts, services, store, shutdown, router, database }
    }

    /// Looks at what others have saved, as servers do: one that does not is ready for a few seconds only.
    pub(crate) fn watch(&self) {
        tokio::spawn(Arc::clone(&self.services).watch_database());
    }

    /// Name and content of the database's files, if it has any of its own.
    pub(crate) fn files(&self) -> Vec<(String, Vec<u8>)> {
        match &self.database {
            Database::Folder(dir) => template::files(dir),
            Database::Test(_) | Database::Duplicate(..) => Vec::new(),
        }
    }

    /// The address of the database.
    pub(crate) fn database_url(&self) -> String {
        match &self.database {
            Database::Folder(dir) => url(dir),
            Database::Test(store) => store.url().to_owned(),
            Database::Duplicate(url, _) => url.clone(),
        }
    }

    /// Sends a request as it stands; the body of the answer has not been read.
    pub(crate) async fn open(&self, request: Request<Body>) -> Response {
        self.router.clone().oneshot(request).await.unwrap()
    }

    /// Sends a request as it stands.
    pub(crate) async fn send(&self, request: Request<Body>) -> Answer {
        Answer::read(self.open(request).await).await
    }

    /// Asks for a path.
    pub(crate) async fn get(&self, person: Person, path: &str) -> Answer {
        self.send(self.getting(person, path)).await
    }

    pub(crate) fn getting(&self, person: Person, path: &str) -> Request<Body> {
        self.request("GET", person, path).body(Body::empty()).unwrap()
    }

    /// A request as a person's browser makes it.
    pub(crate) fn request(
        &self,
        method: &str,
        person: Person,
        path: &str,
    ) -> http::request::Builder {
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, "localhost:3000")
            .header("sec-fetch-site", "same-origin");
        if let Some(token) = self.facts.token(person) {
            request = request.header(header::COOKIE, format!("concord={token}"));
        }
        request
    }

    /// Who a person's session says they are.
    pub(crate) async fn actor(&self, person: Person) -> Actor {
        match self.facts.token(person) {
            Some(token) => account::actor_of(&self.services, token).await.unwrap(),
            None => Actor::Anonymous,
        }
    }

    /// Saves one more span of the labeler's in the fresh document.
    pub(crate) async fn save_a_span(&self) {
        let actor = self.actor(Person::Labeler).await;
        let assignment =
            annotation::load(&self.services, &actor, self.facts.fresh_assignment).await.unwrap();
        let base = assignment.content.revision;
        let start = u32::try_from(base.0).unwrap();
        let command = SaveSpans {
            assignment: assignment.id,
            base,
            key: SaveKey(format!("a-span-after-{base}")),
            removed: Vec::new(),
            added: vec![Span::new(start, start + 1, self.facts.labels[0].id).into()],
        };
        annotation::save(&self.services, &actor, command).await.unwrap();
    }
}

/// An answer that was read to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) bytes: Vec<u8>,
}

impl Answer {
    pub(crate) async fn read(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Self { status: parts.status, headers: parts.headers, bytes }
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// An assignment of the template's database, in a folder of its own.
async fn assignment() -> (TempDir, Facts) {
    let template = template().await;
    (written(&template.files), template.facts.clone())
}

/// The files of a database, in a folder of their own.
pub(crate) fn written(files: &[(String, Vec<u8>)]) -> TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(dir.path().join(name), content).unwrap();
    }
    dir
}

/// The name of the database's file.
pub(crate) const DATABASE: &str = "concord.sqlite3";

pub(super) async fn open(dir: &TempDir) -> Store {
    Store::open(&url(dir)).await.unwrap()
}

fn url(dir: &TempDir) -> String {
    format!("sqlite://{}/{DATABASE}?mode=rwc", dir.path().display())
}
