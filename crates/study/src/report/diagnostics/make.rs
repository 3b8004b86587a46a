//! Makes the diagnostics that were asked for.

use agreement::diagnostics::{Judgements, Prevalence, confusions, draw_continuum};
use agreement::inference::Binary;
use agreement::{
    Contingency, Continuum, Distance, Interval, Ordinal, Ratings, Ratio, Undefined, Unit,
    alpha_of_category, f1, fleiss_kappa_of_category, precision, recall,
};

use crate::read::{Level, Study};
use crate::report::coding::measures::Scale;
use crate::report::diagnostics::{
    CategoryRow, ConfusionRow, Diagnostic, Diagnostics, ItemRow, Lane, LaneUnit, NamedMatrix,
    PairTable, PrevalenceRow, RaterRow, Rows,
};
use crate::report::{Options, Reason};

/// Matrices of more categories are not made.
const MOST_CATEGORIES: usize = 200;

/// Names for codes, and what the diagnostics are counted from.
struct Source<'a> {
    study: &'a Study,
    ratings: &'a Ratings<u32>,
    scale: &'a Scale<'a>,
    top: usize,
}

pub(in crate::report) fn of_coding(
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
pub(in crate::report) fn drawing(
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
pub(in crate::report) fn lanes(continuum: &Continuum<u32>, raters: &[String]) -> Vec<Lane> {
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
        self.study.item_name(item)
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
