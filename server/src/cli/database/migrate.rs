//! `concord migrate`: the tables of a database as this version needs them. Servers do the same when they
//! start.

use std::process::ExitCode;

use clap::Args;
use domain::count;
use services::{
    Store,
    schema::{Schema, Standing, refusal},
};

use super::Database;
use crate::cli::{Error, base::output::say};

#[derive(Args)]
pub(in crate::cli) struct Migrate {
    /// Only check: the exit code is 1 if something is missing, or this version must not run on it.
    #[arg(long, group = "what")]
    check: bool,
    /// Only list what is missing, in order.
    #[arg(long, group = "what")]
    plan: bool,
    /// Bring the database up to date. This is the default; back up first.
    #[arg(long, group = "what")]
    up: bool,
    #[command(flatten)]
    database: Database,
}

impl Migrate {
    pub(in crate::cli) async fn run(self) -> Result<ExitCode, Error> {
        let schema = Store::schema_at(&self.database.url_of_existing()?).await;
        let schema = schema.map_err(|error| Error::Database(error.to_string()))?;
        if self.plan {
            for name in &schema.missing {
                say(name)?;
            }
        }
        let standing = schema.standing();
        if standing == Standing::Behind && !self.check && !self.plan {
            self.database.open().await?;
            say(&format!("{} applied.", count(schema.missing.len(), "migration")))?;
            return Ok(ExitCode::SUCCESS);
        }
        say(&in_words(&schema))?;
        let is_right = match standing {
            Standing::Current | Standing::Ahead => true,
            Standing::Behind => self.plan,
            Standing::Other => false,
        };
        Ok(if is_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn in_words(schema: &Schema) -> String {
    match schema.standing() {
        Standing::Current => "The database is up to date.".to_owned(),
        Standing::Behind => {
            format!(
                "{} missing: `concord migrate` applies them.",
                count(schema.missing.len(), "migration")
            )
        }
        Standing::Ahead => format!(
            "A newer version has brought the database further, by {}; this one works on it, too.",
            count(schema.unknown.len(), "migration")
        ),
        Standing::Other => {
            format!("This version must not run on the database: {}.", refusal(schema))
        }
    }
}
