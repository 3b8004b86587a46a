//! `/api/v1`: what programs ask for, and files to take away. A handler's description says where it is
//! answered; the router of its room, who may ask and what it takes.

mod agreement;
pub(crate) mod base;
pub(crate) mod document;
mod outside;
mod project;
mod review;
mod work;

use crate::{
    openapi,
    routes::{Declared, route},
};

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
