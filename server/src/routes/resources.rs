//! The resources of the REST interface: what there is, by its name, to be read and changed.

use axum::routing::on;
use domain::policy::Action;

use super::{Route, Verb, Weight};
use crate::{events, openapi, rest};

/// Projects and what is in them.
pub(super) const RESOURCES: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/api/v1/openapi.json",
        action: Action::VisitPublic,
        weight: Weight::Light,
        handler: |filter| on(filter, openapi::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects",
        action: Action::VisitOwn,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::projects::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}",
        action: Action::ViewProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::projects::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/labels",
        action: Action::ViewProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::projects::list_labels),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/labels",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::projects::create_label),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/members",
        action: Action::ManageMembers,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::projects::list_members),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/documents",
        action: Action::ManageDocuments,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::documents::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/documents/{document}",
        action: Action::ViewAgreement,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::documents::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/assignments",
        action: Action::ViewOwnWork,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::assignments::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/assignments/{assignment}",
        action: Action::Annotate,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::assignments::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/assignments/{assignment}/spans",
        action: Action::Annotate,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::assignments::load_spans),
    },
    Route {
        verb: Verb::Put,
        path: "/api/v1/assignments/{assignment}/spans",
        action: Action::Annotate,
        weight: Weight::Save,
        handler: |filter| on(filter, rest::assignments::save_spans),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/assignments/{assignment}/submit",
        action: Action::Annotate,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::assignments::submit),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/assignments/{assignment}/reopen",
        action: Action::Annotate,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::assignments::reopen),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/reviews",
        action: Action::Review,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::reviews::list),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/documents/{document}/review",
        action: Action::Review,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::reviews::load),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/documents/{document}/decisions",
        action: Action::Review,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::reviews::load_decisions),
    },
    Route {
        verb: Verb::Patch,
        path: "/api/v1/documents/{document}/decisions",
        action: Action::Review,
        weight: Weight::Save,
        handler: |filter| on(filter, rest::reviews::save_decisions),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/documents/{document}/review/submit",
        action: Action::Review,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::reviews::submit),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/documents/{document}/review/reopen",
        action: Action::Review,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::reviews::reopen),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/events",
        action: Action::ViewAgreement,
        weight: Weight::Stream,
        handler: |filter| on(filter, events::follow_agreement),
    },
];
