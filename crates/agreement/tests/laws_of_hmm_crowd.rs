//! What holds of consensus on sequences.
#![expect(clippy::indexing_slicing, clippy::unwrap_used, reason = "a test that panics has failed")]

use agreement::consensus::{
    DawidSkene, HmmCrowd, HmmCrowdFit, Sequences, SoftLabels, Votes, majority_vote,
};
use agreement::{Contingency, Iob2, Ratings, SplitMix64, Undefined, micro_average};
use proptest::prelude::*;

/// Per item who said what; a rater may have nothing to say.
type Items = Vec<Vec<(usize, u8)>>;

const RATERS: usize = 4;

fn studies() -> impl Strategy<Value = (Items, Vec<u8>)> {
    let vote = (0..RATERS, 0_u8..3);
    let item = (prop::collection::vec(vote, 0..6), 0_u8..3);
    prop::collection::vec(item, 1..10)
        .prop_map(|items| items.into_iter().unzip())
        .prop_filter("votes", |(items, _): &(Items, Vec<u8>)| items.iter().any(|it| !it.is_empty()))
}

fn models() -> impl Strategy<Value = HmmCrowd> {
    (0.01..3.0, 0.01..3.0, 0.01..3.0, 1_u32..20).prop_map(
        |(start_prior, transition_prior, confusion_prior, most_iterations)| HmmCrowd {
            start_prior,
            transition_prior,
            confusion_prior,
            most_iterations,
            ..HmmCrowd::default()
        },
    )
}

fn votes(items: &Items) -> Votes<u8> {
    Votes::from_items(RATERS, items.iter().cloned()).unwrap()
}

/// 2 only after 1 and 2, as an inner tag; all else as it likes.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "so the model asks")]
fn inner(before: Option<&u8>, tag: &u8) -> bool {
    *tag != 2 || before.is_some_and(|before| *before > 0)
}

/// The votes of a study in which 1 occurs, so that 2 may occur.
fn fit(model: &HmmCrowd, items: &Items, names: &[u8]) -> HmmCrowdFit<u8> {
    model.fit(&votes(items), &Sequences::of(names), inner).unwrap()
}

fn opened() -> impl Strategy<Value = (Items, Vec<u8>)> {
    studies().prop_filter("somebody says 0", |(items, _)| {
        items.iter().flatten().any(|&(_, said)| said == 0)
    })
}

proptest! {
    #[test]
    fn probabilities_add_up_to_one_and_what_may_not_be_is_not((items, names) in opened(), model in models()) {
        let fit = fit(&model, &items, &names);
        let sums_to_one = |row: &[f64]| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        prop_assert!(sums_to_one(&fit.starts));
        prop_assert!(fit.transitions.iter().all(|row| sums_to_one(row)));
        prop_assert!(fit.confusions.iter().flatten().all(|row| sums_to_one(row)));
        for (item, said) in items.iter().enumerate() {
            prop_assert_eq!(fit.labels.item(item).is_none(), said.is_empty());
            prop_assert_eq!(fit.tags[item].is_none(), said.is_empty());
            prop_assert!(fit.labels.item(item).is_none_or(sums_to_one));
        }
        let categories = fit.labels.categories();
        for (before, row) in categories.iter().zip(&fit.transitions) {
            for (tag, probability) in categories.iter().zip(row) {
                prop_assert_eq!(inner(Some(before), tag), *probability > 0.0);
            }
        }
        for sequence in Sequences::of(&names).iter() {
            let tags: Vec<Option<u8>> = sequence.iter().map(|&item| fit.tags[item]).collect();
            prop_assert!(tags.first().copied().flatten() != Some(2));
            for two in tags.windows(2) {
                if let [Some(before), Some(tag)] = two {
                    prop_assert!(inner(Some(before), tag), "{tags:?}");
                }
            }
        }
    }

    /// All ways through each sequence, by the parameters that were learned.
    #[test]
    fn labels_follow_from_the_parameters((items, names) in opened(), model in models()) {
        let fit = fit(&model, &items, &names);
        let categories = fit.labels.categories();
        let emission = |item: usize, truth: usize| -> f64 {
            let of = |&(rater, said): &(usize, u8)| {
                fit.confusions[rater][truth][categories.binary_search(&said).unwrap()]
            };
            items[item].iter().map(of).product()
        };
        let mut log_likelihood = 0.0;
        for sequence in Sequences::of(&names).iter() {
            if sequence.iter().all(|&item| items[item].is_empty()) {
                continue;
            }
            let mut ways = vec![(Vec::new(), 1.0)];
            for &item in sequence {
                ways = ways
                    .into_iter()
                    .flat_map(|(way, joint): (Vec<usize>, f64)| {
                        let links = match way.last() {
                            Some(&before) => &fit.transitions[before],
                            None => &fit.starts,
                        };
                        let on = |(tag, link): (usize, &f64)| {
                            let mut way = way.clone();
                            way.push(tag);
                            (way, joint * link * emission(item, tag))
                        };
                        links.iter().enumerate().map(on).collect::<Vec<_>>()
                    })
                    .collect();
            }
            let all: f64 = ways.iter().map(|(_, joint)| joint).sum();
            log_likelihood += all.ln();
            for (place, &item) in sequence.iter().enumerate() {
                let Some(row) = fit.labels.item(item) else { continue };
                for (tag, probability) in row.iter().enumerate() {
                    let through = ways.iter().filter(|(way, _)| way[place] == tag);
                    let share = through.map(|(_, joint)| joint).sum::<f64>() / all;
                    prop_assert!((probability - share).abs() < 1e-9, "{probability} and {share}");
                }
            }
            let most = ways.iter().map(|(_, joint)| *joint).fold(0.0, f64::max);
            let is_chosen = |way: &[usize]| {
                let chosen = sequence.iter().zip(way).map(|(&item, &tag)| (fit.tags[item], tag));
                chosen.into_iter().all(|(found, tag)| found.is_none_or(|it| it == categories[tag]))
            };
            prop_assert!(ways.iter().any(|(way, joint)| joint / most > 1.0 - 1e-9 && is_chosen(way)));
        }
        prop_assert!((fit.log_likelihood - log_likelihood).abs() < 1e-9 * (1.0 - log_likelihood));
    }

    #[test]
    fn order_of_sequences_and_raters_changes_no_bit(
        (items, names) in opened(),
        model in models(),
    ) {
        let one = fit(&model, &items, &names);
        // Sequences in another order, those of a sequence in theirs; and raters the other way round.
        let mut order: Vec<usize> = (0..items.len()).collect();
        order.sort_by_key(|&item| std::cmp::Reverse(names[item]));
        let turned = |item: &usize| -> Vec<(usize, u8)> {
            items[*item].iter().map(|&(rater, said)| (RATERS - 1 - rater, said)).collect()
        };
        let moved: Items = order.iter().map(turned).collect();
        let names: Vec<u8> = order.iter().map(|&item| names[item]).collect();
        let other = fit(&model, &moved, &names);
        prop_assert_eq!((one.iterations, one.log_likelihood), (other.iterations, other.log_likelihood));
        prop_assert_eq!((&one.starts, &one.transitions), (&other.starts, &other.transitions));
        prop_assert!(one.confusions.iter().eq(other.confusions.iter().rev()));
        for (place, &item) in order.iter().enumerate() {
            prop_assert_eq!(one.labels.item(item), other.labels.item(place));
            prop_assert_eq!(one.tags[item], other.tags[place]);
        }
    }

    /// The logarithm of the probability of votes and parameters together, but for what is the same.
    #[test]
    fn each_step_makes_votes_and_parameters_more_probable((items, names) in opened(), model in models()) {
        let after = |most_iterations| {
            let fit = fit(&HmmCrowd { most_iterations, tolerance: 0.0, ..model }, &items, &names);
            let logs = |row: &[f64]| row.iter().filter(|&&it| it > 0.0).map(|it| it.ln()).sum::<f64>();
            let transitions: f64 = fit.transitions.iter().map(|row| logs(row)).sum();
            let confusions: f64 = fit.confusions.iter().flatten().map(|row| logs(row)).sum();
            fit.log_likelihood
                + model.start_prior * logs(&fit.starts)
                + model.transition_prior * transitions
                + model.confusion_prior * confusions
        };
        let steps = model.most_iterations;
        prop_assert!(after(steps + 1) >= after(steps) - 1e-9);
    }

    /// Nothing comes before an item and nothing after: what a sequence begins with is what is true of it.
    #[test]
    fn sequences_of_one_item_are_dawid_and_skene_s(items in studies().prop_map(|(items, _)| items), model in models()) {
        let sequences = Sequences::of(0..items.len());
        let fit = model.fit(&votes(&items), &sequences, |_, _| true).unwrap();
        let plain = DawidSkene {
            marginal_prior: model.start_prior,
            confusion_prior: model.confusion_prior,
            tolerance: model.tolerance,
            most_iterations: model.most_iterations,
        };
        let plain = plain.fit(&votes(&items)).unwrap();
        prop_assert_eq!(fit.iterations, plain.iterations);
        prop_assert!(fit.starts.iter().zip(&plain.marginals).all(|(a, b)| (a - b).abs() < 1e-9));
        prop_assert!(apart(&fit.labels, &plain.labels) < 1e-9);
        prop_assert!((fit.log_likelihood - plain.log_likelihood).abs() < 1e-9 * (1.0 - fit.log_likelihood));
    }

    /// So many transitions are added that all are as probable, and then an item says nothing of the next.
    #[test]
    fn with_uniform_transitions_it_is_dawid_and_skene_s((items, names) in studies(), model in models()) {
        let model = HmmCrowd { start_prior: 1e20, transition_prior: 1e20, ..model };
        let fit = model.fit(&votes(&items), &Sequences::of(&names), |_, _| true).unwrap();
        let plain = DawidSkene {
            marginal_prior: 1e20,
            confusion_prior: model.confusion_prior,
            tolerance: model.tolerance,
            most_iterations: model.most_iterations,
        };
        let plain = plain.fit(&votes(&items)).unwrap();
        prop_assert!(apart(&fit.labels, &plain.labels) < 1e-7);
        for (item, row) in items.iter().enumerate() {
            let tied = plain.labels.choice(item).is_some_and(|choice| choice.tied.len() > 1);
            let choice = plain.labels.choice(item).map(|choice| *choice.category);
            prop_assert!(tied || fit.tags[item] == choice, "{row:?}");
        }
    }
}

/// How far the farthest probability of one is from that of the other.
fn apart<C>(one: &SoftLabels<C>, other: &SoftLabels<C>) -> f64 {
    let rows = (0..one.items()).map(|item| (one.item(item), other.item(item)));
    let cells = rows.flat_map(|(a, b)| {
        assert_eq!(a.is_none(), b.is_none());
        a.into_iter().flatten().zip(b.into_iter().flatten()).collect::<Vec<_>>()
    });
    cells.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

const TAGS: [&str; 5] = ["O", "B-PER", "I-PER", "B-LOC", "I-LOC"];

/// A crowd of six, of whom two have each token: how often they see it right, and else any tag. Spans are some
/// tokens long.
struct Crowd {
    truth: Vec<&'static str>,
    names: Vec<u64>,
    items: Vec<Vec<(usize, &'static str)>>,
}

impl Crowd {
    fn draw(seed: u64, sentences: u64, skills: &[u64]) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut below = |bound: u64| usize::try_from(random.draw() % bound).unwrap();
        let mut crowd = Self { truth: Vec::new(), names: Vec::new(), items: Vec::new() };
        for name in 0..sentences {
            let length = 8 + below(8);
            let first = below(6);
            let raters: Vec<usize> = (0..3).map(|step| (first + 2 * step) % 6).collect();
            let mut open = 0;
            for _ in 0..length {
                let tag = match open {
                    1 | 3 if below(10) < 8 => open + 1,
                    2 | 4 if below(10) < 6 => open,
                    _ => [0, 0, 0, 1, 3][below(5)],
                };
                open = tag;
                crowd.truth.push(TAGS[tag]);
                crowd.names.push(name);
                let said = raters.iter().map(|&rater| {
                    let is_right = u64::try_from(below(100)).unwrap() < skills[rater];
                    (rater, TAGS[if is_right { tag } else { below(5) }])
                });
                crowd.items.push(said.collect());
            }
        }
        crowd
    }

    fn votes(&self) -> Votes<&'static str> {
        Votes::from_items(6, self.items.clone()).unwrap()
    }

    fn sequences(&self) -> Sequences {
        Sequences::of(&self.names)
    }

    /// F1 of all tags but O.
    fn f1(&self, tags: impl IntoIterator<Item = &'static str>) -> f64 {
        let table: Contingency<_> = tags.into_iter().zip(self.truth.iter().copied()).collect();
        micro_average(&table, Some(&"O")).unwrap().f1
    }

    /// The same of the most probable tag of each token by itself.
    fn f1_of_choices(&self, labels: &SoftLabels<&'static str>) -> f64 {
        self.f1((0..labels.items()).map(|item| *labels.choice(item).unwrap().category))
    }
}

fn may_follow(before: Option<&&str>, tag: &&str) -> bool {
    let before = before.and_then(|before| Iob2::parse(before));
    Iob2::parse(tag).is_some_and(|tag| tag.may_follow(before))
}

#[test]
fn what_comes_before_and_after_lifts_f1_above_majority_and_dawid_and_skene() {
    for seed in 1..6 {
        let crowd = Crowd::draw(seed, 120, &[75, 70, 65, 60, 55, 50]);
        let votes = crowd.votes();
        let fit = HmmCrowd::default().fit(&votes, &crowd.sequences(), may_follow).unwrap();
        let sequence = crowd.f1(fit.tags.iter().copied().flatten());
        let majority = crowd.f1_of_choices(&majority_vote(&votes).unwrap());
        let single =
            DawidSkene { marginal_prior: 0.1, confusion_prior: 0.1, ..DawidSkene::default() };
        let single = crowd.f1_of_choices(&single.fit(&votes).unwrap().labels);
        assert!(fit.converged);
        assert!(
            sequence > majority + 0.05 && sequence > single + 0.03,
            "{seed}: {sequence}, {majority} and {single}"
        );
    }
}

#[test]
fn going_on_after_changes_ends_where_beginning_anew_does() {
    let model = HmmCrowd { tolerance: 1e-12, most_iterations: 20_000, ..HmmCrowd::default() };
    for seed in 1..6 {
        let mut crowd = Crowd::draw(seed, 60, &[90, 85, 85, 80, 80, 75]);
        let earlier = model.fit(&crowd.votes(), &crowd.sequences(), may_follow).unwrap();
        for item in [3, 50, 200] {
            crowd.items[item][0].1 = "B-LOC";
        }
        let anew = model.fit(&crowd.votes(), &crowd.sequences(), may_follow).unwrap();
        let on = model.fit_from(&crowd.votes(), &crowd.sequences(), may_follow, &earlier).unwrap();
        assert!(anew.converged && on.converged);
        assert!((anew.log_likelihood - on.log_likelihood).abs() < 1e-6);
        assert!(apart(&anew.labels, &on.labels) < 1e-6);
        assert_eq!(anew.tags, on.tags);
        let again = model.fit_from(&crowd.votes(), &crowd.sequences(), may_follow, &anew).unwrap();
        assert!(again.iterations <= anew.iterations);
    }
}

#[test]
fn going_on_allows_for_new_raters_and_begins_anew_with_other_categories() {
    let model = HmmCrowd::default();
    let crowd = Crowd::draw(9, 40, &[80, 80, 80, 80, 80, 80]);
    let of_five =
        crowd.items.iter().map(|said| said.iter().copied().filter(|&(rater, _)| rater < 5));
    let of_five = Votes::from_items(5, of_five).unwrap();
    let earlier = model.fit(&of_five, &crowd.sequences(), may_follow).unwrap();
    let (votes, sequences) = (crowd.votes(), crowd.sequences());
    let anew = model.fit(&votes, &sequences, may_follow).unwrap();
    let on = model.fit_from(&votes, &sequences, may_follow, &earlier).unwrap();
    assert!((anew.log_likelihood - on.log_likelihood).abs() < 1e-4);
    let few = Votes::from_items(1, [[(0, "O")]]).unwrap();
    let fit = model.fit_from(&few, &Sequences::of([1]), may_follow, &earlier).unwrap();
    assert_eq!(fit, model.fit(&few, &Sequences::of([1]), may_follow).unwrap());
}

#[test]
fn what_cannot_be_learned_from_says_why() {
    let model = HmmCrowd::default();
    let one = Votes::from_items(1, [[(0, 'a')]]).unwrap();
    let sequence = Sequences::of([1]);
    let any = |_: Option<&char>, _: &char| true;
    let nothing = Votes::<char>::from_items(2, [vec![], vec![]]).unwrap();
    let undefined = |result: Result<HmmCrowdFit<char>, Undefined>| result.unwrap_err();
    assert_eq!(
        undefined(model.fit(&nothing, &Sequences::of([1, 1]), any)),
        Undefined::NoSharedPositions
    );
    assert_eq!(undefined(model.fit(&one, &Sequences::of([1, 1]), any)), Undefined::NotInSequences);
    assert_eq!(undefined(model.fit(&one, &sequence, |_, _| false)), Undefined::OptionOutOfRange);
    for option in [f64::NAN, -1.0, 0.0, f64::INFINITY] {
        let model = HmmCrowd { transition_prior: option, ..model };
        assert_eq!(undefined(model.fit(&one, &sequence, any)), Undefined::OptionOutOfRange);
    }
    let model = HmmCrowd { tolerance: -1.0, ..model };
    assert_eq!(undefined(model.fit(&one, &sequence, any)), Undefined::OptionOutOfRange);
    let twice = Ratings::from_patterns([(vec![Some('a')], 2)]).unwrap();
    let twice = HmmCrowd::default().fit(&Votes::from(&twice), &sequence, any);
    assert_eq!(undefined(twice), Undefined::NotInSequences);
    let many = Votes::from_items(1, (0..2_100_u32).map(|category| [(0, category)])).unwrap();
    let many = HmmCrowd::default().fit(&many, &Sequences::of(0..2_100), |_, _| true);
    assert_eq!(many.unwrap_err(), Undefined::TooMuchToLearn);
}

/// Two thousand raters who all say what may not be: their tags are of a probability that no number holds.
#[test]
fn many_raters_of_a_long_sequence_are_no_trouble() {
    let said = |tag: &'static str| (0..2_000).map(move |rater| (rater, tag));
    let items =
        (0..400).map(|item| said(if item % 3 == 0 { "O" } else { "I-PER" }).chain([(0, "B-PER")]));
    let votes = Votes::from_items(2_000, items).unwrap();
    let fit = HmmCrowd { most_iterations: 5, ..HmmCrowd::default() };
    let fit = fit.fit(&votes, &Sequences::of([0; 400]), may_follow).unwrap();
    assert!(fit.log_likelihood.is_finite());
    assert!((0..400).all(|item| fit.labels.item(item).unwrap().iter().all(|it| it.is_finite())));
    let mut tags = fit.tags.iter().map(Option::as_ref);
    let mut before = None;
    assert!(tags.all(|tag| may_follow(std::mem::replace(&mut before, tag), tag.unwrap())));
}

/// Of 40,000 items every tenth is 'b', and both raters say so.
#[test]
fn one_sequence_may_be_a_whole_corpus() {
    let items =
        (0..40_000).map(|item| [0, 1].map(|rater| (rater, if item % 10 == 9 { 'b' } else { 'o' })));
    let votes = Votes::from_items(2, items).unwrap();
    let model = HmmCrowd { most_iterations: 2, ..HmmCrowd::default() };
    let fit =
        model.fit(&votes, &Sequences::of(std::iter::repeat_n(0, 40_000)), |_, _| true).unwrap();
    let share = |count: f64, of: f64| (count + 0.1) / (of + 0.2);
    let by_hand = [
        [share(0.0, 3_999.0), share(3_999.0, 3_999.0)],
        [share(4_000.0, 36_000.0), share(32_000.0, 36_000.0)],
    ];
    for (row, by_hand) in fit.transitions.iter().zip(by_hand) {
        assert!(row.iter().zip(by_hand).all(|(is, share)| (is - share).abs() < 1e-6), "{row:?}");
    }
    assert!((-13_000.0..-12_000.0).contains(&fit.log_likelihood), "{}", fit.log_likelihood);
}
