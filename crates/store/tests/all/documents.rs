//! Documents, suggestions, and who has come how far with them.

use domain::{DocumentId, Revision, Span, WorkState};
use store::{
    Error, Neighbours,
    document::{self, NewDocument},
    project::{self, labels, members},
    review,
    testing::{on, stores},
    work::{assignments, spans, suggestions},
};

use crate::sample::{at, document, sample};

#[tokio::test]
async fn documents_come_back_as_they_went_in_and_ids_in_order() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "many", at(0)).await.unwrap();
        // More than one statement holds, on either engine.
        let new: Vec<_> = (0..8_000)
            .map(|n| NewDocument {
                text: format!("text {n} 👍🏽\r\n"), ..document(&n.to_string())
            })
            .collect();
        let ids = document::insert_many(&tx, project, new, at(0)).await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(ids.len(), 8_000);
        assert_eq!(document::count(&*store, project).await.unwrap(), 8_000);
        let texts = document::texts(&*store, &ids).await.unwrap();
        for (n, id) in ids.iter().enumerate() {
            assert_eq!(texts[id], (n.to_string(), format!("text {n} 👍🏽\r\n")));
        }
        let one = document::find(&*store, ids[7_999]).await.unwrap().unwrap();
        assert_eq!((one.project, one.name.as_str(), one.characters), (project, "7999", 19));
    }
}

#[tokio::test]
async fn an_external_id_occurs_once_in_a_project() {
    for store in stores().await {
        let sample = sample(&store).await;
        let named = |id: &str| NewDocument { external_id: Some(id.to_owned()), ..document(id) };
        let tx = store.begin().await.unwrap();
        let other = project::create(&tx, "other", at(0)).await.unwrap();
        for project in [sample.project, other] {
            document::insert_many(&tx, project, vec![named("a"), named("b")], at(0)).await.unwrap();
        }
        let again = document::insert_many(&tx, other, vec![named("c"), named("a")], at(0)).await;
        assert!(matches!(again, Err(Error::Duplicate("id"))), "{again:?}");
    }
}

#[tokio::test]
async fn a_page_has_its_documents_the_total_and_everybodys_progress() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [one, two, three] = sample.documents[..] else { panic!("three documents") };
        let tx = store.begin().await.unwrap();
        let assignments = [(one, sample.ann), (one, sample.ben), (two, sample.ben)];
        assignments::insert_many(&tx, &assignments).await.unwrap();
        let assignment = assignments::list_of_member(&tx, sample.ben).await.unwrap()[0].id;
        assert!(
            assignments::save(&tx, &[(assignment, Revision(0))], WorkState::Saved, at(1))
                .await
                .unwrap()
        );
        review::find_or_create(&tx, two, sample.ray).await.unwrap();
        tx.commit().await.unwrap();

        let before = store.statements();
        let page = document::list(&*store, sample.project, 0, 2).await.unwrap();
        // The page, the total, the assignments, and what stands beside them in two tables.
        assert_eq!(store.statements() - before, 5);
        assert_eq!((page.total, page.number, page.size), (3, 0, 2));
        let ids: Vec<_> = page.rows.iter().map(|card| card.id).collect();
        assert_eq!(ids, [one, two]);
        let assignments = |n: usize| {
            page.rows[n]
                .assignments
                .iter()
                .map(|assignment| (assignment.member, assignment.state))
                .collect::<Vec<_>>()
        };
        assert_eq!(assignments(0), [(sample.ann, WorkState::Open), (sample.ben, WorkState::Saved)]);
        assert_eq!(assignments(1), [(sample.ben, WorkState::Open)]);
        assert_eq!(page.rows[0].reviews, []);
        assert_eq!(page.rows[1].reviews[0].member, sample.ray);
        assert_eq!((page.rows[1].characters, page.rows[1].created_at), (19, at(0)));

        let last = document::list(&*store, sample.project, 1, 2).await.unwrap();
        assert_eq!(last.rows.iter().map(|card| card.id).collect::<Vec<_>>(), [three]);
        let past = document::list(&*store, sample.project, 2, 2).await.unwrap();
        assert_eq!((past.rows.len(), past.total), (0, 3));

        let tx = store.begin().await.unwrap();
        for member in [sample.ann, sample.ben] {
            members::remove(&tx, sample.project, member, at(2)).await.unwrap();
        }
        let page = document::list(&tx, sample.project, 0, 2).await.unwrap();
        let assignments: Vec<_> =
            page.rows[0].assignments.iter().map(|assignment| assignment.member).collect();
        assert_eq!(assignments, [sample.ben], "of who was removed, what was begun is shown");
        assert_eq!(page.rows[1].assignments, []);
    }
}

#[tokio::test]
async fn an_empty_project_has_an_empty_page() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let project = project::create(&tx, "empty", at(0)).await.unwrap();
        let page = document::list(&tx, project, 0, 50).await.unwrap();
        assert_eq!((page.rows.len(), page.total, page.pages()), (0, 0, 1));
    }
}

#[tokio::test]
async fn a_document_knows_its_neighbours_in_its_project() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [one, two, three] = sample.documents[..] else { panic!("three documents") };
        let db = &*store;
        let middle = document::neighbours(db, sample.project, two).await.unwrap();
        assert_eq!(
            middle,
            Some(Neighbours { previous: Some(one), next: Some(three), place: 2, places: 3 })
        );
        let last = document::neighbours(db, sample.project, three).await.unwrap().unwrap();
        assert_eq!((last.previous, last.next, last.place), (Some(two), None, 3));
        let none = document::neighbours(db, sample.project, DocumentId(0)).await.unwrap();
        assert_eq!(none, None);
    }
}

#[tokio::test]
async fn who_joins_later_gets_the_documents_for_everyone() {
    for store in stores().await {
        let sample = sample(&store).await;
        let tx = store.begin().await.unwrap();
        let some = vec![NewDocument { overlap: Some(2), ..document("some") }];
        document::insert_many(&tx, sample.project, some, at(0)).await.unwrap();
        let open = document::open_to_everyone(&tx, sample.project).await.unwrap();
        assert_eq!(open, sample.documents);
        let names = document::names(&tx, sample.project).await.unwrap();
        let names: Vec<_> = names.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["one", "two", "three", "some"]);
    }
}

#[tokio::test]
async fn deleting_a_document_takes_all_work_on_it_along_and_nothing_else() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [one, two, _] = sample.documents[..] else { panic!("three documents") };
        let span = Span::new(0, 2, sample.labels[0]);
        let tx = store.begin().await.unwrap();
        assignments::insert_many(&tx, &[(one, sample.ann), (two, sample.ann)]).await.unwrap();
        let assignments = assignments::list_of_member(&tx, sample.ann).await.unwrap();
        for assignment in &assignments {
            spans::insert_many(&tx, &on(assignment.id, &[span])).await.unwrap();
        }
        suggestions::insert_many(&tx, &[(one, span), (two, span)]).await.unwrap();
        review::find_or_create(&tx, one, sample.ray).await.unwrap();
        let other = project::create(&tx, "other", at(0)).await.unwrap();
        assert!(!document::delete(&tx, other, one).await.unwrap(), "not of that project");
        assert!(document::delete(&tx, sample.project, one).await.unwrap());
        tx.commit().await.unwrap();

        let db = &*store;
        assert_eq!(document::find(db, one).await.unwrap(), None);
        assert_eq!(assignments::find(db, assignments[0].id).await.unwrap(), None);
        assert_eq!(spans::list(db, assignments[0].id).await.unwrap(), []);
        assert_eq!(suggestions::list(db, one).await.unwrap(), []);
        assert_eq!(review::find(db, one, sample.ray).await.unwrap(), None);
        assert_eq!(spans::list(db, assignments[1].id).await.unwrap(), [span]);
        assert_eq!(suggestions::list(db, two).await.unwrap(), [span]);
        assert_eq!(labels::list(db, sample.project).await.unwrap().len(), 2);
    }
}
