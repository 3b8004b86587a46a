//! Installs what is missing (rustup, apt), or says in one line what a person has to install.

use crate::process::{self, find_program};
use crate::workspace::{Profile, Workspace};
use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const WASM: &str = "wasm32-unknown-unknown";

/// What it takes to compile and to judge every crate: rustfmt, clippy, the wasm standard library.
pub(crate) fn toolchain(workspace: &Workspace) -> Result<()> {
    // The server crate embeds this folder and does not compile without it.
    fs::create_dir_all(workspace.site(Profile::Release).join("pkg"))?;
    for (component, subcommand) in [("rustfmt", "fmt"), ("clippy", "clippy")] {
        if !process::succeeds(workspace.cargo().args([subcommand, "--version"])) {
            rustup(&["component", "add", component])?;
        }
    }
    wasm_target()
}

/// The standard library for the browser.
pub(crate) fn wasm_target() -> Result<()> {
    target(WASM)
}

/// The standard library for a target of rustc's.
pub(crate) fn target(name: &str) -> Result<()> {
    if has_std(name)? {
        return Ok(());
    }
    println!("the standard library for {name} is missing, adding it");
    rustup(&["target", "add", name])?;
    if !has_std(name)? {
        bail!("rustc still has no standard library for {name}: is the rustc in PATH rustup's?");
    }
    Ok(())
}

fn has_std(target: &str) -> Result<bool> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let libdir =
        process::read(Command::new(rustc).args(["--print", "target-libdir", "--target", target]))?;
    let Ok(entries) = Path::new(libdir.trim()).read_dir() else { return Ok(false) };
    Ok(entries.flatten().any(|entry| entry.file_name().to_string_lossy().starts_with("libstd-")))
}

/// A program, of one of Debian's packages where it is missing.
pub(crate) fn program(name: &str, package: &str) -> Result<()> {
    if find_program(name).is_none() {
        apt_install(&[package])?;
    }
    Ok(())
}

fn rustup(args: &[&str]) -> Result<()> {
    let wish = format!("rustup {}", args.join(" "));
    if find_program("rustup").is_none() {
        bail!("rustup is not installed: get it from https://rustup.rs, then `{wish}`");
    }
    process::run(Command::new("rustup").args(args))
        .with_context(|| format!("please run `{wish}` with a network connection"))
}

/// `wasm-opt`. Always this version: old ones, such as Debian's 108, mix up the exported tables, and
/// the page then does not start.
pub(crate) fn wasm_opt(tools: &Path) -> Result<PathBuf> {
    npm_tool(tools, "binaryen@132.0.0", "wasm-opt")
}

/// `esbuild`, which makes scripts small.
pub(crate) fn esbuild(tools: &Path) -> Result<PathBuf> {
    npm_tool(tools, "esbuild@0.28.2", "esbuild")
}

/// `cargo-deny`, always this version, below `tools`. Not optimised: it is built in a minute, and at
/// work for seconds.
pub(crate) fn cargo_deny(workspace: &Workspace) -> Result<PathBuf> {
    const WANTED: &str = "cargo-deny@0.20.2";
    let folder = workspace.tools().join(WANTED);
    let program = folder.join("bin/cargo-deny");
    if !program.is_file() {
        println!("{WANTED} is missing, installing it");
        let mut install = workspace.cargo();
        install.args(["install", "--locked", "--debug", "--no-track", WANTED, "--root"]);
        process::run(install.arg(&folder).env("CARGO_PROFILE_DEV_DEBUG", "0"))
            .with_context(|| format!("could not install {WANTED}"))?;
    }
    Ok(program)
}

/// A program of an npm package, in a folder of its own below `tools`.
fn npm_tool(tools: &Path, package: &str, program: &str) -> Result<PathBuf> {
    let folder = tools.join(package);
    let path = folder.join("node_modules/.bin").join(program);
    if !path.is_file() {
        node()?;
        println!("{program} is missing, installing {package} with npm");
        fs::create_dir_all(&folder)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--no-save", "--prefix"]).arg(&folder);
        process::run(npm.arg(package)).with_context(|| format!("could not install {package}"))?;
    }
    Ok(path)
}

/// Node with npm, for wasm-opt and the tests in the browser.
pub(crate) fn node() -> Result<()> {
    if find_program("node").is_none() || find_program("npm").is_none() {
        apt_install(&["nodejs", "npm"])?;
    }
    Ok(())
}

/// A Chromium: `$CHROMIUM`, or one in `PATH`, or Debian's.
pub(crate) fn chromium() -> Result<PathBuf> {
    if let Some(chosen) = std::env::var_os("CHROMIUM") {
        return Ok(chosen.into());
    }
    let find =
        || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(find_program);
    if let Some(found) = find() {
        return Ok(found);
    }
    apt_install(&["chromium"])?;
    find().context("chromium is installed but not in PATH: set CHROMIUM to its path")
}

/// Installs Debian packages when this machine and this user can do it without a question.
pub(crate) fn apt_install(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    if find_program("apt-get").is_none() {
        bail!("missing: please install {names} with this system's package manager");
    }
    let Some(apt) = apt_command() else {
        bail!("missing: please run `apt-get install {names}` as root");
    };
    println!("{names} missing, installing with apt-get");
    process::run(apt().args(["-q", "update"]))
        .and_then(|()| {
            process::run(
                apt().args(["-q", "install", "-y", "--no-install-recommends"]).args(packages),
            )
        })
        .with_context(|| format!("could not install {names}"))
}

/// How to call apt-get with the needed rights, if this user has them.
fn apt_command() -> Option<impl Fn() -> Command> {
    let sudo = !is_root();
    if sudo && !process::succeeds(Command::new("sudo").args(["-n", "true"])) {
        return None;
    }
    Some(move || {
        let mut command = Command::new(if sudo { "sudo" } else { "env" });
        if sudo {
            command.args(["-n", "env"]);
        }
        // Another apt may be at work; wait for its lock instead of failing.
        command.args([
            "DEBIAN_FRONTEND=noninteractive",
            "apt-get",
            "-o",
            "DPkg::Lock::Timeout=300",
        ]);
        command
    })
}

/// Whether this process has user id 0.
pub(crate) fn is_root() -> bool {
    user_id(None) == Some(0)
}

/// The user id of a named user, or of this process.
pub(crate) fn user_id(user: Option<&str>) -> Option<u32> {
    process::read(Command::new("id").arg("-u").args(user)).ok()?.trim().parse().ok()
}
