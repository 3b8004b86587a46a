//! What a report says of what was learned from raters.

use agreement::consensus::Choice;

use super::crowd::{Crowd, Learned};
use super::{Consensus, ConsensusItem, ConsensusMethod, ConsensusRater};
use crate::count64;
use crate::read::Study;

impl Crowd {
    /// The consensus by a method.
    pub(in crate::report) fn consensus(
        self,
        study: &Study,
        method: ConsensusMethod,
    ) -> Option<Consensus> {
        let Self { names, ratings, votes, lessons } = self;
        let lesson = lessons.into_iter().find(|lesson| lesson.method == method)?;
        let none = Consensus {
            method,
            undefined: None,
            items: Vec::new(),
            raters: Vec::new(),
            marginals: None,
            tag_scheme: None,
            starts: None,
            transitions: None,
            learning: None,
        };
        let learned = match lesson.learned {
            Ok(learned) => learned,
            Err(undefined) => return Some(Consensus { undefined: Some(undefined.into()), ..none }),
        };
        let items = (0..ratings.items()).map(|item| {
            let rated = ratings.item(item).flatten().count();
            of_item(study, item, count64(rated), &learned)
        });
        let items = items.collect();
        let accuracies = learned.labels.accuracies(&votes);
        let mut confusions = learned.confusions.into_iter();
        let mut competences = learned.competences.into_iter();
        let mut strategies = learned.strategies.into_iter();
        let rater = |((rater, name), accuracy): ((usize, String), Option<f64>)| {
            // Of who has rated nothing, only what was assumed beforehand is known.
            let is_known = accuracy.is_some();
            ConsensusRater {
                name,
                ratings: count64(ratings.rater(rater).flatten().count()),
                accuracy,
                competence: competences.next().filter(|_| is_known),
                strategy: strategies.next().filter(|_| is_known),
                confusion: confusions.next().filter(|_| is_known),
            }
        };
        let raters = names.into_iter().enumerate().zip(accuracies).map(rater).collect();
        let keeps_scheme = learned.transitions.is_some() && study.understood.iob2().is_some();
        Some(Consensus {
            items,
            raters,
            marginals: learned.marginals,
            tag_scheme: keeps_scheme.then(|| "IOB2".to_owned()),
            starts: learned.starts,
            transitions: learned.transitions,
            learning: learned.learning,
            ..none
        })
    }
}

fn of_item(study: &Study, item: usize, ratings: u64, learned: &Learned) -> ConsensusItem {
    let name = |&code: &u32| {
        let place = usize::try_from(code).ok();
        place.and_then(|place| study.understood.categories.get(place)).cloned().unwrap_or_default()
    };
    let category = learned.categories.get(item).copied().flatten();
    let place = category.and_then(|code| usize::try_from(code).ok());
    let probabilities = learned.labels.item(item).unwrap_or_default();
    // In a sequence the best label may be another than the one that is most probable by itself.
    let ties = |choice: &Choice<'_, u32>| {
        choice.tied.len() > 1 && category.is_some_and(|code| choice.tied.contains(&&code))
    };
    let choice = learned.labels.choice(item).filter(ties);
    ConsensusItem {
        item: study.item_name(item),
        ratings,
        category: category.as_ref().map(name),
        probability: place.and_then(|place| probabilities.get(place)).copied(),
        entropy: learned.labels.entropy(item),
        tied: choice.into_iter().flat_map(|choice| choice.tied).map(name).collect(),
        probabilities: probabilities.to_vec(),
    }
}
