//! What comparing files gives: a matrix and everything behind it, without any project.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{
    AgreementSnapshot, DisagreementList, Error, Label, LabelPart, PairView, RaterFiles, RatersFrom,
};

/// What files of several raters say about each other. Ids of raters, labels and documents count
/// from 1 in this comparison and mean nothing elsewhere.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Comparison {
    pub files: Vec<ComparedFile>,
    /// What told the raters: as it was chosen, or as it was inferred.
    pub raters_from: RatersFrom,
    /// Everybody with the files that their spans are from.
    pub understood: Vec<RaterFiles>,
    /// Different documents in all files together.
    pub documents: u64,
    /// Documents that at least two raters have judged: what is compared.
    pub shared: u64,
    /// What was understood in a way that somebody may want to know of, a sentence each.
    pub notes: Vec<String>,
    /// Every label that occurs, by name.
    pub labels: Vec<Label>,
    /// Raters, cells and all raters at once; of the project 0.
    pub matrix: AgreementSnapshot,
    /// Each label against everything else, least reliable first.
    pub label_parts: Vec<LabelPart>,
    /// The table and the filled-in formula of each pair, in the order of the cells; none where
    /// there are too many pairs to read them all.
    pub pairs: Vec<PairView>,
    /// The beginning of the adjudication list.
    pub disagreements: DisagreementList,
}

/// A file of a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ComparedFile {
    pub name: String,
    /// "JSON Lines", "CoNLL-2003 (IOB2)", …
    pub format: String,
    /// Whose marks it holds; nobody's where it is text alone.
    pub raters: Vec<String>,
    pub documents: u64,
    pub spans: u64,
}

switch! {
    /// What tells that two documents of different files are the same.
    MatchBy {
        /// Their ids, else their names, else their texts.
        Auto = "auto",
        /// Their texts alone, where ids and names mean nothing.
        Text = "text",
    }
}
