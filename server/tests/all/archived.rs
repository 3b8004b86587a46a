//! An archived project, whatever is asked of it; and a project that is deleted.

use std::{collections::BTreeMap, time::Duration};

use domain::Actor;
use http::{StatusCode, header::ACCEPT};
use server::routes::Verb;
use services::project;
use store::testing::{contents, rows, rows_of_project};

use super::{
    calls::{Row, call, rows as all_rows},
    world::{Answer, Options, Person, World},
};

/// What belongs to people and requests, not to a project.
const NOT_OF_PROJECTS: [&str; 6] =
    ["answered_request", "api_token", "audit", "save_key", "session", "user_account"];

async fn of_projects(world: &World) -> BTreeMap<String, std::collections::BTreeSet<String>> {
    let mut contents = contents(&world.store).await;
    contents.retain(|table, _| {
        let is_other = NOT_OF_PROJECTS.iter().any(|other| table.starts_with(other));
        !is_other
    });
    contents
}

/// Whether a row is about the project, and not about the archive itself.
fn is_about_it(row: &Row) -> bool {
    let path = row.path;
    let others = [
        "/fn/accounts/",
        "/fn/administration/",
        "/fn/second_factors/",
        "/fn/tokens/",
        "/fn/mail/",
        "/sign-in/with/",
        "/unsubscribe/",
        "/compare",
        "/api/v1/compare",
    ];
    let own = ["archive_project", "restore_project", "delete_project", "create_project"];
    let is_new = path == "/api/v1/projects" && row.verb == Verb::Post;
    let is_other = others.iter().any(|other| path.starts_with(other));
    !(is_new || is_other || own.iter().any(|name| path.ends_with(name)))
}

async fn archived() -> World {
    let world = World::new().await;
    let manager = world.actor(Person::Manager).await;
    project::archive(&world.services, &manager, world.facts.project).await.unwrap();
    world
}

#[tokio::test]
async fn nothing_of_an_archived_project_changes_whatever_is_asked() {
    let world = archived().await;
    let before = of_projects(&world).await;
    let mut refused = 0;
    let mut wrong = Vec::new();
    for row in all_rows().into_iter().filter(|row| row.verb != Verb::Get && is_about_it(row)) {
        for person in [Person::Labeler, Person::Reviewer, Person::Manager] {
            let answer = Answer::read(world.open(call(&world, person, &row)).await).await;
            refused += u32::from(answer.text().contains("archived"));
            if answer.status.is_server_error() {
                wrong.push(format!("{} as {person:?}: {}", row.path, answer.status));
            }
        }
        let after = of_projects(&world).await;
        for (table, rows) in after.iter().filter(|(table, rows)| before[*table] != **rows) {
            let new: Vec<_> = rows.symmetric_difference(&before[table]).collect();
            wrong.push(format!("{} {:?} changes {table}: {new:?}", row.path, row.verb));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused > 60, "only {refused} were refused for that");
}

#[tokio::test]
async fn an_archived_project_is_read_as_before() {
    let (usual, archived) = (World::new().await, archived().await);
    let mut wrong = Vec::new();
    for row in all_rows().into_iter().filter(|row| row.verb == Verb::Get) {
        for person in [Person::Labeler, Person::Reviewer, Person::Manager] {
            let open = async |world: &World| world.open(call(world, person, &row)).await.status();
            let (before, after) = (open(&usual).await, open(&archived).await);
            if before != after {
                wrong.push(format!("{} as {person:?}: {after}, not {before}", row.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[tokio::test]
async fn of_a_deleted_project_no_table_keeps_a_row() {
    let world = World::new().await;
    let project = world.facts.project;
    let before = rows(&world.store).await;
    let of_project = rows_of_project(&world.store, project).await;
    let tables: std::collections::BTreeSet<_> = of_project.iter().map(|(table, _)| table).collect();
    for table in ["span", "decision_label", "gold_version_document", "webhook_delivery"] {
        assert!(tables.contains(&table.to_owned()), "{table} is not among {tables:?}");
    }
    let manager = world.actor(Person::Manager).await;
    project::delete(&world.services, &manager, project, "Hymns").await.unwrap();
    let left = rows(&world.store).await;
    let kept: Vec<_> = left.intersection(&of_project).collect();
    assert!(kept.is_empty(), "{kept:?}");
    // And nothing else went with it.
    let gone: Vec<_> = before.difference(&left).filter(|row| !of_project.contains(row)).collect();
    assert!(gone.is_empty(), "{gone:?}");
    for row in all_rows().into_iter().filter(|row| row.path.contains("{project}")) {
        let answer = world.open(call(&world, Person::Manager, &row)).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{}", row.path);
    }
}

#[tokio::test]
async fn who_follows_a_project_that_is_deleted_is_not_left_waiting() {
    let world = World::new().await;
    let path = format!("/events/projects/{}/agreement", world.facts.project);
    let stream = world.open(world.getting(Person::Manager, &path)).await;
    assert_eq!(stream.status(), StatusCode::OK);
    let manager = world.actor(Person::Manager).await;
    project::delete(&world.services, &manager, world.facts.project, "Hymns").await.unwrap();
    let end = tokio::time::timeout(Duration::from_secs(30), Answer::read(stream)).await;
    assert!(end.is_ok(), "the stream goes on");
}

#[tokio::test]
async fn a_disabled_account_is_shut_out_of_what_it_follows() {
    let recheck = Some(Duration::from_millis(5));
    let world = World::with(Options { recheck, ..Options::default() }).await;
    let path = format!("/events/projects/{}/agreement", world.facts.project);
    let stream = world.open(world.getting(Person::Manager, &path)).await;
    assert_eq!(stream.status(), StatusCode::OK);
    let administrator = world.actor(Person::Administrator).await;
    let Actor::Person(manager) = world.actor(Person::Manager).await else { panic!("nobody") };
    let disable = domain::AccountChange::Disable;
    services::account::administration::change_account(
        &world.services,
        &administrator,
        manager.id,
        disable,
    )
    .await
    .unwrap();
    let end = tokio::time::timeout(Duration::from_secs(30), Answer::read(stream)).await;
    assert!(end.is_ok(), "the stream goes on");
    let request = world.request("GET", Person::Manager, "/").header(ACCEPT, "text/html");
    let page = world.send(request.body(axum::body::Body::empty()).unwrap()).await;
    assert!(!page.text().contains("Hymns"));
}
