//! From a study and a scenario to the numbers of the matrix.

use agreement::{
    Contingency, Item, ManyMeasure, NominalTally, PairMeasure, PairTally, Policy, Undefined, align,
    inference::cohen_kappa_estimate,
};

use crate::{
    Document, Position, Rules, Scenario, Study,
    categories::{Categories, NOTHING},
};

/// What agreement comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Prediction {
    /// The project's revision that it was made from.
    pub revision: u64,
    /// Pairs in the order of the raters, then each rater against others, then all labelers.
    pub rows: Vec<Row>,
}

/// One number with what it rests on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Row {
    /// What it is of.
    pub subject: Subject,
    /// What it rests on.
    pub basis: Basis,
    /// The value, or why there is none.
    pub value: Result<Value, Lack>,
}

/// What a number is of; raters by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Two raters, the one that comes first in the matrix first.
    Pair(u64, u64),
    /// A rater against all labelers: the counts of the pairs are added up.
    WithLabelers(u64),
    /// A rater against all reviewers.
    WithReviewers(u64),
    /// All labelers at once.
    Labelers(ManyMeasure),
}

/// What a number rests on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Basis {
    /// Positions that were counted, once for each pair.
    pub n: u64,
    /// Positions that both judged; of all labelers, those that at least two judged.
    pub both: u64,
    /// Positions that at least one judged.
    pub positions: u64,
    /// Documents that were compared, once for each pair.
    pub documents: u64,
}

/// A value, with its 95 % interval where a formula gives one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The coefficient.
    pub value: f64,
    /// Of κ, after Fleiss, Cohen and Everitt (1969).
    pub interval: Option<(f64, f64)>,
}

/// Why there is no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// There is no document that both have worked on.
    SharedDocuments,
    /// There is no position that both have judged.
    SharedPositions,
    /// Only one category occurs.
    SecondCategory,
    /// There is only one category to choose from.
    SecondChoice,
    /// Neither has marked a span.
    Spans,
    /// All those that there would be to compare with are left out.
    Others,
    /// Boundaries are relaxed for two raters at a time.
    CommonPositions,
}

/// What one rater said: positions with sets or categories, sorted.
type Said = Vec<(Position, usize)>;

/// What was decided: positions, each once, with the turn and the set; sorted.
type Decided = Vec<(Position, (usize, usize))>;

/// How many standard errors an interval of 95 % reaches to either side.
const REACH: f64 = 1.959_963_984_540_054;

/// What is counted of two raters.
#[derive(Default)]
struct Counted {
    tally: PairTally<usize>,
    documents: u64,
}

/// What is counted of all pairs, the rater that comes first in the matrix first.
struct Pairs {
    raters: usize,
    counted: Vec<Counted>,
}

impl Pairs {
    fn of(raters: usize) -> Self {
        let mut counted = Vec::new();
        counted.resize_with(raters * raters, Counted::default);
        Self { raters, counted }
    }

    fn of_both(&mut self, first: usize, second: usize) -> Option<&mut Counted> {
        self.counted.get_mut(first * self.raters + second)
    }

    fn get(&self, first: usize, second: usize) -> Option<&Counted> {
        self.counted.get(first * self.raters + second)
    }
}

/// What the study comes to under the scenario.
pub fn predict(study: &Study, scenario: &Scenario) -> Prediction {
    let categories = Categories::of(study, scenario);
    let asked = Asked { study, scenario, categories: &categories };
    let mut rows = Vec::new();
    let pairs = asked.pairs();
    let kept = |place: &usize| !asked.is_left_out(*place);
    let places: Vec<usize> = (0..study.raters.len()).filter(kept).collect();
    for (index, &first) in places.iter().enumerate() {
        for &second in places.iter().skip(index + 1) {
            let subject = Subject::Pair(asked.id(first), asked.id(second));
            rows.extend(pairs.get(first, second).map(|counted| asked.row(subject, counted)));
        }
    }
    for &rater in &places {
        for reviews in [false, true] {
            let everybody =
                (0..study.raters.len()).filter(|other| asked.reviews(*other) == reviews);
            let others: Vec<usize> = everybody.filter(|other| *other != rater).collect();
            if !others.is_empty() {
                rows.push(asked.pooled(rater, &others, reviews, &pairs));
            }
        }
    }
    rows.extend(asked.labelers());
    Prediction { revision: study.revision, rows }
}

struct Asked<'a> {
    study: &'a Study,
    scenario: &'a Scenario,
    categories: &'a Categories,
}

impl Asked<'_> {
    fn id(&self, place: usize) -> u64 {
        self.study.raters.get(place).map_or(0, |rater| rater.id)
    }

    fn reviews(&self, place: usize) -> bool {
        self.study.raters.get(place).is_some_and(|rater| rater.reviews)
    }

    fn is_left_out(&self, place: usize) -> bool {
        self.scenario.leaves_out(self.id(place))
    }

    /// What everybody said whose work on a document counts, as the scenario has it.
    fn said(&self, document: &Document, rules: Rules) -> Vec<(usize, Said)> {
        let counted = document
            .iter()
            .filter(|work| (work.submitted || !rules.submitted) && !self.is_left_out(work.rater));
        let mut decided = Decided::new();
        if self.scenario.decisions {
            for work in counted.clone().filter(|work| self.reviews(work.rater)) {
                let decisions = work.judgements.iter().zip(&work.turns);
                let decisions = decisions.map(|((position, set), turn)| (*position, (*turn, *set)));
                let all = merged(&decided, &decisions.collect::<Vec<_>>());
                decided = all.chunk_by(|one, other| one.0 == other.0).filter_map(latest).collect();
            }
        }
        let said = counted.map(|work| {
            let sets = if self.reviews(work.rater) || decided.is_empty() {
                work.judgements.clone()
            } else {
                as_decided(&work.judgements, &decided, rules.one_sided)
            };
            let of_set = |(position, set)| (position, self.categories.of_set(set));
            (work.rater, sets.into_iter().map(of_set).collect())
        });
        said.collect()
    }

    /// What is counted of all pairs.
    fn pairs(&self) -> Pairs {
        let rules = self.study.pairs;
        let policy = if rules.one_sided { Policy::EmptyLabel } else { Policy::Cleaned };
        let mut pairs = Pairs::of(self.study.raters.len());
        for document in &self.study.documents {
            let said = self.said(document, rules);
            for (index, (first, of_first)) in said.iter().enumerate() {
                for (second, of_second) in said.iter().skip(index + 1) {
                    let Some(counted) = pairs.of_both(*first, *second) else { continue };
                    counted.documents += 1;
                    align(of_first, of_second, self.scenario.within, |one, other| {
                        counted.tally.add(one, other, policy, &NOTHING);
                    });
                }
            }
        }
        pairs
    }

    /// A rater against others.
    fn pooled(&self, rater: usize, others: &[usize], reviews: bool, pairs: &Pairs) -> Row {
        let id = self.id(rater);
        let subject = if reviews { Subject::WithReviewers(id) } else { Subject::WithLabelers(id) };
        if others.iter().all(|other| self.is_left_out(*other)) {
            return Row { subject, basis: Basis::default(), value: Err(Lack::Others) };
        }
        let mut all = Counted::default();
        for &other in others {
            let Some(counted) = pairs.get(rater.min(other), rater.max(other)) else { continue };
            all.documents += counted.documents;
            if rater < other {
                all.tally.merge(&counted.tally);
            } else {
                all.tally.merge(&counted.tally.transposed());
            }
        }
        self.row(subject, &all)
    }

    /// The measure of what was counted of two raters, or of one and others.
    fn row(&self, subject: Subject, counted: &Counted) -> Row {
        let (measure, table) = (self.study.measure, &counted.tally.table);
        let coverage = counted.tally.coverage;
        let basis = Basis {
            n: counted_positions(table, measure),
            both: coverage.both,
            positions: coverage.positions(),
            documents: counted.documents,
        };
        let found = measure.coefficient(table, self.categories.choices(table), &NOTHING);
        let value = match found {
            _ if counted.documents == 0 => Err(Lack::SharedDocuments),
            Ok(coefficient) => {
                let estimate = match (measure, subject) {
                    (PairMeasure::Kappa, Subject::Pair(..)) => cohen_kappa_estimate(table).ok(),
                    _ => None,
                };
                let interval = estimate.map(|estimate| estimate.interval_at(REACH));
                let interval = interval.map(|interval| (interval.lower, interval.upper));
                Ok(Value { value: coefficient.value, interval })
            }
            Err(reason) => Err(lack(reason, measure)),
        };
        Row { subject, basis, value }
    }

    /// All labelers at once; nothing where there are no two.
    fn labelers(&self) -> Vec<Row> {
        let labelers = || (0..self.study.raters.len()).filter(|rater| !self.reviews(*rater));
        if labelers().count() < 2 {
            return Vec::new();
        }
        let row = |measure, basis, value| Row { subject: Subject::Labelers(measure), basis, value };
        let lacking = if labelers().filter(|rater| !self.is_left_out(*rater)).count() < 2 {
            Some(Lack::Others)
        } else {
            (self.scenario.within > 0).then_some(Lack::CommonPositions)
        };
        if let Some(lack) = lacking {
            let rows = ManyMeasure::ALL.map(|measure| row(measure, Basis::default(), Err(lack)));
            return rows.to_vec();
        }
        let (tally, basis) = self.of_labelers();
        let value = |measure: ManyMeasure| match measure.coefficient(&tally) {
            _ if basis.documents == 0 => Err(Lack::SharedDocuments),
            Ok(coefficient) => Ok(Value { value: coefficient.value, interval: None }),
            Err(reason) => Err(lack(reason, PairMeasure::Alpha)),
        };
        ManyMeasure::ALL.map(|measure| row(measure, basis, value(measure))).to_vec()
    }

    /// What is counted of all labelers: each position that two of them judged, with what they said.
    fn of_labelers(&self) -> (NominalTally<usize>, Basis) {
        let rules = self.study.several;
        let (mut tally, mut basis) = (NominalTally::new(), Basis::default());
        for document in &self.study.documents {
            let mut said = self.said(document, rules);
            said.retain(|(rater, _)| !self.reviews(*rater));
            if said.len() < 2 {
                continue;
            }
            basis.documents += 1;
            let all = said.iter().fold(Said::new(), |all, (_, own)| merged(&all, own));
            for judged in all.chunk_by(|one, other| one.0 == other.0) {
                basis.positions += 1;
                basis.both += u64::from(judged.len() > 1);
                let mut categories: Vec<usize> = judged.iter().map(|judged| judged.1).collect();
                if rules.one_sided {
                    categories.resize(said.len(), NOTHING);
                }
                if categories.len() > 1 {
                    basis.n += 1;
                    // There is room for far more ratings than a browser could hold.
                    let room = tally.add(&Item::from_iter(categories));
                    debug_assert!(room.is_ok());
                }
            }
        }
        (tally, basis)
    }
}

/// A labeler's judgements with the reviewers' decisions in place of their own; where absence is a
/// judgement, with those on what they have not marked as well.
fn as_decided(own: &[(Position, usize)], decided: &Decided, one_sided: bool) -> Said {
    let mut said = Said::with_capacity(own.len());
    let mut decided = decided.iter().peekable();
    let mut beside = |said: &mut Said, until: Option<Position>| {
        let mut given = None;
        while let Some(&(position, (_, set))) =
            decided.next_if(|(position, _)| until.is_none_or(|until| *position <= until))
        {
            if Some(position) == until {
                given = Some(set);
            } else if one_sided && set != NOTHING {
                said.push((position, set));
            }
        }
        given
    };
    for &(position, set) in own {
        let given = beside(&mut said, Some(position));
        said.push((position, given.unwrap_or(set)));
    }
    beside(&mut said, None);
    said
}

/// Of decisions on the same position the latest.
fn latest(decisions: &[(Position, (usize, usize))]) -> Option<(Position, (usize, usize))> {
    decisions.iter().max_by_key(|decision| decision.1.0).copied()
}

/// Two sorted lists as one.
fn merged<T: Copy>(one: &[(Position, T)], other: &[(Position, T)]) -> Vec<(Position, T)> {
    let mut all = Vec::with_capacity(one.len() + other.len());
    let mut rest = other.iter().peekable();
    for item in one {
        while let Some(before) = rest.next_if(|next| next.0 < item.0) {
            all.push(*before);
        }
        all.push(*item);
    }
    all.extend(rest.copied());
    all
}

/// How many positions of a table enter a measure: all, but for F1 those with a span.
fn counted_positions(table: &Contingency<usize>, measure: PairMeasure) -> u64 {
    match measure {
        PairMeasure::F1 => table.total() - table.count(&NOTHING, &NOTHING),
        _ => table.total(),
    }
}

fn lack(reason: Undefined, measure: PairMeasure) -> Lack {
    match (reason, measure) {
        (Undefined::OneCategory, PairMeasure::S | PairMeasure::Ac1) => Lack::SecondChoice,
        (Undefined::OneCategory, _) => Lack::SecondCategory,
        (_, PairMeasure::F1) => Lack::Spans,
        // Of such a table there is no other reason; the rest are of other measures.
        _ => Lack::SharedPositions,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_takes_the_place_of_what_a_labeler_said() {
        let own = [((0, 3), 1), ((5, 8), 2), ((9, 12), 1)];
        let decided = vec![
            ((0, 3), (0, 2)),
            ((5, 8), (0, NOTHING)),
            ((20, 22), (0, 1)),
            ((30, 32), (0, NOTHING)),
        ];
        let after = |one_sided| as_decided(&own, &decided, one_sided);
        let judged = [((0, 3), 2), ((5, 8), NOTHING), ((9, 12), 1)];
        assert_eq!(after(false), judged);
        assert_eq!(after(true), [judged.as_slice(), &[((20, 22), 1)]].concat());
    }
}
