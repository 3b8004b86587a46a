//! `concord verify`: the proof that every number follows from what is stored.

use std::process::ExitCode;

use clap::Args;
use domain::count;
use services::verify::Verification;

use super::{
    Error,
    database::Database,
    output::{say, say_json},
};

#[derive(Args)]
pub(super) struct Verify {
    /// Print JSON: what was checked in each project, and what is wrong.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    database: Database,
}

impl Verify {
    pub(super) async fn run(self) -> Result<ExitCode, Error> {
        let store = self.database.open().await?;
        let reports = services::verify::all(&store).await?;
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
