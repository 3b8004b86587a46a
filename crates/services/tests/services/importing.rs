//! Importing: who may, what is refused, that a bad file stores nothing.

use std::collections::BTreeMap;

use crate::house::{Project, houses, invalid_field, refused, uploaded};
use domain::{AssignTo, Error as Refusal, ImportProblem, NewLabel, Role, Span};
use services::{
    Result,
    document::import::{self, ImportOptions, MAX_UPLOAD_BYTES, UploadedFile},
    project, work,
};

const NEWS: &str = concat!(
    r#"{"id": "n1", "text": "EU rejects", "spans": [{"start": 0, "end": 2, "label": "ORG"}]}"#,
    "\n",
    r#"{"id": "n2", "text": "🥳 Paris", "spans": [{"start": 2, "end": 7, "label": "LOC"}]}"#,
    "\n",
);

fn creating() -> ImportOptions {
    ImportOptions { create_labels: true, ..ImportOptions::default() }
}

fn problems<T>(result: Result<T>) -> Vec<ImportProblem> {
    match refused(result) {
        Refusal::InvalidImport(problems) => problems,
        other => panic!("the files must be refused, not {other:?}"),
    }
}

async fn documents(project: &Project<'_>) -> u64 {
    store::document::count(&*project.house.store, project.id).await.unwrap()
}

#[tokio::test]
async fn importing_is_for_managers() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let files = || uploaded(&[("a.txt", "one")]);
        project
            .is_for_managers(async |actor| {
                import::preview(services, actor, project.id, files(), ImportOptions::default())
                    .await
            })
            .await;
        project
            .is_for_managers(async |actor| {
                import::import(services, actor, project.id, files(), creating()).await
            })
            .await;
        assert_eq!(documents(&project).await, 0);
    }
}

#[tokio::test]
async fn a_preview_says_what_would_come_and_stores_nothing() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let before = project.revision().await;
        let files = uploaded(&[("news.jsonl", NEWS), ("plain.txt", "Just a text.")]);
        let preview = import::preview(services, &project.manager, project.id, files, creating());
        let preview = preview.await.unwrap();
        assert_eq!(preview.problems, []);
        assert_eq!(preview.new_labels, ["ORG", "LOC"]);
        let [news, plain] = &preview.files[..] else { panic!("two files") };
        assert_eq!(news.format.as_deref(), Some("JSON Lines"));
        assert_eq!((news.documents, news.characters, news.spans), (2, 17, 2));
        assert_eq!(news.samples[1], ("n2".to_owned(), "🥳 Paris".to_owned()));
        assert_eq!((plain.documents, plain.spans), (1, 0));
        assert_eq!(documents(&project).await, 0);
        assert_eq!(project.revision().await, before);
    }
}

#[tokio::test]
async fn documents_come_with_suggestions_labels_and_an_assignment_for_everyone() {
    for house in houses().await {
        let project = house.project().await;
        let services = &house.services;
        let second = project.with("second", Role::Labeler).await;
        let present = NewLabel::numbered("PER", 1);
        project::create_label(services, &project.manager, project.id, present).await.unwrap();
        let summary = project.import(&[("news.jsonl", NEWS)], creating()).await.unwrap();
        assert_eq!((summary.documents, summary.suggestions, summary.assignments), (2, 2, 4));
        let labels = store::project::labels::list(&*house.store, project.id).await.unwrap();
        let described: Vec<_> = labels.iter().map(|l| (l.name.as_str(), l.hotkey)).collect();
        assert_eq!(
            described,
            [("PER", Some('2')), ("ORG", None), ("LOC", Some('3'))],
            "a hotkey that is taken stays where it is"
        );
        let names = store::document::names(&*house.store, project.id).await.unwrap();
        let suggested = store::work::suggestions::list(&*house.store, names[1].0).await.unwrap();
        assert_eq!(suggested, [Span::new(2, 7, labels[2].id)]);
        for labeler in [&project.labeler, &second] {
            let work = work::load(services, labeler, project.id).await.unwrap();
            assert_eq!(work.counts.open, 2);
            assert_eq!(work.assignments[0].spans, 0, "a suggestion is no mark");
        }
        assert_eq!(project.actions().await.last().unwrap(), "import documents");
    }
}

#[tokio::test]
async fn one_bad_line_keeps_everything_out() {
    for house in houses().await {
        let project = house.project().await;
        let before = (project.revision().await, project.actions().await);
        let bad = format!("{NEWS}{}\n", r#"{"id": "n3", "text": 3}"#);
        let result = project.import(&[("good.txt", "good"), ("bad.jsonl", &bad)], creating()).await;
        let problems = problems(result);
        assert_eq!(problems.len(), 1);
        assert_eq!((problems[0].file.as_str(), problems[0].line), ("bad.jsonl", Some(3)));
        assert_eq!(problems[0].field.as_deref(), Some("text"));
        assert_eq!(documents(&project).await, 0);
        assert!(store::project::labels::list(&*house.store, project.id).await.unwrap().is_empty());
        assert_eq!((project.revision().await, project.actions().await), before);
    }
}

#[tokio::test]
async fn unknown_labels_are_errors_unless_they_are_to_be_added() {
    for house in houses().await {
        let project = house.project().await;
        let known = ImportOptions::default();
        let told = problems(project.import(&[("news.jsonl", NEWS)], known.clone()).await);
        let fields: Vec<_> = told.iter().map(|problem| problem.field.as_deref()).collect();
        assert_eq!(fields, [Some("spans[0].label"), Some("spans[0].label")]);
        let blank = r#"{"text": "EU", "spans": [{"start": 0, "end": 2, "label": "ORG "}]}"#;
        let told = problems(project.import(&[("news.jsonl", blank)], creating()).await);
        assert_eq!(told[0].field.as_deref(), Some("label"), "by the rules of labels typed in");
        project.import(&[("news.jsonl", NEWS)], creating()).await.unwrap();
        let more = NEWS.replace("n1", "m1").replace("n2", "m2");
        project.import(&[("more.jsonl", &more)], known).await.unwrap();
        assert_eq!(documents(&project).await, 4);
    }
}

#[tokio::test]
async fn an_id_occurs_once_in_an_upload_and_once_in_a_project() {
    for house in houses().await {
        let project = house.project().await;
        let twice = project.import(&[("a.jsonl", NEWS), ("b.jsonl", NEWS)], creating()).await;
        let told: Vec<_> = problems(twice).into_iter().map(|p| (p.file, p.line)).collect();
        assert_eq!(told, [("b.jsonl".to_owned(), Some(1)), ("b.jsonl".to_owned(), Some(2))]);
        project.import(&[("a.jsonl", NEWS)], creating()).await.unwrap();
        let again = problems(project.import(&[("a.jsonl", NEWS)], creating()).await);
        assert_eq!(again.len(), 2);
        assert_eq!((again[0].line, again[0].field.as_deref()), (Some(1), Some("id")));
        assert_eq!(documents(&project).await, 2);
    }
}

#[tokio::test]
async fn the_first_hundred_problems_are_told_and_all_are_counted() {
    for house in houses().await {
        let project = house.project().await;
        let bad = "{}\n".repeat(250);
        let files = || uploaded(&[("bad.jsonl", &bad), ("notes.docx", "")]);
        let preview = import::preview(
            &house.services,
            &project.manager,
            project.id,
            files(),
            ImportOptions::default(),
        );
        let preview = preview.await.unwrap();
        assert_eq!((preview.problems.len(), preview.problem_count), (100, 251));
        assert_eq!(preview.files[1].format, None);
        let import =
            import::import(&house.services, &project.manager, project.id, files(), creating());
        assert_eq!(problems(import.await).len(), 100);
    }
}

#[tokio::test]
async fn uploads_beyond_the_limits_are_refused_with_the_limit() {
    for house in houses().await {
        let project = house.project().await;
        let import = async |files| {
            import::import(&house.services, &project.manager, project.id, files, creating()).await
        };
        assert_eq!(invalid_field(import(Vec::new()).await), "files");
        let half = || UploadedFile {
            name: "a.txt".to_owned(),
            bytes: vec![b'a'; MAX_UPLOAD_BYTES / 2 + 1],
        };
        assert_eq!(invalid_field(import(vec![half(), half()]).await), "files");
        let many = "{\"text\": \"a\"}\n".repeat(100_001);
        assert_eq!(invalid_field(import(uploaded(&[("many.jsonl", &many)])).await), "files");
        let long = problems(import(uploaded(&[("long.txt", &"a".repeat(5_000_001))])).await);
        assert_eq!(long[0].field.as_deref(), Some("text"));
        let id = format!(r#"{{"text": "a", "id": "{}"}}"#, "i".repeat(201));
        let long = problems(import(uploaded(&[("id.jsonl", &id)])).await);
        assert_eq!(long[0].field.as_deref(), Some("id"));
        assert_eq!(documents(&project).await, 0);
    }
}

#[tokio::test]
async fn assignments_for_a_few_are_spread_evenly_over_labelers_and_pairs() {
    for house in houses().await {
        let project = house.project().await;
        for name in ["b", "c", "d"] {
            project.with(name, Role::Labeler).await;
        }
        let two = ImportOptions { assign: AssignTo::Some(2), ..Default::default() };
        let text = "{\"text\": \"a\"}\n";
        let summary = project.import(&[("a.jsonl", &text.repeat(5))], two.clone()).await.unwrap();
        assert_eq!(summary.assignments, 10);
        let summary = project.import(&[("b.jsonl", &text.repeat(7))], two).await.unwrap();
        assert_eq!(summary.assignments, 14);
        let loads = store::work::assignments::loads(&*house.store, project.id).await.unwrap();
        assert!(loads.iter().all(|(_, load)| *load == 6), "{loads:?}");
        let page = store::document::list(&*house.store, project.id, 0, 50).await.unwrap();
        let mut pairs: BTreeMap<Vec<_>, u32> = BTreeMap::new();
        for card in page.rows {
            *pairs
                .entry(card.assignments.iter().map(|assignment| assignment.member).collect())
                .or_default() += 1;
        }
        assert_eq!(pairs.len(), 6, "every pair shares documents: {pairs:?}");
        project.with("late", Role::Labeler).await;
        let loads = store::work::assignments::loads(&*house.store, project.id).await.unwrap();
        assert_eq!(loads.last().unwrap().1, 0, "these documents are not for everyone");
    }
}

#[tokio::test]
async fn more_assignments_than_labelers_are_refused() {
    for house in houses().await {
        let project = house.project().await;
        for assignments in [0, 2] {
            let options =
                ImportOptions { assign: AssignTo::Some(assignments), ..Default::default() };
            let result = project.import(&[("a.txt", "one")], options).await;
            assert_eq!(invalid_field(result), "assign");
        }
        assert_eq!(documents(&project).await, 0);
    }
}
