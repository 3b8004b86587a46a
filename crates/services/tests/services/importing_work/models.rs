//! Importing the work of models: it goes to them, with the numbers of comparing the same files, and nothing of it
//! is anybody's assignment.

use domain::{
    Error as Refusal, Fact, ImportMapping, Measure, PersonChoice, PolicyChoice, Span, Switches,
};
use serde_json::json;
use services::{
    agreement,
    document::{
        comparison::{ComparingOptions, compare},
        import::{ImportOptions, UploadedFile},
    },
    work::models,
};

use super::{
    check, import,
    layouts::{file, file_per_person, people_in_a_file},
    work,
};
use crate::house::{House, houses, refused};

/// Work of which that of one person, or of several, is a model's.
fn of_models(names: &[&str]) -> ImportOptions {
    let tagger = || PersonChoice::model("tagger:2");
    let people = names.iter().map(|name| ((*name).to_owned(), tagger())).collect();
    ImportOptions { mapping: ImportMapping { people, ..ImportMapping::default() }, ..work() }
}

async fn rows(house: &House) -> Vec<(&'static str, i64)> {
    let tables =
        ["model", "model_work", "model_span", "document", "assignment", "span", "member", "label"];
    store::testing::count_rows(&house.store, &tables).await
}

#[tokio::test]
async fn a_model_of_files_has_the_numbers_of_comparing_them() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let before = rows(&house).await;
        let summary = import(&project, people_in_a_file(), of_models(&["cy"])).await.unwrap();
        assert_eq!((summary.documents, summary.worked, summary.model_documents), (3, 6, 3));
        assert_eq!(summary.placeholders, 2, "a model is no labeler");
        let listed = models::list(services, manager, project.id).await.unwrap();
        assert_eq!(
            (listed.len(), listed[0].title(), listed[0].documents),
            (1, "tagger 2".to_owned(), 3)
        );
        for &measure in Measure::ALL {
            for &policy in PolicyChoice::ALL {
                let switches = Switches { measure, policy, ..Switches::default() };
                let view = agreement::models(services, manager, project.id, switches);
                let view = view.await.unwrap();
                let options = ComparingOptions { switches, ..ComparingOptions::default() };
                let files = compare(people_in_a_file(), options).map(|it| it.view(None));
                let files = files.unwrap().matrix;
                let id = |raters: &[domain::Rater], name: &str| {
                    raters.iter().find(|rater| rater.name == name).map(|rater| rater.id).unwrap()
                };
                let cy = id(&files.raters, "cy");
                for name in ["ana", "bo"] {
                    let here = id(&view.raters, name);
                    let cell = view.rows[0].cells.iter().find(|cell| cell.rater == here).unwrap();
                    let other = files.cell(cy, id(&files.raters, name)).unwrap();
                    assert_eq!(cell.measured, other.measured, "{measure}, {policy}, {name}");
                    assert_eq!((cell.n, cell.documents), (other.n, other.documents));
                }
            }
        }
        check(&house).await;
        import::undo(services, manager, project.id, summary.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
    }
}

#[tokio::test]
async fn what_a_model_has_is_not_made_twice_and_other_spans_are_refused_or_left() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let options = || of_models(&["cy"]);
        let first = import(&project, file_per_person(), options()).await.unwrap();
        let again = import(&project, file_per_person(), options()).await.unwrap();
        assert_eq!((again.changes.same, again.changes.new), (9, 0));
        assert_eq!((again.worked, again.model_documents), (0, 0));

        let model = models::list(services, manager, project.id).await.unwrap()[0].id;
        let of = (project.id, model);
        let documents = services::document::list(services, manager, project.id, 0).await.unwrap();
        let document = documents.rows[0].id;
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        let other: Vec<Fact> = vec![Span::new(0, 1, labels[0].id).into()];
        let save = domain::ModelWork { spans: other.clone(), prompt_hash: None };
        models::save_work(services, manager, of, document, save).await.unwrap();
        let differs = import(&project, file_per_person(), options()).await;
        let Refusal::InvalidImport(problems) = refused(differs) else { panic!("imported") };
        assert!(problems[0].message.contains("tagger 2 already has different"), "{problems:?}");
        let keep = ImportOptions { keep_differing: true, ..options() };
        let kept = import(&project, file_per_person(), keep).await.unwrap();
        assert_eq!((kept.changes.kept, kept.changes.same), (1, 8));
        let there = models::load_document(services, manager, of, document).await.unwrap();
        assert_eq!(there.spans, other);

        let undo = import::undo(services, manager, project.id, first.import).await;
        let Refusal::Conflict(why) = refused(undo) else { panic!("undone") };
        assert!(
            why.contains("models have other work") && why.contains("tagger has other"),
            "{why}"
        );
        check(&house).await;
    }
}

#[tokio::test]
async fn two_people_on_a_document_are_not_one_model() {
    for house in houses().await {
        let project = house.project().await;
        let twice = import(&project, people_in_a_file(), of_models(&["bo", "cy"])).await;
        let Refusal::InvalidImport(problems) = refused(twice) else { panic!("imported") };
        assert!(problems[0].message.contains("cannot be the same"), "{problems:?}");
        let nameless = |written: &str| {
            let people = [("cy".to_owned(), PersonChoice::model(written))].into();
            let mapping = ImportMapping { people, ..ImportMapping::default() };
            ImportOptions { mapping, ..work() }
        };
        for written in ["tagger", "tagger:", ":2"] {
            refused(import(&project, people_in_a_file(), nameless(written)).await);
        }
    }
}

#[tokio::test]
async fn a_large_import_brings_the_work_of_models_in_pieces() {
    const MANY: usize = 2_000;
    for house in houses().await {
        let project = house.project().await;
        let before = rows(&house).await;
        let line = |document: usize| {
            let spans = json!([{ "start": 0, "end": 3, "label": "PER" }]);
            let work = ["ana", "bot"].map(|rater| json!({ "rater": rater, "spans": spans }));
            json!({ "id": document, "text": format!("Gil met {document}."), "work": work })
                .to_string()
                + "\n"
        };
        let files: Vec<UploadedFile> =
            vec![file("many.jsonl", (0..MANY).map(line).collect::<String>())];
        let summary = import(&project, files, of_models(&["bot"])).await.unwrap();
        let of_each = u64::try_from(MANY).unwrap();
        assert_eq!((summary.worked, summary.model_documents), (of_each, of_each));
        assert_eq!(summary.spans, 2 * of_each);
        check(&house).await;
        let undo = import::undo(project.services(), &project.manager, project.id, summary.import);
        undo.await.unwrap();
        assert_eq!(rows(&house).await, before);
    }
}
