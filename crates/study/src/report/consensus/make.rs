//! Learns from the ratings of a study.

use agreement::consensus::{DawidSkene, Mace, SoftLabels, Votes, majority_vote};
use agreement::{Ratings, Undefined};

use super::{Consensus, ConsensusItem, ConsensusMethod, ConsensusRater, Learning};
use crate::count64;
use crate::read::Study;

/// What a method has learned.
struct Learned {
    labels: SoftLabels<u32>,
    /// Of each rater; empty where none were learned.
    confusions: Vec<Vec<Vec<f64>>>,
    competences: Vec<f64>,
    strategies: Vec<Vec<f64>>,
    marginals: Option<Vec<f64>>,
    learning: Option<Learning>,
}

pub(in crate::report) fn of_coding(
    study: &Study,
    ratings: &Ratings<u32>,
    method: ConsensusMethod,
    seed: u64,
) -> Consensus {
    let votes = Votes::from(ratings);
    let learned = match learn(method, &votes, seed) {
        Ok(learned) => learned,
        Err(undefined) => {
            return Consensus {
                method,
                undefined: Some(undefined.into()),
                items: Vec::new(),
                raters: Vec::new(),
                marginals: None,
                learning: None,
            };
        }
    };
    let accuracies = learned.labels.accuracies(&votes);
    let mut confusions = learned.confusions.into_iter();
    let mut competences = learned.competences.into_iter();
    let mut strategies = learned.strategies.into_iter();
    let rater = |((rater, name), accuracy): ((usize, &String), Option<f64>)| {
        // Of who has rated nothing, only what was assumed beforehand is known.
        let is_known = accuracy.is_some();
        ConsensusRater {
            name: name.clone(),
            ratings: count64(ratings.rater(rater).flatten().count()),
            accuracy,
            competence: competences.next().filter(|_| is_known),
            strategy: strategies.next().filter(|_| is_known),
            confusion: confusions.next().filter(|_| is_known),
        }
    };
    let raters = study.understood.raters.iter().enumerate().zip(accuracies).map(rater).collect();
    Consensus {
        method,
        undefined: None,
        items: (0..ratings.items())
            .map(|item| of_item(study, ratings, item, &learned.labels))
            .collect(),
        raters,
        marginals: learned.marginals,
        learning: learned.learning,
    }
}

fn learn(method: ConsensusMethod, votes: &Votes<u32>, seed: u64) -> Result<Learned, Undefined> {
    match method {
        ConsensusMethod::Majority => Ok(Learned {
            labels: majority_vote(votes)?,
            confusions: Vec::new(),
            competences: Vec::new(),
            strategies: Vec::new(),
            marginals: None,
            learning: None,
        }),
        ConsensusMethod::DawidSkene => {
            let fit = DawidSkene::default().fit(votes)?;
            Ok(Learned {
                labels: fit.labels,
                confusions: fit.confusions,
                competences: Vec::new(),
                strategies: Vec::new(),
                marginals: Some(fit.marginals),
                learning: Some(Learning {
                    log_likelihood: fit.log_likelihood,
                    iterations: fit.iterations,
                    converged: Some(fit.converged),
                }),
            })
        }
        ConsensusMethod::Mace => {
            let model = Mace { seed, ..Mace::default() };
            let fit = model.fit(votes)?;
            Ok(Learned {
                labels: fit.labels,
                confusions: Vec::new(),
                competences: fit.competences,
                strategies: fit.strategies,
                marginals: None,
                learning: Some(Learning {
                    log_likelihood: fit.log_likelihood,
                    iterations: model.iterations,
                    converged: None,
                }),
            })
        }
    }
}

fn of_item(
    study: &Study,
    ratings: &Ratings<u32>,
    item: usize,
    labels: &SoftLabels<u32>,
) -> ConsensusItem {
    let name = |&code: &u32| {
        let place = usize::try_from(code).ok();
        place.and_then(|place| study.understood.categories.get(place)).cloned().unwrap_or_default()
    };
    let choice = labels.choice(item);
    let tied = choice.as_ref().filter(|choice| choice.tied.len() > 1);
    ConsensusItem {
        item: study.item_name(item),
        ratings: count64(ratings.item(item).flatten().count()),
        category: choice.as_ref().map(|choice| name(choice.category)),
        probability: choice.as_ref().map(|choice| choice.probability),
        entropy: labels.entropy(item),
        tied: tied.into_iter().flat_map(|choice| &choice.tied).map(|code| name(code)).collect(),
        probabilities: labels.item(item).unwrap_or_default().to_vec(),
    }
}
