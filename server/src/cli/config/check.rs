//! `concord config check`: what holds for a server, and where it comes from.

use std::{collections::BTreeSet, env, process::ExitCode};

use clap::{Arg, ArgMatches, Args, Command, CommandFactory, Subcommand, parser::ValueSource};

use super::{FromFile, innermost, options};
use crate::cli::{
    Cli, Error,
    base::{
        exit::warn,
        output::{say, table},
        remote::TOKEN,
    },
    serve::Serve,
};

/// Nobody is shown what a secret is.
const HIDDEN: &str = "(set)";

#[derive(Subcommand)]
pub(in crate::cli) enum Config {
    /// Print every setting with its value and where it comes from, as `concord serve` with the same
    /// options would read them. Secrets are not shown.
    Check(Box<Check>),
}

#[derive(Args)]
pub(in crate::cli) struct Check {
    #[command(flatten)]
    serve: Serve,
}

impl Check {
    /// Prints what was given, be it by a file, and what holds otherwise; refuses what a server would.
    pub(in crate::cli) fn run(
        &self,
        matches: &ArgMatches,
        from_file: &FromFile,
    ) -> Result<ExitCode, Error> {
        let root = Cli::command();
        let (names, matches) = innermost(matches);
        let command = names.iter().try_fold(&root, |at, name| at.find_subcommand(name));
        let rows = command.map(|command| rows(command, matches, from_file)).unwrap_or_default();
        let rows: Vec<_> = rows.iter().map(|row| row.each_ref().map(String::as_str)).collect();
        say(table(&rows).trim_end())?;
        let variables = env::vars_os().filter_map(|(name, _)| name.into_string().ok());
        for name in without_meaning(&root, variables) {
            warn(&format!("the environment has {name}, which is no setting"));
        }
        // What may have a password in it is not read with the rest, which would show what is wrong.
        self.serve.mail_settings()?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The variables that look like ours and that no command reads.
fn without_meaning(root: &Command, names: impl Iterator<Item = String>) -> BTreeSet<String> {
    let known: BTreeSet<_> = options(root).into_iter().filter_map(Arg::get_env).collect();
    let is_known = |name: &str| name == TOKEN || known.iter().any(|known| *known == name);
    names.filter(|name| name.starts_with("CONCORD_") && !is_known(name)).collect()
}

/// Name, value and source of each setting.
fn rows(command: &Command, matches: &ArgMatches, from_file: &FromFile) -> Vec<[String; 3]> {
    let settings = command.get_arguments().filter_map(|option| {
        let name = option.get_long().filter(|name| *name != "help" && !option.is_hide_set())?;
        Some([name.to_owned(), value(option, matches), source(option, matches, from_file)])
    });
    settings.collect()
}

fn value(option: &Arg, matches: &ArgMatches) -> String {
    let raw = matches.get_raw(option.get_id().as_str());
    let values: Vec<_> = raw.into_iter().flatten().map(|value| value.to_string_lossy()).collect();
    match values.as_slice() {
        [] => "-".to_owned(),
        _ if option.is_hide_env_values_set() => HIDDEN.to_owned(),
        values => values.join(" "),
    }
}

fn source(option: &Arg, matches: &ArgMatches, from_file: &FromFile) -> String {
    let id = option.get_id().as_str();
    if let (Some(path), Some(line)) = (&from_file.path, from_file.lines.get(id)) {
        return format!("{}, line {line}", path.display());
    }
    match matches.value_source(id) {
        Some(ValueSource::CommandLine) => "command line".to_owned(),
        Some(ValueSource::EnvVariable) => {
            let name = option.get_env().map(|name| name.to_string_lossy()).unwrap_or_default();
            format!("environment, {name}")
        }
        _ => "default".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsString, fs};

    use super::*;
    use crate::cli::config::settle;

    #[test]
    fn a_variable_that_nothing_reads_is_told() {
        let names = ["CONCORD_BIND", "CONCORD_BINDS", "CONCORD_TOKEN", "HOME"].map(str::to_owned);
        let told = without_meaning(&Cli::command(), names.into_iter());
        assert_eq!(told.into_iter().collect::<Vec<_>>(), ["CONCORD_BINDS"]);
    }

    #[test]
    fn each_setting_is_told_with_its_source_and_no_secret_is() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("concord.toml");
        fs::write(&path, "database-url = \"postgres://me:secret@host/db\"\nlive-memory = 7\n")
            .unwrap();
        let path = path.to_str().unwrap();
        let given = ["concord", "config", "check", "--config", path, "--log", "info"];
        let settled = settle(given.map(OsString::from).into()).unwrap();
        let (names, matches) = innermost(&settled.matches);
        let root = Cli::command();
        let command = names.iter().try_fold(&root, |at, name| at.find_subcommand(name)).unwrap();
        let rows = rows(command, matches, &settled.from_file);
        let of = |name: &str| {
            let found = rows.iter().find(|row| row[0] == name).unwrap();
            (found[1].clone(), found[2].clone())
        };
        assert_eq!(of("database-url"), (HIDDEN.to_owned(), format!("{path}, line 1")));
        assert_eq!(of("live-memory"), ("7".to_owned(), format!("{path}, line 2")));
        assert_eq!(of("log"), ("info".to_owned(), "command line".to_owned()));
        assert_eq!(of("bind"), ("127.0.0.1:3000".to_owned(), "default".to_owned()));
        assert_eq!(of("public-url"), ("-".to_owned(), "default".to_owned()));
        assert!(rows.iter().flatten().all(|cell| !cell.contains("secret@")));
    }
}
