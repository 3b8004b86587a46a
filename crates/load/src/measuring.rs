//! A run from the first server to the last answer.

use std::{
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::Value;
use tokio::{
    sync::watch,
    task::JoinSet,
    time::{sleep, sleep_until},
};

use crate::{
    client::Client,
    corpus::Random,
    latency::Latencies,
    moments::{Delays, Moment, moments},
    options::{Engine, Options},
    people::{
        project::{self, Project},
        reading::{self, Page},
        saving::{self, Labeler, Saves, Schedule},
        watching::{Dashboard, Phase, Watched},
    },
    report::{Report, Row, ServerUse},
    servers::{
        Concord, Metrics, Server, cpu_seconds, family_cpu_seconds, forget_peak_memory, peak_memory,
        size_of_files,
    },
};

/// How long the last events and pages may take.
const SETTLE: Duration = Duration::from_secs(3);

/// How many dashboards are opened at once.
const AT_ONCE: usize = 16;

/// Says what is being done, with the seconds so far.
fn say(began: Instant, what: &str) {
    println!("{:6.1} s  {what}", began.elapsed().as_secs_f64());
}

/// Makes everything, measures, verifies and stops.
pub(crate) async fn run(options: &Options) -> Result<Report> {
    let began = Instant::now();
    let folder = tempfile::Builder::new().prefix("concord-load-").tempdir()?;
    let concord = Concord {
        binary: options.binary.clone(),
        database: options.database_url.clone(),
        folder: folder.path().to_owned(),
    };
    project::prepare(&concord)?;
    let mut servers = Vec::new();
    for name in 0..options.servers.get() {
        // One after the other: the first brings the database up to date.
        servers.push(concord.start(name).await?);
    }
    let addresses: Vec<_> = servers.iter().map(|server| server.address).collect();
    let size = options.size();
    let project = project::create(&concord, &addresses, size, |what| say(began, what)).await?;
    let Project { id, followed, labels, mut manager, labelers, watchers, spans } = project;
    say(began, "dashboards open");
    let dashboards =
        open_dashboards(&servers, (id, &followed), &watchers, options.dashboards).await?;
    let set_up_seconds = began.elapsed().as_secs_f64();
    let database_size = match &options.database_folder {
        Some(folder) => size_of_files(folder, ""),
        None => size_of_files(&concord.folder, "sqlite"),
    };

    say(began, "labelers save");
    let starts = Instant::now() + Duration::from_secs(1);
    let (phase, phases) = watch::channel(Phase::Live);
    let mut following = JoinSet::new();
    for (dashboard, place) in dashboards.into_iter().zip(0..) {
        let random = Random::of(place);
        following.spawn(dashboard.follow(starts, phases.clone(), random));
    }
    let read = if options.no_pages { Vec::new() } else { addresses };
    let reading = tokio::spawn(reading::read(manager.again(), read, id, phases));
    let schedule = Schedule {
        began: starts,
        lasts: options.duration(),
        every: options.interval(),
        labels,
        labelers: size.labelers,
    };
    sleep_until(starts.into()).await;
    let before = Use::now(&servers, options.database_process).await?;
    for server in &servers {
        forget_peak_memory(server.process());
    }
    let importing = options.import.clone().map(|file| import(concord.clone(), file, id));
    let importing = importing.map(tokio::task::spawn_blocking);
    let saves = save(labelers, servers.len(), schedule).await;
    let seconds = starts.elapsed().as_secs_f64();
    let after = Use::now(&servers, options.database_process).await?;
    for server in &mut servers {
        server.peak_memory = peak_memory(server.process());
    }
    let import_seconds = match importing {
        Some(importing) => Some(importing.await??),
        None => None,
    };
    sleep(SETTLE).await;
    phase.send_replace(Phase::Holding);

    say(began, "verification");
    manager.wait_long();
    let trail = manager.text(&format!("/api/v1/projects/{id}/audit.jsonl")).await?;
    let (moments, lost_saves) = moments(&trail, &saves.acknowledged)?;
    let mut problems = verify(&manager, &servers, id).await?;
    let pages = reading.await?;

    say(began, "servers stop");
    let stopping = Instant::now();
    servers.iter().try_for_each(Server::terminate)?;
    for server in &mut servers {
        server.ended().await?;
    }
    let stop_seconds = stopping.elapsed().as_secs_f64();
    let watched = following.join_all().await;
    let says = concord.run(&["verify"], "");
    problems.extend(says.err().map(|error| format!("{error:#}")));

    let [events, shown] = delays(&moments, &watched);
    let unseen = events.unseen;
    let streams_ended = count(watched.iter().filter(|watched| watched.has_ended));
    let lost_streams = watched.iter().map(|watched| watched.lost).sum();
    let unloaded = watched.iter().flat_map(|watched| &watched.pages.failed);
    let unread: u64 = pages.iter().map(|page| page.failed).sum();
    let pages_failed = unread + count(unloaded);
    Ok(Report {
        database: if options.database == Engine::Postgres { "PostgreSQL" } else { "SQLite" },
        servers: uses(&servers, &before, &after),
        labelers: size.labelers,
        dashboards: options.dashboards,
        watchers: size.watchers,
        documents: size.documents,
        spans,
        database_size,
        set_up_seconds,
        seconds,
        import_seconds,
        wanted_rate: options.rate,
        reached_rate: per_second(count(&saves.acknowledged), seconds),
        acknowledged: count(&saves.acknowledged),
        conflicts: saves.conflicts,
        latencies: rows(&saves, &events, &shown, &watched, &pages),
        failed: saves.failed,
        generator_cpu_seconds: after.generator - before.generator,
        database_cpu_seconds: after.database.zip(before.database).map(|(now, then)| now - then),
        lost_streams,
        unseen,
        pages_failed,
        lost_saves,
        problems,
        stop_seconds,
        streams_ended,
    })
}

/// Imports a file by a program of its own, and says how many seconds that takes.
fn import(concord: Concord, file: PathBuf, project: i64) -> impl FnOnce() -> Result<f64> + Send {
    move || {
        let (began, project) = (Instant::now(), project.to_string());
        let file = file.to_str().context("the file has a name of letters")?;
        let words = ["import", file, "--project", &project, "--as", "work", "--create-labels"];
        concord.run(&words, "")?;
        Ok(began.elapsed().as_secs_f64())
    }
}

/// Opens the dashboards, at the servers and for the people in turn.
async fn open_dashboards(
    servers: &[Server],
    (project, followed): (i64, &str),
    watchers: &[Client],
    dashboards: u64,
) -> Result<Vec<Dashboard>> {
    let places = servers.iter().map(|server| server.address).enumerate().cycle();
    let opening = (0..dashboards).zip(watchers.iter().cycle()).zip(places);
    let opening = opening.map(|((_, person), at)| Dashboard::open(person, project, followed, at));
    stream::iter(opening).buffered(AT_ONCE).try_collect().await
}

/// Has everybody save by the schedule.
async fn save(labelers: Vec<Labeler>, servers: usize, schedule: Schedule) -> Saves {
    let schedule = Arc::new(schedule);
    let mut saving = JoinSet::new();
    for (labeler, server) in labelers.into_iter().zip((0..servers).cycle()) {
        saving.spawn(saving::save(labeler, server, Arc::clone(&schedule)));
    }
    saving.join_all().await.into_iter().fold(Saves::default(), |mut all, saves| {
        all.add(saves);
        all
    })
}

/// What a server says of its tallies.
#[derive(Deserialize)]
struct Verification {
    problems: Vec<Value>,
}

/// Has each server compare its tallies with the rows.
async fn verify(manager: &Client, servers: &[Server], project: i64) -> Result<Vec<String>> {
    let mut problems = Vec::new();
    for server in servers {
        let path = format!("/api/v1/projects/{project}/verification");
        let found: Verification = manager.at(server.address).json(&path).await?;
        problems.extend(found.problems.iter().map(Value::to_string));
    }
    Ok(problems)
}

/// What has been taken up to a moment.
struct Use {
    /// CPU seconds of each server, and what it says.
    servers: Vec<(f64, Metrics)>,
    generator: f64,
    database: Option<f64>,
}

impl Use {
    async fn now(servers: &[Server], database: Option<u32>) -> Result<Self> {
        let mut uses = Vec::new();
        for server in servers {
            uses.push((cpu_seconds(server.process()), server.metrics().await?));
        }
        let generator = cpu_seconds(std::process::id());
        Ok(Self { servers: uses, generator, database: database.map(family_cpu_seconds) })
    }
}

fn uses(servers: &[Server], before: &Use, after: &Use) -> Vec<ServerUse> {
    let both = before.servers.iter().zip(&after.servers);
    let uses = servers.iter().zip(both).map(|(server, ((cpu, then), (cpu_now, now)))| ServerUse {
        cpu_seconds: cpu_now - cpu,
        peak_memory: server.peak_memory,
        statements: now.statements - then.statements,
        counts: now.counts.zip(then.counts).map(|(now, then)| now - then),
        busy_answers: now.busy - then.busy,
        warnings: server.warnings(),
    });
    uses.collect()
}

/// From saves to events, and to pages that show them.
fn delays(moments: &[Moment], watched: &[Watched]) -> [Delays; 2] {
    let [mut events, mut shown] = [Delays::default(), Delays::default()];
    for Watched { server, events: told, pages, .. } in watched {
        events.add(moments, *server, told);
        if !pages.seen.is_empty() {
            shown.add(moments, *server, &pages.seen);
        }
    }
    [events, shown]
}

fn rows(
    saves: &Saves,
    events: &Delays,
    shown: &Delays,
    watched: &[Watched],
    pages: &[Page],
) -> Vec<Row> {
    let row = |name: &str, latencies: &Latencies| Row {
        name: name.to_owned(),
        milliseconds: latencies.percentiles(),
    };
    let mut loads = Latencies::default();
    for Watched { pages, .. } in watched {
        loads.add_all(&pages.loads);
    }
    let mut rows = vec![
        row("save, to its answer", &saves.answers),
        row("save, sent after it was due", &saves.late),
        row("save to event, same server", &events.same),
        row("save to event, another server", &events.other),
        row("save to page with it, same server", &shown.same),
        row("save to page with it, another server", &shown.other),
        row("page of a dashboard, loaded again", &loads),
    ];
    rows.extend(pages.iter().map(|page| row(&format!("page: {}", page.name), &page.took)));
    rows
}

/// How many there are.
fn count(all: impl IntoIterator) -> u64 {
    u64::try_from(all.into_iter().count()).unwrap_or(u64::MAX)
}

/// So many in so many seconds.
fn per_second(count: u64, seconds: f64) -> f64 {
    u32::try_from(count).map_or(f64::INFINITY, f64::from) / seconds
}
