//! An import into a project of a server: the files are sent, and it is asked how far it has come.

use std::{path::PathBuf, time::Duration};

use domain::{Code, ImportAs, ImportId, ImportRecord, ImportState, ProjectId};
use reqwest::{
    header::CONTENT_TYPE,
    multipart::{Form, Part},
};
use serde::Deserialize;
use serde_json::json;
use services::document::import::ImportOptions;

use super::{Error, FilesImported, Order, Target};
use crate::cli::base::remote::Connection;

/// How often the server is asked how far it has come.
const INTERVAL: Duration = Duration::from_millis(500);

#[derive(Deserialize)]
struct Started {
    import: ImportId,
}

/// Sends the files, and waits until they are imported or looked at.
pub(super) async fn carry_out(
    server: &Connection,
    order: Order<'_>,
) -> Result<FilesImported, Error> {
    let project = match order.project {
        Target::There(project) => find_project(server, project).await?,
        Target::New { name, .. } => create_project(server, name).await?,
    };
    let imports = format!("/api/v1/projects/{project}/imports");
    let mut address = server.address(&imports)?;
    let mode = if order.dry_run { "preview" } else { "start" };
    address.query_pairs_mut().append_pair("mode", mode).extend_pairs(query(&order.options));
    let form = form(order.files, &order.options).await?;
    let answer = server.send(server.post(address).multipart(form)).await?;
    if order.dry_run {
        return Ok(FilesImported::Read(Connection::read(answer).await?));
    }
    let Started { import } = Connection::read(answer).await?;
    let import = format!("{imports}/{import}");
    tokio::select! {
        ended = end(server, &import) => ended.map(FilesImported::Imported),
        _ = tokio::signal::ctrl_c() => {
            server.send(server.post(server.address(&format!("{import}/cancel"))?)).await?;
            end(server, &import).await.map(FilesImported::Imported)
        }
    }
}

/// The project of this name; or, if none has it, of this number.
async fn find_project(server: &Connection, project: &str) -> Result<ProjectId, Error> {
    let projects = server.projects().await?;
    let by_name = projects.iter().find(|card| card.name == project);
    let found = by_name.or_else(|| projects.iter().find(|card| card.id.to_string() == project));
    found.map(|card| card.id).ok_or_else(|| Error::NoSuchProject(project.to_owned()))
}

async fn create_project(server: &Connection, name: &str) -> Result<ProjectId, Error> {
    #[derive(Deserialize)]
    struct Created {
        id: ProjectId,
    }

    let request = server
        .post(server.address("/api/v1/projects")?)
        .header(CONTENT_TYPE, "application/json")
        .body(json!({ "name": name }).to_string());
    let Created { id } = Connection::read(server.send(request).await?).await?;
    Ok(id)
}

/// Waits for the end of an import.
async fn end(server: &Connection, import: &str) -> Result<domain::ImportSummary, Error> {
    loop {
        let record: ImportRecord = Connection::read(server.get(import, &[]).await?).await?;
        match (record.state, record.summary, record.error) {
            (ImportState::Running, ..) => tokio::time::sleep(INTERVAL).await,
            (ImportState::Done, Some(summary), _) => return Ok(summary),
            (ImportState::Failed, _, Some(refusal)) => return Err(Error::Refused(refusal)),
            (state, ..) => {
                let why = format!("the import is {state}; nothing was saved");
                return Err(Error::Refused(Code::Unsuitable.of("import", why)));
            }
        }
    }
}

/// The files with their folders, so that these can tell the people; they are read as they are sent.
async fn form(files: Vec<PathBuf>, options: &ImportOptions) -> Result<Form, Error> {
    let mapping = serde_json::to_string(&options.mapping);
    let mapping = mapping.map_err(|error| Error::Terminal(error.into()))?;
    let mut form = Form::new().percent_encode_noop().text("mapping", mapping);
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let part = Part::file(&path).await.map_err(|source| Error::StudyFile { path, source })?;
        form = form.part("files", part.file_name(name));
    }
    Ok(form)
}

/// The options as the server takes them.
fn query(options: &ImportOptions) -> Vec<(&'static str, String)> {
    let kind = match options.import_as {
        ImportAs::Suggestions => "suggestions",
        ImportAs::Work => "work",
    };
    let state = if options.in_progress { "saved" } else { "submitted" };
    let differing = if options.keep_differing { "keep" } else { "refuse" };
    let mut query = options.files.named();
    query.extend([
        ("as", kind.to_owned()),
        ("assign", options.assign.to_string()),
        ("create_labels", options.create_labels.to_string()),
        ("state", state.to_owned()),
        ("differing", differing.to_owned()),
        ("raters", options.raters_from.to_string()),
    ]);
    query
}
