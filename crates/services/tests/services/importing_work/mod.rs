//! Importing the work of several people: the numbers are those of comparing the same files, what is
//! there is not made twice, and undoing or cancelling leaves nothing behind.

mod beside_spans;
mod in_pieces;
mod layouts;
mod models;
mod ratings;

use std::time::Duration;

use chrono::TimeDelta;
use domain::{
    AssignTo, Error as Refusal, ImportAs, ImportMapping, ImportState, LabelChoice, Measure,
    PersonChoice, PolicyChoice, Role, Switches, WorkState,
};
use serde_json::json;
use services::{
    account, agreement,
    document::{
        comparison::{ComparingOptions, compare},
        import::{self, ImportOptions, UploadedFile},
    },
    outside::verification,
    project::members::{self, Invited},
};

use crate::house::{House, Project, houses, invalid_field, refused};
use layouts::{
    TEXTS, doccano, file, file_per_person, folders_of_brat, inception, people_in_a_file, zipped,
};

fn work() -> ImportOptions {
    ImportOptions {
        import_as: ImportAs::Work,
        assign: AssignTo::Nobody,
        create_labels: true,
        ..ImportOptions::default()
    }
}

async fn import(
    project: &Project<'_>,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> services::Result<domain::ImportSummary> {
    import::import(project.services(), &project.manager, project.id, files, options).await
}

async fn check(house: &House) {
    for report in verification::all(&house.store).await.unwrap() {
        assert_eq!(report.problems, Vec::<String>::new());
    }
}

#[tokio::test]
async fn every_number_is_that_of_comparing_the_same_files() {
    type Layout = (&'static str, fn() -> Vec<UploadedFile>);
    let layouts: [Layout; 6] = [
        ("a file per person", file_per_person),
        ("people in a file", people_in_a_file),
        ("folders of brat", folders_of_brat),
        ("a zip of brat", || zipped(&folders_of_brat())),
        ("the folders of INCEpTION", inception),
        ("doccano", doccano),
    ];
    for (layout, files) in layouts {
        for house in houses().await {
            let project = house.project().await;
            let summary = import(&project, files(), work()).await.unwrap();
            assert_eq!((summary.documents, summary.worked), (3, 9), "{layout}");
            assert_eq!((summary.placeholders, summary.suggestions), (3, 0), "{layout}");
            for &measure in Measure::ALL {
                for &policy in PolicyChoice::ALL {
                    let switches = Switches { measure, policy, ..Switches::default() };
                    let live = agreement::snapshot(
                        project.services(),
                        &project.manager,
                        project.id,
                        switches,
                    )
                    .await
                    .unwrap();
                    let options = ComparingOptions { switches, ..ComparingOptions::default() };
                    let here = compare(files(), options).map(|it| it.view(None)).unwrap().matrix;
                    let id = |raters: &[domain::Rater], name: &str| {
                        raters
                            .iter()
                            .find(|rater| rater.name == name)
                            .map(|rater| rater.id)
                            .unwrap()
                    };
                    for (a, b) in [("ana", "bo"), ("ana", "cy"), ("bo", "cy")] {
                        let of = format!("{layout}, {measure}, {policy}, {a} and {b}");
                        let (one, other) = (id(&live.raters, a), id(&live.raters, b));
                        let live = live.cell(one, other).unwrap();
                        let (one, other) = (id(&here.raters, a), id(&here.raters, b));
                        let cell = here.cell(one, other).unwrap();
                        assert_eq!(live.measured, cell.measured, "{of}");
                        assert_eq!((live.n, live.documents), (cell.n, cell.documents), "{of}");
                        assert_eq!(live.coverage, cell.coverage, "{of}");
                        assert!(live.documents == 3 && live.n > 0, "{of}");
                    }
                }
            }
            check(&house).await;
        }
    }
}

#[tokio::test]
async fn work_is_for_managers_to_import_look_at_and_undo() {
    for house in houses().await {
        let project = house.project().await;
        let (services, id) = (project.services(), project.id);
        let files = file_per_person;
        project
            .is_for_managers(async |a| import::import(services, a, id, files(), work()).await)
            .await;
        project
            .is_for_managers(async |a| import::preview(services, a, id, files(), work()).await)
            .await;
        project
            .is_for_managers(async |a| import::start(services, a, id, files(), work()).await)
            .await;
        let import = import(&project, files(), work()).await.unwrap().import;
        project.is_for_managers(async |a| import::load(services, a, id, import).await).await;
        project.is_for_managers(async |a| import::list(services, a, id).await).await;
        project.is_for_managers(async |a| import::cancel(services, a, id, import).await).await;
        project.is_for_managers(async |a| import::undo(services, a, id, import).await).await;
        let listed = import::list(services, &project.manager, id).await.unwrap();
        assert_eq!((listed.len(), listed[0].state), (1, ImportState::Done));
    }
}

#[tokio::test]
async fn what_is_there_is_told_apart_and_not_made_twice() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let mut files = file_per_person();
        files.truncate(2);
        import(&project, files, work()).await.unwrap();
        let preview = async |files, options| {
            import::preview(services, &project.manager, project.id, files, options).await.unwrap()
        };
        let again = preview(file_per_person(), work()).await;
        let told = again.work.unwrap();
        let changes = told.changes;
        assert_eq!((changes.known_documents, changes.new_documents), (3, 0));
        assert_eq!((changes.new, changes.same, changes.refused), (3, 6, 0));
        assert!(matches!(told.people[0].choice, PersonChoice::Member(_)), "known by name");
        assert_eq!(told.people[2].choice, PersonChoice::Placeholder);
        let summary = import(&project, file_per_person(), work()).await.unwrap();
        assert_eq!((summary.documents, summary.worked, summary.placeholders), (0, 3, 1));

        let other = || vec![file("ana.jsonl", json!({ "id": 1, "text": TEXTS[1] }).to_string())];
        let told = preview(other(), work()).await;
        assert_eq!((told.problem_count, told.work.unwrap().changes.refused), (1, 1));
        assert_eq!(told.problems[0].field.as_deref(), Some("work"));
        assert!(matches!(
            refused(import(&project, other(), work()).await),
            Refusal::InvalidImport(_)
        ));
        let keeping = ImportOptions { keep_differing: true, ..work() };
        assert_eq!(import(&project, other(), keeping).await.unwrap().changes.kept, 1);

        let text = || vec![file("ana.jsonl", r#"{"id": 0, "text": "Another."}"#)];
        let told = preview(text(), work()).await.problems;
        assert_eq!((told[0].line, told[0].field.as_deref()), (Some(1), Some("text")));
        check(&house).await;
    }
}

#[tokio::test]
async fn people_and_labels_become_what_was_chosen() {
    for house in houses().await {
        let project = house.project().await;
        let second = project.with("second", Role::Labeler).await;
        let services = project.services();
        let document = json!({ "id": 0, "text": TEXTS[0] }).to_string();
        import::import(
            services,
            &project.manager,
            project.id,
            vec![file("plain.jsonl", document)],
            ImportOptions::default(),
        )
        .await
        .unwrap();
        let member = project.member(&second).await;
        let choices = ImportMapping {
            people: [
                ("ana".to_owned(), PersonChoice::Email("LABELER@example.org".to_owned())),
                ("bo".to_owned(), PersonChoice::Member(member)),
                ("cy".to_owned(), PersonChoice::LeaveOut),
            ]
            .into(),
            labels: [
                ("PER".to_owned(), LabelChoice::Create),
                ("ORG".to_owned(), LabelChoice::LeaveOut),
            ]
            .into(),
        };
        let options = ImportOptions { mapping: choices, in_progress: true, ..work() };
        let summary = import(&project, people_in_a_file(), options.clone()).await.unwrap();
        assert_eq!((summary.worked, summary.placeholders, summary.labels), (6, 0, 2));
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        assert!(labels.iter().all(|label| label.name != "ORG"), "{labels:?}");
        let assignments =
            store::work::assignments::list_of_member(&*house.store, member).await.unwrap();
        let states: Vec<_> = assignments.iter().map(|assignment| assignment.state).collect();
        assert!(states.iter().all(|state| *state == WorkState::Saved), "{states:?}");

        let reviewer = project.member(&project.reviewer).await;
        let people = [("ana".to_owned(), PersonChoice::Member(reviewer))].into();
        let mapping = ImportMapping { people, ..ImportMapping::default() };
        let wrong = ImportOptions { mapping, ..work() };
        assert_eq!(invalid_field(import(&project, people_in_a_file(), wrong).await), "people");
        let labels = [("PER".to_owned(), LabelChoice::Label("NONE".to_owned()))].into();
        let mapping = ImportMapping { labels, ..ImportMapping::default() };
        let wrong = ImportOptions { mapping, ..work() };
        assert_eq!(invalid_field(import(&project, people_in_a_file(), wrong).await), "labels");
        check(&house).await;
    }
}

/// How many rows each table has, but for those that remember imports themselves.
async fn rows(house: &House) -> Vec<(&'static str, i64)> {
    store::testing::count_rows(
        &house.store,
        &[
            "user_account",
            "member",
            "label",
            "former_label",
            "document",
            "suggestion",
            "assignment",
            "span",
            "assignment_version",
            "import_document",
            "import_assignment",
        ],
    )
    .await
}

#[tokio::test]
async fn undoing_leaves_the_database_as_it_was() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let plain = json!({ "id": 1, "text": TEXTS[1] }).to_string();
        let everyone = ImportOptions::default();
        import::import(
            services,
            &project.manager,
            project.id,
            vec![file("plain.jsonl", plain)],
            everyone,
        )
        .await
        .unwrap();
        let before = rows(&house).await;
        let people =
            [("ana".to_owned(), PersonChoice::Member(project.member(&project.labeler).await))]
                .into();
        let mapping = ImportMapping { people, ..ImportMapping::default() };
        let options = ImportOptions { mapping, ..work() };
        let import = import(&project, people_in_a_file(), options).await.unwrap();
        assert_eq!((import.worked, import.documents), (9, 2));
        let assignments =
            services::work::load(services, &project.labeler, project.id).await.unwrap();
        assert_eq!(assignments.counts.submitted, 3);
        import::undo(services, &project.manager, project.id, import.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
        let assignments =
            services::work::load(services, &project.labeler, project.id).await.unwrap();
        assert_eq!((assignments.counts.open, assignments.counts.submitted), (1, 0));
        let undone = import::load(services, &project.manager, project.id, import.import).await;
        assert_eq!(undone.unwrap().state, ImportState::Undone);
        assert_eq!(project.actions().await.last().unwrap(), "undo import");
        let twice = import::undo(services, &project.manager, project.id, import.import).await;
        assert!(matches!(refused(twice), Refusal::Conflict(_)));
        check(&house).await;
    }
}

#[tokio::test]
async fn an_import_on_which_later_work_hangs_stays() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let mut files = file_per_person();
        let later = files.split_off(2);
        let first = import(&project, files, work()).await.unwrap();
        let second = import(&project, later, work()).await.unwrap();
        let undo = async |id| import::undo(services, &project.manager, project.id, id).await;
        let Refusal::Conflict(why) = refused(undo(first.import).await) else { panic!("denied") };
        assert!(why.contains("work of others (3)"), "{why}");
        undo(second.import).await.unwrap();
        undo(first.import).await.unwrap();
        check(&house).await;
    }
}

#[tokio::test]
async fn an_import_in_the_background_can_be_followed_and_cancelled() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let before = rows(&house).await;
        let line = |n: usize| {
            let work =
                json!([{ "rater": "ana", "spans": [{ "start": 0, "end": 3, "label": "A" }] }]);
            json!({ "id": n, "text": format!("Gil {n}"), "work": work }).to_string() + "\n"
        };
        let many = |n: usize| vec![file("many.jsonl", (0..n).map(line).collect::<String>())];
        let ended = async |id| loop {
            let record = import::load(services, &project.manager, project.id, id).await.unwrap();
            if record.state != ImportState::Running {
                break record;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        };
        let id = import::start(services, &project.manager, project.id, many(30_000), work());
        let id = id.await.unwrap();
        // Not before it has begun to write.
        while let Some(progress) =
            import::load(services, &project.manager, project.id, id).await.unwrap().progress
            && progress.stored == 0
        {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        import::cancel(services, &project.manager, project.id, id).await.unwrap();
        assert_eq!(ended(id).await.state, ImportState::Cancelled);
        assert_eq!(rows(&house).await, before);

        let id = import::start(services, &project.manager, project.id, many(40), work());
        let done = ended(id.await.unwrap()).await;
        assert_eq!((done.state, done.summary.unwrap().worked), (ImportState::Done, 40));
        let bad = vec![file("bad.jsonl", "{")];
        let id = import::start(services, &project.manager, project.id, bad, work());
        let failed = ended(id.await.unwrap()).await;
        assert_eq!(failed.state, ImportState::Failed);
        assert!(matches!(failed.error, Some(Refusal::InvalidImport(_))));
        check(&house).await;
    }
}

#[tokio::test]
async fn an_import_that_ended_with_the_server_is_not_said_to_run() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        let files = || vec![file("one.jsonl", r#"{"id": 1, "text": "Gil"}"#)];
        let import = async || {
            let (manager, id) = (&project.manager, project.id);
            import::import(services, manager, id, files(), ImportOptions::default()).await
        };
        let done = import().await.unwrap().import;
        let new = store::document::imports::NewImport {
            by: None,
            at: house.now(),
            import_as: ImportAs::Work,
            files: vec!["lost.jsonl".to_owned()],
        };
        let tx = house.store.begin().await.unwrap();
        let lost = store::document::imports::insert(&tx, project.id, new).await.unwrap();
        tx.commit().await.unwrap();

        import::end_abandoned(services).await.unwrap();
        let listed = import::list(services, &project.manager, project.id).await.unwrap();
        assert_eq!(listed[0].state, ImportState::Running, "another server may be at it");
        house.pass(TimeDelta::minutes(1));
        import::end_abandoned(services).await.unwrap();
        // That of a server of a version before, which does not say whether it is at one.
        let silent = store::document::imports::NewImport {
            by: None,
            at: house.now(),
            import_as: ImportAs::Work,
            files: vec!["silent.jsonl".to_owned()],
        };
        let tx = house.store.begin().await.unwrap();
        let silent = store::document::imports::insert(&tx, project.id, silent).await.unwrap();
        tx.commit().await.unwrap();
        let never = format!("UPDATE import SET alive_at = NULL WHERE id = {silent}");
        store::testing::tamper(&house.store, &never).await;
        for _ in 0..3 {
            import::end_abandoned(services).await.unwrap();
            house.pass(TimeDelta::hours(1));
        }
        let listed = import::list(services, &project.manager, project.id).await.unwrap();
        assert_eq!((listed[0].id, listed[0].state), (silent, ImportState::Running));
        house.pass(TimeDelta::hours(6));
        import::end_abandoned(services).await.unwrap();
        let listed = import::list(services, &project.manager, project.id).await.unwrap();
        assert_eq!((listed[0].id, listed[0].state), (silent, ImportState::Failed));
        let tx = house.store.begin().await.unwrap();
        store::document::imports::forget(&tx, silent).await.unwrap();
        tx.commit().await.unwrap();
        let listed = import::list(services, &project.manager, project.id).await.unwrap();
        let states: Vec<_> = listed.iter().map(|record| (record.id, record.state)).collect();
        assert_eq!(states, [(lost, ImportState::Failed), (done, ImportState::Done)]);
        let why = listed[0].error.as_ref().unwrap().to_string();
        assert!(why.contains("the server stopped"), "{why}");
    }
}

#[tokio::test]
async fn a_placeholder_is_claimed_by_an_invitation_or_joined_with_a_labelers_work() {
    for house in houses().await {
        let project = house.project().await;
        let services = project.services();
        import(&project, file_per_person(), work()).await.unwrap();
        let people = members::list(services, &project.manager, project.id).await.unwrap();
        let placeholder = |name: &str| {
            let found = people.iter().find(|member| member.name == name).unwrap();
            assert!(found.is_placeholder, "{name}");
            found.id
        };
        let invite = async |claims| {
            let invited = Invited { role: Role::Labeler, email: None, claims: Some(claims) };
            members::invite_to(services, &project.manager, project.id, invited).await
        };
        let reviewer = project.member(&project.reviewer).await;
        assert_eq!(invalid_field(invite(reviewer).await), "claims");

        let token = invite(placeholder("ana")).await.unwrap();
        let newcomer = house.person("newcomer", false).await;
        account::join(services, &newcomer, &token).await.unwrap();
        assert_eq!(project.member(&newcomer).await, placeholder("ana"));
        let counts = services::work::load(services, &newcomer, project.id).await.unwrap().counts;
        assert_eq!(counts.submitted, 3);

        let token = invite(placeholder("bo")).await.unwrap();
        account::join(services, &project.labeler, &token).await.unwrap();
        let own = services::work::load(services, &project.labeler, project.id).await.unwrap();
        assert_eq!(own.counts.submitted, 3);
        let token = invite(placeholder("cy")).await.unwrap();
        let twice = refused(account::join(services, &project.labeler, &token).await);
        let Refusal::Conflict(why) = twice else { panic!("nobody has a document twice") };
        assert!(why.contains("3 documents"), "{why}");
        let people = members::list(services, &project.manager, project.id).await.unwrap();
        assert_eq!(people.iter().filter(|member| member.is_placeholder).count(), 1);
        check(&house).await;
    }
}

#[tokio::test]
async fn hostile_zips_bring_nothing() {
    for house in houses().await {
        let project = house.project().await;
        let before = rows(&house).await;
        let bomb = zipped(&[file("bomb.txt", vec![b'a'; 64 << 20])]);
        let way_out = zipped(&[file("../../out.txt", "x")]);
        let broken = vec![file("broken.zip", &b"PK\x03\x04nonsense"[..])];
        for files in [bomb, way_out, broken] {
            let refusal = refused(import(&project, files, work()).await);
            assert!(matches!(refusal, Refusal::InvalidImport(_)), "{refusal:?}");
        }
        assert_eq!(rows(&house).await, before);
    }
}
