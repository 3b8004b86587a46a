//! The files of the front end: in the form the browser takes, kept for good.

use std::fs;

use axum::body::Body;
use http::{Request, StatusCode};

use super::world::{Answer, Options, Person, World};

const JS: &str = "/pkg/concord.0123456789abcdef.js";
const WASM: &str = "/pkg/concord_bg.0123456789abcdef.wasm";

async fn get(world: &World, path: &str, headers: &[(&str, &str)]) -> Answer {
    let request = headers
        .iter()
        .fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
    world.send(request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_file_comes_in_the_smallest_form_that_is_taken() {
    let world = World::new().await;
    for (accepted, encoding, content) in [
        ("gzip, deflate, br, zstd", "br", "the brotli form\n"),
        ("gzip", "gzip", "the gzip form\n"),
        ("br;q=0.1, gzip;q=0.9", "gzip", "the gzip form\n"),
        ("br;q=0, gzip;q=0", "", "export function start() {}\n"),
        ("", "", "export function start() {}\n"),
    ] {
        let answer = get(&world, JS, &[("accept-encoding", accepted)]).await;
        assert_eq!(answer.status, StatusCode::OK);
        assert_eq!(answer.header("content-encoding"), encoding, "{accepted}");
        assert_eq!(answer.text(), content, "{accepted}");
        assert_eq!(answer.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(answer.header("vary"), "accept-encoding");
    }
}

#[tokio::test]
async fn a_form_that_was_not_made_is_not_made_up() {
    let world = World::new().await;
    let answer = get(&world, WASM, &[("accept-encoding", "br, gzip")]).await;
    assert_eq!(answer.header("content-encoding"), "");
    assert_eq!(answer.header("content-type"), "application/wasm");
    assert_eq!(answer.bytes, b"\0asm\x01\0\0\0");
}

#[tokio::test]
async fn a_hashed_file_is_kept_for_good_and_known_again() {
    let world = World::new().await;
    let answer = get(&world, JS, &[]).await;
    assert_eq!(answer.header("cache-control"), "public, max-age=31536000, immutable");
    let tag = answer.header("etag").to_owned();
    let known = get(&world, JS, &[("if-none-match", &format!("\"other\", {tag}"))]).await;
    assert_eq!(known.status, StatusCode::NOT_MODIFIED);
    assert!(known.bytes.is_empty());
    let changed = get(&world, JS, &[("if-none-match", "\"other\"")]).await;
    assert_eq!(changed.status, StatusCode::OK);
    let other_form = get(&world, JS, &[("accept-encoding", "br")]).await;
    assert_ne!(other_form.header("etag"), tag);
}

#[tokio::test]
async fn what_is_not_for_browsers_is_not_there() {
    let world = World::new().await;
    for path in [
        format!("{JS}.br"),
        format!("{JS}.gz"),
        "/pkg/manifest.json".to_owned(),
        "/pkg/../../Cargo.toml".to_owned(),
        "/pkg/..%2f..%2fCargo.toml".to_owned(),
        "/pkg/%2e%2e/%2e%2e/Cargo.toml".to_owned(),
        "/pkg".to_owned(),
        "/Cargo.toml".to_owned(),
    ] {
        let answer = get(&world, &path, &[]).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_icon_is_there_and_asked_for_again_each_time() {
    let world = World::new().await;
    let answer = get(&world, "/favicon.svg", &[]).await;
    assert_eq!(answer.status, StatusCode::OK);
    assert_eq!(answer.header("content-type"), "image/svg+xml");
    assert_eq!(answer.header("cache-control"), "no-cache");
}

#[tokio::test]
async fn the_help_is_public_and_says_itself_what_it_does_not_have() {
    let world = World::new().await;
    let moved = get(&world, "/help", &[]).await;
    assert_eq!(
        (moved.status, moved.header("location")),
        (StatusCode::PERMANENT_REDIRECT, "/help/")
    );
    let first = get(&world, "/help/", &[]).await;
    assert_eq!((first.status, first.text().as_str()), (StatusCode::OK, "the first page\n"));
    assert_eq!(first.header("content-type"), "text/html; charset=utf-8");
    let page = get(&world, "/help/people/labelers.html", &[]).await;
    assert_eq!(page.text(), "a page\n");
    let known = [("if-none-match", page.header("etag"))];
    assert_eq!(
        get(&world, "/help/people/labelers.html", &known).await.status,
        StatusCode::NOT_MODIFIED
    );
    for path in [
        "/help/people",
        "/help/people//labelers.html",
        "/help/people/%2e/labelers.html",
        "/help/people/labelers.html/",
        "/help/a/b.html",
        "/help/../pkg/manifest.json",
        "/help/%2e%2e/pkg",
    ] {
        let missing = get(&world, path, &[("if-none-match", "*")]).await;
        assert_eq!(missing.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(missing.text(), "no such page\n", "{path}");
    }
}

#[tokio::test]
async fn pages_name_the_files_as_the_build_named_them() {
    const CSS: &str = "/pkg/concord.0123456789abcdef.css";
    let world = World::new().await;
    let review = format!("/documents/{}/review", world.facts.finished);
    let html = world.get(Person::Reviewer, &review).await.text();
    for name in [JS, WASM, CSS] {
        assert!(html.contains(name), "{name}");
    }
    // A page that is only read needs none of the front end.
    let html = get(&world, "/sign-in", &[("accept", "text/html")]).await.text();
    assert!(html.contains(CSS) && html.contains("/reading.js"));
    for name in [JS, WASM] {
        assert!(!html.contains(name), "{name}");
    }
}

#[tokio::test]
async fn files_do_not_ask_who_is_asking() {
    let world = World::new().await;
    let before = world.services.statements();
    world.get(Person::Manager, JS).await;
    assert_eq!(world.services.statements(), before);
}

#[tokio::test]
async fn a_front_end_that_is_still_being_built_is_taken_up_when_it_is_there() {
    let folder = tempfile::tempdir().unwrap();
    let pkg = folder.path().join("pkg");
    fs::create_dir(&pkg).unwrap();
    let front_end = Some(folder.path().to_owned());
    let world = World::with(Options { front_end, ..Options::default() }).await;
    let manifest = |js: &str| {
        let mut names = serde_json::json!({"css": "a.css", "reading_css": "b.css"});
        for name in ["js", "wasm", "what_if_js", "what_if_wasm", "study_js", "study_wasm"] {
            names[name] = js.into();
        }
        fs::write(pkg.join("manifest.json"), names.to_string()).unwrap();
    };
    let review = format!("/documents/{}/review", world.facts.finished);

    manifest("");
    fs::write(pkg.join("b.css"), "a{}").unwrap();
    let html = get(&world, "/sign-in", &[("accept", "text/html")]).await.text();
    assert!(html.contains("/pkg/b.css") && !html.contains("still being built"));
    assert_eq!(get(&world, "/pkg/b.css", &[]).await.text(), "a{}");
    let html = world.get(Person::Reviewer, &review).await.text();
    assert!(html.contains("still being built") && html.contains("http-equiv=\"refresh\""));
    assert!(!html.contains("\"/pkg/\"") && !html.contains("'/pkg/'"));

    fs::write(pkg.join("later.js"), "export {}").unwrap();
    manifest("later.js");
    let html = world.get(Person::Reviewer, &review).await.text();
    assert!(html.contains("/pkg/later.js") && !html.contains("still being built"));
    assert_eq!(get(&world, "/pkg/later.js", &[]).await.text(), "export {}");

    // A neighbour of the folder is none of its files, whoever names it how.
    let name = folder.path().file_name().unwrap().to_str().unwrap();
    for path in [format!("/pkg/..%2f..%2f{name}%2fpkg%2flater.js"), "/pkg/%2fetc%2fhostname".into()]
    {
        assert_eq!(get(&world, &path, &[]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}
