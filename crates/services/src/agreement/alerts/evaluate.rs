//! Holds limits against numbers that have moved, in the background.

use std::{sync::Arc, time::Duration};

use chrono::{DateTime, Utc};
use domain::{AlertRule, Filter, MailKind, ProjectId, Revision, Role, WebhookEvent, saturating};
use live::LabelChoices;
use store::{Tx, agreement::alerts::Raised};

use super::{
    events::Alert,
    judge::{Below, Numbers},
};
use crate::{
    Error, Result, Services,
    base::{
        change::{events::announce, mail::write_to},
        names::Names,
    },
};

/// How often it is looked which projects have moved: a limit is held against a project at most
/// this often.
const INTERVAL: Duration = Duration::from_secs(10);

/// Evaluates what has moved, for as long as it is polled.
pub(crate) async fn evaluate_regularly(services: &Arc<Services>) {
    let mut tick = tokio::time::interval(INTERVAL);
    tick.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tick.tick().await;
        if let Err(error) = evaluate_due(services).await {
            tracing::warn!(%error, "limits could not be held against agreement; trying again");
        }
    }
}

/// Evaluates the projects that have moved since the last time. What is wrong with one does not
/// keep the others waiting.
pub async fn evaluate_due(services: &Arc<Services>) -> Result<()> {
    let expecting = store::document::imports::expecting(&services.store).await?;
    let mut due = store::agreement::alerts::due(&services.store).await?;
    // Half of an import says nothing of the whole.
    due.retain(|project| !expecting.contains(project));
    for project in due {
        if let Err(error) = evaluate(services, project).await {
            tracing::warn!(project.id = project.0, %error, "limits could not be evaluated");
        }
    }
    Ok(())
}

async fn evaluate(services: &Arc<Services>, project: ProjectId) -> Result<()> {
    let store = &services.store;
    let settling = services.live.settling(project);
    let rules = store::agreement::alerts::rules(store, project).await?;
    let members = store::project::members::list_all_raters(store, project).await?;
    let labels = store::project::labels::list(store, project).await?;
    let labels = LabelChoices::of(&labels, Filter::NONE);
    let tallies = services.live.read(project).await?;
    let names = Names::of(members, false);
    let judge = move || {
        let revision = tallies.revision;
        let numbers = Numbers {
            tallies: &tallies,
            labels: &labels,
            raters: names.raters(),
            settling: &settling,
        };
        let judged: Vec<_> = rules.into_iter().map(|rule| (rule, numbers.below(&rule))).collect();
        (revision, judged, names)
    };
    let (revision, judged, names) =
        tokio::task::spawn_blocking(judge).await.map_err(Error::broken)?;

    let tx = store.begin().await?;
    let round = Round { tx: &tx, project, names: &names, revision, at: services.clock.now() };
    let mut moved = Moved::default();
    let count = saturating(judged.len());
    for (rule, below) in judged {
        if store::agreement::alerts::claim(&tx, rule.id, revision).await? {
            round.settle(&rule, &below, &mut moved).await?;
        }
    }
    if moved.raised {
        let mut managers = store::project::members::list(&tx, project).await?;
        managers.retain(|member| member.role == Role::Manager);
        let managers: Vec<_> = managers.into_iter().map(|manager| manager.user).collect();
        write_to(services, &tx, (MailKind::Alert, project), &managers, round.at).await?;
    }
    tx.commit().await?;
    metrics::counter!("concord_alerts_judged_total").increment(count);
    if moved.raised || moved.cleared {
        services.live.nudge(project);
    }
    Ok(())
}

/// What an evaluation has come to.
#[derive(Clone, Copy, Debug, Default)]
struct Moved {
    /// Whether an alert was raised.
    raised: bool,
    /// Whether one was cleared.
    cleared: bool,
}

/// One evaluation of a project.
struct Round<'a> {
    tx: &'a Tx,
    project: ProjectId,
    names: &'a Names,
    revision: Revision,
    at: DateTime<Utc>,
}

impl Round<'_> {
    /// Raises what is newly under a limit and clears what is not under it any more; notes whether
    /// there was any of it.
    async fn settle(&self, rule: &AlertRule, below: &[Below], moved: &mut Moved) -> Result<()> {
        let standing = store::agreement::alerts::standing(self.tx, self.project).await?;
        let standing: Vec<_> =
            standing.into_iter().filter(|(_, raised)| raised.rule == rule.id).collect();
        for (id, raised) in &standing {
            if below.iter().all(|below| below.pair != raised.pair) {
                store::agreement::alerts::clear(self.tx, *id, self.at).await?;
                self.tell(rule, WebhookEvent::AlertCleared, raised).await?;
                moved.cleared = true;
            }
        }
        for below in below {
            if standing.iter().all(|(_, raised)| raised.pair != below.pair) {
                let raised = Raised {
                    rule: rule.id,
                    pair: below.pair,
                    fired_at: self.at,
                    value: below.value,
                    lower: below.lower,
                    n: below.n,
                    revision: self.revision,
                };
                store::agreement::alerts::fire(self.tx, &raised).await?;
                self.tell(rule, WebhookEvent::AlertFired, &raised).await?;
                moved.raised = true;
            }
        }
        Ok(())
    }

    async fn tell(&self, rule: &AlertRule, event: WebhookEvent, raised: &Raised) -> Result<()> {
        let alert = Alert { project: self.project, rule, raised, names: self.names };
        announce(self.tx, alert.event(event, self.at)).await
    }
}
