//! Finds out where a request comes from, once for each.

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use app::context::ClientAddress;
use axum::{
    extract::{ConnectInfo, Request, State},
    middleware::Next,
    response::Response,
};

use crate::{Site, proxies::client_of};

/// Puts the address that a request comes from into it. One that came by no socket is a test's.
pub(crate) async fn find_client(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
    let client = ClientAddress(client_of(peer, request.headers(), &site.proxies));
    request.extensions_mut().insert(client);
    next.run(request).await
}
