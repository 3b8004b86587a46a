//! What webhooks are told of an alert that is raised or cleared.

use chrono::{DateTime, Utc};
use domain::{AlertRule, AlertSubject, MemberId, ProjectId, SeveralMeasure, WebhookEvent};
use serde_json::{Value, json};
use store::agreement::alerts::Raised;

use crate::{
    base::change::events::{Event, about},
    base::names::Names,
};

/// An alert that is raised or cleared.
pub(super) struct Alert<'a> {
    pub(super) project: ProjectId,
    pub(super) rule: &'a AlertRule,
    pub(super) raised: &'a Raised,
    pub(super) names: &'a Names,
}

impl Alert<'_> {
    /// The event that it is. `value`, `lower` and `n` are those of the moment in which it was raised.
    pub(super) fn event(&self, kind: WebhookEvent, at: DateTime<Utc>) -> Event {
        let Raised { pair, fired_at, value, lower, n, revision, .. } = *self.raised;
        let rule = &self.rule.rule;
        let measure = match rule.subject {
            AlertSubject::AllLabelers => rule.measure.several().map(SeveralMeasure::name),
            AlertSubject::LabelerPair | AlertSubject::ReviewerPair => Some(rule.measure.name()),
        };
        let raters = pair.map(|(first, second)| [self.rater(first), self.rater(second)]);
        let rule = json!({
            "id": self.rule.id,
            "subject": rule.subject,
            "measure": measure,
            "policy": rule.policy,
            "documents": rule.documents,
            "limit": rule.limit,
            "minimum_n": rule.minimum_n,
        });
        let about = about([
            ("rule", rule),
            ("raters", json!(raters)),
            ("fired_at", json!(fired_at)),
            ("value", json!(value)),
            ("lower", json!(lower)),
            ("n", json!(n)),
            ("revision", json!(revision)),
        ]);
        Event { kind, at, project: self.project, about, path: self.path() }
    }

    fn rater(&self, id: MemberId) -> Value {
        json!({ "id": id, "name": self.names.name(id) })
    }

    /// Where the number stands.
    fn path(&self) -> String {
        let switches = self.rule.rule.switches();
        let matrix = format!("/projects/{}/agreement", self.project);
        let pair = self.raised.pair.map(|(first, second)| format!("/{first}/{second}"));
        format!(
            "{matrix}{}?measure={}&policy={}&documents={}",
            pair.unwrap_or_default(),
            switches.measure,
            switches.policy,
            switches.documents,
        )
    }
}
