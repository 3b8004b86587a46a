//! Raters against one who is right.

use study::command::Options;
use study::report::{AgainstGold, Method, ShareOfLabel};

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
        let (narrow, wide) = (narrow.interval.as_ref().unwrap(), wide.interval.unwrap());
        assert!(wide.lower <= narrow.lower && narrow.upper <= wide.upper, "{narrow:?} {wide:?}");
        assert!(wide.lower <= value && value <= wide.upper, "{wide:?}");
        assert_eq!((wide.method, wide.resamples), (Method::Bootstrap, Some(400)));
    }
}

/// A is right on 47 of 50 items and C on 40; of the ten that C has wrong, A has one wrong.
#[test]
fn two_are_compared_item_by_item() {
    let found = found(|_| ());
    let [pair] = &found.pairs[..] else { panic!("{found:?}") };
    assert_eq!((pair.items, pair.only_first, pair.only_second), (50, 9, 2));
    // P(X ≤ 2 or X ≥ 9) of 11 coins: 2 (1 + 11 + 55) / 2,048.
    assert!((pair.mcnemar.p_value.unwrap() - 134.0 / 2_048.0).abs() < 1e-12);
    let permutation = pair.permutation.p_value.unwrap();
    assert!(pair.f1_difference.unwrap() > 0.0 && permutation > 0.0 && permutation <= 1.0);
}

#[test]
fn two_who_never_differ_have_no_test() {
    let file = "item,A,B,C\n1,x,x,x\n2,y,y,x\n3,x,x,y\n";
    let report = measure_with(file, |options| options.report.gold = Some("C".to_owned()));
    let found = report.gold.unwrap();
    let pair = &found.pairs[0];
    assert_eq!(pair.f1_difference, Some(0.0));
    for test in [&pair.mcnemar, &pair.permutation] {
        assert_eq!((test.p_value, test.corrected), (None, None));
        assert_eq!(test.undefined.as_ref().unwrap().code, "NoVariance");
    }
}

/// They differ on two items. As it is A has F1 1 and B ½, with both exchanged the other way round; with one,
/// each has (4/5 + 2/3) / 2. So two of four ways are as far apart.
#[test]
fn two_are_exchanged_where_they_differ() {
    let file = "item,A,B,C\n1,x,y,x\n2,y,x,y\n3,x,x,x\n4,y,y,y\n";
    let report = measure_with(file, |options| options.report.gold = Some("C".to_owned()));
    let pair = &report.gold.unwrap().pairs[0];
    assert_eq!((pair.items, pair.only_first, pair.only_second), (4, 2, 0));
    assert_eq!((pair.f1_difference, pair.permutation.p_value), (Some(0.5), Some(0.5)));
}

#[test]
fn a_difference_that_is_not_tested_is_one_all_the_same() {
    let tested = found(|_| ()).pairs.remove(0);
    let untested = found(|options| options.report.resamples = Some(0)).pairs.remove(0);
    assert_eq!(untested.f1_difference, tested.f1_difference);
    assert_eq!(untested.permutation.p_value, None);
    assert_eq!(untested.permutation.undefined.unwrap().code, "NoResamples");
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

/// Holm compares the smallest of three with 5 % / 3, and so on: 3 p, then 2 p, then p, each at least as much
/// as the one before.
#[test]
fn tests_of_all_pairs_are_corrected_for_their_number() {
    let mut file = String::from("item,A,B,C,Gold\n");
    for item in 0..20 {
        let wrong = |from: i32, to: i32| if (from..to).contains(&item) { "no" } else { "yes" };
        file.push_str(&format!("{item},yes,{},{},yes\n", wrong(0, 6), wrong(3, 13)));
    }
    let report = measure_with(&file, |options| options.report.gold = Some("Gold".to_owned()));
    let pairs = report.gold.unwrap().pairs;
    // 0 to 6, 0 to 10, and 3 to 7 of those that one alone has right.
    let by_hand = [2.0 / 64.0, 2.0 / 1_024.0, 352.0 / 1_024.0];
    for ((pair, p_value), times) in pairs.iter().zip(by_hand).zip([2.0, 3.0, 1.0]) {
        assert!((pair.mcnemar.p_value.unwrap() - p_value).abs() < 1e-12, "{pair:?}");
        assert!((pair.mcnemar.corrected.unwrap() - times * p_value).abs() < 1e-12, "{pair:?}");
    }
    assert!(pairs.iter().all(|pair| pair.permutation.corrected >= pair.permutation.p_value));
    let text = printed(&file, |options| options.report.gold = Some("Gold".to_owned()));
    assert!(text.contains("p (Holm)") && text.contains("p of F1 (Holm)"), "{text}");
    assert!(text.contains("0.062"), "{text}");
}

#[test]
fn one_item_has_no_interval_and_is_one_item() {
    let gold = |options: &mut Options| options.report.gold = Some("B".to_owned());
    for file in ["A,B\nx,x\n", "A,B\nx,x\ny,\n,y\n"] {
        let found = measure_with(file, gold).gold.unwrap();
        let label = &found.models[0].labels[0];
        for share in [&label.precision, &label.recall, &label.f1] {
            assert_eq!((share.value, &share.interval), (Some(1.0), &None));
            assert_eq!(share.no_interval.as_ref().unwrap().code, "TooFewUnits");
        }
        let text = printed(file, gold);
        assert!(text.contains("A against B (1 item)") && !text.contains("1.000 ("), "{text}");
        assert!(text.contains("no interval: fewer than two items"), "{text}");
    }
}

/// In a third of all resamples the one x of five is not drawn.
#[test]
fn resamples_without_a_value_are_counted() {
    let file = "item,A,B\n1,x,x\n2,y,y\n3,y,y\n4,y,y\n5,y,y\n";
    let found = measure_with(file, |options| {
        options.report.gold = Some("B".to_owned());
        options.report.resamples = Some(400);
    });
    let found = found.gold.unwrap();
    let [x, y] = &found.models[0].labels[..] else { panic!("{found:?}") };
    let left_out = x.f1.interval.as_ref().unwrap().left_out.unwrap();
    assert!((80..160).contains(&left_out), "{left_out}");
    assert!(y.f1.interval.as_ref().unwrap().left_out < Some(40));
    let text = printed(file, |options| {
        options.report.gold = Some("B".to_owned());
        options.report.resamples = Some(400);
    });
    let note = format!("without a value and left out: {left_out} of 400 resamples (precision of x");
    assert!(text.contains(&note), "{note}\n{text}");
}

#[test]
fn labels_that_were_never_given_have_their_reason() {
    let text =
        printed("item,A,B\n1,x,x\n2,x,y\n", |options| options.report.gold = Some("B".to_owned()));
    assert!(text.contains("no value: this category was never used (precision of y)"), "{text}");
}

/// Label after label, each by going through all cells, would take hours.
#[test]
fn twenty_thousand_labels_are_counted_at_once() {
    let labels = 20_000;
    let mut file = String::from("item,A,B\n");
    for item in 0..labels {
        file.push_str(&format!("{item},{item},{}\n", if item % 2 == 0 { item } else { item - 1 }));
    }
    let report = measure_with(&file, |options| {
        options.report.gold = Some("B".to_owned());
        options.report.resamples = Some(5);
        options.report.measures = vec!["percent".to_owned()];
    });
    let found = report.gold.unwrap();
    assert_eq!(found.models[0].labels.len(), labels);
    let first = &found.models[0].labels[0];
    assert_eq!((first.precision.value, first.recall.value), (Some(1.0), Some(0.5)));
    assert!(first.recall.interval.is_some());
}

/// One who errs on nearly all of 12,000 items is exchanged on more than 10,000 of them.
#[test]
fn two_who_differ_on_many_items_are_exchanged() {
    let mut file = String::from("item,A,B,Gold\n");
    for item in 0..12_000 {
        file.push_str(&format!("{item},x,{},x\n", if item % 12 == 0 { "x" } else { "y" }));
    }
    let report = measure_with(&file, |options| {
        options.report.gold = Some("Gold".to_owned());
        options.report.measures = vec!["percent".to_owned()];
    });
    let pair = &report.gold.unwrap().pairs[0];
    assert_eq!((pair.only_first, pair.permutation.p_value), (11_000, Some(1.0 / 51.0)));
}
