//! Every route, server function and page, called as each kind of person: what happens is what the
//! policy table says.

use std::collections::BTreeSet;

use domain::{
    Actor, Role,
    base::policy::{Action, Answer, Standpoint, answer},
};
use http::{Method, StatusCode, header::LOCATION};
use server::routes::{FUNCTIONS, MOVED, PAGES, PROVIDER_LOGOUT, Verb};

use super::{
    calls::{Row, asks_for_more, call, rows},
    world::{Options, Person, World},
};

#[tokio::test]
async fn everything_is_answered_as_the_policy_table_says() {
    let mut wrong = Vec::new();
    let shared = World::new().await;
    shared.watch();
    for row in rows() {
        for person in Person::ALL {
            // What may change something gets a server of its own.
            let own = match row.verb {
                Verb::Get => None,
                Verb::Post | Verb::Put | Verb::Patch | Verb::Delete => {
                    let demo = row.path.ends_with("/simulate_labelers");
                    Some(World::with(Options { demo, ..Options::default() }).await)
                }
            };
            let world = own.as_ref().unwrap_or(&shared);
            // Before it is called: some end the session that they are called with.
            let expected = answer(row.action, standpoint(world, person, row.action).await);
            let expected = halfway(row.path, person).unwrap_or(expected);
            let said = outcome(world, person, &row).await;
            if said != expected {
                wrong.push(format!("{} as {person:?}: {said:?}, not {expected:?}", row.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What is answered to whoever has begun nothing: here it counts, too, what a browser is in the middle
/// of and what somebody has set up.
fn halfway(path: &str, person: Person) -> Option<Answer> {
    let is_stranger = person == Person::Anonymous;
    if matches!(path, "/fn/accounts/begin_passkey" | "/fn/accounts/add_passkey") && is_stranger {
        return Some(Answer::SignIn);
    }
    match path.strip_prefix("/fn/second_factors/")? {
        "take_step" => Some(Answer::SignIn),
        "begin_app" | "confirm_app" if is_stranger => Some(Answer::SignIn),
        "confirm_app" | "remove_app" if !is_stranger => Some(Answer::Hide),
        _ => None,
    }
}

/// Who the person is to what the action is about.
pub(crate) async fn standpoint(world: &World, person: Person, action: Action) -> Standpoint {
    let actor = world.actor(person).await;
    let is_about_a_project = !matches!(
        action,
        Action::VisitPublic
            | Action::VisitOwn
            | Action::CreateProject
            | Action::Administer
            | Action::Provision
    );
    let role = match person {
        Person::Labeler | Person::Bystander => Some(Role::Labeler),
        Person::Reviewer => Some(Role::Reviewer),
        Person::Manager => Some(Role::Manager),
        Person::Anonymous | Person::Outsider | Person::OtherManager | Person::Administrator => None,
    };
    let owns = person == Person::Labeler;
    let at = Standpoint::inside(&actor, role.filter(|_| is_about_a_project), owns);
    assert_eq!(at == Standpoint::Anonymous, actor == Actor::Anonymous);
    at
}

/// What the answer's status says, in the words of the table.
async fn outcome(world: &World, person: Person, row: &Row) -> Answer {
    let answer = world.open(call(world, person, row)).await;
    let leads_to_sign_in = answer.headers().get(LOCATION).is_some_and(|path| path == "/sign-in");
    match answer.status() {
        StatusCode::UNAUTHORIZED => Answer::SignIn,
        _ if leads_to_sign_in && !row.path.starts_with("/fn/accounts/sign_out") => Answer::SignIn,
        // What no device has made is looked at, and that is enough.
        StatusCode::UNPROCESSABLE_ENTITY | StatusCode::CONFLICT if asks_for_more(row) => {
            Answer::Allow
        }
        // A provider is told that it is none, as OpenID Connect wants it.
        StatusCode::BAD_REQUEST if row.path == PROVIDER_LOGOUT => Answer::Allow,
        StatusCode::FORBIDDEN => Answer::Deny,
        StatusCode::NOT_FOUND => Answer::Hide,
        status if status.is_success() || status.is_redirection() => Answer::Allow,
        status => panic!("{} as {person:?} answers {status}", row.path),
    }
}

#[test]
fn every_server_function_has_a_row_and_every_row_a_function() {
    let functions: BTreeSet<_> =
        server_fn::axum::server_fn_paths().map(|(path, _)| path.to_owned()).collect();
    let rows: BTreeSet<_> = FUNCTIONS.iter().map(|(path, ..)| (*path).to_owned()).collect();
    assert_eq!(functions, rows);
    assert_eq!(rows.len(), FUNCTIONS.len(), "a path has two rows");
}

#[test]
fn no_server_function_is_called_by_get() {
    for (path, method) in server_fn::axum::server_fn_paths() {
        assert_eq!(method, Method::POST, "{path}");
    }
}

#[tokio::test]
async fn every_page_has_a_row_and_every_row_a_page() {
    let pages: BTreeSet<_> = server::list_pages().iter().cloned().collect();
    let rows: BTreeSet<_> = PAGES.iter().map(|page| page.path.to_owned()).collect();
    assert_eq!(pages, rows);
    assert_eq!(rows.len(), PAGES.len(), "a path has two rows");
}

#[tokio::test]
async fn an_old_address_leads_to_the_page_that_stood_there() {
    let world = World::new().await;
    for (old, new) in MOVED {
        assert!(PAGES.iter().any(|page| page.path == *new), "{new} is no page");
        assert!(PAGES.iter().all(|page| page.path != *old), "{old} is a page");
        let asked = world.request("GET", Person::Anonymous, &format!("{old}?page=2"));
        let answer = world.send(asked.body(axum::body::Body::empty()).unwrap()).await;
        assert_eq!(answer.status, StatusCode::PERMANENT_REDIRECT, "{old}");
        assert_eq!(answer.header("location"), format!("{new}?page=2"));
    }
}

#[tokio::test]
async fn every_page_has_one_title_whether_it_is_shown_or_refused() {
    let world = World::new().await;
    let mut wrong = Vec::new();
    for row in rows().into_iter().filter(|row| row.is_page) {
        for person in Person::ALL {
            let answer = world.send(call(&world, person, &row)).await;
            let titles = answer.text().matches("<h1").count();
            if titles != 1 && !answer.status.is_redirection() {
                wrong.push(format!("{} as {person:?}: {} has {titles}", row.path, answer.status));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn what_does_not_exist_is_not_found_in_the_form_that_was_asked_for() {
    let world = World::new().await;
    let page = world
        .send(
            world
                .request("GET", Person::Manager, "/no/such/page")
                .header("accept", "text/html")
                .body(axum::body::Body::empty())
                .unwrap(),
        )
        .await;
    assert_eq!(page.status, StatusCode::NOT_FOUND);
    assert!(page.header("content-type").starts_with("text/html"));

    for path in ["/api/v1/nothing", "/api/v1/projects/one/agreement", "/pkg/nothing.js"] {
        let answer = world.get(Person::Manager, path).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(answer.header("content-type"), "application/problem+json", "{path}");
        assert_eq!(answer.json()["error"], "NotFound", "{path}");
    }
}
