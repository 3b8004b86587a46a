//! What is answered to a question: one of its choices, several of them, or a number on its scale.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Code, Error, LabelId, LabelSet, base::to_f64, check_name};

/// What answers to a question are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub enum AnswerKind {
    /// One of its choices.
    #[default]
    One,
    /// One or more of its choices.
    Several,
    /// A number on a scale.
    Number(Scale),
}

impl AnswerKind {
    /// Refuses another kind where there may be answers: these would become others. A scale may become
    /// longer, and its ends be named anew.
    pub fn check_becomes(&self, new: &Self) -> Result<(), Error> {
        let stays = match (self, new) {
            (Self::One, Self::One) | (Self::Several, Self::Several) => true,
            (Self::Number(old), Self::Number(new)) => new.continues(old),
            _ => false,
        };
        let why = "answers keep their kind, a scale its least number and its step; it can be made \
                   longer";
        if stays { Ok(()) } else { Err(Code::Unsuitable.of("answers", why)) }
    }
}

/// Numbers at equal steps, from the least to the greatest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Scale {
    /// The least number, in units of the last decimal.
    least: i64,
    /// From one number to the next, in the same units; above 0.
    step: i64,
    /// How many steps there are from the least number to the greatest.
    pub steps: u16,
    decimals: u8,
    /// What the least number and the greatest mean; empty where that is not said.
    pub ends: [String; 2],
}

impl Scale {
    /// The most steps of a scale.
    pub const MOST_STEPS: u16 = 1_000;
    const MOST_DECIMALS: usize = 4;
    /// Up to here every number with these decimals is exact as a float.
    const GREATEST: i64 = 1_000_000_000;

    /// A scale as a form has it; checked.
    pub fn typed([least, greatest, step]: [&str; 3], ends: [&str; 2]) -> Result<Self, Error> {
        let read = |field: &'static str, text: &str| {
            let why = "a number of at most 4 decimals, up to 1,000,000,000";
            Decimal::read(text).ok_or_else(|| Code::Unsuitable.of(field, why))
        };
        let (least, greatest) = (read("least", least)?, read("greatest", greatest)?);
        let step = read("step", if step.trim().is_empty() { "1" } else { step })?;
        let places = least.places.max(greatest.places).max(step.places);
        let [least, greatest, step] = [least, greatest, step].map(|number| number.scaled(places));
        if step <= 0 {
            return Err(Code::Unsuitable.of("step", "a step is above 0"));
        }
        let length = greatest - least;
        if length <= 0 || length % step != 0 {
            let why = "above the least number by a whole number of steps";
            return Err(Code::Unsuitable.of("greatest", why));
        }
        let steps = u16::try_from(length / step).ok().filter(|it| *it <= Self::MOST_STEPS);
        let steps =
            steps.ok_or_else(|| Code::TooMany.of("step", "a scale has at most 1,000 steps"))?;
        let named = |field, text| check_name(field, "what an end means", text, 0..=64);
        let ends = [named("least_means", ends[0])?, named("greatest_means", ends[1])?];
        Ok(Self { least, step, steps, decimals: u8::try_from(places).unwrap_or(0), ends })
    }

    /// The scale as it is kept: least number, step, steps, decimals.
    pub fn stored(&self) -> [i64; 4] {
        [self.least, self.step, self.steps.into(), self.decimals.into()]
    }

    /// The scale as it was [stored](Self::stored); none if that was no scale.
    pub fn from_stored(
        [least, step, steps, decimals]: [i64; 4],
        ends: [String; 2],
    ) -> Option<Self> {
        let steps = u16::try_from(steps).ok()?;
        let decimals = u8::try_from(decimals).ok()?;
        (step > 0).then_some(Self { least, step, steps, decimals, ends })
    }

    /// Whether answers on the other scale are the same numbers on this one.
    fn continues(&self, other: &Self) -> bool {
        (self.least, self.step, self.decimals) == (other.least, other.step, other.decimals)
            && self.steps >= other.steps
    }

    /// The number at a place, counted in steps from the least, as it is written; none beyond the scale.
    pub fn text(&self, place: u16) -> Option<String> {
        (place <= self.steps).then(|| self.written(self.units(place)))
    }

    /// The step as it is written.
    pub fn step(&self) -> String {
        self.written(self.step)
    }

    /// The number at a place.
    pub fn score(&self, place: u16) -> f64 {
        let units = self.units(place);
        let size = to_f64(units.unsigned_abs()) / to_f64(10_u64.pow(self.decimals.into()));
        if units < 0 { -size } else { size }
    }

    /// Whether ratios of its numbers mean something as far as the scale says: none lies below 0.
    pub const fn has_ratios(&self) -> bool {
        self.least >= 0
    }

    /// The place of a number that somebody wrote; none if it is not on the scale.
    pub fn place(&self, text: &str) -> Option<u16> {
        let number = Decimal::read(text)?;
        let decimals = usize::from(self.decimals);
        (number.places <= decimals).then_some(())?;
        let above = number.scaled(decimals) - self.least;
        let place = u16::try_from(above / self.step).ok()?;
        (above % self.step == 0 && above >= 0 && place <= self.steps).then_some(place)
    }

    fn units(&self, place: u16) -> i64 {
        self.least + self.step * i64::from(place)
    }

    fn written(&self, units: i64) -> String {
        let decimals = usize::from(self.decimals);
        let sign = if units < 0 { "-" } else { "" };
        let digits = format!("{:0>width$}", units.unsigned_abs(), width = decimals + 1);
        let (whole, part) = digits.split_at(digits.len() - decimals);
        let dot = if part.is_empty() { "" } else { "." };
        format!("{sign}{whole}{dot}{part}")
    }
}

/// A number as it was written, without an exponent.
#[derive(Clone, Copy)]
struct Decimal {
    units: i64,
    places: usize,
}

impl Decimal {
    /// Reads "-1.50" as −15 tenths; none if it is not of that form, or too large.
    fn read(text: &str) -> Option<Self> {
        let text = text.trim().replace('−', "-");
        let (sign, digits) = text.strip_prefix('-').map_or((1, &*text), |digits| (-1, digits));
        let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
        let part = part.trim_end_matches('0');
        let is_written = !whole.is_empty() && (whole.len() + part.len()) <= 18;
        let all = format!("{whole}{part}");
        if !is_written || !all.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let units: i64 = all.parse().ok()?;
        let whole: i64 = whole.parse().ok()?;
        let fits = part.len() <= Scale::MOST_DECIMALS && whole <= Scale::GREATEST;
        fits.then_some(Self { units: sign * units, places: part.len() })
    }

    /// In units of a decimal that is no earlier than its last.
    fn scaled(self, places: usize) -> i64 {
        let missing = u32::try_from(places.saturating_sub(self.places)).unwrap_or(0);
        self.units * 10_i64.pow(missing)
    }
}

/// An answer: the number of a choice, a place on a scale, or a set of choices. It is kept as one
/// number, a set as a bit for each choice beside one that says so, which no other answer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Answer(i64);

impl From<u16> for Answer {
    fn from(number: u16) -> Self {
        Self(number.into())
    }
}

/// The answer that is kept as a number.
impl TryFrom<i64> for Answer {
    type Error = Error;

    fn try_from(stored: i64) -> Result<Self, Error> {
        let is_one = u16::try_from(stored).is_ok();
        let is_answer = is_one || stored > Self::SEVERAL;
        let why = "no answer is kept as this number";
        if is_answer { Ok(Self(stored)) } else { Err(Code::Unknown.of("choice", why)) }
    }
}

impl Answer {
    /// How many choices a question for several can ever have had.
    pub const MOST_SEVERAL: u16 = 62;
    const SEVERAL: i64 = 1 << Self::MOST_SEVERAL;

    /// Several choices, or one of several; none of no choice, or of one whose number is too high.
    pub fn several(numbers: impl IntoIterator<Item = u16>) -> Option<Self> {
        let mut answer = Self::SEVERAL;
        for number in numbers {
            answer |= (number < Self::MOST_SEVERAL).then(|| 1_i64 << number)?;
        }
        (answer > Self::SEVERAL).then_some(Self(answer))
    }

    /// Whether it is a set of choices.
    pub const fn is_several(self) -> bool {
        self.0 > Self::SEVERAL
    }

    /// The numbers of its choices, or its place on a scale.
    pub fn numbers(self) -> impl Iterator<Item = u16> {
        let single = u16::try_from(self.0).ok();
        let bits = if self.is_several() { self.0 } else { 0 };
        let of_set = (0..Self::MOST_SEVERAL).filter(move |number| bits >> number & 1 == 1);
        single.into_iter().chain(of_set)
    }

    /// The number of the only choice, or the place on a scale; none of a set.
    pub fn single(self) -> Option<u16> {
        u16::try_from(self.0).ok()
    }

    /// The number it is kept as.
    pub const fn stored(self) -> i64 {
        self.0
    }

    /// What stands for it where raters are compared on a question, in the place of labels: a category for each
    /// choice.
    pub fn categories(self) -> LabelSet {
        self.numbers().map(|number| LabelId(number.into())).collect()
    }
}

/// An answer in the words that a file, or a gold standard that is locked, has for it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AnswerWords {
    /// One choice.
    One(String),
    /// One or more choices of a question that several may be chosen of, each once.
    Several(Vec<String>),
    /// A number on a scale, in decimal digits.
    Number(String),
}

impl AnswerWords {
    /// The words of each choice, or of the only one.
    pub const fn words(&self) -> &[String] {
        match self {
            Self::One(words) | Self::Number(words) => std::slice::from_ref(words),
            Self::Several(words) => words.as_slice(),
        }
    }
}

/// The choices of several have commas between.
impl fmt::Display for AnswerWords {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.words().join(", "))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn scale(numbers: [&str; 3]) -> Result<Scale, Error> {
        Scale::typed(numbers, ["", ""])
    }

    #[test]
    fn numbers_stand_on_a_scale_exactly_as_they_are_written() {
        let halves = scale(["-1", "1.50", "0.5"]).unwrap();
        let texts: Vec<_> = (0..=halves.steps).filter_map(|place| halves.text(place)).collect();
        assert_eq!(texts, ["-1.0", "-0.5", "0.0", "0.5", "1.0", "1.5"]);
        assert_eq!((halves.text(6), halves.step()), (None, "0.5".to_owned()));
        assert!((halves.score(1) + 0.5).abs() < f64::EPSILON && !halves.has_ratios());
        for (text, place) in
            [("−1", Some(0)), ("0.50", Some(3)), ("0.4", None), ("2", None), ("-1.5", None)]
        {
            assert_eq!(halves.place(text), place, "{text}");
        }
        let ages = scale(["0", "120", ""]).unwrap();
        assert_eq!((ages.steps, ages.place("37"), ages.has_ratios()), (120, Some(37), true));
    }

    #[test]
    fn a_scale_is_refused_by_the_field_that_is_wrong() {
        for (numbers, field) in [
            (["", "1", "1"], "least"),
            (["0", "1e3", "1"], "greatest"),
            (["0", "1", "0"], "step"),
            (["0", "1", "-1"], "step"),
            (["1", "1", "1"], "greatest"),
            (["0", "1", "0.3"], "greatest"),
            (["0", "1", "0.00001"], "step"),
            (["0", "1", "0.001"], ""),
            (["0", "1.001", "0.001"], "step"),
            (["-1000000000", "1000000000", "2000000"], ""),
        ] {
            let found = scale(numbers);
            let refused = found.err().map_or_else(String::new, |error| match error {
                Error::Invalid { field, .. } => field,
                other => panic!("{other}"),
            });
            assert_eq!(refused, field, "{numbers:?}");
        }
    }

    #[test]
    fn a_scale_can_only_become_longer() {
        let of = |numbers| AnswerKind::Number(scale(numbers).unwrap());
        let five = of(["1", "5", "1"]);
        assert!(five.check_becomes(&of(["1", "7", "1"])).is_ok());
        for other in
            [of(["1", "4", "1"]), of(["0", "5", "1"]), of(["1", "5", "0.5"]), AnswerKind::One]
        {
            assert!(five.check_becomes(&other).is_err(), "{other:?}");
        }
        assert!(AnswerKind::Several.check_becomes(&AnswerKind::One).is_err());
    }

    proptest! {
        #[test]
        fn an_answer_is_kept_as_one_number(
            numbers in prop::collection::btree_set(0..Answer::MOST_SEVERAL, 1..6), one: u16,
        ) {
            let several = Answer::several(numbers.iter().copied()).unwrap();
            prop_assert!(several.is_several() && !Answer::from(one).is_several());
            prop_assert_eq!(several.numbers().collect::<std::collections::BTreeSet<_>>(), numbers);
            prop_assert_eq!(Answer::from(one).numbers().collect::<Vec<_>>(), [one]);
            for answer in [several, one.into()] {
                prop_assert_eq!(Answer::try_from(answer.stored()), Ok(answer));
            }
        }
    }

    #[test]
    fn what_is_no_answer_is_not_read_as_one() {
        for stored in [-1, 1 << 16, Answer::SEVERAL, i64::MIN] {
            assert!(Answer::try_from(stored).is_err(), "{stored}");
        }
        assert_eq!(Answer::several([]), None);
        assert_eq!(Answer::several([Answer::MOST_SEVERAL]), None);
    }
}
