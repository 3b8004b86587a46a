//! A consensus of labelers, and the positions where it is most in doubt: a work list for whoever decides.

use std::{cmp::Ordering, collections::BTreeMap, sync::Arc};

use agreement::consensus::{DawidSkene, DawidSkeneFit, Votes};
use domain::{
    Actor, Competence, ConsensusEstimate, ConsensusPositions, ConsensusQuery, ConsensusView,
    DocumentId, DoubtfulPosition, Error as Refusal, LabelSet, MemberId, NoConsensus, Page,
    ProjectId, Range, Rater, Role, Sorting, Switches, base::policy::Action, saturating, to_f64,
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

/// The most probabilities that are learned while somebody waits: positions times categories.
const MOST_PROBABILITIES: usize = 1 << 22;

/// A category less probable than this is not worth a word.
const WORTH_A_WORD: f64 = 0.01;

/// A tenth of a judgement is added to each cell of each labeler's matrix, and of a position to each category:
/// without, a few judgements make everybody infallible, and with much more everything is as probable.
const LEARNING: DawidSkene =
    DawidSkene { marginal_prior: 0.1, confusion_prior: 0.1, tolerance: 1e-6, most_iterations: 300 };

/// What was learned of late, for as long as nothing moves.
pub(crate) type Known = Remembered<Result<Learned, NoConsensus>, Switches>;

/// What was learned of a project under some switches.
pub(crate) struct Learned {
    estimate: ConsensusEstimate,
    people: Vec<Habits>,
    /// What no reviewer has decided, the most doubtful first.
    doubtful: Vec<Doubtful>,
    /// What reviewers have decided, the least probable decision first; last, where labelers could not have said it.
    decided: Vec<(Doubtful, Option<f64>)>,
}

/// Categories, each with a probability.
type Probable = Vec<(LabelSet, f64)>;

/// What was learned of a labeler; under no name, since names are not for all.
struct Habits {
    rater: MemberId,
    judgements: u64,
    accuracy: f64,
    of_categories: Probable,
}

/// A position with what is probable there.
struct Doubtful {
    document: DocumentId,
    range: Range,
    proposed: Probable,
}

impl Doubtful {
    /// How probable it is that the most probable category is wrong.
    fn error(&self) -> f64 {
        1.0 - self.proposed.first().map_or(0.0, |(_, probability)| *probability)
    }
}

/// The consensus under these switches. Whoever still decides is not to know what is proposed, unless the project says
/// so: reviewers are told of what they have decided.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    ConsensusQuery { switches, positions, page: wanted }: ConsensusQuery,
) -> Result<ConsensusView> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let reviewers_see = store::project::find(store, project)
        .await?
        .ok_or(Refusal::NotFound)?
        .settings
        .reviewers_see_consensus;
    let is_told = access.member.role == Role::Manager || reviewers_see;
    switches.policy.check_common()?;
    let switches = switches.of_positions();
    let names = Names::load(store, project, &access.member).await?;
    let labels = Categories::of(store, project, switches).await?;
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let learn = |tallies: &Tallies, switches: &Switches| learned(tallies, *switches);
    let found = services.consensus.find_or_count(&tallies, switches.without_scale(), learn).await?;
    let has_decided = |position: &Doubtful| {
        let own = tallies.document(position.document).and_then(|work| work.get(&access.member.id));
        own.is_some_and(|own| own.judgements.contains_key(&position.range))
    };
    let listed: Vec<(&Doubtful, Option<f64>)> = match (found.as_ref(), positions) {
        (Err(_), _) => Vec::new(),
        (Ok(found), ConsensusPositions::Open) => {
            found.doubtful.iter().map(|it| (it, None)).collect()
        }
        (Ok(found), ConsensusPositions::Decided) => {
            let listed = found.decided.iter().filter(|(it, _)| is_told || has_decided(it));
            listed.map(|(position, probability)| (position, *probability)).collect()
        }
    };
    let sorting = Sorting { order: (), descending: false, page: wanted };
    let Page { rows, total, number, size } = page(listed, &sorting, PAGE_SIZE);
    let are_told = is_told || positions == ConsensusPositions::Decided;
    let documents: Vec<_> = rows.iter().map(|(row, _)| row.document).collect();
    let texts = store::document::texts(store, &documents).await?;
    let indices: BTreeMap<_, _> =
        texts.iter().map(|(id, (name, text))| (*id, (name, TextIndex::new(text)))).collect();
    let shown = Shown { tallies: &tallies, counted: &tallies, names: &names, switches };
    let row = |(position, decision): &(&Doubtful, Option<f64>)| {
        let Doubtful { document, range, ref proposed } = **position;
        let proposed = if are_told { proposed.clone() } else { Vec::new() };
        let (name, index) = indices.get(&document)?;
        let found = FoundPosition { document, range, of: Of::Labelers };
        let row = shown.row(&found, range, name, index)?;
        Some(DoubtfulPosition { row, proposed, decision: *decision })
    };
    let rows = rows.iter().filter_map(row).collect();
    let estimate = found.as_ref().as_ref().map_err(|why| *why).map(|found| ConsensusEstimate {
        // In a document with one dispute, who is right says what is right.
        people: if is_told { people(found, names.raters()) } else { Vec::new() },
        ..found.estimate.clone()
    });
    Ok(ConsensusView {
        revision: tallies.revision,
        switches,
        raters: names.raters().to_vec(),
        labels: labels.to_vec(),
        estimate,
        reviewers_see,
        page: Page { rows, total, number, size },
    })
}

/// What was learned of people, under the names that the viewer may know.
fn people(found: &Learned, raters: &[Rater]) -> Vec<Competence> {
    let of = |rater: &Rater| {
        let habits = found.people.iter().find(|habits| habits.rater == rater.id)?;
        Some(Competence {
            rater: rater.clone(),
            judgements: habits.judgements,
            accuracy: habits.accuracy,
            of_categories: habits.of_categories.clone(),
        })
    };
    raters.iter().filter(|rater| rater.role == Role::Labeler).filter_map(of).collect()
}

/// Learns from what counts.
fn learned(tallies: &Tallies, switches: Switches) -> Result<Learned, NoConsensus> {
    let mut raters: BTreeMap<MemberId, usize> = BTreeMap::new();
    let (mut places, mut said) = (Vec::new(), Vec::new());
    for (document, work) in tallies.documents() {
        let labelers = labelers_counted(work, switches);
        for (range, judged) in items(&labelers, switches.policy) {
            let decision = latest_decision(work, range).map(|decision| decision.labels);
            places.push((document, range, decision));
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
    if said.is_empty() {
        return Err(NoConsensus::Nothing);
    }
    let votes = Votes::from_items(raters.len(), said).map_err(|_| NoConsensus::TooMuch)?;
    if votes.items().saturating_mul(votes.categories().len()) > MOST_PROBABILITIES {
        return Err(NoConsensus::TooMuch);
    }
    let fit = LEARNING.fit(&votes).map_err(|_| NoConsensus::TooMuch)?;
    let accuracies = fit.labels.accuracies(&votes);
    let people = raters.iter().filter_map(|(rater, place)| {
        Some(Habits {
            rater: *rater,
            judgements: *judgements.get(*place)?,
            accuracy: (*accuracies.get(*place)?)?,
            of_categories: diagonal(&fit, *place),
        })
    });
    let (mut doubtful, mut decided, mut as_expected) = (Vec::new(), Vec::new(), 0);
    for (item, (document, range, decision)) in places.iter().enumerate() {
        let position =
            Doubtful { document: *document, range: *range, proposed: proposed(&fit, item) };
        match decision {
            None => doubtful.push(position),
            Some(labels) => {
                let category = fit.labels.categories().binary_search(labels).ok();
                let probabilities = fit.labels.item(item).unwrap_or_default();
                let probability = category.and_then(|at| probabilities.get(at)).copied();
                let expected = position.proposed.first().is_some_and(|(first, _)| first == *labels);
                as_expected += u64::from(expected);
                decided.push((position, probability));
            }
        }
    }
    let least_first = |one: &(Doubtful, Option<f64>), other: &(Doubtful, Option<f64>)| {
        let probability = |it: &(Doubtful, Option<f64>)| it.1.unwrap_or(f64::INFINITY);
        let by_probability = probability(one).total_cmp(&probability(other));
        by_probability.then_with(|| one.0.error().total_cmp(&other.0.error()))
    };
    decided.sort_by(least_first);
    doubtful.sort_by(|one, other| other.error().total_cmp(&one.error()));
    let positions = saturating::<u64>(places.len());
    let errors: Vec<f64> = doubtful.iter().map(Doubtful::error).collect();
    let (expected_error, to_decide) = expected(&errors, positions);
    let converged = fit.converged;
    let estimate = ConsensusEstimate {
        positions,
        decided: saturating(decided.len()),
        as_expected,
        expected_error,
        to_decide,
        people: Vec::new(),
        converged,
    };
    Ok(Learned { estimate, people: people.collect(), doubtful, decided })
}

/// Of each category that is expected on a position or more, how probable it is that a rater says it.
fn diagonal(fit: &DawidSkeneFit<LabelSet>, rater: usize) -> Probable {
    let Some(confusions) = fit.confusions.get(rater) else { return Vec::new() };
    let categories = fit.labels.categories().iter().zip(confusions).enumerate();
    categories
        .filter_map(|(place, (category, said))| Some((category.clone(), *said.get(place)?)))
        .collect()
}

/// What is probable of an item, the most probable first.
fn proposed(fit: &DawidSkeneFit<LabelSet>, item: usize) -> Probable {
    let probabilities = fit.labels.item(item).unwrap_or_default();
    let categories = fit.labels.categories().iter().cloned().zip(probabilities.iter().copied());
    let mut proposed: Vec<_> = categories.collect();
    proposed.sort_by(|one, other| other.1.total_cmp(&one.1).then_with(|| one.0.cmp(&other.0)));
    let worth = proposed.partition_point(|(_, probability)| *probability >= WORTH_A_WORD);
    proposed.truncate(worth.max(1));
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
