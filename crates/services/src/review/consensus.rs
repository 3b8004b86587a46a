//! A consensus of labelers, and the positions where it is most in doubt: a work list for whoever decides.

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use agreement::consensus::{DawidSkene, DawidSkeneFit, Votes};
use domain::{
    Actor, Competence, ConsensusEstimate, ConsensusView, DocumentId, DoubtfulPosition, LabelSet,
    MemberId, Page, ProjectId, Range, Rater, Role, Sorting, Switches, base::policy::Action,
    saturating, to_f64,
};
use formats::TextIndex;
use live::{Narrowing, Tallies, items, labelers_counted};

use crate::{
    Result, Services,
    agreement::{
        breakdowns::Remembered,
        latest_decision,
        positions::{FoundPosition, Of, Shown},
    },
    base::{
        access::permit,
        categories::Categories,
        names::Names,
        sorting::{PAGE_SIZE, page},
    },
};

/// A category less probable than this is not worth a word.
const WORTH_A_WORD: f64 = 0.01;

/// A vote is added to each cell of each labeler's matrix, and a position to each category: without, a few
/// judgements make everybody infallible.
const LEARNING: DawidSkene =
    DawidSkene { marginal_prior: 1.0, confusion_prior: 1.0, tolerance: 1e-6, most_iterations: 300 };

/// What was learned of late, for as long as nothing moves.
pub(crate) type Known = Remembered<Option<Learned>, Switches>;

/// What was learned of a project under some switches.
pub(crate) struct Learned {
    estimate: ConsensusEstimate,
    people: Vec<(MemberId, u64, f64, Vec<(LabelSet, f64)>)>,
    /// What no reviewer has decided, the most doubtful first.
    doubtful: Vec<(DocumentId, Range, Vec<(LabelSet, f64)>)>,
}

/// The consensus under these switches, for managers: whoever still decides is not to know it.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    (switches, number): (Switches, u64),
) -> Result<ConsensusView> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ManageProject).await?;
    switches.policy.check_common()?;
    let switches = switches.of_positions();
    let names = Names::load(store, project, &access.member).await?;
    let labels = Categories::load(store, project, switches.filter).await?;
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let learn = |tallies: &Tallies, switches: &Switches| learned(tallies, *switches);
    let found = services.consensus.find_or_count(&tallies, switches.without_scale(), learn).await?;
    let nothing = Vec::new();
    let doubtful = found.as_ref().as_ref().map_or(&nothing, |found| &found.doubtful);
    let sorting = Sorting { order: (), descending: false, page: number };
    let Page { rows, total, number, size } = page(doubtful, &sorting, PAGE_SIZE);
    let documents: Vec<_> = rows.iter().map(|(document, ..)| *document).collect();
    let texts = store::document::texts(store, &documents).await?;
    let indices: BTreeMap<_, _> =
        texts.iter().map(|(id, (name, text))| (*id, (name, TextIndex::new(text)))).collect();
    let shown = Shown { tallies: &tallies, counted: &tallies, names: &names, switches };
    let row = |(document, range, proposed): &&(DocumentId, Range, Vec<_>)| {
        let (name, index) = indices.get(document)?;
        let found = FoundPosition { document: *document, range: *range, of: Of::Labelers };
        let row = shown.row(&found, *range, name, index)?;
        Some(DoubtfulPosition { row, proposed: proposed.clone() })
    };
    let rows = rows.iter().filter_map(row).collect();
    let estimate = found.as_ref().as_ref().map(|found| ConsensusEstimate {
        people: people(found, names.raters()),
        ..found.estimate.clone()
    });
    Ok(ConsensusView {
        revision: tallies.revision,
        switches,
        raters: names.raters().to_vec(),
        labels: labels.to_vec(),
        estimate,
        page: Page { rows, total, number, size },
    })
}

/// What was learned of people, under the names that the viewer may know.
fn people(found: &Learned, raters: &[Rater]) -> Vec<Competence> {
    let of = |rater: &Rater| {
        let (_, judgements, accuracy, of_categories) =
            found.people.iter().find(|(id, ..)| *id == rater.id)?;
        Some(Competence {
            rater: rater.clone(),
            judgements: *judgements,
            accuracy: *accuracy,
            of_categories: of_categories.clone(),
        })
    };
    raters.iter().filter(|rater| rater.role == Role::Labeler).filter_map(of).collect()
}

/// Learns from what counts; nothing where there is nothing, or too much.
fn learned(tallies: &Tallies, switches: Switches) -> Option<Learned> {
    let mut raters: BTreeMap<MemberId, usize> = BTreeMap::new();
    let (mut places, mut said) = (Vec::new(), Vec::new());
    for (document, work) in tallies.documents() {
        let labelers = labelers_counted(work, switches);
        for (range, judged) in items(&labelers, switches.policy) {
            let is_decided = latest_decision(work, range).is_some();
            places.push((document, range, is_decided));
            let votes = judged.into_iter().map(|(rater, labels)| {
                let next = raters.len();
                (*raters.entry(rater).or_insert(next), labels.clone())
            });
            said.push(votes.collect::<Vec<_>>());
        }
    }
    let mut judgements = vec![0_u64; raters.len()];
    for (rater, _) in said.iter().flatten() {
        if let Some(count) = judgements.get_mut(*rater) {
            *count += 1;
        }
    }
    let votes = Votes::from_items(raters.len(), said).ok()?;
    let fit = LEARNING.fit(&votes).ok()?;
    let accuracies = fit.labels.accuracies(&votes);
    let people = raters.iter().filter_map(|(rater, place)| {
        let accuracy = (*accuracies.get(*place)?)?;
        Some((*rater, *judgements.get(*place)?, accuracy, diagonal(&fit, *place)))
    });
    let (mut doubtful, mut decided) = (Vec::new(), 0);
    for (item, (document, range, is_decided)) in places.iter().enumerate() {
        if *is_decided {
            decided += 1;
        } else {
            doubtful.push((*document, *range, proposed(&fit, item)));
        }
    }
    let error = |(_, _, proposed): &(_, _, Vec<(LabelSet, f64)>)| {
        1.0 - proposed.first().map_or(0.0, |(_, probability)| *probability)
    };
    doubtful.sort_by(|one, other| error(other).total_cmp(&error(one)));
    let positions = saturating::<u64>(places.len());
    let errors: Vec<f64> = doubtful.iter().map(error).collect();
    let (expected_error, to_decide) = expected(&errors, positions);
    let converged = fit.converged;
    let estimate = ConsensusEstimate {
        positions,
        decided,
        expected_error,
        to_decide,
        people: Vec::new(),
        converged,
    };
    Some(Learned { estimate, people: people.collect(), doubtful })
}

/// Of each category that is expected on a position or more, how probable it is that a rater says it.
fn diagonal(fit: &DawidSkeneFit<LabelSet>, rater: usize) -> Vec<(LabelSet, f64)> {
    let Some(confusions) = fit.confusions.get(rater) else { return Vec::new() };
    let categories = fit.labels.categories().iter().zip(confusions).enumerate();
    categories
        .filter_map(|(place, (category, said))| Some((category.clone(), *said.get(place)?)))
        .collect()
}

/// What is probable of an item, the most probable first.
fn proposed(fit: &DawidSkeneFit<LabelSet>, item: usize) -> Vec<(LabelSet, f64)> {
    let probabilities = fit.labels.item(item).unwrap_or_default();
    let categories = fit.labels.categories().iter().cloned().zip(probabilities.iter().copied());
    let mut proposed: Vec<_> =
        categories.filter(|(_, probability)| *probability >= WORTH_A_WORD).collect();
    proposed.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    proposed
}

/// The expected error of all positions, and how many of the most doubtful are to be decided until it is below
/// what is aimed at. `errors` are those of undecided positions, the largest first.
fn expected(errors: &[f64], positions: u64) -> (f64, u64) {
    if positions == 0 {
        return (0.0, 0);
    }
    let all = to_f64(positions);
    // From the smallest: what is left after the first ones are decided.
    let left = errors.iter().rev().scan(0.0, |sum, error| {
        *sum += error;
        Some(*sum / all)
    });
    let left: Vec<f64> = left.collect();
    let below = left
        .partition_point(|left| left.partial_cmp(&ConsensusEstimate::AIM) == Some(Ordering::Less));
    let whole = left.last().copied().unwrap_or(0.0);
    (whole, saturating::<u64>(errors.len() - below))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_are_to_be_decided_as_it_takes_and_no_more() {
        let close = |(one, n): (f64, u64), (other, m): (f64, u64)| {
            assert!((one - other).abs() < 1e-12 && n == m, "{one}, {n}");
        };
        close(expected(&[], 0), (0.0, 0));
        close(expected(&[0.5, 0.1], 100), (0.006, 0));
        close(expected(&[0.5, 0.4, 0.1], 10), (0.1, 2));
        // Exactly at the aim is not below it.
        close(expected(&[0.2], 10), (0.02, 1));
        close(expected(&[0.4; 5], 5), (0.4, 5));
    }
}
