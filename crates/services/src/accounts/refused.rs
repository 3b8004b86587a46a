//! Failed sign-ins as the audit trail tells of them: the first at once, those that follow once a
//! minute, together. So whoever tries a million times makes few rows.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, TimeDelta, Utc};
use domain::{AuditEvent, UserId};
use serde_json::json;
use store::audit::Audit;

use super::client::Source;

/// How often it is told of the same account.
const EVERY: TimeDelta = TimeDelta::minutes(1);

/// How many places are named.
const NAMED: usize = 5;

/// Why somebody was not let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Why {
    /// The password was wrong.
    Password,
    /// There were too many wrong passwords at this account.
    Locked,
    /// There were too many from this place.
    Source,
    /// The demo's people are let in by a demo only.
    Demo,
}

impl Why {
    const fn name(self) -> &'static str {
        match self {
            Self::Password => "wrong password",
            Self::Locked => "too many wrong passwords",
            Self::Source => "too many wrong passwords from one place",
            Self::Demo => "account of the demo",
        }
    }
}

/// What is not told yet, by account (none for addresses that have none) and reason.
#[derive(Default)]
pub(super) struct Refused(BTreeMap<(Option<UserId>, Why), Together>);

#[derive(Default)]
struct Together {
    times: u64,
    places: BTreeSet<Source>,
    /// When it was told of the last time.
    told_at: Option<DateTime<Utc>>,
    last_at: DateTime<Utc>,
}

impl Together {
    fn is_due(&self, now: DateTime<Utc>, all: bool) -> bool {
        let is_late = self.told_at.is_none_or(|told| now - told >= EVERY);
        self.times > 0 && (all || is_late)
    }
}

impl Refused {
    /// Somebody was refused.
    pub(super) fn note(
        &mut self,
        whose: Option<UserId>,
        why: Why,
        source: Source,
        now: DateTime<Utc>,
    ) {
        let together = self.0.entry((whose, why)).or_default();
        together.times += 1;
        together.last_at = now;
        if together.places.len() <= NAMED {
            together.places.insert(source);
        }
    }

    /// Whether there is something to tell now; with `all` also what could wait.
    pub(super) fn is_due(&self, now: DateTime<Utc>, all: bool) -> bool {
        self.0.values().any(|together| together.is_due(now, all))
    }

    /// What is to be told now.
    pub(super) fn take_due(&mut self, now: DateTime<Utc>, all: bool) -> Vec<Audit> {
        let mut rows = Vec::new();
        for ((whose, why), together) in &mut self.0 {
            if together.is_due(now, all) {
                rows.push(row(*whose, *why, together));
                *together = Together { told_at: Some(now), ..Together::default() };
            }
        }
        self.0.retain(|_, together| {
            together.times > 0 || together.told_at.is_some_and(|told| now - told < EVERY)
        });
        rows
    }
}

fn row(whose: Option<UserId>, why: Why, together: &Together) -> Audit {
    let named: Vec<_> = together.places.iter().take(NAMED).map(ToString::to_string).collect();
    Audit {
        project: None,
        user: None,
        at: together.last_at,
        event: AuditEvent::RefuseSignIn,
        subject: whose
            .map_or_else(|| "unknown addresses".to_owned(), |user| format!("user {user}")),
        detail: json!({
            "why": why.name(),
            "times": together.times,
            "from": named,
            "and_others": together.places.len() > NAMED,
        }),
        revision: None,
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    #[test]
    fn what_repeats_is_told_together() {
        let mut refused = Refused::default();
        let start = DateTime::UNIX_EPOCH;
        let source = |n: u8| Source::from(IpAddr::from([192, 0, 2, n]));
        let ann = Some(UserId(1));
        refused.note(ann, Why::Password, source(1), start);
        assert_eq!(refused.take_due(start, false).len(), 1, "the first at once");
        for n in 0..100 {
            refused.note(ann, Why::Password, source(n), start + TimeDelta::seconds(1));
        }
        assert!(!refused.is_due(start + TimeDelta::seconds(59), false));
        let rows = refused.take_due(start + EVERY, false);
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].detail["times"], 100);
        assert_eq!(rows[0].detail["from"].as_array().unwrap().len(), NAMED);
        assert_eq!(rows[0].detail["and_others"], true);
        refused.note(None, Why::Password, source(1), start + EVERY);
        refused.note(ann, Why::Locked, source(1), start + EVERY);
        assert_eq!(refused.take_due(start + EVERY, true).len(), 2);
        assert!(refused.take_due(start + EVERY * 2, true).is_empty());
        assert!(refused.0.is_empty(), "what was told is forgotten");
    }
}
