//! Agreement in its parts: which label is unreliable, which document is hard, who drifts.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    Confidence, CoverageView, DocumentId, Error, Label, LabelId, LabelSet, Measured, MemberId,
    Page, Rater, Revision, Role, SelfPart, Switches,
};

switch! {
    /// The order of the labels.
    LabelOrder {
        /// Least reliable first; labels without a value come last.
        Value = "value",
        /// As in the label set.
        Label = "label",
        /// Most positions first.
        Positions = "positions",
        /// Most positions in dispute first.
        Disagreements = "disagreements",
    }
}

switch! {
    /// The order of the documents; ties stay in the order of import.
    DocumentOrder {
        /// Lowest agreement first; documents without a value come last.
        Value = "value",
        /// In the order of import.
        Document = "document",
        /// Most positions first.
        Positions = "positions",
        /// Most positions in dispute first.
        Disagreements = "disagreements",
        /// Most disputes without a decision first.
        Undecided = "undecided",
    }
}

switch! {
    /// The order of the people.
    PersonOrder {
        /// Lowest agreement with the other labelers first; who has no value comes last.
        Value = "value",
        /// As in the matrix.
        Name = "name",
        /// Lowest agreement with the reviewers first.
        Reviewers = "reviewers",
        /// Lowest agreement with themselves first.
        Themselves = "themselves",
        /// Most positions first.
        Positions = "positions",
    }
}

/// Every label, over all labelers at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelParts {
    pub revision: Revision,
    pub switches: Switches,
    pub raters: Vec<Rater>,
    pub labels: Vec<Label>,
    /// Positions that at least two labelers judged.
    pub positions: u64,
    pub documents: u64,
    pub rows: Vec<LabelPart>,
}

/// How far all labelers agree on one label, against everything else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LabelPart {
    pub label: LabelId,
    /// Positions on which at least one labeler gave it, all did, and only some did.
    pub positions: u64,
    pub unanimous: u64,
    pub disputed: u64,
    /// Its share of all judgements, from 0 to 1.
    pub share: f64,
    /// Krippendorff's α of "is it this label?".
    pub alpha: Measured,
    /// 95 %, by leaving out one document after the other.
    pub confidence: Confidence,
    /// Fleiss' κ of "is it this label?".
    pub fleiss: Measured,
    /// When one labeler gave it, how often another did (Fleiss 1971).
    pub positive: Option<f64>,
    /// What others said where somebody gave this label: positions, most first.
    pub confusions: Vec<(LabelSet, u64)>,
    /// F1 of the label, small: by pair of labelers, or by labeler where there are many pairs.
    pub small: Vec<LabelBar>,
}

/// A bar of the small multiples.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LabelBar {
    pub first: MemberId,
    /// None: all other labelers.
    pub second: Option<MemberId>,
    /// F1 of the label; none if neither gave it.
    pub positive: Option<f64>,
    /// Comparisons on which at least one of them gave it.
    pub positions: u64,
}

/// A page of documents with how far all labelers agree on each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentParts {
    pub revision: Revision,
    pub switches: Switches,
    /// Positions of all documents that at least two labelers judged.
    pub positions: u64,
    pub disputed: u64,
    pub page: Page<DocumentPart>,
}

/// How far all labelers agree on one document.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DocumentPart {
    pub document: DocumentId,
    pub name: String,
    /// Labelers whose work counts, and the fewest and the most positions that one of them judged.
    pub labelers: u64,
    pub fewest: u64,
    pub most: u64,
    /// Positions that at least two of them judged.
    pub positions: u64,
    pub disputed: u64,
    /// Positions in dispute that a reviewer has decided.
    pub decided: u64,
    /// The mean share of agreeing pairs, by position.
    pub percent: Measured,
    /// Krippendorff's α of this document alone.
    pub alpha: Measured,
}

/// Every labeler against the other labelers and against the reviewers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonParts {
    pub revision: Revision,
    pub switches: Switches,
    pub labels: Vec<Label>,
    pub rows: Vec<PersonPart>,
}

/// One labeler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PersonPart {
    pub rater: Rater,
    pub labelers: PooledPart,
    pub reviewers: PooledPart,
    /// Against themselves, over documents that they submitted twice; for managers alone, and none
    /// without such a document.
    pub own: Option<SelfPart>,
    /// The labels that this labeler and the others agree on least, worst first.
    pub weak: Vec<WeakLabel>,
    /// How often this labeler gives each label, against the others; in the order of the label set.
    pub usage: Vec<LabelUsage>,
    /// The share of agreement with the other labelers over the labeler's documents, in blocks of
    /// documents in the order of saving.
    pub course: Vec<CourseBlock>,
}

/// One labeler against all of a role, pooled: the counts are added up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PooledPart {
    pub role: Role,
    /// With how many of them there is something in common.
    pub others: u64,
    pub measured: Measured,
    /// Comparisons: a position counts once for each other rater.
    pub comparisons: u64,
    pub agreements: u64,
    pub coverage: CoverageView,
}

/// A label that a labeler and the others do not agree on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeakLabel {
    pub label: LabelId,
    /// F1 of the label against the other labelers.
    pub positive: f64,
    /// Comparisons on which some gave it and some did not.
    pub differ: u64,
}

/// How often a labeler gives a label, against the others on the same positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelUsage {
    pub label: LabelId,
    /// Comparisons in which both gave it, only the labeler, and only the other.
    pub both: u64,
    pub only_own: u64,
    pub only_others: u64,
    /// The bias index, from −1 to 1: by how much the labeler's share of the label exceeds that of
    /// the others.
    pub bias: f64,
}

/// Some documents in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CourseBlock {
    /// The places of the first and the last of them among the labeler's documents, from 1.
    pub from: u64,
    pub to: u64,
    pub comparisons: u64,
    pub agreements: u64,
}
