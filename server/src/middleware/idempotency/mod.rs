//! Commands of programs under a key (`Idempotency-Key`): the same request, sent again because its
//! answer was lost, is carried out once and gets the same answer.

pub(crate) mod fingerprint;

use std::sync::Arc;

use axum::{
    body::{Body, Bytes, HttpBody, to_bytes},
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use futures::{StreamExt, stream};
use http::{
    HeaderMap, HeaderName, HeaderValue, StatusCode,
    header::{CONTENT_TYPE, ETAG, LOCATION},
};
use services::base::change::idempotency::{Begun, StoredAnswer, begin, end};

use self::fingerprint::fingerprint;
use crate::{
    Site,
    site::problem::{Problem, Settled},
};

/// The header with the key.
pub(crate) const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// Says that an answer is one that was given before.
const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The largest request that may have a key, and the largest answer that is kept: both are held in
/// memory.
const MOST_BYTES: usize = 16 * 1024 * 1024;

/// The headers that belong to an answer.
const KEPT: [HeaderName; 3] = [CONTENT_TYPE, ETAG, LOCATION];

/// Carries a request out unless its key says that this was done.
pub(crate) async fn carry_out_once(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let key = request.headers().get(IDEMPOTENCY_KEY).cloned();
    let actor = request.extensions().get::<Actor>().cloned();
    match (key, actor) {
        (Some(key), Some(actor)) if !request.method().is_safe() => {
            let answered = under_key(&site, &actor, &key, request, next).await;
            answered.unwrap_or_else(IntoResponse::into_response)
        }
        _ => next.run(request).await,
    }
}

async fn under_key(
    site: &Site,
    actor: &Actor,
    key: &HeaderValue,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Ok(key) = key.to_str() else {
        return Err(Code::Malformed
            .of("Idempotency-Key", "a key has visible ASCII characters")
            .into());
    };
    let (parts, body) = request.into_parts();
    let body = whole(body).await?;
    let fingerprint = fingerprint(&parts, body.clone()).await?;
    let claimed = match begin(&site.services, actor, key, &fingerprint).await? {
        Begun::Now(claimed) => claimed,
        Begun::Before(answer) => return replayed(answer),
        Begun::Stored => {
            let why = "done; the answer was lost: check the result";
            return Err(Problem::of_request(Code::AnswerGone, why));
        }
        Begun::UnderWay => {
            let why = "the request with this key is in progress or was interrupted: check the \
                        result before sending it under another key";
            return Err(Problem::of_request(Code::RequestUnderWay, why));
        }
    };
    let carrying_out = next.run(Request::from_parts(parts, Body::from(body)));
    let (kept, response) = keep(claimed.clone().carry_out(carrying_out).await).await;
    end(&site.services, claimed, kept).await;
    Ok(response)
}

/// The body of a request, in memory once.
async fn whole(body: Body) -> Result<Bytes, Problem> {
    let expected = usize::try_from(body.size_hint().lower()).unwrap_or(0).min(MOST_BYTES);
    let (mut whole, mut pieces) = (Vec::with_capacity(expected), body.into_data_stream());
    while let Some(piece) = pieces.next().await {
        let piece = piece.map_err(|_| {
            let why = "the request was incomplete";
            Problem::of_request(Code::MalformedRequest, why)
        })?;
        if whole.len() + piece.len() > MOST_BYTES {
            let why = "a request with an Idempotency-Key has at most 16 MiB";
            return Err(Problem::of_request(Code::TooLarge, why));
        }
        whole.extend_from_slice(&piece);
    }
    Ok(whole.into())
}

/// Marks an answer that tells a secret: it is told this once, and stored nowhere.
#[derive(Clone)]
pub(crate) struct TellsSecret;

/// What is kept of an answer, and the answer: nothing, if the same request may be answered otherwise next
/// time, and that it was carried out, if the answer itself is not to be kept.
async fn keep(response: Response) -> (Option<StoredAnswer>, Response) {
    let status = response.status();
    let passes = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::CONFLICT,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    let is_settled = response.extensions().get::<Settled>().is_some();
    if !is_settled && (status.is_server_error() || passes.contains(&status)) {
        return (None, response);
    }
    let (parts, body) = response.into_parts();
    if parts.extensions.get::<TellsSecret>().is_some() {
        let why = "done; the answer contained a secret, which is shown only once";
        return (gone(why).await, Response::from_parts(parts, body));
    }
    let mut rest = body.into_data_stream();
    let (mut read, mut broken) = (Vec::new(), None);
    while read.len() <= MOST_BYTES && broken.is_none() {
        match rest.next().await {
            Some(Ok(piece)) => read.extend_from_slice(&piece),
            Some(Err(error)) => broken = Some(error),
            None => break,
        }
    }
    let is_whole = read.len() <= MOST_BYTES && broken.is_none();
    let stored = if is_whole { stored(status, &parts.headers, &read) } else { None };
    let kept = if stored.is_some() {
        stored
    } else {
        gone("done; the answer was too large to store: check the result").await
    };
    let body = if is_whole {
        Body::from(read)
    } else {
        let read = stream::iter([Ok(Bytes::from(read))].into_iter().chain(broken.map(Err)));
        Body::from_stream(read.chain(rest))
    };
    (kept, Response::from_parts(parts, body))
}

/// What is kept in the place of an answer.
async fn gone(why: &str) -> Option<StoredAnswer> {
    let (parts, body) = Problem::of_request(Code::AnswerGone, why).into_response().into_parts();
    stored(parts.status, &parts.headers, &to_bytes(body, MOST_BYTES).await.ok()?)
}

/// An answer as it is stored; none if it is no text.
fn stored(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Option<StoredAnswer> {
    let headers = KEPT.iter().filter_map(|name| {
        let value = headers.get(name)?.to_str().ok()?;
        Some((name.to_string(), value.to_owned()))
    });
    Some(StoredAnswer {
        status: status.as_u16(),
        headers: headers.collect(),
        body: String::from_utf8(body.to_vec()).ok()?,
    })
}

fn replayed(answer: StoredAnswer) -> Result<Response, Problem> {
    let StoredAnswer { status, headers, body } = answer;
    let broken = || {
        let why = "the stored answer cannot be read";
        Problem::of_request(Code::Internal, why)
    };
    let mut response = Body::from(body).into_response();
    *response.status_mut() = StatusCode::from_u16(status).map_err(|_| broken())?;
    for (name, value) in headers {
        let name: HeaderName = name.parse().map_err(|_| broken())?;
        response.headers_mut().insert(name, value.parse().map_err(|_| broken())?);
    }
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use axum::Extension;

    use super::*;

    #[tokio::test]
    async fn what_may_turn_out_otherwise_is_not_kept() {
        let kept = async |status: StatusCode| keep(status.into_response()).await.0.is_some();
        assert!(kept(StatusCode::OK).await && kept(StatusCode::UNPROCESSABLE_ENTITY).await);
        assert!(!kept(StatusCode::SERVICE_UNAVAILABLE).await);
        assert!(!kept(StatusCode::FORBIDDEN).await && !kept(StatusCode::CONFLICT).await);
    }

    #[tokio::test]
    async fn an_answer_that_is_too_large_to_be_kept_arrives_whole_and_is_not_replayed_as_an_empty_one()
     {
        for (bytes, status) in [(MOST_BYTES, 201), (MOST_BYTES + 1, 410), (2 * MOST_BYTES, 410)] {
            let pieces = vec![b'x'; bytes];
            let pieces: Vec<_> =
                pieces.chunks(1 << 20).map(|it| Ok::<_, axum::Error>(it.to_vec())).collect();
            let body = Body::from_stream(stream::iter(pieces));
            let (kept, response) = keep((StatusCode::CREATED, body).into_response()).await;
            let kept = kept.unwrap();
            assert_eq!(kept.status, status, "{bytes}");
            assert_eq!(kept.body.contains("too large to store"), status == 410);
            assert_eq!(response.status(), StatusCode::CREATED);
            let arrived = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            assert_eq!(arrived.len(), bytes);
        }
    }

    #[tokio::test]
    async fn an_answer_that_breaks_off_is_not_kept_as_a_whole_one() {
        let pieces = [Ok("beginning"), Err("broken")];
        let (kept, response) = keep(Body::from_stream(stream::iter(pieces)).into_response()).await;
        assert_eq!(kept.unwrap().status, 410);
        assert!(to_bytes(response.into_body(), usize::MAX).await.is_err());
    }

    #[tokio::test]
    async fn an_answer_that_tells_a_secret_is_told_and_not_kept() {
        let answer = (StatusCode::CREATED, Extension(TellsSecret), "hush").into_response();
        let (kept, response) = keep(answer).await;
        let kept = kept.unwrap();
        assert_eq!(kept.status, 410);
        assert!(!format!("{kept:?}").contains("hush"));
        assert_eq!(to_bytes(response.into_body(), usize::MAX).await.unwrap(), "hush");
    }
}
