//! The adjudication list: positions on which raters differ.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    AttributeId, DocumentId, Documents, Error, LabelId, LabelSet, MemberId, Page, Range, Rater,
    RoundId, Verdict,
};
use std::{fmt, str::FromStr};

switch! {
    /// In what way raters differ on a position.
    DisagreementKind {
        /// At least two judged it differently; a reject differs from every label.
        Label = "label",
        /// Some marked it, others have nothing there or near it.
        OneSided = "one-sided",
        /// One-sided, but somebody who did not mark it marked something that overlaps it.
        Boundary = "boundary",
    }
}

switch! {
    /// The order of the adjudication list; ties go by document and position.
    DisagreementOrder {
        Document = "document",
        Kind = "kind",
        /// Longest undecided first, then by the time of the decision.
        Decided = "decided",
    }
}

/// Which rows of the adjudication list are wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisagreementFilter {
    pub documents: Documents,
    /// Rows on which raters chose differently of this attribute, in the place of labels.
    pub question: Option<AttributeId>,
    /// Rows on which at least one rater gave this label.
    pub label: Option<LabelId>,
    /// Rows on which these two differ.
    pub first: Option<MemberId>,
    pub second: Option<MemberId>,
    pub kind: Option<DisagreementKind>,
    /// With or without a reviewer's decision.
    pub decided: Option<bool>,
    pub document: Option<DocumentId>,
    /// Rows in the documents of this round.
    pub round: Option<RoundId>,
}

/// Filter, order and page of the adjudication list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DisagreementQuery {
    pub filter: DisagreementFilter,
    pub order: DisagreementOrder,
    pub descending: bool,
    /// From 0.
    pub page: u64,
}

/// What one rater has on a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Judgement {
    /// Labels; the empty set is a reviewer's reject.
    Labels(LabelSet),
    /// Worked on the document and marked nothing here.
    Nothing,
    /// Has not worked on the document, or as a reviewer not decided here.
    NotJudged,
}

/// A row of the adjudication list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Disagreement {
    pub document: DocumentId,
    pub document_name: String,
    pub range: Range,
    /// The text at the position, and up to 40 characters before and after it.
    pub quote: String,
    pub left: String,
    pub right: String,
    pub kind: DisagreementKind,
    /// One for each rater of [`DisagreementList::raters`], in that order.
    pub judgements: Vec<Judgement>,
    pub decision: Option<DecisionSummary>,
}

/// The latest reviewer's decision on a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DecisionSummary {
    pub verdict: Verdict,
    pub labels: LabelSet,
    pub by: String,
    pub at: DateTime<Utc>,
    /// Why, in the reviewer's words; empty without any.
    pub note: String,
}

/// A page of the adjudication list with the raters that its columns stand for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DisagreementList {
    pub raters: Vec<Rater>,
    pub page: Page<Disagreement>,
}
