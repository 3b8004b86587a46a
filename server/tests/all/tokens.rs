//! Tokens of programs: what they open, what they never open, and how they end.

use axum::body::Body;
use domain::{
    ApiTokenId, AuditEvent, NewApiToken, NewModel, ProjectId, Role, Scope,
    base::policy::{Action, Answer, Reach, Standpoint, answer, reach},
};
use http::{
    Request, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE, COOKIE},
};
use server::routes::Verb;
use services::{account, project, work::models};
use store::outside::audit::Filter;

use super::{
    calls::{Row, call, rows},
    world::{Answer as Said, Facts, PASSWORD, Person, World},
};

/// The request with a token in place of everything by which a browser is known.
fn with_token(mut request: Request<Body>, token: &str) -> Request<Body> {
    request.headers_mut().remove(COOKIE);
    request.headers_mut().remove("sec-fetch-site");
    request.headers_mut().insert(AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
    request
}

async fn get(world: &World, token: &str, path: &str) -> Said {
    let request = world.getting(Person::Anonymous, path);
    world.send(with_token(request, token)).await
}

/// A new token of somebody's.
async fn token(
    world: &World,
    person: Person,
    scopes: &[Scope],
    projects: Option<ProjectId>,
) -> (String, ApiTokenId) {
    let actor = world.actor(person).await;
    let new = NewApiToken {
        name: "notebook".to_owned(),
        scopes: scopes.iter().copied().collect(),
        projects: projects.map(|project| [project].into()),
        days: 30,
    };
    let secret = account::create_token(&world.services, &actor, new).await.unwrap();
    let made = account::list_tokens(&world.services, &actor).await.unwrap();
    (secret, made[0].id)
}

fn is_for_programs(row: &Row) -> bool {
    row.path.starts_with("/api/v1/") || row.path.starts_with("/events/")
}

fn standpoint(person: Person, action: Action) -> Standpoint {
    let is_about_a_project = !matches!(
        action,
        Action::VisitPublic | Action::VisitOwn | Action::CreateProject | Action::Administer
    );
    let role = match person {
        Person::Labeler | Person::Bystander => Some(Role::Labeler),
        Person::Reviewer => Some(Role::Reviewer),
        Person::Manager => Some(Role::Manager),
        Person::Anonymous | Person::Outsider | Person::OtherManager | Person::Administrator => None,
    };
    match role.filter(|_| is_about_a_project) {
        Some(role) => Standpoint::Member { role, owns: person == Person::Labeler },
        None => Standpoint::Outsider {
            may_create_projects: person == Person::Manager,
            administers: person == Person::Administrator,
        },
    }
}

#[tokio::test]
async fn a_token_allows_what_both_the_person_and_its_scope_do() {
    let shared = World::new().await;
    let mut wrong = Vec::new();
    for person in [Person::Labeler, Person::Outsider, Person::Reviewer, Person::Manager] {
        for scope in &Scope::CHOOSABLE {
            let (secret, _) = token(&shared, person, &[*scope], None).await;
            for row in rows().into_iter().filter(is_for_programs) {
                let is_change = row.verb != Verb::Get;
                let own = if is_change { Some(World::new().await) } else { None };
                let world = own.as_ref().unwrap_or(&shared);
                let secret = match &own {
                    Some(own) => token(own, person, &[*scope], None).await.0,
                    None => secret.clone(),
                };
                let request = with_token(call(world, Person::Anonymous, &row), &secret);
                let said = match world.open(request).await.status() {
                    StatusCode::UNAUTHORIZED => Answer::SignIn,
                    StatusCode::FORBIDDEN => Answer::Deny,
                    StatusCode::NOT_FOUND => Answer::Hide,
                    status if status.is_success() => Answer::Allow,
                    status => panic!("{} as {person:?} with {scope}: {status}", row.path),
                };
                let needed = if is_change { Reach::Change } else { Reach::Read };
                let expected = if reach(*scope, row.action) < needed {
                    Answer::Deny
                } else {
                    answer(row.action, standpoint(person, row.action))
                };
                if said != expected {
                    let path = row.path;
                    wrong.push(format!(
                        "{path} as {person:?} with {scope}: {said:?}, not {expected:?}"
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_token_of_a_model_opens_what_that_model_is_given_and_nothing_else() {
    let mut wrong = Vec::new();
    for row in rows().into_iter().filter(is_for_programs) {
        let world = World::new().await;
        let request = with_token(call(&world, Person::Anonymous, &row), &world.facts.model_token);
        let status = world.open(request).await.status();
        let is_given = matches!(row.action, Action::VisitPublic | Action::SaveModelWork);
        if status.is_success() != is_given || (!is_given && status != StatusCode::FORBIDDEN) {
            wrong.push(format!("{:?} {}: {status}", row.verb, row.path));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn a_token_of_a_model_does_not_speak_for_another_and_goes_with_its_own() {
    let world = World::new().await;
    let (project, finished) = (world.facts.project, world.facts.finished);
    let manager = world.actor(Person::Manager).await;
    let new = NewModel {
        name: "other".to_owned(),
        version: "1".to_owned(),
        prompt_hash: String::new(),
        made_on: None,
    };
    let other = models::add(&world.services, &manager, project, new).await.unwrap();
    let secret = &world.facts.model_token;
    let path = |model| format!("/api/v1/projects/{project}/models/{model}/documents/{finished}");
    assert_eq!(get(&world, secret, &path(world.facts.model)).await.status, StatusCode::OK);
    assert_eq!(get(&world, secret, &path(other)).await.status, StatusCode::NOT_FOUND);
    let request = world
        .request("PUT", Person::Anonymous, &path(other))
        .header(CONTENT_TYPE, "application/json")
        .body(Body::from(r#"{ "spans": [] }"#))
        .unwrap();
    assert_eq!(world.send(with_token(request, secret)).await.status, StatusCode::NOT_FOUND);

    let model = world.facts.model;
    models::remove(&world.services, &manager, project, model).await.unwrap();
    assert_eq!(get(&world, secret, &path(model)).await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn nobody_chooses_a_token_of_a_model() {
    let world = World::new().await;
    let manager = world.actor(Person::Manager).await;
    for scopes in [vec![Scope::Model], Scope::ALL.to_vec()] {
        let new = NewApiToken {
            name: "model".to_owned(),
            scopes: scopes.into_iter().collect(),
            projects: None,
            days: 1,
        };
        account::create_token(&world.services, &manager, new).await.unwrap_err();
    }
    let secret = world.facts.api_token(Person::Manager).unwrap();
    let reach = account::actor_of_token(&world.services, secret, Reach::Change).await.unwrap();
    let of = (world.facts.project, world.facts.model);
    models::create_token(&world.services, &reach, of, 1).await.unwrap_err();
}

#[tokio::test]
async fn a_token_opens_no_page_and_calls_no_function() {
    let world = World::new().await;
    let token = world.facts.api_token(Person::Manager).unwrap();
    // Files of the front end, the help and `/health` are the same for everybody, whatever they come with.
    let is_file = |row: &Row| {
        ["/pkg/{*file}", "/health"].contains(&row.path) || row.path.starts_with("/help")
    };
    let others = rows().into_iter().filter(|row| !is_for_programs(row) && !is_file(row));
    for row in others {
        let request = with_token(call(&world, Person::Anonymous, &row), token);
        let is_scim = row.path.starts_with("/scim/");
        // Where directories come with theirs, it is none.
        let expected = if is_scim { StatusCode::UNAUTHORIZED } else { StatusCode::FORBIDDEN };
        assert_eq!(world.send(request).await.status, expected, "{}", row.path);
    }
}

#[tokio::test]
async fn a_request_comes_with_a_session_or_a_token() {
    let world = World::new().await;
    let token = world.facts.api_token(Person::Manager).unwrap();
    let mut request = world.getting(Person::Labeler, "/api/v1/projects");
    request.headers_mut().insert(AUTHORIZATION, format!("Bearer {token}").parse().unwrap());
    assert_eq!(world.send(request).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn what_is_no_token_any_more_is_refused_and_says_how_to_come() {
    let world = World::new().await;
    let (secret, id) = token(&world, Person::Manager, &[Scope::Read], None).await;
    assert_eq!(get(&world, &secret, "/api/v1/projects").await.status, StatusCode::OK);
    let manager = world.actor(Person::Manager).await;
    let shown = account::list_tokens(&world.services, &manager).await.unwrap();
    let today = world.services.now().date_naive();
    let of_token = shown.iter().find(|token| token.id == id).unwrap();
    assert_eq!(of_token.last_used_on, Some(today));

    account::revoke_token(&world.services, &manager, id).await.unwrap();
    for bad in [secret.as_str(), "concord_mistyped", ""] {
        let refused = get(&world, bad, "/api/v1/projects").await;
        assert_eq!(refused.status, StatusCode::UNAUTHORIZED, "{bad}");
        assert_eq!(refused.header("content-type"), "application/problem+json");
        assert!(refused.header("www-authenticate").starts_with("Bearer"));
    }
}

#[tokio::test]
async fn a_new_password_ends_the_tokens_of_the_old_one() {
    let world = World::new().await;
    let token = world.facts.api_token(Person::Labeler).unwrap();
    assert_eq!(get(&world, token, "/api/v1/projects").await.status, StatusCode::OK);
    let email = Facts::email(Person::Labeler);
    let password = format!("{PASSWORD} anew");
    account::reset_password(&world.services, email, password).await.unwrap();
    assert_eq!(get(&world, token, "/api/v1/projects").await.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn nobody_ends_the_token_of_another() {
    let world = World::new().await;
    let labeler = world.actor(Person::Labeler).await;
    let of_manager = world.facts.api_token_id(Person::Manager);
    account::revoke_token(&world.services, &labeler, of_manager).await.unwrap_err();
    let token = world.facts.api_token(Person::Manager).unwrap();
    assert_eq!(get(&world, token, "/api/v1/projects").await.status, StatusCode::OK);
}

#[tokio::test]
async fn a_token_leads_to_the_projects_that_it_was_made_for() {
    let world = World::new().await;
    let manager = world.actor(Person::Manager).await;
    let second = project::create(&world.services, &manager, "Odes".to_owned(), None).await.unwrap();
    let (secret, _) = token(&world, Person::Manager, &[Scope::Read], Some(second)).await;
    let first = world.facts.project;
    let found = get(&world, &secret, &format!("/api/v1/projects/{second}")).await;
    assert_eq!(found.status, StatusCode::OK);
    for path in [
        format!("/api/v1/projects/{first}"),
        format!("/api/v1/projects/{first}/agreement"),
        format!("/api/v1/documents/{}", world.facts.finished),
        format!("/events/projects/{first}/agreement"),
    ] {
        assert_eq!(get(&world, &secret, &path).await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let listed = get(&world, &secret, "/api/v1/projects").await.json();
    let ids: Vec<_> = listed["items"].as_array().unwrap().iter().map(|it| &it["id"]).collect();
    assert_eq!(ids, [&serde_json::json!(second)]);
    let elsewhere = NewApiToken {
        name: "elsewhere".to_owned(),
        scopes: [Scope::Read].into(),
        projects: Some([ProjectId(i64::MAX)].into()),
        days: 1,
    };
    account::create_token(&world.services, &manager, elsewhere).await.unwrap_err();
}

#[tokio::test]
async fn a_key_belongs_to_the_token_that_came_with_it() {
    let world = World::new().await;
    let path = format!("/api/v1/projects/{}/labels", world.facts.project);
    let add = async |token: &str| {
        let request = world.request("POST", Person::Anonymous, &path);
        let request = request.header(CONTENT_TYPE, "application/json");
        let request = request.header("idempotency-key", "a-key-of-its-own");
        let label = r#"{ "name": "NEW", "colour": 1, "hotkey": null }"#;
        world.send(with_token(request.body(Body::from(label)).unwrap(), token)).await
    };
    let all = [Scope::Manage];
    let (first, _) = token(&world, Person::Manager, &all, None).await;
    for again in ["", "true"] {
        let made = add(&first).await;
        assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
        assert_eq!(made.header("idempotency-replayed"), again);
    }
    let (other, _) = token(&world, Person::Manager, &all, None).await;
    let manager = world.actor(Person::Manager).await;
    let another =
        project::create(&world.services, &manager, "Psalms".to_owned(), None).await.unwrap();
    let (elsewhere, _) = token(&world, Person::Manager, &all, Some(another)).await;
    let (narrow, _) = token(&world, Person::Manager, &[Scope::Read], None).await;
    for (token, status) in [
        (other, StatusCode::UNPROCESSABLE_ENTITY),
        (elsewhere, StatusCode::NOT_FOUND),
        (narrow, StatusCode::FORBIDDEN),
    ] {
        let said = add(&token).await;
        assert_eq!(said.status, status, "{}", said.text());
        assert_eq!(said.header("idempotency-replayed"), "");
    }
}

#[tokio::test]
async fn what_a_token_is_not_for_is_noted_among_refusals() {
    let world = World::new().await;
    let (secret, _) = token(&world, Person::Manager, &[Scope::Read], None).await;
    let path = "/api/v1/projects/{project}/webhooks";
    let row = rows().into_iter().find(|row| row.path == path && row.verb == Verb::Post).unwrap();
    for _ in 0..2 {
        let request = with_token(call(&world, Person::Anonymous, &row), &secret);
        assert_eq!(world.send(request).await.status, StatusCode::FORBIDDEN);
    }
    world.services.note_refusals().await.unwrap();
    let refused = Filter { event: Some(AuditEvent::Refuse), ..Filter::default() };
    let project = Some(world.facts.project);
    let noted = store::outside::audit::list(&world.store, project, &refused, 10).await.unwrap();
    let details: Vec<_> = noted.iter().map(|row| row.detail.as_str()).collect();
    assert_eq!(details, [r#"{"times":2,"what":"manage project"}"#]);
}
