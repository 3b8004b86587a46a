//! Signing in through a provider (`OpenID` Connect): the browser is sent there with a question, and comes
//! back with a code for what the provider says of whoever sits before it.

mod asking;
mod claims;
mod connection;
mod entering;
mod identities;
mod logout;
mod mapping;
pub mod scim;
mod settings;
mod verifying;

pub use asking::{Asked, QUESTION_KEPT, Wanted, ask_provider};
pub use entering::{Answer, Entered, enter_by_provider};
pub use identities::{sign_in_ways, unlink_identities_of, unlink_identity};
pub use logout::end_by_provider;
pub use settings::{Accounts, ProjectRole, ProviderSettings};

pub(crate) use connection::Providers;
pub(crate) use identities::{list, refuse_passwords, refuse_stale};
