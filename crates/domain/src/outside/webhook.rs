//! Webhooks: addresses that a project's news is sent to, which news, and what became of it.

use std::{collections::BTreeSet, fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Code, DeliveryId, Error, Revision, WebhookId};

switch! {
    /// Something that a webhook is told.
    WebhookEvent {
        /// An alert was raised.
        AlertFired = "alert.fired",
        /// An alert does not stand any more.
        AlertCleared = "alert.cleared",
        /// A labeler has handed a document in.
        AssignmentSubmitted = "assignment.submitted",
        /// A reviewer has ended the review of a document.
        ReviewSubmitted = "review.submitted",
        /// A version of the gold standard was locked.
        GoldLocked = "gold.locked",
        /// An import has ended, with documents or without.
        ImportFinished = "import.finished",
        /// Somebody tries the webhook. It is sent when it is asked for and cannot be chosen.
        Test = "test",
    }
}

impl WebhookEvent {
    /// The events that a webhook can be told of.
    pub fn choices() -> impl Iterator<Item = Self> {
        Self::ALL.iter().copied().filter(|event| *event != Self::Test)
    }

    /// The events of alerts.
    pub const fn is_of_alerts(self) -> bool {
        matches!(self, Self::AlertFired | Self::AlertCleared)
    }
}

/// A webhook to be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NewWebhook {
    /// Where to send to: an address of the web, without a name or a password in it.
    pub url: String,
    /// What to send: at least one event, and not `test`.
    pub events: BTreeSet<WebhookEvent>,
}

/// A change of a webhook; what is left out stays as it is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(default, deny_unknown_fields)]
pub struct WebhookChange {
    /// Another address gets a new secret.
    pub url: Option<String>,
    pub events: Option<BTreeSet<WebhookEvent>>,
    /// While a webhook is paused, nothing new is kept for it and nothing is sent.
    pub paused: Option<bool>,
}

/// Refuses a choice of events that a webhook cannot have.
pub fn check_events(events: &BTreeSet<WebhookEvent>) -> Result<(), Error> {
    if events.contains(&WebhookEvent::Test) {
        return Err(Code::Unsuitable.of("events", "a test cannot be subscribed to"));
    }
    if events.is_empty() {
        return Err(Code::Missing.of("events", "choose at least one event"));
    }
    Ok(())
}

/// A webhook of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookView {
    pub id: WebhookId,
    pub url: String,
    pub events: BTreeSet<WebhookEvent>,
    pub paused: bool,
    /// What deliveries are signed with, until somebody has said that it is copied.
    pub secret: Option<String>,
    /// How often it was changed.
    pub revision: Revision,
    pub created_at: DateTime<Utc>,
}

/// A webhook that was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CreatedWebhook {
    pub id: WebhookId,
    /// What deliveries are signed with. A program is told this once.
    pub secret: String,
}

/// What came of a change of a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WebhookOutcome {
    /// It is changed, and has a new secret if its address is another.
    Changed { revision: Revision, secret: Option<String> },
    /// It has moved on since; nothing was changed.
    Conflict(Revision),
}

/// What a manager sees of a project's webhooks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhooksView {
    pub webhooks: Vec<WebhookView>,
    /// The one that is looked at, and its deliveries, the latest first, 50 at most.
    pub chosen: Option<(WebhookId, Vec<Delivery>)>,
}

/// Something that was or is to be sent to a webhook.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Delivery {
    pub id: DeliveryId,
    pub event: WebhookEvent,
    /// The JSON that is sent, byte for byte.
    pub body: String,
    pub created_at: DateTime<Utc>,
    /// How often it was tried.
    pub attempts: u32,
    /// When it is tried next; none when it was delivered or given up.
    pub next_at: Option<DateTime<Utc>>,
    pub delivered_at: Option<DateTime<Utc>>,
    /// The HTTP status with which it was taken.
    pub status: Option<u16>,
    /// That the last try failed; what of is in the server's log only.
    pub problem: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_webhook_has_at_least_one_event_and_a_test_is_none_to_choose() {
        assert!(check_events(&WebhookEvent::choices().collect()).is_ok());
        assert!(check_events(&BTreeSet::new()).is_err());
        assert!(check_events(&[WebhookEvent::AlertFired, WebhookEvent::Test].into()).is_err());
    }

    #[test]
    fn an_event_is_written_as_it_is_named() {
        for &event in WebhookEvent::ALL {
            assert_eq!(serde_json::to_value(event).unwrap(), event.name());
            assert_eq!(event.name().parse(), Ok(event));
        }
    }
}
