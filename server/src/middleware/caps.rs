//! How many there may be at the same time: connections of an address, streams of a session.

use std::{
    collections::HashMap,
    hash::Hash,
    net::{IpAddr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use axum::{
    extract::{Request, State},
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use http::{HeaderValue, header};

use super::{held_body::held, session::Credential};
use crate::{Site, problem::Problem};

/// Counts what each key has, and lets none have more than so many.
pub(crate) struct Cap<K: Eq + Hash + Clone> {
    most: usize,
    counts: Mutex<HashMap<K, usize>>,
}

impl<K: Eq + Hash + Clone> Cap<K> {
    pub(crate) fn of(most: usize) -> Arc<Self> {
        Arc::new(Self { most, counts: Mutex::default() })
    }

    /// One more, if there may be one.
    pub(crate) fn enter(self: &Arc<Self>, key: K) -> Option<Entry<K>> {
        let mut counts = self.counts();
        let count = counts.entry(key.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Entry { cap: Arc::clone(self), key })
    }

    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn counts(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that is counted until it is dropped.
pub(crate) struct Entry<K: Eq + Hash + Clone> {
    cap: Arc<Cap<K>>,
    key: K,
}

impl<K: Eq + Hash + Clone> Drop for Entry<K> {
    fn drop(&mut self) {
        let mut counts = self.cap.counts();
        if let Some(count) = counts.get_mut(&self.key) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

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
    let key = match request.extensions().get::<Credential>() {
        Some(Credential::Session(token) | Credential::Token(token)) => token.clone(),
        // Nobody follows without one.
        None => return next.run(request).await,
    };
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
    fn each_has_so_many_at_a_time_and_leaves_nothing_behind() {
        let cap = Cap::of(2);
        let (first, second) = (cap.enter("one").unwrap(), cap.enter("one").unwrap());
        assert!(cap.enter("one").is_none());
        assert!(cap.enter("other").is_some());
        drop(first);
        assert!(cap.enter("one").is_some());
        drop(second);
        assert!(cap.counts().is_empty());
    }

    #[test]
    fn a_network_of_ipv6_is_one_address() {
        let of = |text: &str| counted_as(text.parse().unwrap()).to_string();
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
        assert_eq!(of("::ffff:192.0.2.1"), "192.0.2.1");
        assert_eq!(of("192.0.2.1"), "192.0.2.1");
    }
}
