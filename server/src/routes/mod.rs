//! Every path that is answered, with what somebody must be permitted to do to reach it. The
//! router is built from these tables: what has no row is not served.

mod exchange;
mod functions;
mod hooks;
mod pages;
mod resources;
mod verb;

use std::sync::Arc;

use axum::routing::{MethodFilter, MethodRouter};
use domain::base::policy::Action;

use self::{exchange::EXCHANGE, hooks::HOOKS, resources::RESOURCES};
pub use self::{
    functions::FUNCTIONS,
    pages::{PAGES, Page},
    verb::Verb,
};
use crate::Site;

/// What answering takes, and with it the limits that apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// What is the same for everybody and asks nothing of the database: a file of the front end,
    /// whether the server is alive.
    File,
    /// A question or a command.
    Light,
    /// A command that brings a document's worth of changes.
    Save,
    /// An answer with everything that a project has.
    Export,
    /// Files to be compared at once.
    Compare,
    /// Documents.
    Import,
    /// An answer without an end.
    Stream,
}

/// A path for programs, for streams or for files.
pub struct Route {
    pub verb: Verb,
    pub path: &'static str,
    pub action: Action,
    pub weight: Weight,
    handler: fn(MethodFilter) -> MethodRouter<Arc<Site>>,
}

impl Route {
    /// Whether it belongs to the REST interface, and so has to be described.
    pub fn is_rest(&self) -> bool {
        self.path.starts_with("/api/v1/")
    }

    pub(crate) fn handler(&self) -> MethodRouter<Arc<Site>> {
        (self.handler)(self.verb.filter())
    }
}

/// Everything but the server functions and pages of `app`.
pub fn list() -> impl Iterator<Item = &'static Route> {
    EXCHANGE.iter().chain(RESOURCES).chain(HOOKS)
}
