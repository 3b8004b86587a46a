//! The versions of a labeler's assignment: what each save changed, how an earlier one is rebuilt, and how
//! saves that follow each other closely are told as one.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, Colour, Fact, LabelId, ProjectId, Revision, Span, WorkState, change_facts,
};

/// Saves of one person that follow each other within this time are told as one.
pub const SAME_SITTING: TimeDelta = TimeDelta::minutes(1);

/// What a save takes off an assignment and puts onto it. It is stored as JSON,
/// `{"r":[[start,end,label],…],"a":[…]}`; what was chosen on a span has two further places, attribute
/// and choice.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Delta {
    #[serde(rename = "r", with = "places", default, skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<Fact>,
    #[serde(rename = "a", with = "places", default, skip_serializing_if = "Vec::is_empty")]
    pub added: Vec<Fact>,
}

/// Facts as lists of three or five numbers.
mod places {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    use crate::{Answer, AttributeId, Fact, LabelId, Span};

    pub(crate) fn serialize<S: Serializer>(facts: &[Fact], to: S) -> Result<S::Ok, S::Error> {
        let places = facts.iter().map(|Fact { span, choice }| {
            let span = [span.range.start.into(), span.range.end.into(), span.label.0];
            let chosen = choice.map(|choice| [choice.attribute.0, choice.answer.stored()]);
            span.into_iter().chain(chosen.into_iter().flatten()).collect::<Vec<i64>>()
        });
        to.collect_seq(places)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Fact>, D::Error> {
        let places = Vec::<Vec<i64>>::deserialize(from)?;
        places.iter().map(|places| read(places).ok_or_else(|| D::Error::custom("places"))).collect()
    }

    fn read(places: &[i64]) -> Option<Fact> {
        let (&[start, end, label], chosen) = places.split_first_chunk()?;
        let span = Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?, LabelId(label));
        match *chosen {
            [] => Some(span.into()),
            [attribute, number] => {
                Some(Fact::chosen(span, AttributeId(attribute), Answer::try_from(number).ok()?))
            }
            _ => None,
        }
    }
}

impl Delta {
    /// Takes the change back.
    pub fn undo(&self, facts: &mut BTreeSet<Fact>) {
        change_facts(facts, &self.added, &self.removed);
    }
}

/// What made a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VersionKind {
    Save,
    Submit,
    Reopen,
    /// An earlier version was made current again.
    Restore,
}

named! {
    VersionKind, Unknown, "kind", "save, submit, reopen or restore";
    Save = "save", Submit = "submit", Reopen = "reopen", Restore = "restore",
}

/// A version of an assignment, without its spans.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The revision of the assignment that the save made.
    pub revision: Revision,
    pub at: DateTime<Utc>,
    /// Who saved, under the name that the viewer may know; none if the account is gone.
    pub by: Option<String>,
    pub kind: VersionKind,
    /// The version that was made current again.
    pub restored: Option<Revision>,
    pub state: WorkState,
    pub removed: u64,
    pub added: u64,
    /// How many spans the assignment had afterwards.
    pub spans: u64,
}

/// The versions as they are listed: the latest first, those of one sitting together, the latest
/// of them first. Only plain saves are put together.
pub fn sittings(versions: Vec<Version>) -> Vec<Vec<Version>> {
    let mut sittings: Vec<Vec<Version>> = Vec::new();
    for version in versions {
        let together = sittings.last().and_then(|sitting| sitting.last()).is_some_and(|later| {
            later.kind == VersionKind::Save
                && version.kind == VersionKind::Save
                && later.by == version.by
                && later.at - version.at <= SAME_SITTING
        });
        match sittings.last_mut() {
            Some(sitting) if together => sitting.push(version),
            _ => sittings.push(vec![version]),
        }
    }
    sittings
}

/// A label as versions name it: one that is gone since keeps its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionLabel {
    pub id: LabelId,
    pub name: String,
    pub colour: Colour,
    pub is_gone: bool,
}

/// The history of an assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HistoryView {
    pub assignment: AssignmentId,
    pub project: ProjectId,
    pub document_name: String,
    /// Whose assignment it is, under the name that the viewer may know; none if it is the viewer's own.
    pub labeler: Option<String>,
    /// Whether the viewer may make a version current again, as far as the assignment's state allows it.
    pub may_restore: bool,
    /// Whether the assignment was given back and is before its labeler once more: then this is over.
    pub is_repeated: bool,
    pub revision: Revision,
    pub state: WorkState,
    /// The latest first.
    pub sittings: Vec<Vec<Version>>,
    /// What was there before the first version that was kept, as a version of its own; the time
    /// is not known.
    pub base: Base,
    /// What the stored changes take up, in bytes.
    pub bytes: u64,
    /// The version that is looked at.
    pub opened: Option<OpenedVersion>,
}

/// What an assignment had before the first save that was kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Base {
    pub revision: Revision,
    pub spans: u64,
    /// Whether it had been saved by then: those saves were not kept one by one.
    pub has_past: bool,
}

/// A version with its text and spans, beside what is there now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedVersion {
    pub revision: Revision,
    /// None for what was there before the first save that was kept.
    pub version: Option<Version>,
    pub text: String,
    pub labels: Vec<VersionLabel>,
    /// In this version and now.
    pub kept: Vec<Span>,
    /// In this version and not now: what restoring would put back.
    pub only_then: Vec<Span>,
    /// Now and not in this version: what restoring would take away.
    pub only_now: Vec<Span>,
    /// How many choices of attributes differ, on whatever spans.
    pub choices: usize,
}

impl OpenedVersion {
    /// A label's name and whether it is gone.
    pub fn label(&self, id: LabelId) -> Option<&VersionLabel> {
        self.labels.iter().find(|label| label.id == id)
    }

    /// Spans that cannot be put back, since their labels are gone.
    pub fn lost(&self) -> usize {
        let is_gone = |span: &&Span| self.label(span.label).is_none_or(|label| label.is_gone);
        self.only_then.iter().filter(is_gone).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(revision: i64, at: i64, by: &str, kind: VersionKind) -> Version {
        Version {
            revision: Revision(revision),
            at: DateTime::UNIX_EPOCH + TimeDelta::seconds(at),
            by: Some(by.to_owned()),
            kind,
            restored: None,
            state: WorkState::Saved,
            removed: 0,
            added: 1,
            spans: 1,
        }
    }

    fn changes_of(versions: Vec<Version>) -> Vec<Vec<i64>> {
        let numbers = |sitting: Vec<Version>| sitting.iter().map(|one| one.revision.0).collect();
        sittings(versions).into_iter().map(numbers).collect()
    }

    #[test]
    fn saves_within_a_minute_of_each_other_are_one_sitting_however_long_it_goes_on() {
        let versions = vec![
            version(5, 401, "Lea", VersionKind::Save),
            version(4, 340, "Lea", VersionKind::Save),
            version(3, 280, "Lea", VersionKind::Save),
            version(2, 221, "Lea", VersionKind::Save),
            version(1, 0, "Lea", VersionKind::Save),
        ];
        assert_eq!(changes_of(versions), [vec![5], vec![4, 3, 2], vec![1]]);
    }

    #[test]
    fn another_person_and_another_kind_of_step_stand_alone() {
        let versions = vec![
            version(6, 6, "Lea", VersionKind::Save),
            version(5, 5, "Max", VersionKind::Save),
            version(4, 4, "Lea", VersionKind::Restore),
            version(3, 3, "Lea", VersionKind::Save),
            version(2, 2, "Lea", VersionKind::Submit),
            version(1, 1, "Lea", VersionKind::Save),
        ];
        assert_eq!(changes_of(versions), [[6], [5], [4], [3], [2], [1]]);
        assert!(changes_of(Vec::new()).is_empty());
    }

    #[test]
    fn a_delta_is_a_few_bytes_and_survives_them() {
        let span = |start| Fact::from(Span::new(start, start + 2, LabelId(7)));
        let chosen = |n| Fact::chosen(span(3).span, crate::AttributeId(5), n);
        let before = BTreeSet::from([span(0), span(3), chosen(0)]);
        let mut after = before.clone();
        let (removed, added) = change_facts(&mut after, &[span(0)], &[span(9), chosen(1)]);
        let delta = Delta { removed, added };
        let json = serde_json::to_string(&delta).unwrap();
        assert_eq!(json, r#"{"r":[[0,2,7],[3,5,7,5,0]],"a":[[9,11,7],[3,5,7,5,1]]}"#);
        assert_eq!(serde_json::from_str::<Delta>(&json).unwrap(), delta);
        assert_eq!(serde_json::to_string(&Delta::default()).unwrap(), "{}");
        let mut spans = after;
        delta.undo(&mut spans);
        assert_eq!(spans, before);
    }
}
