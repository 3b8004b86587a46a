//! A model against what reviewers decided, and against other models by the same measure. Documents are what is
//! resampled and exchanged: spans of one text are not independent of each other.

use std::{collections::BTreeSet, sync::Arc};

use agreement::{
    Span, SpanCounts, SpanMatch, Undefined,
    inference::{Resampling, bootstrap, mcnemar_exact, permutation_test},
    span_counts,
};
use domain::{
    Actor, Confidence, Error as Refusal, Filter, LabelId, ModelDifference, ModelId, ModelScores,
    ModelScoresView, PositionKind, ProjectId, Role, Score, Switches, WorkState,
    base::policy::Action, saturating,
};
use live::{DocumentWork, Narrowing, Outsider, RESAMPLES, Subject, Tallies, interval, seed};

use super::{
    State,
    stand_in::{MOST_PAIRED, spans},
};
use crate::{
    Result, Services,
    agreement::{breakdowns::Remembered, latest_decision},
    base::access::permit,
};

/// What was scored of late, for as long as nothing moves.
pub(crate) type Scored = Remembered<Found, Question>;

/// What scores are of, besides the tallies: the model and the others, and the labels last.
type Question = (State, Vec<State>, Switches, (u64, Vec<LabelId>));

/// What came of it, under no names.
pub(crate) struct Found {
    documents: u64,
    whole: ModelScores,
    labels: Vec<ModelScores>,
    /// With each of the other models.
    others: Vec<ModelDifference>,
}

/// One model's precision, recall and F1 in the documents of the switches whose review is submitted. Spans match by
/// position, or by overlap where overlapping spans are compared.
pub async fn against_decisions(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    switches: Switches,
) -> Result<ModelScoresView> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    switches.filter.check_labels()?;
    let mut models = store::project::models::list(&services.store, project).await?;
    let place = models.iter().position(|it| it.id == model).ok_or(Refusal::NotFound)?;
    let model = models.swap_remove(place);
    models.retain(|other| other.documents > 0);
    models.sort_by_key(|other| other.id);
    let mut labels = store::project::labels::list(&services.store, project).await?;
    labels.retain(|label| switches.filter.label.is_none_or(|wanted| wanted == label.id));
    let filter = Filter { label: None, ..switches.filter };
    let tallies = services.live.read_part(project, Narrowing::exact(filter)).await?;
    let state = |model: &domain::Model| (model.id, model.revision);
    let outsider = super::work(services, state(&model)).await?;
    let mut others = Vec::with_capacity(models.len());
    for other in &models {
        others.push(super::work(services, state(other)).await?);
    }
    let seed = seed(project, Subject::Units);
    let of_labels = (seed, labels.iter().map(|label| label.id).collect());
    let states = models.iter().map(state).collect();
    let question = (state(&model), states, switches.without_scale(), of_labels);
    let count = move |tallies: &Tallies, (_, _, switches, (seed, labels)): &Question| {
        scored(tallies, (&outsider, &others), (*switches, labels), *seed)
    };
    let found = services.models.scored.find_or_count(&tallies, question, count).await?;
    let others = models.iter().map(domain::Model::title).zip(found.others.iter().copied());
    Ok(ModelScoresView {
        documents: found.documents,
        whole: found.whole,
        labels: labels.into_iter().zip(found.labels.iter().copied()).collect(),
        others: others.filter(|(_, difference)| difference.documents > 0).collect(),
    })
}

/// The spans of a document: those that were decided on, then the model's, then those of each other model.
struct Compared {
    decided: Vec<Span<LabelId>>,
    found: Vec<Span<LabelId>>,
    others: Vec<Option<Vec<Span<LabelId>>>>,
}

fn scored(
    tallies: &Tallies,
    (outsider, others): (&Outsider, &[Arc<Outsider>]),
    (switches, labels): (Switches, &[LabelId]),
    seed: u64,
) -> Found {
    let by = match switches.policy.positions() {
        PositionKind::Overlapping => SpanMatch::Overlap,
        PositionKind::Exact | PositionKind::Tokens => SpanMatch::Exact,
    };
    let label = switches.filter.label;
    let documents = tallies.documents().filter_map(|(document, work)| {
        let found = spans(outsider.work(document)?, label);
        let decided = decided(work, label)?;
        let of = |other: &Arc<Outsider>| Some(spans(other.work(document)?, label));
        let others: Vec<_> = others.iter().map(of).collect();
        let most = others.iter().flatten().chain([&found, &decided]).map(Vec::len).max();
        let counts = by == SpanMatch::Exact || most.is_none_or(|most| most <= MOST_PAIRED);
        counts.then_some(Compared { decided, found, others })
    });
    let documents: Vec<Compared> = documents.collect();
    let of_label = |label: Option<LabelId>| {
        let is_it = |span: &&Span<LabelId>| label.is_none_or(|label| label == span.label);
        let only =
            |spans: &[Span<LabelId>]| spans.iter().filter(is_it).cloned().collect::<Vec<_>>();
        let counts =
            documents.iter().map(|it| span_counts(&only(&it.decided), &only(&it.found), by));
        scores(&counts.collect::<Vec<_>>(), seed)
    };
    Found {
        documents: saturating(documents.len()),
        whole: of_label(None),
        labels: labels.iter().map(|label| of_label(Some(*label))).collect(),
        others: (0..others.len()).map(|place| difference(&documents, place, by, seed)).collect(),
    }
}

/// What reviewers decided to be spans, where a review is submitted; none where none is.
fn decided(work: &DocumentWork, label: Option<LabelId>) -> Option<Vec<Span<LabelId>>> {
    let is_submitted =
        |work: &&live::Work| work.role == Role::Reviewer && work.state == WorkState::Submitted;
    work.values().find(is_submitted)?;
    let ranges: BTreeSet<_> =
        work.values().flat_map(|work| work.verdicts.keys().copied()).collect();
    let decisions =
        ranges.into_iter().filter_map(|range| Some((range, latest_decision(work, range)?)));
    let all = decisions.flat_map(|(range, decision)| {
        decision.labels.iter().map(move |label| (range, label)).collect::<Vec<_>>()
    });
    let span = |(range, label): (domain::Range, LabelId)| Span {
        start: range.start.into(),
        end: range.end.into(),
        label,
    };
    Some(all.filter(|(_, of)| label.is_none_or(|label| label == *of)).map(span).collect())
}

/// Precision, recall and F1 of all documents together, each with its interval by document.
fn scores(counts: &[SpanCounts], seed: u64) -> ModelScores {
    let pooled = |times: &[u32]| {
        let mut all = SpanCounts::default();
        for (counts, times) in counts.iter().zip(times) {
            let times = u64::from(*times);
            all.matched += times * counts.matched;
            all.gold += times * counts.gold;
            all.found += times * counts.found;
        }
        all
    };
    let whole = pooled(&vec![1; counts.len()]);
    let score = |of: fn(&SpanCounts) -> Result<f64, Undefined>| {
        let resampling = Resampling { resamples: RESAMPLES, seed };
        let value = of(&whole).ok();
        let confidence = match value {
            None => Confidence::None(domain::NoInterval::NoValue),
            Some(_) => interval(&bootstrap(counts.len(), resampling, |times| of(&pooled(times)))),
        };
        Score { value, confidence }
    };
    ModelScores {
        decided: whole.gold,
        found: whole.found,
        matched: whole.matched,
        precision: score(SpanCounts::precision),
        recall: score(SpanCounts::recall),
        f1: score(SpanCounts::f1),
    }
}

/// How much better the model is than another, in the documents that both have.
fn difference(
    documents: &[Compared],
    place: usize,
    by: SpanMatch<'_>,
    seed: u64,
) -> ModelDifference {
    let both = documents.iter().filter_map(|it| Some((it, it.others.get(place)?.as_ref()?)));
    let counted: Vec<_> = both
        .clone()
        .map(|(it, other)| {
            [span_counts(&it.decided, &it.found, by), span_counts(&it.decided, other, by)]
        })
        .collect();
    let f1 = |exchanged: &[bool]| {
        let (mut ours, mut theirs) = (SpanCounts::default(), SpanCounts::default());
        for ([one, other], exchanged) in counted.iter().zip(exchanged) {
            let (one, other) = if *exchanged { (other, one) } else { (one, other) };
            ours = added(ours, *one);
            theirs = added(theirs, *other);
        }
        Ok(ours.f1()? - theirs.f1()?)
    };
    let test = permutation_test(counted.len(), Resampling { resamples: RESAMPLES, seed }, f1).ok();
    let (mut only_this, mut only_other) = (0, 0);
    for (it, other) in both {
        let (ours, theirs) = (finder(&it.found, by), finder(other, by));
        for span in &it.decided {
            match (ours(span), theirs(span)) {
                (true, false) => only_this += 1,
                (false, true) => only_other += 1,
                (true, true) | (false, false) => {}
            }
        }
    }
    ModelDifference {
        documents: saturating(counted.len()),
        f1: test.map(|test| test.difference),
        p_value: test.map(|test| test.p_value),
        only_this,
        only_other,
        mcnemar: mcnemar_exact(only_this, only_other).ok(),
    }
}

/// Whether one of these spans is the same, or has the label and text in common.
fn finder<'a>(
    spans: &'a [Span<LabelId>],
    by: SpanMatch<'_>,
) -> impl Fn(&Span<LabelId>) -> bool + 'a {
    let by_overlap = by == SpanMatch::Overlap;
    let exact: BTreeSet<_> = if by_overlap { BTreeSet::new() } else { spans.iter().collect() };
    move |wanted| {
        let overlaps = |span: &Span<LabelId>| {
            span.label == wanted.label && span.start < wanted.end && wanted.start < span.end
        };
        if by_overlap { spans.iter().any(overlaps) } else { exact.contains(wanted) }
    }
}

const fn added(one: SpanCounts, other: SpanCounts) -> SpanCounts {
    SpanCounts {
        matched: one.matched + other.matched,
        gold: one.gold + other.gold,
        found: one.found + other.found,
    }
}
