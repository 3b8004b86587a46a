//! The page of one's own account, and the one that a link to a new password leads to.

use http::{Request, StatusCode, header};
use services::account;

use super::world::{Answer, Facts, Options, PASSWORD, PEER_EMAIL, Person, World};

/// Sends a form as a browser does, from this page.
async fn send(world: &World, person: Person, page: &str, function: &str, fields: &str) -> Answer {
    let request = world
        .request("POST", person, &format!("/fn/accounts/{function}"))
        .header(header::ACCEPT, "text/html")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .header(header::REFERER, format!("http://localhost:3000{page}"))
        .body(fields.to_owned().into())
        .unwrap();
    world.send(request).await
}

/// Follows an answer that leads back to the page of a form, as the browser does that it left the reason
/// with.
async fn follow(world: &World, person: Person, answer: &Answer) -> String {
    let location = answer.header("location");
    let (_, path) = location.split_once("localhost:3000").unwrap_or(("", location));
    let (cookie, _) = answer.header("set-cookie").split_once(';').unwrap();
    let request = world
        .request("GET", person, path)
        .header(header::ACCEPT, "text/html")
        .header(header::COOKIE, cookie)
        .body(axum::body::Body::empty())
        .unwrap();
    world.send(request).await.text()
}

#[tokio::test]
async fn the_page_shows_whose_it_is_and_where_they_are_signed_in() {
    let world = World::new().await;
    let page = world.get(Person::Labeler, "/account").await;
    assert_eq!(page.status, StatusCode::OK);
    let text = page.text();
    for shown in [Facts::email(Person::Labeler), "127.0.0.1", "This session", "Change password"] {
        assert!(text.contains(shown), "{shown}");
    }
    assert!(!text.contains(PEER_EMAIL));
    let token = world.facts.token(Person::Labeler).unwrap();
    assert!(!text.contains(token), "a session's token stands in no page");
}

#[tokio::test]
async fn a_change_leads_back_to_the_page_which_says_so() {
    let world = World::new().await;
    let present = PASSWORD.replace(' ', "+");
    let fields = format!("present={present}&password=walnut+copper+lantern");
    let answer = send(&world, Person::Labeler, "/account", "change_password", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), "/account?changed=password");
    let page = world.get(Person::Labeler, "/account?changed=password").await.text();
    assert!(page.contains("Password changed."));
    let strange = world.get(Person::Labeler, "/account?changed=you+have+won").await.text();
    assert!(!strange.contains("role=\"status\""), "a stranger's words are not ours");
}

#[tokio::test]
async fn what_is_refused_is_said_at_its_field() {
    let world = World::new().await;
    let fields = "present=not+my+password&password=walnut+copper+lantern";
    let answer = send(&world, Person::Labeler, "/account", "change_password", fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    let page = follow(&world, Person::Labeler, &answer).await;
    assert!(page.contains("This is not your current password."));
}

#[tokio::test]
async fn a_link_to_a_new_password_leads_to_the_sign_in_page_and_works_once() {
    let world = World::new().await;
    let path = format!("/reset/{}", world.facts.reset);
    let page = world.get(Person::Anonymous, &path).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains(PEER_EMAIL));
    assert_eq!(page.header("cache-control"), "no-store");

    let weak = format!("token={}&password=password12", world.facts.reset);
    let refused = send(&world, Person::Anonymous, &path, "choose_password", &weak).await;
    let said = follow(&world, Person::Anonymous, &refused).await;
    assert!(said.contains("This password is easy to guess"));

    let good = format!("token={}&password=walnut+copper+lantern", world.facts.reset);
    let answer = send(&world, Person::Anonymous, &path, "choose_password", &good).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), "/sign-in?changed=password");
    assert!(answer.header("set-cookie").starts_with("concord-device="));
    let page = world.get(Person::Anonymous, &path).await;
    assert!(page.text().contains("This link no longer works"));
    let nonsense = world.get(Person::Anonymous, "/reset/nonsense").await;
    assert_eq!(nonsense.status, StatusCode::OK);
}

#[tokio::test]
async fn signing_out_everywhere_ends_what_the_page_was_asked_with() {
    let world = World::new().await;
    let answer = send(&world, Person::Labeler, "/account", "sign_out_everywhere", "").await;
    assert_eq!(answer.header("location"), "/sign-in");
    assert!(answer.header("set-cookie").contains("Max-Age=0"));
    let page = world.get(Person::Labeler, "/account").await;
    assert_eq!(page.status, StatusCode::UNAUTHORIZED);
    let token = world.facts.token(Person::Labeler).unwrap();
    let actor = account::actor_of(&world.services, token).await.unwrap();
    assert!(actor.person().is_err());
}

#[tokio::test]
async fn passkeys_are_for_the_public_address_and_no_request_says_another() {
    let asked = async |public_url, host: &str| {
        let world = World::with(Options { public_url, ..Options::default() }).await;
        let request = Request::post("/fn/accounts/begin_passkey_sign_in")
            .header(header::HOST, host)
            .header("sec-fetch-site", "same-origin")
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(axum::body::Body::empty())
            .unwrap();
        let answer = world.send(request).await;
        (answer.status == StatusCode::OK).then(|| {
            let options = answer.json()["options"].as_str().unwrap().to_owned();
            let options: serde_json::Value = serde_json::from_str(&options).unwrap();
            options["rpId"].as_str().unwrap().to_owned()
        })
    };
    let public = Some("https://concord.example:8443");
    for host in ["concord.example:8443", "localhost:3000", "127.0.0.1:3000"] {
        assert_eq!(asked(public, host).await.as_deref(), Some("concord.example"), "{host}");
    }
    assert_eq!(asked(public, "evil.example").await, None);
    // The tests' server listens at 127.0.0.1:3000.
    assert_eq!(asked(None, "localhost:3000").await.as_deref(), Some("localhost"));
    for host in ["localhost:4000", "localhost", "127.0.0.1:3000", "concord.localhost:3000"] {
        assert_eq!(asked(None, host).await, None, "{host}");
    }
    for unsafe_one in ["http://concord.example", "https://192.0.2.1"] {
        assert_eq!(asked(Some(unsafe_one), "localhost:3000").await, None, "{unsafe_one}");
    }
}
