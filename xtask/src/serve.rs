//! `serve`: builds both halves, then becomes the server.

use crate::frontend::{self, Profile};
use crate::process::{self, cargo};
use crate::setup;
use crate::steps::Steps;
use crate::workspace::Workspace;
use anyhow::{Context, Result};
use std::os::unix::process::CommandExt;
use std::process::Command;

/// What `concord serve` gets unless the caller says otherwise.
const DEFAULTS: [(&str, &str); 2] = [("--bind", "127.0.0.1:3000"), ("--data-dir", "data")];

/// Builds and starts the server; returns only when that fails.
pub(crate) fn run(workspace: &Workspace, release: bool, args: &[String]) -> Result<()> {
    let mut steps = Steps::new(4);
    steps.run("set-up", setup::wasm_target)?;
    let profile = if release { Profile::Release } else { Profile::Dev };
    steps.run("front end", || frontend::build(workspace, profile))?;
    steps.run("server", || build_server(workspace, release))?;
    steps.run("start", || {
        let binary = workspace.binary(if release { "release" } else { "debug" });
        let args = server_args(args);
        println!("$ {} {}", binary.display(), args.join(" "));
        // Taking this process's place, the server gets Ctrl-C and every other signal itself.
        let error = Command::new(&binary).args(args).current_dir(&workspace.root).exec();
        Err(error).with_context(|| format!("cannot start {}", binary.display()))
    })
}

/// The binary `concord`.
pub(crate) fn build_server(workspace: &Workspace, release: bool) -> Result<()> {
    let mut command = cargo(workspace);
    command.args(["build", "--package", "server"]);
    if release {
        command.arg("--release");
    }
    process::run(&mut command)
}

fn server_args(given: &[String]) -> Vec<String> {
    let mut args = vec!["serve".to_owned(), "--demo".to_owned()];
    for (flag, value) in DEFAULTS {
        let is_given = |arg: &String| arg == flag || arg.starts_with(&format!("{flag}="));
        if !given.iter().any(is_given) {
            args.extend([flag.to_owned(), value.to_owned()]);
        }
    }
    args.extend(given.iter().filter(|arg| *arg != "--demo").cloned());
    args
}

#[cfg(test)]
mod tests {
    use super::server_args;

    fn args(given: &[&str]) -> String {
        server_args(&given.iter().map(|&arg| arg.to_owned()).collect::<Vec<_>>()).join(" ")
    }

    #[test]
    fn demonstration_data_on_a_local_address_is_the_default() {
        assert_eq!(args(&[]), "serve --demo --bind 127.0.0.1:3000 --data-dir data");
    }

    #[test]
    fn given_arguments_replace_defaults() {
        assert_eq!(
            args(&["--bind=0.0.0.0:80", "--data-dir", "/srv"]),
            "serve --demo --bind=0.0.0.0:80 --data-dir /srv"
        );
        assert_eq!(
            args(&["--demo", "--verbose"]),
            "serve --demo --bind 127.0.0.1:3000 --data-dir data --verbose"
        );
    }
}
