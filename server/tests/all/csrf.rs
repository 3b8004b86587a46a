//! No other site can act in a visitor's name.

use axum::body::Body;
use http::{Request, StatusCode, header};
use server::routes::{SIGNED, UNSUBSCRIBE, Verb};

use super::{
    calls::{Row, call, rows},
    world::{Answer, Options, Person, World},
};

const FORGED: &str = "this request does not come from this site";

/// The request as if it came from somewhere else.
fn from_elsewhere(
    mut request: Request<Body>,
    headers: &[(&'static str, &'static str)],
) -> Request<Body> {
    request.headers_mut().remove("sec-fetch-site");
    for (name, value) in headers {
        request.headers_mut().insert(*name, value.parse().unwrap());
    }
    request
}

fn is_refused(answer: &Answer) -> bool {
    answer.status == StatusCode::FORBIDDEN && answer.text().contains(FORGED)
}

#[tokio::test]
async fn every_command_of_another_site_is_refused() {
    let world = World::new().await;
    let elsewhere: [&[(&str, &str)]; 6] = [
        &[],
        &[("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "same-site"), ("origin", "http://localhost:3000")],
        &[("origin", "https://evil.example")],
        &[("origin", "http://localhost:3001")],
        &[("origin", "null")],
    ];
    let is_command = |row: &Row| row.verb != Verb::Get && !SIGNED.contains(&row.path);
    let commands: Vec<_> = rows().into_iter().filter(is_command).collect();
    assert!(commands.len() > 30);
    for row in &commands {
        for headers in elsewhere {
            let forged = from_elsewhere(call(&world, Person::Manager, row), headers);
            assert!(is_refused(&world.send(forged).await), "{} with {headers:?}", row.path);
        }
    }
}

#[tokio::test]
async fn a_mail_program_unsubscribes_from_elsewhere_and_one_that_looks_at_the_link_does_not() {
    let world = World::new().await;
    let row = rows().into_iter().find(|row| row.path == UNSUBSCRIBE && row.verb == Verb::Post);
    let one_click = call(&world, Person::Anonymous, &row.unwrap());
    let link = one_click.uri().path().to_owned();
    for _ in 0..2 {
        let page = world.get(Person::Anonymous, &link).await;
        let words = page.text().replace("<!>", "");
        assert!(words.contains("Agreement alerts are sent to you by mail"), "{words}");
    }
    let one_click = from_elsewhere(one_click, &[("sec-fetch-site", "cross-site")]);
    assert_eq!(world.send(one_click).await.status, StatusCode::NO_CONTENT);
    let page = world.get(Person::Anonymous, &link).await;
    let words = page.text().replace("<!>", "");
    assert!(words.contains("Unsubscribed: Agreement alerts."), "{words}");
}

#[tokio::test]
async fn our_own_pages_and_forms_pass() {
    let world =
        World::with(Options { public_url: Some("http://concord.example"), ..Options::default() })
            .await;
    let ours: [&[(&str, &str)]; 4] = [
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[("origin", "http://localhost:3000")],
        &[("origin", "http://concord.example")],
    ];
    let row = rows().into_iter().find(|row| row.path == "/fn/projects/list_projects").unwrap();
    for headers in ours {
        let request = from_elsewhere(call(&world, Person::Manager, &row), headers);
        assert_eq!(world.send(request).await.status, StatusCode::OK, "{headers:?}");
    }
}

#[tokio::test]
async fn a_link_from_another_site_may_lead_here() {
    let world = World::new().await;
    let link = world.request("GET", Person::Manager, "/").header(header::ACCEPT, "text/html");
    let link =
        from_elsewhere(link.body(Body::empty()).unwrap(), &[("sec-fetch-site", "cross-site")]);
    assert_eq!(world.send(link).await.status, StatusCode::OK);
}

#[tokio::test]
async fn no_command_is_carried_out_by_get() {
    let world = World::new().await;
    // By GET, these are a page with a form, and what can be changed.
    let asked: Vec<_> =
        rows().iter().filter(|row| row.verb == Verb::Get).map(|row| row.path).collect();
    let is_command = |row: &Row| row.verb != Verb::Get && !asked.contains(&row.path);
    for row in rows().into_iter().filter(is_command) {
        let mut request = call(&world, Person::Manager, &row);
        *request.method_mut() = http::Method::GET;
        let answer = world.send(request).await;
        assert_eq!(answer.status, StatusCode::METHOD_NOT_ALLOWED, "{}", row.path);
    }
}
