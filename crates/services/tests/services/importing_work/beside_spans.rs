//! Importing answers that come beside spans: what people answered is in a project as it was in the one that it
//! was exported from, whatever of it the format holds.

use std::collections::BTreeSet;

use domain::{
    Actor, AnswerKind, Error as Refusal, ExportFormat, ExportQuery, ExportWhat, ImportMapping,
    LabelChoice, LabelId, NewAttribute, PersonChoice, ProjectId, Scale,
};
use serde_json::{Value, json};
use services::{
    document::{
        comparison::{ComparingOptions, compare},
        export,
        import::{ImportOptions, UploadedFile},
    },
    project as projects,
};

use super::{check, import, layouts::file, work};
use crate::house::{House, Project, houses, refused};

const TEXT: &str = "Gil met Hal.";

/// A result of Label Studio's.
fn result(
    id: &str,
    question: &str,
    kind: &str,
    place: Option<(usize, usize)>,
    given: Value,
) -> Value {
    let mut value = json!({ kind: given });
    if let Some((start, end)) = place {
        value["start"] = start.into();
        value["end"] = end.into();
        value["text"] = TEXT[start..end].into();
    }
    json!({ "id": id, "from_name": question, "to_name": "text", "type": kind, "value": value })
}

const GIL: Option<(usize, usize)> = Some((0, 3));
const HAL: Option<(usize, usize)> = Some((8, 11));

/// What one labeler has, and what the other has, who agrees on little.
fn of_ana() -> Vec<Value> {
    vec![
        result("a", "label", "labels", GIL, json!(["PER"])),
        result("a", "Gender", "choices", GIL, json!(["male"])),
        result("a", "Roles", "choices", GIL, json!(["king", "poet"])),
        result("a", "Sure", "number", GIL, json!(2.5)),
        result("b", "label", "labels", HAL, json!(["PER", "ORG"])),
        result("b", "Kind", "choices", HAL, json!(["real"])),
        result("", "Tone", "choices", None, json!(["calm"])),
    ]
}

fn of_bo() -> Vec<Value> {
    vec![
        result("b", "label", "labels", HAL, json!(["PER"])),
        result("b", "Roles", "choices", HAL, json!(["poet"])),
        result("b", "Sure", "rating", HAL, json!(4)),
        result("", "Tone", "choices", None, json!(["tense"])),
    ]
}

fn annotation(rater: &str, result: &[Value]) -> Value {
    json!({ "completed_by": { "email": rater }, "was_cancelled": false, "result": result })
}

fn task(annotations: &[Value]) -> Value {
    json!({ "id": 1, "data": { "text": TEXT }, "annotations": annotations })
}

fn tasks(tasks: &[Value]) -> Vec<UploadedFile> {
    vec![file("tasks.json", serde_json::to_string_pretty(tasks).unwrap())]
}

fn both() -> Vec<UploadedFile> {
    tasks(&[task(&[annotation("ana", &of_ana()), annotation("bo", &of_bo())])])
}

/// Rater, where the span begins (nothing of the document), label, question, and the answer in words.
type Answer = (String, Option<u64>, String, String, String);
type Given = BTreeSet<Answer>;

/// Everything that labelers have answered in a project, numbers as they are written shortest.
async fn given(house: &House, actor: &Actor, project: ProjectId) -> Given {
    let file = export::choices(&house.services, actor, project).await.unwrap();
    let lines = String::from_utf8(file.body).unwrap();
    let rows = lines.lines().map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let row = |row: Value| {
        let text = |key: &str| row[key].as_str().unwrap().to_owned();
        let choice = text("choice");
        let choice = choice.parse::<f64>().map_or(choice, |number| number.to_string());
        let start = row["start"].as_u64().filter(|_| !text("label").is_empty());
        (text("rater"), start, text("label"), text("attribute"), choice)
    };
    rows.map(row).collect()
}

fn expected(rows: &[(&str, Option<u64>, &str, &str, &str)]) -> Given {
    let owned = rows.iter().map(|(rater, start, label, question, answer)| {
        let [rater, label, question, answer] =
            [rater, label, question, answer].map(|it| (*it).to_owned());
        (rater, *start, label, question, answer)
    });
    owned.collect()
}

fn all() -> Given {
    expected(&[
        ("ana", Some(0), "PER", "Gender", "male"),
        ("ana", Some(0), "PER", "Roles", "king, poet"),
        ("ana", Some(0), "PER", "Sure", "2.5"),
        ("ana", Some(8), "PER", "Kind", "real"),
        ("ana", Some(8), "ORG", "Kind", "real"),
        ("ana", None, "", "Tone", "calm"),
        ("bo", Some(8), "PER", "Roles", "poet"),
        ("bo", Some(8), "PER", "Sure", "4"),
        ("bo", None, "", "Tone", "tense"),
    ])
}

/// Asks what people were asked of whose spans of a label, or of documents.
async fn ask(
    project: &Project<'_>,
    of: ProjectId,
    (label, name): (Option<&str>, &str),
    (kind, choices): (AnswerKind, &str),
) {
    let labels = store::project::labels::list(&*project.house.store, of).await.unwrap();
    let label = label.map_or(LabelId::DOCUMENT, |name| {
        labels.iter().find(|label| label.name == name).unwrap().id
    });
    let new = NewAttribute::typed(name, (kind, choices), false, true).unwrap();
    let asked = projects::create_attribute(project.services(), &project.manager, of, label, new);
    asked.await.unwrap();
}

async fn add_labels(project: &Project<'_>, of: ProjectId, names: &[&str]) {
    let tx = project.house.store.begin().await.unwrap();
    for (number, name) in names.iter().enumerate() {
        let label = domain::NewLabel::numbered(*name, number);
        store::project::labels::create(&tx, of, &label).await.unwrap();
    }
    tx.commit().await.unwrap();
}

async fn rows(house: &House) -> Vec<(&'static str, i64)> {
    // Without labels: questions about documents have one that is in no list, and stays.
    let tables = [
        "attribute",
        "attribute_choice",
        "document",
        "assignment",
        "assignment_version",
        "span",
        "span_choice",
        "document_choice",
        "member",
    ];
    store::testing::count_rows(&house.store, &tables).await
}

#[tokio::test]
async fn answers_come_with_their_spans_and_go_again_with_what_was_made_for_them() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let before = rows(&house).await;
        let told = import::preview(services, manager, project.id, both(), work()).await.unwrap();
        assert_eq!(told.problem_count, 0, "{:?}", told.problems);
        let questions: Vec<_> = told
            .questions
            .iter()
            .map(|it| (it.label.as_deref(), it.name.as_str(), it.is_new, it.answers.len()))
            .collect();
        assert_eq!(
            questions,
            [
                (Some("PER"), "Gender", true, 1),
                (Some("PER"), "Roles", true, 2),
                (Some("PER"), "Sure", true, 2),
                (Some("PER"), "Kind", true, 1),
                (Some("ORG"), "Kind", true, 1),
                (None, "Tone", true, 2),
            ]
        );
        assert_eq!(rows(&house).await, before, "a preview writes nothing");

        let summary = import(&project, both(), work()).await.unwrap();
        assert_eq!((summary.spans, summary.questions, summary.answers), (4, 6, 9));
        assert_eq!(given(&house, manager, project.id).await, all());
        let asked = store::project::attributes::list(&*house.store, project.id).await.unwrap();
        let several = asked.iter().filter(|it| it.answers == AnswerKind::Several);
        assert_eq!(several.map(|it| it.name.as_str()).collect::<Vec<_>>(), ["Roles"]);
        check(&house).await;

        let again = import(&project, both(), work()).await.unwrap();
        assert_eq!((again.changes.same, again.changes.new, again.answers), (2, 0, 0));
        import::undo(services, manager, project.id, again.import).await.unwrap();
        import::undo(services, manager, project.id, summary.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
        assert_eq!(store::project::labels::list(&*house.store, project.id).await.unwrap(), []);
        check(&house).await;
    }
}

#[tokio::test]
async fn what_a_format_holds_is_the_same_in_a_new_project() {
    let only = |kept: fn(&Answer) -> bool| -> Given { all().into_iter().filter(kept).collect() };
    let cases = [
        (ExportFormat::LabelStudio, all()),
        (ExportFormat::CasXmi, only(|it| it.1.is_some())),
        (ExportFormat::CasJson, only(|it| it.1.is_some())),
        (ExportFormat::WebAnnoTsv, only(|it| it.1.is_some())),
        (ExportFormat::Brat, only(|it| it.1.is_some() && !it.4.contains(", "))),
    ];
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        import(&project, both(), work()).await.unwrap();
        for (format, expected) in &cases {
            let (what, format) = (ExportWhat::Labelers, *format);
            let query = ExportQuery { what, format, ..ExportQuery::default() };
            let mut file = export::export(services, manager, project.id, query).await.unwrap();
            let mut bytes = Vec::new();
            file.write_to(&mut bytes).unwrap();
            let files =
                || vec![UploadedFile { name: file.file_name.clone(), bytes: bytes.clone() }];
            // As the files have it, and as a project has it that asks the same.
            for asks in [false, true] {
                let name = format!("{format} {asks}");
                let to = projects::create(services, manager, name.clone(), None).await.unwrap();
                if asks {
                    add_labels(&project, to, &["PER", "ORG"]).await;
                    let scale = Scale::typed(["0", "5", "0.5"], ["", ""]).unwrap();
                    for (label, question, kind, choices) in [
                        (Some("PER"), "Gender", AnswerKind::One, "male\nfemale"),
                        (Some("PER"), "Roles", AnswerKind::Several, "poet\nking"),
                        (Some("PER"), "Sure", AnswerKind::Number(scale), ""),
                    ] {
                        ask(&project, to, (label, question), (kind, choices)).await;
                    }
                }
                let summary = import::import(services, manager, to, files(), work()).await.unwrap();
                let found = given(&house, manager, to).await;
                let mut wanted = expected.clone();
                if asks {
                    // Choices are named in the order of the project.
                    wanted = wanted
                        .into_iter()
                        .map(|mut it| {
                            it.4 = it.4.replace("king, poet", "poet, king");
                            it
                        })
                        .collect();
                }
                assert_eq!(found, wanted, "{name}");
                assert_eq!(summary.answers, u64::try_from(wanted.len()).unwrap(), "{name}");
                let again = import::import(services, manager, to, files(), work()).await.unwrap();
                assert_eq!(again.changes.same, 2, "{name}");
                check(&house).await;
            }
        }
    }
}

#[tokio::test]
async fn answers_go_with_their_labels_or_stay_out_with_them() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        add_labels(&project, project.id, &["Person", "Other"]).await;
        let asked = (AnswerKind::One, "male\nfemale");
        ask(&project, project.id, (Some("Person"), "Gender"), asked).await;
        let labels = [
            ("PER".to_owned(), LabelChoice::Label("Person".to_owned())),
            ("ORG".to_owned(), LabelChoice::LeaveOut),
        ];
        let mapping = ImportMapping { labels: labels.into(), ..ImportMapping::default() };
        let options = || ImportOptions { mapping: mapping.clone(), ..work() };
        let told = import::preview(services, manager, project.id, both(), options()).await.unwrap();
        let gender = &told.questions[0];
        assert_eq!((gender.label.as_deref(), gender.is_new), (Some("Person"), false));
        assert!(told.questions.iter().all(|it| it.label.as_deref() != Some("ORG")));
        import(&project, both(), options()).await.unwrap();
        let mut wanted: Given = all().into_iter().filter(|it| it.2 != "ORG").collect();
        wanted = wanted
            .into_iter()
            .map(|mut it| {
                it.2 = it.2.replace("PER", "Person");
                it
            })
            .collect();
        assert_eq!(given(&house, manager, project.id).await, wanted);
        check(&house).await;
    }
}

/// What is wrong with files, each with its field.
async fn problems(project: &Project<'_>, files: Vec<UploadedFile>) -> Vec<(String, String)> {
    let Refusal::InvalidImport(problems) = refused(import(project, files, work()).await) else {
        panic!("it is refused for something else");
    };
    let told = problems.into_iter().map(|it| (it.field.unwrap_or_default(), it.message));
    told.collect()
}

#[tokio::test]
async fn what_the_project_cannot_have_is_refused_and_what_it_does_not_ask_stays_out() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        add_labels(&project, project.id, &["PER"]).await;
        let scale = Scale::typed(["0", "2", "0.5"], ["", ""]).unwrap();
        ask(&project, project.id, (Some("PER"), "Sure"), (AnswerKind::Number(scale), "")).await;
        let before = rows(&house).await;
        let wrong = tasks(&[task(&[annotation("ana", &of_ana())])]);
        let found = problems(&project, wrong).await;
        let message =
            "\"2.5\" is no answer to \"Sure\"; expected a number from 0.0 to 2.0 in steps of 0.5";
        assert_eq!(found, [("ana".to_owned(), message.to_owned())]);
        assert_eq!(rows(&house).await, before);

        // Free text is no list of choices.
        let noted = |number: usize| {
            let text = format!("Gil met Hal {number}.");
            let region = json!({ "start": 0, "end": 3, "text": "Gil", "labels": ["PER"] });
            let note = json!({ "start": 0, "end": 3, "text": "Gil", "choices": [format!("note {number}")] });
            let result = json!([
                { "id": "a", "from_name": "label", "to_name": "text", "type": "labels", "value": region },
                { "id": "a", "from_name": "Note", "to_name": "text", "type": "choices", "value": note },
            ]);
            let annotations = json!([{ "completed_by": { "email": "ana" }, "result": result }]);
            json!({ "id": number, "data": { "text": text }, "annotations": annotations })
        };
        let files = || tasks(&(1..=51).map(noted).collect::<Vec<_>>());
        let told = import::preview(services, manager, project.id, files(), work()).await.unwrap();
        assert_eq!(told.problem_count, 0, "{:?}", told.problems);
        let why = told.questions[0].left_out.as_deref().unwrap();
        assert!(why.contains("more than 50 different answers to \"Note\""), "{why}");
        let summary = import(&project, files(), work()).await.unwrap();
        assert_eq!((summary.spans, summary.questions, summary.answers), (51, 0, 0));
        let again = import(&project, files(), work()).await.unwrap();
        assert_eq!(again.changes.same, 51, "what stays out makes no difference");
        check(&house).await;
    }
}

#[tokio::test]
async fn other_answers_to_the_same_question_are_other_work() {
    for house in houses().await {
        let project = house.project().await;
        import(&project, both(), work()).await.unwrap();
        let mut other = of_ana();
        other[1] = result("a", "Gender", "choices", GIL, json!(["male", "male"]));
        let same = tasks(&[task(&[annotation("ana", &other)])]);
        let told = import(&project, same, work()).await.unwrap();
        assert_eq!(told.changes.same, 1);
        other[3] = result("a", "Sure", "number", GIL, json!(4));
        let differing = || tasks(&[task(&[annotation("ana", &other)])]);
        let found = problems(&project, differing()).await;
        assert!(found[0].1.contains("different spans or answers in this document"), "{found:?}");
        let keeping = ImportOptions { keep_differing: true, ..work() };
        assert_eq!(import(&project, differing(), keeping).await.unwrap().changes.kept, 1);
        // A file without any answers says nothing of them.
        let bare: Vec<_> = other.into_iter().filter(|it| it["type"] == "labels").collect();
        let told = import(&project, tasks(&[task(&[annotation("ana", &bare)])]), work()).await;
        assert_eq!(told.unwrap().changes.same, 1);
    }
}

#[tokio::test]
async fn models_have_answers_and_suggestions_have_none_which_is_told() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let people = [("ana".to_owned(), PersonChoice::model("tagger:2"))].into();
        let mapping = ImportMapping { people, ..ImportMapping::default() };
        let options = || ImportOptions { mapping: mapping.clone(), ..work() };
        let told = import::preview(services, manager, project.id, both(), options()).await.unwrap();
        assert_eq!(told.problem_count, 0, "{:?}", told.problems);
        let summary = import(&project, both(), options()).await.unwrap();
        assert_eq!((summary.model_documents, summary.answers), (1, 9));
        let again = import(&project, both(), options()).await.unwrap();
        assert_eq!((again.changes.same, again.changes.new), (2, 0));
        check(&house).await;

        let nobodys =
            vec![file("doc.txt", TEXT), file("doc.ann", "T1\tPER 0 3\tGil\nA1\tFamous T1\n")];
        let options = ImportOptions { create_labels: true, ..ImportOptions::default() };
        let told = import::preview(services, manager, project.id, nobodys, options).await.unwrap();
        let notes: Vec<_> = told.files.iter().flat_map(|file| &file.notes).collect();
        assert!(notes.iter().any(|it| it.contains("1 answer left out")), "{notes:?}");
        assert_eq!(told.questions, []);
    }
}

#[tokio::test]
async fn attributes_of_brat_are_answers_and_one_without_a_value_is_true() {
    for house in houses().await {
        let project = house.project().await;
        let ann = "T1\tPER 0 3\tGil\nT2\tPER 8 11\tHal\nA1\tFamous T1\nM2\tRole T2 king\n\
                   A3\tRole T2 poet\n";
        let files = vec![
            file("ana/doc.txt", TEXT),
            file("ana/doc.ann", ann),
            file("bo/doc.txt", TEXT),
            file("bo/doc.ann", "T1\tPER 0 3\tGil\n"),
        ];
        import(&project, files, work()).await.unwrap();
        let wanted = expected(&[
            ("ana", Some(0), "PER", "Famous", "true"),
            ("ana", Some(8), "PER", "Role", "king, poet"),
        ]);
        assert_eq!(given(&house, &project.manager, project.id).await, wanted);
        check(&house).await;
    }
}

#[tokio::test]
async fn answers_of_a_large_import_come_in_pieces_with_their_spans() {
    const TASKS: usize = 900;
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let before = rows(&house).await;
        let numbered = |number: usize| {
            let mut task = task(&[annotation("ana", &of_ana()), annotation("bo", &of_bo())]);
            task["id"] = number.into();
            task["data"]["text"] = format!("{TEXT} {number}").into();
            task
        };
        let files = tasks(&(1..=TASKS).map(numbered).collect::<Vec<_>>());
        let summary = import(&project, files, work()).await.unwrap();
        let count = |each: usize| u64::try_from(each * TASKS).unwrap();
        assert_eq!((summary.spans, summary.answers), (count(4), count(9)));
        assert_eq!(given(&house, manager, project.id).await, all());
        check(&house).await;
        import::undo(services, manager, project.id, summary.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
    }
}

#[test]
fn spans_beside_answers_can_be_compared() {
    let compared = compare(both(), ComparingOptions::default()).unwrap().view(None);
    let notes = &compared.notes;
    assert!(notes.iter().any(|it| it.contains("9 answers in tasks.json left out")), "{notes:?}");
}
