//! The alternative annotator test of Calderon, Reichart and Dror (2025): cases computed by hand from its
//! definitions, and laws.
#![expect(clippy::float_cmp, reason = "the same counts make the same numbers")]

use std::collections::BTreeSet;

use agreement::inference::{
    AlternativeTest, Annotators, Comparison, FEWEST_ITEMS, Panel, alternative_annotator_test,
    mean_jaccard, negative_rmse, share_alike,
};
use agreement::{Number, Undefined};
use proptest::prelude::*;

type Said = Option<u8>;

fn panel(stand_in: Said, annotators: &[Said]) -> Panel<u8> {
    Panel { stand_in, annotators: annotators.to_vec() }
}

fn tested(items: &[Panel<u8>], margin: f64) -> Result<AlternativeTest, Undefined> {
    alternative_annotator_test(items.iter().cloned(), share_alike, margin)
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-12
}

/// The shares of the stand-in and of the annotator.
fn shares(one: &Comparison) -> Option<(f64, f64)> {
    one.stand_in_share().zip(one.annotator_share())
}

/// Three annotators on 40 items. On 10 of them the third says something else, and so does the stand-in on
/// 4 others: beside the first, who is then right, it is worse on 4, beside the third better on 10.
#[test]
fn shares_and_p_values_follow_from_who_represents_the_others() {
    let items: Vec<Panel<u8>> = (0..40)
        .map(|item| {
            let third = u8::from(item < 10);
            panel(Some(u8::from(item >= 36)), &[Some(0), Some(0), Some(third)])
        })
        .collect();
    let test = tested(&items, 0.1).unwrap();
    let [first, second, third] = &test.comparisons[..] else { panic!("{test:?}") };
    assert_eq!(
        (first.items(), shares(first), shares(third)),
        (40, Some((0.9, 1.0)), Some((0.9, 0.75)))
    );
    assert_eq!((first.test, shares(first)), (second.test, shares(second)));
    // Beside the first the mean difference is the margin, so t is 0.
    assert!(near(first.test.unwrap().p_value, 0.5));
    // Beside the third d̄ = −0.15, s² = (14 − 40 · 0.15²) / 39, t = −0.25 / (s / √40) = −2.728 with 39
    // degrees of freedom, of which SciPy 1.17 makes this.
    let p_value = third.test.unwrap().p_value;
    assert!((p_value - 0.004_750_349_519_773).abs() < 1e-10, "{p_value}");
    assert!(near(test.advantage(), 0.9));
    assert!(near(test.winning_rate(), 1.0 / 3.0) && !test.passes());
}

/// The authors' program (`alt_test` of nitaytech/AltTest) skips annotators of fewer than 30 items, whom the
/// stand-in would have won against here and be the best among.
#[test]
fn who_has_few_items_is_not_tested_and_counts_in_nothing() {
    let items = (0..40_u64).map(|item| {
        let late = (item < FEWEST_ITEMS - 1).then_some(u8::from(item % 2 == 0));
        let right = u8::from(item >= 30);
        panel(Some(right), &[Some(0), Some(0), late, None])
    });
    let items: Vec<Panel<u8>> = items.collect();
    let test = tested(&items, 0.1).unwrap();
    let [first, second, late, never] = &test.comparisons[..] else { panic!("{test:?}") };
    assert_eq!((late.items(), late.test), (29, Err(Undefined::TooFewItems)));
    assert_eq!(late.stand_in_share(), Some(1.0));
    assert_eq!((never.items(), never.test), (0, Err(Undefined::TooFewItems)));
    assert_eq!(shares(never), None);
    let alone: Vec<Panel<u8>> = items
        .iter()
        .map(|item| Panel { annotators: item.annotators[..2].to_vec(), ..item.clone() })
        .collect();
    let without = tested(&alone, 0.1).unwrap();
    assert_eq!([first.items(), second.items()], [40, 40]);
    assert_eq!(
        test.tested().map(|(_, test)| test).collect::<Vec<_>>(),
        without.tested().map(|(_, test)| test).collect::<Vec<_>>()
    );
    assert_eq!(test.winning_rate(), without.winning_rate());
    assert_eq!(test.advantage(), without.advantage());
    let reason = Undefined::TooFewItems.to_string();
    assert!(reason.contains(&FEWEST_ITEMS.to_string()), "{reason}");
}

/// Squares of such numbers are infinite, and the scores of both.
#[test]
fn scores_beyond_all_numbers_are_level() {
    let number = |value| Number::new(value).unwrap();
    let item = |place| {
        let others = if place % 3 == 0 { 1e200 } else { -1e200 };
        let judgements = [1e200, others, others].map(|value| Some(number(value)));
        Panel { stand_in: Some(number(1e200)), annotators: judgements.to_vec() }
    };
    let test = alternative_annotator_test((0..30).map(item), negative_rmse, 0.1).unwrap();
    assert_eq!(shares(&test.comparisons[0]), Some((1.0, 1.0)));
}

#[test]
fn who_never_differs_wins_and_who_never_agrees_does_not() {
    let alike: Vec<Panel<u8>> = (0..50).map(|_| panel(Some(1), &[Some(1); 4])).collect();
    assert!(tested(&alike, 0.1).unwrap().passes());
    // Without a margin nothing shows that it is better.
    assert!(!tested(&alike, 0.0).unwrap().passes());
    let apart: Vec<Panel<u8>> = (0..50).map(|_| panel(Some(2), &[Some(1); 4])).collect();
    let test = tested(&apart, 0.2).unwrap();
    assert!(near(test.winning_rate(), 0.0) && near(test.advantage(), 0.0));
}

#[test]
fn undefined_has_its_reason() {
    let alone = [panel(Some(1), &[Some(1), None]), panel(None, &[Some(1), Some(1)])];
    let few = vec![panel(Some(1), &[Some(1), Some(1)]); 29];
    for items in [&[], &alone[..], &few] {
        assert_eq!(tested(items, 0.1), Err(Undefined::TooFewAnnotators));
    }
    // One of three has the items that it takes.
    let each =
        |item| panel(Some(1), &[Some(1), (item < 20).then_some(1), (item > 15).then_some(1)]);
    let one: Vec<Panel<u8>> = (0..35).map(each).collect();
    assert_eq!(tested(&one, 0.1), Err(Undefined::TooFewAnnotators));
    for margin in [-0.1, 1.0, f64::NAN] {
        assert_eq!(tested(&alone, margin), Err(Undefined::OptionOutOfRange));
    }
}

#[test]
fn margins_are_those_of_the_paper() {
    let margins =
        [Annotators::Experts, Annotators::Skilled, Annotators::Crowd].map(Annotators::margin);
    assert_eq!(margins.map(|margin| format!("{margin:.2}")), ["0.20", "0.15", "0.10"]);
}

#[test]
fn scores_are_those_of_the_paper() {
    assert!(near(share_alike(&'a', &[&'a', &'b', &'a', &'c']), 0.5));
    let set = |labels: &str| labels.chars().collect::<BTreeSet<char>>();
    assert!(near(
        mean_jaccard(&set("ab"), &[&set("a"), &set("abc"), &set("c")]),
        (0.5 + 2.0 / 3.0) / 3.0
    ));
    assert!(near(negative_rmse(&5_u8, &[&2, &9]), -12.5_f64.sqrt()));
}

/// 1.1 is as far from 1.2 as 1.3 is, though not for a computer.
#[test]
fn rounding_makes_nobody_better() {
    let number = |value| Number::new(value).unwrap();
    let item = |_| Panel {
        stand_in: Some(number(1.1)),
        annotators: [1.3, 1.2, 1.2].map(|value| Some(number(value))).to_vec(),
    };
    let test = alternative_annotator_test((0..30).map(item), negative_rmse, 0.1).unwrap();
    let first = test.comparisons[0];
    assert_eq!(shares(&first), Some((1.0, 1.0)));
}

/// Up to five annotators and sixty items, with judgements missing.
fn study() -> impl Strategy<Value = Vec<Panel<u8>>> {
    let said = || prop_oneof![1 => Just(None), 5 => (0..3_u8).prop_map(Some)];
    (2..=5_usize).prop_flat_map(move |annotators| {
        let item = (said(), prop::collection::vec(said(), annotators));
        let item = item.prop_map(|(stand_in, annotators)| Panel { stand_in, annotators });
        prop::collection::vec(item, 30..60)
    })
}

proptest! {
    #[test]
    fn the_order_of_items_and_annotators_does_not_matter(items in study(), margin in 0.0..0.5) {
        let mut turned: Vec<Panel<u8>> = items.iter().rev().cloned().collect();
        for item in &mut turned {
            item.annotators.reverse();
        }
        match (tested(&items, margin), tested(&turned, margin)) {
            (Ok(one), Ok(other)) => {
                prop_assert_eq!(one.winning_rate(), other.winning_rate());
                prop_assert_eq!(one.advantage(), other.advantage());
                let values = |test: &AlternativeTest| -> Vec<_> {
                    test.comparisons.iter().map(|one| (one.items(), one.test)).collect()
                };
                let mut backwards = values(&other);
                backwards.reverse();
                prop_assert_eq!(values(&one), backwards);
            }
            (one, other) => prop_assert_eq!(one, other),
        }
    }

    /// Whoever may be worse by more wins no less.
    #[test]
    fn a_wider_margin_never_loses(items in study(), margin in 0.0..0.4) {
        let (Ok(narrow), Ok(wide)) = (tested(&items, margin), tested(&items, margin + 0.1)) else {
            return Ok(());
        };
        prop_assert_eq!(narrow.advantage(), wide.advantage());
        for ((_, narrow), (_, wide)) in narrow.tested().zip(wide.tested()) {
            prop_assert!(wide.p_value <= narrow.p_value + 1e-12);
        }
    }

    #[test]
    fn shares_and_probabilities_are_such(items in study(), margin in 0.0..0.99) {
        let Ok(test) = tested(&items, margin) else { return Ok(()) };
        for (one, test) in test.tested() {
            let (stand_in, annotator) = shares(one).unwrap();
            prop_assert!(stand_in + annotator >= 1.0 - 1e-12);
            prop_assert!((0.0..=1.0).contains(&test.p_value));
            prop_assert!(test.p_value <= test.corrected && test.corrected <= 1.0);
        }
    }

    /// The indicators of the paper, item by item: whoever represents the others at least as well has 1, so
    /// that both have it where they do as well.
    #[test]
    fn shares_are_means_of_the_indicators(items in study()) {
        let Ok(test) = tested(&items, 0.1) else { return Ok(()) };
        for (one, _) in test.tested() {
            let scores = items.iter().filter_map(|item| {
                let judged = item.annotators.iter().enumerate();
                let others = judged.filter(|(place, _)| *place != one.annotator);
                let others: Vec<&u8> = others.filter_map(|(_, said)| said.as_ref()).collect();
                let (stand_in, annotator) = (item.stand_in?, item.annotators[one.annotator]?);
                let score = |said| share_alike(&said, &others);
                (!others.is_empty()).then(|| (score(stand_in), score(annotator)))
            });
            let scores: Vec<(f64, f64)> = scores.collect();
            let share = |is_one: fn(&&(f64, f64)) -> bool| {
                let count = |count: usize| f64::from(u32::try_from(count).unwrap());
                count(scores.iter().filter(is_one).count()) / count(scores.len())
            };
            let (stand_in_share, annotator_share) = shares(one).unwrap();
            prop_assert!(near(stand_in_share, share(|(stand_in, annotator)| stand_in >= annotator)));
            prop_assert!(near(annotator_share, share(|(stand_in, annotator)| annotator >= stand_in)));
        }
    }

    /// A stand-in who repeats an annotator is as good as they are.
    #[test]
    fn an_echo_is_level_with_its_voice(items in study()) {
        let echoed = items.into_iter().map(|mut item| {
            item.stand_in = item.annotators[0];
            item
        });
        if let Ok(test) = alternative_annotator_test(echoed, share_alike, 0.2)
            && test.comparisons[0].items() > 0
        {
            prop_assert_eq!(shares(&test.comparisons[0]), Some((1.0, 1.0)));
        }
    }

    #[test]
    fn names_of_categories_do_not_matter(items in study()) {
        let renamed: Vec<Panel<u8>> = items
            .iter()
            .map(|item| Panel {
                stand_in: item.stand_in.map(|said| 9 - said),
                annotators: item.annotators.iter().map(|said| said.map(|said| 9 - said)).collect(),
            })
            .collect();
        prop_assert_eq!(tested(&items, 0.1), tested(&renamed, 0.1));
    }
}
