//! `/api/v1`: what programs ask for, and files to take away. A handler's description says where it is
//! answered; the router of its room, who may ask and what it takes.

pub(crate) mod account;
pub(crate) mod agreement;
pub(crate) mod base;
pub(crate) mod document;
mod openapi;
pub(crate) mod outside;
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::DESCRIPTION;

    #[test]
    fn each_operation_has_a_name_of_its_own() {
        let paths = DESCRIPTION["paths"].as_object().unwrap().values();
        let operations = paths.flat_map(|path| path.as_object().unwrap().values());
        let names: Vec<_> =
            operations.map(|operation| operation["operationId"].as_str().unwrap()).collect();
        let different: BTreeSet<_> = names.iter().collect();
        assert!(names.len() > 50);
        assert_eq!(different.len(), names.len());
    }
}
