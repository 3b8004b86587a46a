//! The data of a case, as what the measures read.

use std::collections::BTreeSet;

use agreement::{Contingency, Counts, Item, Number, Ratings, Score};
use serde_json::Value;

/// A category as it stands in a case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Label {
    Number(Number),
    Text(String),
    Flag(bool),
    Set(BTreeSet<Label>),
}

impl Label {
    pub(crate) fn read(value: &Value) -> Option<Self> {
        Some(match value {
            Value::Number(number) => Self::Number(Number::new(number.as_f64()?)?),
            Value::String(text) => Self::Text(text.clone()),
            Value::Bool(flag) => Self::Flag(*flag),
            Value::Array(labels) => {
                Self::Set(labels.iter().map(Self::read).collect::<Option<_>>()?)
            }
            Value::Null | Value::Object(_) => return None,
        })
    }
}

/// Labels that are no numbers have no place on a scale, so that their distances are undefined.
impl Score for Label {
    fn score(&self) -> f64 {
        match self {
            Self::Number(number) => number.score(),
            Self::Text(_) | Self::Flag(_) | Self::Set(_) => f64::NAN,
        }
    }
}

/// A study, in all the forms it can take.
pub(crate) struct Study {
    pub(crate) counts: Counts<Label>,
    /// If it is known who rated what.
    pub(crate) ratings: Option<Ratings<Label>>,
    /// If there are no more than two raters.
    pub(crate) pair: Option<Contingency<Label>>,
    /// The categories in the order in which they were declared, else sorted.
    pub(crate) categories: Vec<Label>,
}

impl Study {
    pub(crate) fn read(data: &Value) -> Option<Self> {
        let declared = match &data["categories"] {
            Value::Array(labels) => {
                Some(labels.iter().map(Label::read).collect::<Option<Vec<_>>>()?)
            }
            _ => None,
        };
        let mut study = match data["kind"].as_str()? {
            "ratings" => Self::of_ratings(
                data["items"].as_array()?.iter().map(|item| Some((ratings(item)?, 1))),
            )?,
            "patterns" => Self::of_ratings(
                data["patterns"]
                    .as_array()?
                    .iter()
                    .map(|row| Some((ratings(&row["ratings"])?, whole(&row["n"])?))),
            )?,
            "contingency" => Self::of_contingency(&data["table"], declared.as_ref()?)?,
            "counts" => Self::of_counts(&data["table"], declared.as_ref()?)?,
            _ => return None,
        };
        if let Some(declared) = declared {
            let items = study.counts.items().to_vec();
            study.counts = Counts::from_items(items, declared.clone()).ok()?;
            study.categories = declared;
        }
        Some(study)
    }

    /// The number of categories to choose from.
    pub(crate) fn choices(&self, params: &Value) -> usize {
        let given = whole(&params["q"]).and_then(|q| usize::try_from(q).ok());
        given.unwrap_or(self.counts.categories().len())
    }

    /// The item that a case is about.
    pub(crate) fn item(&self, params: &Value) -> Option<&Item<Label>> {
        let index = usize::try_from(whole(&params["item"])?).ok()?;
        self.counts.items().get(index).map(|(item, _)| item)
    }

    fn of_ratings(rows: impl Iterator<Item = Option<(Vec<Option<Label>>, u64)>>) -> Option<Self> {
        let ratings = Ratings::from_patterns(rows.collect::<Option<Vec<_>>>()?).ok()?;
        let pair = (ratings.raters() <= 2).then(|| ratings.contingency(0, 1));
        let categories = ratings.categories().to_vec();
        Some(Self { counts: ratings.counts(), ratings: Some(ratings), pair, categories })
    }

    fn of_contingency(rows: &Value, declared: &[Label]) -> Option<Self> {
        let mut table = Contingency::new();
        let mut patterns = Vec::new();
        for (row, counts) in declared.iter().zip(rows.as_array()?) {
            for (column, count) in declared.iter().zip(counts.as_array()?) {
                let count = whole(count)?;
                if count > Contingency::<Label>::CAPACITY - table.total() {
                    return None;
                }
                table.add_count(row.clone(), column.clone(), count);
                if count > 0 {
                    patterns.push(([Some(row.clone()), Some(column.clone())], count));
                }
            }
        }
        Some(Self {
            counts: Counts::from(&table),
            ratings: Some(Ratings::from_patterns(patterns).ok()?),
            categories: Vec::new(),
            pair: Some(table),
        })
    }

    fn of_counts(rows: &Value, declared: &[Label]) -> Option<Self> {
        let row = |row: &Value| row.as_array()?.iter().map(whole).collect::<Option<Vec<_>>>();
        let rows = rows.as_array()?.iter().map(row).collect::<Option<Vec<_>>>()?;
        let counts = Counts::from_table(declared.to_vec(), rows).ok()?;
        Some(Self { counts, ratings: None, pair: None, categories: Vec::new() })
    }
}

/// A count, which may be written as `25.0`.
#[expect(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "checked to be a whole number that has a u64"
)]
fn whole(value: &Value) -> Option<u64> {
    let exact = |number: f64| number >= 0.0 && number < 2_f64.powi(53) && number.fract() == 0.0;
    value.as_u64().or_else(|| value.as_f64().filter(|&n| exact(n)).map(|n| n as u64))
}

fn ratings(item: &Value) -> Option<Vec<Option<Label>>> {
    let rating = |value: &Value| match value {
        Value::Null => Some(None),
        value => Label::read(value).map(Some),
    };
    item.as_array()?.iter().map(rating).collect()
}
