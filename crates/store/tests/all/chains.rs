//! The audit trail's chains: whatever somebody does to a row behind our back is found.

use std::collections::{BTreeMap, BTreeSet};

use domain::{AuditEvent, ProjectId, Revision};
use rand::{Rng, SeedableRng, rngs::StdRng};
use sea_orm::{ConnectionTrait, Database, DatabaseConnection};
use store::{
    Store,
    outside::audit::{self, Audit, Filter, Mac, Notes, begin, chains, check, heads},
    testing::{TestStore, another_signer, signer, stores},
};

use crate::sample::{Sample, at, sample};

/// How many rows each chain has.
const ROWS: i64 = 40;

/// How many notes were erased: those of every fourth row that its user wrote, and none of every
/// twentieth, which nobody did.
const ERASED: usize = 24;

/// Where each chain ended, by its number and place.
type Heads = BTreeMap<Option<ProjectId>, BTreeMap<i64, Mac>>;

async fn note(store: &Store, project: Option<ProjectId>, number: i64, sample: &Sample) {
    let all = AuditEvent::ALL;
    let tx = store.begin().await.unwrap();
    let row = Audit {
        project,
        user: (number % 5 > 0).then(|| sample.users[usize::try_from(number % 2).unwrap()]),
        at: at(number),
        event: match number % 4 {
            0 => AuditEvent::SaveLabel,
            _ => all[usize::try_from(number).unwrap() % all.len()],
        },
        subject: format!("thing {number}"),
        detail: match number % 4 {
            0 => serde_json::json!({ "number": number, "name": format!("name {number}") }),
            _ => serde_json::json!({ "number": number }),
        },
        revision: (number % 3 > 0).then_some(Revision(number)),
    };
    audit::append(&tx, row).await.unwrap();
    tx.commit().await.unwrap();
}

/// Three chains; their heads were exported now and then.
async fn trail(store: &TestStore) -> (Sample, Heads) {
    let sample = sample(store).await;
    let other = {
        let tx = store.begin().await.unwrap();
        let id = store::project::create(&tx, "Macbeth", at(0)).await.unwrap();
        tx.commit().await.unwrap();
        id
    };
    let mut told = Heads::new();
    for number in 1..=ROWS {
        for project in [None, Some(sample.project), Some(other)] {
            note(store, project, number, &sample).await;
        }
        if number % 10 == 0 {
            for head in heads(&**store).await.unwrap() {
                told.entry(head.project).or_default().insert(head.place, head.mac);
            }
        }
    }
    // What one of them wrote is erased in all of them.
    let tx = store.begin().await.unwrap();
    assert_eq!(audit::erase(&tx, Notes::Of(sample.users[0])).await.unwrap(), ERASED);
    tx.commit().await.unwrap();
    (sample, told)
}

/// Everything that is wrong with the chains that there are, and those that there were.
async fn problems(store: &Store, told: &Heads) -> Vec<String> {
    let db = store.begin_read().await.unwrap();
    let there = chains(&db).await.unwrap();
    let known: BTreeSet<_> = there.into_iter().chain(told.keys().copied()).collect();
    let mut problems = Vec::new();
    for chain in known {
        let of_chain = told.get(&chain).cloned().unwrap_or_default();
        problems.extend(check(&db, chain, &signer(), &of_chain).await.unwrap().problems);
    }
    problems
}

/// One of so many, the same in every run.
fn below(dice: &mut StdRng, n: i64) -> i64 {
    dice.random_range(0..n)
}

/// What an intruder who can write to the database, and has not the key, may do to the trail.
fn tampering(dice: &mut StdRng, chains: &[i64]) -> Vec<String> {
    let chain = chains[usize::try_from(below(dice, 3)).unwrap()];
    let other = chains[usize::try_from(below(dice, 3)).unwrap()];
    let (place, more) = (1 + below(dice, ROWS), 1 + below(dice, 5));
    let row = format!("WHERE chain = {chain} AND place = {place}");
    let set = |what: &str| vec![format!("UPDATE audit SET {what} {row}")];
    let columns = "at, user_id, event, subject, detail, revision, mac, note, note_mac, amended";
    let from = |column: &str| {
        let place = place % ROWS + 1;
        format!(
            "{column} = (SELECT {column} FROM audit it WHERE it.chain = {other} AND it.place = {place})"
        )
    };
    match below(dice, 28) {
        0 => set("at = '2030-01-01 00:00:00+00:00'"),
        1 => set("user_id = COALESCE(user_id, 0) + 1"),
        2 => vec![format!("UPDATE audit SET user_id = NULL {row} AND user_id IS NOT NULL")],
        3 => set("event = CASE event WHEN 'join' THEN 'invite' ELSE 'join' END"),
        4 => set("subject = subject || ' '"),
        5 => set("detail = REPLACE(detail, '{', '{ ')"),
        6 => set("revision = COALESCE(revision, 0) + 1"),
        7 => vec![format!("UPDATE audit SET revision = NULL {row} AND revision IS NOT NULL")],
        8 => set("mac = NULL"),
        9 => vec![format!(
            "UPDATE audit SET mac = (SELECT mac FROM audit it WHERE it.chain = {other}
                 AND it.place = {}) {row}",
            place % ROWS + 1
        )],
        10 => set(&format!("place = {}", ROWS + more)),
        11 => set(&format!("place = {}", 1 - more)),
        12 => set(&format!("chain = {other}, place = {}", ROWS + 1)),
        13 => set("chain = 999"),
        // What stands beside the chain, and what says that it was erased.
        19 => set("note = note || ' '"),
        20 => set("note = REPLACE(note, 'name', 'nama')"),
        21 => set("note = '00000000000000000000000000000000{}'"),
        22 => set("note = NULL"),
        23 => set("note_mac = NULL"),
        24 => set("note = NULL, note_mac = NULL"),
        25 => set("amended = NULL"),
        26 => set(&from(["note", "note_mac", "amended"][usize::try_from(more % 3).unwrap()])),
        // Rows that go, in the middle or at the end; a whole chain.
        14 => vec![format!("DELETE FROM audit {row}")],
        15 => vec![format!(
            "DELETE FROM audit WHERE chain = {chain} AND place BETWEEN {place} AND {}",
            place + more
        )],
        16 => vec![format!("DELETE FROM audit WHERE chain = {chain} AND place > {}", place - 1)],
        17 => {
            // Two rows change places.
            let second = place % ROWS + 1;
            let go = |from: i64, to: i64| {
                format!("UPDATE audit SET place = {to} WHERE chain = {chain} AND place = {from}")
            };
            vec![go(place, -1000), go(second, place), go(-1000, second)]
        }
        18 => vec![format!(
            "INSERT INTO audit (chain, place, {columns})
             SELECT {chain}, {}, {columns} FROM audit WHERE chain = {other} AND place = {place}",
            ROWS + 1
        )],
        // A row goes and those after it close the gap, one by one: also where places must not meet.
        _ => {
            let mut all = vec![format!("DELETE FROM audit {row}")];
            all.extend((place + 1..=ROWS).map(|later| {
                format!(
                    "UPDATE audit SET place = {} WHERE chain = {chain} AND place = {later}",
                    later - 1
                )
            }));
            all
        }
    }
}

async fn run(connection: &DatabaseConnection, statement: &str) {
    connection.execute_unprepared(statement).await.unwrap_or_else(|e| panic!("{statement}: {e}"));
}

#[tokio::test]
async fn each_of_a_thousand_tamperings_is_found() {
    for store in stores().await {
        let (sample, told) = trail(&store).await;
        assert_eq!(problems(&store, &told).await, Vec::<String>::new());
        let connection = Database::connect(store.url()).await.unwrap();
        run(&connection, "CREATE TABLE audit_good AS SELECT * FROM audit").await;
        let numbers: Vec<_> = told.keys().map(|chain| chain.map_or(0, |it| it.0)).collect();
        assert_eq!((numbers.len(), numbers.contains(&sample.project.0)), (3, true));
        let changed =
            "SELECT COUNT(*) FROM (SELECT * FROM audit EXCEPT SELECT * FROM audit_good) it";
        let gone = "SELECT COUNT(*) FROM (SELECT * FROM audit_good EXCEPT SELECT * FROM audit) it";
        let mut dice = StdRng::seed_from_u64(7);
        let mut found = 0;
        while found < 1000 {
            let statements = tampering(&mut dice, &numbers);
            for statement in &statements {
                run(&connection, statement).await;
            }
            let mut differing = 0_i64;
            for select in [changed, gone] {
                let engine = connection.get_database_backend();
                let count = sea_orm::Statement::from_string(engine, select);
                let row = connection.query_one_raw(count).await.unwrap().unwrap();
                differing += row.try_get_by_index::<i64>(0).unwrap();
            }
            // Some change nothing, such as emptying what is empty.
            if differing > 0 {
                let problems = problems(&store, &told).await;
                assert_ne!(problems, Vec::<String>::new(), "{statements:?}");
                found += 1;
            } else {
                assert_eq!(problems(&store, &told).await, Vec::<String>::new(), "{statements:?}");
            }
            run(&connection, "DELETE FROM audit").await;
            run(&connection, "INSERT INTO audit SELECT * FROM audit_good").await;
        }
        assert_eq!(problems(&store, &told).await, Vec::<String>::new());
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn what_is_personal_can_be_erased_and_nothing_else() {
    for store in stores().await {
        let (sample, told) = trail(&store).await;
        let connection = Database::connect(store.url()).await.unwrap();
        let rows = audit::stretch(&*store, None, None, 100).await.unwrap();
        let kept: Vec<_> = rows.iter().filter_map(audit::AuditEntry::note).collect();
        assert_eq!(kept, [r#"{"name":"name 20"}"#, r#"{"name":"name 40"}"#]);
        assert_eq!(rows.iter().filter(|row| row.is_erased()).count(), ERASED / 3);
        assert!(rows.iter().all(|row| !row.detail.contains("name") || row.note().is_none()));
        let checked = check(&*store, None, &signer(), &told[&None]).await.unwrap();
        assert_eq!((checked.erased, checked.amended, checked.problems.len()), (8, 0, 0));

        let of_project = format!("WHERE chain = {} AND place", sample.project);
        let edit =
            format!("UPDATE audit SET note = REPLACE(note, 'name 2', 'n') {of_project} = 20");
        run(&connection, &edit).await;
        run(&connection, &format!("UPDATE audit SET detail = '{{}}' {of_project} = 40")).await;
        // What somebody changed is erased, too, and is still seen to be changed.
        let expected = [
            "what is noted beside row 20 was changed or removed",
            "row 40 was changed, or does not belong here",
            "row 40 is another than the exported head says",
        ];
        assert_eq!(problems(&store, &told).await, expected[..2]);
        let tx = store.begin().await.unwrap();
        assert_eq!(audit::erase(&tx, Notes::In(sample.project)).await.unwrap(), 2);
        tx.commit().await.unwrap();
        assert_eq!(problems(&store, &told).await, expected[..2]);
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn with_another_key_what_is_done_from_then_on_is_found() {
    for store in stores().await {
        let (sample, told) = trail(&store).await;
        let connection = Database::connect(store.url()).await.unwrap();
        let sign_anew = async |store: &Store| {
            let tx = store.begin().await.unwrap();
            let rows = audit::sign_anew(&tx).await.unwrap();
            tx.commit().await.unwrap();
            rows
        };
        let (mut found, mut amended) = (0, 0);
        assert_eq!(sign_anew(&store).await, 0, "with its own key there is nothing to sign");
        run(&connection, "UPDATE audit SET mac = NULL WHERE chain = 0 AND place = 3").await;
        let store = Store::clone(&store).signed_by(another_signer());
        assert_eq!(sign_anew(&store).await, 119, "but for the one that nobody has signed");
        note(&store, None, 41, &sample).await;
        let checked = async |chain, found: &mut usize, amended: &mut u64| {
            let of_chain = told.get(&chain).cloned().unwrap_or_default();
            let checked = check(&store, chain, &another_signer(), &of_chain).await.unwrap();
            *found += checked.problems.len();
            *amended += checked.amended;
            checked.problems
        };
        for chain in told.keys() {
            checked(*chain, &mut found, &mut amended).await;
        }
        assert_eq!((found, amended), (1, 119), "nobody vouches for the one");
        let edit = format!("UPDATE audit SET subject = '' WHERE chain = {}", sample.project);
        run(&connection, &format!("{edit} AND place = 7")).await;
        let problems = checked(Some(sample.project), &mut found, &mut amended).await;
        assert_eq!(problems, ["row 7 was changed, or does not belong here"]);
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn words_that_stood_in_rows_are_taken_out_of_those_that_are_as_they_were_noted() {
    for store in stores().await {
        let (sample, _) = trail(&store).await;
        let connection = Database::connect(store.url()).await.unwrap();
        // As earlier versions noted it, and before there were signatures.
        for statement in [
            "UPDATE audit SET mac = NULL, note = NULL, note_mac = NULL, amended = NULL",
            "UPDATE audit SET event = 'save label', detail = '{\"name\":\"Ann\"}' WHERE place = 5",
        ] {
            run(&connection, statement).await;
        }
        begin(&store, at(100)).await.unwrap();
        assert_eq!(problems(&store, &Heads::new()).await, Vec::<String>::new());
        let rows = audit::stretch(&*store, Some(sample.project), Some(4), 1).await.unwrap();
        assert_eq!((rows[0].detail.as_str(), rows[0].note()), ("{}", Some(r#"{"name":"Ann"}"#)));
        let last = audit::list(&*store, None, &Filter::default(), 1).await.unwrap();
        assert_eq!(last[0].detail, r#"{"notes":3,"rows":120}"#);

        let tx = store.begin().await.unwrap();
        assert_eq!(audit::erase(&tx, Notes::In(sample.project)).await.unwrap(), 1);
        tx.commit().await.unwrap();
        let checked = check(&*store, Some(sample.project), &signer(), &BTreeMap::new()).await;
        let checked = checked.unwrap();
        assert_eq!((checked.erased, checked.amended, checked.problems.len()), (1, 1, 0));
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn what_cannot_be_read_is_found_like_everything_else() {
    // PostgreSQL refuses values that are none of a column.
    let store = store::testing::sqlite().await;
    let (sample, told) = trail(&store).await;
    let connection = Database::connect(store.url()).await.unwrap();
    let row = format!("WHERE chain = {} AND place = 7", sample.project);
    for value in ["at = 'never'", "user_id = 'nobody'", "mac = 'x'", "place = 'x'"] {
        run(&connection, "CREATE TABLE audit_good AS SELECT * FROM audit").await;
        run(&connection, &format!("UPDATE audit SET {value} {row}")).await;
        assert_ne!(problems(&store, &told).await, Vec::<String>::new(), "{value}");
        run(&connection, "DELETE FROM audit").await;
        run(&connection, "INSERT INTO audit SELECT * FROM audit_good").await;
        run(&connection, "DROP TABLE audit_good").await;
    }
    connection.close().await.unwrap();
}

#[tokio::test]
async fn a_problem_says_which_row_it_is() {
    for store in stores().await {
        let (sample, told) = trail(&store).await;
        let connection = Database::connect(store.url()).await.unwrap();
        let chain = format!("WHERE chain = {} AND place", sample.project);
        for statement in [
            format!("UPDATE audit SET subject = '' {chain} = 3"),
            format!("DELETE FROM audit {chain} = 10"),
            format!("DELETE FROM audit {chain} BETWEEN 20 AND 22"),
            format!("DELETE FROM audit {chain} > 30"),
        ] {
            run(&connection, &statement).await;
        }
        let expected = [
            "row 3 was changed, or does not belong here",
            "row 10 is missing",
            "rows 20 to 22 are missing",
            "the end is cut off: a head at row 40 was exported, and the last row is 30",
        ];
        assert_eq!(problems(&store, &told).await, expected);
        // Without what was exported, a tail that is missing cannot be missed.
        assert_eq!(problems(&store, &Heads::new()).await, expected[..3]);
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn another_key_signs_nothing_of_ours() {
    for store in stores().await {
        let (sample, _) = trail(&store).await;
        let stranger = audit::Signer::new(|_| [7; 32]);
        let checked = check(&*store, Some(sample.project), &stranger, &BTreeMap::new()).await;
        let checked = checked.unwrap();
        assert_eq!(checked.rows, 40);
        assert_eq!(checked.problems.len(), 21);
        assert_eq!(checked.problems[20], "and 20 more");
    }
}

#[tokio::test]
async fn a_row_costs_a_read_and_an_insert() {
    for store in stores().await {
        let (sample, _) = trail(&store).await;
        let before = store.statements();
        note(&store, Some(sample.project), 50, &sample).await;
        assert_eq!(store.statements() - before, 2);
    }
}

#[tokio::test]
async fn writers_of_one_chain_at_the_same_time_all_find_their_place() {
    for store in stores().await {
        let (sample, told) = trail(&store).await;
        let notes = (0..20).map(|number| note(&store, Some(sample.project), number, &sample));
        futures_join(notes).await;
        let rows = audit::list(&*store, Some(sample.project), &Filter::default(), 100).await;
        assert_eq!(rows.unwrap().len(), 60);
        assert_eq!(problems(&store, &told).await, Vec::<String>::new());
    }
}

/// Drives all of them at once.
async fn futures_join(all: impl Iterator<Item = impl Future<Output = ()>>) {
    let mut all: Vec<_> = all.map(Box::pin).collect();
    std::future::poll_fn(|context| {
        all.retain_mut(|one| one.as_mut().poll(context).is_pending());
        if all.is_empty() { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
    })
    .await;
}

#[tokio::test]
async fn rows_of_before_are_chained_once_and_it_is_said_when() {
    for store in stores().await {
        let (sample, _) = trail(&store).await;
        let connection = Database::connect(store.url()).await.unwrap();
        let unsign = "UPDATE audit SET mac = NULL, note = NULL, note_mac = NULL, amended = NULL";
        run(&connection, unsign).await;
        assert!(problems(&store, &Heads::new()).await.len() > 20);

        begin(&store, at(100)).await.unwrap();
        assert_eq!(problems(&store, &Heads::new()).await, Vec::<String>::new());
        let last = audit::list(&*store, None, &Filter::default(), 1).await.unwrap();
        assert_eq!((last[0].event.as_str(), last[0].at), ("begin chains", at(100)));
        assert_eq!((last[0].place, last[0].detail.as_str()), (41, r#"{"notes":0,"rows":120}"#));

        // Never again: what is unsigned now is somebody's doing.
        let row = format!("WHERE chain = {} AND place = 5", sample.project);
        run(&connection, &format!("UPDATE audit SET mac = NULL, subject = '' {row}")).await;
        begin(&store, at(200)).await.unwrap();
        assert_ne!(problems(&store, &Heads::new()).await, Vec::<String>::new());
        connection.close().await.unwrap();
    }
}

#[tokio::test]
async fn a_trail_without_a_signer_takes_nothing() {
    let store = store::testing::sqlite().await;
    let unsigned = Store::open(store.url()).await.unwrap();
    let sample = sample(&store).await;
    let tx = unsigned.begin().await.unwrap();
    let row = Audit {
        project: Some(sample.project),
        user: None,
        at: at(0),
        event: AuditEvent::Join,
        subject: String::new(),
        detail: serde_json::json!({}),
        revision: None,
    };
    let refused = audit::append(&tx, row).await.unwrap_err();
    assert!(refused.to_string().contains("nothing signs its audit trail"), "{refused}");
}

#[tokio::test]
async fn rows_are_found_by_person_event_time_and_place() {
    for store in stores().await {
        let (sample, _) = trail(&store).await;
        let found = async |filter: Filter| {
            let rows = audit::list(&*store, Some(sample.project), &filter, 100).await.unwrap();
            rows.into_iter().map(|row| row.place).collect::<Vec<_>>()
        };
        let all = Filter::default();
        assert_eq!(found(all).await, (1..=40).rev().collect::<Vec<_>>());
        let user = Some(sample.users[1]);
        assert_eq!(found(Filter { user, before: Some(8), ..all }).await, [7, 3, 1]);
        let event = Some(AuditEvent::ALL[9]);
        assert_eq!(found(Filter { event, ..all }).await, [9]);
        let days = Filter { since: Some(at(10)), until: Some(at(13)), ..all };
        assert_eq!(found(days).await, [12, 11, 10]);
        let people = audit::people(&*store, Some(sample.project), 10).await.unwrap();
        let ids: Vec<_> = people.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [sample.users[0], sample.users[1]]);
        assert_eq!(audit::people(&*store, Some(sample.project), 1).await.unwrap().len(), 1);
    }
}
