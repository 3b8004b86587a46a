//! What imports are going to bring, and how far they have come with it.

use domain::{Code, ImportAs, ImportId, ImportState};
use store::{
    Tx,
    document::{
        imports::{self, NewImport},
        shelf::{self, Shelved},
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
        let next = async || {
            let next = shelf::next::<String>(&tx, one, 10).await.unwrap();
            let last = next.last().map(|shelved| shelved.place);
            (next.into_iter().map(|shelved| shelved.content).collect::<Vec<_>>(), last)
        };
        assert_eq!(next().await, (["a", "more of a", "b"].map(str::to_owned).to_vec(), Some(1)));
        assert!(shelf::remove(&tx, one, 1).await.unwrap());
        // One at least, however much there is to write of it.
        assert_eq!(next().await, (vec!["c".to_owned()], Some(2)));
        assert!(shelf::remove(&tx, one, 2).await.unwrap());
        assert!(!shelf::remove(&tx, one, 3).await.unwrap());
        assert_eq!(next().await, (Vec::new(), None));
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
        let abandoned =
            async |are_decided| imports::abandoned(&tx, at(10), are_decided).await.unwrap();
        assert_eq!(abandoned(true).await, [(project, decided)]);
        assert_eq!(abandoned(false).await, [(project, open)]);
        assert!(imports::keep_alive(&tx, decided, at(20)).await.unwrap());
        assert_eq!(abandoned(true).await, []);

        let why = Code::Interrupted.because("the server stopped");
        let give_up = async |id| {
            imports::give_up(&tx, id, ImportState::Failed, Some(&why), at(30)).await.unwrap()
        };
        assert!(!give_up(decided).await, "it is certain to come");
        assert!(give_up(open).await);
        assert!(!give_up(open).await, "it has ended");
        assert!(!imports::decide(&tx, open, &7, at(30)).await.unwrap());
        assert!(!imports::keep_alive(&tx, open, at(30)).await.unwrap());
        let left = [Shelved { place: 0, weight: 1, content: "left" }];
        shelf::put(&tx, open, &left).await.unwrap();
        shelf::put(&tx, alive, &left).await.unwrap();
        assert_eq!(imports::with_leftovers(&tx).await.unwrap(), [open]);
    }
}
