//! What to do next, by what each step is expected to repair. All of it is counted in positions, so
//! that unlike steps can be ranked: those that a decision settles, that a guideline or a word with
//! somebody brings to agreement, or that work brings to comparison.

use domain::{
    Advice, AdviceKind, Confusion, CourseBlock, Drift, Funnel, PersonLoad, PersonPart, SecondRow,
    saturating, to_f64,
};

/// The most that anybody can take in.
const MOST: usize = 6;

/// Standard errors by which somebody has to differ from the others to be spoken to.
const NOTABLE: f64 = 2.0;

/// What the advice follows from.
pub(super) struct Facts<'a> {
    pub(super) funnel: Funnel,
    pub(super) confusions: &'a [Confusion],
    pub(super) people: &'a [PersonPart],
    pub(super) loads: &'a [PersonLoad],
    /// Documents that nobody has.
    pub(super) unassigned: u64,
    /// Open threads of comments.
    pub(super) threads: u64,
    /// The document whose second annotation narrows the interval most.
    pub(super) second: Option<SecondRow>,
}

/// The steps, what repairs most first; of equal ones in the order below.
pub(super) fn rank(facts: &Facts<'_>) -> Vec<Advice> {
    let mut all: Vec<_> = [decide(facts), assign(facts), remind(facts), answer(facts)]
        .into_iter()
        .flatten()
        .chain(clarify(facts))
        .chain(retrain(facts))
        .chain(annotate(facts))
        .collect();
    all.sort_by(|one, other| other.repairs.total_cmp(&one.repairs));
    all.truncate(MOST);
    all
}

/// Decisions settle all positions that are left.
fn decide(facts: &Facts<'_>) -> Option<Advice> {
    let Funnel { undecided: positions, decisions, .. } = facts.funnel;
    let what = AdviceKind::Decide { positions, decisions };
    (positions > 0).then(|| Advice { what, repairs: to_f64(positions) })
}

/// What two judgements are taken for each other on: all of it, once they are told apart.
fn clarify(facts: &Facts<'_>) -> Option<Advice> {
    let confusion = facts.confusions.first()?.clone();
    let repairs = to_f64(confusion.positions);
    let what = AdviceKind::Clarify { confusion, disputed: facts.funnel.disputed };
    Some(Advice { what, repairs })
}

/// Each labeler who differs from the others more often than these among themselves, beyond chance:
/// by the standard error of a share, which takes comparisons as independent; and each whose agreement
/// fell. Repaired is what is above the others' share, or above their own of before.
fn retrain(facts: &Facts<'_>) -> impl Iterator<Item = Advice> {
    let sum = |of: fn(&PersonPart) -> u64| facts.people.iter().map(of).sum::<u64>() / 2;
    // Every comparison of two labelers stands in both their rows.
    let compared = sum(|person| person.labelers.comparisons);
    let agreed = sum(|person| person.labelers.agreements);
    facts.people.iter().filter_map(move |person| {
        let own = person.labelers;
        let others = to_f64(compared.checked_sub(own.comparisons).filter(|rest| *rest > 0)?);
        let rest = to_f64(agreed.checked_sub(own.agreements)?) / others;
        let comparisons = to_f64(own.comparisons);
        let share = to_f64(own.agreements) / comparisons;
        let error = (rest * (1.0 - rest) / comparisons).sqrt();
        let repairs = (rest - share) * comparisons;
        // Nothing is notable of somebody without comparisons: the share is no number.
        let differs = (rest - share > NOTABLE * error).then_some(repairs);
        let drift = drift(&person.course);
        let fell = drift.map(|(_, repairs)| repairs);
        let repairs = differs.into_iter().chain(fell).reduce(f64::max)?;
        Some(Advice {
            what: AdviceKind::Retrain {
                member: person.rater.id,
                name: person.rater.name.clone(),
                share,
                rest,
                weak: person.weak.first().map(|weak| weak.label),
                drift: drift.map(|(drift, _)| drift),
            },
            repairs,
        })
    })
}

/// How somebody's agreement fell from the first half of their documents to the second, beyond chance: by
/// the standard error of the difference of two shares; with the comparisons that it cost.
fn drift(course: &[CourseBlock]) -> Option<(Drift, f64)> {
    let (early, late) = course.split_at(course.len() / 2);
    let [early, late] = [early, late].map(|blocks| {
        let sum = |of: fn(&CourseBlock) -> u64| to_f64(blocks.iter().map(of).sum());
        (sum(|block| block.comparisons), sum(|block| block.agreements))
    });
    let share = |(comparisons, agreements): (f64, f64)| agreements / comparisons;
    let all = share((early.0 + late.0, early.1 + late.1));
    let error = (all * (1.0 - all) * (1.0 / early.0 + 1.0 / late.0)).sqrt();
    let (before, after) = (share(early), share(late));
    // Of nothing a share is no number, and no number is more than another.
    (before - after > NOTABLE * error)
        .then_some((Drift { before, after }, (before - after) * late.0))
}

/// Documents that nobody has, where labelers have nothing left.
fn assign(facts: &Facts<'_>) -> Option<Advice> {
    let idle =
        |load: &&PersonLoad| load.paused_at.is_none() && load.counts.open + load.counts.saved == 0;
    let idle = saturating::<u64>(facts.loads.iter().filter(idle).count());
    let documents = facts.unassigned;
    let what = AdviceKind::Assign { idle, documents };
    (idle > 0 && documents > 0)
        .then(|| Advice { what, repairs: to_f64(documents) * facts.per_document() })
}

/// Assignments that are due already.
fn remind(facts: &Facts<'_>) -> Option<Advice> {
    let overdue = facts.loads.iter().map(|load| load.overdue).sum();
    let people = saturating::<u64>(facts.loads.iter().filter(|load| load.overdue > 0).count());
    let what = AdviceKind::Remind { overdue, people };
    (overdue > 0).then(|| Advice { what, repairs: to_f64(overdue) * facts.per_document() })
}

/// A thread is about a position, a flag holds up a document.
fn answer(facts: &Facts<'_>) -> Option<Advice> {
    let threads = facts.threads;
    let flags = facts.loads.iter().map(|load| load.flagged).sum();
    let what = AdviceKind::Answer { threads, flags };
    (threads + flags > 0)
        .then(|| Advice { what, repairs: to_f64(threads) + to_f64(flags) * facts.per_document() })
}

/// What a second labeler is expected to mark, too, where there is one.
fn annotate(facts: &Facts<'_>) -> Option<Advice> {
    let row = facts.second.clone().filter(|_| facts.loads.len() > 1)?;
    Some(Advice { repairs: row.compared, what: AdviceKind::Annotate { row } })
}

impl Facts<'_> {
    /// Positions of a usual document; one where nothing is known yet.
    fn per_document(&self) -> f64 {
        let Funnel { positions, compared, .. } = self.funnel;
        if compared == 0 { 1.0 } else { to_f64(positions) / to_f64(compared) }
    }
}

#[cfg(test)]
mod tests {
    use domain::{
        CoverageView, LabelSet, Measured, MemberId, PooledPart, Rater, Role, StateCounts,
        UndefinedReason,
    };
    use proptest::prelude::*;

    use super::*;

    fn person(id: i64, comparisons: u64, agreements: u64) -> PersonPart {
        let pooled = |role, comparisons, agreements| PooledPart {
            role,
            others: 1,
            measured: Measured::Undefined(UndefinedReason::OneCategory),
            comparisons,
            agreements,
            coverage: CoverageView::default(),
        };
        PersonPart {
            rater: Rater { id: MemberId(id), name: format!("P{id}"), role: Role::Labeler },
            labelers: pooled(Role::Labeler, comparisons, agreements),
            reviewers: pooled(Role::Reviewer, 0, 0),
            own: None,
            weak: Vec::new(),
            usage: Vec::new(),
            course: Vec::new(),
        }
    }

    fn load(open: u64, overdue: u64, flagged: u64) -> PersonLoad {
        PersonLoad {
            member: MemberId(1),
            name: String::new(),
            paused_at: None,
            counts: StateCounts { open, ..StateCounts::default() },
            overdue,
            flagged,
        }
    }

    fn facts<'a>(people: &'a [PersonPart], loads: &'a [PersonLoad]) -> Facts<'a> {
        Facts {
            funnel: Funnel {
                documents: 10,
                annotated: 8,
                compared: 5,
                positions: 100,
                disputed: 40,
                undecided: 30,
                decisions: 25,
            },
            confusions: &[],
            people,
            loads,
            unassigned: 0,
            threads: 0,
            second: None,
        }
    }

    #[test]
    fn a_project_without_anything_gets_no_advice() {
        let facts = Facts { funnel: Funnel::default(), ..facts(&[], &[]) };
        assert_eq!(rank(&facts), []);
    }

    #[test]
    fn what_repairs_most_comes_first_and_each_says_how_much() {
        let confusion =
            Confusion { one: LabelSet::default(), other: LabelSet::default(), positions: 35 };
        let loads = [load(0, 0, 1), load(3, 1, 0)];
        let facts =
            Facts { confusions: &[confusion], threads: 2, unassigned: 3, ..facts(&[], &loads) };
        let ranked: Vec<_> = rank(&facts)
            .into_iter()
            .map(|advice| (format!("{:?}", advice.what), advice.repairs))
            .map(|(what, repairs)| (what.split(' ').next().unwrap().to_owned(), repairs))
            .collect();
        // A document has 20 positions.
        let expected = [
            ("Assign", 60.0),
            ("Clarify", 35.0),
            ("Decide", 30.0),
            ("Answer", 22.0),
            ("Remind", 20.0),
        ];
        let expected: Vec<_> = expected.map(|(what, n)| (what.to_owned(), n)).into();
        assert_eq!(ranked, expected);
    }

    #[test]
    fn who_differs_beyond_chance_is_spoken_to_and_nobody_of_a_pair() {
        // Three pairs: Ada and Ben agree on 90 of 100, Cy with each of them on 50 of 100.
        let people = [person(1, 200, 140), person(2, 200, 140), person(3, 200, 100)];
        let notable: Vec<_> = retrain(&facts(&people, &[])).collect();
        let [advice] = notable.as_slice() else { panic!("{notable:?}") };
        let AdviceKind::Retrain { member, share, rest, .. } = &advice.what else { panic!() };
        assert_eq!((*member, *share, *rest), (MemberId(3), 0.5, 0.9));
        assert!((advice.repairs - 80.0).abs() < 1e-9);
        let pair = [person(1, 100, 50), person(2, 100, 50)];
        assert_eq!(retrain(&facts(&pair, &[])).count(), 0);
    }

    #[test]
    fn whose_agreement_fell_is_spoken_to_though_the_whole_is_as_good_as_of_others() {
        let block = |agreements| CourseBlock { from: 1, to: 1, comparisons: 50, agreements };
        let course = |agreements: &[u64]| agreements.iter().copied().map(block).collect::<Vec<_>>();
        assert_eq!(
            drift(&course(&[45, 45, 30, 30])).map(|(_, repairs)| repairs.round()),
            Some(30.0)
        );
        assert_eq!(drift(&course(&[30, 30, 45, 45])), None);
        assert_eq!(drift(&course(&[40, 39])), None);
        assert_eq!((drift(&course(&[40])), drift(&[])), (None, None));
        let mut people = [person(1, 200, 150), person(2, 200, 150), person(3, 200, 150)];
        people[1].course = course(&[45, 45, 30, 30]);
        let advice: Vec<_> = retrain(&facts(&people, &[])).collect();
        let [Advice { what: AdviceKind::Retrain { member, drift: Some(drift), .. }, .. }] =
            advice.as_slice()
        else {
            panic!("{advice:?}")
        };
        assert_eq!((*member, drift.before, drift.after), (MemberId(2), 0.9, 0.6));
    }

    proptest! {
        #[test]
        fn there_are_at_most_six_ranked_and_finite(
            counts in prop::collection::vec((0_u64..500, 0_u64..500), 0..9),
            undecided in 0_u64..50, threads in 0_u64..9, unassigned in 0_u64..9,
        ) {
            let people: Vec<_> = (1..)
                .zip(&counts)
                .map(|(id, (one, other))| person(id, *one.max(other), *one.min(other)))
                .collect();
            let loads: Vec<_> = counts.iter().map(|(one, other)| load(*one, *other, 0)).collect();
            let mut facts = facts(&people, &loads);
            facts.funnel.undecided = undecided;
            (facts.threads, facts.unassigned) = (threads, unassigned);
            let ranked = rank(&facts);
            prop_assert!(ranked.len() <= MOST);
            prop_assert!(ranked.iter().all(|advice| advice.repairs.is_finite() && advice.repairs > 0.0));
            prop_assert!(ranked.is_sorted_by(|one, other| one.repairs >= other.repairs));
        }
    }
}
