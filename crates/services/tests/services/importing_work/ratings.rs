//! Importing tables of items by raters: answers go to the project's questions about documents, or to new ones,
//! with the numbers of measuring the same tables.

use agreement::{Contingency, cohen_kappa};
use domain::{
    AnswerKind, Attribute, Error as Refusal, Fact, Filter, ImportMapping, LabelId, ModelWork,
    NewAttribute, NewModel, PersonChoice, QuestionPreview, Rater, Scale, Span, Switches,
};
use services::{
    agreement as matrix,
    document::import::{ImportOptions, UploadedFile},
    project as projects,
    work::models,
};

use super::{check, import, layouts::file, work};
use crate::house::{House, Project, houses, refused};

const TONE: &str = "item,text,ana,bo\n1,Gil met Hal.,glad,glad\n2,Ida left.,sad,glad\n\
                    3,Lea saw Metz.,sad,sad\n4,Nobody.,glad,\n";

fn tone() -> Vec<UploadedFile> {
    vec![file("Tone.csv", TONE)]
}

async fn rows(house: &House) -> Vec<(&'static str, i64)> {
    let tables = [
        "attribute",
        "attribute_choice",
        "document_choice",
        "model",
        "model_choice",
        "document",
        "assignment",
        "assignment_version",
        "member",
    ];
    store::testing::count_rows(&house.store, &tables).await
}

async fn questions(project: &Project<'_>) -> Vec<Attribute> {
    store::project::attributes::list(&*project.house.store, project.id).await.unwrap()
}

async fn ask(project: &Project<'_>, name: &str, kind: AnswerKind, choices: &str) {
    let new = NewAttribute::typed(name, (kind, choices), false, true).unwrap();
    let services = project.services();
    let asked =
        projects::create_attribute(services, &project.manager, project.id, LabelId::DOCUMENT, new);
    asked.await.unwrap();
}

/// What is wrong with files, each with its line and field.
async fn problems(
    project: &Project<'_>,
    files: Vec<UploadedFile>,
    options: ImportOptions,
) -> Vec<(Option<u64>, Option<String>, String)> {
    let Refusal::InvalidImport(problems) = refused(import(project, files, options).await) else {
        panic!("it is refused for something else");
    };
    problems.into_iter().map(|it| (it.line, it.field, it.message)).collect()
}

#[tokio::test]
async fn a_new_question_has_the_answers_that_occur_and_all_of_it_can_be_undone() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let before = rows(&house).await;
        let told = import::preview(services, manager, project.id, tone(), work()).await.unwrap();
        assert_eq!(told.problem_count, 0, "{:?}", told.problems);
        let answers = vec![("glad".to_owned(), 4), ("sad".to_owned(), 3)];
        let name = "Tone".to_owned();
        let (label, left_out) = (None, None);
        let expected = QuestionPreview { label, name, is_new: true, answers, left_out };
        assert_eq!(told.questions, [expected]);
        assert_eq!(rows(&house).await, before, "a preview writes nothing");

        let summary = import(&project, tone(), work()).await.unwrap();
        assert_eq!((summary.documents, summary.worked, summary.spans), (4, 7, 0));
        assert_eq!((summary.questions, summary.answers, summary.placeholders), (1, 7, 2));
        let asked = questions(&project).await;
        let names: Vec<_> = asked[0].choices.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!((asked.len(), names), (1, vec!["glad", "sad"]));

        let switches =
            Switches { filter: Filter::of_question(Some(asked[0].id)), ..Switches::default() };
        let seen = matrix::snapshot(services, manager, project.id, switches).await.unwrap();
        let id = |name: &str| {
            let is_called = |rater: &&Rater| rater.name == name;
            seen.raters.iter().find(is_called).map(|rater| rater.id).unwrap()
        };
        let cell = seen.cell(id("ana"), id("bo")).unwrap();
        let mut table = Contingency::new();
        for (one, other) in [(0, 0), (1, 0), (1, 1)] {
            table.add_count(one, other, 1);
        }
        assert_eq!(cell.measured.value(), Some(cohen_kappa(&table).unwrap().value));
        assert_eq!(cell.n, 3);
        check(&house).await;

        let again = import(&project, tone(), work()).await.unwrap();
        assert_eq!((again.worked, again.answers, again.questions), (0, 0, 0));
        assert_eq!((again.changes.new, again.changes.same), (0, 7));
        import::undo(services, manager, project.id, again.import).await.unwrap();
        import::undo(services, manager, project.id, summary.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
        check(&house).await;
    }
}

#[tokio::test]
async fn answers_are_the_projects_by_their_words() {
    for house in houses().await {
        let project = house.project().await;
        ask(&project, "Topics", AnswerKind::Several, "war\npeace\nlove").await;
        let scale = Scale::typed(["-1", "1", "0.5"], ["", ""]).unwrap();
        ask(&project, "Mood", AnswerKind::Number(scale), "").await;
        let files = || {
            vec![
                file("Topics.csv", "item,ana,bo\na,\"peace, war\",love\n"),
                file("Mood.csv", "item,ana,bo\na,'-0.50,1\nb,0,\n"),
            ]
        };
        let summary = import(&project, files(), work()).await.unwrap();
        assert_eq!((summary.documents, summary.questions, summary.answers), (2, 0, 5));
        assert_eq!(summary.worked, 3, "two answers about a document are one person's work on it");
        let told =
            import::preview(project.services(), &project.manager, project.id, files(), work());
        let told = told.await.unwrap();
        assert_eq!(told.questions[0].answers[1].0, "war, peace");
        assert_eq!(told.questions[1].answers[0].0, "-0.5");
        let changes = told.work.unwrap().changes;
        assert_eq!((changes.new, changes.same), (0, 3));

        let other = vec![file("Mood.csv", "item,ana,bo\na,1,1\n")];
        let found = problems(&project, other, work()).await;
        assert_eq!(found.len(), 1);
        assert!(found[0].2.contains("different answers about this document"), "{found:?}");
        let other = || vec![file("Mood.csv", "item,ana,bo\na,1,1\n")];
        let keeping = ImportOptions { keep_differing: true, ..work() };
        assert_eq!(import(&project, other(), keeping).await.unwrap().changes.kept, 1);
        check(&house).await;
    }
}

#[tokio::test]
async fn what_is_no_answer_is_refused_by_line_and_rater() {
    for house in houses().await {
        let project = house.project().await;
        ask(&project, "Tone", AnswerKind::One, "glad\nsad").await;
        let before = rows(&house).await;
        let wrong = vec![file("Tone.csv", "item,ana,bo\na,glad,Sad\nb,sad,sad\n")];
        let found = problems(&project, wrong, work()).await;
        let message = "\"Sad\" is no answer to \"Tone\"; expected one of glad, sad";
        assert_eq!(found, [(Some(2), Some("bo".to_owned()), message.to_owned())]);

        let many = (0..51).map(|at| format!("{at},word {at}")).collect::<Vec<_>>().join("\n");
        let many = vec![file("Words.csv", format!("item,ana\n{many}"))];
        let options = || {
            let mut options = work();
            options.files.set("format", "ratings-csv").unwrap();
            options
        };
        let found = problems(&project, many, options()).await;
        assert_eq!((found.len(), found[0].0), (1, Some(52)));
        assert!(found[0].2.starts_with("more than 50 different answers to \"Words\""), "{found:?}");

        let suggested = ImportOptions::default();
        let found = problems(&project, tone(), suggested).await;
        assert!(found[0].2.contains("the file holds answers of ana and one other"), "{found:?}");

        assert_eq!(rows(&house).await, before);
    }
}

/// Work of which that of bo is a model's.
fn of_a_model() -> ImportOptions {
    let people = [("bo".to_owned(), PersonChoice::model("tagger:2"))].into();
    ImportOptions { mapping: ImportMapping { people, ..ImportMapping::default() }, ..work() }
}

#[tokio::test]
async fn a_column_of_a_model_is_answers_of_its_own_and_goes_with_its_import() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        ask(&project, "Mood", AnswerKind::One, "glad\nsad").await;
        let before = rows(&house).await;
        let files = || {
            vec![
                tone().remove(0),
                file("Mood.csv", "item,text,ana,bo\n1,Gil met Hal.,sad,glad\n2,Ida left.,sad,\n"),
            ]
        };
        let summary = import(&project, files(), of_a_model()).await.unwrap();
        // Answers about a document from two tables are one work of a model on it, as of a person.
        assert_eq!((summary.worked, summary.model_documents), (4, 3));
        assert_eq!((summary.answers, summary.questions, summary.placeholders), (10, 1, 1));
        let model = models::list(services, manager, project.id).await.unwrap().remove(0);
        let documents = services::document::list(services, manager, project.id, 0).await.unwrap();
        let of = (project.id, model.id);
        let shown = models::load_document(services, manager, of, documents.rows[0].id).await;
        let shown = shown.unwrap();
        let words = |fact: &Fact| {
            let has = |it: &&Attribute| it.has(fact);
            let asked = shown.attributes.iter().find(has)?;
            Some((asked.name.clone(), asked.words(fact.choice?.answer)?))
        };
        let glad = |name: &str| Some((name.to_owned(), "glad".to_owned()));
        let found: Vec<_> = shown.spans.iter().map(words).collect();
        assert_eq!(found, [glad("Mood"), glad("Tone")]);
        check(&house).await;

        let again = import(&project, files(), of_a_model()).await.unwrap();
        assert_eq!((again.model_documents, again.answers, again.changes.same), (0, 0, 7));
        let other = || vec![file("Mood.csv", "item,text,ana,bo\n1,Gil met Hal.,sad,sad\n")];
        let found = problems(&project, other(), of_a_model()).await;
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].2.contains("tagger 2 already has different answers"), "{found:?}");

        // What somebody else's work answers stays, and so does what it answers.
        let tone = questions(&project).await.into_iter().find(|it| it.name == "Tone").unwrap();
        let new = NewModel {
            name: "other".to_owned(),
            version: "1".to_owned(),
            prompt_hash: String::new(),
            made_on: None,
        };
        let second = models::add(services, manager, project.id, new).await.unwrap();
        let answer = Fact::chosen(Span::DOCUMENT, tone.id, 0);
        let work = ModelWork { spans: vec![answer], prompt_hash: None };
        let save =
            models::save_work(services, manager, (project.id, second), documents.rows[3].id, work);
        save.await.unwrap();
        let undone = import::undo(services, manager, project.id, summary.import).await;
        let Refusal::Conflict(why) = refused(undone) else { panic!("undone") };
        assert!(why.contains("its questions were answered in other work (1)"), "{why}");
        models::remove(services, manager, project.id, second).await.unwrap();
        import::undo(services, manager, project.id, summary.import).await.unwrap();
        assert_eq!(rows(&house).await, before);
        check(&house).await;
    }
}

#[tokio::test]
async fn a_question_that_others_have_answered_is_not_undone() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let first = import(&project, tone(), work()).await.unwrap();
        let more = vec![file("Tone.csv", "item,ana,bo\nz,glad,sad\n")];
        let second = import(&project, more, work()).await.unwrap();
        let undone = import::undo(services, manager, project.id, first.import).await;
        assert!(matches!(refused(undone), Refusal::Conflict(_)));
        import::undo(services, manager, project.id, second.import).await.unwrap();
        import::undo(services, manager, project.id, first.import).await.unwrap();
        assert_eq!(questions(&project).await, []);
        check(&house).await;
    }
}

#[tokio::test]
async fn new_choices_stand_in_the_order_of_their_numbers_and_people_are_counted_once() {
    for house in houses().await {
        let project = house.project().await;
        let grades = "item,ana,bo\n1,10,9\n2,2 (poor),unsure\n3,NA,10\n";
        let files = || vec![file("Grade.csv", grades), file("Tone.csv", "item,ana,bo\n1,a,b\n")];
        let (services, manager) = (project.services(), &project.manager);
        let told = import::preview(services, manager, project.id, files(), work()).await.unwrap();
        let changes = told.work.unwrap().changes;
        assert_eq!(
            changes.new, 5,
            "of two questions about one document people have one piece of work"
        );
        let summary = import(&project, files(), work()).await.unwrap();
        assert_eq!(summary.worked, 5);
        let asked = questions(&project).await;
        let grade = asked.iter().find(|asked| asked.name == "Grade").unwrap();
        let names: Vec<_> = grade.choices.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!(names, ["2 (poor)", "9", "10", "unsure"]);
    }
}

#[tokio::test]
async fn a_table_of_answers_that_is_read_as_suggestions_is_refused_once() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let files = || vec![file("Tone.csv", TONE), file("Mood.csv", TONE)];
        let options = ImportOptions::default();
        let told = import::preview(services, manager, project.id, files(), options).await.unwrap();
        assert_eq!(told.problem_count, 2, "{:?}", told.problems);
    }
}
