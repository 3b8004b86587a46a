//! The gold standard: what holds in each document and why, what is still open, and the versions of
//! it that were locked.

use chrono::{DateTime, Utc, serde::ts_microseconds};
use serde::{Deserialize, Serialize};

use crate::{
    AnswerWords, Code, DocumentId, Error, LONGEST_NOTE, Label, LabelId, MemberId, Page, Range,
    Rater, Revision, Sorting, Verdict, check_name,
};

/// The longest name of a version, in characters.
pub const LONGEST_VERSION_NAME: usize = 60;

/// What a rater said on a position: labels by name; none if they marked nothing there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voice {
    pub rater: MemberId,
    pub labels: Vec<String>,
}

/// Why a position is gold, or is not any more. Who is known by id: names are for each viewer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Provenance {
    /// All of these labelers, everybody who submitted the document, said the same.
    Unanimous {
        among: Vec<MemberId>,
    },
    Decided(Ruling),
}

/// The decision that made a position gold, or struck it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    pub by: MemberId,
    pub verdict: Verdict,
    #[serde(with = "ts_microseconds")]
    pub at: DateTime<Utc>,
    /// Why, in the reviewer's words; empty without any.
    pub note: String,
    /// What the labelers said who had saved the document.
    pub judged: Vec<Voice>,
    /// Other reviewers who decided otherwise; the latest decision counts.
    pub others: Vec<Voice>,
}

/// A position with what holds there; no labels where a reviewer struck it out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldPosition {
    pub range: Range,
    /// By name, in the order of the label set.
    pub labels: Vec<String>,
    pub provenance: Provenance,
}

/// An answer that holds in a gold standard, in the words of when it was locked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldAnswer {
    /// The position and one of its labels by name; none where the document is asked about.
    pub span: Option<(Range, String)>,
    pub question: String,
    pub answer: AnswerWords,
}

/// Why a position that somebody marked is neither gold nor struck out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OpenReason {
    /// Labelers who submitted gave it different labels.
    Conflict,
    /// Some who submitted marked it, others did not.
    OneSided,
    /// Not everybody who is to has submitted the document, or nobody who has marked it.
    Waiting,
}

impl OpenReason {
    pub const ALL: [Self; 3] = [Self::Conflict, Self::OneSided, Self::Waiting];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Conflict => "conflict",
            Self::OneSided => "one-sided",
            Self::Waiting => "waiting",
        }
    }
}

/// A position that is still open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPosition {
    pub range: Range,
    pub reason: OpenReason,
    pub judged: Vec<Voice>,
}

/// How many positions stand how.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldCounts {
    pub unanimous: u64,
    pub decided: u64,
    pub rejected: u64,
    pub conflict: u64,
    pub one_sided: u64,
    pub waiting: u64,
}

impl GoldCounts {
    /// Positions that are gold.
    pub const fn gold(self) -> u64 {
        self.unanimous + self.decided
    }

    /// Positions that are still open.
    pub const fn open(self) -> u64 {
        self.conflict + self.one_sided + self.waiting
    }

    pub const fn add_open(&mut self, reason: OpenReason) {
        match reason {
            OpenReason::Conflict => self.conflict += 1,
            OpenReason::OneSided => self.one_sided += 1,
            OpenReason::Waiting => self.waiting += 1,
        }
    }

    pub const fn add(&mut self, other: Self) {
        self.unanimous += other.unanimous;
        self.decided += other.decided;
        self.rejected += other.rejected;
        self.conflict += other.conflict;
        self.one_sided += other.one_sided;
        self.waiting += other.waiting;
    }
}

/// A document in the list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldCard {
    pub document: DocumentId,
    pub name: String,
    pub counts: GoldCounts,
    /// Gold spans by label; labels without any are left out.
    pub labels: Vec<(LabelId, u64)>,
}

/// What the list is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GoldOrder {
    #[default]
    Document,
    Gold,
    Open,
}

named! {
    GoldOrder, Unknown, "order", "document, gold or open";
    Document = "document", Gold = "gold", Open = "open",
}

/// Which documents are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldQuery {
    /// Those with a gold span of this label.
    pub label: Option<LabelId>,
    /// Those in which something is open.
    pub open: bool,
    pub sorting: Sorting<GoldOrder>,
}

/// The gold standard as of now: sums, documents, and the versions that were locked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldList {
    pub revision: Revision,
    pub labels: Vec<Label>,
    /// Over all documents, whatever the query asks for.
    pub sums: GoldCounts,
    /// Gold spans of each label, and in how many documents.
    pub by_label: Vec<(LabelId, u64, u64)>,
    pub page: Page<GoldCard>,
    /// The latest first.
    pub versions: Vec<GoldVersion>,
}

/// One document with all that holds, was struck out, and is open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldDocumentView {
    pub document: DocumentId,
    pub name: String,
    pub text: String,
    pub revision: Revision,
    pub labels: Vec<Label>,
    pub raters: Vec<Rater>,
    #[serde(rename = "marks")]
    pub positions: Vec<GoldPosition>,
    pub rejected: Vec<GoldPosition>,
    pub open: Vec<OpenPosition>,
    /// The version that this is of; none as of now.
    pub version: Option<GoldVersion>,
    pub previous: Option<DocumentId>,
    pub next: Option<DocumentId>,
}

/// A gold standard that was locked: whatever is decided later does not change it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldVersion {
    /// From 1, in the order of locking.
    pub number: i64,
    pub name: String,
    /// What it is for, in the words of who locked it; may be empty.
    pub note: String,
    pub locked_at: DateTime<Utc>,
    /// None if the account is gone.
    pub locked_by: Option<String>,
    /// The project's revision that it is the state of.
    pub revision: Revision,
    pub guidelines_version: i64,
    pub documents: u64,
    /// Gold positions, and those that were open.
    pub positions: u64,
    pub open: u64,
    /// The SHA-256 of the version as JSON Lines, in hexadecimal digits.
    pub sha256: String,
}

/// What is asked for to lock a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewGoldVersion {
    pub name: String,
    pub note: String,
}

impl NewGoldVersion {
    /// Checks and tidies what was typed.
    pub fn checked(self) -> Result<Self, Error> {
        let name = check_name("name", "a version's name", &self.name, 1..=LONGEST_VERSION_NAME)?;
        let note = self.note.trim().to_owned();
        if note.chars().count() > LONGEST_NOTE {
            let why = format!("a note has at most {LONGEST_NOTE} characters");
            return Err(Code::TooLong.of("note", why));
        }
        Ok(Self { name, note })
    }
}

/// In what way a position differs between two versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GoldChangeKind {
    Added,
    Removed,
    Relabelled,
}

named! {
    GoldChangeKind, Unknown, "kind", "added, removed or relabelled";
    Added = "added", Removed = "removed", Relabelled = "relabelled",
}

/// Two versions to compare; without a number, what is gold now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldCompare {
    pub from: Option<i64>,
    pub to: Option<i64>,
    pub kind: Option<GoldChangeKind>,
    pub page: u64,
}

/// A position on which two versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldChange {
    pub document: DocumentId,
    pub document_name: String,
    pub range: Range,
    pub quote: String,
    pub left: String,
    pub right: String,
    pub kind: GoldChangeKind,
    pub before: Vec<String>,
    pub after: Vec<String>,
}

/// How two versions differ.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldComparison {
    pub labels: Vec<Label>,
    pub versions: Vec<GoldVersion>,
    pub from: Option<GoldVersion>,
    pub to: Option<GoldVersion>,
    /// Positions that are the same in both.
    pub same: u64,
    pub added: u64,
    pub removed: u64,
    pub relabelled: u64,
    pub page: Page<GoldChange>,
}
