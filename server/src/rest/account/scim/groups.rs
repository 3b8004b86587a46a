//! The groups of a directory.

use axum::response::IntoResponse;
use http::StatusCode;
use serde_json::Value;
use services::account::scim;

use super::answer::{Asking, written};
use crate::rest::base::extract::{Ask, Body, Reply};

pub(super) async fn list(Ask(services, actor, ()): Ask<()>, asking: Asking) -> Reply {
    let found = scim::list_groups(&services, &actor, &asking.asked, &asking.shape).await?;
    Ok(written(StatusCode::OK, &found))
}

pub(super) async fn load(Ask(services, actor, id): Ask<String>, asking: Asking) -> Reply {
    let found = scim::load_group(&services, &actor, &id, &asking.shape).await?;
    Ok(asking.loaded(&found))
}

pub(super) async fn create(
    Ask(services, actor, ()): Ask<()>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let made = scim::create_group(&services, &actor, &sent, &asking.shape).await?;
    Ok(written(StatusCode::CREATED, &made))
}

pub(super) async fn replace(
    Ask(services, actor, id): Ask<String>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let which = (id.as_str(), asking.known.as_deref());
    let saved = scim::replace_group(&services, &actor, which, &sent, &asking.shape).await?;
    Ok(written(StatusCode::OK, &saved))
}

pub(super) async fn patch(
    Ask(services, actor, id): Ask<String>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let which = (id.as_str(), asking.known.as_deref());
    let saved = scim::patch_group_of(&services, &actor, which, &sent, &asking.shape).await?;
    // A group may be large, so it is shown to whoever asks for some of it only (RFC 7644, 3.5.2).
    Ok(match asking.shape.only {
        Some(_) => written(StatusCode::OK, &saved),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

pub(super) async fn delete(Ask(services, actor, id): Ask<String>, asking: Asking) -> Reply {
    scim::delete_group(&services, &actor, (&id, asking.known.as_deref()), &asking.shape).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
