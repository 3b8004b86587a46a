//! What people send to change their work, and what becomes of it.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc, serde::ts_microseconds};
use serde::{Deserialize, Serialize};

use crate::{
    AssignmentContent, AssignmentId, Code, DocumentId, Error, Fact, LabelSet, Range, ReviewContent,
    Revision, Span, Verdict, check_note,
};

/// Names one save, chosen by the client: the same key again is the same save, answered again
/// without being carried out twice.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SaveKey(pub String);

/// A labeler's changes to their assignment, relative to `base`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveSpans {
    pub assignment: AssignmentId,
    /// The revision that the changes were made on.
    pub base: Revision,
    pub key: SaveKey,
    /// What is carried out on the assignment by [`crate::change_facts`].
    pub removed: Vec<Fact>,
    pub added: Vec<Fact>,
}

/// What became of a save, a submit or a reopen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SaveOutcome {
    /// It is stored.
    Saved {
        revision: Revision,
        #[serde(with = "ts_microseconds")]
        saved_at: DateTime<Utc>,
    },
    /// The assignment has moved on since `base`; nothing was stored, here is what stands there now.
    Conflict(AssignmentContent),
}

/// A reviewer's changes to their decisions on a document, relative to `base`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaveDecisions {
    pub document: DocumentId,
    pub base: Revision,
    pub key: SaveKey,
    pub changes: Vec<DecisionChange>,
}

/// The new decision on a position, or none to take the present one back; or what is answered about the document,
/// which has the range of [`Span::DOCUMENT`] and no decision.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionChange {
    pub range: Range,
    pub decision: Option<(Verdict, LabelSet)>,
    /// All that is answered there. Without, what the labels had stays, and what labelers answered alike comes to
    /// those that are new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<BTreeSet<Fact>>,
    /// Why, in the reviewer's words; empty without any.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub note: String,
}

impl DecisionChange {
    /// A change for which no reason is given.
    pub const fn new(range: Range, decision: Option<(Verdict, LabelSet)>) -> Self {
        Self { range, decision, answers: None, note: String::new() }
    }

    /// All that is answered about the document.
    pub const fn of_document(answers: BTreeSet<Fact>) -> Self {
        let range = Span::DOCUMENT.range;
        Self { range, decision: None, answers: Some(answers), note: String::new() }
    }

    /// Whether it is of the document, not of a position.
    pub fn is_of_document(&self) -> bool {
        self.range == Span::DOCUMENT.range
    }

    /// Refuses labels on a reject, decisions without labels otherwise, answers on what has no such label, and a
    /// reason that is too long.
    pub fn checked(&self, length: u32) -> Result<(), Error> {
        check_note(&self.note)?;
        self.check_answers()?;
        if self.is_of_document() && self.decision.is_none() && self.answers.is_some() {
            return Ok(());
        }
        self.range.checked(length)?;
        match &self.decision {
            Some((Verdict::Reject, labels)) if !labels.is_empty() => {
                Err(Code::Unsuitable.of("labels", "a reject has no label"))
            }
            Some((Verdict::Accept | Verdict::Relabel | Verdict::Add, labels))
                if labels.is_empty() =>
            {
                Err(Code::Missing.of("labels", "this decision needs a label"))
            }
            _ => Ok(()),
        }
    }

    /// Refuses answers that are not on the document or on a label that is decided on here, and two to one question.
    fn check_answers(&self) -> Result<(), Error> {
        let mut asked = BTreeSet::new();
        for fact in self.answers.iter().flatten() {
            let labels = self.decision.as_ref().map(|(_, labels)| labels);
            let is_decided = labels.is_some_and(|labels| labels.contains(fact.span.label));
            let is_here = fact.span.range == self.range
                && (is_decided || self.is_of_document() && fact.span == Span::DOCUMENT);
            let Some(choice) = fact.choice.filter(|_| is_here) else {
                let why = "an answer belongs to the document or to a label that is decided here";
                return Err(Code::Unsuitable.of("answers", why));
            };
            if !asked.insert(choice.attribute) {
                return Err(Code::NamedTwice.of("answers", "a question is answered twice"));
            }
        }
        Ok(())
    }
}

/// What became of a reviewer's save, submit or reopen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ReviewOutcome {
    Saved {
        revision: Revision,
        #[serde(with = "ts_microseconds")]
        saved_at: DateTime<Utc>,
    },
    Conflict(ReviewContent),
}
