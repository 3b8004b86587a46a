//! Where settings come from: the command line before the environment, that before a file, and that before
//! what holds where nobody says anything.

pub(super) mod check;
pub(super) mod file;

use std::{
    collections::BTreeMap,
    env,
    error::Error as _,
    ffi::OsString,
    path::{Path, PathBuf},
};

use clap::{
    Arg, ArgAction, ArgMatches, Command, CommandFactory, FromArgMatches,
    builder::Resettable,
    error::{ContextKind, ContextValue, ErrorKind},
    parser::ValueSource,
};

use self::file::Setting;
use super::{Cli, Error, base::exit::warn};

/// The option that names the file, and the command whose options can stand in it.
const OPTION: &str = "config";
const SERVE: &str = "serve";

/// What a file says of a command's options: the lines of those that it decides, by their ids.
#[derive(Debug, Default)]
pub(super) struct FromFile {
    path: Option<PathBuf>,
    lines: BTreeMap<String, usize>,
}

/// The command line with what a file adds to it, and where everything has come from.
pub struct Settled {
    pub(super) cli: Cli,
    pub(super) matches: ArgMatches,
    pub(super) from_file: FromFile,
}

/// Reads a command line, and the file that it or the environment names.
///
/// # Errors
/// Of the file. A wrong command line ends the process with what is wrong about it, as does a question for
/// help.
pub fn settle(arguments: Vec<OsString>) -> Result<Settled, Error> {
    // What is wrong about it may be put right by the file, such as an option that takes another one.
    let given = Cli::command().ignore_errors(true).try_get_matches_from(&arguments);
    let given = given.unwrap_or_else(|error| error.exit());
    let (names, matches) = innermost(&given);
    let Ok(Some(path)) = matches.try_get_one::<PathBuf>(OPTION) else {
        let matches = parsed(&arguments);
        let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
        return Ok(Settled { cli, matches, from_file: FromFile::default() });
    };
    let path = path.clone();
    let root = Cli::command();
    let command = names.iter().try_fold(&root, |at, name| at.find_subcommand(name));
    let (mut added, mut lines) = (Vec::new(), BTreeMap::new());
    if let Some(command) = command {
        for setting in checked(&path)? {
            let Some(id) = id_of(command, &setting.name) else { continue };
            // Whatever somebody has said nearer to now goes before a file.
            if is_given(matches, &id) || is_ruled_out(command, matches, &id) {
                continue;
            }
            added.extend(as_arguments(command, &setting));
            lines.insert(id, setting.line);
        }
    }
    let end = arguments.iter().position(|argument| argument == "--").unwrap_or(arguments.len());
    let mut all = arguments;
    all.splice(end..end, added.into_iter().map(OsString::from));
    let matches = parsed(&all);
    let cli = Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    Ok(Settled { cli, matches, from_file: FromFile { path: Some(path), lines } })
}

/// Reads a command line; one that is wrong ends the process.
fn parsed(arguments: &[OsString]) -> ArgMatches {
    let parsed = Cli::command().try_get_matches_from(arguments);
    parsed.unwrap_or_else(|error| {
        if let Some(variable) = variable_to_blame(&error, arguments) {
            warn(&format!("what is wrong comes from the environment, {variable}"));
        }
        error.exit()
    })
}

/// The variable of the environment that a wrong value comes from, if it comes from one.
fn variable_to_blame(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg) else { return None };
    let mut root = Cli::command();
    root.build();
    let option = options(&root).into_iter().find(|option| option.to_string() == *wrong)?;
    let name = format!("--{}", option.get_long()?);
    let names = |argument: &OsString| {
        let rest = argument.to_str().and_then(|argument| argument.strip_prefix(&name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    };
    let variable = option.get_env().filter(|variable| env::var_os(variable).is_some())?;
    (!arguments.iter().any(names)).then(|| variable.to_string_lossy().into_owned())
}

/// The options of a command and of all commands below it.
fn options(command: &Command) -> Vec<&Arg> {
    let below = command.get_subcommands().flat_map(options);
    command.get_arguments().chain(below).collect()
}

/// Whether the command line or the environment says something of an option.
fn is_given(matches: &ArgMatches, id: &str) -> bool {
    !matches!(matches.value_source(id), None | Some(ValueSource::DefaultValue))
}

/// Whether an option has no place beside what was given, such as a database beside the server that is to be
/// asked. The server itself is told so.
fn is_ruled_out(command: &Command, matches: &ArgMatches, id: &str) -> bool {
    let is_against = |option: &Arg| {
        let mut others = command.get_arg_conflicts_with(option).into_iter();
        others.any(|other| other.get_id() == id)
    };
    command.get_name() != SERVE
        && command
            .get_arguments()
            .any(|option| is_given(matches, option.get_id().as_str()) && is_against(option))
}

/// The settings of a file, each of which `concord serve` would take by itself.
fn checked(path: &Path) -> Result<Vec<Setting>, Error> {
    let settings = file::read(path)?;
    let root = Cli::command();
    let serve = root.find_subcommand(SERVE).cloned().unwrap_or_default();
    // What the environment says is no fault of the file.
    let serve = serve.mut_args(|option| option.env(Resettable::Reset));
    for setting in &settings {
        let wrong = |problem| Error::Config { path: path.to_owned(), line: setting.line, problem };
        if setting.name == OPTION || id_of(&serve, &setting.name).is_none() {
            return Err(wrong(format!("there is no setting `{}`", setting.name)));
        }
        let alone = [SERVE.to_owned()].into_iter().chain(as_arguments(&serve, setting));
        if let Err(error) = serve.clone().try_get_matches_from(alone) {
            // It may stand elsewhere.
            if error.kind() == ErrorKind::MissingRequiredArgument {
                continue;
            }
            return Err(wrong(format!("`{}`: {}", setting.name, reason(&error))));
        }
    }
    Ok(settings)
}

/// Why an option is wrong, without the value where that is a table: somebody may have put a secret there
/// that belongs in a file.
fn reason(error: &clap::Error) -> String {
    let is_table = matches!(
        error.get(ContextKind::InvalidValue),
        Some(ContextValue::String(value)) if value.starts_with('{')
    );
    let reason = match error.source().filter(|_| is_table) {
        Some(source) => source.to_string(),
        None => error.to_string(),
    };
    let reason = reason.lines().next().unwrap_or_default().trim_start_matches("error: ");
    // Places in the JSON that a table becomes are none in the file.
    reason.split_once(" at line 1 column ").map_or(reason, |(reason, _)| reason).to_owned()
}

/// The names of the commands that were given, and what was given to the last.
fn innermost(matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let (mut names, mut at) = (Vec::new(), matches);
    while let Some((name, inner)) = at.subcommand() {
        names.push(name);
        at = inner;
    }
    (names, at)
}

/// The id of a command's option.
fn id_of(command: &Command, name: &str) -> Option<String> {
    let mut options = command.get_arguments();
    let found = options.find(|option| option.get_long() == Some(name))?;
    Some(found.get_id().to_string())
}

/// A setting as it would be given on a command line; nothing if it says that an option is not given.
fn as_arguments(command: &Command, setting: &Setting) -> Vec<String> {
    let option = command.get_arguments().find(|option| option.get_long() == Some(&setting.name));
    let is_switch = option.is_some_and(|option| matches!(option.get_action(), ArgAction::SetTrue));
    if is_switch {
        let [value] = setting.values.as_slice() else {
            return vec![format!("--{}={}", setting.name, setting.values.join(","))];
        };
        return match value.as_str() {
            "true" => vec![format!("--{}", setting.name)],
            "false" => Vec::new(),
            other => vec![format!("--{}={other}", setting.name)],
        };
    }
    setting.values.iter().map(|value| format!("--{}={value}", setting.name)).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn settled(text: &str, arguments: &[&str]) -> Result<Settled, Error> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("concord.toml");
        fs::write(&path, text).unwrap();
        let path = path.to_str().unwrap();
        let given = ["concord", "serve", "--config", path];
        settle(given.iter().chain(arguments).map(OsString::from).collect())
    }

    fn value(settled: &Settled, id: &str) -> String {
        let (_, matches) = innermost(&settled.matches);
        let raw = matches.get_raw(id).unwrap();
        raw.map(|value| value.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn the_command_line_goes_before_a_file_and_that_before_what_else_would_hold() {
        let text = "bind = \"127.0.0.1:81\"\nlive-memory = 7\ntrusted-proxy = [\"10.0.0.1\", \"10.0.0.2\"]\n";
        let found = settled(text, &["--bind", "127.0.0.1:82"]).unwrap();
        assert_eq!(value(&found, "bind"), "127.0.0.1:82");
        assert_eq!(value(&found, "live_memory"), "7");
        assert_eq!(value(&found, "trusted_proxies"), "10.0.0.1 10.0.0.2");
        assert_eq!(value(&found, "log"), "warn");
        let decided = found.from_file.lines.iter().map(|(id, line)| (id.as_str(), *line));
        assert_eq!(decided.collect::<Vec<_>>(), [("live_memory", 2), ("trusted_proxies", 3)]);
    }

    #[test]
    fn a_wrong_setting_is_told_by_file_line_and_name() {
        for (text, line, words) in [
            ("\nbinds = \"127.0.0.1:81\"", 2, "there is no setting `binds`"),
            ("log = \"warn\"\nbind = \"nowhere\"", 2, "`bind`: invalid value 'nowhere'"),
            ("require-second-factor = \"often\"", 1, "`require-second-factor`: "),
            ("config = \"other.toml\"", 1, "there is no setting `config`"),
        ] {
            let Err(Error::Config { line: found, problem, .. }) = settled(text, &[]) else {
                panic!("{text} is taken")
            };
            assert_eq!(found, line, "{text}");
            assert!(problem.starts_with(words), "{problem}");
        }
    }

    #[test]
    fn what_is_wrong_about_a_table_is_told_without_what_is_in_it() {
        let text = "[[provider]]\nname = \"one\"\nclient-secret = \"hunter22\"\n";
        let Err(Error::Config { line, problem, .. }) = settled(text, &[]) else {
            panic!("a secret is taken")
        };
        assert_eq!(line, 1);
        assert!(problem.starts_with("`provider`: unknown field `client-secret`"), "{problem}");
        assert!(problem.ends_with("`trust-email`"), "{problem}");
        assert!(!problem.contains("hunter22"), "{problem}");
    }

    #[test]
    fn an_option_may_need_another_one_that_stands_in_the_file() {
        let found = settled("demo = true", &["--demo-in-public"]).unwrap();
        assert_eq!(value(&found, "demo_in_public"), "true");
        assert_eq!(value(&found, "demo"), "true");
        let both = settled("demo-in-public = true\ndemo = true", &[]).unwrap();
        assert_eq!(value(&both, "demo_in_public"), "true");
    }

    #[test]
    fn switches_are_true_or_false() {
        let on = settled("require-second-factor = true", &[]).unwrap();
        assert_eq!(value(&on, "require_second_factor"), "true");
        let off = settled("require-second-factor = false", &[]).unwrap();
        assert_eq!(value(&off, "require_second_factor"), "false");
    }
}
