//! Signing in and out: the cookie, and what ends with the session.

use axum::body::Body;
use http::{Request, StatusCode};

use super::world::{Answer, Facts, Options, PASSWORD, Person, World};

fn form(world: &World, person: Person, path: &str, body: &str, accept: &str) -> Request<Body> {
    world
        .request("POST", person, path)
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept", accept)
        .header("referer", "http://localhost:3000/sign-in")
        .body(Body::from(body.to_owned()))
        .unwrap()
}

async fn sign_in(world: &World, password: &str, accept: &str) -> Answer {
    let email = Facts::email(Person::Labeler);
    let body = format!("email={email}&password={}", password.replace(' ', "+"));
    world.send(form(world, Person::Anonymous, "/fn/accounts/sign_in", &body, accept)).await
}

async fn sign_out(world: &World, accept: &str) -> Answer {
    world.send(form(world, Person::Labeler, "/fn/accounts/sign_out", "", accept)).await
}

/// The attributes of the cookie that the answer sets.
fn cookie(answer: &Answer) -> Vec<String> {
    answer.header("set-cookie").split("; ").map(str::to_owned).collect()
}

#[tokio::test]
async fn the_cookie_is_kept_from_scripts_and_other_sites() {
    let world = World::new().await;
    let answer = sign_in(&world, PASSWORD, "application/json").await;
    assert_eq!(answer.status, StatusCode::OK);
    let cookie = cookie(&answer);
    let token = cookie[0].strip_prefix("concord=").unwrap();
    assert!(token.len() >= 22, "a token has at least 128 bits");
    assert_eq!(&cookie[1..], ["Path=/", "HttpOnly", "SameSite=Lax"]);
}

#[tokio::test]
async fn over_https_the_cookie_belongs_to_this_host_and_to_secure_connections() {
    let world =
        World::with(Options { public_url: Some("https://concord.example"), ..Options::default() })
            .await;
    let answer = sign_in(&world, PASSWORD, "application/json").await;
    let stored = cookie(&answer);
    assert!(stored[0].starts_with("__Host-concord="));
    assert_eq!(&stored[1..], ["Path=/", "HttpOnly", "SameSite=Lax", "Secure"]);
    let removed = cookie(&sign_out(&world, "application/json").await);
    assert_eq!(removed[0], "__Host-concord=");
    assert!(removed.contains(&"Max-Age=0".to_owned()) && removed.contains(&"Secure".to_owned()));
}

#[tokio::test]
async fn a_cookie_of_another_name_opens_nothing() {
    let world =
        World::with(Options { public_url: Some("https://concord.example"), ..Options::default() })
            .await;
    // The session is good, but its cookie could have been set by another port or by plain http.
    let answer = world.send(world.getting(Person::Manager, "/api/v1/projects/1/agreement")).await;
    assert_eq!(answer.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_form_without_the_front_end_signs_in_and_is_led_to_the_projects() {
    let world = World::new().await;
    let answer = sign_in(&world, PASSWORD, "text/html").await;
    assert!(answer.status.is_redirection(), "{}", answer.status);
    assert_eq!(answer.header("location"), "/");
    assert!(answer.header("set-cookie").starts_with("concord="));
}

#[tokio::test]
async fn a_form_without_the_front_end_is_led_back_when_it_is_refused() {
    let world = World::new().await;
    let answer = sign_in(&world, "not the password", "text/html").await;
    assert!(answer.status.is_redirection(), "{}", answer.status);
    assert!(answer.header("location").starts_with("http://localhost:3000/sign-in?"));
    let cookies = answer.headers.get_all("set-cookie").iter();
    let cookies: Vec<_> = cookies.map(|cookie| cookie.to_str().unwrap()).collect();
    assert!(cookies.len() == 1 && cookies[0].starts_with("concord-refusal="), "{cookies:?}");
}

#[tokio::test]
async fn a_wrong_password_and_an_unknown_address_are_told_the_same() {
    let world = World::new().await;
    let wrong = sign_in(&world, "not the password", "application/json").await;
    let body = "email=nobody@example.org&password=not+the+password";
    let request = form(&world, Person::Anonymous, "/fn/accounts/sign_in", body, "application/json");
    let unknown = world.send(request).await;
    assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
    assert_eq!((wrong.status, &wrong.bytes), (unknown.status, &unknown.bytes));
}

#[tokio::test]
async fn signing_out_ends_the_session_on_the_server() {
    let world = World::new().await;
    let path = "/fn/projects/list_projects";
    let before = world.send(form(&world, Person::Labeler, path, "", "application/json")).await;
    assert_eq!(before.status, StatusCode::OK);

    let answer = sign_out(&world, "application/json").await;
    assert_eq!(answer.status, StatusCode::OK);
    let removed = cookie(&answer);
    assert_eq!(removed[0], "concord=");
    assert!(removed.contains(&"Max-Age=0".to_owned()));

    let after = world.send(form(&world, Person::Labeler, path, "", "application/json")).await;
    assert_eq!(after.status, StatusCode::UNAUTHORIZED);
    assert_eq!(after.json()["App"], "SignInRequired");
    assert_eq!(after.header("serverfnerror"), path);
}

#[tokio::test]
async fn a_stranger_s_form_is_led_to_the_sign_in_page() {
    let world = World::new().await;
    let path = "/fn/projects/create_project";
    let answer = world.send(form(&world, Person::Anonymous, path, "name=x", "text/html")).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
    assert_eq!(answer.header("location"), "/sign-in");
}

#[tokio::test]
async fn a_made_up_token_is_nobody_s() {
    let world = World::new().await;
    let request = Request::get("/api/v1/projects/1/agreement")
        .header("cookie", "concord=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        .body(Body::empty())
        .unwrap();
    assert_eq!(world.send(request).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_browser_is_known_by_a_cookie_that_opens_nothing() {
    let world = World::new().await;
    let answer = sign_in(&world, PASSWORD, "application/json").await;
    let mut set = answer.headers.get_all("set-cookie").iter().map(|it| it.to_str().unwrap());
    let device = set.find(|cookie| cookie.starts_with("concord-device=")).unwrap();
    assert!(device.ends_with("; Path=/; HttpOnly; SameSite=Strict; Max-Age=15552000"), "{device}");
    let token = device.split(['=', ';']).nth(1).unwrap();
    let request = Request::get("/api/v1/projects")
        .header("cookie", format!("concord={token}; concord-device={token}"))
        .body(Body::empty())
        .unwrap();
    assert_eq!(world.send(request).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn signing_in_again_ends_the_session_that_the_browser_had() {
    let world = World::new().await;
    let body =
        format!("email={}&password={}", Facts::email(Person::Labeler), PASSWORD.replace(' ', "+"));
    let again = form(&world, Person::Labeler, "/fn/accounts/sign_in", &body, "application/json");
    assert_eq!(world.send(again).await.status, StatusCode::OK);
    let old = form(&world, Person::Labeler, "/fn/projects/list_projects", "", "application/json");
    assert_eq!(world.send(old).await.status, StatusCode::UNAUTHORIZED);
}
