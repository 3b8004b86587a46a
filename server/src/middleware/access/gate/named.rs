//! What a request is about: by its address, or by the beginning of what a server function is sent.

use std::str::FromStr;

use axum::body::Body;
use domain::{Code, Error};
use futures::{StreamExt, stream};
use services::base::access::admission::Place;

/// What is read of a request to a function before it is known what it is about. What is shorter
/// than that takes no more time to read than to judge.
const BEGINNING: usize = 16 * 1024;

/// What the address of a route names, if its parts are ids.
pub(super) fn by_address(pattern: &str, path: &str) -> Result<Place, Error> {
    let named = pattern.split('/').zip(path.split('/'));
    for (part, id) in named {
        match part {
            "{project}" => return id_of(id).map(Place::Project),
            "{assignment}" => return id_of(id).map(Place::Assignment),
            "{document}" => return id_of(id).map(Place::Document),
            _ => {}
        }
    }
    Ok(Place::Site)
}

fn id_of<T: FromStr>(text: &str) -> Result<T, Error> {
    text.parse().map_err(|_| Error::NotFound)
}

/// The beginning of a body that is longer than that, and the whole body as it came.
pub(super) async fn beginning(body: Body) -> (Option<Vec<u8>>, Body) {
    let mut rest = body.into_data_stream();
    let (mut begun, mut pieces, mut ended) = (Vec::new(), Vec::new(), false);
    while begun.len() < BEGINNING && !ended {
        match rest.next().await {
            Some(Ok(piece)) => {
                let room = BEGINNING - begun.len();
                begun.extend_from_slice(piece.get(..room).unwrap_or(&piece));
                pieces.push(Ok(piece));
            }
            Some(Err(error)) => {
                pieces.push(Err(error));
                ended = true;
            }
            None => ended = true,
        }
    }
    let is_long = begun.len() >= BEGINNING;
    (is_long.then_some(begun), Body::from_stream(stream::iter(pieces).chain(rest)))
}

/// What a function is about, which its first fields name.
pub(super) fn by_beginning(begun: &[u8]) -> Result<Place, Error> {
    let text = String::from_utf8_lossy(begun);
    let found = [
        first(&text, "project").map(|(at, id)| (at, id.parse().map(Place::Project))),
        first(&text, "assignment").map(|(at, id)| (at, id.parse().map(Place::Assignment))),
        first(&text, "document").map(|(at, id)| (at, id.parse().map(Place::Document))),
    ];
    let first = found.into_iter().flatten().min_by_key(|(at, _)| *at);
    let why = "the first field of a long request must name its subject";
    let (_, place) = first.ok_or_else(|| Code::Missing.of("request", why))?;
    place.map_err(|_| Error::NotFound)
}

/// The first number that stands under this name, in a form or in JSON, and where.
fn first<'a>(text: &'a str, name: &str) -> Option<(usize, &'a str)> {
    text.match_indices(name).find_map(|(at, _)| {
        let after = text.get(at + name.len()..)?;
        let value = after
            .strip_prefix("\":")
            .or_else(|| after.strip_prefix('='))
            .or_else(|| after.strip_prefix("]="))
            .or_else(|| after.strip_prefix("%5D="))?
            .trim_start();
        let end = value.find(|c: char| !c.is_ascii_digit())?;
        Some((at, value.get(..end)?))
    })
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::Bytes;
    use domain::{AssignmentId, DocumentId, ProjectId};

    use super::*;

    #[test]
    fn an_address_names_what_it_is_about() {
        let project = "/api/v1/projects/{project}/documents/{document}";
        let place = by_address(project, "/api/v1/projects/7/documents/9");
        assert_eq!(place, Ok(Place::Project(ProjectId(7))));
        let assignment =
            by_address("/api/v1/assignments/{assignment}/spans", "/api/v1/assignments/3/spans");
        assert_eq!(assignment, Ok(Place::Assignment(AssignmentId(3))));
        assert_eq!(by_address("/api/v1/compare", "/api/v1/compare"), Ok(Place::Site));
        assert_eq!(by_address(project, "/api/v1/projects/x/documents/9"), Err(Error::NotFound));
    }

    #[test]
    fn the_first_field_of_a_function_names_what_it_is_about() {
        for (text, place) in [
            ("project=7&title=document=3&", Place::Project(ProjectId(7))),
            ("command%5Bassignment%5D=3&x=1", Place::Assignment(AssignmentId(3))),
            ("command[document]=4&x", Place::Document(DocumentId(4))),
            ("{\"command\":{\"assignment\":5,\"base\":2", Place::Assignment(AssignmentId(5))),
            ("{\"project\": 6, \"x\": 1", Place::Project(ProjectId(6))),
        ] {
            assert_eq!(by_beginning(text.as_bytes()), Ok(place), "{text}");
        }
        for text in ["title=long", "project=", "project=x&", ""] {
            assert!(by_beginning(text.as_bytes()).is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn what_was_looked_at_is_still_there() {
        let (short, body) = beginning(Body::from("project=7")).await;
        assert_eq!(short, None);
        assert_eq!(axum::body::to_bytes(body, 99).await.unwrap(), "project=7");
        let long = "x".repeat(3 * BEGINNING);
        let pieces = long.as_bytes().chunks(1_000).map(Bytes::copy_from_slice);
        let pieces: Vec<Result<Bytes, Infallible>> = pieces.map(Ok).collect();
        let (begun, body) = beginning(Body::from_stream(stream::iter(pieces))).await;
        assert_eq!(begun.unwrap().len(), BEGINNING);
        assert_eq!(axum::body::to_bytes(body, usize::MAX).await.unwrap(), long);
    }
}
