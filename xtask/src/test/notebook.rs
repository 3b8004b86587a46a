//! `notebook`: the Python of `docs/programs/notebook.md` is run, as it stands there, against a server.

use crate::workspace::Workspace;
use crate::{
    process,
    test::binaries,
    test::python::{environment, pip},
};
use anyhow::{Context, Result};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// What the page needs; any version that pip takes for this Python.
const PACKAGES: [&str; 2] = ["pandas", "requests"];

/// The first of the sample projects.
const PROJECT: &str = "1";

/// Starts a demo, makes a token for its manager, and runs the page.
pub(crate) fn run(workspace: &Workspace) -> Result<()> {
    let wanted = PACKAGES.join("\n");
    let python = environment(&workspace.notebook(), &wanted, |python| {
        process::run(pip(python).args(["install", "--quiet"]).args(PACKAGES))
    })?;
    binaries::build_programs(workspace)?;
    let binary = workspace.binary("debug");
    let folder = workspace.notebook().join("data");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let server = Server::start(&binary, &folder)?;
    let mut token = Command::new(&binary);
    token.args(["token", "create", "--name", "notebook", "--email", &server.email]);
    let token = process::read(token.arg("--data-dir").arg(&folder))?;
    let mut page = Command::new(python);
    page.arg(workspace.root.join("xtask/src/test/notebook_check.py"))
        .env("CONCORD_URL", &server.url)
        .env("CONCORD_PROJECT", PROJECT)
        .env("CONCORD_TOKEN", token.trim());
    process::run(&mut page)
}

/// A demo that ends with this value.
struct Server {
    child: Child,
    url: String,
    /// The address of the manager's account.
    email: String,
}

impl Server {
    fn start(binary: &Path, folder: &Path) -> Result<Self> {
        let mut command = Command::new(binary);
        command.args(["serve", "--demo", "--print-json", "--bind", "127.0.0.1:0", "--data-dir"]);
        let mut child = command.arg(folder).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            BufReader::new(out).read_line(&mut line)?;
        }
        let started: serde_json::Value =
            serde_json::from_str(&line).context("the server does not say where it is")?;
        let text = |pointer| {
            let found = started.pointer(pointer).and_then(serde_json::Value::as_str);
            found.map(str::to_owned).with_context(|| format!("the server says no {pointer}"))
        };
        Ok(Self { url: text("/url")?, email: text("/sign_ins/0/email")?, child })
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
