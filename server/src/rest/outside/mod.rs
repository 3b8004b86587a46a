//! What leaves the server, and the proof that its numbers are right.

mod audit;
pub(crate) mod mail;
pub(crate) mod person;
mod verification;
mod webhooks;

use crate::site::route::{Declared, route};

/// What programs are answered here, with who may do it and what it takes.
pub(super) fn router() -> Vec<Declared> {
    vec![
        route!(audit::export_of_server, Administer, Export),
        route!(audit::export, ManageProject, Export),
        route!(verification::load, ManageProject, Export),
        route!(webhooks::list, ManageProject, Light),
        route!(webhooks::create, ManageProject, Light),
        route!(webhooks::load, ManageProject, Light),
        route!(webhooks::change, ManageProject, Light),
        route!(webhooks::remove, ManageProject, Light),
        route!(webhooks::list_deliveries, ManageProject, Light),
        route!(webhooks::redeliver, ManageProject, Light),
        route!(webhooks::send_test, ManageProject, Light),
    ]
}
