//! Every path that is answered, with what somebody must be permitted to do to reach it. The
//! router is built from these tables: what has no row is not served.

mod functions;
pub(crate) mod moved;
pub(crate) mod router;

use std::sync::LazyLock;

use domain::base::policy::Action;

pub use self::{
    functions::{FUNCTIONS, JSON_FUNCTIONS},
    moved::MOVED,
};
pub use crate::pages::table::{PAGES, Page};
pub use crate::site::route::{PROVIDER_LOGOUT, Route, SIGNED, UNSUBSCRIBE, Verb, Weight};
use crate::{
    files,
    monitoring::health,
    pages::provider,
    rest::{
        self,
        agreement::events::{follow_agreement, follow_pages, load_followed},
    },
    site::route::Declared,
};

/// What is for people and for their browsers.
fn others() -> [Route; 16] {
    [
        Route::plain((Verb::Get, "/health"), (Action::VisitPublic, Weight::File), health::alive),
        Route::plain((Verb::Get, "/ready"), (Action::VisitPublic, Weight::Light), health::is_ready),
        Route::plain(
            (Verb::Get, "/pkg/{*file}"),
            (Action::VisitPublic, Weight::File),
            files::load_package_file,
        ),
        Route::plain(
            (Verb::Get, "/help"),
            (Action::VisitPublic, Weight::File),
            files::lead_to_help,
        ),
        Route::plain((Verb::Get, "/help/"), (Action::VisitPublic, Weight::File), files::load_help),
        Route::plain(
            (Verb::Get, "/help/{*page}"),
            (Action::VisitPublic, Weight::File),
            files::load_help_file,
        ),
        Route::plain(
            (Verb::Post, "/compare"),
            (Action::VisitOwn, Weight::Compare),
            rest::document::comparison::compare_for_people,
        ),
        Route::plain(
            (Verb::Post, UNSUBSCRIBE),
            (Action::VisitPublic, Weight::Light),
            rest::outside::mail::unsubscribe,
        ),
        Route::plain(
            (Verb::Get, "/account/data"),
            (Action::VisitOwn, Weight::Export),
            rest::outside::person::export_own,
        ),
        Route::plain(
            (Verb::Get, "/admin/accounts/{account}/data"),
            (Action::Administer, Weight::Export),
            rest::outside::person::export_person,
        ),
        Route::plain(
            (Verb::Get, "/events/projects/{project}/agreement"),
            (Action::ViewAgreement, Weight::Stream),
            follow_agreement,
        ),
        Route::plain(
            (Verb::Get, "/events/revisions"),
            (Action::VisitOwn, Weight::Stream),
            follow_pages,
        ),
        Route::plain(
            (Verb::Get, "/events/projects/{project}/page"),
            (Action::ViewAgreement, Weight::Light),
            load_followed,
        ),
        Route::plain(
            (Verb::Get, "/sign-in/with/{provider}"),
            (Action::VisitPublic, Weight::Light),
            provider::ask,
        ),
        Route::plain(
            (Verb::Get, "/sign-in/with/{provider}/back"),
            (Action::VisitPublic, Weight::Light),
            provider::enter,
        ),
        Route::plain(
            (Verb::Post, PROVIDER_LOGOUT),
            (Action::VisitPublic, Weight::Light),
            provider::end_sessions,
        ),
    ]
}

static ALL: LazyLock<Vec<Route>> = LazyLock::new(|| {
    let of_rest = rest::router().into_iter().flat_map(Declared::routes);
    others().into_iter().chain(rest::account::scim::routes()).chain(of_rest).collect()
});

/// Everything but the server functions and pages of `app`.
pub fn list() -> impl Iterator<Item = &'static Route> {
    ALL.iter()
}
