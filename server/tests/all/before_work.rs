//! Who may not do something is told so before what they send is read: for every route of the tables,
//! a body without an end and a hostile one, sent by everybody whom the policy table refuses.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use axum::body::{Body, Bytes, to_bytes};
use domain::base::policy::{Answer, answer};
use futures::{StreamExt, future::join_all, stream};
use http::{Request, StatusCode, header};
use server::routes::{FUNCTIONS, Verb, Weight, list};

use super::{
    access::standpoint,
    calls::{FILES_TYPE, Row, call, rows},
    world::{Options, Person, World},
};

/// What may be read of somebody who may not do what they ask for.
const LITTLE: usize = 1_000_000;

/// What catches an answer that never comes.
const DEADLINE: Duration = Duration::from_secs(30);

/// What a body is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// As it should be, and then more and more of it.
    Endless,
    /// Made to be searched, split and nested for as long as possible.
    Hostile,
}

/// How much of a body was asked for.
type Pulled = Arc<AtomicUsize>;

fn endless(start: Vec<u8>, fill: &'static [u8]) -> (Body, Pulled) {
    let pulled = Pulled::default();
    let counter = Arc::clone(&pulled);
    let fill = Bytes::from(fill.repeat(8 * 1024 / fill.len()));
    let pieces = stream::once(async move { Bytes::from(start) }).chain(stream::repeat(fill));
    let pieces = pieces.map(move |piece| {
        counter.fetch_add(piece.len(), Ordering::Relaxed);
        Ok::<_, std::io::Error>(piece)
    });
    (Body::from_stream(pieces), pulled)
}

/// The request of this row with another body.
async fn request(world: &World, person: Person, row: &Row, kind: Kind) -> (Request<Body>, Pulled) {
    let (mut parts, body) = call(world, person, row).into_parts();
    let start = to_bytes(body, usize::MAX).await.unwrap().to_vec();
    let content_type = parts.headers.get(header::CONTENT_TYPE).cloned();
    let content_type = content_type.map(|it| it.to_str().unwrap().to_owned()).unwrap_or_default();
    let (start, fill): (Vec<u8>, &[u8]) = if content_type.starts_with("multipart") {
        let end = start.len() - b"\r\n--cut--\r\n".len();
        match kind {
            Kind::Endless => (start[..end].to_vec(), b"more of it\n"),
            Kind::Hostile => {
                let boundary = "c".repeat(70);
                let kind = format!("multipart/form-data; boundary={boundary}d");
                parts.headers.insert(header::CONTENT_TYPE, kind.parse().unwrap());
                parts.headers.insert("idempotency-key", "an-endless-search".parse().unwrap());
                (b"--".to_vec(), b"c")
            }
        }
    } else if content_type.ends_with("json") {
        match kind {
            Kind::Endless => {
                let mut start = start;
                start.pop();
                start.extend_from_slice(b",\"more\":\"");
                (start, b"more of it ")
            }
            Kind::Hostile => (b"[".to_vec(), b"["),
        }
    } else {
        let form = "application/x-www-form-urlencoded".parse().unwrap();
        parts.headers.insert(header::CONTENT_TYPE, form);
        match kind {
            Kind::Endless => ([start, b"&more=".to_vec()].concat(), b"more+of+it+"),
            Kind::Hostile => (b"x".to_vec(), b"[x][0]=1&x"),
        }
    };
    let (body, pulled) = endless(start, fill);
    (Request::from_parts(parts, body), pulled)
}

#[tokio::test]
async fn nobody_is_read_who_may_not_do_it() {
    let world = World::new().await;
    let (mut wrong, mut took, mut asked) = (Vec::new(), Vec::new(), 0);
    for row in rows() {
        for person in Person::ALL {
            let at = standpoint(&world, person, row.action).await;
            if answer(row.action, at) == Answer::Allow {
                continue;
            }
            for kind in [Kind::Endless, Kind::Hostile] {
                let (request, pulled) = request(&world, person, &row, kind).await;
                let began = Instant::now();
                let answered = tokio::time::timeout(DEADLINE, world.open(request)).await;
                let (time, bytes) = (began.elapsed(), pulled.load(Ordering::Relaxed));
                asked += 1;
                took.push((bytes, time, format!("{} as {person:?}, {kind:?}", row.path)));
                let Ok(response) = answered else {
                    wrong.push(format!("{} as {person:?}, {kind:?}: no answer", row.path));
                    continue;
                };
                let status = response.status();
                let leads_away = response.headers().contains_key(header::LOCATION);
                if !(status.is_client_error() || leads_away) || bytes >= LITTLE {
                    wrong.push(format!(
                        "{} as {person:?}, {kind:?}: {status} after {bytes} bytes",
                        row.path
                    ));
                }
            }
        }
    }
    took.sort();
    let most = took.last().unwrap();
    let longest = took.iter().max_by_key(|(_, time, _)| *time).unwrap();
    println!(
        "{asked} refused bodies; the most was read for {most:?}, the longest took {longest:?}"
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn who_may_do_it_is_read_to_the_limit_and_no_further() {
    let world = World::new().await;
    let weights = list().map(|route| ((route.verb, &*route.path), route.weight));
    let functions = FUNCTIONS.iter().map(|(path, _, weight)| ((Verb::Post, *path), *weight));
    let weights: Vec<_> = weights.chain(functions).collect();
    for row in rows().into_iter().filter(|row| !row.is_page) {
        let weight = weights.iter().find(|(of, _)| *of == (row.verb, row.path)).unwrap().1;
        // Files are read to the disk, and tried by themselves.
        if matches!(weight, Weight::Import | Weight::Compare | Weight::File) {
            continue;
        }
        let most = if weight == Weight::Save { 17 * 1024 * 1024 } else { LITTLE };
        let person = if row.path.contains("save_spans") || row.path.ends_with("/spans") {
            Person::Labeler
        } else {
            Person::Manager
        };
        let (request, pulled) = request(&world, person, &row, Kind::Endless).await;
        let answered = tokio::time::timeout(DEADLINE, world.open(request)).await;
        let bytes = pulled.load(Ordering::Relaxed);
        assert!(answered.is_ok(), "{} has no answer after {bytes} bytes", row.path);
        assert!(bytes < most, "{}: {bytes} bytes", row.path);
    }
}

#[tokio::test]
async fn a_form_with_a_long_boundary_is_refused_and_nobody_waits_for_it() {
    let world = World::with(Options::default()).await;
    let path = format!("/api/v1/projects/{}/imports", world.facts.project);
    for (length, key) in [(200_000, true), (71, true), (71, false)] {
        let kind = format!("multipart/form-data; boundary={}", "c".repeat(length));
        let mut request = world.request("POST", Person::Manager, &path);
        request = request.header(header::CONTENT_TYPE, kind);
        if key {
            request = request.header("idempotency-key", format!("a-long-boundary-{length}"));
        }
        let request = request.body(Body::from("c".repeat(1024 * 1024))).unwrap();
        let refused = tokio::time::timeout(DEADLINE, world.send(request)).await.unwrap();
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text());
        assert!(refused.text().contains("at most 70 characters"), "{}", refused.text());
    }
}

#[tokio::test]
async fn a_part_of_a_form_whose_head_has_no_end_is_refused_soon() {
    let world = World::new().await;
    for (start, path) in [
        ("--cut\r\nx-long: ", "/api/v1/compare".to_owned()),
        ("", format!("/api/v1/projects/{}/imports", world.facts.project)),
    ] {
        let (body, pulled) = endless(start.as_bytes().to_vec(), b"more of it ");
        let request = world.request("POST", Person::Manager, &path);
        let request = request.header(header::CONTENT_TYPE, FILES_TYPE).body(body).unwrap();
        let refused = tokio::time::timeout(DEADLINE, world.send(request)).await.unwrap();
        assert_eq!(refused.status, StatusCode::BAD_REQUEST, "{}", refused.text());
        assert!(refused.text().contains("the head of a part"), "{}", refused.text());
        assert!(pulled.load(Ordering::Relaxed) < LITTLE);
    }
}

#[tokio::test]
async fn a_body_that_stands_still_is_given_up_with_a_clear_answer() {
    let world = World::new().await;
    let answers = [
        (Person::Anonymous, "/fn/accounts/sign_in".to_owned()),
        (Person::Manager, "/fn/projects/create_project".to_owned()),
        (Person::Manager, format!("/api/v1/projects/{}/labels", world.facts.project)),
        (Person::Manager, format!("/api/v1/projects/{}/imports", world.facts.project)),
        (Person::Manager, "/api/v1/compare".to_owned()),
    ]
    .map(|(person, path)| {
        let start = Bytes::from_static(b"--cut\r\nContent-Disposition: form-data");
        let still = stream::once(async { Ok::<_, std::io::Error>(start) }).chain(stream::pending());
        let kind = if path.ends_with("imports") || path.ends_with("compare") {
            FILES_TYPE
        } else if path.starts_with("/api") {
            "application/json"
        } else {
            "application/x-www-form-urlencoded"
        };
        let request = world.request("POST", person, &path).header(header::CONTENT_TYPE, kind);
        let request = request.body(Body::from_stream(still)).unwrap();
        let refused = world.send(request);
        async { (path, tokio::time::timeout(DEADLINE, refused).await.unwrap()) }
    });
    for (path, refused) in join_all(answers).await {
        assert_eq!(refused.status, StatusCode::REQUEST_TIMEOUT, "{path}: {}", refused.text());
        assert!(refused.text().contains("too slowly"), "{path}: {}", refused.text());
    }
}
