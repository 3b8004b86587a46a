//! Laws of the tallies: whatever the history, moved change by change they equal those counted at
//! once from what is there in the end.

mod drawn;

use std::{
    collections::{BTreeMap, BTreeSet, hash_map::RandomState},
    hash::BuildHasher,
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use domain::{
    AttributeId, Decision, DocumentId, Documents, Filter, LabelId, LabelSet, Measure, MemberId,
    PolicyChoice, PositionKind, Range, Revision, Span, Switches, WorkState,
};
use itertools::Itertools;
use proptest::{
    prelude::*,
    strategy::ValueTree,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};

use drawn::{SAVED_AT, any_question, change, decision, empty, rows};

use crate::{Change, DocumentFacts, Narrowing, Tallies, Tokens, Work, project::LiveProject};

/// Where the tokens of every document are: some next to each other, some apart.
fn tokens() -> Arc<Tokens> {
    let ranges = [(0, 2), (2, 3), (4, 6), (6, 7), (8, 12), (14, 15)];
    let ranges: Arc<[Range]> = ranges.map(|(start, end)| Range::new(start, end)).into();
    Arc::new((0..3).map(|document| (DocumentId(document), Arc::clone(&ranges))).collect())
}

/// What saves move: of labels or of a question, of one label against the rest or of all, of one document or
/// of all.
fn part() -> impl Strategy<Value = Narrowing> {
    let label = prop::option::of((0..3_i64).prop_map(LabelId));
    let document = prop::option::of((0..3_i64).prop_map(DocumentId));
    (prop::option::of(any_question()), label, document).prop_map(|(question, label, document)| {
        Narrowing::exact(Filter { question, label, document, round: None })
    })
}

fn switches() -> impl Iterator<Item = Switches> {
    PolicyChoice::HEADLINES.iter().flat_map(|policy| {
        Documents::ALL.iter().map(|documents| Switches {
            measure: Measure::Kappa,
            policy: *policy,
            documents: *documents,
            ..Switches::default()
        })
    })
}

proptest! {
    #[test]
    fn moved_step_by_step_equals_counted_at_once(history in prop::collection::vec(change(), 0..60)) {
        let mut works = BTreeMap::new();
        for (document, rater, work) in &history {
            works.insert((*document, *rater), work.clone());
        }
        let mut untouched = rows(&works);
        for row in &mut untouched {
            row.assignments.clear();
            row.reviews.clear();
        }
        let mut moved = Tallies::rebuild(Revision(0), untouched);
        for (document, rater, work) in history {
            prop_assert!(moved.replace(document, rater, work).is_ok());
        }
        let counted = Tallies::rebuild(Revision(0), rows(&works));
        prop_assert_eq!(moved, counted);
    }

    #[test]
    fn a_part_moved_step_by_step_equals_the_part_of_the_whole(
        history in prop::collection::vec(change(), 0..40),
        part in part(),
    ) {
        let project = LiveProject::default();
        let mut whole = Arc::new(Tallies::default());
        project.narrow(&whole, part);
        for (document, rater, work) in history {
            let revision = whole.revision.next();
            let at = work.saved_at;
            let change = Change::by_one(revision, (rater, at), [(document, work.clone())]);
            project.narrowed.retain(|of, part| Arc::make_mut(part).advance(&change, *of));
            let moved = Arc::make_mut(&mut whole);
            moved.revision = revision;
            prop_assert!(moved.replace(document, rater, work).is_ok());
            let is_kept = part == Narrowing::WHOLE || project.narrowed.find(|of| *of == part).is_some();
            prop_assert!(is_kept, "{:?} was moved", part);
            let moved = project.narrow(&whole, part);
            prop_assert_eq!(moved.map(|moved| Tallies::clone(&moved)), whole.narrowed(part, &Arc::default()));
        }
    }

    #[test]
    fn each_token_is_a_position_as_the_formulas_count_it(
        history in prop::collection::vec(change(), 0..30),
    ) {
        let by_token = Narrowing { filter: Filter::NONE, positions: PositionKind::Tokens };
        let (tallies, token_ranges) = (tallies_of(history), tokens());
        let switches = Switches { policy: PolicyChoice::Token, ..Switches::default() };
        let counted = tallies.narrowed(by_token, &token_ranges).unwrap();
        let expected = |first: &Judgements, second: &Judgements, document| {
            let ranges = token_ranges.of(document).unwrap();
            let ranges: Vec<_> = ranges.iter().map(|it| (it.start.into(), it.end.into())).collect();
            agreement::token_tally(first, second, &ranges)
        };
        let of_pairs = pairs_as_expected(&tallies, expected);
        for ((first, second), expected) in of_pairs {
            let counted = counted.pair(first, second, switches);
            prop_assert_eq!(named(&counted.tally), expected);
        }
    }

    #[test]
    fn spans_are_paired_as_the_formulas_pair_them(history in prop::collection::vec(change(), 0..30)) {
        let overlapping = Narrowing { filter: Filter::NONE, positions: PositionKind::Overlapping };
        let tallies = tallies_of(history);
        let switches = Switches { policy: PolicyChoice::Overlap, ..Switches::default() };
        let counted = tallies.narrowed(overlapping, &Arc::default()).unwrap();
        let expected = |first: &Judgements, second: &Judgements, _| {
            agreement::overlap_tally(first, second, agreement::Policy::EmptyLabel).unwrap()
        };
        for ((first, second), expected) in pairs_as_expected(&tallies, expected) {
            prop_assert_eq!(named(&counted.pair(first, second, switches).tally), expected);
        }
    }

    #[test]
    fn taken_against_the_rest_a_label_has_the_positions_of_all_labels(
        history in prop::collection::vec(change(), 0..30),
        label in (0..3_i64).prop_map(LabelId),
        kind in prop::sample::select(vec![PolicyChoice::Token, PolicyChoice::Overlap]),
    ) {
        let (tallies, tokens) = (tallies_of(history), tokens());
        let of = |filter| {
            let switches = Switches { policy: kind, filter, ..Switches::default() };
            let counted = tallies.narrowed(Narrowing::of(switches), &tokens).unwrap();
            counted.pair(MemberId(0), MemberId(5), switches).into_owned()
        };
        let (all, filter) = (of(Filter::NONE), Filter { label: Some(label), ..Filter::NONE });
        let mut against = agreement::Contingency::new();
        for (one, other, count) in all.tally.table.cells() {
            against.add_count(filter.judgement(one), filter.judgement(other), count);
        }
        prop_assert_eq!(of(filter).tally.table, against);
    }

    #[test]
    fn of_a_question_raters_are_compared_on_what_both_chose(
        history in prop::collection::vec(change(), 0..30), question in any_question(),
    ) {
        let (tallies, filter) =
            (tallies_of(history), Filter { question: Some(question), ..Filter::NONE });
        let counted = tallies.narrowed(Narrowing::exact(filter), &Arc::default()).unwrap();
        let switches = Switches { filter, ..Switches::default() };
        for (first, second) in (0..6).tuple_combinations().map(|(a, b)| (MemberId(a), MemberId(b))) {
            let mut table = agreement::Contingency::new();
            for (_, ours, theirs) in tallies.shared_by(first, second) {
                let saved = [ours, theirs].iter().all(|work| work.counts(Documents::Saved));
                let asked = ours.choices.iter().filter(|((it, _), _)| saved && *it == question);
                for ((_, range), ours) in asked {
                    if let Some(theirs) = theirs.choices.get(&(question, *range)) {
                        table.add_count(ours.categories(), theirs.categories(), 1);
                    }
                }
            }
            prop_assert_eq!(&counted.pair(first, second, switches).tally.table, &table);
        }
    }

    #[test]
    fn the_order_of_independent_steps_does_not_matter(
        mut history in prop::collection::vec(change(), 0..20),
    ) {
        let mut seen = BTreeSet::new();
        history.retain(|(document, rater, _)| seen.insert((*document, *rater)));
        let tallies = |history: &[(DocumentId, MemberId, Work)]| {
            let mut tallies = Tallies::default();
            for (document, rater, work) in history {
                tallies.replace(*document, *rater, work.clone()).unwrap();
            }
            tallies
        };
        let forwards = tallies(&history);
        history.reverse();
        prop_assert_eq!(forwards, tallies(&history));
    }

    #[test]
    fn a_pair_read_the_other_way_round_is_transposed(
        history in prop::collection::vec(change(), 0..30),
    ) {
        let mut tallies = Tallies::default();
        for (document, rater, work) in history {
            tallies.replace(document, rater, work).unwrap();
        }
        for switches in switches() {
            let there = tallies.pair(MemberId(0), MemberId(5), switches);
            let back = tallies.pair(MemberId(5), MemberId(0), switches);
            prop_assert_eq!(there.into_owned(), back.transposed());
        }
    }
}

type Judgements = agreement::Judgements<LabelId>;
type Tally = agreement::PairTally<BTreeSet<LabelId>>;

fn tallies_of(history: Vec<(DocumentId, MemberId, Work)>) -> Tallies {
    let mut tallies = Tallies::default();
    for (document, rater, work) in history {
        tallies.replace(document, rater, work).unwrap();
    }
    tallies
}

/// What is expected of each pair: the documents that both have submitted, added up.
fn pairs_as_expected(
    tallies: &Tallies,
    count: impl Fn(&Judgements, &Judgements, DocumentId) -> Tally,
) -> BTreeMap<(MemberId, MemberId), Tally> {
    let mut pairs: BTreeMap<_, Tally> = BTreeMap::new();
    for (document, work) in tallies.documents() {
        let submitted = || work.iter().filter(|(_, work)| work.state == WorkState::Submitted);
        for (first, ours) in submitted() {
            for (second, theirs) in submitted().filter(|(second, _)| *second > first) {
                let of_document = count(&judgements(ours), &judgements(theirs), document);
                pairs.entry((*first, *second)).or_default().merge(&of_document);
            }
        }
    }
    pairs
}

fn judgements(work: &Work) -> Judgements {
    let judged = work.judgements.iter();
    let labelled = judged.map(|(range, labels)| {
        ((u64::from(range.start), u64::from(range.end)), labels.iter().collect())
    });
    labelled.collect()
}

/// With sets of labels as the formulas have them.
fn named(tally: &agreement::PairTally<LabelSet>) -> Tally {
    Tally { table: tally.table.renamed(|set| set.iter().collect()), coverage: tally.coverage }
}

/// How many steps of histories are held against rows, where nobody says otherwise.
const STEPS: u64 = 20_000;

/// How many steps a history has: it begins with nothing, and ends where steps mostly replace others.
const OF_A_HISTORY: u64 = 400;

/// Goes through a history and holds the tallies against the rows after each step, and those of a part
/// against the part of the whole after each eighth.
fn walk(seed: u64, steps: u64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let random = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let mut runner = TestRunner::new_with_rng(Config::default(), random);
    let changes = change();
    // Documents come as by an import when somebody first has work on them, but for one that is there.
    let mut known = BTreeSet::from([DocumentId(0)]);
    let there = known.iter().copied().map(empty).collect();
    let (mut works, mut moved) = (BTreeMap::new(), Tallies::rebuild(Revision(0), there));
    let filter = Filter {
        question: seed
            .is_multiple_of(3)
            .then_some(AttributeId(i64::try_from(seed % 9 / 3).unwrap() + 1)),
        label: Some(LabelId(i64::try_from(seed % 3).unwrap() + 1)),
        document: seed.is_multiple_of(2).then_some(DocumentId(1)),
        round: None,
    };
    let (of, no_tokens) = (Narrowing::exact(filter), Arc::default());
    let mut part = moved.narrowed(of, &no_tokens).unwrap();
    for step in 1..=steps {
        let (document, rater, work) = changes.new_tree(&mut runner).unwrap().current();
        works.insert((document, rater), work.clone());
        let revision = moved.revision.next();
        let mut change = Change::by_one(revision, (rater, work.saved_at), [(document, work)]);
        if known.insert(document) {
            change.documents.push((document, DocumentFacts::of(&empty(document))));
        }
        assert!(moved.advance(&change, Narrowing::WHOLE), "seed {seed}, step {step}");
        assert!(part.advance(&change, of), "seed {seed}, step {step}");
        let mut rows = rows(&works);
        let missing =
            known.iter().copied().filter(|it| !rows.iter().any(|row| row.document == *it));
        let missing: Vec<_> = missing.map(empty).collect();
        rows.extend(missing);
        let counted = Tallies::rebuild(revision, rows);
        assert!(moved == counted, "the whole after step {step} of seed {seed}");
        if step.is_multiple_of(8) {
            let counted = counted.narrowed(of, &no_tokens).unwrap();
            assert!(part == counted, "the part after step {step} of seed {seed}");
        }
    }
}

#[test]
fn after_every_step_what_was_moved_equals_what_is_counted_anew() {
    let said = |name: &str| std::env::var(name).ok().map(|said| said.parse::<u64>().unwrap());
    let steps = said("CONCORD_MODEL_STEPS").unwrap_or(STEPS);
    let first = said("CONCORD_MODEL_SEED").unwrap_or_else(|| RandomState::new().hash_one(0) >> 20);
    println!("seeds {first} and up");
    let next = AtomicU64::new(0);
    let histories = steps.div_ceil(OF_A_HISTORY);
    let threads = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let history = next.fetch_add(1, Ordering::Relaxed);
                    if history >= histories {
                        return;
                    }
                    walk(first + history, OF_A_HISTORY.min(steps - history * OF_A_HISTORY));
                }
            });
        }
    });
    println!("{steps} steps");
}

#[test]
fn labelers_agree_more_and_reviewer_agrees_less_when_the_reviewer_rejects_what_both_marked() {
    let (document, range) = (DocumentId(0), Range::new(10, 12));
    let person = LabelId(1);
    let base = |label| {
        Work::of_labeler(
            WorkState::Saved,
            SAVED_AT,
            [Span::new(0, 2, label), Span::new(4, 6, person)],
        )
    };
    let with = |work: &Work| {
        let mut work = work.clone();
        work.judgements.insert(range, LabelSet::one(LabelId(3)));
        work
    };
    let (first, second) = (base(person), base(LabelId(2)));
    let reviewer = Work::of_reviewer(
        WorkState::Saved,
        SAVED_AT,
        [decision(Range::new(0, 2), [LabelId(2)]), decision(Range::new(4, 6), [person])],
    );
    let mut rejecting = reviewer.clone();
    rejecting.judgements.insert(range, LabelSet::EMPTY);

    let mut tallies = Tallies::default();
    let (a, b, r) = (MemberId(0), MemberId(1), MemberId(5));
    let value = |tallies: &Tallies, x, y| {
        let counted = tallies.pair(x, y, Switches::default());
        agreement::cohen_kappa(&counted.tally.table).unwrap().value
    };
    for (rater, work) in [(a, &first), (b, &second), (r, &reviewer)] {
        tallies.replace(document, rater, work.clone()).unwrap();
    }
    let (labelers, with_reviewer) = (value(&tallies, a, b), value(&tallies, b, r));
    for (rater, work) in [(a, with(&first)), (b, with(&second)), (r, rejecting)] {
        tallies.replace(document, rater, work).unwrap();
    }
    assert!(value(&tallies, a, b) > labelers);
    assert!(value(&tallies, b, r) < with_reviewer);
}

#[test]
fn two_reviewers_are_compared_on_what_both_decided() {
    let (document, person) = (DocumentId(0), LabelId(1));
    let reviewed =
        |decisions: Vec<Decision>| Work::of_reviewer(WorkState::Saved, SAVED_AT, decisions);
    let accept = |start| decision(Range::new(start, start + 1), [person]);
    let reject = |start| decision(Range::new(start, start + 1), []);
    let mut tallies = Tallies::default();
    let (first, second) = (MemberId(4), MemberId(5));
    tallies.replace(document, first, reviewed(vec![accept(0), reject(2), accept(4)])).unwrap();
    tallies.replace(document, second, reviewed(vec![accept(0), reject(2)])).unwrap();
    let counted = tallies.pair(first, second, Switches::default());
    assert_eq!((counted.tally.coverage.both, counted.tally.coverage.only_first), (2, 1));
    assert_eq!(counted.tally.table.agreements(), 2);
}
