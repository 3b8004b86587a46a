//! Labelers who save at the times that the rate gives them, whether or not the server keeps up.

use std::{
    collections::BTreeSet,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::sleep_until;

use crate::client::{Answer, Client};
use crate::{
    corpus::{Drawn, Random, Span, Text},
    latency::Latencies,
};

/// A labeler's work on a document, as the server has it.
pub(crate) struct Assignment {
    pub(crate) id: i64,
    pub(crate) document: u64,
    pub(crate) text: Text,
    pub(crate) spans: BTreeSet<Drawn>,
    pub(crate) revision: i64,
}

/// Somebody who saves.
pub(crate) struct Labeler {
    pub(crate) number: u64,
    pub(crate) client: Client,
    pub(crate) assignments: Vec<Assignment>,
}

/// When who is to save.
pub(crate) struct Schedule {
    pub(crate) began: Instant,
    pub(crate) lasts: Duration,
    /// From one save of a labeler to their next.
    pub(crate) every: Duration,
    pub(crate) labels: Vec<i64>,
    /// How many save, who come one after the other.
    pub(crate) labelers: u64,
}

/// A save that was acknowledged. Times are microseconds after the schedule began.
#[derive(Clone, Copy)]
pub(crate) struct Saved {
    pub(crate) assignment: i64,
    /// The revision of the assignment that it led to.
    pub(crate) revision: i64,
    /// The place of the server.
    pub(crate) server: usize,
    pub(crate) sent: u64,
}

/// What came of a labeler's saves.
#[derive(Default)]
pub(crate) struct Saves {
    pub(crate) acknowledged: Vec<Saved>,
    /// From sending to the answer.
    pub(crate) answers: Latencies,
    /// From when a save was due to when it was sent.
    pub(crate) late: Latencies,
    pub(crate) conflicts: u64,
    pub(crate) failed: Vec<String>,
}

impl Saves {
    /// Adds those of somebody else.
    pub(crate) fn add(&mut self, others: Self) {
        self.acknowledged.extend(others.acknowledged);
        self.answers.add_all(&others.answers);
        self.late.add_all(&others.late);
        self.conflicts += others.conflicts;
        self.failed.extend(others.failed);
    }
}

#[derive(Deserialize)]
enum Said {
    Saved { revision: i64 },
    Conflict { revision: i64, spans: Vec<Span<i64>> },
}

/// Saves until the schedule ends: what is due while a save is under way is sent right after it, and how
/// late it is is counted.
pub(crate) async fn save(mut labeler: Labeler, server: usize, schedule: Arc<Schedule>) -> Saves {
    let mut saves = Saves::default();
    let mut random = Random::of(labeler.number);
    let share = |part: u64, whole: u64| {
        let micros = u64::try_from(schedule.every.as_micros()).unwrap_or(0);
        Duration::from_micros(micros.saturating_mul(part) / whole.max(1))
    };
    let mut due = share(labeler.number, schedule.labelers);
    let mut time = 0;
    while due < schedule.lasts {
        sleep_until((schedule.began + due).into()).await;
        let sent = schedule.began.elapsed();
        if sent > schedule.lasts {
            break;
        }
        saves.late.add(sent.saturating_sub(due));
        due += schedule.every;
        time += 1;
        let count = labeler.assignments.len();
        let place = usize::try_from(time).unwrap_or(0) % count.max(1);
        let Some(assignment) = labeler.assignments.get_mut(place) else { break };
        let who = (labeler.number, time);
        let change = change(assignment, &schedule.labels, who, &mut random);
        let said = send(&mut labeler.client, &change).await;
        let said = said.and_then(|said| take_in(assignment, change, &said, &schedule.labels));
        match said {
            Ok(true) => {
                saves.answers.add(schedule.began.elapsed().saturating_sub(sent));
                let sent = u64::try_from(sent.as_micros()).unwrap_or(0);
                let (id, revision) = (assignment.id, assignment.revision);
                saves.acknowledged.push(Saved { assignment: id, revision, server, sent });
            }
            Ok(false) => saves.conflicts += 1,
            Err(error) => saves.failed.push(format!("{error:#}")),
        }
    }
    saves
}

/// A save that is to be sent, as often as it takes until it is answered.
pub(crate) struct Change {
    command: Value,
    wanted: BTreeSet<Drawn>,
}

/// Draws a save of what differs from the server, as the page does.
pub(crate) fn change(
    assignment: &Assignment,
    labels: &[i64],
    (labeler, time): (u64, u64),
    random: &mut Random,
) -> Change {
    let mut wanted = assignment.text.annotated(assignment.document, labeler, time);
    if wanted == assignment.spans {
        // A save changes something.
        wanted.pop_first();
    }
    let named = |span: &Drawn| {
        let label = labels.get(span.label).copied().unwrap_or_default();
        Span { start: span.start, end: span.end, label }
    };
    let removed: Vec<_> = assignment.spans.difference(&wanted).map(named).collect();
    let added: Vec<_> = wanted.difference(&assignment.spans).map(named).collect();
    let command = json!({ "command": {
        "assignment": assignment.id,
        "base": assignment.revision,
        "key": key(random),
        "removed": removed,
        "added": added,
    }});
    Change { command, wanted }
}

/// Sends a save, under the same key however often.
pub(crate) async fn send(client: &mut Client, change: &Change) -> anyhow::Result<Answer> {
    client.post("annotating/save_spans", &change.command).await
}

/// Takes in the answer to a save; false if somebody else had saved.
pub(crate) fn take_in(
    assignment: &mut Assignment,
    change: Change,
    answer: &Answer,
    labels: &[i64],
) -> anyhow::Result<bool> {
    match answer.read("a save")? {
        Said::Saved { revision } => {
            assignment.revision = revision;
            assignment.spans = change.wanted;
            Ok(true)
        }
        Said::Conflict { revision, spans } => {
            assignment.revision = revision;
            assignment.spans = drawn(spans, labels);
            Ok(false)
        }
    }
}

/// Spans by the places of their labels.
pub(crate) fn drawn(spans: impl IntoIterator<Item = Span<i64>>, labels: &[i64]) -> BTreeSet<Drawn> {
    let place = |id: i64| labels.iter().position(|label| *label == id).unwrap_or(usize::MAX);
    let spans = spans.into_iter();
    spans.map(|Span { start, end, label }| Span { start, end, label: place(label) }).collect()
}

/// A key of a save, which is a UUID.
fn key(random: &mut Random) -> String {
    let (high, low) = (random.draw(), random.draw());
    let (high, low) = (high & !0xf000 | 0x4000, low >> 2 | 1 << 63);
    let group = |value: u64, digits: usize| format!("{value:0digits$x}");
    [
        group(high >> 32, 8),
        group(high >> 16 & 0xffff, 4),
        group(high & 0xffff, 4),
        group(low >> 48, 4),
        group(low & 0xffff_ffff_ffff, 12),
    ]
    .join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_different_and_of_version_four() {
        let mut random = Random::of(1);
        let (one, other) = (key(&mut random), key(&mut random));
        assert_ne!(one, other);
        assert_eq!((one.len(), &one[14..15]), (36, "4"));
        assert!("89ab".contains(&one[19..20]));
    }
}
