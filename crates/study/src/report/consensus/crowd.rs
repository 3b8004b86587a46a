//! Learns from the ratings of a study.

use agreement::consensus::{DawidSkene, HmmCrowd, Mace, SoftLabels, Votes, majority_vote};
use agreement::{Iob2, Ratings, Undefined};

use super::{ConsensusMethod, Learning};
use crate::read::Study;
use crate::report::Options;

/// Those who are learned from, and what was learned.
pub(in crate::report) struct Crowd {
    /// Everybody but who is taken as right, if somebody is.
    pub(super) names: Vec<String>,
    pub(super) ratings: Ratings<u32>,
    pub(super) votes: Votes<u32>,
    /// By the method that was asked for; by every method that there is for the study, if somebody is taken as
    /// right and it can be told which is better.
    pub(in crate::report) lessons: Vec<Lesson>,
}

/// What was learned by a method, or why nothing was.
pub(in crate::report) struct Lesson {
    pub(in crate::report) method: ConsensusMethod,
    pub(in crate::report) learned: Result<Learned, Undefined>,
}

/// What a method has learned.
pub(in crate::report) struct Learned {
    pub(super) labels: SoftLabels<u32>,
    /// The category of each item, but of those that nobody has rated.
    pub(in crate::report) categories: Vec<Option<u32>>,
    /// Of each rater; empty where none were learned.
    pub(super) confusions: Vec<Vec<Vec<f64>>>,
    pub(super) competences: Vec<f64>,
    pub(super) strategies: Vec<Vec<f64>>,
    pub(super) marginals: Option<Vec<f64>>,
    pub(super) starts: Option<Vec<f64>>,
    pub(super) transitions: Option<Vec<Vec<f64>>>,
    pub(super) learning: Option<Learning>,
}

impl Crowd {
    /// Learns by the method that was asked for, if one was; the place of who is taken as right is `gold`.
    pub(in crate::report) fn learn(
        study: &Study,
        ratings: &Ratings<u32>,
        options: &Options,
        gold: Option<usize>,
    ) -> Option<Self> {
        let asked = options.consensus?;
        let raters: Vec<usize> = (0..ratings.raters()).filter(|it| Some(*it) != gold).collect();
        let name = |&rater: &usize| study.understood.raters.get(rater).cloned();
        let names = raters.iter().filter_map(name).collect();
        let ratings = ratings.with_raters(&raters);
        let votes = Votes::from(&ratings);
        let is_wanted = |method: &ConsensusMethod| {
            *method == asked
                || gold.is_some() && (!method.needs_sequences() || study.sequences.is_some())
        };
        let lesson = |&method: &ConsensusMethod| Lesson {
            method,
            learned: learn(study, &votes, method, options.seed),
        };
        let lessons =
            ConsensusMethod::ALL.iter().filter(|method| is_wanted(method)).map(lesson).collect();
        Some(Self { names, ratings, votes, lessons })
    }
}

fn learn(
    study: &Study,
    votes: &Votes<u32>,
    method: ConsensusMethod,
    seed: u64,
) -> Result<Learned, Undefined> {
    match method {
        ConsensusMethod::Majority => Ok(Learned::of(majority_vote(votes)?)),
        ConsensusMethod::DawidSkene => {
            let fit = DawidSkene::default().fit(votes)?;
            Ok(Learned {
                confusions: fit.confusions,
                marginals: Some(fit.marginals),
                learning: Some(Learning {
                    log_likelihood: fit.log_likelihood,
                    iterations: fit.iterations,
                    converged: Some(fit.converged),
                }),
                ..Learned::of(fit.labels)
            })
        }
        ConsensusMethod::Mace => {
            let model = Mace { seed, ..Mace::default() };
            let fit = model.fit(votes)?;
            Ok(Learned {
                competences: fit.competences,
                strategies: fit.strategies,
                learning: Some(Learning {
                    log_likelihood: fit.log_likelihood,
                    iterations: model.iterations,
                    converged: None,
                }),
                ..Learned::of(fit.labels)
            })
        }
        ConsensusMethod::HmmCrowd => {
            let sequences = study.sequences.as_ref().ok_or(Undefined::NotInSequences)?;
            let tags = study.understood.iob2();
            let tag = |code: &u32| tags.as_ref()?.get(usize::try_from(*code).ok()?).copied();
            let may_follow = |before: Option<&u32>, code: &u32| {
                tag(code).is_none_or(|it: Iob2<'_>| it.may_follow(before.and_then(tag)))
            };
            let fit = HmmCrowd::default().fit(votes, sequences, may_follow)?;
            Ok(Learned {
                categories: fit.tags,
                confusions: fit.confusions,
                starts: Some(fit.starts),
                transitions: Some(fit.transitions),
                learning: Some(Learning {
                    log_likelihood: fit.log_likelihood,
                    iterations: fit.iterations,
                    converged: Some(fit.converged),
                }),
                ..Learned::of(fit.labels)
            })
        }
    }
}

impl Learned {
    /// Each item is of its most probable category; nothing is known of raters.
    fn of(labels: SoftLabels<u32>) -> Self {
        let category = |item| labels.choice(item).map(|choice| *choice.category);
        Self {
            categories: (0..labels.items()).map(category).collect(),
            labels,
            confusions: Vec::new(),
            competences: Vec::new(),
            strategies: Vec::new(),
            marginals: None,
            starts: None,
            transitions: None,
            learning: None,
        }
    }
}
