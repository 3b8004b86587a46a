//! When backups and drills are due: the place of the backups says when the last ones were, so that a server
//! that starts again neither repeats nor leaves one out.

use archive::{Drill, Name};
use store::outside::backup::chores::Chore;

use super::{
    Failure, continuous, drill,
    lease::alone,
    making::make,
    settings::{Drills, Schedule},
};
use crate::{Services, error_chain};

/// Refuses what cannot go well, before a server starts: a place of another database's backups, from which one
/// should be brought back first, and a database that is too large to be followed. A place that does not answer
/// now may answer later.
pub async fn admit(schedule: &Schedule) -> Result<(), Failure> {
    if schedule.is_continuous {
        continuous::admit(schedule).await?;
    }
    let listed = match schedule.place() {
        Ok(place) => place.list().await.map_err(Failure::from),
        Err(error) => Err(error),
    };
    match listed {
        Ok(listing) if listing.is_foreign_to(schedule.lineage) => {
            Err(Failure::Foreign(schedule.location.to_string()))
        }
        Ok(_) => Ok(()),
        Err(error) => {
            tracing::error!(
                error = error_chain(&error),
                "backups will fail until their place can be used"
            );
            Ok(())
        }
    }
}

/// Deletes what is not kept. That it cannot be deleted takes nothing from the backup that was made.
pub(super) async fn trim(services: &Services, schedule: &Schedule) {
    match trim_place(services, schedule).await {
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

async fn trim_place(services: &Services, schedule: &Schedule) -> Result<Vec<Name>, Failure> {
    let (now, place) = (services.clock.now(), schedule.place()?);
    let listing = place.list().await?;
    for name in listing.ahead(schedule.lineage, now) {
        tracing::error!(%name, "a clock was wrong: this backup is of a time that is still to come");
    }
    let ours = listing.of_database(schedule.lineage, now);
    Ok(place.trim(&ours, &schedule.keep, now).await?)
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
        trim(services, schedule).await;
        Ok(Some(name))
    };
    Box::pin(alone(services, Chore::Backup, work)).await?.unwrap_or(Ok(None))
}

async fn is_backup_due(services: &Services, schedule: &Schedule) -> Result<bool, Failure> {
    let now = services.clock.now();
    let last = schedule.listing(now).await?.last();
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
        schedule.place()?.note_drill(name, &drill).await?;
        Ok(Some((name, drill)))
    };
    Box::pin(alone(services, Chore::RestoreDrill, work)).await?.unwrap_or(Ok(None))
}

/// The backup that is to be tried now. After one that failed, the next backup is tried as soon as it is there.
async fn drill_due(
    services: &Services,
    schedule: &Schedule,
    drills: &Drills,
) -> Result<Option<Name>, Failure> {
    let now = services.clock.now();
    let listing = schedule.listing(now).await?;
    // Before a database was moved it was of the other engine.
    let of_engine = |name: &Name| name.engine() == schedule.engine();
    let Some(last) = listing.last().filter(of_engine) else { return Ok(None) };
    let Some(tried) = listing.drilled().next_back() else { return Ok(Some(last)) };
    let is_due = match schedule.place()?.drill(tried).await? {
        Some(drill) if drill.is_sound() => drill.at + drills.every <= now,
        _ => true,
    };
    Ok((is_due && last != tried).then_some(last))
}
