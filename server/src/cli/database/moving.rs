//! `concord move`: a database into an empty one of either engine, compared row by row before anybody may work
//! on it.

use std::{path::Path, process::ExitCode};

use clap::Args;
use domain::count;
use serde_json::json;
use services::{
    base::secrets::server_key,
    outside::moving::{MovedTable, Progress, Stage, Unmoved, move_all},
};

use super::{Database, create_private, open, secret_key, sqlite_path, sqlite_url};
use crate::cli::{
    Error,
    base::{
        bar::Bar,
        exit::{FAILED, WRONG_USAGE, failed, warn},
        output::{say, say_json, table},
    },
};

/// What stands below the options.
const BELOW: &str = "The database stays as it is; nobody can write into it meanwhile. The other one \
                    gets this version's tables, then every row, then each row of both is read again \
                    and compared. Until that has ended, no server starts on it: if it is broken \
                    off, run the command again, and it begins anew.\n\n\
                    The secret key is in neither database and stays where it is: the servers of \
                    the new one need it.\n\n\
                    Exit codes: 0 moved and compared, 1 failed, for example when a server has the \
                    database open, 2 wrong usage, or a destination that is not empty.";

#[derive(Args)]
#[command(after_help = BELOW)]
pub(in crate::cli) struct Move {
    /// Empty database to move into: `sqlite:///path/to/file`, created if missing, or
    /// `postgres://user@host/name`.
    #[arg(long, env = "CONCORD_MOVE_TO", hide_env_values = true, value_name = "URL")]
    to: String,
    /// Print JSON: each table with its rows and their SHA-256, and where the secret key is.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Move {
    pub(in crate::cli) async fn run(self) -> Result<ExitCode, Error> {
        let from = self.database.url_of_existing()?;
        let Some(to) = self.destination()? else {
            return Ok(failed(WRONG_USAGE, "the destination is the database itself"));
        };
        let bar = Bar::new();
        let moved = move_all(&from, &to, &mut |progress| bar.show(&line(progress))).await;
        bar.clear();
        let moved = match moved {
            Ok(moved) => moved,
            Err(refused @ (Unmoved::NotEmpty(_) | Unmoved::Empty)) => {
                return Ok(failed(WRONG_USAGE, &refused.to_string()));
            }
            Err(refused) => return Ok(failed(FAILED, &refused.to_string())),
        };
        let store = open(&to).await?;
        let fingerprint = server_key::fingerprint(&store).await?;
        store.close().await.map_err(|error| Error::Database(error.to_string()))?;
        let key_file = self.database.key_file();
        if self.json {
            let file = key_file.display().to_string();
            let key = json!({ "file": file, "fingerprint": fingerprint });
            say_json(&json!({ "tables": moved, "secret_key": key }))?;
        } else {
            say(&in_words(&moved))?;
        }
        let key = secret_key::open(&key_file).ok().map(|key| key.fingerprint());
        if fingerprint.is_some() && key != fingerprint {
            let shown = key_file.display();
            warn(&format!(
                "the secret key {shown} is not that of the database; its servers need that"
            ));
        }
        if !self.json {
            self.say_what_to_bring()?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The address of the destination, whose file is there then and its owner's only; none if it is the
    /// database itself.
    fn destination(&self) -> Result<Option<String>, Error> {
        let Some(file) = sqlite_path(&self.to) else {
            return Ok((self.to != self.database.url()).then(|| self.to.clone()));
        };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        create_private(folder.unwrap_or(Path::new(".")), &file)?;
        let own = self.database.sqlite_file().and_then(|own| own.canonicalize().ok());
        let is_same = own.is_some() && own == file.canonicalize().ok();
        Ok((!is_same).then(|| sqlite_url(&file)))
    }

    /// Says which files servers look for beside the new database, if they are elsewhere.
    fn say_what_to_bring(&self) -> Result<(), Error> {
        let new = Database {
            database_url: Some(self.to.clone()),
            data_dir: self.database.data_dir.clone(),
            secret_key: self.database.secret_key.clone(),
            config: None,
        };
        for (what, from, to) in [
            ("secret key", self.database.key_file(), new.key_file()),
            ("ends of the audit trail", self.database.audit_heads(), new.audit_heads()),
        ] {
            if from.exists() && from != to {
                let (from, to) = (from.display(), to.display());
                say(&format!("Bring the {what}: cp -p {from} {to}"))?;
            }
        }
        Ok(())
    }
}

/// How far it is.
fn line(Progress { stage, table, rows, of }: Progress<'_>) -> String {
    let done = match stage {
        Stage::Filling => "moved",
        Stage::Comparing => "compared",
    };
    format!("{table}: {rows} of {of} rows {done}")
}

/// Every table with its rows, and how many there are in all.
fn in_words(moved: &[MovedTable]) -> String {
    let rows: Vec<_> = moved.iter().map(|table| table.rows.to_string()).collect();
    let mut lines: Vec<[&str; 2]> = moved
        .iter()
        .zip(&rows)
        .map(|(table, rows)| [table.table.as_str(), rows.as_str()])
        .collect();
    lines.sort_unstable();
    let all: u64 = moved.iter().map(|table| table.rows).sum();
    let all = count(usize::try_from(all).unwrap_or(usize::MAX), "row");
    let tables = count(moved.len(), "table");
    format!("{}\n{tables}, {all}: moved and compared.", table(&lines))
}
