//! Many people at once: everybody is answered, and nothing is held when they have gone.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::to_bytes;
use domain::base::policy::{Action, Answer, Standpoint, answer};
use futures::future::join_all;
use http::StatusCode;
use server::routes::Verb;
use tokio::time::{sleep, timeout};

use super::{
    access::standpoint,
    calls::{Row, asks_for_more, call, rows},
    world::{Options, Person, World},
};

/// How long anybody may wait, on a machine that does other things besides.
const DEADLINE: Duration = Duration::from_secs(5);
/// Readers of one page at a time.
const READERS: usize = 32;
/// Clients who do anything.
const CLIENTS: usize = 100;
/// How long they do it.
const RUSH: Duration = Duration::from_secs(10);

/// What people ask for, and get at once: no streams, and nothing that only directories may.
fn requests() -> impl Iterator<Item = Row> {
    rows().into_iter().filter(|row| !row.is_stream && row.action != Action::Provision)
}

/// Whoever sees most of those who may.
pub(crate) async fn who_may(world: &World, row: &Row) -> Person {
    let most = [
        Person::Manager,
        Person::Reviewer,
        Person::Labeler,
        Person::Administrator,
        Person::Anonymous,
    ];
    for person in most {
        let at: Standpoint = standpoint(world, person, row.action).await;
        if answer(row.action, at) == Answer::Allow {
            return person;
        }
    }
    panic!("nobody may open {}", row.path)
}

/// What can be read, by whoever sees most of it.
async fn readings(world: &World) -> Vec<(Person, Row)> {
    let mut readings = Vec::new();
    for row in requests().filter(|row| row.verb == Verb::Get) {
        readings.push((who_may(world, &row).await, row));
    }
    readings
}

/// Reads an answer to its end; none if it takes too long.
async fn ask(world: &World, person: Person, row: &Row) -> Option<StatusCode> {
    let asking = async {
        let answer = world.open(call(world, person, row)).await;
        let status = answer.status();
        to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        status
    };
    timeout(DEADLINE, asking).await.ok()
}

fn is_answered(status: Option<StatusCode>) -> bool {
    status.is_some_and(|status| status.is_success() || status.is_redirection())
}

/// Waits until no connection is in use any more.
async fn assert_nothing_is_held(world: &World) {
    let end = Instant::now() + DEADLINE;
    loop {
        let connections = world.services.connections();
        let used = connections.reading.used + connections.writing.used;
        if used == 0 && connections.held.is_empty() {
            return;
        }
        assert!(Instant::now() < end, "still held: {connections}");
        sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_page_and_route_answers_many_readers_at_once() {
    let world = Arc::new(World::new().await);
    world.watch();
    let (mut failed, mut slowest) = (Vec::new(), (Duration::ZERO, ""));
    for (person, row) in readings(&world).await {
        let began = Instant::now();
        let readers = (0..READERS).map(|_| {
            let world = Arc::clone(&world);
            tokio::spawn(async move { ask(&world, person, &row).await })
        });
        let answers: Vec<_> =
            join_all(readers).await.into_iter().map(|answer| answer.unwrap()).collect();
        slowest = slowest.max((began.elapsed(), row.path));
        if !answers.iter().copied().all(is_answered) {
            failed.push(format!("{} as {person:?}: {answers:?}", row.path));
        }
    }
    println!("the slowest: {} readers of {} in {:?}", READERS, slowest.1, slowest.0);
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    assert_nothing_is_held(&world).await;
}

#[tokio::test]
async fn no_request_needs_a_second_connection_while_it_has_one() {
    let mut failed = Vec::new();
    let shared = World::with_one_connection(Options::default()).await;
    shared.watch();
    for row in requests() {
        let own = match row.verb {
            Verb::Get => None,
            Verb::Post | Verb::Put | Verb::Patch | Verb::Delete => {
                let demo = row.path.ends_with("/simulate_labelers");
                Some(World::with_one_connection(Options { demo, ..Options::default() }).await)
            }
        };
        let world = own.as_ref().unwrap_or(&shared);
        let person = who_may(world, &row).await;
        let status = ask(world, person, &row).await;
        // Also what asks for more than a role has looked at it when it refuses.
        let is_refused = status.is_some_and(|status| status.is_client_error());
        let is_stopped = status == Some(StatusCode::UNAUTHORIZED);
        if !(is_answered(status) || is_stopped || is_refused && asks_for_more(&row)) {
            failed.push(format!("{} {} as {person:?}: {status:?}", row.verb.method(), row.path));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_crowd_that_hangs_up_and_saves_is_answered_and_leaves_nothing_behind() {
    for world in World::on_each_engine().await {
        let world = Arc::new(world);
        world.watch();
        let readings = Arc::new(readings(&world).await);
        let (asked, failed) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let end = Instant::now() + RUSH;
        let clients = (0..CLIENTS).map(|client| {
            let (world, readings) = (Arc::clone(&world), Arc::clone(&readings));
            let (asked, failed) = (Arc::clone(&asked), Arc::clone(&failed));
            tokio::spawn(async move {
                // Each takes the list in steps of its own, so that all is mixed.
                let mut at = client * 13;
                while Instant::now() < end {
                    at += 7;
                    let (person, row) = readings[at % readings.len()];
                    if client % 5 == 0 {
                        // Early, but not always before anything has begun.
                        let patience = Duration::from_millis(u64::try_from(at % 50).unwrap());
                        let _hung_up =
                            timeout(patience, world.open(call(&world, person, &row))).await;
                        continue;
                    }
                    // A crowd this large waits for its turn; what counts is that it gets one.
                    let answer = world.open(call(&world, person, &row)).await;
                    let status = answer.status();
                    let _read = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
                    asked.fetch_add(1, Ordering::Relaxed);
                    if !is_answered(Some(status)) {
                        eprintln!("{} as {person:?}: {status}", row.path);
                        failed.fetch_add(1, Ordering::Relaxed);
                    }
                }
            })
        });
        let saves = {
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                let mut saves = 0_u32;
                while Instant::now() < end && saves < 18 {
                    world.save_a_span().await;
                    saves += 1;
                    sleep(Duration::from_millis(300)).await;
                }
                saves
            })
        };
        let clients: Vec<_> = clients.collect();
        let gone = timeout(RUSH + 6 * DEADLINE, join_all(clients)).await;
        for client in gone.expect("nobody waits for ever") {
            client.unwrap();
        }
        let saves = saves.await.unwrap();
        println!("{} answers and {saves} saves", asked.load(Ordering::Relaxed));
        assert_eq!(failed.load(Ordering::Relaxed), 0);
        assert!(saves > 0 && asked.load(Ordering::Relaxed) > CLIENTS);
        assert_nothing_is_held(&world).await;
        for (person, row) in readings.iter() {
            let status = ask(&world, *person, row).await;
            assert!(is_answered(status), "{} as {person:?} afterwards: {status:?}", row.path);
        }
    }
}
