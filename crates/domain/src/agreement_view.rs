//! What the agreement pages show: switches and the matrix.

use std::{cmp::Reverse, fmt, str::FromStr};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::{Error, Filter, MemberId, ProjectId, Rater, Revision, Role};

/// Declares an enum whose variants travel by name, in JSON and in the URL.
macro_rules! switch {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name {
            #[default]
            $($(#[$vdoc])* #[serde(rename = $text)] $variant),+
        }

        #[cfg(feature = "schema")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($text),+]))
                    .into()
            }
        }

        #[cfg(feature = "schema")]
        impl utoipa::ToSchema for $name {}

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $name {
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                match text {
                    $($text => Ok(Self::$variant),)+
                    _ => Err(Error::invalid(
                        stringify!($name),
                        concat!("one of: ", $($text, " "),+),
                    )),
                }
            }
        }
    };
}
pub(crate) use switch;

switch! {
    /// The measure of the matrix.
    Measure {
        /// Cohen's κ (Cohen 1960).
        Kappa = "kappa",
        /// Krippendorff's α for nominal data (Krippendorff 2011).
        Alpha = "alpha",
        /// Scott's π (Scott 1955).
        Pi = "pi",
        /// Bennett's S (Bennett, Alpert and Goldstein 1954).
        S = "s",
        /// Gwet's AC1 (Gwet 2008).
        Ac1 = "ac1",
        /// The share of positions on which both said the same.
        Percent = "percent",
        /// F1 of exact spans: one-sided positions count against it, whatever the policy.
        F1 = "f1",
    }
}

switch! {
    /// How positions that only one of the two judged are treated.
    PolicyChoice {
        /// They are removed; the coverage says how many stayed.
        Cleaned = "cleaned",
        /// They count with the category ∅ for the other; over documents both submitted.
        EmptyLabel = "empty-label",
    }
}

switch! {
    /// Which documents of a pair are compared.
    Documents {
        /// Those that both have saved at least once.
        Saved = "saved",
        /// Those that both have submitted.
        Submitted = "submitted",
    }
}

switch! {
    /// The scale that gives a value its word and its colour.
    ScaleChoice {
        /// Landis and Koch (1977).
        LandisKoch = "landis-koch",
        /// Krippendorff (1980).
        Krippendorff = "krippendorff",
        /// Rietveld and van Hout (1993).
        RietveldVanHout = "rietveld-van-hout",
        /// Green (1997).
        Green = "green",
        /// Krenn, Evert and Zinsmeister (2004).
        Homogeneity = "homogeneity",
    }
}

/// The switches of the agreement pages; all of them stand in the URL.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Switches {
    pub measure: Measure,
    pub policy: PolicyChoice,
    pub documents: Documents,
    /// How values are read; it changes none of them.
    pub scale: ScaleChoice,
    /// What they are of.
    pub filter: Filter,
}

impl Switches {
    /// The same numbers: the switches with the scale on its default.
    #[must_use]
    pub fn without_scale(self) -> Self {
        Self { scale: ScaleChoice::default(), ..self }
    }

    /// The switches for counts of all labelers at once, in which F1's own way of counting has no
    /// say: its positions are counted as for the other measures.
    #[must_use]
    pub fn of_positions(self) -> Self {
        match self.measure {
            Measure::F1 => Self { measure: Measure::Alpha, ..self },
            _ => self,
        }
    }

    /// Whether a position that only one of two raters judged is counted, with ∅ for the other.
    pub const fn counts_one_sided(self) -> bool {
        matches!((self.measure, self.policy), (Measure::F1, _) | (_, PolicyChoice::EmptyLabel))
    }

    /// Which documents count. Absence is a judgement only where both have submitted, so the policy
    /// `empty label` leaves no choice; F1 has no use for a policy.
    pub const fn counted_documents(self) -> Documents {
        match (self.measure, self.policy) {
            (Measure::F1, _) | (_, PolicyChoice::Cleaned) => self.documents,
            (_, PolicyChoice::EmptyLabel) => Documents::Submitted,
        }
    }
}

/// A coefficient, or why there is none: never a number in its place.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Measured {
    Value { value: f64, observed: f64, expected: f64 },
    Undefined(UndefinedReason),
}

impl Measured {
    pub const fn value(self) -> Option<f64> {
        match self {
            Self::Value { value, .. } => Some(value),
            Self::Undefined(_) => None,
        }
    }
}

/// Why a coefficient is not defined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum UndefinedReason {
    /// The two have no document that counts under the switches.
    NoSharedDocuments,
    /// They have such documents, but no position that counts.
    NoSharedPositions,
    /// Only one category occurs: agreement by chance is certain.
    OneCategory,
    /// There is only one category to choose from: agreement by chance is certain.
    OneChoice,
    /// Neither has marked a span.
    NothingMarked,
    /// There is no document that all labelers have worked on.
    NoDocumentOfAll,
    /// Nobody has marked a span in those documents.
    NobodyMarked,
    /// Somebody's spans of one label overlap, which units may not.
    OverlappingSpans,
}

impl UndefinedReason {
    /// The reason in a sentence.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::NoSharedDocuments => "no document that both have worked on",
            Self::NoSharedPositions => "no position that both have judged",
            Self::OneCategory => {
                "only one category occurs, so agreement by chance is certain and the coefficient is 0/0"
            }
            Self::OneChoice => {
                "there is only one category to choose from, so agreement by chance is certain and the coefficient is 0/0"
            }
            Self::NothingMarked => "neither of the two has marked a span",
            Self::NoDocumentOfAll => "no document that all labelers have worked on",
            Self::NobodyMarked => "nobody has marked a span",
            Self::OverlappingSpans => {
                "a labeler has spans of one label that overlap, which this measure has no meaning for"
            }
        }
    }
}

/// How sure a value is: its 95 % interval, or why it has none.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum Confidence {
    /// Of κ by the formula of Fleiss, Cohen and Everitt (1969), which may reach beyond 1; of the
    /// others by resampling documents.
    Interval {
        lower: f64,
        upper: f64,
    },
    /// It is being computed, and told when it is there.
    Pending,
    None(NoInterval),
}

/// Why a value has no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum NoInterval {
    /// There is no value either.
    NoValue,
    /// One document cannot be drawn anew.
    OneDocument,
    /// Hardly any resample has a value.
    NoResamples,
}

impl NoInterval {
    /// The reason in a few words.
    pub const fn words(self) -> &'static str {
        match self {
            Self::NoValue => "there is no value",
            Self::OneDocument => "it takes two documents",
            Self::NoResamples => "the resamples have no value",
        }
    }
}

/// How many positions at least one of two raters judged, and who judged them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CoverageView {
    pub both: u64,
    pub only_first: u64,
    pub only_second: u64,
}

impl CoverageView {
    /// All positions that at least one judged.
    pub const fn positions(self) -> u64 {
        self.both + self.only_first + self.only_second
    }
}

/// A cell of the matrix; stands for both orders of the pair.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PairCell {
    pub first: MemberId,
    pub second: MemberId,
    pub measured: Measured,
    pub confidence: Confidence,
    /// Positions that were counted.
    pub n: u64,
    pub coverage: CoverageView,
    /// Documents that were compared.
    pub documents: u64,
}

/// A rater against everybody else of a role: counts are added up over the pairs, and the
/// coefficient is that of the sum, not a mean of the pairs' coefficients.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PooledCell {
    pub rater: MemberId,
    /// The others' role.
    pub with: Role,
    pub measured: Measured,
    /// Positions that were counted, once for each pair.
    pub n: u64,
    pub coverage: CoverageView,
}

/// A rater who has moved the numbers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mover {
    pub rater: MemberId,
    pub saves: u64,
    /// The last of them.
    pub at: DateTime<Utc>,
}

switch! {
    /// A measure of several raters at once.
    SeveralMeasure {
        /// Fleiss' κ (Fleiss 1971), with gaps as in Gwet (2014).
        FleissKappa = "fleiss-kappa",
        /// Krippendorff's α for nominal data (Krippendorff 2011).
        Alpha = "alpha",
        /// The mean share of agreeing pairs, by position.
        Percent = "percent",
    }
}

/// All labelers at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeveralView {
    pub labelers: u64,
    /// Positions that at least two of them judged.
    pub n: u64,
    /// Documents that at least two of them have worked on.
    pub documents: u64,
    /// One row for each measure.
    pub rows: Vec<SeveralRow>,
    /// `α_U`; none while it is being computed.
    pub unitizing: Option<Unitizing>,
}

/// Krippendorff's `α_U` (1995, 2004) of all labelers: spans are units on a continuum of characters,
/// on which the documents lie end to end in the order of their ids. It knows no missing ratings, so
/// only documents count that every labeler with work that counts has worked on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Unitizing {
    /// Labelers with work that counts.
    pub labelers: u64,
    /// Documents that all of them have worked on.
    pub documents: u64,
    /// How long those are together, in Unicode scalar values.
    pub characters: u64,
    /// Spans of all labelers in them; one for each label.
    pub spans: u64,
    /// Observed and expected are disagreements, `D_o` and `D_e`, taken from 1.
    pub measured: Measured,
    pub confidence: Confidence,
}

/// A measure of all labelers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeveralRow {
    pub measure: SeveralMeasure,
    pub measured: Measured,
    pub confidence: Confidence,
}

/// Who moved the numbers last.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LastChange {
    pub at: DateTime<Utc>,
    pub by: String,
}

/// The matrix at one revision of the project.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AgreementSnapshot {
    pub project: ProjectId,
    pub revision: Revision,
    pub switches: Switches,
    /// Labelers in the order they joined, then reviewers.
    pub raters: Vec<Rater>,
    /// One cell for each pair, `first` before `second` in the order of the raters.
    pub cells: Vec<PairCell>,
    /// Each rater against all labelers, and against all reviewers, where there are others.
    pub pooled: Vec<PooledCell>,
    /// All labelers at once; none where there are no two.
    pub several: Option<SeveralView>,
    pub last_change: Option<LastChange>,
}

impl AgreementSnapshot {
    /// How many intervals are still to come.
    pub fn pending(&self) -> usize {
        let of_pairs = self.cells.iter().map(|cell| cell.confidence);
        let of_several = self.several.iter().flat_map(|several| &several.rows);
        let of_units = self.several.iter().filter(|several| several.unitizing.is_none());
        of_pairs
            .chain(of_several.map(|row| row.confidence))
            .filter(|confidence| *confidence == Confidence::Pending)
            .count()
            + of_units.count()
    }

    /// The newer snapshot is the greater: by its revision, then by the intervals that are there.
    pub fn rank(&self) -> (Revision, Reverse<usize>) {
        (self.revision, Reverse(self.pending()))
    }

    /// The cell of two raters, in either order.
    pub fn cell(&self, a: MemberId, b: MemberId) -> Option<&PairCell> {
        self.cells.iter().find(|cell| {
            (cell.first == a && cell.second == b) || (cell.first == b && cell.second == a)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snapshot_with_more_intervals_is_newer_than_one_of_the_same_revision() {
        let cell = |confidence| PairCell {
            first: MemberId(1),
            second: MemberId(2),
            measured: Measured::Undefined(UndefinedReason::OneCategory),
            confidence,
            n: 0,
            coverage: CoverageView::default(),
            documents: 0,
        };
        let snapshot = |revision, confidence| AgreementSnapshot {
            project: ProjectId(1),
            revision: Revision(revision),
            switches: Switches::default(),
            raters: Vec::new(),
            cells: vec![cell(confidence)],
            pooled: Vec::new(),
            several: None,
            last_change: None,
        };
        let there = Confidence::Interval { lower: 0.0, upper: 1.0 };
        assert!(snapshot(1, there).rank() > snapshot(1, Confidence::Pending).rank());
        assert!(snapshot(2, Confidence::Pending).rank() > snapshot(1, there).rank());
    }

    #[test]
    fn only_the_empty_label_leaves_no_choice_of_documents_and_none_of_it_touches_f1() {
        let saved = |measure, policy| {
            Switches { measure, policy, ..Switches::default() }.counted_documents()
        };
        assert_eq!(saved(Measure::Ac1, PolicyChoice::Cleaned), Documents::Saved);
        assert_eq!(saved(Measure::Ac1, PolicyChoice::EmptyLabel), Documents::Submitted);
        assert_eq!(saved(Measure::F1, PolicyChoice::EmptyLabel), Documents::Saved);
    }
}
