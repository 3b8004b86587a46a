//! What holds of every prediction, whatever the study.

#![expect(
    clippy::indexing_slicing,
    reason = "a test fails by panicking, also in the functions that tests share"
)]

use agreement::{ManyMeasure, PairMeasure};
use proptest::{prelude::*, sample::subsequence};
use whatif::{
    Lack, Position, Prediction, Rater, Row, Rules, Scenario, Study, Subject, Work, predict,
};

/// ∅, each label, and two labels at once.
fn sets() -> Vec<Vec<u64>> {
    vec![vec![], vec![3], vec![5], vec![8], vec![3, 5]]
}

/// Four labelers and two reviewers; ids that are no places.
fn raters() -> Vec<Rater> {
    let ids = [11, 12, 14, 17, 20, 21];
    ids.map(|id| Rater { id, reviews: id >= 20 }).to_vec()
}

/// Places in a short text, so that raters meet.
fn position() -> impl Strategy<Value = Position> {
    (0..12_u64, 1..4_u64).prop_map(|(start, length)| (start, start + length))
}

fn work(rater: usize) -> impl Strategy<Value = Work> {
    let reviews = rater >= 4;
    // A labeler who marks a position gives it a label.
    let set = if reviews { 0..5_usize } else { 1..5_usize };
    let judgements = prop::collection::btree_map(position(), set, 0..7);
    (judgements, any::<bool>()).prop_map(move |(judgements, submitted)| {
        // The second reviewer decided after the first on some positions, and before on others.
        let turn = |position: &Position| {
            usize::from((position.0 + position.1).is_multiple_of(2)) ^ (rater - 4)
        };
        let turns = if reviews { judgements.keys().map(turn).collect() } else { Vec::new() };
        Work { rater, submitted, judgements: judgements.into_iter().collect(), turns }
    })
}

fn document() -> impl Strategy<Value = Vec<Work>> {
    subsequence((0..6_usize).collect::<Vec<_>>(), 0..=6)
        .prop_flat_map(|raters| raters.into_iter().map(work).collect::<Vec<_>>())
}

fn study() -> impl Strategy<Value = Study> {
    let switches = (0..PairMeasure::ALL.len(), any::<bool>(), any::<bool>(), any::<bool>());
    let documents = prop::collection::vec(document(), 0..4);
    (documents, switches).prop_map(|(documents, (measure, submitted, empty_label, one_label))| {
        let measure = PairMeasure::ALL[measure];
        Study {
            revision: 7,
            measure,
            pairs: Rules {
                submitted: submitted || (empty_label && measure != PairMeasure::F1),
                one_sided: empty_label || measure == PairMeasure::F1,
            },
            several: Rules { submitted: submitted || empty_label, one_sided: empty_label },
            only_label: one_label.then_some(5),
            labels: vec![3, 5, 8],
            raters: raters(),
            sets: sets(),
            documents,
        }
    })
}

fn scenario() -> impl Strategy<Value = Scenario> {
    let merged = prop::collection::vec((1..3_u64, prop::sample::select(vec![3, 5, 8])), 0..4);
    let without = subsequence(vec![11, 12, 14, 17, 20, 21], 0..4);
    (merged, without, 0..4_u64, any::<bool>()).prop_map(|(merged, without, within, decisions)| {
        Scenario { merged, without, within, decisions }
    })
}

fn pairs(prediction: &Prediction) -> impl Iterator<Item = &Row> {
    prediction.rows.iter().filter(|row| matches!(row.subject, Subject::Pair(..)))
}

fn value(row: &Row) -> Option<f64> {
    row.value.ok().map(|value| value.value)
}

/// The same to the last bit.
fn same(one: &Prediction, other: &Prediction) -> bool {
    let bits = |prediction: &Prediction| -> Vec<u64> {
        prediction.numbers().into_iter().map(f64::to_bits).collect()
    };
    bits(one) == bits(other)
}

fn merging(groups: &[(u64, u64)]) -> Scenario {
    Scenario { merged: groups.to_vec(), ..Scenario::default() }
}

proptest! {
    #[test]
    fn what_is_written_is_what_is_read(study in study()) {
        prop_assert_eq!(Study::read(&study.written()), Some(study));
    }

    #[test]
    fn bytes_that_are_no_study_are_refused(study in study(), cut in 1..20_usize) {
        let bytes = study.written();
        prop_assert_eq!(Study::read(&bytes[..bytes.len() - cut.min(bytes.len())]), None);
        prop_assert_eq!(Study::read(&[bytes.as_slice(), &[0]].concat()), None);
    }

    #[test]
    fn an_address_says_the_same_again(study in study(), scenario in scenario()) {
        let read = Scenario::of_query(&scenario.written());
        prop_assert!(same(&predict(&study, &read), &predict(&study, &scenario)));
    }

    #[test]
    fn merging_labels_never_changes_what_is_counted(study in study(), scenario in scenario()) {
        let before = Scenario { merged: Vec::new(), ..scenario.clone() };
        let (before, after) = (predict(&study, &before), predict(&study, &scenario));
        prop_assert_eq!(before.rows.len(), after.rows.len());
        for (before, after) in before.rows.iter().zip(&after.rows) {
            // Where one label stands against everything else, F1 counts the spans of that label.
            let counts_spans = study.measure == PairMeasure::F1 && study.only_label.is_some();
            if !counts_spans {
                prop_assert_eq!(before.basis, after.basis);
            }
        }
    }

    #[test]
    fn merging_labels_is_the_same_as_having_had_one(study in study()) {
        let mut renamed = study.clone();
        for set in &mut renamed.sets {
            for label in set.iter_mut().filter(|label| **label == 8) {
                *label = 5;
            }
        }
        renamed.labels = vec![3, 5];
        let merged = predict(&study, &merging(&[(1, 8), (1, 5)]));
        prop_assert!(same(&merged, &predict(&renamed, &Scenario::default())));
    }

    #[test]
    fn percent_agreement_never_falls_when_labels_are_merged(study in study()) {
        let study = Study { measure: PairMeasure::Percent, only_label: None, ..study };
        let (before, after) = (predict(&study, &Scenario::default()), predict(&study, &merging(&[(1, 3), (1, 5)])));
        for (before, after) in pairs(&before).zip(pairs(&after)) {
            prop_assert!(value(before) <= value(after));
        }
    }

    #[test]
    fn leaving_somebody_out_is_the_same_as_never_having_had_them(
        study in study(), scenario in scenario()
    ) {
        let mut without = study.clone();
        let gone = |place: usize| scenario.without.contains(&raters()[place].id);
        let kept: Vec<usize> = (0..6).filter(|place| !gone(*place)).collect();
        without.raters = kept.iter().map(|place| raters()[*place]).collect();
        for document in &mut without.documents {
            document.retain(|work| kept.contains(&work.rater));
            for work in document {
                work.rater = kept.iter().position(|place| *place == work.rater).unwrap();
            }
        }
        let everybody = Scenario { without: Vec::new(), ..scenario.clone() };
        let (left_out, never) = (predict(&study, &scenario), predict(&without, &everybody));
        // Rows without anybody left to compare with say so, where there never was anybody they are
        // not there.
        let told = left_out.rows.into_iter().filter(|row| row.value != Err(Lack::Others));
        let left_out = Prediction { rows: told.collect(), ..left_out };
        prop_assert!(same(&left_out, &never));
    }

    #[test]
    fn more_room_for_boundaries_never_means_fewer_positions_of_both(
        study in study(), scenario in scenario()
    ) {
        let wider = Scenario { within: scenario.within + 1, ..scenario.clone() };
        let (before, after) = (predict(&study, &scenario), predict(&study, &wider));
        for (before, after) in pairs(&before).zip(pairs(&after)) {
            prop_assert!(before.basis.both <= after.basis.both);
            let judged = |row: &Row| row.basis.both + row.basis.positions;
            prop_assert_eq!(judged(before), judged(after), "nobody judges more or less");
        }
    }

    #[test]
    fn the_order_of_the_raters_never_matters(study in study(), scenario in scenario()) {
        let mut turned = study.clone();
        turned.raters.reverse();
        for document in &mut turned.documents {
            document.reverse();
            for work in document {
                work.rater = 5 - work.rater;
            }
        }
        let (one_way, other_way) = (predict(&study, &scenario), predict(&turned, &scenario));
        for row in pairs(&one_way) {
            let Subject::Pair(first, second) = row.subject else { continue };
            let twin = pairs(&other_way).find(|row| row.subject == Subject::Pair(second, first));
            let twin = twin.unwrap();
            prop_assert_eq!(row.basis, twin.basis);
            prop_assert_eq!(value(row), value(twin));
        }
    }

    #[test]
    fn on_decided_positions_agreement_is_perfect(study in study()) {
        // Nothing but what was decided on is left of labelers' work.
        let mut study = Study { measure: PairMeasure::Percent, ..study };
        let rules = study.pairs;
        study.pairs = Rules { one_sided: study.several.one_sided, ..rules };
        study.several.submitted = study.pairs.submitted;
        for document in &mut study.documents {
            let counts = |work: &Work| work.submitted || !rules.submitted;
            let decided: Vec<Position> = document
                .iter()
                .filter(|work| work.rater >= 4 && counts(work))
                .flat_map(|work| work.judgements.iter().map(|judged| judged.0))
                .collect();
            for work in document.iter_mut().filter(|work| work.rater < 4) {
                work.judgements.retain(|(position, _)| decided.contains(position));
            }
        }
        let given = Scenario { decisions: true, ..Scenario::default() };
        let prediction = predict(&study, &given);
        for row in &prediction.rows {
            let is_of_labelers = match row.subject {
                Subject::Pair(_, second) => second < 20,
                Subject::WithLabelers(rater) => rater < 20,
                Subject::WithReviewers(_) => false,
                Subject::Labelers(measure) => measure == ManyMeasure::Percent,
            };
            if is_of_labelers {
                prop_assert!(value(row).is_none_or(|value| value.to_bits() == 1.0_f64.to_bits()), "{row:?}");
            }
        }
    }

    #[test]
    fn a_decision_given_changes_no_count_where_absence_is_no_judgement(
        study in study(), scenario in scenario()
    ) {
        let scenario = Scenario { within: 0, ..scenario };
        if !study.pairs.one_sided && !study.several.one_sided {
            let before = predict(&study, &Scenario { decisions: false, ..scenario.clone() });
            let after = predict(&study, &Scenario { decisions: true, ..scenario });
            for (before, after) in before.rows.iter().zip(&after.rows) {
                prop_assert_eq!(before.basis, after.basis);
            }
        }
    }
}

#[test]
fn a_reviewer_who_has_decided_on_all_agrees_with_everybody_who_takes_it() {
    let position = [(0, 6), (10, 14), (20, 31)];
    let of = |rater: usize, sets: [usize; 3]| Work {
        rater,
        submitted: true,
        judgements: position.into_iter().zip(sets).collect(),
        turns: if rater < 4 { Vec::new() } else { vec![0; 3] },
    };
    let study = Study {
        revision: 1,
        measure: PairMeasure::Kappa,
        pairs: Rules::default(),
        several: Rules::default(),
        only_label: None,
        labels: vec![3, 5, 8],
        raters: raters(),
        sets: sets(),
        documents: vec![vec![of(0, [1, 2, 3]), of(1, [2, 2, 1]), of(4, [1, 2, 0])]],
    };
    let kappa = |scenario: &Scenario, pair: Subject| {
        let found = predict(&study, scenario).rows.into_iter().find(|row| row.subject == pair);
        found.unwrap().value.map(|value| value.value)
    };
    let (given, with_reviewer) =
        (Scenario { decisions: true, ..Scenario::default() }, Subject::Pair(11, 20));
    assert!(kappa(&Scenario::default(), with_reviewer).unwrap() < 1.0);
    assert_eq!(kappa(&given, with_reviewer), Ok(1.0));
    assert_eq!(kappa(&given, Subject::Pair(11, 12)), Ok(1.0));
    // Without the reviewer nothing is decided.
    let without = Scenario { without: vec![20], ..given };
    assert_eq!(
        kappa(&without, Subject::Pair(11, 12)),
        kappa(&Scenario::default(), Subject::Pair(11, 12))
    );
}

#[test]
fn boundaries_relaxed_leave_no_value_of_all_labelers_and_say_why() {
    let study = Study {
        revision: 1,
        measure: PairMeasure::Alpha,
        pairs: Rules::default(),
        several: Rules::default(),
        only_label: None,
        labels: vec![3, 5, 8],
        raters: raters(),
        sets: sets(),
        documents: vec![
            [(0, (0, 6)), (1, (0, 7)), (2, (3, 6))]
                .map(|(rater, position)| Work {
                    rater,
                    submitted: false,
                    judgements: vec![(position, 1), ((20, 22), 2)],
                    turns: Vec::new(),
                })
                .to_vec(),
        ],
    };
    let predicted = |within| predict(&study, &Scenario { within, ..Scenario::default() });
    let row = |within, subject| {
        *predicted(within).rows.iter().find(|row| row.subject == subject).unwrap()
    };
    let all = Subject::Labelers(ManyMeasure::Alpha);
    assert_eq!(row(0, all).value.map(|value| value.value), Err(Lack::SecondCategory));
    assert_eq!(row(1, all).value.map(|value| value.value), Err(Lack::CommonPositions));
    assert_eq!(row(0, Subject::Pair(11, 12)).basis.n, 1);
    assert_eq!(row(1, Subject::Pair(11, 12)).basis.n, 2);
    assert_eq!(row(3, Subject::Pair(12, 14)).basis.n, 2);
    // One against all others adds up pairs, which have positions of their own.
    assert_eq!(row(1, Subject::WithLabelers(11)).basis.n, 3);
    assert_eq!(row(3, Subject::WithLabelers(11)).basis.n, 4);
}
