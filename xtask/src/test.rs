//! `test`: every check in one order, stopping at the first that fails.

use crate::beside::Beside;
use crate::frontend::{self, Profile};
use crate::postgres::{self, Postgres};
use crate::process::{self, cargo};
use crate::steps::Steps;
use crate::workspace::Workspace;
use crate::{deny, end2end, notebook, reference, schema, setup};
use anyhow::{Result, bail};
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::process::Command;

/// Which steps to run; all of them without arguments.
#[derive(Args)]
pub(crate) struct Selection {
    /// Run only these steps (and the database, if one of them needs it).
    #[arg(long, value_delimiter = ',')]
    only: Vec<Step>,
    /// Leave these steps out.
    #[arg(long, value_delimiter = ',')]
    skip: Vec<Step>,
}

/// The steps, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum Step {
    Fmt,
    Clippy,
    Docs,
    Tree,
    Deny,
    Postgres,
    Test,
    Schema,
    Reference,
    Notebook,
    Siege,
    Frontend,
    End2end,
}

/// Packages of the server, which the browser must never download.
const NOT_IN_BROWSER: [&str; 9] =
    ["axum", "demo", "live", "sea-orm", "services", "sqlx", "store", "tokio", "leptos_axum"];

/// Runs the selected steps, then prints the table of seconds.
pub(crate) fn run(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let selected = selection.steps();
    let mut steps = Steps::new(selected.len() + 1);
    let result = run_steps(workspace, &selected, &mut steps);
    println!("\n{}", steps.summary());
    result
}

fn run_steps(workspace: &Workspace, selected: &BTreeSet<Step>, steps: &mut Steps) -> Result<()> {
    steps.run("set-up", || setup::toolchain(workspace))?;
    let mut front_end = build_beside(workspace, selected)?;
    // Held to the end of the function: dropping it stops the server, however we leave.
    let mut server = None;
    for step in selected {
        let database = server.as_ref().map(Postgres::variable);
        match step {
            Step::Fmt => steps.run("fmt", || fmt(workspace))?,
            Step::Clippy => steps.run("clippy", || clippy(workspace))?,
            Step::Docs => steps.run("docs", || docs(workspace))?,
            Step::Tree => steps.run("tree", || tree(workspace))?,
            Step::Deny => steps.run("deny", || deny::run(workspace))?,
            Step::Postgres => server = postgres(steps)?,
            Step::Test => steps.run("test", || {
                process::run(
                    cargo(workspace).args(["test", "--workspace", "--no-fail-fast"]).envs(database),
                )
            })?,
            Step::Schema => steps.run("schema", || schema::run(workspace))?,
            Step::Reference => steps.run("reference", || reference::run(workspace))?,
            Step::Notebook => steps.run("notebook", || notebook::run(workspace))?,
            Step::Siege => steps.run("siege", || siege(workspace))?,
            Step::Frontend => steps.run("frontend", || match front_end.take() {
                Some(building) => building.finish(),
                None => frontend::build(workspace, Profile::Release)?.check_budget(),
            })?,
            Step::End2end => steps.run("end2end", || end2end::run(workspace, database))?,
        }
    }
    Ok(())
}

/// Begins to build the front end where there is enough to do meanwhile: lints and tests are compiled
/// into other folders, and much of either build keeps one core only.
fn build_beside(workspace: &Workspace, selected: &BTreeSet<Step>) -> Result<Option<Beside>> {
    if ![Step::Frontend, Step::Clippy].iter().all(|step| selected.contains(step)) {
        return Ok(None);
    }
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["test", "--only", "frontend"]).current_dir(&workspace.root);
    let printed = workspace.root.join("target/frontend.log");
    Beside::start(&mut command, printed).map(Some)
}

impl Selection {
    fn steps(&self) -> BTreeSet<Step> {
        let mut steps: BTreeSet<_> = if self.only.is_empty() {
            Step::value_variants().iter().copied().collect()
        } else {
            self.only.iter().copied().collect()
        };
        if steps.contains(&Step::Test) || steps.contains(&Step::End2end) {
            steps.insert(Step::Postgres);
        }
        steps.retain(|step| !self.skip.contains(step));
        steps
    }
}

/// Whether rustfmt would change anything.
pub(crate) fn fmt(workspace: &Workspace) -> Result<()> {
    process::run(cargo(workspace).args(["fmt", "--all", "--check"]))
}

/// Lints of the server's half with everything around it, then of the browser's half.
pub(crate) fn clippy(workspace: &Workspace) -> Result<()> {
    const DENY: [&str; 3] = ["--", "--deny", "warnings"];
    process::run(cargo(workspace).args(["clippy", "--workspace", "--all-targets"]).args(DENY))?;
    for args in [
        frontend::CARGO_ARGS.as_slice(),
        frontend::PREDICTION.as_slice(),
        frontend::WORKBENCH.as_slice(),
    ] {
        process::run(cargo(workspace).args(["clippy", "--lib"]).args(args).args(DENY))?;
    }
    Ok(())
}

fn docs(workspace: &Workspace) -> Result<()> {
    let mut command = cargo(workspace);
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings");
    process::run(&mut command)
}

/// The short form of `cargo xtask siege`, against the debug binary: everybody is answered and nothing is
/// lost.
fn siege(workspace: &Workspace) -> Result<()> {
    setup::node()?;
    // The selection of `cargo test --workspace`, so that only the binary is left to link.
    process::run(cargo(workspace).args(["build", "--workspace", "--bins", "--tests"]))?;
    let mut command = Command::new("node");
    command.args(["siege.mjs", "10", "short"]).current_dir(workspace.root.join("end2end"));
    process::run(command.env("CONCORD_BIN", workspace.binary("debug")))
}

/// Nothing of the server may be compiled for the browser.
fn tree(workspace: &Workspace) -> Result<()> {
    let mut command = cargo(workspace);
    command.arg("tree").args(frontend::CARGO_ARGS).args(["--edges", "normal", "--prefix", "none"]);
    let tree = process::read(command.args(["--format", "{p}"]))?;
    let found = forbidden(&tree);
    if !found.is_empty() {
        bail!("the browser would download {}; `cargo tree -i` says why", found.join(", "));
    }
    println!("none of {} is in the wasm tree of app", NOT_IN_BROWSER.join(", "));
    Ok(())
}

/// The forbidden packages in a list of `name version …` lines.
fn forbidden(tree: &str) -> Vec<&str> {
    let names: BTreeSet<_> = tree.lines().filter_map(|line| line.split(' ').next()).collect();
    names.into_iter().filter(|name| NOT_IN_BROWSER.contains(name)).collect()
}

/// Starts a server, unless the caller has named one.
fn postgres(steps: &mut Steps) -> Result<Option<Postgres>> {
    if std::env::var_os(postgres::VARIABLE).is_some() {
        steps.skip("postgres", "CONCORD_TEST_POSTGRES already names a server");
        return Ok(None);
    }
    steps.run("postgres", Postgres::start).map(Some)
}

#[cfg(test)]
mod tests {
    use super::{Selection, Step, forbidden};
    use clap::ValueEnum;

    fn steps(only: &[Step], skip: &[Step]) -> Vec<Step> {
        let selection = Selection { only: only.to_vec(), skip: skip.to_vec() };
        selection.steps().into_iter().collect()
    }

    #[test]
    fn all_steps_run_by_default_and_in_their_order() {
        assert_eq!(steps(&[], &[]), Step::value_variants());
        assert_eq!(steps(&[Step::Docs, Step::Fmt], &[]), [Step::Fmt, Step::Docs]);
    }

    #[test]
    fn tests_bring_their_database_unless_it_is_skipped() {
        assert_eq!(steps(&[Step::Test], &[]), [Step::Postgres, Step::Test]);
        assert_eq!(steps(&[Step::End2end], &[]), [Step::Postgres, Step::End2end]);
        assert_eq!(steps(&[Step::Test], &[Step::Postgres]), [Step::Test]);
        assert_eq!(
            steps(&[], &[Step::Test, Step::End2end]).len(),
            Step::value_variants().len() - 2
        );
    }

    #[test]
    fn server_packages_are_found_by_their_whole_name() {
        let tree = "app v0.1.0 (/a/app)\ntokio v1.54.1\ntokio-stream v0.1.17\n\
                    reactive_stores v0.2.0\nstore v0.1.0 (/a/crates/store)\ntokio v1.54.1 (*)";
        assert_eq!(forbidden(tree), ["store", "tokio"]);
        assert!(forbidden("app v0.1.0\ntokio-stream v0.1.17").is_empty());
    }
}
