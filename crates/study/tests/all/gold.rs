//! Raters against one who is right.

use study::command::Options;
use study::report::{AgainstGold, ShareOfLabel};

use crate::{measure_with, printed};

/// The left table of the lecture on inter-annotator agreement, B being right, and a third rater who is right
/// but for the first ten negatives.
fn lecture() -> String {
    let mut file = String::from("item,A,C,B\n");
    let counts = [("pos", "pos", 4), ("pos", "neg", 1), ("neg", "pos", 2), ("neg", "neg", 43)];
    let mut negatives = 0;
    for (a, b, count) in counts {
        for item in 0..count {
            negatives += usize::from(b == "neg");
            let c = if b == "neg" && negatives <= 10 { "pos" } else { b };
            file.push_str(&format!("{a}{b}{item},{a},{c},{b}\n"));
        }
    }
    file
}

fn asked(options: &mut Options) {
    options.report.gold = Some("B".to_owned());
    options.report.resamples = Some(400);
}

fn found(change: impl FnOnce(&mut Options)) -> AgainstGold {
    measure_with(&lecture(), |options| {
        asked(options);
        change(options);
    })
    .gold
    .unwrap()
}

#[test]
fn lecture_4_precision_recall_and_f1_of_the_left_table() {
    let found = found(|_| ());
    let [first, second] = &found.models[..] else { panic!("{found:?}") };
    assert_eq!((first.rater.as_str(), second.rater.as_str(), first.items), ("A", "C", 50));
    let positive = first.labels.iter().find(|label| label.category == "pos").unwrap();
    assert_eq!((positive.gold, positive.found), (6, 5));
    let values = [&positive.precision, &positive.recall, &positive.f1].map(|share| share.value);
    assert_eq!(values, [Some(0.8), Some(2.0 / 3.0), Some(8.0 / 11.0)]);
}

#[test]
fn shares_lie_in_their_intervals_and_a_wider_one_is_wider() {
    let narrow = found(|options| options.report.confidence = 0.8);
    let wide = found(|options| options.report.confidence = 0.99);
    let shares = |found: &AgainstGold| -> Vec<ShareOfLabel> {
        let labels = found.models.iter().flat_map(|model| model.labels.clone());
        labels.flat_map(|label| [label.precision, label.recall, label.f1]).collect()
    };
    for (narrow, wide) in shares(&narrow).iter().zip(shares(&wide)) {
        let value = narrow.value.unwrap();
        assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper, "{narrow:?} {wide:?}");
        assert!(wide.lower.unwrap() <= value && value <= wide.upper.unwrap(), "{wide:?}");
    }
}

/// A is right on 47 of 50 items and C on 40; of the ten that C has wrong, A has one wrong.
#[test]
fn two_are_compared_item_by_item() {
    let found = found(|_| ());
    let [pair] = &found.pairs[..] else { panic!("{found:?}") };
    assert_eq!((pair.items, pair.only_first, pair.only_second), (50, 9, 2));
    // P(X ≤ 2 or X ≥ 9) of 11 coins: 2 (1 + 11 + 55) / 2,048.
    assert!((pair.mcnemar.unwrap() - 134.0 / 2_048.0).abs() < 1e-12);
    let permutation = pair.permutation.unwrap();
    assert!(pair.f1_difference.unwrap() > 0.0 && permutation > 0.0 && permutation <= 1.0);
}

#[test]
fn two_who_never_differ_have_no_test() {
    let file = "item,A,B,C\n1,x,x,x\n2,y,y,x\n3,x,x,y\n";
    let report = measure_with(file, |options| options.report.gold = Some("C".to_owned()));
    let found = report.gold.unwrap();
    assert_eq!(found.pairs[0].mcnemar, None);
    assert_eq!(found.pairs[0].no_mcnemar.as_ref().unwrap().code, "NoVariance");
    assert_eq!((found.pairs[0].f1_difference, found.pairs[0].permutation), (Some(0.0), None));
    assert_eq!(found.pairs[0].no_permutation.as_ref().unwrap().code, "NoVariance");
}

/// They differ on two items. As it is A has F1 1 and B ½, with both exchanged the other way round; with one,
/// each has (4/5 + 2/3) / 2. So two of four ways are as far apart.
#[test]
fn two_are_exchanged_where_they_differ() {
    let file = "item,A,B,C\n1,x,y,x\n2,y,x,y\n3,x,x,x\n4,y,y,y\n";
    let report = measure_with(file, |options| options.report.gold = Some("C".to_owned()));
    let pair = &report.gold.unwrap().pairs[0];
    assert_eq!((pair.items, pair.only_first, pair.only_second), (4, 2, 0));
    assert_eq!((pair.f1_difference, pair.permutation), (Some(0.5), Some(0.5)));
}

#[test]
fn a_difference_that_is_not_tested_is_one_all_the_same() {
    let tested = found(|_| ()).pairs.remove(0);
    let untested = found(|options| options.report.resamples = Some(0)).pairs.remove(0);
    assert_eq!(untested.f1_difference, tested.f1_difference);
    assert_eq!(untested.permutation, None);
    assert_eq!(untested.no_permutation.unwrap().code, "TooFewResamples");
}

#[test]
fn the_report_has_a_table_for_each_and_one_for_pairs() {
    let text = printed(&lecture(), asked);
    for part in ["A against B (50 items)", "C against B (50 items)", "Which is better against B"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    assert!(text.contains("0.800 ("), "{text}");
    assert!(!printed(&lecture(), |_| ()).contains("against B"));
}
