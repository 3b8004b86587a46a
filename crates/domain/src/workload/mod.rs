//! Who is to do what until when: giving out assignments, handing over, due dates, pauses, the pool that
//! labelers draw from, and the board that shows how far everybody is.

mod double_annotation;

pub use double_annotation::*;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentId, AssignmentNotes, Code, DocumentId, Error, FlagKind, MemberId, Page, Sorting,
    StateCounts, WorkState, WorkloadBatchId, saturating,
};

/// How work is given out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkloadKind {
    /// Every document of the choice to one person.
    Person,
    /// Every document of the choice to so many people, each to those with the least.
    #[default]
    Overlap,
    /// Every document to one person, and a drawn percentage of them to a second.
    Double,
    /// What one person has not begun goes to another.
    HandOver,
    /// What one person has not begun is taken from them.
    TakeBack,
    /// When assignments are due that are not submitted.
    Due,
}

named! {
    WorkloadKind, Unknown, "kind", "unknown way to assign work";
    Person = "person", Overlap = "overlap", Double = "double", HandOver = "hand-over",
    TakeBack = "take-back", Due = "due",
}

/// What a manager asks for. What its kind has no use for does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadAsk {
    pub kind: WorkloadKind,
    /// Whose work is handed over or taken back.
    pub from: Option<MemberId>,
    /// Who gets it; whose assignments are due, or everybody's.
    pub to: Option<MemberId>,
    /// How many labelers each document is to have.
    pub overlap: u32,
    /// How many of a hundred documents are to have a second labeler.
    pub percent: u32,
    /// The choice of documents by their place in the order of import, from 1, both included.
    pub first: u64,
    pub last: Option<u64>,
    /// Only documents that nobody has.
    pub unassigned: bool,
    /// Of these the first so many; all without it.
    #[serde(default)]
    pub most: Option<u64>,
    /// The last day, in UTC; none for no due date.
    pub due: Option<NaiveDate>,
}

impl Default for WorkloadAsk {
    fn default() -> Self {
        Self {
            kind: WorkloadKind::default(),
            from: None,
            to: None,
            overlap: 2,
            percent: 20,
            first: 1,
            last: None,
            unassigned: false,
            most: None,
            due: None,
        }
    }
}

impl WorkloadAsk {
    /// Refuses what is out of range or leaves out what its kind needs.
    pub fn checked(self) -> Result<Self, Error> {
        match self.kind {
            WorkloadKind::Overlap if self.overlap == 0 => {
                return Err(Code::OutOfRange.of("overlap", "at least one labeler per document"));
            }
            WorkloadKind::Double if !(1..=100).contains(&self.percent) => {
                return Err(Code::OutOfRange.of("percent", "from 1 to 100 percent"));
            }
            WorkloadKind::Person if self.to.is_none() => {
                return Err(Code::Missing.of("to", "choose who gets the documents"));
            }
            WorkloadKind::HandOver if self.from.is_none() || self.to.is_none() => {
                return Err(Code::Missing.of("to", "choose whose work moves to whom"));
            }
            WorkloadKind::TakeBack if self.from.is_none() => {
                return Err(Code::Missing.of("from", "choose whose work is withdrawn"));
            }
            WorkloadKind::HandOver if self.from == self.to => {
                return Err(Code::Unsuitable.of("to", "choose two different people"));
            }
            _ => {}
        }
        if self.last.is_some_and(|last| last < self.first) {
            return Err(Code::Unsuitable.of("last", "the last document comes before the first"));
        }
        Ok(self)
    }

    /// Whether the document at this place, from 0, is of the choice.
    pub fn has_place(&self, place: usize) -> bool {
        let place = saturating::<u64>(place).saturating_add(1);
        place >= self.first && self.last.is_none_or(|last| place <= last)
    }

    /// The end of the last day.
    pub fn due_at(&self) -> Option<DateTime<Utc>> {
        self.due.map(end_of_day)
    }
}

/// The last second of a day in UTC: whoever submits on the day is in time.
pub fn end_of_day(day: NaiveDate) -> DateTime<Utc> {
    let last = NaiveTime::from_hms_opt(23, 59, 59).unwrap_or_default();
    day.and_time(last).and_utc()
}

/// What would be changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadPlan {
    pub ask: WorkloadAsk,
    /// What documents are drawn with, where they are drawn.
    pub seed: Option<String>,
    /// Every labeler, in the order in which they joined.
    pub shares: Vec<WorkloadShare>,
    /// How many documents have so many labelers, before and after.
    pub before: Vec<(u64, u64)>,
    pub after: Vec<(u64, u64)>,
    /// Assignments that stay with whom they are with: begun or submitted, or there already.
    pub stay: u64,
    /// Assignments that would be given, taken, or get another due date.
    pub changes: u64,
    /// Stands for exactly these changes: they are refused if they would be others by then.
    pub seen: String,
}

/// What would change for one labeler.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadShare {
    pub member: MemberId,
    pub name: String,
    /// Assignments now.
    pub has: u64,
    pub gets: u64,
    pub loses: u64,
    /// Assignments that would get another due date.
    pub dated: u64,
}

/// The board: how far everybody and every document is, and what was given out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadBoard {
    pub people: Vec<PersonLoad>,
    pub documents: Page<DocumentLoad>,
    pub pool: Option<Pool>,
    /// Documents that have fewer labelers than the pool gives them, and how many assignments are left.
    pub pooled: (u64, u64),
    /// The latest first.
    pub batches: Vec<WorkloadBatch>,
    /// None where nothing is asked for; what is wrong with what is asked for otherwise.
    pub plan: Option<Result<WorkloadPlan, Error>>,
}

/// One labeler's assignments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PersonLoad {
    pub member: MemberId,
    pub name: String,
    /// Since when the person is given nothing new.
    pub paused_at: Option<DateTime<Utc>>,
    pub counts: StateCounts,
    /// Of those that wait to be submitted, how many are due already.
    pub overdue: u64,
    /// Assignments of which the labeler says that something is wrong with the document.
    pub flagged: u64,
}

/// One document's assignments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentLoad {
    pub document: DocumentId,
    pub name: String,
    pub counts: StateCounts,
    pub overdue: u64,
    pub flagged: u64,
}

/// What a board's table is sorted by: what it names, or most of these first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LoadOrder {
    #[default]
    Name,
    Open,
    Saved,
    Submitted,
    Overdue,
    Skipped,
    Flagged,
    All,
}

named! {
    LoadOrder, Unknown, "order", "unknown order";
    Name = "name", Open = "open", Saved = "saved", Submitted = "submitted", Overdue = "overdue",
    Skipped = "skipped", Flagged = "flagged", All = "all",
}

/// What the board is asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BoardQuery {
    pub ask: Option<WorkloadAsk>,
    pub people: Sorting<LoadOrder>,
    pub documents: Sorting<LoadOrder>,
}

/// Which assignments are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentQuery {
    pub member: Option<MemberId>,
    pub document: Option<DocumentId>,
    pub state: Option<WorkState>,
    pub overdue: bool,
    /// Only assignments that are marked so.
    pub flag: Option<FlagKind>,
    pub page: u64,
}

/// An assignment in a manager's list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentRow {
    pub assignment: AssignmentId,
    pub document: DocumentId,
    pub document_name: String,
    /// The document's place in the order of import, from 1.
    pub place: u64,
    pub member: MemberId,
    pub name: String,
    pub state: WorkState,
    pub saved_at: Option<DateTime<Utc>>,
    pub due_at: Option<DateTime<Utc>>,
    pub overdue: bool,
    pub notes: AssignmentNotes,
}

/// Labelers draw their next document themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pool {
    /// A document is drawn until it has so many labelers.
    pub overlap: u32,
    /// So many documents may somebody have that they have not submitted.
    pub cap: u32,
    /// A drawn document is due after so many days; 0 for no due date.
    pub days: u32,
}

impl Pool {
    /// Refuses what is out of range.
    pub fn checked(self) -> Result<Self, Error> {
        if !(1..=100).contains(&self.overlap) {
            return Err(Code::OutOfRange.of("overlap", "from 1 to 100 labelers"));
        }
        if !(1..=100).contains(&self.cap) {
            return Err(Code::OutOfRange.of("cap", "from 1 to 100 documents"));
        }
        if self.days > 365 {
            return Err(Code::OutOfRange.of("days", "at most 365 days"));
        }
        Ok(self)
    }
}

/// What a labeler finds of the pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OwnPool {
    /// A document can be drawn.
    Ready,
    /// So many are open already: submit one first.
    Full(u32),
    /// Nothing is left for this person.
    Empty,
}

/// What was given out at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkloadBatch {
    pub id: WorkloadBatchId,
    pub ask: WorkloadAsk,
    pub seed: Option<String>,
    pub made_at: DateTime<Utc>,
    /// None if the account is gone.
    pub made_by: Option<String>,
    pub given: u64,
    pub taken: u64,
    pub dated: u64,
    pub undone_at: Option<DateTime<Utc>>,
    /// Changes that were left as they are when it was undone, because somebody had begun.
    pub left_alone: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_ask_names_what_its_kind_needs() {
        let ask = |kind| WorkloadAsk { kind, ..WorkloadAsk::default() };
        assert!(ask(WorkloadKind::Overlap).checked().is_ok());
        assert!(ask(WorkloadKind::Person).checked().is_err());
        let same = WorkloadAsk {
            from: Some(MemberId(1)),
            to: Some(MemberId(1)),
            ..ask(WorkloadKind::HandOver)
        };
        assert!(same.checked().is_err());
        assert!(WorkloadAsk { to: Some(MemberId(2)), ..same }.checked().is_ok());
        assert!(WorkloadAsk { percent: 0, ..ask(WorkloadKind::Double) }.checked().is_err());
        assert!(
            WorkloadAsk { first: 5, last: Some(4), ..WorkloadAsk::default() }.checked().is_err()
        );
    }

    #[test]
    fn whoever_submits_on_the_day_is_in_time() {
        let day = NaiveDate::from_ymd_opt(2026, 12, 1).unwrap();
        let due = end_of_day(day);
        assert_eq!(due.date_naive(), day);
        assert!(due > day.and_hms_opt(23, 59, 0).unwrap().and_utc());
    }

    #[test]
    fn places_count_from_one_and_include_both_ends() {
        let ask = WorkloadAsk { first: 2, last: Some(3), ..WorkloadAsk::default() };
        let places: Vec<_> = (0..5).filter(|place| ask.has_place(*place)).collect();
        assert_eq!(places, [1, 2]);
    }
}
