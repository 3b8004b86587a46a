//! `/api/v1`: addresses are read strictly, files are for saving, imports are all or nothing.

use axum::body::Body;
use domain::{AgreementSnapshot, DisagreementList};
use http::{Request, StatusCode};

use super::{
    calls::{FILES, FILES_TYPE, TWO_FILES},
    world::{Answer, PEER_NAME, Person, World},
};

fn path(world: &World, rest: &str) -> String {
    format!("/api/v1/projects/{}/{rest}", world.facts.project)
}

fn upload(world: &World, query: &str, content_type: &str, body: &'static str) -> Request<Body> {
    world
        .request("POST", Person::Manager, &path(world, &format!("imports?{query}")))
        .header("content-type", content_type)
        .body(Body::from(body))
        .unwrap()
}

async fn number_of_documents(world: &World) -> u64 {
    let manager = world.actor(Person::Manager).await;
    let project = world.facts.project;
    services::document::list(&world.services, &manager, project, 0).await.unwrap().total
}

#[tokio::test]
async fn the_matrix_has_the_switches_that_were_asked_for() {
    let world = World::new().await;
    let answer = world.get(Person::Manager, &path(&world, "agreement?measure=alpha")).await;
    let snapshot: AgreementSnapshot = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(snapshot.switches.measure, domain::Measure::Alpha);
    assert!(snapshot.cell(world.facts.labeler, world.facts.peer).is_some());
}

#[tokio::test]
async fn what_cannot_be_read_is_refused_not_guessed() {
    let world = World::new().await;
    for query in [
        "agreement?measure=gamma",
        "agreement?mesure=alpha",
        "disagreements?page=-1",
        "exports?what=silver",
        "exports?what=gold&format=docx",
        "exports/losses?what=gold&form=xml",
    ] {
        let answer = world.get(Person::Manager, &path(&world, query)).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{query}");
        assert_eq!(answer.json()["error"]["Invalid"]["field"], "query", "{query}");
        assert_eq!(answer.json()["status"], 422, "{query}");
    }
}

#[tokio::test]
async fn every_parameter_of_the_list_narrows_it_or_orders_it() {
    let world = World::new().await;
    let list = async |query: &str| -> DisagreementList {
        let answer = world.get(Person::Manager, &path(&world, query)).await;
        assert_eq!(answer.status, StatusCode::OK, "{query}: {}", answer.text());
        serde_json::from_slice(&answer.bytes).unwrap()
    };
    let facts = &world.facts;
    let all = list("disagreements").await;
    assert_eq!(all.page.total, 6);
    for (query, expected) in [
        ("documents=submitted".to_owned(), 5),
        (format!("first={}&second={}", facts.labeler, facts.peer), 3),
        ("kind=label".to_owned(), 2),
        ("decided=true".to_owned(), 2),
        (format!("document={}", facts.fresh), 0),
        (format!("label={}", facts.unused_label), 0),
    ] {
        let narrowed = list(&format!("disagreements?{query}")).await;
        assert_eq!(narrowed.page.total, expected, "{query}");
    }
    let backwards = list("disagreements?order=document&descending=true").await;
    let mut rows = backwards.page.rows;
    rows.reverse();
    assert_eq!(rows, all.page.rows);
    assert!(list("disagreements?page=1").await.page.rows.is_empty());
}

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

#[tokio::test]
async fn an_export_says_where_its_losses_are_listed() {
    let world = World::new().await;
    let rest = "exports?what=gold&format=conll&documents=submitted";
    let answer = world.get(Person::Manager, &path(&world, rest)).await;
    let link = answer.header("link").to_owned();
    let (address, relation) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
    assert_eq!(relation, "; rel=\"describedby\"");
    let losses = world.get(Person::Manager, address).await;
    assert_eq!(losses.status, StatusCode::OK);
    let rows = losses.json().as_array().unwrap().len();
    assert!(rows > 0, "CoNLL holds no names of documents");
    assert_eq!(answer.header("x-concord-changed"), rows.to_string());
    let preview = rest.replace("exports", "exports/preview");
    let told = world.get(Person::Manager, &path(&world, &preview)).await.json();
    assert_eq!(told["losses"][0]["reason"], "name-left-out");
    assert_eq!(told["documents"], 3);
}

#[tokio::test]
async fn exports_are_files_to_save() {
    let world = World::new().await;
    let project = world.facts.project;
    for (rest, name, content_type) in [
        ("disagreements.csv", "disagreements-P.csv", "text/csv; charset=utf-8"),
        ("disagreements.jsonl", "disagreements-P.jsonl", "application/jsonl"),
        ("agreement.csv", "agreement-P.csv", "text/csv; charset=utf-8"),
        ("study.csv", "study-P.csv", "text/csv; charset=utf-8"),
        ("units.csv", "units-P-continuum-0-48.csv", "text/csv; charset=utf-8"),
        ("agreement.svg", "agreement-P.svg", "image/svg+xml"),
        ("agreement.html", "agreement-P.html", "text/html; charset=utf-8"),
        ("agreement.html?minority=true", "agreement-P.html", "text/html; charset=utf-8"),
        ("soft-labels.jsonl", "soft-labels-P.jsonl", "application/jsonl"),
        ("soft-labels-people.jsonl", "soft-labels-people-P.jsonl", "application/jsonl"),
        ("quality.html", "quality-P.html", "text/html; charset=utf-8"),
        ("agreement.json?measure=ac1", "agreement-P.json", "application/json"),
        ("gold.jsonl", "gold-P.jsonl", "application/jsonl"),
        ("gold.conll", "gold-P.conll", "text/plain; charset=utf-8"),
        ("disagreements.xlsx", "disagreements-P.xlsx", XLSX),
        ("exports?what=labelers&format=csv", "work-P.csv", "text/csv; charset=utf-8"),
        ("exports?what=gold&format=brat", "gold-P.zip", "application/zip"),
        ("exports/losses?what=gold&form=csv", "gold-P-losses.csv", "text/csv; charset=utf-8"),
    ] {
        let answer = world.get(Person::Manager, &path(&world, rest)).await;
        assert_eq!(answer.status, StatusCode::OK, "{rest}");
        let name = name.replace('P', &project.to_string());
        let disposition = format!("attachment; filename=\"{name}\"");
        assert_eq!(answer.header("content-disposition"), disposition);
        assert_eq!(answer.header("content-type"), content_type);
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("x-concord-left-out"), "0", "{rest}");
        assert!(!answer.bytes.is_empty(), "{rest}");
    }
}

#[tokio::test]
async fn an_export_has_all_rows_that_the_query_asks_for() {
    let world = World::new().await;
    let all = world.get(Person::Manager, &path(&world, "disagreements.jsonl")).await.text();
    let list = world.get(Person::Manager, &path(&world, "disagreements")).await.json();
    assert_eq!(serde_json::json!(all.lines().count()), list["page"]["total"]);
    let some = path(&world, "disagreements.jsonl?kind=label");
    assert_eq!(world.get(Person::Manager, &some).await.text().lines().count(), 2);
    let table = world.get(Person::Manager, &path(&world, "disagreements.csv")).await.text();
    assert!(table.lines().next().unwrap().contains(PEER_NAME));
}

#[tokio::test]
async fn a_preview_brings_nothing_and_an_import_what_was_previewed() {
    let world = World::new().await;
    let before = number_of_documents(&world).await;
    let preview = world.send(upload(&world, "mode=preview", FILES_TYPE, FILES)).await;
    assert_eq!(preview.status, StatusCode::OK, "{}", preview.text());
    assert_eq!(preview.json()["files"][0]["documents"], 1);
    assert_eq!(number_of_documents(&world).await, before);

    let import = world.send(upload(&world, "mode=commit&assign=2", FILES_TYPE, FILES)).await;
    assert_eq!(import.status, StatusCode::OK, "{}", import.text());
    assert_eq!(import.json()["documents"], 1);
    assert_eq!(import.json()["assignments"], 2);
    assert_eq!(number_of_documents(&world).await, before + 1);
}

#[tokio::test]
async fn an_import_is_begun_followed_and_undone_by_its_address() {
    let world = World::new().await;
    let before = number_of_documents(&world).await;
    let query = "mode=start&as=work&assign=nobody&create_labels=true";
    let begun = world.send(upload(&world, query, FILES_TYPE, TWO_FILES)).await;
    assert_eq!(begun.status, StatusCode::ACCEPTED, "{}", begun.text());
    let address = begun.header("location").to_owned();
    let record = loop {
        let record = world.get(Person::Manager, &address).await.json();
        if record["state"] != "running" {
            break record;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    };
    assert_eq!(record["state"], "done", "{record}");
    assert_eq!(record["summary"]["copies"], 2);
    assert_eq!(record["summary"]["placeholders"], 2);
    assert_eq!(number_of_documents(&world).await, before + 1);
    let listed = world.get(Person::Manager, &path(&world, "imports")).await.json();
    assert_eq!(listed[0]["id"], record["id"]);
    let undo = world.request("POST", Person::Manager, &format!("{address}/undo"));
    let undone = world.send(undo.body(Body::empty()).unwrap()).await;
    assert_eq!(undone.status, StatusCode::NO_CONTENT, "{}", undone.text());
    assert_eq!(number_of_documents(&world).await, before);
}

/// The same upload, to be read by a person.
async fn piece(world: &World, query: &str, body: &'static str) -> Answer {
    let mut request = upload(world, query, FILES_TYPE, body);
    request.headers_mut().insert("accept", "text/html".parse().unwrap());
    world.send(request).await
}

#[tokio::test]
async fn a_person_is_told_in_pieces_of_the_page_what_files_bring() {
    let world = World::new().await;
    let preview = piece(&world, "mode=preview", FILES).await;
    assert_eq!(preview.status, StatusCode::OK);
    assert!(preview.header("content-type").starts_with("text/html"));
    let html = preview.text();
    assert!(html.starts_with("<div data-news=\"1 document ready to import\""));
    assert!(html.contains("psalm.txt") && !html.contains("<html"), "{html}");

    let import = piece(&world, "mode=commit&assign=everyone", FILES).await;
    assert!(import.text().contains("Imported 1 document"), "{}", import.text());
}

#[tokio::test]
async fn a_person_is_told_in_words_why_files_are_refused() {
    const BROKEN: &str = "--cut\r\n\
        Content-Disposition: form-data; name=\"files\"; filename=\"psalm.jsonl\"\r\n\r\n\
        {\"text\": 3}\r\n\
        --cut--\r\n";
    let world = World::new().await;
    for (body, words) in [(BROKEN, "1 error in the files"), ("--cut\r\n", "role=\"alert\"")] {
        let refused = piece(&world, "mode=commit", body).await;
        assert!(refused.status.is_client_error(), "{}", refused.text());
        assert!(refused.header("content-type").starts_with("text/html"));
        assert!(refused.text().contains(words), "{}", refused.text());
    }
    assert!(piece(&world, "mode=preview", BROKEN).await.text().contains("1 problem"));
}

#[tokio::test]
async fn without_a_mode_nothing_is_imported() {
    let world = World::new().await;
    let before = number_of_documents(&world).await;
    let answer = world.send(upload(&world, "", FILES_TYPE, FILES)).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(number_of_documents(&world).await, before);
}

#[tokio::test]
async fn a_form_that_is_none_is_refused() {
    let world = World::new().await;
    let other_field =
        "--cut\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\nx\r\n--cut--\r\n";
    let no_name = "--cut\r\nContent-Disposition: form-data; name=\"files\"\r\n\r\nx\r\n--cut--\r\n";
    for (query, content_type, body, status) in [
        ("", "text/plain", FILES, StatusCode::UNSUPPORTED_MEDIA_TYPE),
        ("", FILES_TYPE, "--cut\r\n", StatusCode::BAD_REQUEST),
        ("", FILES_TYPE, other_field, StatusCode::UNPROCESSABLE_ENTITY),
        ("", FILES_TYPE, no_name, StatusCode::UNPROCESSABLE_ENTITY),
        ("mode=destroy", FILES_TYPE, FILES, StatusCode::UNPROCESSABLE_ENTITY),
        ("assign=some", FILES_TYPE, FILES, StatusCode::UNPROCESSABLE_ENTITY),
    ] {
        let answer = world.send(upload(&world, query, content_type, body)).await;
        assert_eq!(answer.status, status, "{query} {body}: {}", answer.text());
        assert_eq!(answer.header("content-type"), "application/problem+json");
    }
}

#[tokio::test]
async fn what_is_shown_follows_from_what_is_stored() {
    let world = World::new().await;
    // In memory first, then moved by a save.
    world.get(Person::Manager, &path(&world, "agreement")).await;
    world.save_a_span().await;
    let answer = world.get(Person::Manager, &path(&world, "verification")).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.json()["problems"], serde_json::json!([]));
    assert_eq!(answer.json()["documents"], 3);
}

#[tokio::test]
async fn the_server_says_that_it_is_there() {
    let answer = World::new().await.get(Person::Anonymous, "/health").await;
    assert_eq!((answer.status, answer.text().as_str()), (StatusCode::OK, "ok\n"));
}
