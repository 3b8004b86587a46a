//! Accounts and tokens, by whoever runs the server.

mod password;
mod person;
mod scim;
pub(super) mod token;
pub(super) mod user;

use super::Error;

/// The error of an account that is not there.
pub(super) fn no_such_user(error: services::Error) -> Error {
    match error.into() {
        domain::Error::NotFound => Error::NoSuchUser,
        refusal => Error::Refused(refusal),
    }
}
