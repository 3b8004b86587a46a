//! Two histories that differ only in what others did and was not released are byte for byte the
//! same to a labeler, on every path.

use std::{ops::Range, sync::LazyLock};

use axum::{
    body::{Body, to_bytes},
    response::Response,
};
use domain::{
    Actor, DecisionChange, DocumentId, LabelSet, ReleaseLevel, RepeatAsk, SaveDecisions, SaveKey,
    SaveSpans, Span, Verdict, WorkState,
};
use http::{HeaderMap, StatusCode};
use services::{
    Client, Clock, accounts, annotating, documents,
    importing::{self, ImportOptions, UploadedFile},
    projects, repeats, reviewing, work,
};

use super::{
    calls::{call, rows},
    headers::nonce,
    world::{Answer, Options, PASSWORD, PEER_EMAIL, Person, World},
};

/// What happened before somebody looked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Others {
    /// They have not done anything but what all histories have in common.
    Rest,
    /// Another labeler, and a reviewer if they may, has marked and decided a lot.
    Work { review: bool },
}

/// A clock that stands still.
static CLOCK: LazyLock<Clock> = LazyLock::new(|| {
    let then = Clock::system().now();
    Clock::from_fn(move || then)
});

/// A world in which everything happens at the same moment, after the template was made.
async fn world() -> World {
    drop(World::new().await);
    World::with(Options { clock: Some(CLOCK.clone()), ..Options::default() }).await
}

/// The one history or the other, with repeats of everybody's in it.
async fn history(world: &World, level: ReleaseLevel, others: Others) {
    let (services, project) = (&world.services, world.facts.project);
    let manager = world.actor(Person::Manager).await;
    let found = projects::load_settings(services, &manager, project).await.unwrap();
    let settings = domain::ProjectSettings { release_level: level, ..found.settings };
    projects::save_settings(services, &manager, project, settings).await.unwrap();
    let files = (0..4)
        .map(|n| UploadedFile {
            name: format!("later {n}.txt"),
            bytes: b"Ida met Jon in Kiel and Lea in Metz.".to_vec(),
        })
        .collect();
    let options = ImportOptions::default();
    importing::import(services, &manager, project, files, options).await.unwrap();

    let lena = world.actor(Person::Labeler).await;
    mark_all(world, &lena, "first", 0..3).await;
    projects::release_agreement(services, &manager, project).await.unwrap();
    if others != Others::Rest {
        mark_all(world, &peer(world).await, "first", 4..7).await;
    }
    let ask = RepeatAsk { documents: 4, days: 0 };
    let plan = repeats::load(services, &manager, project, ask).await.unwrap().plan;
    repeats::give(services, &manager, project, ask, &plan.seen).await.unwrap();
    mark_all(world, &lena, "second", 0..3).await;
    // One is under way while the labeler looks.
    let ask = RepeatAsk { documents: 1, days: 0 };
    let plan = repeats::load(services, &manager, project, ask).await.unwrap().plan;
    repeats::give(services, &manager, project, ask, &plan.seen).await.unwrap();
    if others != Others::Rest {
        mark_all(world, &peer(world).await, "second", 1..5).await;
    }
    if others == (Others::Work { review: true }) {
        decide_all(world).await;
    }
}

async fn peer(world: &World) -> Actor {
    let signed_in =
        accounts::sign_in(&world.services, &Client::LOCAL, PEER_EMAIL, PASSWORD.to_owned())
            .await
            .unwrap();
    accounts::actor_of(&world.services, &signed_in.token).await.unwrap()
}

/// Marks the same range in every document that is open to the labeler, and submits it.
async fn mark_all(world: &World, labeler: &Actor, pass: &str, range: Range<u32>) {
    let services = &world.services;
    let own = work::load(services, labeler, world.facts.project).await.unwrap();
    for copy in own.assignments.iter().filter(|copy| copy.state == WorkState::Open) {
        let base = annotating::load(services, labeler, copy.id).await.unwrap().content.revision;
        let command = SaveSpans {
            assignment: copy.id,
            base,
            key: SaveKey(format!("{pass}-pass-of-{}", copy.id)),
            removed: Vec::new(),
            added: vec![Span::new(range.start, range.end, world.facts.labels[0].id).into()],
        };
        annotating::save(services, labeler, command).await.unwrap();
        annotating::submit(services, labeler, copy.id, base.next()).await.unwrap();
    }
}

async fn decide_all(world: &World) {
    let services = &world.services;
    let reviewer = world.actor(Person::Reviewer).await;
    let manager = world.actor(Person::Manager).await;
    let all = documents::list(services, &manager, world.facts.project, 0).await.unwrap();
    for document in all.rows.iter().filter(|document| document.name.starts_with("later")) {
        let DocumentId(id) = document.id;
        let view = reviewing::load(services, &reviewer, document.id).await.unwrap();
        let decision = (Verdict::Add, LabelSet::one(world.facts.labels[1].id));
        let base = view.content.revision;
        let command = SaveDecisions {
            document: document.id,
            base,
            key: SaveKey(format!("decided-on-{id}")),
            changes: vec![DecisionChange::new(domain::Range::new(8, 11), Some(decision))],
        };
        reviewing::save(services, &reviewer, command).await.unwrap();
        reviewing::submit(services, &reviewer, document.id, base.next()).await.unwrap();
    }
}

/// What leads to nothing being said afterwards.
const ENDS: [&str; 3] =
    ["/fn/accounts/change_", "/fn/accounts/end_session", "/fn/accounts/sign_out"];

/// What is said on every path, one after the other: an answer as it is, but for what is drawn anew
/// for each. What ends sessions and changes passwords comes last.
async fn everything(world: &World, person: Person) -> Vec<(&'static str, Answer)> {
    let (last, mut all): (Vec<_>, Vec<_>) =
        rows().into_iter().partition(|row| ENDS.iter().any(|end| row.path.starts_with(end)));
    all.extend(last);
    let mut answers = Vec::new();
    for row in all {
        let response = world.open(call(world, person, &row)).await;
        answers.push((row.path, without_what_is_drawn(response).await));
    }
    answers
}

async fn without_what_is_drawn(response: Response<Body>) -> Answer {
    let (parts, body) = response.into_parts();
    let is_stream =
        parts.headers.get("content-type").is_some_and(|kind| kind == "text/event-stream");
    assert!(!is_stream, "no stream is open to a labeler: what it tells would have to be compared");
    let bytes = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let answer = Answer { status: parts.status, headers: parts.headers, bytes };
    let nonce = nonce(&answer);
    let text = without_secret(&answer.text().replace(&nonce, "nonce"));
    let mut headers = HeaderMap::new();
    for (name, value) in &answer.headers {
        let value = value.to_str().unwrap().replace(&nonce, "nonce");
        // What is left of an allowance depends on the time that one's own requests took.
        let is_drawn = ["x-request-id", "set-cookie", "ratelimit-remaining", "ratelimit-reset"];
        if !is_drawn.contains(&name.as_str()) {
            headers.append(name, value.parse().unwrap());
        }
    }
    Answer { status: answer.status, headers, bytes: text.into_bytes() }
}

/// The text without the secret of a token that was made.
fn without_secret(text: &str) -> String {
    const SECRET: usize = 49;
    let mut parts = text.split("concord_");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        kept.push_str("concord_");
        let is_secret = part.len() >= SECRET && part.is_char_boundary(SECRET);
        kept.push_str(if is_secret { &part[SECRET..] } else { part });
    }
    kept
}

/// Compares the two histories as somebody sees them; says on which paths they differ.
async fn differences(
    person: Person,
    level: ReleaseLevel,
    one: Others,
    other: Others,
) -> Vec<&'static str> {
    let (first, second) = (world().await, world().await);
    history(&first, level, one).await;
    history(&second, level, other).await;
    let (first, second) = (everything(&first, person).await, everything(&second, person).await);
    first
        .iter()
        .zip(&second)
        .filter(|((_, a), (_, b))| {
            (a.status, &a.headers, &a.bytes) != (b.status, &b.headers, &b.bytes)
        })
        .map(|((path, _), _)| *path)
        .collect()
}

#[tokio::test]
async fn histories_that_differ_in_what_was_not_released_are_the_same_to_a_labeler() {
    let cases = [
        (ReleaseLevel::None, Others::Work { review: true }),
        (ReleaseLevel::AfterRelease, Others::Work { review: true }),
        // Reviewers' decisions are released as they come, other labelers' work never.
        (ReleaseLevel::GoldOnly, Others::Work { review: false }),
    ];
    for (level, others) in cases {
        for person in [Person::Labeler, Person::Bystander] {
            let differ = differences(person, level, Others::Rest, others).await;
            assert_eq!(differ, [""; 0], "{level:?} as {person:?}");
        }
    }
}

#[tokio::test]
async fn what_is_released_and_what_others_may_see_does_differ() {
    let (rest, work) = (Others::Rest, Others::Work { review: true });
    let page = "/projects/{project}/work";
    for level in [ReleaseLevel::GoldOnly, ReleaseLevel::Open] {
        assert!(differences(Person::Labeler, level, rest, work).await.contains(&page), "{level:?}");
    }
}

#[tokio::test]
async fn a_labelers_own_consistency_is_among_what_is_compared() {
    let world = world().await;
    history(&world, ReleaseLevel::None, Others::Rest).await;
    let path = format!("/projects/{}/work", world.facts.project);
    let answer = world.get(Person::Labeler, &path).await;
    assert_eq!(answer.status, StatusCode::OK);
    let text = answer.text();
    assert!(text.contains("documents that you did twice"), "{text}");
}
