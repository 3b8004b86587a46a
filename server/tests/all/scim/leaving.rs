//! Whoever leaves is out within half a minute, and what they did stays.

use std::time::{Duration, Instant};

use axum::body::Body;
use http::{StatusCode, header::AUTHORIZATION};
use serde_json::{Value, json};

use super::{
    super::world::{Answer, Person, World, template},
    Directory, GROUP,
};

/// How soon a leaver is out.
const SOON: Duration = Duration::from_secs(30);

async fn by_token(world: &World, token: &str) -> StatusCode {
    let request = world.request("GET", Person::Anonymous, "/api/v1/projects");
    let request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    world.send(request.body(Body::empty()).unwrap()).await.status
}

/// What the manager is shown of the project's work: its numbers, and the spans themselves.
async fn work(world: &World) -> (Value, String) {
    let project = world.facts.project;
    let path = format!("/api/v1/projects/{project}/agreement");
    let mut numbers = Value::Null;
    // Intervals come a moment later.
    while numbers.is_null() || numbers.to_string().contains("\"Pending\"") {
        tokio::time::sleep(Duration::from_millis(50)).await;
        numbers = world.get(Person::Manager, &path).await.json();
    }
    // The revision says that something was changed, and the latest change what.
    for moves in ["revision", "last_change"] {
        numbers.as_object_mut().unwrap().remove(moves);
    }
    let spans = format!("/api/v1/projects/{project}/exports?what=labelers");
    (numbers, world.get(Person::Manager, &spans).await.text())
}

#[tokio::test]
async fn a_leaver_s_session_token_and_open_stream_end_and_their_work_stays() {
    let directory = Directory::joining().await;
    let world = &directory.world;
    let reviewer = directory.join(Person::Reviewer).await;
    let path = format!("/events/projects/{}/agreement", world.facts.project);
    let by_session = world.open(world.getting(Person::Reviewer, &path)).await;
    assert_eq!(by_session.status(), StatusCode::OK);
    let token = world.facts.api_token(Person::Reviewer).unwrap();
    let request = world.request("GET", Person::Anonymous, &path);
    let request = request.header(AUTHORIZATION, format!("Bearer {token}"));
    let by_program = world.open(request.body(Body::empty()).unwrap()).await;
    assert_eq!(by_program.status(), StatusCode::OK);
    assert_eq!(by_token(world, token).await, StatusCode::OK);
    let before = work(world).await;

    let began = Instant::now();
    let off = json!([{ "op": "Replace", "path": "active", "value": "False" }]);
    let left = directory.patch(&format!("Users/{reviewer}"), off).await;
    assert_eq!(left.json()["active"], false);
    assert_eq!(by_token(world, token).await, StatusCode::UNAUTHORIZED);
    let path = format!("/api/v1/projects/{}", world.facts.project);
    assert_eq!(world.get(Person::Reviewer, &path).await.status, StatusCode::UNAUTHORIZED);
    for stream in [by_session, by_program] {
        let end = tokio::time::timeout(SOON, Answer::read(stream)).await;
        assert!(end.is_ok() && began.elapsed() < SOON, "a stream goes on");
    }
    assert_eq!(work(world).await, before);

    // Whoever comes back signs in anew, and makes their tokens anew.
    let on = json!([{ "op": "Replace", "path": "active", "value": "True" }]);
    let back = directory.patch(&format!("Users/{reviewer}"), on).await;
    assert_eq!(back.json()["active"], true);
    assert_eq!(by_token(world, token).await, StatusCode::UNAUTHORIZED);
    assert_eq!(world.get(Person::Reviewer, &path).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_labeler_who_is_removed_with_their_group_leaves_their_work_and_its_numbers() {
    let project = template().await.facts.project;
    let directory = Directory::new(json!({
        "join-by-email": true,
        "projects": [{ "group": "annotators", "project": project, "role": "labeler" }],
    }))
    .await;
    let world = &directory.world;
    let labeler = directory.join(Person::Labeler).await;
    let members = json!([{ "value": labeler }]);
    let group = json!({ "schemas": [GROUP], "displayName": "annotators", "members": members });
    directory.said(201, "POST", "Groups", Some(&group)).await;
    let before = work(world).await;
    assert!(before.0["cells"].as_array().is_some_and(|cells| !cells.is_empty()));
    directory.said(204, "DELETE", &format!("Users/{labeler}"), None).await;
    let path = format!("/api/v1/projects/{project}");
    assert_eq!(world.get(Person::Labeler, &path).await.status, StatusCode::UNAUTHORIZED);
    let id = labeler.parse().unwrap();
    let member = store::project::members::find(&world.store, project, id).await.unwrap();
    assert_eq!(member, None, "they are no member any more");
    assert_eq!(work(world).await, before);
}
