//! Requests to server functions that cannot be read: a field is missing, or is not what it is to be.

use domain::{Code, Error};
use http::StatusCode;
use leptos::prelude::use_context;
use leptos_axum::ResponseOptions;
use server_fn::error::ServerFnErrorErr;

use crate::ApiError;

/// The most that is said of what a reader did not understand, in characters.
const SAID: usize = 200;

/// What could not be read in a form that a browser has sent; put there for the page that says so.
#[derive(Clone)]
pub struct UnreadableForm(pub String);

/// The refusal of a request that could not be read, with the HTTP status that says so; none for what
/// failed otherwise.
pub(crate) fn refuse_unreadable(error: &ServerFnErrorErr) -> Option<ApiError> {
    let refusal = match error {
        ServerFnErrorErr::MissingArg(field) => missing(field),
        ServerFnErrorErr::Args(why) | ServerFnErrorErr::Deserialization(why) => unread(why),
        _ => return None,
    };
    if let Some(response) = use_context::<ResponseOptions>() {
        response.set_status(StatusCode::BAD_REQUEST);
    }
    Some(refusal.into())
}

fn missing(field: &str) -> Error {
    Code::Missing.of(field, format!("the field \"{field}\" is missing"))
}

/// What serde says of a request, in our words where it names a field that is missing.
fn unread(why: &str) -> Error {
    let named = why.split_once("missing field `").and_then(|(_, rest)| rest.split_once('`'));
    if let Some((field, _)) = named {
        return missing(field);
    }
    let said: String = why.chars().take(SAID).collect();
    Code::Malformed.of("request", format!("the request cannot be read: {said}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(why: &str) -> (String, String) {
        match refuse_unreadable(&ServerFnErrorErr::Args(why.to_owned())) {
            Some(ApiError::App(Error::Invalid { field, problem })) => (field, problem.to_string()),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_field_that_is_missing_is_named() {
        for why in ["missing field `role`", "missing field `role` at line 1 column 9"] {
            let (field, problem) = refusal(why);
            assert_eq!((&*field, &*problem), ("role", "the field \"role\" is missing"));
        }
    }

    #[test]
    fn what_is_not_understood_is_said_in_a_few_words() {
        let (field, problem) = refusal(&"é".repeat(9_000));
        assert_eq!(field, "request");
        assert!(problem.chars().count() < 250);
    }

    #[test]
    fn what_breaks_on_the_server_is_no_fault_of_the_request() {
        let broken = ServerFnErrorErr::ServerError("missing field `role`".to_owned());
        assert_eq!(refuse_unreadable(&broken), None);
    }
}
