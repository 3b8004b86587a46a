//! What a server does for its backups as long as it runs: makes them, tries them, and says how old they are, each
//! without waiting for the others.

use std::{
    pin::pin,
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use archive::{Drill, Name};
use chrono::{DateTime, TimeDelta, Utc};
use metrics::{counter, gauge};
use store::outside::backup::chores::Chore;
use tokio::{
    sync::watch,
    time::{Instant, Interval, MissedTickBehavior, interval},
};

use super::{
    Failure,
    continuous::{Following, begin, follow},
    drill,
    lease::alone,
    schedule::{back_up_if_due, drill_if_due, trim},
    settings::Schedule,
    tries::Tries,
};
use crate::{Services, error_chain};

/// How often it is looked whether something is due, and what has changed where that is stored at once.
const TICK: Duration = Duration::from_mins(1);
const FOLLOW: Duration = Duration::from_secs(15);

/// How old what is stored may be where what has changed is stored at once, before something is wrong.
const BEHIND: TimeDelta = TimeDelta::seconds(60);

/// What this server has stored.
struct Stored {
    /// Up to when what has changed is stored: seconds since 1970. Before the first time, less than all.
    followed: AtomicI64,
    /// The last backup.
    made: watch::Sender<Option<Name>>,
}

/// Makes backups and tries them when that is due, for as long as it is polled.
pub async fn back_up_regularly(services: &Services, schedule: &Schedule) {
    let start = services.clock.now();
    let every = if schedule.is_continuous { BEHIND } else { schedule.every };
    gauge!("concord_backup_every_seconds").set(every.as_seconds_f64());
    // Until more is known: a place that never answers is to be noticed as well.
    gauge!("concord_backup_timestamp_seconds").set(seconds(start));
    if let Some(drills) = &schedule.drills {
        gauge!("concord_backup_drill_every_seconds").set(drills.every.as_seconds_f64());
        gauge!("concord_backup_drill_timestamp_seconds").set(seconds(start));
    }
    let stored = Stored { followed: AtomicI64::new(i64::MIN), made: watch::Sender::new(None) };
    tokio::join!(
        make_regularly(services, schedule, &stored),
        drill_regularly(services, schedule, &stored),
        say_how_old(services, schedule, &stored),
    );
}

/// As metrics have times: seconds since 1970.
fn seconds(at: DateTime<Utc>) -> f64 {
    (at - DateTime::UNIX_EPOCH).as_seconds_f64()
}

fn every_so_often(period: Duration) -> Interval {
    let mut tick = interval(period);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    tick
}

async fn make_regularly(services: &Services, schedule: &Schedule, stored: &Stored) {
    let (mut tries, mut following) = (Tries::default(), None);
    let mut tick = every_so_often(if schedule.is_continuous { FOLLOW } else { TICK });
    loop {
        tick.tick().await;
        if let Some(known) = &mut following {
            keep_up(services, schedule, known, stored).await;
        }
        if !tries.may(Instant::now()) {
            continue;
        }
        let done = if schedule.is_continuous {
            let meanwhile = (stored, &mut tick);
            Box::pin(begin_or_back_up(services, schedule, &mut following, meanwhile)).await
        } else {
            back_up_if_due(services, schedule).await
        };
        match &done {
            Ok(Some(name)) => {
                tracing::info!(%name, place = %schedule.location, "backed up");
                counter!("concord_backups_total", "outcome" => "done").increment(1);
                stored.made.send_replace(Some(*name));
            }
            Ok(None) => {}
            Err(error) => {
                tracing::error!(error = error_chain(error), "the backup failed");
                counter!("concord_backups_total", "outcome" => "failed").increment(1);
            }
        }
        tries.note(done.is_err(), Instant::now());
    }
}

/// Stores what has changed since a backup.
async fn keep_up(services: &Services, schedule: &Schedule, known: &mut Following, stored: &Stored) {
    match follow(services, schedule, known).await {
        Ok(at) => stored.followed.store(at.timestamp(), Ordering::Relaxed),
        Err(error) => {
            let error = error_chain(&error);
            tracing::error!(error, "what has changed since the backup could not be stored");
        }
    }
}

/// Begins anew where what changes is stored, and makes a backup as usual where the database has become too
/// large for that.
async fn begin_or_back_up(
    services: &Services,
    schedule: &Schedule,
    following: &mut Option<Following>,
    meanwhile: (&Stored, &mut Interval),
) -> Result<Option<Name>, Failure> {
    match Box::pin(begin_if_due(services, schedule, following, meanwhile)).await {
        Err(too_large @ Failure::TooLarge(_)) => {
            *following = None;
            let made = back_up_if_due(services, schedule).await?;
            if made.is_some() {
                tracing::error!(error = error_chain(&too_large), "changes are not stored");
            }
            Ok(made)
        }
        done => done,
    }
}

/// Makes the backup from which changes are stored, if there is none since the start, or it is old. As long as
/// that takes, what changes goes on being stored with the one before.
async fn begin_if_due(
    services: &Services,
    schedule: &Schedule,
    following: &mut Option<Following>,
    (stored, tick): (&Stored, &mut Interval),
) -> Result<Option<Name>, Failure> {
    let every = schedule.every.to_std().unwrap_or_default();
    if following.as_ref().is_some_and(|known| known.age() < every) {
        return Ok(None);
    }
    let mut beginning = pin!(alone(services, Chore::Backup, begin(services, schedule)));
    let begun = loop {
        tokio::select! {
            begun = &mut beginning => break begun?.transpose()?,
            _ = tick.tick() => if let Some(known) = following.as_mut() {
                keep_up(services, schedule, known, stored).await;
            }
        }
    };
    let Some(begun) = begun else { return Ok(None) };
    let base = begun.base();
    *following = Some(begun);
    trim(services, schedule).await;
    Ok(Some(base))
}

async fn drill_regularly(services: &Services, schedule: &Schedule, stored: &Stored) {
    if schedule.drills.is_none() {
        return;
    }
    let swept = alone(services, Chore::RestoreDrill, drill::sweep(schedule)).await;
    if let Err(error) = swept.map_err(Failure::from).and_then(|swept| swept.unwrap_or(Ok(()))) {
        let error = error_chain(&error);
        tracing::warn!(error, "what a restore drill has left could not be deleted");
    }
    let (mut tries, mut made) = (Tries::default(), stored.made.subscribe());
    let mut tick = every_so_often(TICK);
    loop {
        tokio::select! { _ = tick.tick() => {}, _ = made.changed() => {} }
        if !tries.may(Instant::now()) {
            continue;
        }
        let done = drill_if_due(services, schedule).await;
        match &done {
            Ok(Some((name, drill))) => report(*name, drill),
            Ok(None) => {}
            Err(error) => {
                tracing::error!(error = error_chain(error), "the restore drill could not be held");
                counter!("concord_backup_drills_total", "outcome" => "undone").increment(1);
            }
        }
        tries.note(done.is_err(), Instant::now());
    }
}

/// Says how a drill has ended.
fn report(name: Name, drill: &Drill) {
    let (projects, problems) = (drill.projects, drill.problems.join("; "));
    let outcome = if drill.is_sound() {
        tracing::info!(%name, projects, "the restore drill made a sound database of the backup");
        "sound"
    } else {
        tracing::error!(%name, problems, "the restore drill found the backup wanting");
        "failed"
    };
    counter!("concord_backup_drills_total", "outcome" => outcome).increment(1);
}

/// Says from when the last backup is, also where the place does not answer, and the last drill that went well.
async fn say_how_old(services: &Services, schedule: &Schedule, stored: &Stored) {
    let (mut last, mut made) = (None, stored.made.subscribe());
    let mut tick = every_so_often(TICK);
    loop {
        tokio::select! { _ = tick.tick() => {}, _ = made.changed() => {} }
        let listed = say_of_place(services, schedule).await;
        match listed {
            Ok(found) => last = found,
            Err(error) => {
                tracing::warn!(error = error_chain(&error), "backups could not be listed");
            }
        }
        let followed = DateTime::from_timestamp(stored.followed.load(Ordering::Relaxed), 0);
        let followed = followed.filter(|at| *at <= services.clock.now());
        if let Some(at) = last.max(followed) {
            gauge!("concord_backup_timestamp_seconds").set(seconds(at));
        }
    }
}

/// When the last backup was begun, by what lies there; says of drills when the last went well, or for how long
/// there has been something to try.
async fn say_of_place(
    services: &Services,
    schedule: &Schedule,
) -> Result<Option<DateTime<Utc>>, Failure> {
    let listing = schedule.listing(services.clock.now()).await?;
    if schedule.drills.is_some() {
        let place = schedule.place()?;
        let proven = match place.proven(&listing).await? {
            Some(name) => place.drill(name).await?.map(|drill| drill.at),
            None => listing.backups().next().map(Name::at),
        };
        if let Some(at) = proven {
            gauge!("concord_backup_drill_timestamp_seconds").set(seconds(at));
        }
    }
    Ok(listing.last().map(Name::at))
}
