//! Somebody whom a directory knows, and what it says of them.

use axum::response::IntoResponse;
use http::StatusCode;
use serde_json::Value;
use services::account::scim;

use super::answer::{Asking, written};
use crate::rest::base::extract::{Ask, Body, Reply};

pub(super) async fn list(Ask(services, actor, ()): Ask<()>, asking: Asking) -> Reply {
    let found = scim::list_users(&services, &actor, &asking.asked, &asking.shape).await?;
    Ok(written(StatusCode::OK, &found))
}

pub(super) async fn load(Ask(services, actor, id): Ask<String>, asking: Asking) -> Reply {
    let found = scim::load_user(&services, &actor, &id, &asking.shape).await?;
    Ok(asking.loaded(&found))
}

pub(super) async fn create(
    Ask(services, actor, ()): Ask<()>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let made = scim::create_user(&services, &actor, &sent, &asking.shape).await?;
    Ok(written(StatusCode::CREATED, &made))
}

pub(super) async fn replace(
    Ask(services, actor, id): Ask<String>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let which = (id.as_str(), asking.known.as_deref());
    let saved = scim::replace_user(&services, &actor, which, &sent, &asking.shape).await?;
    Ok(written(StatusCode::OK, &saved))
}

pub(super) async fn patch(
    Ask(services, actor, id): Ask<String>,
    asking: Asking,
    Body(sent): Body<Value>,
) -> Reply {
    let which = (id.as_str(), asking.known.as_deref());
    let saved = scim::patch_user(&services, &actor, which, &sent, &asking.shape).await?;
    Ok(written(StatusCode::OK, &saved))
}

pub(super) async fn delete(Ask(services, actor, id): Ask<String>, asking: Asking) -> Reply {
    scim::delete_user(&services, &actor, (&id, asking.known.as_deref()), &asking.shape).await?;
    Ok(StatusCode::NO_CONTENT.into_response())
}
