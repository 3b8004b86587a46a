//! SQLite whose files and memory fail.

use std::{env, panic, sync::LazyLock, thread, time::Instant};

use axum::body::Body;
use http::{StatusCode, header};
use rand::{SeedableRng, rngs::StdRng, seq::IndexedRandom};
use storage_faults::{Fault, STORAGE_ERRORS, Watch, watch};
use store::testing::contents;
use tokio::sync::watch::Sender;

use super::{
    commands::{
        Change, Claim, Command, changing_rows, check_recovered, commands, give, outside,
        take_a_taken_name,
    },
    keys::{check_resent, create_project},
    run_alone,
};
use crate::world::{Options, Person, World};

/// How many combinations of each command are tried. `CONCORD_STORAGE_ERRORS` asks for another number,
/// `CONCORD_STORAGE_SEED` for others, and `CONCORD_STORAGE_ONLY` for all whose description contains it.
const COMBINATIONS: usize = 2;

/// How many combinations are tried of a request with a key.
const KEYED: usize = 24;

#[test]
fn acknowledged_is_stored_and_refused_is_not_whatever_sqlite_returns() {
    run_alone("storage::sqlite::commands_under_every_error_of_sqlite");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn commands_under_every_error_of_sqlite() {
    storage_faults::install();
    count_deaths();
    let began = Instant::now();
    let only = env::var("CONCORD_STORAGE_ONLY").unwrap_or_default();
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse().ok());
    let combinations = number("CONCORD_STORAGE_ERRORS").unwrap_or(COMBINATIONS);
    let seed = number("CONCORD_STORAGE_SEED").unwrap_or(1);
    let (mut tried, mut failed, mut wrong) = (0, 0, Vec::new());
    let mut random = StdRng::seed_from_u64(seed.try_into().unwrap());
    let path = only.split_whitespace().next().unwrap_or_default();
    let rows = changing_rows().filter(|row| row.path.contains(path));
    let commands = commands(rows, || watch(None), faults).await;
    let found = commands.len();
    for (command, all) in commands {
        let named = |fault: &Fault| {
            let Fault { error, first, lasts } = fault;
            let often = if *lasts { "lasting" } else { "once" };
            format!(
                "{} as {:?}, {} at {first}, {often}",
                command.row.path, command.person, error.name
            )
        };
        let chosen: Vec<_> = if only.is_empty() {
            all.choose_multiple(&mut random, combinations).copied().collect()
        } else {
            all.into_iter().filter(|fault| named(fault).contains(&only)).collect()
        };
        for fault in chosen {
            tried += 1;
            match attempt(&command, fault).await {
                Ok(failures) => failed += usize::from(failures > 0),
                Err(why) => wrong.push(format!("{}: {why}", named(&fault))),
            }
        }
    }
    let seconds = began.elapsed().as_secs();
    eprintln!(
        "{found} commands, {tried} combinations, {failed} of which failed, seed {seed}, in {seconds} s"
    );
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn saves_after_a_full_disk_are_stored() {
    run_alone("storage::sqlite::saves_while_the_disk_is_full_and_after_it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn saves_while_the_disk_is_full_and_after_it() {
    storage_faults::install();
    let full = STORAGE_ERRORS.iter().find(|error| error.name == "FULL").unwrap();
    for failures in 1..=3 {
        let world = World::new().await;
        world.watch();
        let path = format!("/api/v1/assignments/{}/spans", world.facts.fresh_assignment);
        let save = async |base: usize| {
            let label = world.facts.labels[0].id;
            let request = world.request("PUT", Person::Labeler, &path);
            let request = request
                .header(header::CONTENT_TYPE, "application/json")
                .header(header::IF_MATCH, format!("\"{base}\""))
                .body(Body::from(format!(
                    "{{\"spans\":[{{\"start\":{base},\"end\":9,\"label\":{label}}}]}}"
                )));
            world.send(request.unwrap()).await
        };
        let disk = watch(Some(Fault { error: full, first: 0, lasts: true }));
        for _ in 0..failures {
            let refused = save(0).await;
            assert_eq!(refused.status, StatusCode::SERVICE_UNAVAILABLE, "{}", refused.text());
            assert_eq!(refused.json()["code"], "storage-full");
            assert_ne!(refused.header("retry-after"), "");
        }
        let ready = world.get(Person::Anonymous, "/ready").await;
        assert_eq!(ready.text(), "the storage is full\n");
        drop(disk);
        // A label's name that is taken, a new project, and that the server is ready.
        check_recovered(&world).await.unwrap();
        for base in 0..3 {
            let saved = save(base).await;
            assert_eq!(saved.status, StatusCode::OK, "{}", saved.text());
        }
        let spans = outside(&world, contents).await.unwrap().remove("span").unwrap();
        let of_assignment = format!("{}|", world.facts.fresh_assignment);
        let saved = spans.iter().filter(|row| row.starts_with(&of_assignment)).count();
        assert_eq!(saved, 1, "{spans:?}");
    }
}

#[test]
fn a_request_with_a_key_is_carried_out_once() {
    run_alone("storage::sqlite::requests_with_a_key_under_errors_of_sqlite");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "runs in a process of its own"]
async fn requests_with_a_key_under_errors_of_sqlite() {
    storage_faults::install();
    let unbroken = World::new().await;
    unbroken.watch();
    let watched = watch(None);
    create_project(&unbroken).await;
    // A server ends where it gets no memory.
    let all: Vec<_> =
        faults(watched).into_iter().filter(|fault| fault.error.name != "NOMEM").collect();
    let mut random = StdRng::seed_from_u64(1);
    let (mut failed, mut wrong) = (0, Vec::new());
    for fault in all.choose_multiple(&mut random, KEYED) {
        let world = World::new().await;
        world.watch();
        let failing = watch(Some(*fault));
        let first = create_project(&world).await;
        failed += usize::from(failing.failures() > 0);
        drop(failing);
        if let Err(why) = check_resent(&world, &first).await {
            wrong.push(format!("{} at {}: {why}", fault.error.name, fault.first));
        }
    }
    assert!(failed > KEYED / 2, "{failed} of {}", all.len());
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// Every error at every call that can return it, once and from then on.
fn faults(watch: Watch) -> Vec<Fault> {
    STORAGE_ERRORS
        .iter()
        .flat_map(|error| (0..watch.calls(error)).map(move |first| (error, first)))
        .flat_map(|(error, first)| [false, true].map(|lasts| Fault { error, first, lasts }))
        .collect()
}

/// Gives a command while the storage fails, and another one before that ends; the number of calls that have
/// failed.
async fn attempt(command: &Command, fault: Fault) -> Result<u64, String> {
    let mut world = World::new().await;
    world.watch();
    let before = contents(&world.store).await;
    let failing = watch(Some(fault));
    let mut deaths = DEATHS.subscribe();
    let given = async {
        let outcome = give(&world, command.person, &command.row).await;
        take_a_taken_name(&world).await;
        outcome
    };
    let outcome = tokio::select! {
        biased;
        _ = deaths.changed() => None,
        outcome = given => Some(outcome),
    };
    let failures = failing.failures();
    drop(failing);
    let outcome = if deaths.has_changed().unwrap() { None } else { outcome };
    if outcome.is_none() {
        // A server ends at that, whatever it has answered before. Another one finds its files.
        world = World::of_files(&world.files(), world.facts.clone(), Options::default()).await;
    }
    let outcome = outcome.unwrap_or(Claim::Unknown);
    let change = Change::between(&before, &outside(&world, contents).await?);
    let is_right = match outcome {
        Claim::Done => change == command.change,
        Claim::NotDone(_) => change.is_empty(),
        Claim::Unknown => change.is_empty() || change == command.change,
    };
    if !is_right {
        return Err(format!("{outcome:?}, but: {change:?}; done: {:?}", command.change));
    }
    check_recovered(&world).await.map_err(|why| format!("after {outcome:?}, {why}"))?;
    Ok(failures)
}

/// How many threads of connections have panicked.
static DEATHS: LazyLock<Sender<u64>> = LazyLock::new(|| Sender::new(0));

/// Counts panics of connections' threads, at which a server ends.
fn count_deaths() {
    panic::set_hook(Box::new(|panicked| {
        if thread::current().name().is_some_and(|name| name.starts_with("sqlx-sqlite-worker-")) {
            DEATHS.send_modify(|deaths| *deaths += 1);
        } else {
            eprintln!("{panicked}");
        }
    }));
}
