//! `concord verify`: the proof that every number follows from what is stored.

use std::process::ExitCode;

use clap::Args;
use domain::{Role, count};
use services::verify::Verification;

use super::{
    Error,
    database::Database,
    output::{say, say_json},
    remote::{Connection, Remote},
};

#[derive(Args)]
pub(super) struct Verify {
    /// Print JSON: what was checked in each project, and what is wrong.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    remote: Remote,
}

impl Verify {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let reports = match self.remote.connect()? {
            Some(server) => of_server(&server).await?,
            None => services::verify::all(&self.database.open().await?).await?,
        };
        if self.json {
            say_json(&reports)?;
        } else {
            for report in &reports {
                say(&line(report))?;
            }
        }
        if reports.is_empty() && !self.json {
            say("There are no projects.")?;
        }
        let all_right = reports.iter().all(|report| report.problems.is_empty());
        Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// What a server says of the projects that the token's owner manages: the numbers that it shows,
/// against what is stored.
async fn of_server(server: &Connection) -> Result<Vec<Verification>, Error> {
    let mut reports = Vec::new();
    for project in server.projects().await?.iter().filter(|card| card.role == Role::Manager) {
        let path = format!("/api/v1/projects/{}/verification", project.id);
        reports.push(Connection::read(server.get(&path, &[]).await?).await?);
    }
    Ok(reports)
}

fn line(report: &Verification) -> String {
    let Verification { project, revision, documents, pairs, problems } = report;
    let what = format!(
        "project {project}, revision {revision}, {}, {}",
        count(*documents, "document"),
        count(*pairs, "pair")
    );
    if problems.is_empty() {
        format!("ok     {what}")
    } else {
        format!("WRONG  {what}: {}", problems.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use domain::{ProjectId, Revision};

    use super::*;

    #[test]
    fn a_project_takes_one_line_whatever_is_wrong_with_it() {
        let mut report = Verification {
            project: ProjectId(3),
            revision: Revision(12),
            documents: 1,
            pairs: 6,
            problems: Vec::new(),
        };
        assert_eq!(line(&report), "ok     project 3, revision 12, 1 document, 6 pairs");
        report.problems = vec!["one thing".to_owned(), "another".to_owned()];
        assert_eq!(
            line(&report),
            "WRONG  project 3, revision 12, 1 document, 6 pairs: one thing; another"
        );
    }
}
