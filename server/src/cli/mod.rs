//! The command line: serve, add people, make tokens, verify, import, export, back up, move,
//! measure, compare.

mod backup;
mod base;
mod compare;
mod config;
mod database;
mod export;
mod import;
mod measure;
mod people;
mod serve;
mod shell;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use services::Store;

use self::base::exit;
pub use self::{
    base::error::Error,
    config::{Settled, settle},
};
use crate::Assets;

/// Concord: text annotation with live inter-annotator agreement.
#[derive(Parser)]
#[command(name = "concord", version, max_term_width = 100, after_help = exit::CODES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the server.
    Serve(Box<serve::Serve>),
    /// Add people, help them in, name administrators, and end what is open to them. Works while the server
    /// runs, too.
    #[command(subcommand)]
    User(people::user::User),
    /// Make, list and revoke tokens of programs. Works while the server runs, too.
    #[command(subcommand)]
    Token(people::token::Token),
    /// Check that every number follows from the stored rows: one line per project.
    Verify(database::verify::Verify),
    /// Export spans in any format, from a database or a running server.
    Export(Box<export::Export>),
    /// Back up an SQLite database into one file while the server runs, and verify it.
    Backup(backup::Backup),
    /// Replace the database with a backup. Stop the server first.
    Restore(backup::restore::Restore),
    /// Bring a database up to date, or say what that would do. Servers do it when they start.
    Migrate(database::migrate::Migrate),
    /// Move the database into an empty one, of SQLite or PostgreSQL, and compare every row. Stop the
    /// servers first.
    Move(database::moving::Move),
    /// Measure agreement of a study in a CSV, TSV or semicolon file; no server needed.
    Measure(Box<measure::Measure>),
    /// Compare finished exports of several raters, from any tool; no server needed.
    Compare(Box<compare::Compare>),
    /// Import files into a project: as suggestions, or as people's work.
    Import(Box<import::Import>),
    /// Try whether mail arrives.
    #[command(subcommand)]
    Mail(serve::mail::Mail),
    /// Look at the settings of the server.
    #[command(subcommand)]
    Config(config::check::Config),
    /// Print shell completions.
    Completions(shell::Completions),
    /// Print the man page, or write one per command into a folder.
    Man(shell::Man),
}

impl Cli {
    /// Does what a command line says; `assets` is the front end that the program carries.
    pub async fn run(settled: Settled, assets: Assets) -> Result<ExitCode, Error> {
        Store::abort_on_worker_panic();
        let Settled { cli, matches, from_file } = settled;
        match cli.command {
            Command::Config(config::check::Config::Check(check)) => check.run(&matches, &from_file),
            Command::Mail(mail) => mail.run().await.map(|()| ExitCode::SUCCESS),
            Command::Serve(serve) => serve.run(assets).await.map(|()| ExitCode::SUCCESS),
            Command::User(user) => user.run().await.map(|()| ExitCode::SUCCESS),
            Command::Token(token) => token.run().await.map(|()| ExitCode::SUCCESS),
            Command::Verify(verify) => verify.run().await,
            Command::Import(import) => import.run().await,
            Command::Export(export) => export.run().await,
            Command::Backup(backup) => backup.run().await,
            Command::Restore(restore) => restore.run().await,
            Command::Migrate(migrate) => migrate.run().await,
            Command::Move(moving) => moving.run().await,
            Command::Measure(measure) => measure.run(),
            Command::Compare(compare) => compare.run(),
            Command::Completions(completions) => completions.run(),
            Command::Man(man) => man.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn every_option_is_documented() {
        fn check(command: &clap::Command) {
            for argument in command.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {}", command.get_name(), argument);
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }
}
