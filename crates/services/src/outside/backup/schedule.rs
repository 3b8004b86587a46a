//! When backups and drills are due: the place of the backups says when the last ones were, so that a server
//! that starts again neither repeats nor leaves one out.

use std::{
    sync::atomic::{AtomicI64, Ordering},
    time::Duration,
};

use archive::{Drill, Listing, Name};
use chrono::{DateTime, TimeDelta, Utc};
use metrics::{counter, gauge};
use store::outside::chores::Chore;
use tokio::{
    sync::Notify,
    time::{Interval, MissedTickBehavior, interval},
};

use super::{
    Failure,
    continuous::{Following, begin, follow},
    drill,
    lease::alone,
    making::make,
    settings::{Drills, Schedule},
};
use crate::{Services, error_chain};

/// How often it is looked whether something is due, and what has changed where that is stored at once.
const TICK: Duration = Duration::from_secs(60);
const FOLLOW: Duration = Duration::from_secs(15);

/// How much is lost at most where what has changed is stored at once.
const LOSS: TimeDelta = TimeDelta::seconds(60);

/// How long it is waited at most after something failed, before it is tried again.
const LONGEST_PAUSE: TimeDelta = TimeDelta::hours(1);

/// What failed, how often in a row, and when it is tried again.
#[derive(Default)]
struct Tries {
    failed: u8,
    not_before: Option<DateTime<Utc>>,
}

impl Tries {
    fn may(&self, now: DateTime<Utc>) -> bool {
        self.not_before.is_none_or(|at| at <= now)
    }

    fn note(&mut self, has_failed: bool, now: DateTime<Utc>) {
        self.failed = if has_failed { self.failed.saturating_add(1) } else { 0 };
        let pause = TimeDelta::minutes(1_i64 << self.failed.min(6)).min(LONGEST_PAUSE);
        self.not_before = has_failed.then(|| now + pause);
    }
}

/// What is known of what this server has stored.
struct Stored {
    /// Of when the state is that is stored: seconds since 1970. Before the first, less than all.
    until: AtomicI64,
    /// Told whenever there is another backup.
    again: Notify,
}

/// Makes backups and tries them when that is due, for as long as it is polled.
pub async fn back_up_regularly(services: &Services, schedule: &Schedule) {
    let every = if schedule.is_continuous { LOSS } else { schedule.every };
    gauge!("concord_backup_every_seconds").set(every.as_seconds_f64());
    let stored = Stored { until: AtomicI64::new(i64::MIN), again: Notify::new() };
    tokio::join!(make_regularly(services, schedule, &stored), async {
        let mut drills = Tries::default();
        let mut tick = every_so_often(TICK);
        loop {
            tokio::select! { _ = tick.tick() => {}, () = stored.again.notified() => {} }
            let now = services.clock.now();
            if drills.may(now) {
                let done = drill_if_due(services, schedule).await;
                match &done {
                    Ok(Some((name, drill))) => report(*name, drill),
                    Ok(None) => {}
                    Err(error) => {
                        let error = error_chain(error);
                        tracing::error!(error, "the restore drill could not be held");
                    }
                }
                drills.note(done.is_err(), now);
            }
            if let Err(error) = note_ages(services, schedule, &stored.until).await {
                tracing::warn!(error = error_chain(&error), "backups could not be listed");
            }
        }
    });
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
        let now = services.clock.now();
        if let Some(known) = &mut following {
            match follow(services, schedule, known).await {
                Ok(at) => stored.until.store(at.timestamp(), Ordering::Relaxed),
                Err(error) => {
                    let error = error_chain(&error);
                    tracing::error!(error, "what has changed since the backup could not be stored");
                }
            }
        }
        if !tries.may(now) {
            continue;
        }
        let done = if schedule.is_continuous {
            begin_if_due(services, schedule, &mut following).await
        } else {
            back_up_if_due(services, schedule).await
        };
        match &done {
            Ok(Some(name)) => {
                tracing::info!(%name, place = schedule.place.shown(), "backed up");
                counter!("concord_backups_total", "outcome" => "done").increment(1);
                stored.again.notify_one();
            }
            Ok(None) => {}
            Err(error) => {
                tracing::error!(error = error_chain(error), "the backup failed");
                counter!("concord_backups_total", "outcome" => "failed").increment(1);
            }
        }
        tries.note(done.is_err(), now);
    }
}

/// Makes the backup from which changes are stored, if there is none since the start, or it is old.
async fn begin_if_due(
    services: &Services,
    schedule: &Schedule,
    following: &mut Option<Following>,
) -> Result<Option<Name>, Failure> {
    let now = services.clock.now();
    if following.as_ref().is_some_and(|known| now < known.base().at() + schedule.every) {
        return Ok(None);
    }
    let begun = alone(services, Chore::Backup, begin(services, schedule)).await?.transpose()?;
    let Some(begun) = begun else { return Ok(None) };
    let base = begun.base();
    *following = Some(begun);
    trim(schedule).await;
    Ok(Some(base))
}

/// Deletes what is not kept. That it cannot be deleted takes nothing from the backup that was made.
async fn trim(schedule: &Schedule) {
    match schedule.place.trim(&schedule.keep).await {
        Ok(deleted) => {
            for name in deleted {
                tracing::info!(%name, "deleted a backup");
            }
        }
        Err(error) => {
            tracing::error!(error = error_chain(&error), "old backups could not be deleted");
        }
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

/// How old the last backup is, also where the place does not answer, and the last drill that went well.
async fn note_ages(
    services: &Services,
    schedule: &Schedule,
    until: &AtomicI64,
) -> Result<(), Failure> {
    let now = services.clock.now();
    let listed = schedule.place.list().await;
    if let Some(last) = listed.as_ref().ok().and_then(Listing::last) {
        until.fetch_max(last.at().timestamp(), Ordering::Relaxed);
    }
    let until = until.load(Ordering::Relaxed);
    if until > i64::MIN {
        let age = TimeDelta::seconds(now.timestamp().saturating_sub(until));
        gauge!("concord_backup_age_seconds").set(age.as_seconds_f64());
    }
    if let Some(proven) = schedule.place.proven(&listed?).await?
        && let Some(drill) = schedule.place.drill(proven).await?
    {
        gauge!("concord_backup_drill_age_seconds").set((now - drill.at).as_seconds_f64());
    }
    Ok(())
}

/// Makes a backup if one is due and no other server is at it, and deletes what is not kept; says which.
pub async fn back_up_if_due(
    services: &Services,
    schedule: &Schedule,
) -> Result<Option<Name>, Failure> {
    if !is_backup_due(services, schedule).await? {
        return Ok(None);
    }
    let work = async {
        // Another server may have made it since.
        if !is_backup_due(services, schedule).await? {
            return Ok(None);
        }
        let name = make(services, schedule).await?;
        trim(schedule).await;
        Ok(Some(name))
    };
    alone(services, Chore::Backup, work).await?.unwrap_or(Ok(None))
}

async fn is_backup_due(services: &Services, schedule: &Schedule) -> Result<bool, Failure> {
    let last = schedule.place.list().await?.last();
    let now = services.clock.now();
    Ok(last.is_none_or(|last| last.at() + schedule.every <= now))
}

/// Makes a database of the last backup and checks it, if that is due and no other server is at it; says how
/// it went.
pub async fn drill_if_due(
    services: &Services,
    schedule: &Schedule,
) -> Result<Option<(Name, Drill)>, Failure> {
    let Some(drills) = &schedule.drills else { return Ok(None) };
    if drill_due(services, schedule, drills).await?.is_none() {
        return Ok(None);
    }
    let work = async {
        let Some(name) = drill_due(services, schedule, drills).await? else { return Ok(None) };
        let at = services.clock.now();
        let drill = drill::hold(schedule, &drills.identities, name, at).await?;
        schedule.place.note_drill(name, &drill).await?;
        Ok(Some((name, drill)))
    };
    alone(services, Chore::RestoreDrill, work).await?.unwrap_or(Ok(None))
}

/// The backup that is to be tried now. After one that failed, the next backup is tried as soon as it is there.
async fn drill_due(
    services: &Services,
    schedule: &Schedule,
    drills: &Drills,
) -> Result<Option<Name>, Failure> {
    let listing = schedule.place.list().await?;
    let Some(last) = listing.last() else { return Ok(None) };
    let Some(tried) = listing.drilled().next_back() else { return Ok(Some(last)) };
    let is_due = match schedule.place.drill(tried).await? {
        Some(drill) if drill.is_sound() => drill.at + drills.every <= services.clock.now(),
        _ => true,
    };
    Ok((is_due && last != tried).then_some(last))
}
