//! The project that all tests share, made through the services as people would make it.

use std::{fs, sync::Arc};

use base64::{Engine, prelude::BASE64_URL_SAFE_NO_PAD};
use chrono::NaiveDate;
use domain::{
    ActId, Actor, AssignTo, AssignmentId, BoardQuery, Choice, CommentThreadId, DecisionChange,
    DisagreementQuery, DocumentId, Fact, FlagKind, FlagReason, ImportAs, ImportId, ImportMapping,
    LabelId, LabelSet, MailKind, MailOutcome, MemberId, ModelWork, NewAccount, NewAlertRule,
    NewApiToken, NewFlag, NewGoldVersion, NewLabel, NewModel, NewWebhook, PasskeyId, PersonChoice,
    Pool, Position, ProjectId, Range, RepeatAsk, Revision, Role, SaveDecisions, SaveKey, SaveSpans,
    Scope, SecondReviewAsk, SeenPosition, Span, Target, UserId, Verdict, WalkDecision, WalkList,
    WebhookEvent, WorkloadAsk, WorkloadKind,
};
use services::{
    Client, Clock, Purpose, ServerKey, Services, Store, account,
    agreement::alerts,
    document::import::{self, ImportOptions, UploadedFile},
    outside::webhooks,
    project::{self, members},
    review::{self, gold, second_reviews, walk},
    work::{annotation, comments, flags, models, repeats},
    workload,
};
use store::{
    account::{
        passkeys::NewPasskey,
        users::identities::{self, NewIdentity},
    },
    outside::mail::{self, Ending, NewMail, Recipient},
};
use tempfile::TempDir;

use super::world::{
    ANSWER, Facts, MODEL_NAME, MODEL_PROMPT, MODEL_VERSION, PASSWORD, PEER_DOCUMENT, PEER_EMAIL,
    PEER_NAME, PEER_TEXT, PEER_WORDS, Person, REASON, REVIEWER_EMAIL, REVIEWER_NAME, Template,
    open,
};

/// Makes the template through the services, as people would.
pub(super) async fn build() -> Template {
    let dir = tempfile::tempdir().unwrap();
    let (store, key) = (open(&dir).await, ServerKey::from([7; 32]));
    let services = Services::new(store.clone(), Clock::system(), None, key);
    let facts = fill(&services, &store).await;
    // Nothing writes any more: the files are in order, whatever of them is in the log still.
    Template { facts, files: files(&dir) }
}

/// Name and content of a database's files.
pub(super) fn files(dir: &TempDir) -> Vec<(String, Vec<u8>)> {
    fs::read_dir(dir.path())
        .unwrap()
        .map(|file| file.unwrap())
        .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
        .filter(|(name, _)| !name.ends_with("-shm"))
        .collect()
}

/// Makes the project and everybody around it in a new database.
pub(super) async fn fill(services: &Arc<Services>, store: &Store) -> Facts {
    Builder { services, store }.build().await
}

/// The token by which somebody wants no more alerts.
fn unsubscribing(user: UserId) -> String {
    let signed = format!("{user}.{}", MailKind::Alert);
    let mac = ServerKey::from([7; 32]).mac(Purpose::Unsubscribing, signed.as_bytes());
    format!("{signed}.{}", BASE64_URL_SAFE_NO_PAD.encode(mac))
}

struct Builder<'a> {
    services: &'a Arc<Services>,
    store: &'a Store,
}

impl Builder<'_> {
    async fn build(&self) -> Facts {
        let administrator = self.add_user(Person::Administrator, "Adele Administrator").await;
        let manager = self.add_user(Person::Manager, "Mara Manager").await;
        let other = self.add_user(Person::OtherManager, "Olga Other").await;
        let (mara, project) = self.create_project(&manager, "Hymns").await;
        let (olga, elsewhere) = self.create_project(&other, "Elsewhere").await;
        for name in ["PER", "LOC", "UNUSED"] {
            let label = NewLabel { name: name.to_owned(), ..NewLabel::numbered("", 8) };
            let label = NewLabel { hotkey: None, ..label };
            project::create_label(self.services, &mara, project, label).await.unwrap();
        }
        let invite = |role, name, email| self.join(&mara, project, role, name, email);

        // The peer is alone at first, and so gets the one assignment for one.
        let peer = invite(Role::Labeler, PEER_NAME, PEER_EMAIL).await;
        self.import(&mara, project, PEER_DOCUMENT, PEER_TEXT, 1).await;
        let labeler = invite(Role::Labeler, "Lena Labeler", Facts::email(Person::Labeler)).await;
        let finished = "Ada met Bob in Rome, Cleo in Oslo, Dora in Lima.";
        self.import(&mara, project, "finished", finished, 2).await;
        let import = self.import_nothing(&mara, project, "finished", finished).await;
        // A version without the next document, which may be deleted therefore.
        let version = NewGoldVersion { name: "first".to_owned(), note: String::new() };
        gold::lock(self.services, &mara, project, version).await.unwrap();
        self.import(&mara, project, "fresh", "Eva met Finn in Bern.", 2).await;
        let bystander = invite(Role::Labeler, "Bert By", Facts::email(Person::Bystander)).await;
        let reviewer = invite(Role::Reviewer, REVIEWER_NAME, REVIEWER_EMAIL).await;
        let otto = Facts::email(Person::Outsider);
        let outsider = self.join(&olga, elsewhere, Role::Labeler, "Otto Outside", otto).await;

        let labels = project::load(self.services, &mara, project).await.unwrap().labels;
        let [person, place, unused] = [labels[0].id, labels[1].id, labels[2].id];
        let choices = (domain::AnswerKind::One, "female\nmale");
        let asked = domain::NewAttribute::typed("Gender", choices, false, true).unwrap();
        let asked = project::create_attribute(self.services, &mara, project, person, asked);
        let attribute = asked.await.unwrap();
        let (lena, zyxwyck) = (self.actor(&labeler).await, self.actor(&peer).await);
        let rheingard = self.actor(&reviewer).await;
        // The peer alone is given a document back: nobody else has submitted one yet.
        let secret = self.assignment(&zyxwyck, project, PEER_DOCUMENT).await;
        self.label(&zyxwyck, secret, &[(0, 9, person)]).await;
        let ask = RepeatAsk { documents: 5, days: 0 };
        let given = repeats::load(self.services, &mara, project, ask).await.unwrap().plan;
        repeats::give(self.services, &mara, project, ask, &given.seen).await.unwrap();
        let finished_assignment = self.assignment(&lena, project, "finished").await;
        let spans = [(0, 3, person), (8, 11, person), (15, 19, place), (21, 25, person)];
        let finished_revision = self.label(&lena, finished_assignment, &spans).await;
        let spans = [(0, 3, person), (8, 11, place), (15, 19, place), (29, 33, place)];
        let peers_assignment = self.assignment(&zyxwyck, project, "finished").await;
        self.label(&zyxwyck, peers_assignment, &spans).await;

        let documents = services::document::list(self.services, &mara, project, 0).await.unwrap();
        let document = |name: &str| documents.rows.iter().find(|row| row.name == name).unwrap().id;
        let secret_one = SeenPosition {
            position: Position { document: document(PEER_DOCUMENT), range: Range::new(0, 9) },
            base: Revision(0),
        };
        let act = self.walk(&rheingard, project, secret_one).await;
        let finished_review = self.review(&rheingard, document("finished"), person).await;

        let thread = self.comment(&lena, (finished_assignment, "Is Ada a name?")).await;
        let flag = NewFlag {
            kind: FlagKind::Flag,
            reason: FlagReason::Damaged,
            note: "cut off".to_owned(),
        };
        flags::raise(self.services, &lena, finished_assignment, flag.clone()).await.unwrap();
        self.comment(&zyxwyck, (peers_assignment, PEER_WORDS)).await;
        let flag = NewFlag { note: PEER_WORDS.to_owned(), ..flag };
        flags::raise(self.services, &zyxwyck, peers_assignment, flag).await.unwrap();
        comments::answer(self.services, &rheingard, project, thread, ANSWER, true).await.unwrap();

        let rudis = invite(Role::Reviewer, "Rudi Other", "rudi@example.org").await;
        let rudi = self.actor(&rudis).await;
        let fresh = document("fresh");
        review::submit(self.services, &rudi, fresh, Revision(0)).await.unwrap();
        let people = members::list(self.services, &mara, project).await.unwrap();
        let member = |email: &str| people.iter().find(|row| row.email == email).unwrap().id;
        let second = self.second_reviews(&mara, project, member("rudi@example.org")).await;
        let second_sample =
            second_reviews::give(self.services, &mara, project, second.0, &second.1).await;
        let second_sample = second_sample.unwrap();
        let second_reviews = self.second_reviews(&mara, project, member(REVIEWER_EMAIL)).await;
        let invitation =
            members::invite(self.services, &mara, project, Role::Reviewer, None).await.unwrap();
        let invitation_elsewhere =
            members::invite(self.services, &olga, elsewhere, Role::Reviewer, None).await.unwrap();
        let open = members::list_invitations(self.services, &mara, project).await.unwrap();
        let limit = NewAlertRule { limit: 0.6, ..NewAlertRule::default() };
        let limit = alerts::add_rule(self.services, &mara, project, limit).await.unwrap();
        let url = "https://example.org/hook".to_owned();
        let events = WebhookEvent::choices().collect();
        let new = NewWebhook { url, events };
        let webhook =
            webhooks::add(self.services, &mara, project, new, webhooks::Secret::UntilCopied).await;
        let webhook = webhook.unwrap().id;
        let delivery = webhooks::send_test(self.services, &mara, project, webhook).await.unwrap();
        let repeats = repeats::load(self.services, &mara, project, ask).await.unwrap();
        let pool = Pool { overlap: 9, cap: 9, days: 0 };
        workload::open_pool(self.services, &mara, project, pool).await.unwrap();
        let due = |day| WorkloadAsk {
            kind: WorkloadKind::Due,
            due: NaiveDate::from_ymd_opt(2126, 1, day),
            ..WorkloadAsk::default()
        };
        let seen = self.work(&mara, project, due(1)).await;
        let work_act = workload::give(self.services, &mara, project, due(1), &seen).await.unwrap();
        let work_seen = self.work(&mara, project, due(2)).await;
        let model = NewModel {
            name: MODEL_NAME.to_owned(),
            version: MODEL_VERSION.to_owned(),
            prompt_hash: MODEL_PROMPT.to_owned(),
            made_on: None,
        };
        let model = models::add(self.services, &mara, project, model).await.unwrap();
        let spans = [(0, 3, place), (8, 11, place), (15, 19, place)];
        let spans = spans.map(|(start, end, label)| Fact::from(Span::new(start, end, label)));
        let answered = Fact::chosen(Span::new(29, 33, person), attribute, 0);
        let work = ModelWork { spans: [&spans[..], &[answered]].concat(), prompt_hash: None };
        models::save_work(self.services, &mara, (project, model), document("finished"), work)
            .await
            .unwrap();
        let model_token = models::create_token(self.services, &mara, (project, model), 1).await;
        let tokens = vec![
            (Person::Labeler, labeler),
            (Person::Bystander, bystander),
            (Person::Outsider, outsider),
            (Person::Reviewer, reviewer),
            (Person::Manager, manager),
            (Person::OtherManager, other),
            (Person::Administrator, administrator),
        ];
        let mut started = Vec::new();
        for (person, session) in &tokens {
            let actor = self.actor(session).await;
            let own = account::load_own(self.services, &actor, Some(session)).await.unwrap();
            started.push((*person, own.sessions[0].started_at.timestamp_micros()));
        }
        let reset = account::create_reset_link_of(self.services, PEER_EMAIL).await.unwrap();
        let mut api_tokens = Vec::new();
        for (person, session) in &tokens {
            let actor = self.actor(session).await;
            let scopes = Scope::CHOOSABLE.iter().copied().collect();
            let new = NewApiToken { name: "all".to_owned(), scopes, projects: None, days: 1 };
            let secret = account::create_token(self.services, &actor, new).await.unwrap();
            let made = account::list_tokens(self.services, &actor).await.unwrap();
            api_tokens.push((*person, secret, made[0].id));
        }
        let mut passkeys = Vec::new();
        for (person, session) in &tokens {
            let user = self.actor(session).await.person().unwrap().id;
            passkeys.push((*person, self.add_passkey(user).await));
            self.add_identity(user).await;
        }
        let bystander = people.iter().find(|row| row.email == Facts::email(Person::Bystander));
        let bystander = bystander.unwrap().user;
        self.write_to(bystander, project).await;
        Facts {
            account: bystander,
            project,
            work_act,
            work_ask: serde_json::to_string(&due(2)).unwrap(),
            work_seen,
            repeats: repeats.batches[0].id,
            repeats_seen: repeats.plan.seen,
            limit,
            webhook,
            model,
            model_token: model_token.unwrap(),
            delivery,
            second_sample,
            second_seen: second_reviews.1,
            thread,
            act,
            unused_label: unused,
            attribute,
            labels,
            finished: document("finished"),
            finished_assignment,
            finished_revision,
            finished_review,
            fresh: document("fresh"),
            import,
            fresh_assignment: self.assignment(&lena, project, "fresh").await,
            labeler: member(Facts::email(Person::Labeler)),
            peer: member(PEER_EMAIL),
            reviewer: member(REVIEWER_EMAIL),
            invitation,
            invitation_elsewhere,
            invitation_id: open[0].id,
            api_tokens,
            passkeys,
            started,
            reset,
            unsubscribing: unsubscribing(bystander),
            tokens,
        }
    }

    /// Mail of which one has arrived, one has not, and one kind is not wanted.
    async fn write_to(&self, user: UserId, project: ProjectId) {
        let (now, tx) = (self.services.now(), self.store.begin().await.unwrap());
        let to_address = Recipient::Address("invited@example.org".to_owned());
        for (kind, to, key) in [
            (MailKind::NewWork, Recipient::Account(user), "work"),
            (MailKind::Invitation, to_address, "invitation"),
        ] {
            let new = NewMail {
                kind,
                to,
                project: Some(project),
                key: key.to_owned(),
                link: Some("sealed".to_owned()),
                due_at: now,
            };
            mail::enqueue_one(&tx, new, now).await.unwrap();
        }
        let waiting = mail::due(&tx, now, 2).await.unwrap();
        mail::claim(&tx, &[waiting[0].id, waiting[1].id], now, now).await.unwrap();
        mail::put_off(&tx, &waiting[0], now, "greylisted").await.unwrap();
        let refused = Ending {
            outcome: MailOutcome::Refused,
            address: None,
            problem: Some("no such user"),
            at: now,
        };
        mail::end(&tx, &waiting[1], refused).await.unwrap();
        mail::set_refused(&tx, user, &[MailKind::WeeklySummary].into()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// A passkey that is in no device.
    async fn add_passkey(&self, user: UserId) -> PasskeyId {
        let new = NewPasskey {
            user,
            // Base64 of 18 bytes.
            credential_id: format!("{:A>24}", user.0),
            user_handle: "A".repeat(86),
            static_state: String::new(),
            dynamic_state: String::new(),
            name: "Key".to_owned(),
        };
        let tx = self.store.begin().await.unwrap();
        let id = store::account::passkeys::create(&tx, new, self.services.now()).await.unwrap();
        tx.commit().await.unwrap();
        id
    }

    /// A sign-in at a provider that is not in the settings.
    async fn add_identity(&self, user: UserId) {
        let subject = user.to_string();
        let issuer = "https://id.example";
        let (subject, label) = (subject.as_str(), "Linked");
        let new = NewIdentity { user, issuer, subject, external_id: None, label };
        let tx = self.store.begin().await.unwrap();
        identities::create(&tx, new, self.services.now()).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// What stands for the preview of giving work out.
    async fn work(&self, manager: &Actor, project: ProjectId, ask: WorkloadAsk) -> String {
        let query = BoardQuery { ask: Some(ask), ..BoardQuery::default() };
        let board = workload::load(self.services, manager, project, query).await.unwrap();
        board.plan.unwrap().unwrap().seen
    }

    /// Adds an account by the command line's way; the answer is a session.
    async fn add_user(&self, person: Person, name: &str) -> String {
        let email = Facts::email(person).to_owned();
        let account = account(name, &email);
        account::add_user(self.services, account, true).await.unwrap();
        let signed_in =
            account::sign_in(self.services, &Client::LOCAL, &email, PASSWORD.to_owned()).await;
        signed_in.unwrap().session().unwrap().token
    }

    async fn create_project(&self, manager: &str, name: &str) -> (Actor, ProjectId) {
        let actor = self.actor(manager).await;
        let project =
            project::create(self.services, &actor, name.to_owned(), Some(Target::PROPOSED))
                .await
                .unwrap();
        (actor, project)
    }

    /// Invites somebody, who accepts; the answer is a session.
    async fn join(
        &self,
        manager: &Actor,
        project: ProjectId,
        role: Role,
        name: &str,
        email: &str,
    ) -> String {
        let token = members::invite(self.services, manager, project, role, None).await.unwrap();
        let session =
            account::accept(self.services, &Client::LOCAL, &token, account(name, email)).await;
        session.unwrap().session().unwrap().token
    }

    async fn actor(&self, token: &str) -> Actor {
        account::actor_of(self.services, token).await.unwrap()
    }

    async fn import(
        &self,
        manager: &Actor,
        project: ProjectId,
        name: &str,
        text: &str,
        assignments: u32,
    ) {
        let file = UploadedFile { name: format!("{name}.txt"), bytes: text.into() };
        let options =
            ImportOptions { assign: AssignTo::Some(assignments), ..ImportOptions::default() };
        import::import(self.services, manager, project, vec![file], options).await.unwrap();
    }

    /// Imports somebody's work on a document that is there, and leaves it out.
    async fn import_nothing(
        &self,
        manager: &Actor,
        project: ProjectId,
        name: &str,
        text: &str,
    ) -> ImportId {
        let line = serde_json::json!({ "name": name, "text": text, "work": [{ "rater": "X" }] });
        let bytes = line.to_string().into_bytes();
        let file = UploadedFile { name: "work.jsonl".to_owned(), bytes };
        let people = [("X".to_owned(), PersonChoice::LeaveOut)].into();
        let options = ImportOptions {
            import_as: ImportAs::Work,
            assign: AssignTo::Nobody,
            mapping: ImportMapping { people, ..ImportMapping::default() },
            ..ImportOptions::default()
        };
        let brought = import::import(self.services, manager, project, vec![file], options).await;
        brought.unwrap().import
    }

    /// One's own assignment with this name.
    async fn assignment(&self, labeler: &Actor, project: ProjectId, name: &str) -> AssignmentId {
        let work = services::work::load(self.services, labeler, project).await.unwrap();
        work.assignments.iter().find(|assignment| assignment.document_name == name).unwrap().id
    }

    /// Saves spans and submits; the answer is the revision then.
    async fn label(
        &self,
        labeler: &Actor,
        assignment: AssignmentId,
        spans: &[(u32, u32, LabelId)],
    ) -> Revision {
        let added = spans.iter().map(|(start, end, label)| Span::new(*start, *end, *label).into());
        let command = SaveSpans {
            assignment,
            base: Revision(0),
            key: SaveKey(format!("labels-of-{assignment}")),
            removed: Vec::new(),
            added: added.collect(),
        };
        annotation::save(self.services, labeler, command).await.unwrap();
        annotation::submit(self.services, labeler, assignment, Revision(1)).await.unwrap();
        Revision(2)
    }

    /// Writes about the first word of one's own assignment.
    async fn comment(
        &self,
        labeler: &Actor,
        (assignment, words): (AssignmentId, &str),
    ) -> CommentThreadId {
        let at = Some(Range::new(0, 3));
        comments::begin(self.services, labeler, assignment, at, words).await.unwrap();
        comments::own(self.services, labeler, assignment, at).await.unwrap().threads[0].id
    }

    /// What stands for the preview of having everything reviewed a second time that can be.
    async fn second_reviews(
        &self,
        manager: &Actor,
        project: ProjectId,
        reviewer: MemberId,
    ) -> (SecondReviewAsk, String) {
        let ask = SecondReviewAsk { reviewer: Some(reviewer), percent: 100 };
        let view = second_reviews::load(self.services, manager, project, ask).await.unwrap();
        (ask, view.plan.unwrap().unwrap().seen)
    }

    /// Rejects a position on a walk, with a reason.
    async fn walk(&self, reviewer: &Actor, project: ProjectId, seen: SeenPosition) -> ActId {
        let command = WalkDecision {
            list: WalkList::Disagreements(DisagreementQuery::default()),
            from: seen.position,
            seen: vec![seen],
            choice: Choice::Give(LabelSet::EMPTY),
            note: REASON.to_owned(),
        };
        walk::decide(self.services, reviewer, project, command).await.unwrap().act
    }

    /// Accepts one position and ends the review; the answer is the revision then.
    async fn review(&self, reviewer: &Actor, document: DocumentId, label: LabelId) -> Revision {
        let view = review::load(self.services, reviewer, document).await.unwrap();
        let command = SaveDecisions {
            document,
            base: view.content.revision,
            key: SaveKey(format!("decisions-on-{document}")),
            changes: vec![DecisionChange::new(
                Range::new(8, 11),
                Some((Verdict::Accept, LabelSet::from_iter([label]))),
            )],
        };
        review::save(self.services, reviewer, command).await.unwrap();
        let base = view.content.revision.next();
        review::submit(self.services, reviewer, document, base).await.unwrap();
        base.next()
    }
}

fn account(name: &str, email: &str) -> NewAccount {
    NewAccount { email: email.to_owned(), name: name.to_owned(), password: PASSWORD.to_owned() }
}
