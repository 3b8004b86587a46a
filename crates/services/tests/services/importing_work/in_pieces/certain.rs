//! What is decided comes, whatever stands in the database by then.

use chrono::TimeDelta;
use domain::{AssignTo, ImportMapping, ImportState, NewLabel, PersonChoice, Role};
use serde_json::json;
use services::{
    ServerKey, Services,
    document::{
        self,
        import::{self, ImportOptions},
    },
    project,
};
use sha2::{Digest, Sha256};
use store::{document::NewDocument, testing::tamper};

use super::{
    DOCUMENTS, as_work, begin, check, count, decide, file, files, go_on, is_decided, is_free,
    latest, recover,
};
use crate::house::{House, Project, houses};

/// The documents of [`files`] without anything marked, and "ana" is the project's labeler.
async fn as_known(project: &Project<'_>) -> ImportOptions {
    let line = |n: usize| json!({ "id": n, "text": format!("Gil met {n}.") }).to_string() + "\n";
    let content: String = (0..DOCUMENTS).map(line).collect();
    project.import(&[("plain.jsonl", &content)], ImportOptions::default()).await.unwrap();
    let ana = PersonChoice::Member(project.member(&project.labeler).await);
    let people = [("ana".to_owned(), ana)].into();
    ImportOptions { mapping: ImportMapping { people, ..ImportMapping::default() }, ..as_work() }
}

async fn rows_in(house: &House, table: &'static str) -> usize {
    usize::try_from(count(house, table).await).unwrap()
}

#[tokio::test]
async fn a_document_that_is_found_by_its_id_is_not_found_by_its_text_too() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        for documents in [3, DOCUMENTS] {
            let (id, text) = (documents.to_string(), format!("Gil met Ana {documents}."));
            let one = json!({ "id": id, "text": text }).to_string();
            let everyone = ImportOptions::default();
            project.import(&[("plain.jsonl", &one)], everyone).await.unwrap();
            let before = rows_in(&house, "document").await;
            let mut content = format!(
                "{}\n{}\n",
                json!({ "text": text, "spans": [{ "start": 0, "end": 3, "label": "PER" }] }),
                json!({ "id": id, "text": text, "spans": [] })
            );
            content.extend((0..documents * 4).map(|n| {
                let id = format!("{documents}-{n}");
                json!({ "id": id, "text": format!("Gil met {documents} {n}.") }).to_string() + "\n"
            }));
            let files = || vec![file("ana.jsonl", content.clone())];
            let done = import::import(services, manager, project.id, files(), as_work()).await;
            let done = done.unwrap();
            assert_eq!(rows_in(&house, "document").await, before + documents * 4 + 1);
            assert_eq!(done.worked, u64::try_from(documents * 4 + 2).unwrap());
            let again = import::import(services, manager, project.id, files(), as_work()).await;
            assert_eq!(again.unwrap().worked, 0, "it is found again");
            check(&house).await;
        }
    }
}

#[tokio::test]
async fn work_that_stands_twice_on_the_shelf_comes_once_in_one_piece_or_in_two() {
    for house in houses().await {
        let project = house.project().await;
        let options = as_known(&project).await;
        for place in ["place", "place + 1000"] {
            decide(&project, files(DOCUMENTS), options.clone()).await;
            let twice = format!(
                "INSERT INTO shelf (import_id, place, weight, content)
                 SELECT import_id, {place}, weight, content FROM shelf WHERE place < 20"
            );
            tamper(&house.store, &twice).await;
            recover(&house, project.services()).await;
            let record = latest(&project).await.unwrap();
            let summary = record.summary.unwrap();
            assert_eq!(
                (record.state, summary.worked, summary.spans),
                (ImportState::Done, 1_200, 2_400)
            );
            assert_eq!(summary.changes.kept, 60, "{place}");
            check(&house).await;
            import::undo(project.services(), &project.manager, project.id, record.id)
                .await
                .unwrap();
        }
    }
}

#[tokio::test]
async fn what_a_server_of_a_version_before_does_meanwhile_refuses_nothing() {
    for house in houses().await {
        let project = house.project().await;
        decide(&project, files(DOCUMENTS), as_work()).await;
        let tx = house.store.begin().await.unwrap();
        let new = |id: usize, text: String, sha256: String| NewDocument {
            external_id: Some(id.to_string()),
            name: id.to_string(),
            characters: 12,
            text,
            sha256,
            overlap: None,
        };
        let same = format!("{:x}", Sha256::digest("Gil met 399."));
        let documents = vec![
            new(399, "Gil met 399.".to_owned(), same),
            new(398, "Another one.".to_owned(), "another".to_owned()),
        ];
        let ids = store::document::insert_many(&tx, project.id, documents, house.now()).await;
        let ids = ids.unwrap();
        tx.commit().await.unwrap();
        tamper(&house.store, "DELETE FROM label WHERE name = 'LOC'").await;
        tamper(
            &house.store,
            "UPDATE member SET role = 'reviewer' WHERE user_id IN
                 (SELECT id FROM user_account WHERE name = 'cy')",
        )
        .await;
        recover(&house, project.services()).await;
        let record = latest(&project).await.unwrap();
        assert_eq!(record.state, ImportState::Done);
        let summary = record.summary.unwrap();
        assert_eq!((summary.documents, summary.worked, summary.changes.new), (399, 800, 800));
        assert_eq!((summary.changes.new_documents, summary.changes.known_documents), (399, 1));
        let of = async |id| store::document::imports::assignments_of(&*house.store, &[id]).await;
        assert_eq!(of(ids[0]).await.unwrap().len(), 2, "its text gets the work");
        assert_eq!(of(ids[1]).await.unwrap().len(), 0, "another text does not");
        check(&house).await;
    }
}

#[tokio::test]
async fn what_comes_later_comes_with_its_time_and_without_what_was_deleted_meanwhile() {
    for house in houses().await {
        let project = house.project().await;
        let options = as_known(&project).await;
        decide(&project, files(DOCUMENTS), options).await;
        let (services, manager) = (project.services(), &project.manager);
        let known = store::document::imports::known_documents(&*house.store, project.id).await;
        let known = known.unwrap();
        document::delete(services, manager, project.id, known[399].id).await.unwrap();
        house.pass(TimeDelta::days(2));
        let later = house.now();
        recover(&house, services).await;
        let summary = latest(&project).await.unwrap().summary.unwrap();
        assert_eq!((summary.worked, summary.changes.new, summary.changes.kept), (1_197, 1_197, 0));
        let member = project.member(&project.labeler).await;
        let of_labeler = store::work::assignments::list_of_member(&*house.store, member).await;
        let last = of_labeler.unwrap().into_iter().find(|it| it.document_name == "398").unwrap();
        let found = store::work::assignments::find(&*house.store, last.id).await.unwrap().unwrap();
        assert!(found.saved_at.unwrap() >= later, "{:?}", found.saved_at);
        check(&house).await;
    }
}

#[tokio::test]
async fn assignments_are_spread_evenly_over_all_pieces_also_where_a_labeler_joins_meanwhile() {
    for house in houses().await {
        let project = house.project().await;
        let second = project.with("second", Role::Labeler).await;
        let options = ImportOptions { assign: AssignTo::Some(1), ..ImportOptions::default() };
        let label = NewLabel::numbered("PER", 0);
        project::create_label(project.services(), &project.manager, project.id, label)
            .await
            .unwrap();
        let line = |n: usize| {
            json!({ "id": n, "text": "a".repeat(4_000) + &n.to_string() }).to_string() + "\n"
        };
        let content: String = (0..900).map(line).collect();
        let options = ImportOptions { assign: AssignTo::Some(1), create_labels: true, ..options };
        let mut import = begin(&project, vec![file("plain.jsonl", content)], options);
        while !is_decided(&project).await {
            assert!(go_on(&mut import).await.is_none());
        }
        while count(&house, "document").await == 0 || !is_free(&house).await {
            assert!(go_on(&mut import).await.is_none());
        }
        let third = project.with("third", Role::Labeler).await;
        let summary = import.await.unwrap();
        assert_eq!((summary.documents, summary.assignments), (900, 900));
        for labeler in [&project.labeler, &second, &third] {
            let member = project.member(labeler).await;
            let own = store::work::assignments::list_of_member(&*house.store, member).await;
            assert_eq!(own.unwrap().len(), 300);
        }
    }
}

#[tokio::test]
async fn a_project_is_deleted_on_another_server_while_something_comes() {
    for house in houses().await {
        let project = house.project().await;
        let second =
            Services::new(house.store.clone(), house.clock(), None, ServerKey::from([7; 32]));
        let mut import = begin(&project, files(900), as_work());
        while count(&house, "document").await == 0 {
            assert!(go_on(&mut import).await.is_none());
        }
        let delete = project::delete(&second, &project.manager, project.id, "Tragedies");
        let (outcome, deleted) = tokio::join!(import, delete);
        deleted.unwrap();
        assert!(outcome.is_err());
        assert_eq!((count(&house, "document").await, count(&house, "shelf").await), (0, 0));
    }
}

#[tokio::test]
async fn how_far_it_has_come_is_told_in_documents() {
    for house in houses().await {
        let project = house.project().await;
        let (services, manager) = (project.services(), &project.manager);
        let id = import::start(services, manager, project.id, files(DOCUMENTS), as_work()).await;
        let id = id.unwrap();
        let mut most = 0;
        loop {
            let record = import::load(services, manager, project.id, id).await.unwrap();
            if record.state != ImportState::Running {
                assert!(record.is_decided);
                break;
            }
            if let Some(progress) = record.progress.filter(|progress| progress.all_read) {
                assert_eq!(progress.read, 400);
                assert!(progress.stored <= 400, "{progress:?}");
                most = most.max(progress.stored);
            }
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
        }
        assert!(most > 0);
    }
}
