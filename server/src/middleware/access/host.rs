//! Refuses requests for a name that this site does not go by: another site whose name was made to
//! lead here is not to be talked to, and no link is made of a name that anybody may have written.

use std::{
    net::{IpAddr, SocketAddr},
    sync::Arc,
};

use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::Code;
use http::{header::HOST, uri::Authority};

use crate::{Site, site::problem::Problem};

/// The address of ours that a request was sent to; one that came by no socket has none.
#[derive(Clone, Copy)]
pub(crate) struct Reached(pub(crate) IpAddr);

/// Answers only to our own names: the public one, those of this machine, and the very address that
/// was connected to. What a trusted proxy passes on under a public address may have any name: the
/// proxy knows its own.
pub(crate) async fn refuse_foreign(
    State(site): State<Arc<Site>>,
    request: Request,
    next: Next,
) -> Response {
    let Some(name) = named(&request) else { return next.run(request).await };
    let reached = request.extensions().get::<Reached>().map(|reached| reached.0);
    let is_public = site.public_url.as_ref().is_some_and(|url| {
        let by_proxy = peer(&request).is_some_and(|peer| site.is_trusted(peer));
        by_proxy || url.is_at(&name)
    });
    if is_public || is_of_this_machine(host(&name), reached) {
        return next.run(request).await;
    }
    let why = match &site.public_url {
        Some(url) => format!("this site is at {url}"),
        None => {
            "this server does not know this name; its operator sets it with --public-url".to_owned()
        }
    };
    Problem::of_request(Code::ForeignHost, why).into_response()
}

/// The name and port that a request is for.
pub(crate) fn named(request: &Request) -> Option<String> {
    let of_uri = request.uri().authority().map(Authority::as_str);
    let of_header = || request.headers().get(HOST).map(|host| host.to_str().unwrap_or("?"));
    of_uri.or_else(of_header).map(str::to_ascii_lowercase)
}

fn peer(request: &Request) -> Option<IpAddr> {
    request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(peer)| peer.ip())
}

/// The name without its port.
fn host(name: &str) -> &str {
    if name.starts_with('[') {
        return name.split_inclusive(']').next().unwrap_or(name);
    }
    name.split(':').next().unwrap_or(name)
}

fn is_of_this_machine(host: &str, reached: Option<IpAddr>) -> bool {
    let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
    match bare.parse::<IpAddr>() {
        Ok(address) => {
            let address = address.to_canonical();
            address.is_loopback() || reached.is_some_and(|reached| reached == address)
        }
        Err(_) => bare == "localhost" || bare.ends_with(".localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_goes_by_its_loopback_names_and_the_address_that_was_reached() {
        let reached = Some("192.0.2.1".parse().unwrap());
        let ours = |name: &str| is_of_this_machine(host(name), reached);
        for name in
            ["localhost:3000", "concord.localhost", "127.0.0.1", "[::1]:3000", "192.0.2.1:80"]
        {
            assert!(ours(name), "{name}");
        }
        for name in
            ["evil.example", "localhost.evil.example", "192.0.2.2", "127.0.0.1.evil.example", ""]
        {
            assert!(!ours(name), "{name}");
        }
        assert!(!is_of_this_machine("192.0.2.1", None));
    }
}
