//! Refusals in the trail: counted as they happen, noted together after a while.

use std::{collections::BTreeSet, time::Duration};

use domain::AuditEvent;
use serde_json::json;
use store::audit::{Audit, Refused};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Result, Services};

/// How often refusals are noted.
const EVERY: Duration = Duration::from_mins(10);

/// Notes refusals from time to time, for as long as it is polled.
pub(crate) async fn note_regularly(services: &Services) {
    let mut tick = interval(EVERY);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = note(services).await {
            tracing::warn!(%error, "refusals could not be noted; trying again in ten minutes");
        }
    }
}

/// Notes the refusals of the last while: a row for each person and thing, with how often.
pub(crate) async fn note(services: &Services) -> Result<()> {
    let counted = services.store.trail().refusals().take();
    if counted.is_empty() {
        return Ok(());
    }
    let noted = async {
        let projects: BTreeSet<_> = counted.keys().filter_map(|refused| refused.project).collect();
        let tx = services.store.begin().await?;
        let known = store::audit::known(&tx, &projects).await?;
        let rows = counted.iter().map(|(refused, times)| {
            let project = refused.project.filter(|project| known.contains(project));
            (project, row(services, refused, *times))
        });
        let mut rows: Vec<_> = rows.map(|(project, row)| Audit { project, ..row }).collect();
        // The server's chain comes last.
        rows.sort_by_key(|row| (row.project.is_none(), row.project));
        for row in rows {
            store::audit::append(&tx, row).await?;
        }
        Ok(tx.commit().await?)
    };
    let noted = noted.await;
    if noted.is_err() {
        services.store.trail().refusals().give_back(counted);
    }
    noted
}

fn row(services: &Services, refused: &Refused, times: u64) -> Audit {
    let Refused { user, project, what } = refused;
    Audit {
        project: None,
        user: *user,
        at: services.clock.now(),
        event: AuditEvent::Refuse,
        subject: match project {
            Some(project) => format!("project {project}"),
            None => "server".to_owned(),
        },
        detail: match what.as_str() {
            "" => json!({ "what": "several things", "times": times }),
            what => json!({ "what": what, "times": times }),
        },
        revision: None,
    }
}
