//! What holds of consensus whatever the raters said.
#![expect(clippy::unwrap_used, reason = "a test that panics has failed")]

mod anaesthesia;

use agreement::consensus::{
    DawidSkene, DawidSkeneFit, Mace, MaceTraining, SoftLabels, Votes, majority_vote,
};
use agreement::{Ratings, SplitMix64, StudyError, Undefined};
use proptest::prelude::*;

/// Per item who said what; a rater may have nothing to say, or say it twice.
type Items = Vec<Vec<(usize, u8)>>;

const RATERS: usize = 4;

fn items() -> impl Strategy<Value = Items> {
    let vote = (0..RATERS, 0_u8..3);
    let with_one = |items: &Items| items.iter().any(|votes| !votes.is_empty());
    prop::collection::vec(prop::collection::vec(vote, 0..7), 1..12).prop_filter("votes", with_one)
}

/// With one category nobody can be told from those who guess.
fn items_of_several_categories() -> impl Strategy<Value = Items> {
    items().prop_filter("categories", |items| votes(items).categories().len() > 1)
}

fn votes(items: &Items) -> Votes<u8> {
    Votes::from_items(RATERS, items.iter().cloned()).unwrap()
}

fn model() -> impl Strategy<Value = DawidSkene> {
    let prior = prop_oneof![Just(0.0), 0.01..3.0];
    (prior.clone(), prior, 1_u32..30).prop_map(|(marginal_prior, confusion_prior, steps)| {
        DawidSkene {
            marginal_prior,
            confusion_prior,
            most_iterations: steps,
            ..DawidSkene::default()
        }
    })
}

fn rows(labels: &SoftLabels<u8>) -> Vec<Option<&[f64]>> {
    (0..labels.items()).map(|item| labels.item(item)).collect()
}

fn float(count: usize) -> f64 {
    f64::from(u32::try_from(count).unwrap())
}

proptest! {
    #[test]
    fn majority_is_the_share_of_votes(items in items()) {
        let votes = votes(&items);
        let labels = majority_vote(&votes).unwrap();
        for (item, said) in items.iter().enumerate() {
            let Some(row) = labels.item(item) else {
                prop_assert!(said.is_empty());
                continue;
            };
            for (category, share) in votes.categories().iter().zip(row) {
                let count = said.iter().filter(|(_, of)| of == category).count();
                let [count, all] = [count, said.len()].map(|it| f64::from(u8::try_from(it).unwrap()));
                prop_assert!((share * all - count).abs() < 1e-12);
            }
            let choice = labels.choice(item).unwrap();
            let most = |of: &u8| said.iter().filter(|(_, category)| category == of).count();
            prop_assert!(votes.categories().iter().all(|of| most(of) <= most(choice.category)));
            let tied = votes.categories().iter().filter(|of| most(of) == most(choice.category));
            prop_assert_eq!(choice.tied, tied.collect::<Vec<_>>());
        }
    }

    #[test]
    fn probabilities_add_up_to_one(items in items(), model in model()) {
        let fit = model.fit(&votes(&items)).unwrap();
        let sums_to_one = |row: &[f64]| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        prop_assert!(sums_to_one(&fit.marginals));
        prop_assert!(fit.confusions.iter().flatten().all(|row| sums_to_one(row)));
        for (row, said) in rows(&fit.labels).into_iter().zip(&items) {
            prop_assert_eq!(row.is_none(), said.is_empty());
            prop_assert!(row.is_none_or(sums_to_one));
        }
        prop_assert!(fit.log_likelihood <= 1e-9);
    }

    #[test]
    fn order_of_items_raters_and_categories_changes_no_bit(
        (items, shuffled) in items().prop_flat_map(|items| {
            let places: Vec<usize> = (0..items.len()).collect();
            (Just(items), Just(places).prop_shuffle())
        }),
        model in model(),
    ) {
        let fit = model.fit(&votes(&items)).unwrap();
        let turned: Items = shuffled
            .iter()
            .map(|&item| items[item].iter().rev().map(|&(rater, said)| (RATERS - 1 - rater, 2 - said)).collect())
            .collect();
        let other = model.fit(&votes(&turned)).unwrap();
        prop_assert_eq!((fit.iterations, fit.log_likelihood), (other.iterations, other.log_likelihood));
        let reversed = |row: &[f64]| row.iter().rev().copied().collect::<Vec<_>>();
        prop_assert_eq!(reversed(&fit.marginals), other.marginals);
        for (place, &item) in shuffled.iter().enumerate() {
            prop_assert_eq!(fit.labels.item(item).map(reversed), other.labels.item(place).map(<[f64]>::to_vec));
        }
        for (matrix, turned) in fit.confusions.iter().zip(other.confusions.iter().rev()) {
            let matrix: Vec<_> = matrix.iter().rev().map(|row| reversed(row)).collect();
            prop_assert_eq!(&matrix, turned);
        }
    }

    #[test]
    fn each_step_of_maximum_likelihood_makes_the_votes_more_probable(items in items(), steps in 1_u32..20) {
        let after = |most_iterations| {
            DawidSkene { most_iterations, tolerance: 0.0, ..DawidSkene::default() }
                .fit(&votes(&items))
                .unwrap()
                .log_likelihood
        };
        prop_assert!(after(steps + 1) >= after(steps) - 1e-9);
    }

    /// Equations 2.3 and 2.4 of Dawid and Skene (1979), by hand.
    #[test]
    fn what_has_converged_is_a_fixed_point(items in items()) {
        let votes = votes(&items);
        let fit = DawidSkene { tolerance: 1e-12, ..DawidSkene::default() }.fit(&votes).unwrap();
        if !fit.converged {
            return Ok(());
        }
        let near = |a: f64, b: f64| (a - b).abs() < 1e-6;
        let judged: Vec<_> = rows(&fit.labels)
            .into_iter()
            .zip(&items)
            .filter_map(|(row, said)| Some((row?, said)))
            .collect();
        for (truth, marginal) in fit.marginals.iter().enumerate() {
            let expected: f64 = judged.iter().map(|(row, _)| row[truth]).sum();
            prop_assert!(near(marginal * float(judged.len()), expected));
            for (rater, matrix) in fit.confusions.iter().enumerate() {
                let votes_for = |category: Option<u8>| -> f64 {
                    let is_one = |&&(of, said): &&(usize, u8)| {
                        of == rater && category.is_none_or(|category| said == category)
                    };
                    let count = |said: &[(usize, u8)]| float(said.iter().filter(is_one).count());
                    judged.iter().map(|(row, said)| row[truth] * count(said)).sum()
                };
                for (said, share) in votes.categories().iter().zip(&matrix[truth]) {
                    prop_assert!(near(share * votes_for(None), votes_for(Some(*said))));
                }
            }
        }
    }

    #[test]
    fn an_item_that_counts_twice_is_two_items(
        rows in prop::collection::vec((prop::collection::vec(prop::option::of(0_u8..3), 3), 1_u64..4), 1..8)
            .prop_filter("ratings", |rows| rows.iter().any(|(row, _)| row.iter().any(Option::is_some))),
        model in model(),
    ) {
        let patterns = Ratings::from_patterns(rows.clone()).unwrap();
        let each = rows.iter().flat_map(|(row, times)| (0..*times).map(move |_| row.clone()));
        let each = Ratings::from_rows(each).unwrap();
        let (fit, other) =
            (model.fit(&Votes::from(&patterns)).unwrap(), model.fit(&Votes::from(&each)).unwrap());
        prop_assert_eq!(&fit.marginals, &other.marginals);
        prop_assert_eq!(&fit.confusions, &other.confusions);
        prop_assert_eq!(fit.log_likelihood.to_bits(), other.log_likelihood.to_bits());
        let accuracies = |fit: &DawidSkeneFit<u8>, study| fit.labels.accuracies(&Votes::from(study));
        prop_assert_eq!(accuracies(&fit, &patterns), accuracies(&other, &each));
    }
}

/// Raters who say the true one of three categories about as often as `skills` says, of so many items.
fn simulated(seed: u64, items: usize, skills: &[u64]) -> (Vec<u8>, Items) {
    let mut random = SplitMix64::new(seed);
    let mut below = |bound: u64| u8::try_from(random.draw() % bound).unwrap();
    let truth: Vec<u8> = (0..items).map(|_| below(3)).collect();
    let said = truth.iter().map(|&truth| {
        let vote = |skill: u64| if u64::from(below(100)) < skill { truth } else { below(3) };
        skills.iter().copied().map(vote).enumerate().collect()
    });
    let said = said.collect();
    (truth, said)
}

fn right(labels: &SoftLabels<u8>, truth: &[u8]) -> usize {
    let is_right =
        |&(item, truth): &(usize, &u8)| labels.choice(item).is_some_and(|it| it.category == truth);
    truth.iter().enumerate().filter(is_right).count()
}

#[test]
fn learned_raters_beat_the_majority_where_most_are_bad() {
    let (truth, items) = simulated(7, 500, &[95, 90, 15, 15, 15, 10, 10]);
    let votes = Votes::from_items(7, items).unwrap();
    let fit = DawidSkene::default().fit(&votes).unwrap();
    let majority = right(&majority_vote(&votes).unwrap(), &truth);
    let learned = right(&fit.labels, &truth);
    assert!(learned > 470 && majority < 430, "{learned} and {majority} of 500");
    let accuracies: Vec<f64> = fit.labels.accuracies(&votes).into_iter().flatten().collect();
    assert!(accuracies[..2].iter().all(|&of| of > 0.85), "{accuracies:?}");
    assert!(accuracies[2..].iter().all(|&of| of < 0.6), "{accuracies:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn going_on_after_changes_ends_where_beginning_anew_does(
        seed in any::<u64>(),
        changes in prop::collection::vec((0_usize..200, 0_usize..5, 0_u8..3), 1..8),
        prior in prop_oneof![Just(0.0), Just(0.5)],
    ) {
        let model = DawidSkene {
            marginal_prior: prior,
            confusion_prior: prior,
            tolerance: 1e-12,
            // Some drawn votes hardly tell two categories apart, and steps become small.
            most_iterations: 20_000,
        };
        let (_, mut items) = simulated(seed, 200, &[90, 85, 80, 75, 70]);
        let earlier = model.fit(&Votes::from_items(5, items.clone()).unwrap()).unwrap();
        for (item, rater, said) in changes {
            items[item][rater].1 = said;
        }
        let votes = Votes::from_items(5, items).unwrap();
        let anew = model.fit(&votes).unwrap();
        let on = model.fit_from(&votes, &earlier).unwrap();
        prop_assert!(anew.converged && on.converged);
        prop_assert!((anew.log_likelihood - on.log_likelihood).abs() < 1e-6);
        for (item, row) in rows(&anew.labels).into_iter().enumerate() {
            let apart = row.unwrap().iter().zip(on.labels.item(item).unwrap());
            prop_assert!(apart.into_iter().all(|(a, b)| (a - b).abs() < 1e-6));
        }
    }
}

#[test]
fn going_on_needs_fewer_steps_and_allows_for_new_raters() {
    let model = DawidSkene { tolerance: 1e-10, ..DawidSkene::default() };
    let (truth, items) = simulated(3, 300, &[80, 70, 60, 60, 85]);
    let without_last = items.iter().map(|votes| votes[..4].to_vec());
    let earlier = model.fit(&Votes::from_items(4, without_last).unwrap()).unwrap();
    let votes = Votes::from_items(5, items).unwrap();
    let (anew, on) = (model.fit(&votes).unwrap(), model.fit_from(&votes, &earlier).unwrap());
    assert!((anew.log_likelihood - on.log_likelihood).abs() < 1e-6);
    assert!(right(&on.labels, &truth) >= right(&earlier.labels, &truth));
    let again = model.fit_from(&votes, &anew).unwrap();
    assert!(again.iterations < anew.iterations, "{} and {}", again.iterations, anew.iterations);
}

#[test]
fn what_cannot_be_learned_from_says_why() {
    let model = DawidSkene::default();
    let nothing = Votes::<u8>::from_items(2, [vec![], vec![]]).unwrap();
    assert_eq!(model.fit(&nothing).unwrap_err(), Undefined::NoSharedPositions);
    assert_eq!(majority_vote(&nothing).unwrap_err(), Undefined::NoSharedPositions);
    let many = Votes::from_items(1, (0..8_200_u32).map(|category| [(0, category)])).unwrap();
    assert_eq!(majority_vote(&many).unwrap_err(), Undefined::TooMuchToLearn);
    let many = Votes::from_items(1, (0..2_100_u32).map(|category| [(0, category)])).unwrap();
    assert_eq!(model.fit(&many).unwrap_err(), Undefined::TooMuchToLearn);
    let one = Votes::from_items(1, [[(0, 'a')]]).unwrap();
    for option in [f64::NAN, -1.0, f64::INFINITY] {
        let model = DawidSkene { confusion_prior: option, ..model };
        assert_eq!(model.fit(&one).unwrap_err(), Undefined::OptionOutOfRange);
    }
    assert_eq!(*model.fit(&one).unwrap().labels.choice(0).unwrap().category, 'a');
    Votes::from_items(1, [[(1, 'a')]]).unwrap_err();
}

/// Of each rater something is kept, whether they have votes or not.
#[test]
fn raters_beyond_all_bounds_are_refused() {
    for raters in [usize::MAX, (1 << 24) + 1] {
        let votes = Votes::from_items(raters, [[(raters - 1, 'a'), (0, 'b')]]);
        assert_eq!(votes.unwrap_err(), StudyError::Full);
    }
    let votes = Votes::from_items(1 << 24, [[((1 << 24) - 1, 'a'), (0, 'b')]]).unwrap();
    assert_eq!(votes.of_item(0).collect::<Vec<_>>(), [(0, &'b'), ((1 << 24) - 1, &'a')]);
    assert_eq!(DawidSkene::default().fit(&votes).unwrap_err(), Undefined::TooMuchToLearn);
}

#[test]
fn entropy_is_that_of_the_shares() {
    let votes = Votes::from_items(4, [vec![(0, 'a'), (1, 'b')], vec![(2, 'a')], vec![]]).unwrap();
    let labels = majority_vote(&votes).unwrap();
    assert!((labels.entropy(0).unwrap() - 2_f64.ln()).abs() < 1e-12);
    assert_eq!(labels.entropy(1).map(|entropy| entropy < 1e-12), Some(true));
    assert_eq!(labels.entropy(2), None);
}

fn mace() -> impl Strategy<Value = Mace> {
    let likelihood = (0.0..0.5).prop_map(|smoothing| MaceTraining::Likelihood { smoothing });
    let variational = (0.1..3.0, 0.1..20.0).prop_map(|(competence_prior, strategy_prior)| {
        MaceTraining::Variational { competence_prior, strategy_prior }
    });
    (prop_oneof![likelihood, variational], 1_u32..4, 1_u32..20, any::<u64>()).prop_map(
        |(training, restarts, iterations, seed)| Mace { training, restarts, iterations, seed },
    )
}

proptest! {
    #[test]
    fn knowledge_and_guesses_are_probabilities(items in items_of_several_categories(), model in mace()) {
        let fit = model.fit(&votes(&items)).unwrap();
        prop_assert!(fit.competences.iter().all(|competence| (0.0..=1.0).contains(competence)));
        let sums_to_one = |row: &[f64]| (row.iter().sum::<f64>() - 1.0).abs() < 1e-9;
        prop_assert!(fit.strategies.iter().all(|strategy| sums_to_one(strategy)));
        for (row, said) in rows(&fit.labels).into_iter().zip(&items) {
            prop_assert_eq!(row.is_none(), said.is_empty());
            prop_assert!(row.is_none_or(sums_to_one));
        }
        for (rater, competence) in fit.competences.iter().enumerate() {
            let has_votes = items.iter().flatten().any(|&(of, _)| of == rater);
            prop_assert!(has_votes || (competence - 0.5).abs() < 1e-9);
        }
    }

    #[test]
    fn order_of_items_changes_no_bit_of_competences(
        (items, shuffled) in items_of_several_categories()
            .prop_flat_map(|items| (Just(items.clone()), Just(items).prop_shuffle())),
        model in mace(),
    ) {
        let (fit, other) = (model.fit(&votes(&items)).unwrap(), model.fit(&votes(&shuffled)).unwrap());
        prop_assert_eq!(fit.competences, other.competences);
        prop_assert_eq!(fit.strategies, other.strategies);
        prop_assert_eq!(fit.log_likelihood.to_bits(), other.log_likelihood.to_bits());
    }

    #[test]
    fn each_step_without_smoothing_makes_the_votes_more_probable(
        items in items_of_several_categories(),
        seed in any::<u64>(),
        steps in 1_u32..20,
    ) {
        let after = |iterations| {
            let training = MaceTraining::Likelihood { smoothing: 0.0 };
            Mace { training, restarts: 1, iterations, seed }.fit(&votes(&items)).unwrap().log_likelihood
        };
        prop_assert!(after(steps + 1) >= after(steps) - 1e-9);
    }

    /// Equations of section 2 of Hovy et al. (2013): the sum over who knew and who guessed, by hand.
    #[test]
    fn labels_follow_from_competences_and_strategies(items in items_of_several_categories(), seed in any::<u64>()) {
        let training = MaceTraining::Likelihood { smoothing: 0.01 };
        let votes = votes(&items);
        let fit = Mace { training, seed, ..Mace::default() }.fit(&votes).unwrap();
        let even = 1.0 / f64::from(u8::try_from(votes.categories().len()).unwrap());
        let mut log_likelihood = 0.0;
        for (item, said) in items.iter().enumerate() {
            let Some(row) = fit.labels.item(item) else { continue };
            let joint = |truth: &u8| -> f64 {
                let vote = |&(rater, said): &(usize, u8)| {
                    let place = votes.categories().binary_search(&said).unwrap();
                    let competence = fit.competences[rater];
                    let known = if said == *truth { competence } else { 0.0 };
                    known + (1.0 - competence) * fit.strategies[rater][place]
                };
                even * said.iter().map(vote).product::<f64>()
            };
            let joint: Vec<f64> = votes.categories().iter().map(joint).collect();
            let all: f64 = joint.iter().sum();
            log_likelihood += all.ln();
            prop_assert!(row.iter().zip(joint).all(|(share, joint)| (share - joint / all).abs() < 1e-9));
        }
        prop_assert!((fit.log_likelihood - log_likelihood).abs() < 1e-6 * log_likelihood.abs().max(1.0));
    }
}

#[test]
fn mace_tells_those_who_know_from_those_who_guess() {
    let (truth, items) = simulated(11, 400, &[90, 70, 50, 20, 5]);
    let votes = Votes::from_items(5, items).unwrap();
    for training in [Mace::default().training, MaceTraining::Likelihood { smoothing: 0.01 }] {
        let fit = Mace { training, ..Mace::default() }.fit(&votes).unwrap();
        for (competence, skill) in fit.competences.iter().zip([0.9, 0.7, 0.5, 0.2, 0.05]) {
            assert!((competence - skill).abs() < 0.1, "{:?}", fit.competences);
        }
        let majority = right(&majority_vote(&votes).unwrap(), &truth);
        assert!(right(&fit.labels, &truth) > majority + 20, "{majority}");
    }
}

#[test]
fn the_anaesthetists_agree_with_mace_on_most_patients() {
    let votes = anaesthesia::votes();
    let fit = Mace::default().fit(&votes).unwrap();
    let of_matrices = DawidSkene::default().fit(&votes).unwrap();
    let class = |labels: &SoftLabels<char>, item| *labels.choice(item).unwrap().category;
    let same = (0..45).filter(|&item| class(&fit.labels, item) == class(&of_matrices.labels, item));
    assert!(same.count() >= 41);
    assert!(fit.competences.iter().all(|competence| (0.5..1.0).contains(competence)));
    let again = Mace::default().fit(&votes).unwrap();
    assert_eq!(fit, again);
}

/// Whoever says the only category may know it or not, so that no competence would be more than the number
/// that training began with.
#[test]
fn one_category_tells_nothing_of_competence() {
    let one = Votes::from_items(2, [[(0, 'a'), (1, 'a')], [(0, 'a'), (1, 'a')]]).unwrap();
    assert_eq!(Mace::default().fit(&one).unwrap_err(), Undefined::NothingToGuess);
    let fit = DawidSkene::default().fit(&one).unwrap();
    assert_eq!((fit.marginals, fit.log_likelihood), (vec![1.0], 0.0));
}

#[test]
fn options_of_mace_have_ranges() {
    let one = Votes::from_items(1, [[(0, 'a')]]).unwrap();
    for training in [
        MaceTraining::Likelihood { smoothing: -0.1 },
        MaceTraining::Variational { competence_prior: 0.0, strategy_prior: 1.0 },
        MaceTraining::Variational { competence_prior: 0.5, strategy_prior: f64::NAN },
    ] {
        let model = Mace { training, ..Mace::default() };
        assert_eq!(model.fit(&one).unwrap_err(), Undefined::OptionOutOfRange);
    }
}
