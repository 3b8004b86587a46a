//! The project that everybody works in: people with sessions, documents with their work.

use std::{
    fs::File,
    io::{BufWriter, Write},
    net::SocketAddr,
    path::Path,
};

use anyhow::{Context, Result};
use futures::{StreamExt, TryStreamExt, stream};
use serde::Deserialize;
use serde_json::json;

use super::{
    saving::{Assignment, Labeler},
    watching::Dashboard,
};
use crate::{
    client::Client,
    corpus::{LABELS, Span, Text, labelers_of, teams},
    servers::Concord,
};

/// A password that nobody guesses, of everybody.
const PASSWORD: &str = "Bench-Passw0rd-12345";

/// The address of the one who keeps the server.
const MANAGER: &str = "manager@load.example";

/// How many people join at once: their passwords are hashed on as many threads as there are cores.
const AT_ONCE: usize = 8;

/// How much there is to be of everything.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) labelers: u64,
    /// People who watch.
    pub(crate) watchers: u64,
    pub(crate) documents: u64,
    /// Labelers of a document.
    pub(crate) overlap: u64,
    /// Names in a document: about as many spans has the work on it.
    pub(crate) spans: usize,
}

/// The project, and who is in it.
pub(crate) struct Project {
    pub(crate) id: i64,
    /// What the pages of its matrix follow.
    pub(crate) followed: String,
    pub(crate) labels: Vec<i64>,
    pub(crate) manager: Client,
    pub(crate) labelers: Vec<Labeler>,
    pub(crate) watchers: Vec<Client>,
    /// Spans that there are before anybody saves.
    pub(crate) spans: u64,
}

#[derive(Deserialize)]
struct Work {
    assignments: Vec<Card>,
}

/// An assignment as the list of one's own shows it.
#[derive(Deserialize)]
struct Card {
    id: i64,
    document_name: String,
}

/// Makes an account that may create projects; the database with it.
pub(crate) fn prepare(concord: &Concord) -> Result<()> {
    let words = ["user", "add", "--email", MANAGER, "--name", "Manager", "--password-stdin"];
    concord.run(&words, &format!("{PASSWORD}\n")).map(drop)
}

/// Makes the project, and has everybody join it and take up their work.
pub(crate) async fn create(
    concord: &Concord,
    servers: &[SocketAddr],
    size: Size,
    say: impl Fn(&str),
) -> Result<Project> {
    let first = *servers.first().context("there is a server")?;
    let mut manager = Client::of(first);
    let sign_in = [("email", MANAGER), ("password", PASSWORD)];
    manager.call::<()>("accounts/sign_in", &sign_in).await?;
    let id: i64 = manager.call("projects/create_project", &[("name", "Load")]).await?;
    let followed = Dashboard::followed(&mut manager, id).await?;
    let project = id.to_string();
    let mut labels = Vec::new();
    for (name, colour) in LABELS.iter().zip(["0", "1", "2", "3"]) {
        let fields = [("project", project.as_str()), ("name", name), ("colour", colour)];
        labels.push(manager.call("projects/create_label", &fields).await?);
    }
    say(&format!("{} labelers and {} watchers join", size.labelers, size.watchers));
    let labelers = join(&manager, servers, &project, "labeler", size.labelers).await?;
    // Managers are no raters: the matrix has labelers only.
    let watchers = join(&manager, servers, &project, "manager", size.watchers).await?;

    say(&format!("{} documents with the work of {} each", size.documents, size.overlap));
    let (file, mut spans) = (concord.folder.join("documents.jsonl"), 0);
    for team in 0..teams(size.labelers) {
        spans += write(&file, size, team)?;
        let path = file.to_str().context("the folder has a name of letters")?;
        let words = ["import", path, "--project", &project, "--as", "work", "--in-progress"];
        concord.run(&words, "")?;
    }

    say("everybody opens the list of their work");
    let labelers = stream::iter(labelers.into_iter().zip(0_u64..))
        .map(|(mut client, number)| {
            let project = project.clone();
            async move {
                let fields = [("project", project.as_str())];
                let work: Work = client.call("annotating/load_own_work", &fields).await?;
                let assignments = work.assignments.into_iter().map(|card| {
                    let document = card.document_name.trim_start_matches("document-").parse()?;
                    let text = Text::of(document, size.spans);
                    let spans = text.annotated(document, number, 0);
                    anyhow::Ok(Assignment { id: card.id, document, text, spans, revision: 1 })
                });
                let assignments = assignments.collect::<Result<Vec<_>>>()?;
                anyhow::Ok(Labeler { number, client, assignments })
            }
        })
        .buffered(AT_ONCE)
        .try_collect()
        .await?;
    Ok(Project { id, followed, labels, manager, labelers, watchers, spans })
}

/// Invites people by links and has them join, at the servers in turn: one after the other the manager
/// would do it, too, but many hash their passwords at once.
async fn join(
    manager: &Client,
    servers: &[SocketAddr],
    project: &str,
    role: &'static str,
    people: u64,
) -> Result<Vec<Client>> {
    let joining = (0..people).zip(servers.iter().cycle()).map(|(number, server)| {
        let (mut manager, mut client) = (manager.at(*server), Client::of(*server));
        async move {
            let fields = [("project", project), ("role", role)];
            let token: String = manager.call("members/invite_member", &fields).await?;
            let (email, name) = (address(role, number), format!("{role} {number}"));
            let fields =
                [("token", &*token), ("email", &email), ("name", &name), ("password", PASSWORD)];
            client.call::<()>("accounts/accept_invitation", &fields).await?;
            anyhow::Ok(client)
        }
    });
    stream::iter(joining).buffered(AT_ONCE).try_collect().await
}

/// The address of somebody, by which an import finds them, too.
fn address(role: &str, number: u64) -> String {
    format!("{role}-{number}@load.example")
}

/// Writes the documents of a team with its work, as JSON Lines, and says how many spans these are.
fn write(path: &Path, size: Size, team: u64) -> Result<u64> {
    let mut out = BufWriter::new(File::create(path)?);
    let mut count = 0;
    for document in (0..size.documents).filter(|document| document % teams(size.labelers) == team) {
        let text = Text::of(document, size.spans);
        let work = labelers_of(document, size.labelers, size.overlap).map(|labeler| {
            let spans = text.annotated(document, labeler, 0).into_iter().map(|span| {
                let label = LABELS.get(span.label).copied().unwrap_or_default();
                Span { start: span.start, end: span.end, label }
            });
            let spans: Vec<_> = spans.collect();
            count += u64::try_from(spans.len()).unwrap_or(0);
            json!({ "rater": address("labeler", labeler), "spans": spans })
        });
        let work: Vec<_> = work.collect();
        let name = format!("document-{document}");
        writeln!(out, "{}", json!({ "id": name, "text": text.text, "work": work }))?;
    }
    out.flush()?;
    Ok(count)
}
