//! Refusals in the trail: counted as they happen, noted a moment later, together where they repeat.

use std::{collections::BTreeMap, time::Duration};

use domain::AuditEvent;
use serde_json::json;
use store::outside::audit::{Audit, Refused, Times};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Result, Services};

/// How often it is looked whether there is something to note.
const LOOK: Duration = Duration::from_secs(5);

/// Notes refusals from time to time, for as long as it is polled.
pub(crate) async fn note_regularly(services: &Services) {
    let mut tick = interval(LOOK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = note(services, false).await {
            tracing::warn!(%error, "refusals could not be noted; trying again");
        }
    }
}

/// Notes the refusals that are due, a row for each person and thing, with how often; with `all` also
/// those that could wait.
pub(crate) async fn note(services: &Services, all: bool) -> Result<()> {
    let refusals = services.store.trail().refusals();
    let due = refusals.take_due(services.clock.now(), all);
    if due.is_empty() {
        return Ok(());
    }
    let noted = async {
        let projects: Vec<_> = due.keys().filter_map(project).collect();
        let tx = services.store.begin().await?;
        let known = store::project::revisions(&tx, &projects).await?;
        let known: BTreeMap<_, _> = known.into_iter().collect();
        let rows = due.iter().map(|(refused, times)| {
            let project = project(refused).filter(|project| known.contains_key(project));
            Audit { project, ..row(services, refused, times) }
        });
        let mut rows: Vec<_> = rows.collect();
        // The server's chain comes last.
        rows.sort_by_key(|row| (row.project.is_none(), row.project));
        for row in rows {
            store::outside::audit::append(&tx, row).await?;
        }
        Ok(tx.commit().await?)
    };
    let noted = noted.await;
    if noted.is_err() {
        refusals.give_back(due);
    }
    noted
}

const fn project(refused: &Refused) -> Option<domain::ProjectId> {
    match refused {
        Refused::Action { project, .. } => *project,
        Refused::SignIn { .. } => None,
    }
}

fn row(services: &Services, refused: &Refused, times: &Times) -> Audit {
    let Times { times, from, and_others, .. } = times;
    let (event, user, subject, detail) = match refused {
        Refused::Action { user, project, what } => {
            let subject = project.map_or("server".to_owned(), |it| format!("project {it}"));
            let what = if what.is_empty() { "several things" } else { what };
            (AuditEvent::Refuse, *user, subject, json!({ "what": what, "times": times }))
        }
        Refused::SignIn { account, why } => {
            let whose = account.map_or("unknown addresses".to_owned(), |it| format!("user {it}"));
            let detail =
                json!({ "why": why, "times": times, "from": from, "and_others": and_others });
            (AuditEvent::RefuseSignIn, None, whose, detail)
        }
    };
    let at = services.clock.now();
    Audit { project: None, user, at, event, subject, detail, revision: None }
}
