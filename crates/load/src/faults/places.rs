//! The places of servers, each with its proxy to the database; and what is done to them.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use anyhow::{Context, Result, ensure};
use rustix::process::Signal;
use tokio::{
    sync::{Mutex, MutexGuard},
    time::sleep,
};

use super::{
    database::Database,
    proxy::{Flow, Proxy},
    schedule::{Fault, Kind},
};
use crate::{
    corpus::Random,
    servers::{Concord, Server, lasting_address},
};

/// How long a server may take to be there again, whatever is wrong with its database meanwhile.
const PATIENCE: Duration = Duration::from_mins(1);

/// How long a server may take to stop.
const STOP: Duration = Duration::from_secs(5);

/// Where a server is, and is again after it has ended.
pub(crate) struct Place {
    concord: Concord,
    /// The version that it is upgraded to.
    newer: Option<Concord>,
    is_newer: AtomicBool,
    number: usize,
    addresses: [SocketAddr; 2],
    server: Mutex<Server>,
    proxy: Option<Proxy>,
    /// One fault of connections at a time.
    connections: Mutex<()>,
}

impl Place {
    /// Starts a server; its connections to the database go through a proxy of its own, if it has one.
    pub(crate) async fn start(
        (concord, newer): (Concord, Option<Concord>),
        number: usize,
        proxy: Option<Proxy>,
    ) -> Result<Self> {
        let addresses = [lasting_address()?, lasting_address()?];
        let server = Mutex::new(concord.start_at(number, addresses).await?);
        let (is_newer, connections) = (AtomicBool::new(false), Mutex::default());
        Ok(Self { concord, newer, is_newer, number, addresses, server, proxy, connections })
    }

    /// Where its pages are.
    pub(crate) const fn address(&self) -> SocketAddr {
        let [address, _] = self.addresses;
        address
    }

    /// The server that is there now; nothing is done to it meanwhile.
    pub(crate) async fn server(&self) -> MutexGuard<'_, Server> {
        self.server.lock().await
    }

    /// Has the fault happen, and returns when it is over and the server is there again.
    pub(crate) async fn suffer(&self, fault: Fault) -> Result<()> {
        let lasts = fault.lasts;
        match fault.kind {
            Kind::Kill => {
                let mut server = self.server().await;
                server.kill()?;
                sleep(lasts).await;
                *server = self.start_again().await?;
            }
            Kind::Stop | Kind::Upgrade => {
                let mut server = self.server().await;
                let told = Instant::now();
                server.terminate()?;
                server.ended().await?;
                let took = told.elapsed();
                // What an older version did is done.
                let is_newest = self.newer.is_none() || self.is_newer();
                ensure!(
                    !is_newest || took < STOP,
                    "server {} took {took:.1?} to stop",
                    self.number
                );
                if fault.kind == Kind::Upgrade {
                    self.is_newer.store(true, Ordering::Relaxed);
                }
                sleep(lasts).await;
                *server = self.start_again().await?;
            }
            Kind::Pause => {
                let server = self.server().await;
                server.signal(Signal::STOP)?;
                sleep(lasts).await;
                server.signal(Signal::CONT)?;
            }
            _ => {
                let proxy = self.proxy.as_ref().context("there are no connections")?;
                let _alone = self.connections.lock().await;
                rain(proxy, fault).await;
            }
        }
        Ok(())
    }

    fn is_newer(&self) -> bool {
        self.is_newer.load(Ordering::Relaxed)
    }

    /// As a service manager does: again and again, where the database is not there yet.
    async fn start_again(&self) -> Result<Server> {
        let began = Instant::now();
        let newer = self.newer.as_ref().filter(|_| self.is_newer());
        let concord = newer.unwrap_or(&self.concord);
        loop {
            match concord.start_at(self.number, self.addresses).await {
                Ok(server) => return Ok(server),
                Err(error) if began.elapsed() > PATIENCE => return Err(error),
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
        }
    }
}

/// Has a fault of connections happen.
async fn rain(proxy: &Proxy, fault: Fault) {
    let lasts = fault.lasts;
    match fault.kind {
        Kind::Cut => proxy.cut(),
        Kind::Refuse => {
            proxy.set(Flow::Refused);
            proxy.cut();
            sleep(lasts).await;
        }
        Kind::Delay => {
            proxy.set(Flow::Delayed(lasts / 10));
            sleep(lasts).await;
        }
        Kind::Stall => {
            proxy.set(Flow::Stalled);
            sleep(lasts).await;
        }
        Kind::Mute => {
            proxy.set(Flow::Mute);
            sleep(lasts).await;
            return proxy.begin_anew();
        }
        _ => {}
    }
    proxy.set(Flow::Open);
}

/// Has a fault happen to whatever it is a fault of.
pub(crate) async fn happen(
    fault: Fault,
    places: Arc<[Place]>,
    database: Option<Arc<Mutex<Database>>>,
    mut random: Random,
) -> Result<()> {
    let database = || database.as_ref().context("there is no PostgreSQL");
    match fault.kind {
        Kind::Restart { at_once } => database()?.lock().await.restart(at_once).await,
        Kind::Crash => database()?.lock().await.crash(&mut random).await,
        _ => places.get(fault.server).context("there is such a server")?.suffer(fault).await,
    }
}
