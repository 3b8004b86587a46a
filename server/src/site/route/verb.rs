//! How a path is called.

use axum::routing::MethodFilter;
use http::Method;
use utoipa::openapi::PathItem;

/// How a path is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verb {
    Get,
    Post,
    Put,
    Patch,
    Delete,
}

impl Verb {
    /// Those that a path is described with.
    pub(super) fn all_of(path: &PathItem) -> Vec<Self> {
        let operations = [
            (Self::Get, &path.get),
            (Self::Post, &path.post),
            (Self::Put, &path.put),
            (Self::Patch, &path.patch),
            (Self::Delete, &path.delete),
        ];
        let described = operations.into_iter().filter(|(_, operation)| operation.is_some());
        described.map(|(verb, _)| verb).collect()
    }

    /// The HTTP method.
    pub const fn method(self) -> Method {
        match self {
            Self::Get => Method::GET,
            Self::Post => Method::POST,
            Self::Put => Method::PUT,
            Self::Patch => Method::PATCH,
            Self::Delete => Method::DELETE,
        }
    }

    pub(super) const fn filter(self) -> MethodFilter {
        match self {
            Self::Get => MethodFilter::GET,
            Self::Post => MethodFilter::POST,
            Self::Put => MethodFilter::PUT,
            Self::Patch => MethodFilter::PATCH,
            Self::Delete => MethodFilter::DELETE,
        }
    }
}
