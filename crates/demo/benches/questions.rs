//! What three questions cost: a project that asks three, 20 raters × 500 documents on SQLite, beside three
//! projects that ask one each. Every time an answer to each question is saved, and its matrix read.

#![expect(clippy::expect_used, reason = "a benchmark that cannot be set up has nothing to say")]

use std::{fmt::Write as _, sync::Arc};

use divan::Bencher;
use domain::{
    Actor, AssignTo, AssignmentId, AttributeId, Fact, Filter, ImportAs, ProjectId, Role, SaveKey,
    SaveOutcome, SaveSpans, Span, Switches, User,
};
use services::{
    Clock, ServerKey, Services, account, agreement,
    document::import::{ImportOptions, UploadedFile, import},
    project::{self, members},
    work::{self, annotation},
};
use store::testing::{TestStore, sqlite};
use tokio::runtime::Runtime;

const RATERS: usize = 20;
const DOCUMENTS: usize = 500;
const CHOICES: u16 = 5;
const QUESTIONS: [&str; 3] = ["Tone", "Stance", "Quality"];

fn main() {
    divan::main();
}

/// Projects with answers, in a database of their own.
struct Asked {
    runtime: Runtime,
    services: Arc<Services>,
    manager: Actor,
    rater: Actor,
    questions: Vec<Question>,
    _store: TestStore,
}

/// A question, and the assignment in which the rater changes their mind.
struct Question {
    project: ProjectId,
    id: AttributeId,
    assignment: AssignmentId,
}

impl Question {
    /// Has the rater answer otherwise.
    async fn change(&self, services: &Arc<Services>, rater: &Actor) {
        let reading = annotation::facts(services, rater, self.assignment);
        let (base, facts) = reading.await.expect("an assignment");
        let is_its = |fact: &&Fact| fact.choice.is_some_and(|it| it.attribute == self.id);
        let removed = *facts.iter().find(is_its).expect("an answer");
        let before = removed.choice.map_or(0, |it| it.answer.numbers().sum());
        let added = Fact::chosen(Span::DOCUMENT, self.id, (before + 1) % CHOICES);
        let command = SaveSpans {
            assignment: self.assignment,
            base,
            key: SaveKey(format!("change-{}-{}", self.id, base.0)),
            removed: vec![removed],
            added: vec![added],
        };
        let saved = annotation::save(services, rater, command).await.expect("a save");
        assert!(matches!(saved, SaveOutcome::Saved { .. }), "nobody else saves");
    }
}

/// Every rater's answers to a question: most of them alike.
fn table(question: usize) -> String {
    let mut table = "item,text".to_owned();
    for rater in 0..RATERS {
        write!(table, ",rater {rater}").expect("memory");
    }
    for document in 0..DOCUMENTS {
        write!(table, "\n{document},Text {document}.").expect("memory");
        for rater in 0..RATERS {
            let differs = (document * 7 + rater * 11 + question).is_multiple_of(9);
            let answer = (document + question + usize::from(differs)) % usize::from(CHOICES);
            write!(table, ",{answer}").expect("memory");
        }
    }
    table
}

async fn person(store: &TestStore, clock: &Clock, name: &str) -> Actor {
    let email = format!("{}@example.org", name.replace(' ', "."));
    let tx = store.begin().await.expect("a database");
    let id = store::account::users::create(&tx, &email, name, "", true, clock.now()).await;
    tx.commit().await.expect("a database");
    Actor::Person(User {
        id: id.expect("a person"),
        email,
        name: name.to_owned(),
        may_create_projects: true,
        is_administrator: false,
        has_factor_elsewhere: false,
    })
}

impl Asked {
    /// So many projects, with the questions among them.
    fn of(projects: usize) -> Self {
        let runtime = Runtime::new().expect("a runtime");
        let (store, services, manager, rater, questions) = runtime.block_on(async {
            let (store, clock) = (sqlite().await, Clock::system());
            let manager = person(&store, &clock, "manager").await;
            let rater = person(&store, &clock, "rater 0").await;
            let key = ServerKey::from([7; 32]);
            let services = Services::new(store.clone(), clock, None, key);
            let mut questions = Vec::new();
            let of_each = QUESTIONS.len() / projects;
            for (place, asked) in QUESTIONS.chunks(of_each).enumerate() {
                let name = format!("Project {place}");
                let id = project::create(&services, &manager, name, None).await.expect("a project");
                let invited = members::invite(&services, &manager, id, Role::Labeler, None).await;
                account::join(&services, &rater, &invited.expect("an invitation"))
                    .await
                    .expect("in");
                let files = asked.iter().enumerate().map(|(number, name)| UploadedFile {
                    name: format!("{name}.csv"),
                    bytes: table(place * of_each + number).into_bytes(),
                });
                let options = ImportOptions {
                    import_as: ImportAs::Work,
                    assign: AssignTo::Nobody,
                    in_progress: true,
                    ..ImportOptions::default()
                };
                let files: Vec<_> = files.collect();
                import(&services, &manager, id, files, options).await.expect("an import");
                let attributes = store::project::attributes::list(&*store, id).await;
                let after = AssignmentId(0);
                let cards = work::list_assignments(&services, &rater, id, after, 1).await;
                let assignment = cards.expect("a database").first().expect("an assignment").id;
                questions.extend(
                    attributes.expect("a database").iter().map(|attribute| Question {
                        project: id,
                        id: attribute.id,
                        assignment,
                    }),
                );
            }
            (store, services, manager, rater, questions)
        });
        Self { runtime, services, manager, rater, questions, _store: store }
    }

    /// Changes an answer to each question, and reads what is seen of all.
    fn move_all(&mut self) -> usize {
        let Self { runtime, services, manager, rater, questions, .. } = self;
        runtime.block_on(async {
            let mut cells = 0;
            for question in questions {
                question.change(services, rater).await;
                let filter = Filter::of_question(Some(question.id));
                let switches = Switches { filter, ..Switches::default() };
                let seen = agreement::snapshot(services, manager, question.project, switches);
                cells += seen.await.expect("a matrix").cells.len();
            }
            cells
        })
    }
}

#[divan::bench(args = [1, 3], sample_count = 50, sample_size = 1)]
fn answer_and_read_three(bencher: Bencher, projects: usize) {
    let mut asked = Asked::of(projects);
    asked.move_all();
    bencher.bench_local(|| asked.move_all());
}
