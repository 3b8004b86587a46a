//! Texts that stand for a missing rating, and the evidence whether they do.

use std::collections::{BTreeMap, BTreeSet};

use agreement::MISSING;

use super::sameness::is_number;

/// Texts that no label has.
const GAPS: &[&str] = &[
    "nan", "null", "#n/a", "#null!", "<na>", "nat", "(blank)", "(empty)", "''", "\"\"", "#value!",
    "#div/0!", "#ref!", "[null]", "<null>", "\\n",
];

/// Texts that seldom are labels.
const USUAL: &[&str] = &[
    "na", "n/a", "n.a.", ".", "*", "missing", "none", "-", "--", "---", "–", "—", "..", "...",
    "nil", "nd", "n.d.",
];

/// Texts that may be a label or a gap.
const DOUBTFUL: &[&str] = &["unknown", "?", "??", "unk", "not available", "k.a.", "no answer"];

/// Truth values; no other label belongs beside them.
const TRUTHS: &[&str] = &["true", "false", "yes", "no"];

/// Numbers that stand for a gap among other numbers.
const NUMBERS: &[&str] = &["-1", "-9", "-99", "-999", "9", "99", "999", "9999"];

/// More is no rest that is missing.
const MOST_OF: usize = 4;

/// The texts for missing ratings that options name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Missing {
    /// The texts for a missing rating, in small letters.
    asked: Vec<String>,
    /// True if no other text stands for one.
    is_all: bool,
}

impl Missing {
    /// Texts that are added to the usual ones, or take their place if the first begins with `=`.
    pub fn of<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut missing = Self::default();
        for text in texts {
            missing.add(text);
        }
        missing
    }

    /// Adds a text.
    pub fn add(&mut self, text: &str) {
        let rest = text.strip_prefix('=').filter(|_| !self.is_all && self.asked.is_empty());
        self.is_all |= rest.is_some();
        let text = rest.unwrap_or(text).trim();
        if !text.is_empty() {
            self.asked.push(text.to_lowercase());
        }
    }

    /// True if the text is asked for, or may be a gap.
    pub(in crate::read) fn may_be(&self, text: &str) -> bool {
        self.is_asked(text) || !self.is_all && is_known(text)
    }

    pub(in crate::read) fn is_asked(&self, text: &str) -> bool {
        self.asked.contains(&text.to_lowercase())
    }

    /// True if a first line with this text is none of names.
    pub(in crate::read) fn is_gap_in_header(&self, text: &str) -> bool {
        let is_usual = !self.is_all && ["NA", ".", "*"].contains(&text);
        text.is_empty() || is_usual || self.is_asked(text)
    }

    /// Which of the names stand for a gap, as the ratings show.
    pub(in crate::read) fn verdicts(&self, names: &[String], columns: &[Vec<u32>]) -> Verdicts {
        let mut verdicts = Verdicts::default();
        let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (place, name) in names.iter().enumerate() {
            if self.is_asked(name) {
                verdicts.gaps.push(place);
            } else if !self.is_all && (is_known(name) || NUMBERS.contains(&name.as_str())) {
                groups.entry(name.to_lowercase()).or_default().push(place);
            }
        }
        if groups.is_empty() {
            return verdicts;
        }
        let is_other =
            |(place, name): &(usize, &String)| !verdicts.gaps.contains(place) && !is_known(name);
        let rest: Vec<(usize, &String)> = names.iter().enumerate().filter(is_other).collect();
        let mut counts = vec![0_usize; names.len()];
        for code in columns.iter().flatten() {
            let count = usize::try_from(*code).ok().and_then(|place| counts.get_mut(place));
            if let Some(count) = count {
                *count += 1;
            }
        }
        let of = |places: &[usize]| places.iter().filter_map(|&it| counts.get(it)).sum::<usize>();
        for (text, places) in groups {
            let labels: Vec<(usize, &String)> =
                rest.iter().filter(|(place, _)| !places.contains(place)).copied().collect();
            let others = of(&labels.iter().map(|(place, _)| *place).collect::<Vec<_>>());
            let evidence = Evidence {
                said: of(&places),
                others,
                labels: labels.iter().map(|(_, name)| name.as_str()).collect(),
                // Spelled so by Python, which has no other word for nothing.
                is_python: places
                    .iter()
                    .all(|&it| names.get(it).is_some_and(|name| name == "None")),
                is_contested: is_contested(&places, columns),
            };
            match evidence.verdict(&text) {
                Verdict::Gap => verdicts.gaps.extend(places),
                Verdict::Label => {}
                Verdict::Either => verdicts.doubtful.extend(places),
            }
        }
        verdicts
    }
}

/// Names that stand for a gap, or may do so.
#[derive(Debug, Default, PartialEq, Eq)]
pub(in crate::read) struct Verdicts {
    pub(in crate::read) gaps: Vec<usize>,
    /// Gaps or labels.
    pub(in crate::read) doubtful: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Gap,
    Label,
    Either,
}

/// The evidence whether a text is a label.
struct Evidence<'a> {
    /// How often it was said.
    said: usize,
    /// How often all others were said that are labels for certain.
    others: usize,
    labels: BTreeSet<&'a str>,
    is_python: bool,
    /// True if several raters say it of one item, as they say labels.
    is_contested: bool,
}

impl Evidence<'_> {
    fn verdict(&self, text: &str) -> Verdict {
        if GAPS.contains(&text) {
            return Verdict::Gap;
        }
        if self.labels.is_empty() {
            return if USUAL.contains(&text) { Verdict::Gap } else { Verdict::Label };
        }
        let numbers = self.labels.iter().filter(|label| is_number(label)).count();
        let (all_numbers, no_number) = (numbers == self.labels.len(), numbers == 0);
        let mean = self.others / self.labels.len();
        let is_rare = self.said * MOST_OF <= self.said + self.others && self.said < mean.max(1);
        if NUMBERS.contains(&text) {
            return self.of_number(text, all_numbers, no_number, is_rare);
        }
        let is_truth = |label: &&str| TRUTHS.contains(&label.to_lowercase().as_str());
        if all_numbers || self.labels.iter().all(is_truth) && USUAL.contains(&text) {
            return Verdict::Gap;
        }
        let is_sign = text.chars().all(|sign| ['-', '–', '—'].contains(&sign));
        if is_sign && self.labels.contains("+") {
            return Verdict::Label;
        }
        let is_usual = USUAL.contains(&text) && (text != "none" || self.is_python) && text != "nil";
        let is_label = if self.is_contested {
            !is_usual || is_sign
        } else {
            !is_rare && (!is_usual || is_sign)
        };
        match (is_label, is_usual, self.is_contested) {
            (true, _, _) => Verdict::Label,
            (false, true, false) => Verdict::Gap,
            (false, _, _) => Verdict::Either,
        }
    }

    /// A number among words is a gap; among numbers it is one far from all others.
    fn of_number(&self, text: &str, all_numbers: bool, no_number: bool, is_rare: bool) -> Verdict {
        if no_number {
            return match (self.is_contested, is_rare) {
                (false, true) => Verdict::Gap,
                _ => Verdict::Either,
            };
        }
        let parsed: Vec<f64> = self.labels.iter().filter_map(|label| label.parse().ok()).collect();
        let least = parsed.iter().copied().fold(f64::INFINITY, f64::min);
        let most = parsed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let own = text.parse::<f64>().unwrap_or_default();
        let is_scale = least < 0.0 || text == "-1" && least >= 0.0 && most <= 1.0;
        let is_far = own < 0.0 && least >= 0.0 && !is_scale || own > 9.0 && most < 10.0;
        match (all_numbers && is_far, self.is_contested || !is_rare) {
            (false, _) => Verdict::Label,
            (true, false) if own.abs() > 9.0 => Verdict::Gap,
            (true, _) => Verdict::Either,
        }
    }
}

/// True if a cell is empty, or holds what usually stands for a gap.
pub(in crate::read) fn is_usual(cell: &str) -> bool {
    let lower = cell.to_lowercase();
    cell.is_empty()
        || GAPS.contains(&lower.as_str())
        || ["na", "n/a", ".", "*"].contains(&lower.as_str())
        || cell == "None"
}

/// True if the text may stand for a gap.
fn is_known(text: &str) -> bool {
    let lower = text.to_lowercase();
    [GAPS, USUAL, DOUBTFUL].iter().any(|known| known.contains(&lower.as_str()))
}

/// True if raters say this of the same items, as they do with labels: where one says it, another does,
/// too, in two of five cases; or all say it of an item, and it is a third of all that is said.
fn is_contested(places: &[usize], columns: &[Vec<u32>]) -> bool {
    let is_it = |code: u32| usize::try_from(code).is_ok_and(|code| places.contains(&code));
    let items = columns.iter().map(Vec::len).max().unwrap_or(0);
    let (mut said, mut ratings, mut unanimous) = (0_usize, 0_usize, 0_usize);
    let (mut together, mut beside) = (0_usize, 0_usize);
    let mut rest = BTreeSet::new();
    for item in 0..items {
        let codes = columns.iter().filter_map(|column| column.get(item)).copied();
        let codes: Vec<u32> = codes.filter(|&code| code != MISSING).collect();
        let own = codes.iter().filter(|&&code| is_it(code)).count();
        let others = codes.len().saturating_sub(1);
        (said, ratings) = (said + own, ratings + codes.len());
        together += own * own.saturating_sub(1);
        beside += own * others;
        unanimous += usize::from(own > 1 && own == codes.len());
        rest.insert(codes.len() - own);
    }
    let is_frequent = together * 5 >= beside * 2;
    if unanimous > 0 {
        return is_frequent || said * 3 >= ratings;
    }
    // Where as many rate each item, the others were not asked.
    let is_planned = rest.len() == 1 || said * 2 > ratings;
    !is_planned && together > 2 && said * 10 >= ratings && is_frequent
}
