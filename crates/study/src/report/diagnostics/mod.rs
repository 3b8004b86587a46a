//! What stands behind the numbers, where it was asked for.

mod make;

use serde::{Deserialize, Serialize};

use super::Reason;
use crate::words::words;
pub(super) use make::{drawing, lanes, of_coding};

words! {
    /// Something that stands behind the numbers.
    Diagnostic is "a diagnostic":
    /// How often two raters said what.
    Contingency = "contingency",
    /// Krippendorff's coincidences.
    Coincidence = "coincidence",
    /// The ratings themselves, of the first items.
    Reliability = "reliability",
    /// The distances of categories at the level of measurement.
    Weights = "weights",
    /// Agreement on each category.
    Categories = "categories",
    /// The items with the least agreement.
    Items = "items",
    /// Agreement of each rater with all others.
    Raters = "raters",
    /// Agreement of every two raters.
    Pairs = "pairs",
    /// Prevalence and bias.
    Prevalence = "prevalence",
    /// Which categories are confused most.
    Confusions = "confusions",
    /// A drawing of the units.
    Continuum = "continuum",
}

impl Diagnostic {
    /// Whether it shows items by their names.
    pub(crate) fn names_items(self) -> bool {
        matches!(self, Self::Items | Self::Reliability)
    }

    /// True if it compares raters, each with all their ratings.
    pub(super) fn is_of_raters(self) -> bool {
        matches!(
            self,
            Self::Contingency
                | Self::Reliability
                | Self::Raters
                | Self::Pairs
                | Self::Prevalence
                | Self::Confusions
        )
    }

    /// True if it is about single categories, which numbers that occur once are not.
    pub(super) fn is_of_categories(self) -> bool {
        matches!(
            self,
            Self::Contingency
                | Self::Coincidence
                | Self::Weights
                | Self::Categories
                | Self::Prevalence
                | Self::Confusions
        )
    }

    /// Whether it is about units on a continuum.
    pub(super) fn is_of_units(self) -> bool {
        self == Self::Continuum
    }
}

/// What was asked for; the rest is not there.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Diagnostics {
    /// How often two raters said what, for every two.
    pub contingency: Option<Vec<PairTable>>,
    /// Krippendorff's coincidences.
    pub coincidence: Option<NamedMatrix>,
    /// A row an item, a column a rater.
    pub reliability: Option<Rows<Vec<Option<String>>>>,
    /// The distances of categories.
    pub weights: Option<NamedMatrix>,
    /// Agreement on each category.
    pub categories: Option<Vec<CategoryRow>>,
    /// The items with the least agreement.
    pub items: Option<Rows<ItemRow>>,
    /// Agreement of each rater with all others.
    pub raters: Option<Vec<RaterRow>>,
    /// Agreement of every two raters: `name` is both.
    pub pairs: Option<Vec<RaterRow>>,
    /// Prevalence and bias of every category, for every two raters.
    pub prevalence: Option<Vec<PrevalenceRow>>,
    /// Which categories are confused most, over all pairs of raters.
    pub confusions: Option<Rows<ConfusionRow>>,
    /// A drawing of the units.
    pub continuum: Option<String>,
    /// The units of each rater, where they are drawn.
    pub lanes: Option<Vec<Lane>>,
}

/// What one rater marked on the continuum.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lane {
    /// Who.
    pub rater: String,
    /// The units, in the order of their starts.
    pub units: Vec<LaneUnit>,
}

/// A unit of a lane.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LaneUnit {
    /// Where it begins.
    pub start: u64,
    /// Where it ends; this point is not part of it.
    pub end: u64,
    /// The place of its category among all of them, from 0.
    pub category: usize,
}

/// The first of many rows.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rows<T> {
    /// Those that are shown.
    pub shown: Vec<T>,
    /// How many there are.
    pub of: usize,
}

/// How often two raters said what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairTable {
    /// The raters: of the rows, and of the columns.
    pub raters: [String; 2],
    /// The cells that count something: row, column, count.
    pub cells: Vec<(String, String, u64)>,
}

/// Numbers for every two categories; nothing where there is no number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NamedMatrix {
    /// The categories.
    pub categories: Vec<String>,
    /// Row by row.
    pub cells: Vec<Vec<Option<f64>>>,
    /// Why there are none.
    pub undefined: Option<Reason>,
}

/// Agreement on one category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CategoryRow {
    /// The category.
    pub category: String,
    /// How often it was chosen.
    pub ratings: u64,
    /// Of pairs of which one rater chose it, those where the other did, too.
    pub agreement: Option<f64>,
    /// Fleiss' kappa of the category against all others.
    pub fleiss_kappa: Option<f64>,
    /// Krippendorff's alpha of the category against all others.
    pub alpha: Option<f64>,
    /// Of two raters: precision of the first against the second.
    pub precision: Option<f64>,
    /// Of two raters: recall of the first against the second.
    pub recall: Option<f64>,
    /// Of two raters: F1.
    pub f1: Option<f64>,
}

/// Agreement on one item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ItemRow {
    /// The item's name, or its number from 1.
    pub item: String,
    /// How many raters rated it.
    pub ratings: u64,
    /// The share of pairs of its ratings that agree.
    pub agreement: f64,
    /// What it was put into, the most frequent first.
    pub categories: Vec<(String, u64)>,
}

/// Agreement of a rater, or of two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RaterRow {
    /// Who.
    pub name: String,
    /// How many ratings, or items that both rated.
    pub ratings: u64,
    /// How many pairs of ratings were compared.
    pub pairs: u64,
    /// The share of them that agree.
    pub agreement: Option<f64>,
}

/// Prevalence and bias of one category.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PrevalenceRow {
    /// The raters.
    pub raters: [String; 2],
    /// The category, against all others.
    pub category: String,
    /// From −1, nobody chose it, to 1, everybody always did.
    pub prevalence_index: f64,
    /// From −1, only the second chose it, to 1, only the first did.
    pub bias_index: f64,
    /// Cohen's kappa of the category.
    pub kappa: Option<f64>,
    /// What kappa would be without prevalence and bias.
    pub pabak: f64,
    /// In a sentence.
    pub explanation: String,
}

/// Two categories that stood against each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ConfusionRow {
    /// The one that comes first in order.
    pub first: String,
    /// The other.
    pub second: String,
    /// How often the earlier rater said the first and the later one the second.
    pub forth: u64,
    /// The other way round.
    pub back: u64,
    /// Both as a part of all disagreements.
    pub share: f64,
}
