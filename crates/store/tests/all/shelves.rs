//! What imports are going to bring, and how far they have come with it.

use domain::{Code, ImportAs, ImportId, ImportState};
use store::{
    Tx,
    document::{
        imports::{self, NewImport},
        shelf::{self, Shelved},
        unended_imports,
    },
    testing::stores,
};

use crate::sample::{at, sample};

/// An import that begins at a time.
async fn import(tx: &Tx, project: domain::ProjectId, second: i64) -> ImportId {
    let new = NewImport {
        by: None,
        at: at(second),
        import_as: ImportAs::Work,
        files: vec!["many.jsonl".to_owned()],
    };
    imports::insert(tx, project, new).await.unwrap()
}

#[tokio::test]
async fn documents_leave_the_shelf_whole_as_many_as_may_be_written_at_once() {
    for store in stores().await {
        let project = sample(&store).await.project;
        let tx = store.begin().await.unwrap();
        let (one, other) = (import(&tx, project, 0).await, import(&tx, project, 0).await);
        let put =
            |place, weight, content: &str| Shelved { place, weight, content: content.to_owned() };
        let first = [put(1, 4, "b"), put(0, 4, "a"), put(2, 90, "c")];
        shelf::put(&tx, one, &first).await.unwrap();
        shelf::put(&tx, one, &[put(0, 1, "more of a"), put(3, 1, "d")]).await.unwrap();
        shelf::put(&tx, other, &[put(0, 1, "elsewhere")]).await.unwrap();
        let next = async |after| {
            let next = shelf::next::<String>(&tx, one, after, 10).await.unwrap();
            let last = next.last().map(|shelved| shelved.place);
            (next.into_iter().map(|shelved| shelved.content).collect::<Vec<_>>(), last)
        };
        assert_eq!(
            next(None).await,
            (["a", "more of a", "b"].map(str::to_owned).to_vec(), Some(1))
        );
        assert!(shelf::remove(&tx, one, None, 1).await.unwrap());
        // One at least, however much there is to write of it.
        assert_eq!(next(None).await, (vec!["c".to_owned()], Some(2)));
        assert_eq!(next(Some(2)).await, (vec!["d".to_owned()], Some(3)));
        assert!(shelf::remove(&tx, one, Some(1), 2).await.unwrap());
        assert!(!shelf::remove(&tx, one, Some(2), 3).await.unwrap());
        assert_eq!(next(Some(3)).await, (Vec::new(), None));
        assert_eq!(shelf::clear(&tx, other, 5).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn an_import_ends_without_anything_only_until_it_is_decided() {
    for store in stores().await {
        let project = sample(&store).await.project;
        let tx = store.begin().await.unwrap();
        let [decided, open, alive] = [
            import(&tx, project, 0).await,
            import(&tx, project, 0).await,
            import(&tx, project, 20).await,
        ];
        assert_eq!(imports::decided_in(&tx, project).await.unwrap(), None);
        assert!(imports::decide(&tx, decided, &7, at(1)).await.unwrap());
        assert!(!imports::decide(&tx, decided, &8, at(1)).await.unwrap(), "once");
        assert_eq!(imports::decided_in(&tx, project).await.unwrap(), Some(decided));
        let found = imports::decision::<i32>(&tx, decided).await.unwrap();
        assert_eq!(found, Some((project, 7)));
        assert!(imports::keep_alive(&tx, decided, at(20)).await.unwrap());
        let unended = unended_imports::unended(&tx).await.unwrap();
        let told: Vec<_> =
            unended.iter().map(|it| (it.import, it.is_decided, it.alive_at)).collect();
        let expected = [
            (decided, true, Some(at(20))),
            (open, false, Some(at(0))),
            (alive, false, Some(at(20))),
        ];
        assert_eq!(told, expected);
        assert_eq!(imports::expecting(&tx).await.unwrap(), [project]);

        let why = Code::Interrupted.because("the server stopped");
        let call_off = async |id| {
            imports::call_off(&tx, id, ImportState::Failed, Some(&why), at(30)).await.unwrap()
        };
        assert!(!call_off(decided).await, "it is certain to come");
        let [_, mut found, _] = unended[..] else { panic!("three") };
        found.alive_at = Some(at(5));
        let abandoned = unended_imports::call_off_abandoned(&tx, &found, &why, at(30)).await;
        assert!(!abandoned.unwrap(), "it was heard of at another time");
        found.alive_at = Some(at(0));
        assert!(unended_imports::call_off_abandoned(&tx, &found, &why, at(30)).await.unwrap());
        assert!(!call_off(open).await, "it has ended");
        assert!(!imports::decide(&tx, open, &7, at(30)).await.unwrap());
        assert!(!imports::keep_alive(&tx, open, at(30)).await.unwrap());
        let left = [Shelved { place: 0, weight: 1, content: "left" }];
        shelf::put(&tx, open, &left).await.unwrap();
        shelf::put(&tx, alive, &left).await.unwrap();
        assert_eq!(unended_imports::with_leftovers(&tx).await.unwrap(), [open]);
    }
}
