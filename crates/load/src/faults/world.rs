//! Servers on one database, and the people who work there while it rains.

use std::{
    net::SocketAddr,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result, bail, ensure};
use serde::Deserialize;
use serde_json::Value;
use tempfile::TempDir;
use tokio::{
    sync::{Mutex, watch},
    task::{JoinSet, spawn_blocking},
    time::{sleep, sleep_until},
};

use super::{
    database::Database,
    options::Options,
    places::{Place, happen},
    proxy::Proxy,
    schedule::Fault,
    watching::{Shown, Watcher},
    working::{Worked, Worker},
};
use crate::{
    client::Client,
    corpus::Random,
    people::project::{self, Project, Size},
    servers::Concord,
};

/// How soon all servers show the same after the last fault is over.
const SOON: Duration = Duration::from_secs(3);

/// How long that is waited for.
const PATIENCE: Duration = Duration::from_secs(20);

/// How many warnings of each server are shown where something is wrong.
const WARNINGS: usize = 12;

/// Servers, people and their work.
pub(crate) struct World {
    concord: Concord,
    places: Arc<[Place]>,
    database: Option<Arc<Mutex<Database>>>,
    /// The database's name at `PostgreSQL`.
    name: String,
    project: i64,
    manager: Client,
    watchers: Vec<Watcher>,
    workers: Vec<Worker>,
    _folder: TempDir,
}

/// What came of a schedule.
#[derive(Default)]
pub(crate) struct Suffered {
    pub(crate) worked: Worked,
    /// From the end of the last fault until each save was answered.
    pub(crate) answered: Duration,
    /// … and until all servers showed the same.
    pub(crate) same: Duration,
    /// How often servers that were there all the time counted a project from its rows.
    pub(crate) recounts: u64,
    pub(crate) problems: Vec<String>,
}

/// What a server says of its tallies.
#[derive(Deserialize)]
struct Verification {
    problems: Vec<Value>,
}

impl World {
    /// Makes an empty database with everything in it, and starts the servers.
    pub(crate) async fn create(
        options: &Options,
        database: Option<Database>,
        number: u64,
    ) -> Result<Self> {
        let folder = tempfile::Builder::new().prefix("concord-faults-").tempdir()?;
        let name = format!("faults_{}_{number}", std::process::id());
        if let Some(database) = &database {
            database.create(&name).await?;
        }
        let socket = database
            .as_ref()
            .map(|database| options.pooler_socket.clone().unwrap_or_else(|| database.socket()));
        let mut places = Vec::new();
        let mut prepared = None;
        for place in 0..options.servers.get() {
            let proxy = match &socket {
                Some(socket) => Some(Proxy::start(socket.clone()).await?),
                None => None,
            };
            let newer = concord(options, folder.path(), proxy.as_ref(), &name);
            let older = options.older.clone();
            let older = older.map(|binary| Concord { binary, ..newer.clone() });
            let (concord, newer) = match older {
                Some(older) => (older, Some(newer)),
                None => (newer, None),
            };
            if prepared.is_none() {
                let first = concord.clone();
                spawn_blocking(move || project::prepare(&first)).await??;
                prepared = Some(concord.clone());
            }
            places.push(Place::start((concord, newer), usize::try_from(place)?, proxy).await?);
        }
        let concord = prepared.context("there is a server")?;
        let addresses: Vec<SocketAddr> = places.iter().map(Place::address).collect();
        let labelers = options.labelers.get();
        let size = Size { labelers, watchers: 0, documents: 18, overlap: 3, spans: 20 };
        let made = project::create(&concord, &addresses, size, |_| {}).await?;
        let Project { id, followed, labels, manager, labelers, .. } = made;
        let labels: Arc<[i64]> = labels.into();
        let workers = labelers.into_iter();
        let workers = workers.map(|labeler| Worker::new(labeler, &addresses, Arc::clone(&labels)));
        let watchers = addresses.iter();
        let watchers = watchers.map(|server| Watcher::open(&manager, *server, (id, &followed)));
        let watchers = watchers.collect();
        Ok(Self {
            concord,
            places: places.into(),
            database: database.map(|database| Arc::new(Mutex::new(database))),
            name,
            project: id,
            manager,
            workers: workers.collect(),
            watchers,
            _folder: folder,
        })
    }

    /// Verifies with another version from now on.
    pub(crate) fn verify_with(&mut self, binary: &Path) {
        binary.clone_into(&mut self.concord.binary);
    }

    /// Has everybody save while faults happen, and judges what is there afterwards.
    pub(crate) async fn suffer(&mut self, seed: u64, faults: &[Fault]) -> Result<Suffered> {
        let first =
            self.watchers.first_mut().context("somebody watches")?.read_shown().await?.revision;
        // Where the matrix is looked at, there are tallies to be kept up.
        for watcher in &mut self.watchers {
            watcher.read_shown().await?;
        }
        let before = self.counts().await?;
        let (stop, told) = watch::channel(false);
        let mut working = JoinSet::new();
        for mut worker in self.workers.drain(..) {
            let told = told.clone();
            working.spawn(async move {
                let worked = worker.work(seed, told).await;
                (worker, worked)
            });
        }
        let mut outcome = Suffered::default();
        let began = Instant::now();
        let mut happening = JoinSet::new();
        for (fault, number) in faults.iter().copied().zip(0_u64..) {
            let (places, database) = (Arc::clone(&self.places), self.database.clone());
            let random = Random::of(seed.wrapping_add(number << 32));
            happening.spawn(async move {
                sleep_until((began + fault.at).into()).await;
                happen(fault, places, database, random).await
            });
        }
        for happened in happening.join_all().await {
            outcome.problems.extend(happened.err().map(|error| format!("{error:#}")));
        }
        let over = Instant::now();
        stop.send_replace(true);
        for (worker, worked) in working.join_all().await {
            match worked {
                Ok(worked) => {
                    outcome.worked.acknowledged += worked.acknowledged;
                    outcome.worked.sent_again += worked.sent_again;
                }
                Err(error) => outcome.problems.push(format!("{error:#}")),
            }
            self.workers.push(worker);
        }
        outcome.answered = over.elapsed();
        if outcome.problems.is_empty() {
            let saves = i64::try_from(outcome.worked.acknowledged)?;
            let same = self.converge(over, first + saves).await;
            outcome.problems.extend(same.err().map(|error| format!("{error:#}")));
            outcome.same = over.elapsed();
            if outcome.same > SOON {
                outcome.problems.push(format!("the same everywhere after {:.1?}", outcome.same));
            }
            outcome.recounts = recounts(&before, &self.counts().await?);
            if outcome.recounts > 0 {
                outcome.problems.push(format!("{} recounts", outcome.recounts));
            }
            self.verify(seed, &mut outcome.problems).await?;
        }
        if !outcome.problems.is_empty() {
            outcome.problems.extend(self.warnings().await);
        }
        Ok(outcome)
    }

    /// Waits until each server shows and tells a revision, and all of them the same numbers.
    async fn converge(&mut self, over: Instant, revision: i64) -> Result<()> {
        let mut shown: Vec<Option<Shown>> = self.watchers.iter().map(|_| None).collect();
        loop {
            for (watcher, shown) in self.watchers.iter_mut().zip(&mut shown) {
                let looked = watcher.read_shown().await.ok();
                *shown = looked.filter(|shown| shown.revision == revision);
            }
            let has_told = self.watchers.iter().all(|watcher| watcher.told_revision() == revision);
            let is_same = shown.iter().all(|one| one.is_some() && Some(one) == shown.first());
            if is_same && has_told {
                return Ok(());
            }
            if over.elapsed() > PATIENCE {
                let mut says = Vec::new();
                for watcher in &mut self.watchers {
                    says.push((
                        watcher.told_revision(),
                        watcher.read_shown().await.map(|it| it.revision),
                    ));
                }
                let is_shown = shown.iter().all(Option::is_some);
                if let (true, Some(Some(first))) = (is_shown, shown.first()) {
                    let others = shown.iter().flatten();
                    let told: Vec<_> = others.flat_map(|it| first.differences(it)).collect();
                    ensure!(told.is_empty(), "servers show other numbers: {}", told.join("; "));
                }
                bail!("servers tell and show {says:?}, and not {revision}");
            }
            sleep(Duration::from_millis(20)).await;
        }
    }

    /// Looks whether everything is there, and follows from the rows.
    async fn verify(&mut self, seed: u64, problems: &mut Vec<String>) -> Result<()> {
        for worker in &mut self.workers {
            problems.extend(worker.check(seed).await?);
        }
        for place in &*self.places {
            let path = format!("/api/v1/projects/{}/verification", self.project);
            let found: Verification = self.manager.at(place.address()).json(&path).await?;
            problems.extend(found.problems.iter().map(Value::to_string));
        }
        let concord = self.concord.clone();
        let said = spawn_blocking(move || concord.run(&["verify"], "")).await?;
        problems.extend(said.err().map(|error| format!("{error:#}")));
        Ok(())
    }

    /// Each server's process, and how often it has counted a project from its rows.
    async fn counts(&self) -> Result<Vec<(u32, u64)>> {
        let mut counts = Vec::new();
        for place in &*self.places {
            let server = place.server().await;
            let counted = server.metrics().await?.counts;
            counts.push((server.process(), counted.unwrap_or(0)));
        }
        Ok(counts)
    }

    /// What servers have warned of last.
    async fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        for (place, number) in self.places.iter().zip(0..) {
            let said = place.server().await.warnings();
            let last = said.iter().rev().take(WARNINGS).rev();
            warnings.extend(last.map(|line| format!("server {number}: {line}")));
        }
        warnings
    }

    /// Ends the servers, and drops the database.
    pub(crate) async fn end(self) -> Result<()> {
        let Self { places, database, name, watchers, workers, .. } = self;
        drop((watchers, workers));
        drop(places);
        match database {
            Some(database) => database.lock().await.drop_database(&name).await,
            None => Ok(()),
        }
    }
}

/// The program on the database behind a proxy, or on a file in the folder.
fn concord(options: &Options, folder: &Path, proxy: Option<&Proxy>, name: &str) -> Concord {
    let database = proxy.map(|proxy| format!("postgres://postgres@{}/{name}", proxy.address));
    Concord { binary: options.binary.clone(), database, folder: folder.to_owned() }
}

/// How often those counted that were there all the time.
fn recounts(before: &[(u32, u64)], after: &[(u32, u64)]) -> u64 {
    let both = before.iter().zip(after);
    both.filter(|((then, _), (now, _))| then == now)
        .map(|((_, then), (_, now))| now.saturating_sub(*then))
        .sum()
}
