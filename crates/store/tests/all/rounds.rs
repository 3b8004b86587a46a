//! Rounds: every project has one from its start, and what nobody has touched moves into the next.

use domain::{Revision, WorkState};
use store::{
    agreement::ratings,
    document,
    project::{
        self,
        rounds::{self, NewRow},
    },
    review,
    testing::stores,
    work::assignments,
};

use crate::sample::{at, document, sample};

#[tokio::test]
async fn a_new_round_takes_the_documents_that_nobody_has_saved() {
    for store in stores().await {
        let sample = sample(&store).await;
        let [one, two, three] = sample.documents[..] else { panic!("three documents") };
        let tx = store.begin().await.unwrap();
        let first = rounds::current(&tx, sample.project).await.unwrap();
        // One has a saved assignment, two a saved review, three only an open assignment.
        assignments::insert_many(&tx, &[(one, sample.ann), (three, sample.ann)]).await.unwrap();
        let assignment = assignments::list_of_member(&tx, sample.ann).await.unwrap()[0].id;
        assert!(
            assignments::save(&tx, &[(assignment, Revision(0))], WorkState::Saved, at(1))
                .await
                .unwrap()
        );
        let review = review::find_or_create(&tx, two, sample.ray).await.unwrap();
        let saved = review::save(&tx, &[(review.id, Revision(0))], WorkState::Saved, at(1)).await;
        assert!(saved.unwrap());

        let by = Some(sample.users[0]);
        let new =
            NewRow { title: "Again", note: "with dates", guidelines_version: 1, by, at: at(9) };
        let second = rounds::insert(&tx, sample.project, new).await.unwrap();
        assert_eq!(rounds::move_untouched(&tx, sample.project, second).await.unwrap(), 1);
        assert_eq!(rounds::current(&tx, sample.project).await.unwrap(), second);
        let later = document::insert_many(&tx, sample.project, vec![document("four")], at(10));
        let later = later.await.unwrap()[0];
        tx.commit().await.unwrap();

        let listed = rounds::list(&*store, sample.project).await.unwrap();
        let told: Vec<_> = listed.iter().map(|of| (of.id, of.number, of.documents)).collect();
        assert_eq!(told, [(first, 1, 2), (second, 2, 2)]);
        assert_eq!((listed[0].started_at, listed[0].started_by.as_deref()), (at(0), None));
        assert_eq!((listed[1].started_at, listed[1].started_by.as_deref()), (at(9), Some("ann")));
        assert_eq!((listed[1].title.as_str(), listed[1].note.as_str()), ("Again", "with dates"));

        let snapshot = store.begin_read().await.unwrap();
        let (_, loaded) = ratings::load_project(&snapshot, sample.project).await.unwrap().unwrap();
        let by_document: Vec<_> = loaded.iter().map(|of| (of.document, of.round)).collect();
        assert_eq!(by_document, [(one, first), (two, first), (three, second), (later, second)]);
    }
}

#[tokio::test]
async fn rounds_are_counted_in_each_project_for_itself() {
    for store in stores().await {
        let tx = store.begin().await.unwrap();
        let new = NewRow { title: "", note: "", guidelines_version: 1, by: None, at: at(1) };
        for name in ["one", "two"] {
            let project = project::create(&tx, name, at(0)).await.unwrap();
            rounds::insert(&tx, project, new).await.unwrap();
            let listed = rounds::list(&tx, project).await.unwrap();
            let numbers: Vec<_> = listed.iter().map(|round| round.number).collect();
            assert_eq!(numbers, [1, 2], "{name}");
        }
    }
}
