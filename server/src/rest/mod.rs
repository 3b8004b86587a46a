//! `/api/v1`: what programs ask for, and files to take away. A handler's description says where it is
//! answered; the router of its room, who may ask and what it takes.

pub(crate) mod agreement;
pub(crate) mod base;
pub(crate) mod document;
mod openapi;
mod outside;
mod project;
mod review;
mod work;

use std::sync::LazyLock;

use serde_json::Value;

use crate::site::route::{Declared, route};

/// All that programs are answered.
pub(crate) fn router() -> Vec<Declared> {
    let rooms = [
        vec![route!(openapi::load, VisitPublic, Light)],
        project::router(),
        document::router(),
        work::router(),
        review::router(),
        agreement::router(),
        outside::router(),
    ];
    rooms.into_iter().flatten().collect()
}

/// All of it described for programs (`OpenAPI` 3.1).
pub(crate) static DESCRIPTION: LazyLock<Value> =
    LazyLock::new(|| openapi::described(router().into_iter().map(|route| route.description)));
