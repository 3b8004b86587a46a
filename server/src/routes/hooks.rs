//! The webhooks of the REST interface.

use axum::routing::on;
use domain::base::policy::Action;

use super::{Route, Verb, Weight};
use crate::rest;

/// Webhooks and their deliveries.
pub(super) const HOOKS: &[Route] = &[
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/webhooks",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::list),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/webhooks",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::create),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/webhooks/{webhook}",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::load),
    },
    Route {
        verb: Verb::Patch,
        path: "/api/v1/projects/{project}/webhooks/{webhook}",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::change),
    },
    Route {
        verb: Verb::Delete,
        path: "/api/v1/projects/{project}/webhooks/{webhook}",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::remove),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/webhooks/{webhook}/test",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::send_test),
    },
    Route {
        verb: Verb::Get,
        path: "/api/v1/projects/{project}/webhooks/{webhook}/deliveries",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::list_deliveries),
    },
    Route {
        verb: Verb::Post,
        path: "/api/v1/projects/{project}/webhooks/{webhook}/deliveries/{delivery}/redeliver",
        action: Action::ManageProject,
        weight: Weight::Light,
        handler: |filter| on(filter, rest::outside::webhooks::redeliver),
    },
];
