//! Webhooks as programs manage them, and what arrives at an address, with its signature.

use std::sync::{Arc, Mutex};

use axum::{Router, body::Body, extract::State, http::HeaderMap, routing::post};
use hmac::{Hmac, Mac};
use http::{StatusCode, header};
use serde_json::{Value, json};
use sha2::Sha256;

use super::world::{Answer, Person, World};

/// What arrived at an address.
type Arrived = Arc<Mutex<Vec<(HeaderMap, String)>>>;

async fn receive(State(arrived): State<Arrived>, headers: HeaderMap, body: String) -> StatusCode {
    arrived.lock().unwrap().push((headers, body));
    StatusCode::NO_CONTENT
}

/// A listener on a port of its own, and its address.
async fn listen() -> (Arrived, String) {
    let arrived = Arrived::default();
    let router = Router::new().route("/hook", post(receive)).with_state(Arc::clone(&arrived));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/hook", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (arrived, url)
}

/// Sends JSON as the manager.
async fn send(
    world: &World,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> Answer {
    let mut request = world.request(method, Person::Manager, path);
    if !body.is_null() {
        request = request.header(header::CONTENT_TYPE, "application/json");
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if body.is_null() { Body::empty() } else { Body::from(body.to_string()) };
    world.send(request.body(body).unwrap()).await
}

fn webhooks(world: &World) -> String {
    format!("/api/v1/projects/{}/webhooks", world.facts.project)
}

#[tokio::test]
async fn a_submission_arrives_signed_with_the_secret_that_was_told_once() {
    let world = World::new().await;
    let (arrived, url) = listen().await;
    // What waits in the template is for an address that nobody should call.
    let old = format!("{}/{}", webhooks(&world), world.facts.webhook);
    let removed = send(&world, "DELETE", &old, &[], &Value::Null).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT);
    let new = json!({ "url": url, "events": ["assignment.submitted"] });
    let made = send(&world, "POST", &webhooks(&world), &[], &new).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let (id, secret) = (made.json()["id"].clone(), made.json()["secret"].clone());
    let told = world.get(Person::Manager, &webhooks(&world)).await;
    assert!(!told.text().contains(secret.as_str().unwrap()), "it is told once");

    let assignment = world.facts.fresh_assignment;
    let submit = world
        .request("POST", Person::Labeler, &format!("/api/v1/assignments/{assignment}/submit"))
        .header(header::IF_MATCH, "\"0\"");
    let submitted = world.send(submit.body(Body::empty()).unwrap()).await;
    assert_eq!(submitted.status, StatusCode::OK, "{}", submitted.text());
    services::outside::webhooks::deliver_due(&world.services).await.unwrap();

    let arrived = arrived.lock().unwrap().clone();
    assert_eq!(arrived.len(), 1);
    let (headers, body) = &arrived[0];
    let of = |name: &str| headers[name].to_str().unwrap().to_owned();
    let mut mac = Hmac::<Sha256>::new_from_slice(secret.as_str().unwrap().as_bytes()).unwrap();
    mac.update(format!("{}.{body}", of("concord-timestamp")).as_bytes());
    let expected = format!("v1={:x}", mac.finalize().into_bytes());
    assert_eq!(of("concord-signature"), expected);
    assert_eq!(of("concord-event"), "assignment.submitted");
    let body: Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["assignment"]["id"], assignment.0);
    assert_eq!(body["document"]["id"], world.facts.fresh.0);
    // The page that it names is one that a manager has.
    let page = world.request("GET", Person::Manager, body["path"].as_str().unwrap());
    let page = world.send(page.header(header::ACCEPT, "text/html").body(Body::empty()).unwrap());
    assert_eq!(page.await.status, StatusCode::OK);
    let log = world.get(Person::Manager, &format!("{}/{id}/deliveries", webhooks(&world))).await;
    assert_eq!(log.json()["items"][0]["status"], 204);
}

#[tokio::test]
async fn a_webhook_is_changed_on_the_revision_that_was_read_and_on_no_other() {
    let world = World::new().await;
    let path = format!("{}/{}", webhooks(&world), world.facts.webhook);
    let read = world.get(Person::Manager, &path).await;
    assert_eq!((read.header("etag"), &read.json()["paused"]), ("\"0\"", &json!(false)));
    assert!(read.json()["secret"].is_null(), "the page shows it, and no program");
    let changing =
        async |tag: &[(&str, &str)], body: Value| send(&world, "PATCH", &path, tag, &body).await;
    let without = changing(&[], json!({ "paused": true })).await;
    assert_eq!(without.status, StatusCode::PRECONDITION_REQUIRED);
    let first = [("if-match", "\"0\"")];
    let changed = changing(&first, json!({ "paused": true, "events": ["gold.locked"] })).await;
    assert_eq!((changed.status, changed.header("etag")), (StatusCode::OK, "\"1\""));
    assert!(changed.json()["secret"].is_null());
    let stale = changing(&first, json!({ "paused": false })).await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(stale.header("etag"), "\"1\"");
    let second = [("if-match", "\"1\"")];
    let elsewhere = changing(&second, json!({ "url": "https://example.org/other" })).await;
    assert!(elsewhere.json()["secret"].is_string(), "another address has another secret");
    for wrong in [json!({ "events": ["test"] }), json!({ "events": [] }), json!({ "url": "x" })] {
        let refused = changing(&[("if-match", "\"2\"")], wrong).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
    }
    let read = world.get(Person::Manager, &path).await.json();
    assert_eq!((&read["paused"], &read["events"]), (&json!(true), &json!(["gold.locked"])));

    let test = send(&world, "POST", &format!("{path}/test"), &[], &Value::Null).await;
    assert_eq!(test.status, StatusCode::CONFLICT, "it is paused");
    let gone = send(&world, "DELETE", &path, &[], &Value::Null).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
    assert_eq!(world.get(Person::Manager, &path).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn deliveries_are_sent_again_once_for_a_key_and_listed_page_by_page() {
    let world = World::new().await;
    let path = format!("{}/{}", webhooks(&world), world.facts.webhook);
    let again = format!("{path}/deliveries/{}/redeliver", world.facts.delivery);
    let key = [("idempotency-key", "a-key-of-its-own")];
    let first = send(&world, "POST", &again, &key, &Value::Null).await;
    assert_eq!(first.status, StatusCode::ACCEPTED, "{}", first.text());
    let replayed = send(&world, "POST", &again, &key, &Value::Null).await;
    assert_eq!(replayed.bytes, first.bytes);
    let test = send(&world, "POST", &format!("{path}/test"), &[], &Value::Null).await;
    assert_eq!(test.status, StatusCode::ACCEPTED);

    let whole = world.get(Person::Manager, &format!("{path}/deliveries")).await.json();
    let ids: Vec<_> = whole["items"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    let expected =
        [&test.json()["delivery"], &first.json()["delivery"], &json!(world.facts.delivery)];
    assert_eq!(ids, expected, "the latest first");
    let (mut found, mut next) = (Vec::new(), Some(format!("{path}/deliveries?limit=2")));
    while let Some(path) = next {
        let page = world.get(Person::Manager, &path).await;
        found.extend(page.json()["items"].as_array().unwrap().iter().cloned());
        let link = page.header("link").to_owned();
        next = link.strip_prefix('<').and_then(|it| Some(it.split_once('>')?.0.to_owned()));
    }
    assert_eq!(json!(found), whole["items"]);
    let unknown = format!("{path}/deliveries/999/redeliver");
    let nothing = send(&world, "POST", &unknown, &[], &Value::Null).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
}
