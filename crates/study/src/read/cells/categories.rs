//! Categories as small integers: given out as they come, put in order at the end.

use std::collections::{BTreeMap, HashMap};

use agreement::{MISSING, Number, Score};

use super::missing::Missing;
use super::sameness::{difference, key, plain_number};
use crate::read::forms::choice::Choice;
use crate::read::records::Record;
use crate::read::{Level, Options, Warning};
use crate::words::unknown;
use crate::{Error, Misuse, Place, Problem, Refusal, count64};

/// The categories seen so far.
pub(in crate::read) struct Categories {
    known: HashMap<Box<str>, u32>,
    /// On a scale of numbers, `1` and `1.0` are one category.
    numbers: HashMap<u64, u32>,
    names: Vec<String>,
    scores: Vec<Option<Number>>,
    /// Where each stands first, if it does in the file.
    places: Vec<Option<Place>>,
    missing: Missing,
    /// The texts that stood for a gap where numbers are expected.
    gaps: Vec<String>,
    /// The labels for certain, however they read, by code.
    certain: Vec<bool>,
    level: Level,
    /// True if all categories were declared.
    declared: bool,
    /// True if categories are compared as numbers.
    numeric: bool,
}

/// Categories in their order.
pub(in crate::read) struct Ordered {
    pub(in crate::read) names: Vec<String>,
    /// On a scale of numbers, what each stands for.
    pub(in crate::read) scores: Option<Vec<f64>>,
    /// The texts that stood for a gap.
    pub(in crate::read) missing: Vec<String>,
    pub(in crate::read) warnings: Vec<Warning>,
    /// What each code as it was given out becomes.
    moved: Vec<u32>,
}

impl Categories {
    pub(in crate::read) fn new(options: &Options) -> Result<Self, Misuse> {
        let ordered_words = options.level == Level::Ordinal && !options.categories.is_empty();
        let mut categories = Self {
            known: HashMap::new(),
            numbers: HashMap::new(),
            names: Vec::new(),
            scores: Vec::new(),
            places: Vec::new(),
            missing: options.missing.clone(),
            gaps: Vec::new(),
            certain: Vec::new(),
            level: options.level,
            declared: false,
            numeric: options.level > Level::Nominal && !ordered_words,
        };
        for (place, name) in options.categories.iter().enumerate() {
            if categories.known.contains_key(name.as_str()) {
                return Err(Misuse::Twice(name.clone()));
            }
            let added =
                categories.add(name, None).map_err(|_| unknown(name, "a number", &["numbers"]))?;
            if usize::try_from(added) != Ok(place) {
                return Err(Misuse::Twice(name.clone()));
            }
        }
        categories.declared = !options.categories.is_empty();
        Ok(categories)
    }

    /// The code of the category in a field; [`MISSING`] if the field is empty, or holds what can be
    /// none.
    pub(in crate::read) fn code(&mut self, record: &Record, column: usize) -> Result<u32, Error> {
        let text = record.field(column);
        if text.is_empty() {
            return Ok(MISSING);
        }
        if let Some(&code) = self.known.get(text) {
            return Ok(code);
        }
        if text.contains('\0') {
            return Err(record.refuse(column, Problem::Nul));
        }
        let is_other = self.declared || self.numeric && plain_number(text).is_none();
        if self.missing.is_asked(text) || is_other && self.missing.may_be(text) {
            if !self.gaps.iter().any(|gap| gap == text) {
                self.gaps.push(text.to_owned());
            }
            return Ok(MISSING);
        }
        let code = self.find_or_add(text, Some(record.place(column)));
        code.map_err(|problem| record.refuse(column, problem))
    }

    /// The code of what is a category even if it reads as missing.
    pub(in crate::read) fn label(
        &mut self,
        text: &str,
        place: Option<Place>,
    ) -> Result<u32, Error> {
        let code = self.find_or_add(text, place);
        let code = code.map_err(|problem| Refusal { place, problem })?;
        self.certain.resize(self.names.len(), false);
        let own = usize::try_from(code).ok();
        if let Some(is_certain) = own.and_then(|own| self.certain.get_mut(own)) {
            *is_certain = true;
        }
        Ok(code)
    }

    fn find_or_add(&mut self, text: &str, place: Option<Place>) -> Result<u32, Problem> {
        match self.known.get(text) {
            Some(&code) => Ok(code),
            None if self.known.len() < MOST_NAMES => self.add(text, place),
            None => Err(Problem::TooMany),
        }
    }

    fn add(&mut self, text: &str, place: Option<Place>) -> Result<u32, Problem> {
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
                Some(number) if number == 0.0 || (1e-9..1e15).contains(&number.abs()) => {
                    number.to_string()
                }
                Some(number) => format!("{number:e}"),
                None => text.to_owned(),
            };
            self.names.push(name);
            self.scores.push(number);
            self.places.push(place);
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

    /// Numbers in the order of numbers, words in that of the alphabet, declared ones as they were;
    /// without those that stand for a gap in these columns of codes.
    pub(in crate::read) fn ordered(self, columns: &[Vec<u32>]) -> Result<Ordered, Error> {
        let mut missing = self.gaps.clone();
        let gaps =
            if self.declared || self.numeric { Vec::new() } else { self.find_gaps(columns)? };
        missing.extend(gaps.iter().filter_map(|&gap| self.names.get(gap).cloned()));
        let mut order: Vec<usize> =
            (0..self.names.len()).filter(|place| !gaps.contains(place)).collect();
        let merged = self.merge(&mut order);
        let warnings = self.similar(&order);
        let score = |place: &usize| self.scores.get(*place).copied().flatten();
        let numeric = order.iter().all(|place| score(place).is_some());
        if numeric && (!self.declared || self.numeric) {
            order.sort_by_key(|place| (score(place), self.names.get(*place)));
        } else if !self.declared {
            order.sort_by_key(|place| self.names.get(*place));
        }
        let mut moved = vec![MISSING; self.names.len()];
        for (rank, &place) in (0_u32..).zip(&order) {
            if let Some(moved) = moved.get_mut(place) {
                *moved = rank;
            }
        }
        for (place, into) in merged {
            let rank = moved.get(into).copied();
            if let (Some(moved), Some(rank)) = (moved.get_mut(place), rank) {
                *moved = rank;
            }
        }
        let names = order.iter().filter_map(|&place| self.names.get(place).cloned()).collect();
        let scores = order.iter().map(|place| score(place).map(value));
        let scores = if self.numeric { scores.collect::<Option<Vec<f64>>>() } else { None };
        Ok(Ordered { names, scores: scores.map(in_reach), missing, warnings, moved })
    }

    /// The names that stand for a gap; a refusal if that cannot be told of one.
    fn find_gaps(&self, columns: &[Vec<u32>]) -> Result<Vec<usize>, Refusal> {
        let mut verdicts = self.missing.verdicts(&self.names, columns);
        let is_certain = |place: &usize| self.certain.get(*place) == Some(&true);
        verdicts.gaps.retain(|place| !is_certain(place));
        verdicts.doubtful.retain(|place| !is_certain(place));
        let Some(&first) = verdicts.doubtful.first() else { return Ok(verdicts.gaps) };
        let named = |places: &[usize]| {
            let names = places.iter().filter_map(|&place| self.names.get(place)).cloned();
            names.collect::<Vec<_>>().join(",")
        };
        let (doubtful, gaps) = (named(&verdicts.doubtful), named(&verdicts.gaps));
        let choice = |reading: String, value: String| Choice {
            reading,
            options: vec![("missing".to_owned(), value)],
            preview: Vec::new(),
        };
        let problem = Problem::Ambiguous(vec![
            choice(format!("a table in which “{doubtful}” is a label"), format!("={gaps}")),
            choice(format!("one in which “{doubtful}” stands for a missing rating"), doubtful),
        ]);
        Err(Refusal { place: self.places.get(first).copied().flatten(), problem })
    }

    /// Takes away names that are another spelling of one that stays, where all names are numbers, or
    /// all say whether something is true: the answer is which is which.
    fn merge(&self, order: &mut Vec<usize>) -> Vec<(usize, usize)> {
        if self.declared || self.numeric {
            return Vec::new();
        }
        let name = |place: &usize| self.names.get(*place).map_or("", String::as_str);
        let is_truth =
            |text: &str| ["true", "false"].iter().any(|it| text.eq_ignore_ascii_case(it));
        let same = |place: &usize| match plain_number(name(place)) {
            Some(number) => number,
            None => name(place).to_lowercase(),
        };
        let is_one_kind = order.iter().all(|place| plain_number(name(place)).is_some())
            || order.iter().all(|place| is_truth(name(place)));
        if !is_one_kind {
            return Vec::new();
        }
        let mut kept: BTreeMap<String, usize> = BTreeMap::new();
        for place in order.iter() {
            let one = kept.entry(same(place)).or_insert(*place);
            if name(place).len() < name(one).len() {
                *one = *place;
            }
        }
        let into: Vec<(usize, usize)> = order
            .iter()
            .filter_map(|place| Some((*place, *kept.get(&same(place))?)))
            .filter(|(place, into)| place != into)
            .collect();
        order.retain(|place| kept.get(&same(place)) == Some(place));
        into
    }

    /// Warnings of names that look the same and are two.
    fn similar(&self, order: &[usize]) -> Vec<Warning> {
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut warnings = Vec::new();
        if self.numeric {
            return warnings;
        }
        for &place in order {
            let Some(name) = self.names.get(place) else { continue };
            let before = *known.entry(key(name)).or_insert(place);
            if before != place {
                let first = self.names.get(before).map_or("", String::as_str);
                let message = format!(
                    "“{}” and “{}” differ only {}, and count as two categories",
                    first.escape_debug(),
                    name.escape_debug(),
                    difference(first, name)
                );
                let at = self.places.get(place).copied().flatten();
                warnings.push(Warning::new("similar_labels", at, message));
            }
        }
        let more = count64(warnings.len()).saturating_sub(MOST_WARNINGS);
        if more > 0 {
            warnings.truncate(usize::try_from(MOST_WARNINGS).unwrap_or(0));
            let message = format!("{more} more categories look like others");
            warnings.push(Warning::new("similar_labels", None, message));
        }
        warnings
    }
}

/// So many warnings of one kind are listed.
const MOST_WARNINGS: u64 = 10;

/// Numbers that can be squared and added: all multiplied by a power of two if they are too large or
/// too small, which changes no coefficient.
fn in_reach(scores: Vec<f64>) -> Vec<f64> {
    let largest = scores.iter().fold(0.0_f64, |most, score| most.max(score.abs()));
    if largest == 0.0 || (1e-60..1e60).contains(&largest) {
        return scores;
    }
    let factor = (-largest.log2().floor()).exp2();
    scores.into_iter().map(|score| score * factor).collect()
}

impl Ordered {
    /// What a code becomes in order.
    pub(in crate::read) fn rank(&self, code: u32) -> u32 {
        let place = usize::try_from(code).ok();
        place.and_then(|place| self.moved.get(place)).copied().unwrap_or(MISSING)
    }
}

/// The most different spellings.
const MOST_NAMES: usize = 1 << 30;

fn value(number: Number) -> f64 {
    number.score()
}
