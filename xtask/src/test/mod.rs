//! `test`: every check in one order, stopping at the first that fails.

pub(crate) mod binaries;
mod deny;
pub(crate) mod end2end;
pub(crate) mod fuzz;
pub(crate) mod notebook;
pub(crate) mod postgres;
pub(crate) mod python;
pub(crate) mod reference;
pub(crate) mod schema;

use self::postgres::Postgres;
use crate::frontend;
use crate::load;
use crate::process;
use crate::steps::Steps;
use crate::workspace::{Profile, Workspace};
use crate::{beside::Beside, setup};
use anyhow::{Result, bail};
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use std::collections::BTreeSet;
use std::io;
use std::process::Command;
use std::sync::Mutex;

/// Which steps to run; all of them without arguments.
#[derive(Args)]
pub(crate) struct Selection {
    /// Run only these steps (and the database, if one of them needs it).
    #[arg(long, value_delimiter = ',')]
    only: Vec<TestStep>,
    /// Leave these steps out.
    #[arg(long, value_delimiter = ',')]
    skip: Vec<TestStep>,
}

/// The steps, in their order; but see [`BESIDE_TESTS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, ValueEnum)]
enum TestStep {
    Fmt,
    Clippy,
    Tree,
    Deny,
    Postgres,
    Test,
    Schema,
    Reference,
    Notebook,
    Docs,
    Siege,
    Faults,
    Frontend,
    End2end,
}

/// Steps that take one core at most, or wait for the network or each other's sockets, and some of them
/// need what the tests have built: they are run beside the tests. The documentation comes last, for it
/// keeps the folder of the build to itself.
const BESIDE_TESTS: [TestStep; 5] =
    [TestStep::Deny, TestStep::Schema, TestStep::Reference, TestStep::Notebook, TestStep::Docs];

/// Packages of the server, which the browser must never download.
const NOT_IN_BROWSER: [&str; 9] =
    ["axum", "demo", "live", "sea-orm", "services", "sqlx", "store", "tokio", "leptos_axum"];

/// Runs the selected steps, then prints the table of seconds.
pub(crate) fn run(workspace: &Workspace, selection: &Selection) -> Result<()> {
    let selected = selection.steps();
    let beside_tests = beside_tests(&selected);
    let of_tests =
        usize::from(selected.contains(&TestStep::Test)) + usize::from(!beside_tests.is_empty());
    let mut steps = Steps::new(1 + selected.len() - beside_tests.len() + of_tests);
    let result = run_steps(workspace, &selected, &beside_tests, &mut steps);
    println!("\n{}", steps.summary());
    result
}

/// Which of the selected steps are run beside the tests.
fn beside_tests(selected: &BTreeSet<TestStep>) -> BTreeSet<TestStep> {
    let beside = |step: &TestStep| selected.contains(&TestStep::Test) && selected.contains(step);
    BESIDE_TESTS.into_iter().filter(beside).collect()
}

fn run_steps(
    workspace: &Workspace,
    selected: &BTreeSet<TestStep>,
    beside_tests: &BTreeSet<TestStep>,
    steps: &mut Steps,
) -> Result<()> {
    steps.run("set-up", || setup::toolchain(workspace))?;
    let mut front_end = build_beside(workspace, selected)?;
    // Held to the end of the function: dropping it stops the server, however we leave.
    let mut server = None;
    for step in selected.difference(beside_tests) {
        let database = server.as_ref().map(Postgres::variable);
        match step {
            TestStep::Fmt => steps.run("fmt", || fmt(workspace))?,
            TestStep::Clippy if is_linted_while_built(selected) => {
                steps.skip("clippy", "both halves are held against the lints while they are built");
            }
            TestStep::Clippy => steps.run("clippy", || clippy(workspace))?,
            TestStep::Docs => steps.run("docs", || docs(workspace))?,
            TestStep::Tree => steps.run("tree", || tree(workspace))?,
            TestStep::Deny => steps.run("deny", || deny::run(workspace))?,
            TestStep::Postgres => server = postgres(steps)?,
            TestStep::Test => test(workspace, beside_tests, database.as_ref(), steps)?,
            TestStep::Schema => steps.run("schema", || schema::run(workspace))?,
            TestStep::Reference => steps.run("reference", || reference::run(workspace))?,
            TestStep::Notebook => steps.run("notebook", || notebook::run(workspace))?,
            TestStep::Siege => steps.run("siege", || siege(workspace))?,
            TestStep::Faults => steps.run("faults", || load::faults::test(workspace))?,
            TestStep::Frontend => steps.run("frontend", || {
                if let Some(building) = front_end.take() {
                    return building.finish();
                }
                let program = frontend::help::build_program;
                frontend::build(workspace, Profile::Release, Workspace::cargo, program)?
                    .check_budget()
            })?,
            TestStep::End2end => steps.run("end2end", || end2end::run(workspace, database))?,
        }
    }
    Ok(())
}

/// The tests, and beside them the steps that do not keep a core busy by themselves.
fn test(
    workspace: &Workspace,
    beside: &BTreeSet<TestStep>,
    database: Option<&(&str, String)>,
    steps: &mut Steps,
) -> Result<()> {
    let binaries = steps.run("build tests", || binaries::build(workspace))?;
    let names: Vec<_> = beside.iter().filter_map(TestStep::to_possible_value).collect();
    let names: Vec<_> = names.iter().map(PossibleValue::get_name).collect();
    let others = if names.is_empty() {
        None
    } else {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["test", "--only", &names.join(",")]).current_dir(&workspace.root);
        Some(Beside::start(&mut command, workspace.log("beside_tests"))?)
    };
    let screen = Mutex::new(io::stdout());
    steps.run("test", || binaries::run(binaries, database, &screen))?;
    match others {
        Some(others) => steps.run("beside tests", || others.finish()),
        None => Ok(()),
    }
}

/// Whether both halves of the product are compiled anyway, so that lints need no build of their own.
fn is_linted_while_built(selected: &BTreeSet<TestStep>) -> bool {
    [TestStep::Frontend, TestStep::Test].iter().all(|step| selected.contains(step))
}

/// Begins to build the front end where there is enough to do meanwhile: tests are compiled into another
/// folder, and much of either build keeps one core only.
fn build_beside(workspace: &Workspace, selected: &BTreeSet<TestStep>) -> Result<Option<Beside>> {
    let begin = || Beside::front_end(workspace, &["--lint"]);
    is_linted_while_built(selected).then(begin).transpose()
}

impl Selection {
    fn steps(&self) -> BTreeSet<TestStep> {
        let mut steps: BTreeSet<_> = if self.only.is_empty() {
            TestStep::value_variants().iter().copied().collect()
        } else {
            self.only.iter().copied().collect()
        };
        if steps.contains(&TestStep::Test) || steps.contains(&TestStep::End2end) {
            steps.insert(TestStep::Postgres);
        }
        steps.retain(|step| !self.skip.contains(step));
        steps
    }
}

/// Whether rustfmt would change anything.
pub(crate) fn fmt(workspace: &Workspace) -> Result<()> {
    process::run(workspace.cargo().args(["fmt", "--all", "--check"]))
}

/// Lints of the server's half with everything around it, then of the browser's half.
pub(crate) fn clippy(workspace: &Workspace) -> Result<()> {
    const DENY: [&str; 3] = ["--", "--deny", "warnings"];
    process::run(workspace.cargo().args(["clippy", "--workspace", "--all-targets"]).args(DENY))?;
    for args in [
        frontend::CARGO_ARGS.as_slice(),
        frontend::PREDICTION.as_slice(),
        frontend::WORKBENCH.as_slice(),
    ] {
        process::run(workspace.cargo().args(["clippy", "--lib"]).args(args).args(DENY))?;
    }
    Ok(())
}

fn docs(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings");
    process::run(&mut command)
}

/// The short form of `cargo xtask siege`, against the debug binary: everybody is answered and nothing is
/// lost.
fn siege(workspace: &Workspace) -> Result<()> {
    setup::node()?;
    binaries::build_programs(workspace)?;
    let mut command = Command::new("node");
    command.args(["siege.mjs", "10", "short"]).current_dir(workspace.root.join("end2end"));
    process::run(command.env("CONCORD_BIN", workspace.binary("debug")))
}

/// Nothing of the server may be compiled for the browser.
fn tree(workspace: &Workspace) -> Result<()> {
    let mut command = workspace.cargo();
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
    steps.run("archiving", postgres::install_archiving)?;
    steps.run("postgres", Postgres::start).map(Some)
}

#[cfg(test)]
mod tests {
    use super::{Selection, TestStep, forbidden};
    use clap::ValueEnum;

    fn steps(only: &[TestStep], skip: &[TestStep]) -> Vec<TestStep> {
        let selection = Selection { only: only.to_vec(), skip: skip.to_vec() };
        selection.steps().into_iter().collect()
    }

    #[test]
    fn all_steps_run_by_default_and_in_their_order() {
        assert_eq!(steps(&[], &[]), TestStep::value_variants());
        assert_eq!(steps(&[TestStep::Docs, TestStep::Fmt], &[]), [TestStep::Fmt, TestStep::Docs]);
    }

    #[test]
    fn tests_bring_their_database_unless_it_is_skipped() {
        assert_eq!(steps(&[TestStep::Test], &[]), [TestStep::Postgres, TestStep::Test]);
        assert_eq!(steps(&[TestStep::End2end], &[]), [TestStep::Postgres, TestStep::End2end]);
        assert_eq!(steps(&[TestStep::Test], &[TestStep::Postgres]), [TestStep::Test]);
        assert_eq!(
            steps(&[], &[TestStep::Test, TestStep::End2end]).len(),
            TestStep::value_variants().len() - 2
        );
    }

    #[test]
    fn what_is_run_beside_the_tests_is_run_by_itself_without_them() {
        let all = super::beside_tests(&TestStep::value_variants().iter().copied().collect());
        assert!(all.into_iter().eq(super::BESIDE_TESTS));
        assert!(super::beside_tests(&[TestStep::Docs, TestStep::Schema].into()).is_empty());
    }

    #[test]
    fn server_packages_are_found_by_their_whole_name() {
        let tree = "app v0.1.0 (/a/app)\ntokio v1.54.1\ntokio-stream v0.1.17\n\
                    reactive_stores v0.2.0\nstore v0.1.0 (/a/crates/store)\ntokio v1.54.1 (*)";
        assert_eq!(forbidden(tree), ["store", "tokio"]);
        assert!(forbidden("app v0.1.0\ntokio-stream v0.1.17").is_empty());
    }
}
