//! `concord verify`: the proof that every number follows from what is stored, and that nobody has
//! changed what was noted in the audit trail.

use std::{fmt::Write as _, fs::File, io::BufReader, path::PathBuf, process::ExitCode};

use clap::Args;
use domain::{Role, count};
use serde::Serialize;
use services::{
    Store,
    outside::{
        audit::ExportedHeads,
        verification::{AuditVerification, Verification},
    },
};

use super::{Database, secret_key};
use crate::cli::{
    Error,
    base::{
        output::{say, say_json},
        remote::{Connection, Remote},
    },
};

#[derive(Args)]
pub(in crate::cli) struct Verify {
    /// Print JSON: what was checked per project and audit trail, and what is wrong.
    #[arg(long)]
    json: bool,
    /// File of audit trail heads written by the server, to detect truncation. Default:
    /// `audit-heads.jsonl` beside the SQLite file, or in the data folder with PostgreSQL, if
    /// present.
    #[arg(long, env = "CONCORD_AUDIT_HEADS", value_name = "FILE", conflicts_with = "server")]
    audit_heads: Option<PathBuf>,
    #[command(flatten)]
    database: Database,
    #[command(flatten)]
    remote: Remote,
}

impl Verify {
    pub(in crate::cli) async fn run(self) -> Result<ExitCode, Error> {
        let reports = match self.remote.connect()? {
            Some(server) => of_server(&server).await?,
            None => self.of_database().await?,
        };
        if self.json {
            say_json(&reports)?;
        } else {
            for report in &reports {
                say(&report.line())?;
            }
            if reports.is_empty() {
                say("No projects.")?;
            }
        }
        let all_right = reports.iter().all(|report| report.problems().is_empty());
        Ok(if all_right { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    async fn of_database(&self) -> Result<Vec<Report>, Error> {
        let store = self.database.open().await?;
        let projects = services::outside::verification::all(&store).await?;
        let trails = self.trails(&store).await?;
        let projects = projects.into_iter().map(Report::Project);
        Ok(projects.chain(trails.into_iter().map(Report::Trail)).collect())
    }

    async fn trails(&self, store: &Store) -> Result<Vec<AuditVerification>, Error> {
        let file = self.database.key_file();
        let key = match secret_key::open(&file) {
            Err(Error::SecretKeyMissing(_)) => {
                let problem = format!("it is signed with a key that is not at {}", file.display());
                let problems = vec![problem];
                return Ok(vec![AuditVerification { problems, ..AuditVerification::default() }]);
            }
            opened => opened?,
        };
        Ok(services::outside::verification::trails(store, &key, &self.heads()?).await?)
    }

    /// What was exported of the ends of trails; nothing where no file is named and none is there.
    fn heads(&self) -> Result<ExportedHeads, Error> {
        let named = self.audit_heads.clone();
        let file = named.unwrap_or_else(|| self.database.audit_heads());
        if self.audit_heads.is_none() && !file.exists() {
            return Ok(ExportedHeads::default());
        }
        let opened = File::open(&file);
        let opened = opened.map_err(|source| Error::HeadsFile { path: file.clone(), source })?;
        ExportedHeads::read(BufReader::new(opened))
            .map_err(|misread| Error::HeadsMisread { path: file, misread })
    }
}

/// What was checked.
#[derive(Serialize)]
#[serde(untagged)]
enum Report {
    Project(Verification),
    Trail(AuditVerification),
}

impl Report {
    fn problems(&self) -> &[String] {
        match self {
            Self::Project(report) => &report.problems,
            Self::Trail(report) => &report.problems,
        }
    }

    fn line(&self) -> String {
        let what = match self {
            Self::Project(Verification { project, revision, documents, pairs, .. }) => format!(
                "project {project}, revision {revision}, {}, {}",
                count(*documents, "document"),
                count(*pairs, "pair")
            ),
            Self::Trail(AuditVerification { trail, rows, erased, amended, since, .. }) => {
                let whose = trail.map_or("the server".to_owned(), |it| format!("project {it}"));
                let since = since.map(|since| format!(" since {}", since.date_naive()));
                let rows = count(usize::try_from(*rows).unwrap_or(usize::MAX), "row");
                let mut line =
                    format!("audit trail of {whose}, {rows}{}", since.unwrap_or_default());
                for (of, what) in [(amended, "signed anew"), (erased, "with words erased")] {
                    if *of > 0 {
                        let _infallible = write!(line, ", {of} {what}");
                    }
                }
                line
            }
        };
        match self.problems() {
            [] => format!("ok     {what}"),
            problems => format!("WRONG  {what}: {}", problems.join("; ")),
        }
    }
}

/// What a server says of the projects that the token's owner manages: the numbers that it shows,
/// against what is stored.
async fn of_server(server: &Connection) -> Result<Vec<Report>, Error> {
    let mut reports = Vec::new();
    for project in server.projects().await?.iter().filter(|card| card.role == Role::Manager) {
        let path = format!("/api/v1/projects/{}/verification", project.id);
        let report = Connection::read(server.get(&path, &[]).await?).await?;
        reports.push(Report::Project(report));
    }
    Ok(reports)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::{ProjectId, Revision};

    use super::*;

    #[test]
    fn a_project_takes_one_line_whatever_is_wrong_with_it() {
        let report = |problems: &[&str]| {
            Report::Project(Verification {
                project: ProjectId(3),
                revision: Revision(12),
                documents: 1,
                pairs: 6,
                problems: problems.iter().map(ToString::to_string).collect(),
            })
        };
        assert_eq!(report(&[]).line(), "ok     project 3, revision 12, 1 document, 6 pairs");
        assert_eq!(
            report(&["one thing", "another"]).line(),
            "WRONG  project 3, revision 12, 1 document, 6 pairs: one thing; another"
        );
    }

    #[test]
    fn a_trail_says_whose_it_is_and_since_when() {
        let (since, problems) = (Some(DateTime::UNIX_EPOCH), Vec::new());
        let mut report = AuditVerification { rows: 2, since, problems, ..<_>::default() };
        let line = |report: &AuditVerification| Report::Trail(report.clone()).line();
        assert_eq!(line(&report), "ok     audit trail of the server, 2 rows since 1970-01-01");
        report.erased = 1;
        let erased =
            "ok     audit trail of the server, 2 rows since 1970-01-01, 1 with words erased";
        assert_eq!(line(&report), erased);
        report.erased = 0;
        report.trail = Some(ProjectId(3));
        report.problems.push("row 2 is missing".to_owned());
        let wrong = "WRONG  audit trail of project 3, 2 rows since 1970-01-01: row 2 is missing";
        assert_eq!(line(&report), wrong);
    }
}
