//! The restore drill: a database is made of a backup as after a loss, and everything in it is checked.

use std::{fs::File, path::Path};

use archive::{Drill, Engine, Identities, Name};
use chrono::{DateTime, Utc};

use super::{Failure, Postgres, Schedule, Soundness, check_restored, making::Scratch, sqlite_url};

/// Where a drill puts what it needs.
const FOLDER: &str = "drill.part";

/// Tries a backup. That the place does not answer says nothing about the backup, and is an error.
pub(super) async fn hold(
    schedule: &Schedule,
    identities: &Identities,
    name: Name,
    at: DateTime<Utc>,
) -> Result<Drill, Failure> {
    let scratch = Scratch::new(&schedule.scratch, FOLDER)?;
    let manifest = schedule.place()?.manifest(name).await?;
    scratch.has_room_for(manifest.sealed.plain.bytes.saturating_mul(2))?;
    let loaded = scratch.file("backup");
    let file = File::options().read(true).write(true).create_new(true).open(&loaded);
    let file = file.map_err(|source| scratch.failed(source))?;
    let load = load(schedule, identities, name, file);
    let found = match name.engine() {
        Engine::Sqlite => match load.await {
            Ok(()) => check_restored(&sqlite_url(&loaded)).await.map_err(Failure::from),
            Err(error) => Err(error),
        },
        Engine::Postgres => try_in_postgres(schedule, load, &loaded).await,
    };
    match found {
        Ok(Soundness { problems, projects }) => {
            let of_projects = projects.iter().flat_map(|project| project.problems.iter().cloned());
            let (problems, count) = (problems.into_iter().chain(of_projects), projects.len());
            Ok(Drill { at, projects: count, problems: problems.collect() })
        }
        Err(error) if error.is_of_backup() => {
            Ok(Drill { at, projects: 0, problems: vec![error.to_string()] })
        }
        Err(error) => Err(error),
    }
}

async fn load(
    schedule: &Schedule,
    identities: &Identities,
    name: Name,
    file: File,
) -> Result<(), Failure> {
    schedule.place()?.load(name, identities, file, None).await?;
    Ok(())
}

/// Makes a database of a dump, checks everything in it, and takes it away again. It is made before the dump is
/// loaded, which takes longer: so whoever may not make any is told at once.
async fn try_in_postgres(
    schedule: &Schedule,
    load: impl Future<Output = Result<(), Failure>>,
    dump: &Path,
) -> Result<Soundness, Failure> {
    let (server, name) = (Postgres::at(schedule.drill_url())?, database(schedule));
    // One that a server has left which was killed.
    server.drop_database(&name).await?;
    let tried = server.create(&name).await?;
    let found = match load.await {
        Ok(()) => match tried.fill(dump).await {
            Ok(()) => check_restored(tried.url()).await.map_err(Failure::from),
            Err(error) => Err(error),
        },
        Err(error) => Err(error),
    };
    server.drop_database(&name).await?;
    found
}

/// What the database of a drill is called: each database has one, whoever else has theirs on the same server.
fn database(schedule: &Schedule) -> String {
    format!("concord_drill_{}", schedule.lineage)
}

/// Takes away what a drill has left whose server was killed.
pub(super) async fn sweep(schedule: &Schedule) -> Result<(), Failure> {
    drop(Scratch::new(&schedule.scratch, FOLDER)?);
    match schedule.engine() {
        Engine::Sqlite => Ok(()),
        Engine::Postgres => {
            Postgres::at(schedule.drill_url())?.drop_database(&database(schedule)).await
        }
    }
}
