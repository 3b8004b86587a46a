//! The resources of the REST interface: revisions, keys, pages, allowances, and their description.

use std::{collections::BTreeSet, num::NonZeroU32};

use axum::body::Body;
use domain::Code;
use http::{StatusCode, header};
use serde_json::{Value, json};
use server::routes;

use super::world::{Answer, Facts, Options, Person, World};

/// Sends JSON as a person.
async fn send(
    world: &World,
    method: &str,
    person: Person,
    path: &str,
    headers: &[(&str, &str)],
    body: &Value,
) -> Answer {
    let mut request = world.request(method, person, path);
    request = request.header(header::CONTENT_TYPE, "application/json");
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    world.send(request.body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn spans_are_saved_on_the_revision_that_was_read_and_on_no_other() {
    let world = World::new().await;
    let path = format!("/api/v1/assignments/{}/spans", world.facts.fresh_assignment);
    let read = world.get(Person::Labeler, &path).await;
    assert_eq!((read.header("etag"), read.json()), ("\"0\"", json!({ "spans": [] })));

    let label = world.facts.labels[0].id;
    let spans = json!({ "spans": [{ "start": 0, "end": 3, "label": label }] });
    let put = async |tag: Option<&str>, spans: &Value| {
        let headers: Vec<_> = tag.map(|tag| ("if-match", tag)).into_iter().collect();
        send(&world, "PUT", Person::Labeler, &path, &headers, spans).await
    };
    assert_eq!(put(None, &spans).await.status, StatusCode::PRECONDITION_REQUIRED);
    assert_eq!(put(Some("*"), &spans).await.status, StatusCode::PRECONDITION_FAILED);
    let saved = put(Some("\"0\""), &spans).await;
    assert_eq!((saved.status, saved.header("etag")), (StatusCode::OK, "\"1\""));

    let stale = put(Some("\"0\""), &json!({ "spans": [] })).await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);
    assert_eq!(stale.header("etag"), "\"1\"");
    assert_eq!(stale.header("content-type"), "application/problem+json");
    assert_eq!(world.get(Person::Labeler, &path).await.json(), spans);

    // What was read can be sent back; what is left out is taken away.
    assert_eq!(put(Some("\"1\""), &json!({ "spans": [] })).await.header("etag"), "\"2\"");
    assert_eq!(world.get(Person::Labeler, &path).await.json(), json!({ "spans": [] }));
    let outside = json!({ "spans": [{ "start": 0, "end": 999, "label": label }] });
    assert_eq!(put(Some("\"2\""), &outside).await.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn what_a_program_has_is_not_sent_again() {
    let world = World::new().await;
    let project = world.facts.project;
    for path in [
        format!("/api/v1/assignments/{}/spans", world.facts.fresh_assignment),
        format!("/api/v1/projects/{project}/labels"),
    ] {
        let tag = world.get(Person::Labeler, &path).await.header("etag").to_owned();
        let asked = |tag: &str| {
            let request = world.request("GET", Person::Labeler, &path);
            request.header(header::IF_NONE_MATCH, tag).body(Body::empty()).unwrap()
        };
        let again = world.send(asked(&tag)).await;
        assert_eq!((again.status, again.bytes.len()), (StatusCode::NOT_MODIFIED, 0), "{path}");
        assert_eq!(again.header("etag"), tag);
        assert_eq!(world.send(asked("\"other\"")).await.status, StatusCode::OK);
    }
}

#[tokio::test]
async fn a_command_under_a_key_is_carried_out_once() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/labels", world.facts.project);
    let label = json!({ "name": "NEW", "colour": 1, "hotkey": null });
    let key = [("idempotency-key", "a-key-of-its-own")];
    let post = async |body: &Value| send(&world, "POST", Person::Manager, &path, &key, body).await;
    let first = post(&label).await;
    assert_eq!((first.status, first.header("idempotency-replayed")), (StatusCode::CREATED, ""));
    let again = post(&label).await;
    assert_eq!((again.status, again.bytes.clone()), (StatusCode::CREATED, first.bytes));
    assert_eq!(again.header("idempotency-replayed"), "true");
    let other = json!({ "name": "OTHER", "colour": 1, "hotkey": null });
    assert_eq!(post(&other).await.status, StatusCode::UNPROCESSABLE_ENTITY);

    let labels = world.get(Person::Manager, &path).await.json();
    let names = labels["items"].as_array().unwrap().iter().map(|label| &label["name"]);
    assert_eq!(names.filter(|name| *name == "NEW").count(), 1);
    // Without a key, and under a key that is none, it is a request like any other.
    let twice = send(&world, "POST", Person::Manager, &path, &[], &label).await;
    assert_eq!(twice.status, StatusCode::CONFLICT);
    let short = [("idempotency-key", "short")];
    let refused = send(&world, "POST", Person::Manager, &path, &short, &other).await;
    assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
}

#[tokio::test]
async fn an_answer_with_a_secret_is_given_once_and_stored_nowhere() {
    let world = World::new().await;
    let project = format!("/api/v1/projects/{}", world.facts.project);
    let webhook = format!("{project}/webhooks/{}", world.facts.webhook);
    let new = json!({ "url": "https://example.org/new", "events": ["gold.locked"] });
    let other = json!({ "url": "https://example.org/other" });
    for (number, (method, path, body, field)) in [
        ("POST", format!("{project}/invitations"), json!({ "role": "labeler" }), "path"),
        ("POST", format!("{project}/webhooks"), new, "secret"),
        ("PATCH", webhook, other, "secret"),
    ]
    .into_iter()
    .enumerate()
    {
        let key = format!("a-key-of-its-own-{number}");
        let headers = [("idempotency-key", key.as_str()), ("if-match", "\"0\"")];
        let sent = || send(&world, method, Person::Manager, &path, &headers, &body);
        let first = sent().await;
        assert!(first.status.is_success(), "{path}: {}", first.text());
        let secret = first.json()[field].as_str().unwrap().to_owned();
        let again = sent().await;
        assert_eq!(
            (again.status, again.header("idempotency-replayed")),
            (StatusCode::GONE, "true")
        );
        assert!(again.text().contains("shown only once") && !again.text().contains(&secret));
        for (name, content) in world.files() {
            let stored = content.windows(secret.len()).any(|it| it == secret.as_bytes());
            assert!(!stored, "{path}: the secret is in {name}");
        }
    }
    // Nothing else was done twice.
    let listed = world.get(Person::Manager, &format!("{project}/webhooks")).await.json();
    let urls = listed["items"].as_array().unwrap().iter().map(|it| &it["url"]);
    assert_eq!(urls.filter(|url| **url == "https://example.org/new").count(), 1);
}

#[tokio::test]
async fn every_answer_that_is_described_with_a_secret_is_tested_not_to_be_stored() {
    let world = World::new().await;
    let described = world.get(Person::Anonymous, "/api/v1/openapi.json").await.json();
    let schemas = described["components"]["schemas"].as_object().unwrap();
    let tells = |schema: &Value| {
        let properties = schema["properties"].as_object();
        properties.is_some_and(|properties| {
            let names = ["secret", "token", "password", "code", "codes", "key"];
            properties.keys().any(|name| names.contains(&name.as_str()))
        })
    };
    let telling = schemas.iter().filter(|(_, schema)| tells(schema)).map(|(name, _)| name.as_str());
    // The code of a refusal is no secret.
    let telling: Vec<_> = telling.filter(|name| *name != "Problem").collect();
    assert_eq!(telling, ["ChangedWebhook", "CreatedWebhook"], "test the others above, too");
}

#[tokio::test]
async fn a_key_replays_nothing_to_whoever_may_not_do_it_any_more() {
    let world = World::new().await;
    let assignment = format!("/api/v1/assignments/{}", world.facts.fresh_assignment);
    let span = json!({ "start": 0, "end": 3, "label": world.facts.labels[0].id });
    let spans = json!({ "spans": [span] }).to_string();
    let ask = async |method, path: &str, tag, key, body: &str| {
        let request = world.request(method, Person::Labeler, path).header("idempotency-key", key);
        let request = request.header(header::IF_MATCH, tag);
        let request = request.header(header::CONTENT_TYPE, "application/json");
        world.send(request.body(Body::from(body.to_owned())).unwrap()).await
    };
    let (to_save, to_submit) = (format!("{assignment}/spans"), format!("{assignment}/submit"));
    let save = || ask("PUT", &to_save, "\"0\"", "a-key-to-save", &spans);
    // This one brings no body.
    let submit = || ask("POST", &to_submit, "\"1\"", "a-key-to-submit", "");
    for again in ["", "true"] {
        for said in [save().await, submit().await] {
            assert_eq!(said.status, StatusCode::OK, "{}", said.text());
            assert_eq!(said.header("idempotency-replayed"), again);
        }
    }
    let members = format!("/api/v1/projects/{}/members", world.facts.project);
    let listed = world.get(Person::Manager, &members).await.json();
    let listed = listed["items"].as_array().unwrap().clone();
    let labeler = listed.iter().find(|it| it["email"] == Facts::email(Person::Labeler)).unwrap();
    let path = format!("{members}/{}", labeler["id"]);
    let gone = send(&world, "DELETE", Person::Manager, &path, &[], &Value::Null).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.text());
    for said in [save().await, submit().await] {
        assert_eq!(said.status, StatusCode::NOT_FOUND, "{}", said.text());
        assert_eq!(said.header("idempotency-replayed"), "");
    }
}

#[tokio::test]
async fn a_list_is_read_page_by_page_to_its_end() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/documents", world.facts.project);
    let whole = world.get(Person::Manager, &path).await.json();
    assert_eq!(whole["next"], Value::Null);
    let (mut pages, mut found) = (0, Vec::new());
    let mut next = Some(format!("{path}?limit=1"));
    while let Some(path) = next {
        let page = world.get(Person::Manager, &path).await;
        assert_eq!(page.status, StatusCode::OK);
        found.extend(page.json()["items"].as_array().unwrap().iter().cloned());
        pages += 1;
        let link = page.header("link").to_owned();
        next = link.strip_prefix('<').and_then(|it| Some(it.split_once('>')?.0.to_owned()));
    }
    assert_eq!(json!(found), whole["items"]);
    assert!(pages > 2, "{pages}");
    for query in ["limit=0", "limit=201", "limit=x", "after=17", "page=1"] {
        let refused = world.get(Person::Manager, &format!("{path}?{query}")).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
    }
}

#[tokio::test]
async fn decisions_are_saved_and_read_back() {
    let world = World::new().await;
    let document = world.facts.fresh;
    let path = format!("/api/v1/documents/{document}/decisions");
    let label = world.facts.labels[0].id;
    let change = json!({ "changes": [
        { "start": 0, "end": 3, "verdict": "add", "labels": [label], "note": "a name" },
    ] });
    let first = [("if-match", "\"0\"")];
    let saved = send(&world, "PATCH", Person::Reviewer, &path, &first, &change).await;
    assert_eq!((saved.status, saved.header("etag")), (StatusCode::OK, "\"1\""));
    let read = world.get(Person::Reviewer, &path).await.json();
    let decision = &read["positions"][0]["decision"];
    assert_eq!(decision["verdict"], "add");
    assert_eq!(decision["note"], "a name");
    let stale = send(&world, "PATCH", Person::Reviewer, &path, &first, &change).await;
    assert_eq!(stale.status, StatusCode::PRECONDITION_FAILED);

    let submit = format!("/api/v1/documents/{document}/review/submit");
    let second = [("if-match", "\"1\"")];
    let ended = send(&world, "POST", Person::Reviewer, &submit, &second, &Value::Null).await;
    assert_eq!(ended.status, StatusCode::OK, "{}", ended.text());
}

#[tokio::test]
async fn a_target_is_read_as_it_was_sent_and_left_out_only_in_so_many_words() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/target", world.facts.project);
    let read = async || world.get(Person::Reviewer, &path).await.json();
    let put = async |target: &Value| {
        send(&world, "PUT", Person::Manager, &path, &[], target).await.status
    };
    let target = json!({ "target": {
        "measure": "kappa", "policy": "cleaned", "basis": "lower-bound", "at_least": 0.667,
    }});
    assert_eq!(put(&target).await, StatusCode::NO_CONTENT);
    assert_eq!(read().await, target);
    for wrong in [
        json!({}),
        json!({ "target": { "measure": "kappa", "at_least": 0.8 } }),
        json!({ "target": {
            "measure": "f1", "policy": "cleaned", "basis": "value", "at_least": 0.8,
        }}),
    ] {
        assert_eq!(put(&wrong).await, StatusCode::UNPROCESSABLE_ENTITY, "{wrong}");
        assert_eq!(read().await, target);
    }
    assert_eq!(put(&json!({ "target": null })).await, StatusCode::NO_CONTENT);
    assert_eq!(read().await, json!({ "target": null }));

    let new = json!({ "name": "Odes", "target": target["target"] });
    let made = send(&world, "POST", Person::Manager, "/api/v1/projects", &[], &new).await;
    let path = format!("/api/v1/projects/{}/target", made.json()["id"]);
    assert_eq!(world.get(Person::Manager, &path).await.json(), target);
}

#[tokio::test]
async fn whoever_asks_too_fast_is_told_when_to_come_back() {
    let requests_a_minute = NonZeroU32::new(2);
    let world = World::with(Options { requests_a_minute, ..Options::default() }).await;
    let first = world.get(Person::Manager, "/api/v1/projects").await;
    assert_eq!(first.header("ratelimit-limit"), "2");
    assert_eq!(first.header("ratelimit-remaining"), "1");
    world.get(Person::Manager, "/api/v1/projects").await;
    let refused = world.get(Person::Manager, "/api/v1/projects").await;
    assert_eq!(refused.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(refused.header("content-type"), "application/problem+json");
    let seconds: u64 = refused.header("retry-after").parse().unwrap();
    assert!((1..=30).contains(&seconds), "{seconds}");
    // Others have an allowance of their own, and pages have none.
    let other = world.get(Person::Labeler, "/api/v1/projects").await;
    assert_eq!(other.status, StatusCode::OK);
    assert_eq!(world.get(Person::Manager, "/tokens").await.status, StatusCode::OK);
}

#[tokio::test]
async fn every_route_is_described_and_every_description_has_a_route() {
    let world = World::new().await;
    let description = world.get(Person::Anonymous, "/api/v1/openapi.json").await.json();
    assert!(description["openapi"].as_str().unwrap().starts_with("3.1"));
    let described: BTreeSet<_> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, operations)| {
            let methods = operations.as_object().unwrap().keys();
            methods.map(move |method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let served: BTreeSet<_> = routes::list()
        .filter(|route| route.is_rest())
        .map(|route| (route.verb.method().to_string(), route.path.clone()))
        .collect();
    assert_eq!(described, served);
    let mut names = BTreeSet::new();
    for (path, operations) in description["paths"].as_object().unwrap() {
        for operation in operations.as_object().unwrap().values() {
            let name = operation["operationId"].as_str().unwrap();
            assert!(names.insert(name), "{path} is called {name}, as another is");
        }
    }
}

#[tokio::test]
async fn every_reference_of_the_description_leads_somewhere() {
    let world = World::new().await;
    let description = world.get(Person::Anonymous, "/api/v1/openapi.json").await.json();
    let mut open = vec![&description];
    let mut references = BTreeSet::new();
    while let Some(value) = open.pop() {
        match value {
            Value::Object(map) => {
                references.extend(map.get("$ref").and_then(Value::as_str));
                open.extend(map.values());
            }
            Value::Array(values) => open.extend(values),
            _ => {}
        }
    }
    assert!(references.len() > 20, "{references:?}");
    for reference in references {
        let found = description.pointer(reference.strip_prefix('#').unwrap());
        assert!(found.is_some(), "{reference}");
    }
}

#[tokio::test]
async fn every_code_is_described_with_its_status_and_every_refusal_has_one() {
    let world = World::new().await;
    let description = world.get(Person::Anonymous, "/api/v1/openapi.json").await.json();
    let schemas = &description["components"]["schemas"];
    assert_eq!(schemas["Code"]["enum"], json!(Code::ALL));
    assert_eq!(schemas["Problem"]["properties"]["code"]["$ref"], "#/components/schemas/Code");
    for code in Code::ALL {
        let line = format!("`{}` ({})", json!(code).as_str().unwrap(), code.status());
        assert!(schemas["Code"]["description"].as_str().unwrap().contains(&line), "{line}");
    }

    let submit = format!("/api/v1/assignments/{}/submit", world.facts.fresh_assignment);
    let post = async |person, tag: &str| {
        send(&world, "POST", person, &submit, &[("if-match", tag)], &Value::Null).await
    };
    assert_eq!(post(Person::Labeler, "\"0\"").await.status, StatusCode::OK);
    for (answer, status, code) in [
        (post(Person::Labeler, "\"1\"").await, StatusCode::CONFLICT, "already-submitted"),
        (
            post(Person::Labeler, "\"0\"").await,
            StatusCode::PRECONDITION_FAILED,
            "revision-moved-on",
        ),
        (post(Person::Anonymous, "\"1\"").await, StatusCode::UNAUTHORIZED, "sign-in-required"),
        (post(Person::Outsider, "\"1\"").await, StatusCode::NOT_FOUND, "not-found"),
    ] {
        assert_eq!((answer.status, answer.json()["code"].as_str()), (status, Some(code)));
    }
}

#[tokio::test]
async fn the_page_shows_every_operation() {
    let world = World::new().await;
    let page = world.get(Person::Anonymous, "/api").await;
    assert_eq!(page.status, StatusCode::OK);
    let text = page.text();
    for route in routes::list().filter(|route| route.is_rest()) {
        assert!(text.contains(&route.path.replace('<', "&lt;")), "{}", route.path);
    }
    assert!(text.contains("idempotency") || text.contains("Idempotency-Key"));
}

#[tokio::test]
async fn another_method_is_refused_as_a_problem() {
    let world = World::new().await;
    for path in ["/api/v1/projects", "/events/revisions", "/events/projects/1/agreement"] {
        let request = world.request("DELETE", Person::Manager, path);
        let refused = world.send(request.body(Body::empty()).unwrap()).await;
        assert_eq!(refused.status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
        assert_eq!(refused.header("content-type"), "application/problem+json", "{path}");
        assert!(refused.header("allow").contains("GET"), "{path}: {:?}", refused.headers);
    }
}
