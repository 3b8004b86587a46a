//! The live stream: what it tells, from where it goes on, and what ends it.

use std::time::Duration;

use axum::{body::Body, body::BodyDataStream, response::Response};
use domain::AgreementSnapshot;
use futures::StreamExt;
use http::{Request, StatusCode};
use services::{
    account,
    project::{self, members},
};
use tokio::time::timeout;

use super::world::{Answer, Options, Person, World};

/// Far longer than anything here takes: a test that hangs fails instead.
const PATIENCE: Duration = Duration::from_mins(1);

/// An event as it was sent.
#[derive(Debug, Default, PartialEq)]
struct Event {
    name: String,
    id: String,
    data: String,
    retry: String,
}

/// Reads events one by one.
struct Reader {
    body: BodyDataStream,
    read: String,
}

impl Reader {
    fn new(response: Response) -> Self {
        assert_eq!(response.status(), StatusCode::OK);
        Self { body: response.into_body().into_data_stream(), read: String::new() }
    }

    /// The next event; none when the stream has ended.
    async fn next(&mut self) -> Option<Event> {
        timeout(PATIENCE, self.read_next()).await.expect("neither an event nor an end")
    }

    async fn read_next(&mut self) -> Option<Event> {
        loop {
            if let Some((event, rest)) = self.read.split_once("\n\n") {
                let event = parse(event);
                let rest = rest.to_owned();
                self.read = rest;
                if event != Event::default() {
                    return Some(event);
                }
            } else {
                let chunk = self.body.next().await?.unwrap();
                self.read.push_str(std::str::from_utf8(&chunk).unwrap());
            }
        }
    }

    /// The next snapshot; none when the stream has ended.
    async fn snapshot(&mut self) -> Option<(String, AgreementSnapshot)> {
        loop {
            let event = self.next().await?;
            // One without an id still waits for what is computed beside the requests.
            if event.name == "snapshot" && !event.id.is_empty() {
                return Some((event.id, serde_json::from_str(&event.data).unwrap()));
            }
        }
    }
}

fn parse(text: &str) -> Event {
    let mut event = Event::default();
    for line in text.lines() {
        match line.split_once(": ") {
            Some(("event", value)) => value.clone_into(&mut event.name),
            Some(("id", value)) => value.clone_into(&mut event.id),
            Some(("data", value)) => event.data.push_str(value),
            Some(("retry", value)) => value.clone_into(&mut event.retry),
            _ => assert!(line.starts_with(':'), "{line}"),
        }
    }
    event
}

fn following(world: &World, person: Person, query: &str) -> Request<Body> {
    let path = format!("/events/projects/{}/agreement{query}", world.facts.project);
    world.getting(person, &path)
}

async fn follow(world: &World, person: Person) -> Reader {
    Reader::new(world.open(following(world, person, "")).await)
}

#[tokio::test]
async fn the_first_event_is_the_matrix_as_it_stands() {
    let world = World::new().await;
    let query = "?measure=alpha&policy=empty-label&documents=submitted";
    let mut reader = Reader::new(world.open(following(&world, Person::Manager, query)).await);
    let (id, snapshot) = reader.snapshot().await.unwrap();
    assert_eq!(id, snapshot.revision.to_string());

    let path = format!("/api/v1/projects/{}/agreement{query}", world.facts.project);
    let asked: AgreementSnapshot =
        serde_json::from_slice(&world.get(Person::Manager, &path).await.bytes).unwrap();
    assert_eq!(snapshot, asked);
}

#[tokio::test]
async fn a_save_is_told_with_a_higher_revision() {
    let world = World::new().await;
    let mut reader = follow(&world, Person::Reviewer).await;
    let (_, before) = reader.snapshot().await.unwrap();
    world.save_a_span().await;
    let (id, after) = reader.snapshot().await.unwrap();
    assert_eq!(after.revision, before.revision.next());
    assert_eq!(id, after.revision.to_string());
    assert!(after.last_change.is_some());
}

#[tokio::test]
async fn what_the_reader_has_seen_is_not_sent_again() {
    let world = World::new().await;
    let (seen, _) = follow(&world, Person::Manager).await.snapshot().await.unwrap();
    let mut again = following(&world, Person::Manager, "");
    again.headers_mut().insert("last-event-id", seen.parse().unwrap());
    let mut reader = Reader::new(world.open(again).await);
    assert_eq!(reader.next().await.unwrap().name, "", "only when to come again");
    world.save_a_span().await;
    let (id, _) = reader.snapshot().await.unwrap();
    assert_ne!(id, seen);

    let mut behind = following(&world, Person::Manager, "");
    behind.headers_mut().insert("last-event-id", seen.parse().unwrap());
    let (now, _) = Reader::new(world.open(behind).await).snapshot().await.unwrap();
    assert_eq!(now, id, "a reader who is behind is told at once");
}

#[tokio::test]
async fn readers_are_told_to_come_again_at_different_times() {
    let world = World::new().await;
    let mut waits = Vec::new();
    for _ in 0..8 {
        let wait = follow(&world, Person::Manager).await.next().await.unwrap().retry;
        assert!((1_000..4_000).contains(&wait.parse::<u32>().unwrap()), "{wait}");
        waits.push(wait);
    }
    waits.dedup();
    assert!(waits.len() > 1);
}

#[tokio::test]
async fn a_stream_is_neither_kept_nor_held_back() {
    let world = World::new().await;
    let response = world.open(following(&world, Person::Manager, "")).await;
    let headers = response.headers();
    assert_eq!(headers["content-type"], "text/event-stream");
    assert_eq!(headers["cache-control"], "no-store");
    assert_eq!(headers["x-accel-buffering"], "no");
}

#[tokio::test]
async fn a_refusal_is_an_answer_not_a_stream() {
    let world = World::new().await;
    for (person, status) in [
        (Person::Anonymous, StatusCode::UNAUTHORIZED),
        (Person::Labeler, StatusCode::FORBIDDEN),
        (Person::OtherManager, StatusCode::NOT_FOUND),
    ] {
        let answer = Answer::read(world.open(following(&world, person, "")).await).await;
        assert_eq!(answer.status, status);
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
    let misspelled = following(&world, Person::Manager, "?measure=gamma");
    assert_eq!(world.open(misspelled).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn signing_out_ends_the_stream() {
    let recheck = Some(Duration::from_millis(5));
    let world = World::with(Options { recheck, ..Options::default() }).await;
    let mut reader = follow(&world, Person::Manager).await;
    reader.snapshot().await.unwrap();
    let token = world.facts.token(Person::Manager).map(str::to_owned);
    account::sign_out(&world.services, token).await.unwrap();
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn a_session_that_is_ended_elsewhere_ends_its_stream() {
    let recheck = Some(Duration::from_millis(5));
    let world = World::with(Options { recheck, ..Options::default() }).await;
    let mut reader = follow(&world, Person::Manager).await;
    reader.snapshot().await.unwrap();
    let manager = world.actor(Person::Manager).await;
    account::sign_out_everywhere(&world.services, &manager).await.unwrap();
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn leaving_the_project_ends_the_stream() {
    let world = World::new().await;
    let mut reader = follow(&world, Person::Reviewer).await;
    reader.snapshot().await.unwrap();
    let manager = world.actor(Person::Manager).await;
    let (project, member) = (world.facts.project, world.facts.reviewer);
    members::remove(&world.services, &manager, project, member).await.unwrap();
    assert_eq!(reader.next().await, None);
}

#[tokio::test]
async fn the_end_of_the_server_ends_the_stream() {
    let world = World::new().await;
    let mut reader = follow(&world, Person::Manager).await;
    reader.snapshot().await.unwrap();
    world.shutdown.cancel();
    assert_eq!(reader.next().await, None);
}

/// Everything that a person's pages ask to be told, on one stream.
fn revisions(world: &World, person: Person, query: &str) -> Request<Body> {
    world.getting(person, &format!("/events/revisions?{query}"))
}

async fn follow_revisions(world: &World, person: Person, of: &str) -> Reader {
    let of = of.replace('?', "%3F").replace('=', "%3D").replace('&', "%26").replace('|', "%7C");
    Reader::new(world.open(revisions(world, person, &format!("of={of}"))).await)
}

impl Reader {
    /// The next news of a project: its name, the project's place, and the revision if it has one.
    async fn news(&mut self) -> Option<(String, usize, Option<i64>)> {
        loop {
            let Event { name, data, .. } = self.next().await?;
            if !name.is_empty() {
                let mut words = data.split(' ');
                let place = words.next().unwrap().parse().unwrap();
                return Some((name, place, words.next().map(|word| word.parse().unwrap())));
            }
        }
    }
}

#[tokio::test]
async fn one_stream_tells_of_all_that_somebody_looks_at() {
    let world = World::new().await;
    let manager = world.actor(Person::Manager).await;
    let odes = project::create(&world.services, &manager, "Odes".to_owned(), None).await.unwrap();
    let psalms = world.facts.project;
    let of = format!("{odes}|{psalms}?measure=alpha&policy=empty-label|{psalms}");
    let mut reader = follow_revisions(&world, Person::Manager, &of).await;
    let mut standing = Vec::new();
    for _ in 0..3 {
        let (name, place, revision) = reader.news().await.unwrap();
        assert_eq!(name, "stands");
        standing.push((place, revision.unwrap()));
    }
    standing.sort_unstable();
    let places: Vec<_> = standing.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [0, 1, 2]);

    world.save_a_span().await;
    let mut moved = Vec::new();
    while moved.len() < 2 {
        let (name, place, revision) = reader.news().await.unwrap();
        assert_eq!(name, "moved");
        // Intervals that have been computed are told by the same revision.
        if revision.unwrap() > standing[place].1 && !moved.contains(&place) {
            moved.push(place);
        }
    }
    moved.sort_unstable();
    assert_eq!(moved, [1, 2], "the other project has not moved");
}

#[tokio::test]
async fn what_is_not_for_its_reader_ends_by_itself_and_tells_nothing() {
    let world = World::new().await;
    let of = format!("{}|999999|{}", world.facts.project, i64::MAX);
    for person in Person::ALL {
        if person == Person::Anonymous {
            let refused = world.send(revisions(&world, person, "of=1")).await;
            assert_eq!(refused.status, StatusCode::UNAUTHORIZED);
            continue;
        }
        let sees = matches!(person, Person::Reviewer | Person::Manager);
        let mut reader = follow_revisions(&world, person, &of).await;
        let mut said = Vec::new();
        for _ in 0..3 {
            let (name, place, revision) = reader.news().await.unwrap();
            assert_eq!(revision.is_some(), name == "stands");
            said.push((place, name));
        }
        said.sort_unstable();
        let own = if sees { "stands" } else { "ended" };
        let expected = [(0, own), (1, "ended"), (2, "ended")];
        assert_eq!(said, expected.map(|(place, name)| (place, name.to_owned())), "{person:?}");
        if !sees {
            assert_eq!(reader.news().await, None, "{person:?} has nothing left to follow");
        }
    }
}

#[tokio::test]
async fn a_project_that_is_lost_ends_its_part_of_the_stream() {
    let world = World::new().await;
    let project = world.facts.project;
    let of = format!("{project}|{project}?measure=alpha");
    let mut reader = follow_revisions(&world, Person::Reviewer, &of).await;
    for _ in 0..2 {
        assert_eq!(reader.news().await.unwrap().0, "stands");
    }
    let manager = world.actor(Person::Manager).await;
    members::remove(&world.services, &manager, project, world.facts.reviewer).await.unwrap();
    let mut ended = 0;
    while let Some((name, ..)) = reader.news().await {
        ended += usize::from(name == "ended");
    }
    assert_eq!(ended, 2);
}

#[tokio::test]
async fn the_pages_of_somebody_else_are_told_nothing() {
    let world = World::new().await;
    let (labeler, manager) =
        (world.actor(Person::Labeler).await, world.actor(Person::Manager).await);
    let query = |id| format!("person={id}&of={}", world.facts.project);
    let made_for_other = query(labeler.person().unwrap().id);
    let refused = world.send(revisions(&world, Person::Manager, &made_for_other)).await;
    assert_eq!(refused.status, StatusCode::FORBIDDEN);
    let own = query(manager.person().unwrap().id);
    let response = world.open(revisions(&world, Person::Manager, &own)).await;
    assert_eq!(Reader::new(response).news().await.unwrap().0, "stands");
}

#[tokio::test]
async fn signing_out_ends_the_stream_of_all_pages() {
    let recheck = Some(Duration::from_millis(5));
    let world = World::with(Options { recheck, ..Options::default() }).await;
    let of = world.facts.project.to_string();
    let mut reader = follow_revisions(&world, Person::Manager, &of).await;
    assert_eq!(reader.news().await.unwrap().0, "stands");
    let token = world.facts.token(Person::Manager).map(str::to_owned);
    account::sign_out(&world.services, token).await.unwrap();
    while reader.news().await.is_some() {}
}

#[tokio::test]
async fn what_cannot_be_followed_is_refused_by_name() {
    let world = World::new().await;
    let many = vec!["1"; 65].join("%7C");
    for of in ["psalms", "1%3Fmeasure%3Dgamma", "1%3Fhue%3Dred", "../1", many.as_str()] {
        let answer = world.send(revisions(&world, Person::Manager, &format!("of={of}"))).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{of}");
        assert_eq!(answer.json()["error"]["Invalid"]["field"], "of");
    }
}
