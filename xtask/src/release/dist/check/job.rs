//! The main job, on what was installed: an account, a project with the work of two people, their matrix.

use super::network::Loopback;
use super::server::Server;
use crate::process;
use anyhow::{Context, Result, bail};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Whom servers run as: nobody's account.
pub(super) const USER: &str = "10001";

/// Where every server of these checks is, in a network of its own.
const URL: &str = "http://127.0.0.1:3000";

const EMAIL: &str = "manager@example.org";

/// What each of two people said of the same texts: three times the same, once something else.
const WORK: [(&str, [&str; 4]); 2] = [
    ("Ada", ["Person", "Person", "Place", "Place"]),
    ("Bo", ["Person", "Person", "Place", "Person"]),
];

/// How often they agree.
const AGREEMENT: f64 = 0.75;

/// How what was installed is started.
pub(super) struct Installed<'a> {
    pub(super) network: &'a Loopback,
    /// Starts the server, in the network.
    pub(super) serve: Command,
    /// A command of the program beside the server, on the same data.
    pub(super) beside: &'a dyn Fn(&[&str]) -> Command,
    /// The program as people have it who ask the server from elsewhere.
    pub(super) client: &'a dyn Fn() -> Command,
}

impl Installed<'_> {
    /// Starts it, does the job, and stops it.
    pub(super) fn do_main_job(mut self) -> Result<()> {
        let server = Server::start(&mut self.serve)?;
        for path in ["/health", "/ready"] {
            self.ask(path, "")?;
        }
        self.has_front_end()?;
        let add = ["user", "add", "--email", EMAIL, "--name", "Manager", "--json"];
        process::read(&mut (self.beside)(&add))?;
        let token = ["token", "create", "--email", EMAIL, "--name", "check"];
        let token = [token.as_slice(), &["--scopes", "read,manage"]].concat();
        let token = process::read(&mut (self.beside)(&token))?;
        let token = token.trim();

        let work = tempfile::tempdir()?;
        write_work(work.path())?;
        let mut import = (self.client)();
        import.args(["import", "--create-project", "Letters", "--as", "work", "--create-labels"]);
        import.args(["--json", "--server", URL]).arg(work.path()).env("CONCORD_TOKEN", token);
        let imported = parse(&process::read(&mut self.network.inside(&import))?)?;
        println!("imported {imported}");

        let projects = parse(&self.ask("/api/v1/projects", token)?)?;
        let id = projects.pointer("/items/0/id").and_then(Value::as_u64);
        let id = id.with_context(|| format!("no project: {projects}"))?;
        let matrix = format!("/api/v1/projects/{id}/agreement?measure=percent&policy=cleaned");
        let matrix = parse(&self.ask(&matrix, token)?)?;
        let value = matrix.pointer("/cells/0/measured/Value/value").and_then(Value::as_f64);
        println!("agreement: {value:?}");
        if value.is_none_or(|value| (value - AGREEMENT).abs() > 1e-12) {
            bail!("the matrix says something else than {AGREEMENT}: {matrix}");
        }
        let mut verify = (self.client)();
        verify.args(["verify", "--server", URL]).env("CONCORD_TOKEN", token);
        process::run(&mut self.network.inside(&verify))?;
        server.stop()
    }

    /// The first page leads to a stylesheet that is there.
    fn has_front_end(&self) -> Result<()> {
        let page = self.ask("/sign-in", "")?;
        let is_sheet = |word: &&str| {
            word.starts_with("/pkg/") && Path::new(word).extension().is_some_and(|it| it == "css")
        };
        let sheet = page.split('"').find(is_sheet);
        let sheet = sheet.with_context(|| format!("the page has no styles: {page}"))?;
        if self.ask(sheet, "")?.is_empty() {
            bail!("{sheet} is empty");
        }
        Ok(())
    }

    /// What the server answers; anything but success is an error.
    fn ask(&self, path: &str, token: &str) -> Result<String> {
        let mut curl = Command::new("curl");
        curl.args(["--fail-with-body", "--silent", "--show-error", "--compressed"]);
        if !token.is_empty() {
            curl.args(["--header", &format!("Authorization: Bearer {token}")]);
        }
        process::read(&mut self.network.inside(curl.arg(format!("{URL}{path}"))))
    }
}

/// A folder a person, with a file of lines in it.
fn write_work(folder: &Path) -> Result<()> {
    for (person, labels) in WORK {
        let lines = labels.iter().enumerate().map(|(place, label)| {
            let spans = json!([{ "start": 0, "end": 4, "label": label }]);
            let id = format!("letter-{place}");
            format!("{}\n", json!({ "id": id, "text": format!("Anna, {place}"), "spans": spans }))
        });
        let of_person = folder.join(person);
        fs::create_dir(&of_person)?;
        fs::write(of_person.join("work.jsonl"), lines.collect::<String>())?;
    }
    Ok(())
}

fn parse(text: &str) -> Result<Value> {
    serde_json::from_str(text).with_context(|| format!("no JSON: {text}"))
}
