//! A path that is answered, with what somebody must be permitted to do to reach it.

mod verb;

use std::sync::Arc;

use axum::{
    handler::Handler,
    routing::{MethodFilter, MethodRouter, on},
};
use domain::base::policy::Action;
use utoipa::openapi::OpenApi;

pub use self::verb::Verb;
use super::Site;

/// Where a provider says that somebody's sessions are over.
pub const PROVIDER_LOGOUT: &str = "/sign-in/with/{provider}/logout";
/// Where a mail program says that somebody wants no more mail, without a visit (RFC 8058).
pub const UNSUBSCRIBE: &str = "/unsubscribe/{token}";
/// Where others send what changes something: it is signed, and nothing there asks for a session.
pub const SIGNED: [&str; 2] = [PROVIDER_LOGOUT, UNSUBSCRIBE];

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
    pub path: String,
    pub action: Action,
    pub weight: Weight,
    handler: MethodRouter<Arc<Site>>,
}

impl Route {
    /// What is not for programs, and so not described to them.
    pub(crate) fn plain<T: 'static>(
        (verb, path): (Verb, &str),
        (action, weight): (Action, Weight),
        handler: impl Handler<T, Arc<Site>>,
    ) -> Self {
        Self { verb, path: path.to_owned(), action, weight, handler: on(verb.filter(), handler) }
    }

    /// Whether it belongs to the REST interface, and so has to be described.
    pub fn is_rest(&self) -> bool {
        self.path.starts_with("/api/v1/")
    }

    /// Whether it is for directories, and so answered in their words.
    pub(crate) fn is_scim(&self) -> bool {
        self.path.starts_with("/scim/")
    }

    pub(crate) fn handler(&self) -> MethodRouter<Arc<Site>> {
        self.handler.clone()
    }
}

/// A handler of the REST interface; its description, the attribute above it, says where it is answered.
pub(crate) struct Declared {
    pub(crate) description: OpenApi,
    pub(crate) action: Action,
    pub(crate) weight: Weight,
    pub(crate) handler: fn(MethodFilter) -> MethodRouter<Arc<Site>>,
}

impl Declared {
    pub(crate) fn routes(self) -> impl Iterator<Item = Route> {
        let Self { description, action, weight, handler } = self;
        description.paths.paths.into_iter().flat_map(move |(path, item)| {
            Verb::all_of(&item).into_iter().map(move |verb| {
                let handler = handler(verb.filter());
                Route { verb, path: path.clone(), action, weight, handler }
            })
        })
    }
}

/// Declares a handler of the REST interface: who may ask for it, and what it takes.
macro_rules! route {
    ($($handler:ident)::+, $action:ident, $weight:ident) => {{
        #[derive(utoipa::OpenApi)]
        #[openapi(paths($($handler)::+))]
        struct Description;

        $crate::site::route::Declared {
            description: <Description as utoipa::OpenApi>::openapi(),
            action: domain::base::policy::Action::$action,
            weight: $crate::site::route::Weight::$weight,
            handler: |filter| axum::routing::on(filter, $($handler)::+),
        }
    }};
}
pub(crate) use route;
