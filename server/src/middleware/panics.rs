//! The net under panics: the request that met one is answered, all others go on.

use std::any::Any;

use axum::response::{IntoResponse, Response};
use domain::Error;
use rand::Rng;

use crate::site::problem::Problem;

/// Logs the panic under an incident number and answers with the number.
#[expect(clippy::needless_pass_by_value, reason = "the layer hands the payload over")]
pub(crate) fn answer(payload: Box<dyn Any + Send + 'static>) -> Response {
    let incident = format!("{:08x}", rand::rng().random::<u32>());
    let message = payload
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| payload.downcast_ref::<&str>().copied())
        .unwrap_or("no message");
    tracing::error!(incident, message, "a request panicked");
    Problem::from(Error::Internal { incident }).into_response()
}

#[cfg(test)]
mod tests {
    use axum::{
        Router,
        body::{Body, to_bytes},
        routing::get,
    };
    use http::{Request, StatusCode};
    use tower::ServiceExt;
    use tower_http::catch_panic::CatchPanicLayer;

    use super::*;

    async fn meet_a_bug() {
        panic!("the secret of {}", "somebody");
    }

    #[tokio::test]
    async fn a_panic_is_answered_with_a_number_and_tells_nothing_else() {
        let router =
            Router::new().route("/", get(meet_a_bug)).layer(CatchPanicLayer::custom(answer));
        let request = Request::get("/").body(Body::empty()).unwrap();
        let response = router.oneshot(request).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        let body = String::from_utf8(body.to_vec()).unwrap();
        assert!(body.contains("incident"), "{body}");
        assert!(!body.contains("secret"), "{body}");
    }
}
