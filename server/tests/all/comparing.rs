//! Files compared without a project: numbers for programs, a page for people, files to take away,
//! and limits.

use axum::body::Body;
use domain::{Comparison, Measure, PolicyChoice};
use http::{Request, StatusCode};

use super::{
    calls::{FILES_TYPE, TWO_FILES},
    world::{Answer, Person, World},
};

/// A form of files, and of fields, which have no file's name.
fn form(parts: &[(&str, Option<&str>, &str)]) -> String {
    let part = |(name, file, content): &(&str, Option<&str>, &str)| {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        format!(
            "--cut\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n{content}\r\n"
        )
    };
    parts.iter().map(part).collect::<String>() + "--cut--\r\n"
}

fn request(world: &World, person: Person, path: &str, accept: &str, body: &str) -> Request<Body> {
    world
        .request("POST", person, path)
        .header("accept", accept)
        .header("content-type", FILES_TYPE)
        .body(Body::from(body.to_owned()))
        .unwrap()
}

async fn send(world: &World, path: &str, body: &str) -> Answer {
    let accept = if path.starts_with("/api/") { "application/json" } else { "text/html" };
    world.send(request(world, Person::Outsider, path, accept, body)).await
}

const ANA: &str = "Gil B-PER\nmet O\nHal B-PER\nin O\nUr B-LOC\n";

#[tokio::test]
async fn a_program_gets_the_numbers_under_the_switches_it_asks_for() {
    let world = World::new().await;
    let answer = send(&world, "/api/v1/compare?measure=percent", TWO_FILES).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let comparison: Comparison = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(comparison.matrix.switches.measure, Measure::Percent);
    assert_eq!(comparison.matrix.cells[0].measured.value(), Some(2.0 / 3.0));
    let names: Vec<_> = comparison.matrix.raters.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["ana", "bo"]);

    // A field of the form comes before the address.
    let body = form(&[
        ("policy", None, "empty-label"),
        ("files", Some("ana.conll"), ANA),
        ("files", Some(""), ""),
        ("files", Some("bo.conll"), "Gil O\nmet O\nHal B-PER\nin O\nUr B-LOC\n"),
    ]);
    let answer = send(&world, "/api/v1/compare?measure=percent&policy=cleaned", &body).await;
    let comparison: Comparison = serde_json::from_slice(&answer.bytes).unwrap();
    assert_eq!(comparison.matrix.switches.policy, PolicyChoice::EmptyLabel);
    let cell = &comparison.matrix.cells[0];
    assert_eq!((cell.n, cell.coverage.only_first), (3, 1));
    assert_eq!(cell.measured.value(), Some(2.0 / 3.0));
}

#[tokio::test]
async fn files_are_read_as_somebody_says_in_an_address_or_a_form() {
    let world = World::new().await;
    let text = "{\"text\": \"Gil met Hal.\", \"answer\": \"reject\", \"_annotator_id\": \"ana\", \"spans\": []}\n\
                {\"text\": \"Gil met Hal.\", \"answer\": \"accept\", \"_annotator_id\": \"bo\", \"spans\": []}\n\
                {\"text\": \"Ur fell.\", \"answer\": \"accept\", \"_annotator_id\": \"ana\", \"spans\": []}\n\
                {\"text\": \"Ur fell.\", \"answer\": \"accept\", \"_annotator_id\": \"bo\", \"spans\": []}\n";
    let file = ("files", Some("work.jsonl"), text);
    let documents = async |path: &str, parts: &[_]| {
        let answer = send(&world, path, &form(parts)).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
        let comparison: Comparison = serde_json::from_slice(&answer.bytes).unwrap();
        comparison.matrix.cells[0].documents
    };
    let counted = "/api/v1/compare?format=prodigy&count_state=rejected%3Dyes";
    assert_eq!(documents("/api/v1/compare", &[file]).await, 1);
    assert_eq!(documents(counted, &[file]).await, 2);
    let not_counted = ("count_state", None, "rejected=no");
    assert_eq!(documents(counted, &[not_counted, file]).await, 1);
    for query in [
        "count_state=rejected",
        "format=docx",
        "colour=red",
        "second_annotation=both",
        "strict=True",
        "strict=true&strict=false",
        "layer=POS&layer=Entity",
    ] {
        let path = format!("/api/v1/compare?{query}");
        let refused = send(&world, &path, &form(&[file])).await;
        assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY, "{}", refused.text());
    }
}

#[tokio::test]
async fn what_is_taken_away_is_a_file() {
    let world = World::new().await;
    for (form, name, content_type, words) in [
        ("csv", "disagreements.csv", "text/csv; charset=utf-8", "rater: ana,rater: bo"),
        ("jsonl", "disagreements.jsonl", "application/jsonl", "\"quote\":\"Hal\""),
        ("json", "comparison.json", "application/json", "\"disagreements\""),
        ("report", "comparison.html", "text/html; charset=utf-8", "Agreement of ana, bo"),
    ] {
        for path in ["/compare", "/api/v1/compare"] {
            let answer = send(&world, &format!("{path}?as={form}"), TWO_FILES).await;
            assert_eq!(answer.status, StatusCode::OK, "{form}");
            let disposition = format!("attachment; filename=\"{name}\"");
            assert_eq!(answer.header("content-disposition"), disposition);
            assert_eq!(answer.header("content-type"), content_type);
            assert!(answer.text().contains(words), "{form}: {}", answer.text());
        }
    }
}

#[tokio::test]
async fn a_person_gets_the_page_with_what_came_of_the_files() {
    let world = World::new().await;
    let page = send(&world, "/compare?policy=empty-label", TWO_FILES).await;
    assert_eq!(page.status, StatusCode::OK);
    let html = page.text();
    assert!(html.contains("<h2 id=\"matrix-title\">") && html.contains("<html"), "{html}");
    assert!(html.contains("<option value=\"empty-label\" selected"), "{html}");

    let marked = "Gil B-<s>\nmet O\nHal B-PER\nin O\nUr B-LOC\n";
    let names = form(&[("files", Some("<b>.conll"), ANA), ("files", Some("bo.conll"), marked)]);
    let page = send(&world, "/compare", &names).await.text();
    assert!(page.contains("&lt;b&gt;") && page.contains("&lt;s&gt;"), "{page}");
    assert!(!page.contains("<b>") && !page.contains("<s>"), "{page}");

    let alone = send(&world, "/compare", &form(&[("files", Some("ana.conll"), ANA)])).await;
    assert_eq!(alone.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(alone.text().contains("all spans are by one rater, ana"), "{}", alone.text());
}

#[tokio::test]
async fn what_cannot_be_compared_is_refused_by_file_and_line() {
    let world = World::new().await;
    let wrong =
        form(&[("files", Some("a.jsonl"), "{\"text\": 3}"), ("files", Some("b.jsonl"), "{}")]);
    let answer = send(&world, "/api/v1/compare", &wrong).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    let problem = answer.json();
    assert_eq!(problem["detail"], "nothing compared: 2 errors in the files");
    let first = &problem["error"]["InvalidImport"][0];
    assert_eq!((first["file"].as_str(), first["line"].as_u64()), (Some("a.jsonl"), Some(1)));
    for (body, status) in [
        (form(&[("moods", None, "good")]), StatusCode::UNPROCESSABLE_ENTITY),
        (form(&[("measure", None, "gamma")]), StatusCode::UNPROCESSABLE_ENTITY),
        (form(&[("file", Some("a.conll"), ANA)]), StatusCode::UNPROCESSABLE_ENTITY),
        (form(&[]), StatusCode::UNPROCESSABLE_ENTITY),
        ("--cut\r\n".to_owned(), StatusCode::BAD_REQUEST),
    ] {
        assert_eq!(send(&world, "/api/v1/compare", &body).await.status, status, "{body}");
        let page = send(&world, "/compare", &body).await;
        assert_eq!(page.status, status, "{body}");
        assert!(page.text().contains("<html") && page.text().contains("role=\"alert\""));
    }
}

#[tokio::test]
async fn files_are_compared_for_people_with_an_account_only_and_up_to_a_size() {
    let world = World::new().await;
    let path = "/api/v1/compare";
    let send = async |person, body: &str| {
        world.send(request(&world, person, path, "application/json", body)).await
    };
    assert_eq!(send(Person::Anonymous, TWO_FILES).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(send(Person::Outsider, TWO_FILES).await.status, StatusCode::OK);

    // More than all files may have, and less than a request may.
    let long = "a ".repeat(3_380_000);
    let text = format!("{{\"text\": \"{long}\"}}\n");
    let names: Vec<String> = (0..10).map(|n| format!("{n}.jsonl")).collect();
    let files: Vec<_> = names.iter().map(|name| ("files", Some(&**name), text.as_str())).collect();
    let answer = send(Person::Outsider, &form(&files)).await;
    assert_eq!(answer.status, StatusCode::PAYLOAD_TOO_LARGE, "{}", answer.text());

    let name = "n".repeat(2_000) + ".conll";
    let answer = send(Person::Outsider, &form(&[("files", Some(&name), ANA)])).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(answer.text().contains("at most 1024 bytes"), "{}", answer.text());
}
