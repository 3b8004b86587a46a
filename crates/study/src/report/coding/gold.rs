//! Raters, such as models, against one who is taken as right.

use std::iter::repeat;

use agreement::inference::{
    Bootstrap, Level, PermutationTest, Resampling, mcnemar_exact, permutation_test,
};
use agreement::{Contingency, Ratings, Undefined, f1, precision, recall};
use serde::{Deserialize, Serialize};

use crate::Misuse;
use crate::count64;
use crate::read::Understood;
use crate::report::coding::measures::Needs;
use crate::report::coding::patterns::Patterns;
use crate::report::{Options, Reason};

/// The most items on which two are exchanged one by one.
const MOST_EXCHANGED: usize = 10_000;
/// How often they are, unless it was said.
const EXCHANGES: u32 = 1_000;

/// Everybody else against a rater who is taken as right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AgainstGold {
    /// Who is taken as right.
    pub rater: String,
    /// Each of the others, label by label.
    pub models: Vec<ModelAgainstGold>,
    /// Every two of the others: is one of them better?
    pub pairs: Vec<ModelPair>,
}

/// A rater against the one who is taken as right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelAgainstGold {
    /// Who is measured.
    pub rater: String,
    /// How many items both rated.
    pub items: u64,
    /// How often they were drawn anew for the intervals.
    pub resamples: u32,
    /// Each label that one of the two used.
    pub labels: Vec<LabelAgainstGold>,
}

/// How well a label is found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelAgainstGold {
    /// The label.
    pub category: String,
    /// How often it is right.
    pub gold: u64,
    /// How often it was given.
    pub found: u64,
    /// The share of what was given that is right.
    pub precision: ShareOfLabel,
    /// The share of what is right that was given.
    pub recall: ShareOfLabel,
    /// The harmonic mean of both.
    pub f1: ShareOfLabel,
}

/// A share with its bootstrap interval, or the reason why there is none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShareOfLabel {
    /// The value.
    pub value: Option<f64>,
    /// Why there is none.
    pub undefined: Option<Reason>,
    /// The lower end of the interval.
    pub lower: Option<f64>,
    /// The upper end.
    pub upper: Option<f64>,
}

/// Two raters, both against the one who is taken as right, on the items that all three rated.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelPair {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// How many items all three rated.
    pub items: u64,
    /// How many only the first got right.
    pub only_first: u64,
    /// How many only the second got right.
    pub only_second: u64,
    /// `McNemar`'s exact p-value: is one more often right?
    pub mcnemar: Option<f64>,
    /// Why there is none.
    pub no_mcnemar: Option<Reason>,
    /// How much higher the F1 of the first is, mean of labels.
    pub f1_difference: Option<f64>,
    /// The p-value of that difference, from exchanging the two item by item.
    pub permutation: Option<f64>,
    /// Why there is none.
    pub no_permutation: Option<Reason>,
}

/// What a rater comes to on a label.
type Measure = fn(&Contingency<u32>, &u32) -> Result<agreement::Coefficient, Undefined>;

/// Measures all others against the rater who was named, if one was.
pub(super) fn of(
    understood: &Understood,
    ratings: &Ratings<u32>,
    options: &Options,
    level: Level,
    resamples: impl Fn(&Patterns, Needs) -> u32,
) -> Result<Option<AgainstGold>, Misuse> {
    let Some(asked) = &options.gold else { return Ok(None) };
    let gold = understood.rater(asked)?;
    let others: Vec<usize> = (0..ratings.raters()).filter(|rater| *rater != gold).collect();
    let name = |rater: usize| understood.raters.get(rater).cloned().unwrap_or_default();
    let needs = Needs { table: true, ..Needs::default() };
    let model = |&rater: &usize| {
        let patterns = Patterns::of(&ratings.with_raters(&[rater, gold]));
        let table = patterns.whole(needs).table;
        let draws = Draws { count: resamples(&patterns, needs), seed: options.seed, level };
        let labels = labels(&patterns, &table, &understood.categories, draws);
        ModelAgainstGold {
            rater: name(rater),
            items: table.total(),
            resamples: draws.count,
            labels,
        }
    };
    let pairs = others.iter().enumerate().flat_map(|(place, first)| {
        others.iter().skip(place + 1).map(move |second| (*first, *second))
    });
    let pairs = pairs.map(|(first, second)| {
        let compared = Compared::of(ratings, [gold, first, second]);
        compared.pair([name(first), name(second)], options)
    });
    Ok(Some(AgainstGold {
        rater: asked.clone(),
        models: others.iter().map(model).collect(),
        pairs: pairs.collect(),
    }))
}

/// How intervals are drawn.
#[derive(Clone, Copy)]
struct Draws {
    count: u32,
    seed: u64,
    level: Level,
}

fn labels(
    patterns: &Patterns,
    table: &Contingency<u32>,
    names: &[String],
    draws: Draws,
) -> Vec<LabelAgainstGold> {
    const MEASURES: [Measure; 3] = [precision, recall, f1];
    let needs = Needs { table: true, ..Needs::default() };
    let codes: Vec<u32> = table.categories().into_iter().copied().collect();
    let mut replicates = vec![[const { Vec::new() }; 3]; codes.len()];
    for sample in patterns.samples(draws.count, draws.seed, needs) {
        for (code, replicates) in codes.iter().zip(&mut replicates) {
            for (measure, values) in MEASURES.iter().zip(replicates) {
                values.extend(measure(&sample.table, code).map(|share| share.value));
            }
        }
    }
    codes
        .iter()
        .zip(replicates)
        .map(|(code, replicates)| {
            let [precision, recall, f1] = {
                let mut measures = MEASURES.iter();
                replicates.map(|values: Vec<f64>| {
                    let value =
                        measures.next().map_or(Err(Undefined::CategoryNotUsed), |measure| {
                            measure(table, code).map(|share| share.value)
                        });
                    share(value, values, draws)
                })
            };
            let place = usize::try_from(*code).ok();
            LabelAgainstGold {
                category: place.and_then(|place| names.get(place)).cloned().unwrap_or_default(),
                gold: table.column_total(code),
                found: table.row_total(code),
                precision,
                recall,
                f1,
            }
        })
        .collect()
}

fn share(value: Result<f64, Undefined>, replicates: Vec<f64>, draws: Draws) -> ShareOfLabel {
    let with_value = u32::try_from(replicates.len()).unwrap_or(draws.count);
    let interval = value
        .ok()
        .and_then(|value| Bootstrap::of(value, replicates, draws.count - with_value).ok())
        .map(|bootstrap| bootstrap.percentile(draws.level));
    ShareOfLabel {
        value: value.ok(),
        undefined: value.err().map(Reason::from),
        lower: interval.map(|interval| interval.lower),
        upper: interval.map(|interval| interval.upper),
    }
}

/// What two said about the items that they and the one who is right have rated.
struct Compared {
    /// Where the two say the same: they, and the one who is right.
    alike: Contingency<u32>,
    /// Where they do not: the one who is right, the first and the second.
    apart: Vec<[u32; 3]>,
}

impl Compared {
    fn of(ratings: &Ratings<u32>, raters: [usize; 3]) -> Self {
        let (mut alike, mut apart) = (Contingency::new(), Vec::new());
        for item in 0..ratings.items() {
            match raters.map(|rater| ratings.rating(item, rater).copied()) {
                [Some(gold), Some(first), Some(second)] if first == second => {
                    alike.add(first, gold);
                }
                [Some(gold), Some(first), Some(second)] => apart.push([gold, first, second]),
                _ => {}
            }
        }
        Self { alike, apart }
    }

    fn pair(&self, [first, second]: [String; 2], options: &Options) -> ModelPair {
        let only =
            |is_right: fn(&&[u32; 3]) -> bool| count64(self.apart.iter().filter(is_right).count());
        let only_first = only(|[gold, first, _]| gold == first);
        let only_second = only(|[gold, _, second]| gold == second);
        let mcnemar = mcnemar_exact(only_first, only_second);
        let permutation = self.permutation(options);
        ModelPair {
            first,
            second,
            items: self.alike.total() + count64(self.apart.len()),
            only_first,
            only_second,
            mcnemar: mcnemar.ok(),
            no_mcnemar: mcnemar.err().map(Reason::from),
            f1_difference: self.difference(repeat(false)).ok(),
            permutation: permutation.ok().map(|test| test.p_value),
            no_permutation: permutation.err().map(Reason::from),
        }
    }

    /// Whether the difference of the two in F1, mean of labels, is more than who is called which. To
    /// exchange them where they say the same changes nothing.
    fn permutation(&self, options: &Options) -> Result<PermutationTest, Undefined> {
        self.difference(repeat(false))?;
        match self.apart.len() {
            0 => return Err(Undefined::NoVariance),
            apart if apart > MOST_EXCHANGED => return Err(Undefined::TooManyPositions),
            _ => {}
        }
        let resampling =
            Resampling { resamples: options.resamples.unwrap_or(EXCHANGES), seed: options.seed };
        permutation_test(self.apart.len(), resampling, |exchanged| {
            self.difference(exchanged.iter().copied())
        })
    }

    /// How much higher the F1 of the first is, mean of labels, if on some items the two are exchanged.
    fn difference(&self, exchanged: impl Iterator<Item = bool> + Clone) -> Result<f64, Undefined> {
        let table = |is_first: bool| {
            let mut table = self.alike.clone();
            for ([gold, first, second], exchanged) in self.apart.iter().zip(exchanged.clone()) {
                table.add(if is_first == exchanged { *second } else { *first }, *gold);
            }
            table
        };
        Ok(mean_f1(&table(true))? - mean_f1(&table(false))?)
    }
}

/// The mean of all labels that one of the two used: one that only one of them used has 0.
fn mean_f1(table: &Contingency<u32>) -> Result<f64, Undefined> {
    let (mut sum, mut labels) = (0.0, 0.0);
    for label in table.categories() {
        sum += f1(table, label)?.value;
        labels += 1.0;
    }
    if labels > 0.0 { Ok(sum / labels) } else { Err(Undefined::NoSharedPositions) }
}
