//! What may be among our dependencies: judged by cargo-deny, by the rules in `deny.toml`.

use crate::process;
use crate::setup;
use crate::workspace::Workspace;
use anyhow::{Result, bail};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// How long the database of advisories may take to come.
const FETCH_LIMIT: Duration = Duration::from_mins(1);

/// Checks bans, licences and sources; advisories, too, where their database can be reached.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let today = process::read(Command::new("date").args(["-u", "+%F"]))?;
    let rules = fs::read_to_string(workspace.root.join("deny.toml"))?;
    let wrong = exceptions_without_end(&rules, today.trim());
    if !wrong.is_empty() {
        bail!(
            "in deny.toml each exception says `# until 2027-01-31: why` at the end of its line, and \
             has not ended yet:\n{}",
            wrong.join("\n")
        );
    }
    let program = setup::cargo_deny(workspace)?;
    process::run(deny(&program, workspace).args(["check", "bans", "licenses", "sources"]))?;
    let mut fetch = deny(&program, workspace);
    // Nobody is there to be asked for a password.
    fetch.args(["fetch", "db"]).env("GIT_TERMINAL_PROMPT", "0");
    if process::succeeds_within(&mut fetch, FETCH_LIMIT)? {
        process::run(deny(&program, workspace).args(["check", "advisories"]))
    } else {
        println!("advisories not checked: their database cannot be reached");
        Ok(())
    }
}

fn deny(program: &Path, workspace: &Workspace) -> Command {
    let mut command = Command::new(program);
    command.current_dir(&workspace.root);
    command
}

/// The exceptions that do not say why they are there and until when, or whose time is over.
fn exceptions_without_end<'a>(rules: &'a str, today: &str) -> Vec<&'a str> {
    let mut is_list = false;
    let mut wrong = Vec::new();
    for line in rules.lines().map(str::trim) {
        if is_list && line.starts_with(['{', '"']) && !is_dated(line, today) {
            wrong.push(line);
        }
        if ["exceptions = [", "ignore = [", "skip = [", "skip-tree = ["].contains(&line) {
            is_list = true;
        } else if line.starts_with(']') {
            is_list = false;
        }
    }
    wrong
}

/// Whether a line ends with a day that is not over and a reason.
fn is_dated(line: &str, today: &str) -> bool {
    let Some((_, note)) = line.split_once("# until ") else { return false };
    let Some((day, why)) = note.split_once(": ") else { return false };
    // Days that are written so are in the order of the calendar.
    day.len() == today.len() && day >= today && why.split(' ').count() > 2
}

#[cfg(test)]
mod tests {
    use super::exceptions_without_end;

    const DAY: &str = "2026-11-23";

    #[test]
    fn an_exception_has_a_reason_and_an_end() {
        let wrong = |line: &str| {
            let rules = format!("allow = [\n\"MIT\",\n]\nexceptions = [\n    {line}\n]\n\"out\"");
            exceptions_without_end(&rules, DAY).len()
        };
        let entry = "{ crate = \"one\", allow = [\"MPL-2.0\"] },";
        assert_eq!(wrong(entry), 1);
        assert_eq!(wrong(&format!("{entry} # until 2026-11-23: its parser is unchanged")), 0);
        assert_eq!(wrong(&format!("{entry} # until 2026-11-22: its parser is unchanged")), 1);
        assert_eq!(wrong(&format!("{entry} # until soon: its parser is unchanged")), 1);
        assert_eq!(wrong(&format!("{entry} # until 2027-01-01: because")), 1);
    }

    #[test]
    fn our_own_exceptions_have_a_reason_and_an_end() {
        let rules = include_str!("../../../deny.toml");
        assert_eq!(exceptions_without_end(rules, "2026-01-01"), [""; 0]);
        assert_eq!(exceptions_without_end(rules, "9999-12-31").len(), 11, "they are found");
    }
}
