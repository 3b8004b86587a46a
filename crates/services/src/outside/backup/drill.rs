//! The restore drill: a database is made of a backup as after a loss, and everything in it is checked.

use std::fs::File;

use archive::{Drill, Engine, Identities, Name};
use chrono::{DateTime, Utc};

use super::{Failure, Postgres, Schedule, Soundness, check, making::Scratch, sqlite_url};

/// Tries a backup. That the place does not answer says nothing about the backup, and is an error.
pub(super) async fn hold(
    schedule: &Schedule,
    identities: &Identities,
    name: Name,
    at: DateTime<Utc>,
) -> Result<Drill, Failure> {
    let scratch = Scratch::new(&schedule.scratch, "drill.part")?;
    let loaded = scratch.file("backup");
    let file = File::options().read(true).write(true).create_new(true).open(&loaded);
    let file = file.map_err(|source| scratch.failed(source))?;
    let found = match schedule.place.load(name, identities, file).await {
        Ok(_) => match name.engine() {
            Engine::Sqlite => check(&sqlite_url(&loaded)).await.map_err(Failure::from),
            Engine::Postgres => Postgres::at(&schedule.url)?.check(&loaded, name.at()).await,
        },
        Err(error) => Err(error.into()),
    };
    match found {
        Ok(Soundness { problems, projects }) => {
            let of_projects = projects.iter().flat_map(|project| project.problems.iter().cloned());
            let (problems, count) = (problems.into_iter().chain(of_projects), projects.len());
            Ok(Drill { at, projects: count, problems: problems.collect() })
        }
        Err(error) if error.is_of_backup() || matches!(error, Failure::Program { .. }) => {
            Ok(Drill { at, projects: 0, problems: vec![error.to_string()] })
        }
        Err(error) => Err(error),
    }
}
