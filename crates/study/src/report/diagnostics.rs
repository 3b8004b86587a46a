//! What stands behind the numbers, where it was asked for.

use agreement::diagnostics::{Judgements, Prevalence, confusions, draw_continuum};
use agreement::inference::Binary;
use agreement::{
    Contingency, Continuum, Distance, Interval, Ordinal, Ratings, Ratio, Undefined, Unit,
    alpha_of_category, f1, fleiss_kappa_of_category, precision, recall,
};
use serde::{Deserialize, Serialize};

use super::measures::Scale;
use super::{Options, Reason};
use crate::read::{Level, Study};
use crate::words::words;

/// Matrices of more categories are not made.
const MOST_CATEGORIES: usize = 200;

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

/// Names for codes, and what the diagnostics are counted from.
struct Source<'a> {
    study: &'a Study,
    ratings: &'a Ratings<u32>,
    scale: &'a Scale<'a>,
    top: usize,
}

pub(super) fn of_coding(
    study: &Study,
    ratings: &Ratings<u32>,
    scale: &Scale<'_>,
    options: &Options,
) -> Diagnostics {
    let source = Source { study, ratings, scale, top: options.top };
    let mut found = Diagnostics::default();
    let by_item = [Diagnostic::Items, Diagnostic::Raters, Diagnostic::Categories];
    let judgements = options
        .diagnostics
        .iter()
        .any(|diagnostic| by_item.contains(diagnostic))
        .then(|| Judgements::new((0..ratings.items()).map(|item| ratings.item(item))));
    for diagnostic in &options.diagnostics {
        match (diagnostic, &judgements) {
            (Diagnostic::Contingency, _) => found.contingency = Some(source.contingency()),
            (Diagnostic::Coincidence, _) => found.coincidence = Some(source.coincidence()),
            (Diagnostic::Reliability, _) => found.reliability = Some(source.reliability()),
            (Diagnostic::Weights, _) => found.weights = Some(source.weights()),
            (Diagnostic::Pairs, _) => found.pairs = Some(source.pairs()),
            (Diagnostic::Prevalence, _) => found.prevalence = Some(source.prevalence()),
            (Diagnostic::Confusions, _) => found.confusions = Some(source.confusions()),
            (Diagnostic::Categories, Some(all)) => found.categories = Some(source.categories(all)),
            (Diagnostic::Items, Some(all)) => found.items = Some(source.items(all)),
            (Diagnostic::Raters, Some(all)) => found.raters = Some(source.raters(all)),
            (Diagnostic::Categories | Diagnostic::Items | Diagnostic::Raters, None)
            | (Diagnostic::Continuum, _) => {}
        }
    }
    found
}

/// Draws units in so many columns, with the raters' names below.
pub(super) fn drawing(
    continuum: &Continuum<u32>,
    raters: &[String],
    categories: &[String],
    columns: usize,
) -> String {
    let name = |code: u32| usize::try_from(code).ok().and_then(|place| categories.get(place));
    let units = continuum.all_units().filter_map(|unit| {
        let &Unit { rater, start, length, category } = unit;
        Some(Unit { rater, start, length, category: name(category)?.as_str() })
    });
    let (begin, length) = (continuum.begin(), continuum.length());
    let named = Continuum::with_overlaps(begin, length, continuum.raters(), units);
    let mut text = named.map(|named| draw_continuum(&named, columns)).unwrap_or_default();
    let raters: Vec<String> = (0..)
        .zip(raters)
        .map(|(place, name): (usize, _)| format!("rater {place} = {name}"))
        .collect();
    text.push_str(&raters.join(", "));
    text.push('\n');
    text
}

/// The units of each rater.
pub(super) fn lanes(continuum: &Continuum<u32>, raters: &[String]) -> Vec<Lane> {
    let unit = |unit: &Unit<u32>| {
        let category = usize::try_from(unit.category).ok()?;
        Some(LaneUnit { start: unit.start, end: unit.end(), category })
    };
    let of = |(rater, name): (usize, &String)| {
        let mut units: Vec<_> = continuum.units(rater).iter().filter_map(unit).collect();
        units.sort_by_key(|unit| (unit.start, unit.end, unit.category));
        Lane { rater: name.clone(), units }
    };
    raters.iter().enumerate().map(of).collect()
}

impl Source<'_> {
    fn name(&self, code: u32) -> String {
        let place = usize::try_from(code).ok();
        let name = place.and_then(|place| self.study.understood.categories.get(place));
        name.cloned().unwrap_or_default()
    }

    fn rater(&self, rater: usize) -> String {
        self.study.understood.raters.get(rater).cloned().unwrap_or_default()
    }

    fn item(&self, item: usize) -> String {
        let name = self.study.items.as_ref().and_then(|names| names.get(item));
        name.cloned().unwrap_or_else(|| (item + 1).to_string())
    }

    fn tables(&self) -> impl Iterator<Item = ([String; 2], Contingency<u32>)> {
        let raters = self.ratings.raters();
        let pairs =
            (0..raters).flat_map(move |first| (first + 1..raters).map(move |other| (first, other)));
        pairs.map(|(first, second)| {
            let names = [self.rater(first), self.rater(second)];
            (names, self.ratings.contingency(first, second))
        })
    }

    fn contingency(&self) -> Vec<PairTable> {
        let cells = |table: &Contingency<u32>| {
            let cells = table.cells();
            cells.map(|(&row, &column, count)| (self.name(row), self.name(column), count)).collect()
        };
        self.tables().map(|(raters, table)| PairTable { raters, cells: cells(&table) }).collect()
    }

    fn matrix(&self, cell: impl Fn(u32, u32) -> Option<f64>) -> NamedMatrix {
        if self.scale.categories > MOST_CATEGORIES {
            let reason =
                Reason::new("TooManyCategories", "there are more than 200 categories to show");
            return NamedMatrix {
                categories: Vec::new(),
                cells: Vec::new(),
                undefined: Some(reason),
            };
        }
        let row = |a: u32| self.scale.codes().map(|b| cell(a, b)).collect();
        NamedMatrix {
            categories: self.study.understood.categories.clone(),
            cells: self.scale.codes().map(row).collect(),
            undefined: None,
        }
    }

    fn coincidence(&self) -> NamedMatrix {
        let tally = self.ratings.coincidences();
        self.matrix(|a, b| Some(tally.coincidences(&a, &b)))
    }

    fn weights(&self) -> NamedMatrix {
        let number = |distance: f64| distance.is_finite().then_some(distance);
        let between = |a: u32, b: u32, distance: &dyn Fn(&u32, &u32) -> f64| {
            if a == b { Some(0.0) } else { number(distance(&a.min(b), &a.max(b))) }
        };
        let (interval, ratio) = (self.scale.by_score(Interval), self.scale.by_score(Ratio));
        match self.scale.level {
            Level::Nominal => self.matrix(|a, b| Some(if a == b { 0.0 } else { 1.0 })),
            Level::Ordinal => {
                let ordinal = Ordinal::of(&self.ratings.coincidences());
                self.matrix(|a, b| between(a, b, &|a, b| ordinal.between(a, b)))
            }
            Level::Interval => self.matrix(|a, b| between(a, b, &|a, b| interval.between(a, b))),
            Level::Ratio => self.matrix(|a, b| between(a, b, &|a, b| ratio.between(a, b))),
        }
    }

    fn reliability(&self) -> Rows<Vec<Option<String>>> {
        let of = self.ratings.items();
        let row = |item: usize| {
            let ratings = self.ratings.item(item);
            std::iter::once(Some(self.item(item)))
                .chain(ratings.map(|code| code.map(|&code| self.name(code))))
                .collect()
        };
        Rows { shown: (0..of.min(self.top)).map(row).collect(), of }
    }

    fn categories(&self, judgements: &Judgements<'_, u32>) -> Vec<CategoryRow> {
        let tally = self.ratings.nominal_tally();
        let table = (self.ratings.raters() == 2).then(|| self.ratings.contingency(0, 1));
        let of_two = |measure: fn(&Contingency<u32>, &u32) -> Result<_, Undefined>, code: &u32| {
            let coefficient: agreement::Coefficient = measure(table.as_ref()?, code).ok()?;
            Some(coefficient.value)
        };
        let row = |found: agreement::diagnostics::CategoryAgreement<'_, u32>| {
            let code = found.category;
            CategoryRow {
                category: self.name(*code),
                ratings: found.judgements,
                agreement: found.share.agreement().ok(),
                fleiss_kappa: fleiss_kappa_of_category(&tally, code).ok().map(|k| k.value),
                alpha: alpha_of_category(&tally, code).ok().map(|alpha| alpha.value),
                precision: of_two(precision, code),
                recall: of_two(recall, code),
                f1: of_two(f1, code),
            }
        };
        judgements.by_category().into_iter().map(row).collect()
    }

    fn items(&self, judgements: &Judgements<'_, u32>) -> Rows<ItemRow> {
        let mut all: Vec<(f64, usize, u64)> = judgements
            .by_item()
            .into_iter()
            .filter_map(|item| Some((item.share.agreement().ok()?, item.item, item.judgements)))
            .collect();
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| a.1.cmp(&b.1)));
        let row = |&(agreement, item, ratings): &(f64, usize, u64)| {
            let found: agreement::Item<u32> = self.ratings.item(item).flatten().copied().collect();
            let mut categories: Vec<(String, u64)> =
                found.counts().map(|(&code, count)| (self.name(code), count)).collect();
            categories.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
            ItemRow { item: self.item(item), ratings, agreement, categories }
        };
        Rows { shown: all.iter().take(self.top).map(row).collect(), of: all.len() }
    }

    fn raters(&self, judgements: &Judgements<'_, u32>) -> Vec<RaterRow> {
        let row = |found: agreement::diagnostics::RaterAgreement| RaterRow {
            name: self.rater(found.rater),
            ratings: found.judgements,
            pairs: found.share.pairs,
            agreement: found.share.agreement().ok(),
        };
        judgements.by_rater().into_iter().map(row).collect()
    }

    fn pairs(&self) -> Vec<RaterRow> {
        let row = |([first, second], table): ([String; 2], Contingency<u32>)| RaterRow {
            name: format!("{first} – {second}"),
            ratings: table.total(),
            pairs: table.total(),
            agreement: agreement::percent(&table).ok().map(|share| share.value),
        };
        self.tables().map(row).collect()
    }

    fn prevalence(&self) -> Vec<PrevalenceRow> {
        let mut rows = Vec::new();
        for (raters, table) in self.tables() {
            let mut codes: Vec<u32> = table.categories().into_iter().copied().collect();
            if codes.len() == 2 {
                // The other one mirrors it.
                codes.truncate(1);
            }
            for code in codes.into_iter().take(MOST_CATEGORIES) {
                let Ok(found) = Prevalence::of(&Binary::one_vs_rest(&table, &code)) else {
                    continue;
                };
                rows.push(PrevalenceRow {
                    raters: raters.clone(),
                    category: self.name(code),
                    prevalence_index: found.prevalence_index,
                    bias_index: found.bias_index,
                    kappa: found.kappa.ok(),
                    pabak: found.pabak,
                    explanation: found.explanation(),
                });
            }
        }
        rows
    }

    fn confusions(&self) -> Rows<ConfusionRow> {
        let mut all = Contingency::new();
        for (_, table) in self.tables() {
            all.merge(&table);
        }
        let confusions = confusions(&all);
        let of = confusions.len();
        let row = |confusion: agreement::diagnostics::Confusion<u32>| ConfusionRow {
            first: self.name(confusion.first),
            second: self.name(confusion.second),
            forth: confusion.first_by_row,
            back: confusion.second_by_row,
            share: confusion.share,
        };
        Rows { shown: confusions.into_iter().take(self.top).map(row).collect(), of }
    }
}
