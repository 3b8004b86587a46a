//! `serve`: builds the server and becomes it, while the front end is built beside.

use crate::steps::Steps;
use crate::workspace::{Profile, Workspace};
use crate::{frontend, release, setup};
use anyhow::{Context, Result};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};

/// What `concord serve` gets unless the caller says otherwise.
const DEFAULTS: [(&str, &str); 2] = [("--bind", "127.0.0.1:3000"), ("--data-dir", "data")];

/// Builds the front end with what no other program needs, and says when it is there, or why it is not.
/// `$1` is this program, `$2` the file for what is printed on the way.
const FRONT_END: &str = r#"
if nice -n 19 "$1" front-end >"$2" 2>&1
then echo "The front end is built: every page is complete."
else cat "$2"; echo "The front end is not built; see above."
fi >&2
"#;

/// Builds and starts the server; returns only when that fails.
pub(crate) fn run(workspace: &Workspace, release: bool, args: &[String]) -> Result<()> {
    if release {
        let mut steps = Steps::new(release::STEPS + 1);
        release::build(workspace, "release", &mut steps)?;
        return steps.run("start", || start(workspace, "release", &server_args(args)));
    }
    let mut steps = Steps::new(3);
    let site = workspace.site(Profile::Dev);
    let mut front_end = steps.run("set-up", || {
        setup::wasm_target()?;
        frontend::build_without_modules(workspace, Profile::Dev)?;
        begin_front_end(workspace)
    })?;
    let built = steps.run("server", || release::build_server(workspace, "dev"));
    if built.is_err() {
        // Nobody would see it.
        front_end.kill()?;
    }
    built?;
    let mut args = server_args(args);
    args.extend(["--front-end".to_owned(), site.display().to_string()]);
    steps.run("start", || start(workspace, "debug", &args))
}

/// Begins to build the modules of the browser. The server, and all pages that are only read, do not
/// wait for them; they are in this process's group, and end with it at Ctrl-C.
fn begin_front_end(workspace: &Workspace) -> Result<Child> {
    let log = workspace.log("front_end");
    println!("building the front end beside the server; {} says how far it is", log.display());
    let mut shell = Command::new("sh");
    shell.args(["-c", FRONT_END, "front-end"]).arg(std::env::current_exe()?).arg(log);
    shell.current_dir(&workspace.root).spawn().context("cannot start sh")
}

/// Becomes the server: taking this process's place, it gets Ctrl-C and every other signal itself.
fn start(workspace: &Workspace, folder: &str, args: &[String]) -> Result<()> {
    let binary = workspace.binary(folder);
    println!("$ {} {}", binary.display(), args.join(" "));
    let error = Command::new(&binary).args(args).current_dir(&workspace.root).exec();
    Err(error).with_context(|| format!("cannot start {}", binary.display()))
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
