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
use domain::Network;

use crate::{
    Site,
    middleware::limits::caps::too_many_connections,
    site::{held_body::held, proxies::client_of},
};

/// Puts the address that a request comes from into it. One that came by no socket is a test's.
/// Connections of a proxy are those of everybody: behind it, requests are counted instead.
pub(crate) async fn find_client(
    State(site): State<Arc<Site>>,
    mut request: Request,
    next: Next,
) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>();
    let peer = peer.map_or(IpAddr::V4(Ipv4Addr::LOCALHOST), |ConnectInfo(peer)| peer.ip());
    let client = client_of(peer, request.headers(), &site.proxies);
    request.extensions_mut().insert(ClientAddress(client));
    if !site.is_trusted(peer) {
        return next.run(request).await;
    }
    let Some(entry) = site.connections.enter(Network::from(client)) else {
        return too_many_connections();
    };
    next.run(request).await.map(|body| held(body, entry))
}
