//! Categories as small integers: given out as they come, put in order at the end.

use std::collections::HashMap;

use agreement::{MISSING, Number, Score};

use super::{Level, Options};
use crate::words::unknown;
use crate::{Misuse, Problem};

/// The categories seen so far.
pub(super) struct Categories {
    known: HashMap<Box<str>, u32>,
    /// On a scale of numbers, `1` and `1.0` are one category.
    numbers: HashMap<u64, u32>,
    names: Vec<String>,
    scores: Vec<Option<Number>>,
    missing: Vec<String>,
    level: Level,
    /// Whether all categories were declared.
    declared: bool,
    /// Whether categories are compared as numbers.
    numeric: bool,
}

/// Categories in their order.
pub(super) struct Ordered {
    pub(super) names: Vec<String>,
    /// On a scale of numbers, what each stands for.
    pub(super) scores: Option<Vec<f64>>,
    /// What each code as it was given out becomes.
    moved: Vec<u32>,
}

impl Categories {
    pub(super) fn new(options: &Options) -> Result<Self, Misuse> {
        let ordered_words = options.level == Level::Ordinal && !options.categories.is_empty();
        let mut categories = Self {
            known: HashMap::new(),
            numbers: HashMap::new(),
            names: Vec::new(),
            scores: Vec::new(),
            missing: options.missing(),
            level: options.level,
            declared: false,
            numeric: options.level > Level::Nominal && !ordered_words,
        };
        for (place, name) in options.categories.iter().enumerate() {
            if categories.known.contains_key(name.as_str()) {
                return Err(Misuse::Twice(name.clone()));
            }
            let added =
                categories.add(name).map_err(|_| unknown(name, "a number", &["numbers"]))?;
            if usize::try_from(added) != Ok(place) {
                return Err(Misuse::Twice(name.clone()));
            }
        }
        categories.declared = !options.categories.is_empty();
        Ok(categories)
    }

    /// The code of a category; [`MISSING`] if the text stands for none.
    pub(super) fn code(&mut self, text: &str) -> Result<u32, Problem> {
        let is_missing = text.is_empty() || self.missing.iter().any(|token| token == text);
        if is_missing && !self.known.contains_key(text) {
            return Ok(MISSING);
        }
        self.label(text)
    }

    /// The code of what is a category even if it reads as missing.
    pub(super) fn label(&mut self, text: &str) -> Result<u32, Problem> {
        match self.known.get(text) {
            Some(&code) => Ok(code),
            None if self.known.len() < MOST_NAMES => self.add(text),
            None => Err(Problem::TooMany),
        }
    }

    fn add(&mut self, text: &str) -> Result<u32, Problem> {
        let number = self.number_of(text)?;
        let next = u32::try_from(self.names.len()).map_err(|_| Problem::TooMany)?;
        let code = match number.filter(|_| self.numeric) {
            Some(number) => *self.numbers.entry(value(number).to_bits()).or_insert(next),
            None => next,
        };
        if code == next {
            if self.declared {
                return Err(Problem::NotDeclared(text.to_owned()));
            }
            // However it is spelt where it comes first, a number has one name.
            let name = match number.filter(|_| self.numeric).map(value) {
                Some(number) if number.abs() < 1e15 => number.to_string(),
                Some(number) => format!("{number:e}"),
                None => text.to_owned(),
            };
            self.names.push(name);
            self.scores.push(number);
        }
        self.known.insert(text.into(), code);
        Ok(code)
    }

    /// The number that a category is, if it has to be one or happens to be.
    fn number_of(&self, text: &str) -> Result<Option<Number>, Problem> {
        let parsed = text.parse::<f64>().ok().filter(|parsed| !parsed.is_nan());
        if !self.numeric {
            return Ok(parsed.and_then(Number::new));
        }
        let expected = match self.level {
            Level::Nominal | Level::Ordinal => {
                "numbers, or the order of the categories with --categories"
            }
            Level::Interval => "a number, as distances are measured",
            Level::Ratio => "a number, as ratios are measured",
        };
        let parsed =
            parsed.ok_or_else(|| Problem::NotANumber { text: text.to_owned(), expected })?;
        let number = Number::new(parsed);
        let number = number.ok_or_else(|| Problem::NumberTooLarge(text.to_owned()))?;
        if self.level == Level::Ratio && parsed < 0.0 {
            return Err(Problem::NegativeRatio(text.to_owned()));
        }
        Ok(Some(number))
    }

    /// Numbers in the order of numbers, words in that of the alphabet, declared ones as they were.
    pub(super) fn ordered(self) -> Ordered {
        let mut order: Vec<usize> = (0..self.names.len()).collect();
        let score = |place: &usize| self.scores.get(*place).copied().flatten();
        let numeric = order.iter().all(|place| score(place).is_some());
        if numeric && (!self.declared || self.numeric) {
            order.sort_by_key(|place| (score(place), self.names.get(*place)));
        } else if !self.declared {
            order.sort_by_key(|place| self.names.get(*place));
        }
        let mut moved = vec![MISSING; order.len()];
        for (rank, &place) in (0_u32..).zip(&order) {
            if let Some(moved) = moved.get_mut(place) {
                *moved = rank;
            }
        }
        let names = order.iter().filter_map(|&place| self.names.get(place).cloned()).collect();
        let scores = order.iter().map(|place| score(place).map(value));
        let scores = if self.numeric { scores.collect() } else { None };
        Ordered { names, scores, moved }
    }
}

impl Ordered {
    /// What a code becomes in order.
    pub(super) fn rank(&self, code: u32) -> u32 {
        let place = usize::try_from(code).ok();
        place.and_then(|place| self.moved.get(place)).copied().unwrap_or(MISSING)
    }
}

/// The most different spellings.
const MOST_NAMES: usize = 1 << 30;

fn value(number: Number) -> f64 {
    number.score()
}
