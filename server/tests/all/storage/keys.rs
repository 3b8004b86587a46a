//! Requests with a key during which the storage fails, sent again until they are answered.

use std::time::{Duration, Instant};

use axum::body::Body;
use http::{StatusCode, header};
use store::testing::contents;
use tokio::time::sleep;

use super::commands::outside;
use crate::world::{Answer, Person, World};

/// How long a request may be under way at most, once the storage has recovered.
const PATIENCE: Duration = Duration::from_secs(20);

/// Asks for a project, each time under the same key.
pub(super) async fn create_project(world: &World) -> Answer {
    let request = world
        .request("POST", Person::OtherManager, "/api/v1/projects")
        .header(header::CONTENT_TYPE, "application/json")
        .header("idempotency-key", "made-once")
        .body(Body::from("{\"name\":\"Made once\"}"));
    world.send(request.unwrap()).await
}

/// Sends the request again, now that the storage has recovered: it is answered, and was carried out once.
pub(super) async fn check_resent(world: &World, first: &Answer) -> Result<(), String> {
    let began = Instant::now();
    let mut resent = create_project(world).await;
    while resent.status == StatusCode::CONFLICT && began.elapsed() < PATIENCE {
        sleep(Duration::from_millis(100)).await;
        resent = create_project(world).await;
    }
    let rows = outside(world, contents).await?.remove("project").unwrap_or_default();
    let made = rows.iter().filter(|row| row.contains("Made once")).count();
    let is_answered = matches!(resent.status, StatusCode::CREATED | StatusCode::GONE);
    if made == 1 && is_answered {
        return Ok(());
    }
    Err(format!("{}, then {}: {made} made; {}", first.status, resent.status, resent.text()))
}
