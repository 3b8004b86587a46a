//! `/scim/v2` (RFC 7644): what the directory of a provider asks for and changes. It is described by itself, not
//! with the REST interface.

mod answer;
mod described;
mod groups;
mod users;

use domain::base::policy::Action;

pub(crate) use self::answer::refuse_in_its_words;
use crate::site::route::{Route, Verb, Weight};

/// All that a directory is answered.
pub(crate) fn routes() -> impl Iterator<Item = Route> {
    /// A route that a directory alone may ask.
    macro_rules! route {
        ($verb:ident $path:literal $($handler:ident)::+) => {
            Route::plain(
                (Verb::$verb, $path),
                (Action::Provision, Weight::Light),
                $($handler)::+,
            )
        };
    }
    [
        route!(Get "/scim/v2/Users" users::list),
        route!(Post "/scim/v2/Users" users::create),
        route!(Get "/scim/v2/Users/{id}" users::load),
        route!(Put "/scim/v2/Users/{id}" users::replace),
        route!(Patch "/scim/v2/Users/{id}" users::patch),
        route!(Delete "/scim/v2/Users/{id}" users::delete),
        route!(Get "/scim/v2/Groups" groups::list),
        route!(Post "/scim/v2/Groups" groups::create),
        route!(Get "/scim/v2/Groups/{id}" groups::load),
        route!(Put "/scim/v2/Groups/{id}" groups::replace),
        route!(Patch "/scim/v2/Groups/{id}" groups::patch),
        route!(Delete "/scim/v2/Groups/{id}" groups::delete),
        route!(Get "/scim/v2/ServiceProviderConfig" described::load_config),
        route!(Get "/scim/v2/ResourceTypes" described::list_types),
        route!(Get "/scim/v2/ResourceTypes/{name}" described::load_type),
        route!(Get "/scim/v2/Schemas" described::list_schemas),
        route!(Get "/scim/v2/Schemas/{name}" described::load_schema),
    ]
    .into_iter()
}
