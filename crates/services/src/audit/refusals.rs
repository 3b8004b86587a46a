//! Refusals in the trail: counted as they happen, noted together after a while.

use std::{collections::BTreeSet, time::Duration};

use domain::AuditEvent;
use serde_json::json;
use store::audit::{Audit, Refused};
use tokio::time::{MissedTickBehavior, interval};

use crate::{Result, Services};

/// How often refusals are noted.
const EVERY: Duration = Duration::from_mins(10);

/// What a refusal is called where somebody wanted to sign in.
pub(crate) const SIGN_IN: &str = "sign in";

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
    let is_sign_in = what == SIGN_IN;
    let of_user = || user.map_or_else(|| "no account".to_owned(), |user| format!("user {user}"));
    Audit {
        project: None,
        // Whoever wanted to sign in is not known to be who they said.
        user: user.filter(|_| !is_sign_in),
        at: services.clock.now(),
        event: if is_sign_in { AuditEvent::RefuseSignIn } else { AuditEvent::Refuse },
        subject: match project {
            _ if is_sign_in => of_user(),
            Some(project) => format!("project {project}"),
            None => "server".to_owned(),
        },
        detail: match what.as_str() {
            SIGN_IN => json!({ "times": times }),
            "" => json!({ "what": "several things", "times": times }),
            what => json!({ "what": what, "times": times }),
        },
        revision: None,
    }
}
