//! The client that sends: it resolves names itself and connects to none but permitted addresses.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::Duration,
};

use reqwest::{
    dns::{Addrs, Name, Resolve, Resolving},
    header::CONTENT_TYPE,
    redirect,
};
use store::outside::deliveries::Due;

use super::destinations::Destinations;
use crate::error_chain;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_secs(10);

/// How names are looked up: the system's way, or a test's.
type LookUp = fn(String) -> futures::future::BoxFuture<'static, io::Result<Vec<IpAddr>>>;

/// The client that sends, made when something is to be sent for the first time.
pub(crate) struct Client {
    pub(super) destinations: Arc<Destinations>,
    inner: tokio::sync::OnceCell<reqwest::Client>,
}

impl Client {
    pub(crate) fn new(destinations: Destinations) -> Self {
        Self { destinations: Arc::new(destinations), inner: tokio::sync::OnceCell::new() }
    }

    /// Sends once: the HTTP status of the answer, or why there was none.
    pub(super) async fn send(
        &self,
        due: &Due,
        time: i64,
        signature: String,
    ) -> Result<u16, String> {
        let client = self.inner.get_or_try_init(async || {
            let guarded = Guarded { destinations: Arc::clone(&self.destinations), look_up };
            reqwest::Client::builder()
                .user_agent(concat!("concord/", env!("CARGO_PKG_VERSION")))
                .timeout(PATIENCE)
                // Whoever answers "elsewhere" is told nothing more.
                .redirect(redirect::Policy::none())
                // A proxy would connect in our place, wherever a name leads then.
                .no_proxy()
                // Each try looks the name up anew.
                .pool_max_idle_per_host(0)
                .dns_resolver(Arc::new(guarded))
                .build()
        });
        let client = client.await.map_err(|error| error_chain(&error))?;
        let url = reqwest::Url::parse(&due.url).map_err(|error| error.to_string())?;
        // An address in the place of a name is not looked up.
        if !url.host_str().is_some_and(|host| self.destinations.may_permit(host)) {
            return Err(REFUSED.to_owned());
        }
        let answer = client
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("concord-event", &due.event)
            .header("concord-delivery", due.id.to_string())
            .header("concord-timestamp", time.to_string())
            .header("concord-signature", signature)
            .body(due.body.clone())
            .send()
            .await;
        answer
            .map(|answer| answer.status().as_u16())
            .map_err(|error| error_chain(&error.without_url()))
    }
}

/// What the log says where a webhook leads inside.
const REFUSED: &str = "webhooks may not reach this address; --webhook-allow allows it";

fn look_up(host: String) -> futures::future::BoxFuture<'static, io::Result<Vec<IpAddr>>> {
    Box::pin(async move {
        let found = tokio::net::lookup_host((host, 0)).await?;
        Ok(found.map(|address| address.ip()).collect())
    })
}

/// Looks names up and gives nothing but permitted addresses to connect to: since these are what is
/// connected to, a name cannot lead elsewhere the second time.
struct Guarded {
    destinations: Arc<Destinations>,
    look_up: LookUp,
}

impl Resolve for Guarded {
    fn resolve(&self, name: Name) -> Resolving {
        let destinations = Arc::clone(&self.destinations);
        let host = name.as_str().to_owned();
        let looking = (self.look_up)(host.clone());
        Box::pin(async move {
            let mut found = looking.await?;
            found.retain(|address| destinations.permit(&host, *address));
            if found.is_empty() {
                return Err(REFUSED.into());
            }
            // The port is that of the address.
            let found = found.into_iter().map(|address| SocketAddr::new(address, 0));
            let addresses: Addrs = Box::new(found);
            Ok(addresses)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answering(
        answer: &'static [&'static str],
    ) -> futures::future::BoxFuture<'static, io::Result<Vec<IpAddr>>> {
        Box::pin(async { Ok(answer.iter().map(|address| address.parse().unwrap()).collect()) })
    }

    async fn resolved(destinations: Destinations, look_up: LookUp) -> Option<Vec<String>> {
        let guarded = Guarded { destinations: Arc::new(destinations), look_up };
        let found = guarded.resolve("hooks.example.org".parse().unwrap()).await.ok()?;
        Some(found.map(|address| address.ip().to_string()).collect())
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_leads_nowhere() {
        let look_ups: [LookUp; 4] = [
            |_| answering(&["127.0.0.1"]),
            |_| answering(&["169.254.169.254", "::ffff:10.0.0.1", "fe80::1"]),
            |_| answering(&["64:ff9b::7f00:1"]),
            |_| answering(&[]),
        ];
        for look_up in look_ups {
            assert_eq!(resolved(Destinations::default(), look_up).await, None);
        }
    }

    #[tokio::test]
    async fn of_several_addresses_those_that_are_permitted_are_connected_to() {
        let mixed: LookUp = |_| answering(&["10.0.0.1", "8.8.8.8", "::1", "2606:4700::1111"]);
        let found = resolved(Destinations::default(), mixed).await.unwrap();
        assert_eq!(found, ["8.8.8.8", "2606:4700::1111"]);
        let name = Destinations::with(vec!["hooks.example.org".parse().unwrap()]);
        assert_eq!(resolved(name, mixed).await.unwrap().len(), 4);
        let network = Destinations::with(vec!["10.0.0.0/8".parse().unwrap()]);
        assert_eq!(resolved(network, mixed).await.unwrap().len(), 3);
    }
}
