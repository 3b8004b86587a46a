//! Large imports, which come in pieces: nothing of one is to be seen before it is decided, all of it is there
//! after that, whatever happens between, and others save meanwhile.

mod abandoned;
mod beside;
mod certain;

use std::{
    collections::{BTreeMap, BTreeSet},
    pin::Pin,
    time::Duration,
};

use chrono::TimeDelta;
use domain::{
    AssignTo, Error as Refusal, ExportQuery, ExportWhat, ImportRecord, ImportState, ImportSummary,
    Measure, NewGoldVersion, NewRound, PolicyChoice, RepeatAsk, Role, SecondReviewAsk, Switches,
    WorkloadAsk,
};
use serde_json::json;
use services::{
    Result, ServerKey, Services,
    account::{
        self,
        administration::{self, Whose},
    },
    agreement,
    document::{
        comparison::{ComparingOptions, compare},
        export,
        import::{self, ImportOptions, Source, UploadedFile},
    },
    outside::verification,
    project::{
        self,
        members::{self, Invited},
        rounds,
    },
    review::{gold, second_reviews},
    work::repeats,
    workload,
};

use super::{check, layouts::file, work as as_work};
use crate::house::{House, Project, houses, refused};

/// How many documents make several pieces.
const DOCUMENTS: usize = 400;

/// Documents on which three people have a few spans each, which differ here and there.
fn files(documents: usize) -> Vec<UploadedFile> {
    let of = |(person, name): (usize, &str)| {
        let line = |document: usize| {
            let label = ["PER", "LOC"][usize::from((document + person).is_multiple_of(3))];
            let spans = [(0, 3, "PER"), (4, 7, label)];
            let spans = spans
                .map(|(start, end, label)| json!({ "start": start, "end": end, "label": label }));
            json!({ "id": document, "text": format!("Gil met {document}."), "spans": spans })
                .to_string()
                + "\n"
        };
        file(&format!("{name}.jsonl"), (0..documents).map(line).collect::<String>())
    };
    ["ana", "bo", "cy"].into_iter().enumerate().map(of).collect()
}

type Import<'a> = Pin<Box<dyn Future<Output = Result<ImportSummary>> + Send + 'a>>;

/// An import that goes on for as long as it is polled, as that of a process that may be killed.
fn begin<'a>(
    project: &'a Project<'_>,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Import<'a> {
    let files = files.into_iter().map(|file| -> Box<dyn Source> { Box::new(file) }).collect();
    Box::pin(import::import_for_owner(project.services(), project.id, files, options))
}

/// Has an import go on a little; its outcome if it has ended.
async fn go_on(import: &mut Import<'_>) -> Option<Result<ImportSummary>> {
    tokio::select! {
        biased;
        outcome = import => Some(outcome),
        () = tokio::time::sleep(Duration::from_millis(2)) => None,
    }
}

async fn latest(project: &Project<'_>) -> Option<ImportRecord> {
    let listed = import::list(project.services(), &project.manager, project.id).await.unwrap();
    listed.into_iter().next()
}

/// Whether the latest import is certain to come, and not there.
async fn is_decided(project: &Project<'_>) -> bool {
    let is_decided = |it: ImportRecord| it.state == ImportState::Running && it.is_decided;
    latest(project).await.is_some_and(is_decided)
}

async fn count(house: &House, table: &'static str) -> i64 {
    store::testing::count_rows(&house.store, &[table]).await[0].1
}

/// Everything that the database holds, but for imports and what waits for them.
async fn contents(house: &House) -> BTreeMap<String, BTreeSet<String>> {
    let mut contents = store::testing::contents(&house.store).await;
    contents.retain(|table, _| !["import", "shelf"].contains(&table.as_str()));
    contents
}

/// Has an import go on until it is decided, and no further.
async fn decide(project: &Project<'_>, files: Vec<UploadedFile>, options: ImportOptions) {
    let mut import = begin(project, files, options);
    while !is_decided(project).await {
        assert!(go_on(&mut import).await.is_none());
    }
}

/// Ends what has been abandoned, as a server does that has looked on for a while.
async fn recover(house: &House, services: &Services) {
    for _ in 0..3 {
        import::end_abandoned(services).await.unwrap();
        house.pass(TimeDelta::seconds(20));
    }
    import::end_abandoned(services).await.unwrap();
}

/// Whether an import that is not polled now holds no transaction: others can write, also to SQLite.
async fn is_free(house: &House) -> bool {
    tokio::time::timeout(Duration::from_millis(50), house.store.begin()).await.is_ok()
}

/// Waits for what was given to the database by somebody who has hung up: a commit, or that it is undone.
async fn quiet(house: &House) {
    // There is one connection that writes to SQLite.
    drop(house.store.begin().await.unwrap());
    if house.store.url().starts_with("postgres") {
        let wait = "BEGIN; LOCK TABLE import IN SHARE ROW EXCLUSIVE MODE; COMMIT";
        store::testing::tamper(&house.store, wait).await;
    }
}

#[tokio::test]
async fn nothing_is_there_of_an_import_before_it_is_decided() {
    for house in houses().await {
        let project = house.project().await;
        let before = contents(&house).await;
        let mut import = begin(&project, files(DOCUMENTS), as_work());
        let mut seen = 0;
        loop {
            assert!(go_on(&mut import).await.is_none(), "it comes in pieces");
            let (shelved, now) = (count(&house, "shelf").await, contents(&house).await);
            if is_decided(&project).await {
                break;
            }
            assert_eq!(now, before, "with {shelved} on the shelf");
            seen += i64::from(shelved > 0);
        }
        assert!(seen > 0, "the shelf was seen");
        let summary = import.await.unwrap();
        assert_eq!((summary.documents, summary.spans), (400, 2_400));
        assert_eq!(count(&house, "shelf").await, 0);
        check(&house).await;
    }
}

#[tokio::test]
async fn at_whatever_moment_it_breaks_off_all_of_it_is_there_in_the_end_or_nothing() {
    for house in houses().await {
        let project = house.project().await;
        let before = super::rows(&house).await;
        let (mut ends, mut last) = (BTreeSet::new(), None);
        for moments in (0..).step_by(9) {
            let mut import = begin(&project, files(DOCUMENTS), as_work());
            let mut outcome = None;
            for _ in 0..moments {
                outcome = go_on(&mut import).await;
                if outcome.is_some() {
                    break;
                }
            }
            drop(import);
            quiet(&house).await;
            let is_through = outcome.map(|outcome| outcome.unwrap()).is_some();
            let record = latest(&project).await.filter(|it| Some(it.id) != last);
            let Some(record) = record else { continue };
            last = Some(record.id);
            recover(&house, project.services()).await;
            let ended = latest(&project).await.unwrap();
            assert_eq!(ended.id, record.id);
            assert_eq!(count(&house, "shelf").await, 0);
            check(&house).await;
            ends.insert((record.state.name(), record.is_decided, ended.state.name()));
            if ended.state == ImportState::Done {
                let summary = ended.summary.unwrap();
                assert_eq!((summary.documents, summary.worked), (400, 1_200));
                assert_eq!(count(&house, "document").await, 400);
                assert_eq!(count(&house, "span").await, 2_400);
                let undone =
                    import::undo(project.services(), &project.manager, project.id, ended.id);
                undone.await.unwrap();
            }
            assert_eq!(super::rows(&house).await, before, "after {moments} moments");
            if is_through {
                break;
            }
        }
        let expected =
            [("done", true, "done"), ("running", false, "failed"), ("running", true, "done")];
        assert_eq!(ends, BTreeSet::from(expected));
    }
}

#[tokio::test]
async fn it_is_cancelled_before_it_is_decided_and_not_any_more_after_that() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let before = super::rows(&house).await;
        let start = async || {
            let files = files(DOCUMENTS);
            import::start(services, manager, project.id, files, as_work()).await.unwrap()
        };
        let ended = async |id| loop {
            let record = import::load(services, manager, project.id, id).await.unwrap();
            if record.state != ImportState::Running {
                break record;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        };
        let id = start().await;
        while count(&house, "shelf").await == 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        import::cancel(services, manager, project.id, id).await.unwrap();
        assert_eq!(ended(id).await.state, ImportState::Cancelled);
        while count(&house, "shelf").await > 0 {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        assert_eq!(super::rows(&house).await, before);

        let id = start().await;
        while !is_decided(&project).await {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        let late = refused(import::cancel(services, manager, project.id, id).await);
        assert!(matches!(&late, Refusal::Conflict(why) if why.contains("undo it")), "{late:?}");
        assert_eq!(ended(id).await.state, ImportState::Done);
        import::cancel(services, manager, project.id, id).await.unwrap();
        check(&house).await;
    }
}

#[tokio::test]
async fn another_server_cancels_it_too() {
    for house in houses().await {
        let project = house.project().await;
        let before = super::rows(&house).await;
        let second =
            Services::new(house.store.clone(), house.clock(), None, ServerKey::from([7; 32]));
        let mut import = begin(&project, files(DOCUMENTS), as_work());
        while count(&house, "shelf").await == 0 {
            assert!(go_on(&mut import).await.is_none());
        }
        let id = latest(&project).await.unwrap().id;
        let cancel = import::cancel(&second, &project.manager, project.id, id);
        let (outcome, cancelled) = tokio::join!(import, cancel);
        cancelled.unwrap();
        let Refusal::Conflict(why) = refused(outcome) else { panic!("it has ended") };
        assert!(why.contains("from elsewhere"), "{why}");
        let record = latest(&project).await.unwrap();
        assert_eq!((record.id, record.state), (id, ImportState::Cancelled));
        recover(&house, &second).await;
        assert_eq!((super::rows(&house).await, count(&house, "shelf").await), (before, 0));
    }
}

#[tokio::test]
async fn what_was_changed_meanwhile_is_found_when_it_is_decided() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let small = || vec![file("ana.jsonl", r#"{"id": 7, "text": "Gil met 7."}"#)];
        import::import(services, manager, project.id, small(), as_work()).await.unwrap();
        let label = || async {
            let label = domain::NewLabel::numbered("LOC", 9);
            project::create_label(services, manager, project.id, label).await.unwrap()
        };
        for change in ["document", "label", "person"] {
            let loc = if change == "label" { Some(label().await) } else { None };
            let options = ImportOptions { keep_differing: true, ..as_work() };
            let mut import = begin(&project, files(DOCUMENTS), options);
            while count(&house, "shelf").await == 0 {
                assert!(go_on(&mut import).await.is_none());
            }
            let act = async {
                match change {
                    "document" => {
                        let one = vec![file("ana.jsonl", r#"{"id": 8, "text": "Gil met 8."}"#)];
                        let done = import::import(services, manager, project.id, one, as_work());
                        done.await.unwrap();
                    }
                    "label" => {
                        project::delete_label(services, manager, project.id, loc.unwrap())
                            .await
                            .unwrap();
                    }
                    _ => {
                        let people = members::list(services, manager, project.id).await.unwrap();
                        let ana = people.iter().find(|it| it.name == "ana").unwrap();
                        members::remove(services, manager, project.id, ana.id).await.unwrap();
                    }
                }
                contents(&house).await
            };
            let (outcome, before) = tokio::join!(import, act);
            let refusal = refused(outcome);
            assert!(
                refusal.to_string().contains("just deleted")
                    || refusal.to_string().contains("changed"),
                "{change}: {refusal}"
            );
            let now = contents(&house).await;
            assert_eq!(now, before, "{change}");
            assert_eq!(count(&house, "shelf").await, 0);
        }
    }
}

#[tokio::test]
async fn several_servers_carry_on_what_one_has_left_and_do_it_once() {
    for house in houses().await {
        let project = house.project().await;
        let (manager, id) = (&project.manager, project.id);
        let servers = [(); 3].map(|()| {
            Services::new(house.store.clone(), house.clock(), None, ServerKey::from([7; 32]))
        });
        let switches = Switches::default();
        let shown =
            async |server| agreement::snapshot(server, manager, id, switches).await.unwrap();
        for server in &servers {
            shown(server).await;
        }
        let mut import = begin(&project, files(DOCUMENTS), as_work());
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        drop(import);
        let [first, second, third] = &servers;
        for _ in 0..2 {
            import::end_abandoned(first).await.unwrap();
            import::end_abandoned(second).await.unwrap();
            let record = latest(&project).await.unwrap();
            assert_eq!(record.state, ImportState::Running, "it may be alive");
            house.pass(TimeDelta::seconds(20));
        }
        let (one, other) =
            tokio::join!(import::end_abandoned(first), import::end_abandoned(second));
        one.unwrap();
        other.unwrap();
        let record = latest(&project).await.unwrap();
        assert_eq!(record.state, ImportState::Done);
        let summary = record.summary.unwrap();
        assert_eq!((summary.documents, summary.worked, summary.spans), (400, 1_200, 2_400));
        for server in [first, second, third] {
            let report = verification::live(server, manager, id).await.unwrap();
            assert_eq!(report.problems, Vec::<String>::new());
        }
        let numbers = async |server| serde_json::to_string(&shown(server).await.cells).unwrap();
        assert_eq!(numbers(first).await, numbers(third).await);
        check(&house).await;
    }
}

#[tokio::test]
async fn what_an_import_is_going_to_need_stays_and_the_next_one_finds_it_all() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        decide(&project, files(DOCUMENTS), as_work()).await;
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        let deleted = project::delete_label(services, manager, project.id, labels[0].id).await;
        assert!(refused(deleted).to_string().contains("is being saved"));
        let people = members::list(services, manager, project.id).await.unwrap();
        let ana = people.iter().find(|member| member.is_placeholder).unwrap().id;
        let claims = Invited { role: Role::Labeler, email: None, claims: Some(ana) };
        let token = members::invite_to(services, manager, project.id, claims).await.unwrap();
        let claimed = account::join(services, &project.labeler, &token).await;
        assert!(refused(claimed).to_string().contains("is being saved"));

        let guidelines = String::new();
        let round = NewRound {
            title: "Dates".to_owned(),
            note: String::new(),
            guidelines: Some(guidelines),
            after: 1,
        };
        let started = rounds::start(services, manager, project.id, round).await;
        assert!(refused(started).to_string().contains("is being saved"));
        let version = NewGoldVersion { name: "v1".to_owned(), note: String::new() };
        let locked = gold::lock(services, manager, project.id, version.clone()).await;
        assert!(refused(locked).to_string().contains("is being saved"));
        let removed = project.remove(&project.labeler).await;
        assert!(refused(removed).to_string().contains("is being saved"));
        let whose = Whose::Account(project.labeler.person().unwrap().id);
        let erased = administration::erase_person_of(services, &whose).await;
        assert!(refused(erased).to_string().contains("is being saved"));
        // What would be drawn from half of it, or told of it.
        let work = WorkloadAsk::default();
        let given = workload::give(services, manager, project.id, work, "").await;
        assert!(refused(given).to_string().contains("is being saved"));
        let repeats = RepeatAsk { documents: 1, ..RepeatAsk::default() };
        let given = repeats::give(services, manager, project.id, repeats, "").await;
        assert!(refused(given).to_string().contains("is being saved"));
        let second = SecondReviewAsk::default();
        let given = second_reviews::give(services, manager, project.id, second, "").await;
        assert!(refused(given).to_string().contains("is being saved"));
        let query = ExportQuery { what: ExportWhat::Labelers, ..ExportQuery::default() };
        let exported = export::export(services, manager, project.id, query).await;
        assert!(refused(exported).to_string().contains("is being saved"));
        export::preview(services, manager, project.id, query).await.unwrap();

        let again = import::import(services, manager, project.id, files(3), as_work()).await;
        let again = again.unwrap();
        assert_eq!((again.changes.known_documents, again.changes.same), (3, 9));
        let listed = import::list(services, manager, project.id).await.unwrap();
        assert!(listed.iter().all(|record| record.state == ImportState::Done), "{listed:?}");
        project.remove(&project.labeler).await.unwrap();
        gold::lock(services, manager, project.id, version).await.unwrap();
        check(&house).await;
    }
}

#[tokio::test]
async fn what_is_certain_comes_into_an_archived_project_and_goes_with_one_that_is_deleted() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let left = async || decide(&project, files(DOCUMENTS), as_work()).await;
        left().await;
        project::archive(services, manager, project.id).await.unwrap();
        recover(&house, services).await;
        assert_eq!(count(&house, "document").await, 400);
        project::restore(services, manager, project.id).await.unwrap();
        let id = latest(&project).await.unwrap().id;
        import::undo(services, manager, project.id, id).await.unwrap();

        left().await;
        project::delete(services, manager, project.id, "Tragedies").await.unwrap();
        recover(&house, services).await;
        assert_eq!((count(&house, "document").await, count(&house, "shelf").await), (0, 0));
    }
}

#[tokio::test]
async fn new_documents_are_given_to_labelers_and_every_number_is_that_of_comparing_the_files() {
    for house in houses().await {
        let project = house.project().await;
        project.with("second", Role::Labeler).await;
        let (services, manager) = (project.services(), &project.manager);
        let options = ImportOptions { assign: AssignTo::Some(4), ..as_work() };
        let many = import::import(services, manager, project.id, files(DOCUMENTS), options).await;
        assert!(refused(many).to_string().contains("2 labelers"), "there are two to give them to");
        let options = ImportOptions { assign: AssignTo::Everyone, ..as_work() };
        let done = import::import(services, manager, project.id, files(DOCUMENTS), options).await;
        let done = done.unwrap();
        assert_eq!((done.documents, done.worked, done.assignments), (400, 1_200, 800));
        for &measure in Measure::ALL {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { measure, policy, ..Switches::default() };
                let live =
                    agreement::snapshot(services, manager, project.id, switches).await.unwrap();
                let options = ComparingOptions { switches, ..ComparingOptions::default() };
                let here =
                    compare(files(DOCUMENTS), options).map(|it| it.view(None)).unwrap().matrix;
                let id = |raters: &[domain::Rater], name: &str| {
                    raters.iter().find(|rater| rater.name == name).map(|rater| rater.id).unwrap()
                };
                for (a, b) in [("ana", "bo"), ("ana", "cy"), ("bo", "cy")] {
                    let cell = live.cell(id(&live.raters, a), id(&live.raters, b)).unwrap();
                    let other = here.cell(id(&here.raters, a), id(&here.raters, b)).unwrap();
                    assert_eq!(cell.measured, other.measured, "{measure}, {policy}, {a}, {b}");
                    assert_eq!((cell.n, cell.documents), (other.n, other.documents));
                }
            }
        }
        check(&house).await;
    }
}
