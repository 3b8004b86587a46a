//! The commands that change the database, and what each of them changes.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    time::Duration,
};

use axum::{body::Body, response::Response};
use domain::{
    ProjectId,
    base::policy::{Answer, answer},
};
use http::{StatusCode, header};
use server::routes::Verb;
use services::outside::standing::standing;
use store::{Store, project, testing::contents};
use tokio::time::sleep;

use crate::{
    access::standpoint,
    calls::{Row, call, rows},
    world::{self, Person, World},
};

/// All rows of a database, by table.
pub(super) type Contents = BTreeMap<String, BTreeSet<String>>;

/// A command that changes the database, with somebody who may give it.
#[derive(Debug)]
pub(super) struct Command {
    pub(super) row: Row,
    pub(super) person: Person,
    pub(super) change: Change,
}

/// How many rows were added to a table and taken from it, for each table where any were. A changed row counts
/// as both.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Change(BTreeMap<String, (usize, usize)>);

impl Change {
    pub(super) fn between(before: &Contents, after: &Contents) -> Self {
        let none = BTreeSet::new();
        let tables: BTreeSet<_> = before.keys().chain(after.keys()).collect();
        let changes = tables.into_iter().filter_map(|table| {
            let old = before.get(table).unwrap_or(&none);
            let new = after.get(table).unwrap_or(&none);
            let change = (new.difference(old).count(), old.difference(new).count());
            (change != (0, 0)).then(|| (table.clone(), change))
        });
        Self(changes.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Debug for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (table, (added, removed)) in &self.0 {
            write!(f, "{table} +{added} -{removed} ")?;
        }
        Ok(())
    }
}

/// What the answer to a command claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    Done,
    NotDone(StatusCode),
    Unknown,
}

impl Claim {
    pub(super) async fn of(response: Response) -> Self {
        let answer = world::Answer::read(response).await;
        let text = answer.text();
        let fails = answer.header(header::LOCATION.as_str()).contains("__err=");
        if text.contains("outcome-unknown") || text.contains("OutcomeUnknown") {
            Self::Unknown
        } else if fails || !(answer.status.is_success() || answer.status.is_redirection()) {
            Self::NotDone(answer.status)
        } else {
            Self::Done
        }
    }
}

/// The rows of the tables of routes that may change the database.
pub(super) fn changing_rows() -> impl Iterator<Item = Row> {
    rows().into_iter().filter(|row| row.verb != Verb::Get)
}

/// The commands among rows that change the database, with what was found out while each was given.
pub(super) async fn commands<W, T>(
    rows: impl IntoIterator<Item = Row>,
    watch: impl Fn() -> W,
    find_out: impl Fn(W) -> T,
) -> Vec<(Command, T)> {
    let shared = World::new().await;
    let mut commands = Vec::new();
    for row in rows {
        // It goes on for as long as the server.
        if row.path.ends_with("/simulate_labelers") {
            continue;
        }
        for person in Person::ALL {
            if answer(row.action, standpoint(&shared, person, row.action).await) != Answer::Allow {
                continue;
            }
            let world = World::new().await;
            let before = contents(&world.store).await;
            let watched = watch();
            let outcome = give(&world, person, &row).await;
            let found = find_out(watched);
            let after = contents(&world.store).await;
            let change = Change::between(&before, &after);
            if outcome == Claim::Done && !change.is_empty() {
                commands.push((Command { row, person, change }, found));
                break;
            }
        }
    }
    commands
}

/// Gives a command, and waits until all of it has ended.
pub(super) async fn give(world: &World, person: Person, row: &Row) -> Claim {
    let outcome = Claim::of(world.open(call(world, person, row)).await).await;
    while standing(&world.services).imports > 0 {
        sleep(Duration::from_millis(5)).await;
    }
    outcome
}

/// Whether a world takes changes: one that is refused, and one that is made and is there for others.
pub(super) async fn check_recovered(world: &World) -> Result<(), String> {
    let refused = take_a_taken_name(world).await;
    if !refused.is_client_error() {
        return Err(format!("a taken name is answered {refused}"));
    }
    let request = world
        .request("POST", Person::OtherManager, "/api/v1/projects")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from("{\"name\":\"After the fault\"}"))
        .unwrap();
    let made = world.send(request).await;
    if made.status != StatusCode::CREATED {
        return Err(format!("a new project is answered {}", made.status));
    }
    let id = ProjectId(made.json()["id"].as_i64().unwrap());
    let there = outside(world, async |store| project::list_ids(store).await.unwrap()).await?;
    if !there.contains(&id) {
        return Err("a project that was acknowledged is not there".to_owned());
    }
    let ready = world.get(Person::Anonymous, "/ready").await;
    if ready.status != StatusCode::OK {
        return Err(format!("not ready: {}", ready.text()));
    }
    Ok(())
}

/// Reads a world's database as another process finds it.
pub(super) async fn outside<T>(
    world: &World,
    read: impl AsyncFnOnce(&Store) -> T,
) -> Result<T, String> {
    let outside = Store::open(&world.database_url()).await;
    let outside = outside.map_err(|error| {
        format!("others cannot open the database: {error}; {}", world.store.connections())
    })?;
    let found = read(&outside).await;
    outside.close().await.map_err(|error| error.to_string())?;
    Ok(found)
}

/// Gives a label a name that another one has.
pub(super) async fn take_a_taken_name(world: &World) -> StatusCode {
    let path = format!("/api/v1/projects/{}/labels", world.facts.project);
    let name = &world.facts.labels[0].name;
    let request = world
        .request("POST", Person::Manager, &path)
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(format!("{{\"name\":{name:?},\"colour\":1,\"hotkey\":null}}")))
        .unwrap();
    world.open(request).await.status()
}
