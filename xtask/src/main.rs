//! `cargo xtask`: serve, test, build, bench and check, on a machine that has only Rust so far.
#![expect(clippy::print_stdout, reason = "a program for a terminal talks on standard output")]

mod beside;
mod corpus;
mod frontend;
mod load;
mod process;
mod release;
mod serve;
mod setup;
mod steps;
mod test;
mod workspace;

use anyhow::Result;
use clap::{Parser, Subcommand};
use release::dist::Dist;
use std::process::ExitCode;
use steps::Steps;
use test::{Selection, fuzz, notebook, reference, schema};
use workspace::{Profile, Workspace};

/// Everything a person does with this repository; what is missing is set up on the way.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Build and start the server with demonstration data on port 3000 of this machine.
    Serve {
        /// The optimised build, as people get it.
        #[arg(long)]
        release: bool,
        /// Arguments for `concord serve`, after `--`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Every check there is: the answer to "may this be merged".
    Test(Selection),
    /// One self-contained release binary.
    Build {
        /// The smallest and fastest one, to be shipped: it takes several times as long.
        #[arg(long)]
        dist: bool,
    },
    /// What people install: static binaries, packages for Debian, images, a chart, and checksums; each
    /// is installed and worked with.
    Dist(Dist),
    /// The browser's half alone, which `serve`, `test` and `build` have built beside the server.
    FrontEnd {
        /// As people get it, and within its budget.
        #[arg(long)]
        release: bool,
        /// Held against the lints while it is compiled.
        #[arg(long)]
        lint: bool,
    },
    /// The benchmarks of the measures, of the live engine, of Markdown and of comparing.
    Bench {
        /// The server with a large project, from the outside; the size may follow after `--`.
        #[arg(long)]
        server: bool,
        /// Arguments for the benchmarks, after `--`.
        #[arg(last = true)]
        args: Vec<String>,
    },
    /// Crowds of 200 and 1,000 clients before the optimised server: each role, then all together.
    Crowd {
        /// How long in all.
        #[arg(long, default_value_t = 10)]
        minutes: u32,
    },
    /// Servers on one database, labelers who save and dashboards that follow: what it takes, and how long.
    /// `cargo xtask load --help` has the options.
    #[command(disable_help_flag = true)]
    Load {
        /// Options of the generator.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Servers that are killed, a PostgreSQL that is restarted and connections that are lost, by schedules
    /// drawn from a seed, while labelers save. `cargo xtask faults --help` has the options.
    #[command(disable_help_flag = true)]
    Faults {
        /// Options of the generator.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        args: Vec<String>,
    },
    /// Documents with the work of several people, as JSON Lines, to measure imports with.
    Corpus {
        /// The file to write.
        file: std::path::PathBuf,
        /// How many documents.
        #[arg(long, default_value_t = 50_000)]
        documents: u64,
        /// How many people, each with ten marks in each document.
        #[arg(long, default_value_t = 2)]
        people: u64,
    },
    /// Files of other tools, judged by those tools: cassis, spaCy, Label Studio, doccano and more.
    Reference {
        /// The samples of their files that the tests read, made anew.
        #[arg(long)]
        make: bool,
    },
    /// Every fuzzer for a while, with nightly Rust and cargo-fuzz.
    Fuzz {
        /// How many seconds each.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// Pairs of random histories that have to be the same to a labeler.
    Blind {
        /// How many.
        #[arg(long, default_value_t = 10_000)]
        pairs: u64,
    },
    /// Errors of the storage at every kind of call of every command that writes: what was acknowledged is
    /// stored, and what was refused is not.
    Storage {
        /// How many of each command, drawn from all combinations of an error and a call.
        #[arg(long, default_value_t = 100)]
        combinations: u64,
        /// Which of them.
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Steps of random histories, after each of which the tallies that were moved equal those counted
    /// anew.
    Model {
        /// How many.
        #[arg(long, default_value_t = 1_000_000)]
        steps: u64,
        /// The seed of the first history, to go through the same again.
        #[arg(long)]
        seed: Option<u64>,
    },
    /// The server of before the newest migration and the one of this tree, beside each other on one database
    /// with the new schema, on either engine.
    Upgrade {
        /// The commit of the older one. Default: the newest tag, or else the commit before the newest
        /// migration's.
        #[arg(long)]
        from: Option<String>,
        /// Kill an older server, too, and start it again on the new schema, which versions can from the
        /// one on that says so in CHANGELOG.md.
        #[arg(long)]
        kill: bool,
    },
    /// The Python of docs/programs/notebook.md, run against a server.
    Notebook,
    /// The pictures of README and of the help, taken anew of the pages as they are.
    Pictures,
    /// Twenty labelers at work before the optimised server while others besiege it, on this machine.
    Siege {
        /// How long, in seconds.
        #[arg(long, default_value_t = 60)]
        seconds: u32,
    },
    /// The REST interface, held against its description as people of three roles.
    Schema,
    /// The quick part of `test`: format, lints and the tests of the pure crates.
    Check,
}

fn main() -> ExitCode {
    match run(Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(command: Command) -> Result<()> {
    let workspace = Workspace::find()?;
    match command {
        Command::Serve { release, args } => serve::run(&workspace, release, &args),
        Command::Test(selection) => test::run(&workspace, &selection),
        Command::Build { dist } => release::run(&workspace, if dist { "dist" } else { "release" }),
        Command::Dist(dist) => release::dist::run(&workspace, &dist),
        Command::FrontEnd { release, lint } => {
            let profile = if release { Profile::Release } else { Profile::Dev };
            setup::wasm_target()?;
            let sizes = if lint {
                // The programs as the tests have them: nothing is compiled a second time.
                let programs = test::binaries::build_programs;
                frontend::build(&workspace, profile, Workspace::linting_cargo, programs)?
            } else {
                let program = frontend::help::build_program;
                frontend::build(&workspace, profile, Workspace::cargo, program)?
            };
            if release { sizes.check_budget() } else { Ok(()) }
        }
        Command::Bench { server: true, args } => {
            against_release(&workspace, "benchmark", "bench.mjs", &args)
        }
        Command::Bench { server: false, args } => bench(&workspace, &args),
        Command::Crowd { minutes } => {
            against_release(&workspace, "crowd", "crowd.mjs", &[minutes.to_string()])
        }
        Command::Siege { seconds } => {
            against_release(&workspace, "siege", "siege.mjs", &[seconds.to_string()])
        }
        Command::Load { args } => load::run(&workspace, &args),
        Command::Faults { args } => load::faults::run(&workspace, &args),
        Command::Corpus { file, documents, people } => {
            println!("{} marks", corpus::write(&file, documents, people)?);
            Ok(())
        }
        Command::Reference { make: false } => {
            Steps::new(1).run("reference", || reference::run(&workspace))
        }
        Command::Reference { make: true } => {
            Steps::new(1).run("samples", || reference::make(&workspace))
        }
        Command::Fuzz { seconds } => Steps::new(1).run("fuzz", || fuzz::run(&workspace, seconds)),
        Command::Blind { pairs } => Steps::new(1).run("blind", || blind(&workspace, pairs)),
        Command::Storage { combinations, seed } => {
            Steps::new(1).run("storage", || storage(&workspace, combinations, seed))
        }
        Command::Model { steps, seed } => {
            Steps::new(1).run("model", || model(&workspace, steps, seed))
        }
        Command::Upgrade { from, kill } => load::upgrade::run(&workspace, from.as_deref(), kill),
        Command::Notebook => Steps::new(1).run("notebook", || notebook::run(&workspace)),
        Command::Pictures => pictures(&workspace),
        Command::Schema => Steps::new(1).run("schema", || schema::run(&workspace)),
        Command::Check => check(&workspace),
    }
}

fn blind(workspace: &Workspace, pairs: u64) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["test", "--package", "server", "--test", "all", "alike"]);
    process::run(command.env("CONCORD_BLIND_PAIRS", pairs.to_string()))
}

fn storage(workspace: &Workspace, combinations: u64, seed: u64) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["test", "--package", "server", "--test", "all", "storage", "--", "--nocapture"]);
    command.env("CONCORD_STORAGE_ERRORS", combinations.to_string());
    process::run(command.env("CONCORD_STORAGE_SEED", seed.to_string()))
}

/// With optimisation: what takes 20,000 steps in the tests takes fifty times as many here.
fn model(workspace: &Workspace, steps: u64, seed: Option<u64>) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["test", "--release", "--package", "live", "--lib", "after_every_step"]);
    command.args(["--", "--nocapture"]).env("CONCORD_MODEL_STEPS", steps.to_string());
    process::run(command.envs(seed.map(|seed| ("CONCORD_MODEL_SEED", seed.to_string()))))
}

fn bench(workspace: &Workspace, args: &[String]) -> Result<()> {
    let mut command = workspace.cargo();
    command.args(["bench", "--package", "agreement", "--package", "demo", "--package", "services"]);
    if !args.is_empty() {
        command.arg("--").args(args);
    }
    Steps::new(1).run("benchmarks", || process::run(&mut command))
}

/// Runs a script of `end2end` against the optimised server.
fn against_release(
    workspace: &Workspace,
    step: &'static str,
    script: &str,
    args: &[String],
) -> Result<()> {
    let mut steps = Steps::new(2);
    steps.run("server", || release::build_server(workspace, "release"))?;
    steps.run(step, || {
        setup::node()?;
        let mut command = std::process::Command::new("node");
        command.arg(script).args(args).current_dir(workspace.root.join("end2end"));
        process::run(command.env("CONCORD_BIN", workspace.binary("release")))
    })
}

fn pictures(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::new(3);
    steps.run("set-up", setup::wasm_target)?;
    steps.run("front end", || {
        let program = frontend::help::build_program;
        frontend::build(workspace, Profile::Release, Workspace::cargo, program)
    })?;
    steps.run("pictures", || {
        release::build_server(workspace, "dev")?;
        test::end2end::take_pictures(workspace)
    })
}

fn check(workspace: &Workspace) -> Result<()> {
    let mut steps = Steps::new(4);
    steps.run("set-up", || setup::toolchain(workspace))?;
    steps.run("fmt", || test::fmt(workspace))?;
    steps.run("clippy", || test::clippy(workspace))?;
    steps.run("pure crates", || {
        process::run(workspace.cargo().args([
            "test",
            "-p",
            "agreement",
            "-p",
            "domain",
            "-p",
            "formats",
            "-p",
            "help",
            "-p",
            "live",
            "-p",
            "study",
        ]))
    })?;
    println!("\n{}", steps.summary());
    Ok(())
}
