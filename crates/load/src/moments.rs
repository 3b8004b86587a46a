//! Which save led to which revision of the project, and when a dashboard saw it.

use std::collections::HashMap;

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::{
    latency::Latencies,
    people::{saving::Saved, watching::Seen},
};

/// A save with the revision of the project that it led to.
#[derive(Clone, Copy)]
pub(crate) struct Moment {
    pub(crate) revision: i64,
    /// The place of the server.
    pub(crate) server: usize,
    /// When it was sent, in microseconds after the schedule began.
    pub(crate) sent: u64,
}

/// A row of the audit trail.
#[derive(Deserialize)]
struct Row {
    event: String,
    subject: String,
    revision: Option<i64>,
}

/// Finds the revision of each acknowledged save in the project's audit trail, where the saves of an
/// assignment stand in their order: labelers are never told the project's revision. In the order of the
/// revisions; and how many acknowledged saves are not there.
pub(crate) fn moments(trail: &str, acknowledged: &[Saved]) -> Result<(Vec<Moment>, u64)> {
    // The revision of a project by that of an assignment, which is 1 after the import.
    let (mut newest, mut found) = (HashMap::new(), HashMap::new());
    for line in trail.lines() {
        let row: Row = serde_json::from_str(line).context("the audit trail is no JSON")?;
        let (true, Some(revision)) = (row.event == "save spans", row.revision) else { continue };
        let assignment = row.subject.rsplit_once(' ').and_then(|(_, id)| id.parse::<i64>().ok());
        let assignment = assignment.context("a save is of an assignment")?;
        let own = newest.entry(assignment).or_insert(1_i64);
        *own += 1;
        found.insert((assignment, *own), revision);
    }
    let (mut moments, mut lost) = (Vec::with_capacity(acknowledged.len()), 0);
    for saved in acknowledged {
        match found.get(&(saved.assignment, saved.revision)) {
            Some(&revision) => {
                moments.push(Moment { revision, server: saved.server, sent: saved.sent });
            }
            None => lost += 1,
        }
    }
    moments.sort_unstable_by_key(|moment| moment.revision);
    Ok((moments, lost))
}

/// How long it took from sending a save until somebody saw its revision or a later one.
#[derive(Default)]
pub(crate) struct Delays {
    /// At the server that saved.
    pub(crate) same: Latencies,
    /// At another one.
    pub(crate) other: Latencies,
    /// Saves that were not seen until the end.
    pub(crate) unseen: u64,
}

impl Delays {
    /// Adds what somebody at a server has seen, in the order of time; moments are in that of revisions.
    pub(crate) fn add(&mut self, moments: &[Moment], server: usize, seen: &[Seen]) {
        let mut later = seen.iter().peekable();
        for moment in moments {
            while later.next_if(|seen| seen.revision < moment.revision).is_some() {}
            let Some(first) = later.peek() else {
                self.unseen += 1;
                continue;
            };
            let latencies = if moment.server == server { &mut self.same } else { &mut self.other };
            latencies.add_micros(first.at.saturating_sub(moment.sent));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saves_are_found_by_their_order_and_seen_with_the_first_revision_that_has_them() {
        let row = |event: &str, assignment: i64, revision: i64| {
            format!(
                r#"{{"event":"{event}","subject":"assignment {assignment}","revision":{revision},"x":1}}"#
            )
        };
        let trail = [row("save spans", 5, 10), row("save spans", 6, 11), row("save spans", 5, 12)]
            .join("\n");
        let saved =
            |assignment, revision, server, sent| Saved { assignment, revision, server, sent };
        let acknowledged =
            [saved(5, 3, 0, 400), saved(5, 2, 0, 100), saved(6, 2, 1, 200), saved(6, 3, 1, 500)];
        let (moments, lost) = moments(&trail, &acknowledged).unwrap();
        assert_eq!(lost, 1);
        let revisions: Vec<_> = moments.iter().map(|moment| moment.revision).collect();
        assert_eq!(revisions, [10, 11, 12]);

        let mut delays = Delays::default();
        let seen = [Seen { revision: 9, at: 90 }, Seen { revision: 11, at: 1_100 }];
        delays.add(&moments, 0, &seen);
        assert_eq!(delays.unseen, 1, "12 is not seen");
        let millis = |latencies: Latencies| format!("{:.1}", latencies.percentiles().unwrap().max);
        assert_eq!(millis(delays.same), "1.0");
        assert_eq!(millis(delays.other), "0.9");
    }
}
