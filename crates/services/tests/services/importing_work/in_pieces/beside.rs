//! What people do while a large import comes.

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use domain::{
    Actor, AssignmentId, Fact, ImportMapping, ImportState, NewLabel, PersonChoice, Range, Role,
    SaveKey, SaveOutcome, SaveSpans, Span, Switches, WorkState,
};
use serde_json::json;
use services::{
    agreement,
    document::import::{self, ImportOptions},
    outside::verification,
    project,
    work::annotation,
};

use super::{DOCUMENTS, as_work, begin, check, count, files, go_on, is_decided};
use crate::house::{Project, houses};

/// What a labeler has in a project with as many documents as they are asked for, each with an assignment.
async fn assignments(project: &Project<'_>, documents: usize) -> Vec<AssignmentId> {
    let line = |n: usize| json!({ "id": n, "text": format!("Gil met {n}.") }).to_string() + "\n";
    let content: String = (0..documents).map(line).collect();
    project.import(&[("plain.jsonl", &content)], ImportOptions::default()).await.unwrap();
    let member = project.member(&project.labeler).await;
    let listed = store::work::assignments::list_of_member(&*project.house.store, member).await;
    listed.unwrap().into_iter().map(|assignment| assignment.id).collect()
}

/// Adds a span to an assignment of the labeler, or takes it away again.
async fn save(project: &Project<'_>, assignment: AssignmentId) -> SaveOutcome {
    static KEYS: AtomicU32 = AtomicU32::new(0);
    let (services, labeler) = (project.services(), &project.labeler);
    let found = annotation::load(services, labeler, assignment).await.unwrap().content;
    let labels = store::project::labels::list(&*project.house.store, project.id).await.unwrap();
    let span: Fact = Span { range: Range::new(0, 3), label: labels[0].id }.into();
    let (removed, added) =
        if found.spans.is_empty() { (Vec::new(), vec![span]) } else { (vec![span], Vec::new()) };
    let key = SaveKey(format!("key-{:08}", KEYS.fetch_add(1, Ordering::Relaxed)));
    let command = SaveSpans { assignment, base: found.revision, key, removed, added };
    annotation::save(services, labeler, command).await.unwrap()
}

#[tokio::test]
async fn people_save_in_the_same_project_and_in_others_while_much_comes() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (Arc::clone(project.services()), project.manager.clone());
        let label = NewLabel::numbered("PER", 0);
        project::create_label(&services, &manager, project.id, label.clone()).await.unwrap();
        let own = assignments(&project, 1).await[0];
        let id = project::create(&services, &manager, "Comedies".to_owned(), None).await.unwrap();
        let other = Project {
            house: &house,
            id,
            manager: manager.clone(),
            labeler: Actor::Anonymous,
            reviewer: Actor::Anonymous,
            outsider: Actor::Anonymous,
        };
        project::create_label(&services, &manager, id, label).await.unwrap();
        let other = Project { labeler: other.with("puck", Role::Labeler).await, ..other };
        let elsewhere = assignments(&other, 1).await[0];
        let tallies = async || {
            agreement::snapshot(&services, &manager, project.id, Switches::default()).await.unwrap()
        };
        tallies().await;
        let counted = services.counts();

        let (mut saves, mut during) = (0, [0; 2]);
        let files = files(900);
        let import = import::start(&services, &manager, project.id, files, as_work());
        let id = import.await.unwrap();
        let ended = loop {
            for assignment in [own, elsewhere] {
                let whose = if assignment == own { &project } else { &other };
                let outcome = save(whose, assignment).await;
                assert!(matches!(outcome, SaveOutcome::Saved { .. }));
                saves += 1;
            }
            let record = import::load(&services, &manager, project.id, id).await.unwrap();
            if record.state != ImportState::Running {
                break record;
            }
            tallies().await;
            during[usize::from(record.is_decided)] += 1;
        };
        assert_eq!(ended.summary.unwrap().worked, 2_700);
        assert!(during.iter().all(|saves| *saves > 0), "{during:?} of {saves}");
        // By the decision, which makes people and labels, and by a save that meets it.
        assert!(services.counts() - counted <= 2, "{} counts", services.counts() - counted);
        let report = verification::live(&services, &manager, project.id).await.unwrap();
        assert_eq!(report.problems, Vec::<String>::new());
        check(&house).await;
    }
}

#[tokio::test]
async fn whoever_has_begun_since_it_was_decided_keeps_what_they_have() {
    for house in houses().await {
        let project = house.project().await;
        let label = NewLabel::numbered("PER", 0);
        project::create_label(project.services(), &project.manager, project.id, label)
            .await
            .unwrap();
        let own = assignments(&project, DOCUMENTS).await;
        let ana = PersonChoice::Member(project.member(&project.labeler).await);
        let people = [("ana".to_owned(), ana)].into();
        let mapping = ImportMapping { people, ..ImportMapping::default() };
        let mut import = begin(&project, files(DOCUMENTS), ImportOptions { mapping, ..as_work() });
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        let last = own[DOCUMENTS - 1];
        let (summary, saved) = tokio::join!(import, save(&project, last));
        assert!(matches!(saved, SaveOutcome::Saved { .. }));
        let summary = summary.unwrap();
        assert_eq!((summary.documents, summary.worked), (0, 1_199));
        assert_eq!((summary.changes.new, summary.changes.kept), (1_199, 1));
        let (services, labeler) = (project.services(), &project.labeler);
        let content = annotation::load(services, labeler, last).await.unwrap().content;
        assert_eq!((content.state, content.spans.len()), (WorkState::Saved, 1));
        let content = annotation::load(services, labeler, own[0]).await.unwrap().content;
        assert_eq!((content.state, content.spans.len()), (WorkState::Submitted, 2));
        check(&house).await;
        import::undo(services, &project.manager, project.id, summary.import).await.unwrap();
        assert_eq!(count(&house, "span").await, 1);
        check(&house).await;
    }
}
