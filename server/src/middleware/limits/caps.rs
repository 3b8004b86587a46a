//! How many there may be at the same time: connections of an address, streams of a session.

use std::{
    net::{IpAddr, Ipv6Addr},
    sync::Arc,
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use http::{HeaderValue, header};

use crate::{
    Site,
    middleware::access::session::Credential,
    site::{held_body::held, problem::Problem},
};

/// What an address is counted as: who has one of IPv6 has all of its network.
pub(crate) fn counted_as(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        address @ IpAddr::V4(_) => address,
    }
}

/// What is said to an address that has too many connections.
pub(crate) fn too_many_connections() -> Response {
    too_many("too many connections from your address; close some")
}

fn too_many(why: &str) -> Response {
    let mut response = Problem::of_request(Code::TooMuchAtOnce, why).into_response();
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(10));
    response
}

/// Lets a session, or a program, follow so many streams at the same time and no more.
pub(crate) async fn follow_few(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    // Nobody follows without one.
    let Some(credential) = request.extensions().get::<Credential>() else {
        return next.run(request).await;
    };
    let key = credential.secret().to_owned();
    let is_person = request.extensions().get::<Actor>().is_some_and(|actor| actor.person().is_ok());
    if !is_person {
        return next.run(request).await;
    }
    let Some(entry) = site.streams.enter(key) else {
        return too_many("too many live pages are open; close some");
    };
    next.run(request).await.map(|body| held(body, entry))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let of = |text: &str| counted_as(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
    }
}
