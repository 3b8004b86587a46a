//! A model against what reviewers decided, and against other models by the same measure. An answer is a span of
//! what it is about, with the choice for a label. Documents are what is resampled and exchanged: spans of one text
//! are not independent of each other.

use std::{collections::BTreeSet, sync::Arc};

use agreement::{
    Span, SpanCounts, SpanMatch, Undefined,
    inference::{Resampling, bootstrap, mcnemar_exact, permutation_test},
    span_counts,
};
use domain::{
    Actor, Confidence, Error as Refusal, LabelId, LabelSet, Model, ModelDifference, ModelId,
    ModelScores, ModelScoresView, OtherModel, PositionKind, ProjectId, Range, Role, Score,
    ScoresOfLabel, Switches, WorkState, base::policy::Action, saturating,
};
use live::{DocumentWork, Outsider, RESAMPLES, Subject, Tallies, Work, interval, seed};

use super::{
    Beside, State,
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
    let mut models = store::project::models::list(&services.store, project).await?;
    let place = models.iter().position(|it| it.id == model).ok_or(Refusal::NotFound)?;
    let model = models.swap_remove(place);
    models.retain(|other| other.documents > 0);
    models.sort_by_key(|other| other.id);
    let beside = Beside::load(services, project, switches).await?;
    with_others(services, &beside, (&model, models)).await
}

/// One model's scores, and how far it is from each of the others.
pub(crate) async fn with_others(
    services: &Arc<Services>,
    beside: &Beside,
    (model, models): (&Model, Vec<Model>),
) -> Result<ModelScoresView> {
    let Beside { project, switches, labels, tallies, .. } = beside;
    let state = |model: &Model| (model.id, model.revision);
    let seed = seed(*project, Subject::Units);
    let of_labels = (seed, labels.iter().map(|label| label.id).collect());
    let states = models.iter().map(state).collect();
    let question = (state(model), states, switches.without_scale(), of_labels);
    let known = services.models.scored.find(tallies, &question);
    let found = if let Some(known) = known {
        known
    } else {
        let outsider = beside.work(services, model).await?;
        let mut others = Vec::with_capacity(models.len());
        for other in &models {
            others.push(beside.work(services, other).await?);
        }
        let count = move |tallies: &Tallies, (_, _, switches, (seed, labels)): &Question| {
            scored(tallies, (&outsider, &others), (*switches, labels), *seed)
        };
        services.models.scored.find_or_count(tallies, question, count).await?
    };
    let others = models.into_iter().zip(found.others.iter().copied());
    let others = others.map(|(model, difference)| OtherModel { model, difference });
    let of_labels = labels.iter().cloned().zip(found.labels.iter().copied());
    Ok(ModelScoresView {
        documents: found.documents,
        whole: found.whole,
        labels: of_labels.map(|(label, scores)| ScoresOfLabel { label, scores }).collect(),
        others: others.filter(|other| other.difference.documents > 0).collect(),
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
        let decided = Decided::of(work, switches.filter.question.is_some())?;
        let of = |work: &Work| decided.asked(spans(work, label), by);
        let found = of(outsider.work(document)?);
        let others = others.iter().map(|other| other.work(document).map(of)).collect();
        let decided = decided.spans(label);
        let counts = by == SpanMatch::Exact || found.len().max(decided.len()) <= MOST_PAIRED;
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

/// What was decided in submitted reviews of a document, and what was marked there and is still open.
struct Decided {
    /// In the order of positions.
    spans: Vec<(Range, LabelSet)>,
    open: BTreeSet<Range>,
    /// Whether these are answers, which count where something was decided and nowhere else.
    is_of_answers: bool,
}

impl Decided {
    /// None where no review is submitted.
    fn of(work: &DocumentWork, is_of_answers: bool) -> Option<Self> {
        let submitted = work
            .iter()
            .filter(|(_, work)| work.role == Role::Reviewer && work.state == WorkState::Submitted);
        let reviews: DocumentWork = submitted.map(|(id, work)| (*id, work.clone())).collect();
        reviews.first()?;
        let labelers = work.values().filter(|work| work.is_of_labeler());
        let works = labelers.chain(reviews.values());
        let ranges: BTreeSet<Range> =
            works.flat_map(|work| work.judgements.keys().copied()).collect();
        let (mut spans, mut open) = (Vec::new(), BTreeSet::new());
        for range in ranges {
            match latest_decision(&reviews, range) {
                Some(decision) => spans.push((range, decision.labels.clone())),
                None => drop(open.insert(range)),
            }
        }
        Some(Self { spans, open, is_of_answers })
    }

    fn spans(&self, label: Option<LabelId>) -> Vec<Span<LabelId>> {
        let all = self.spans.iter();
        let all = all.flat_map(|(range, labels)| labels.iter().map(move |label| (*range, label)));
        let all = all.filter(|(_, of)| label.is_none_or(|label| label == *of));
        let span = |(range, label): (Range, LabelId)| Span {
            start: range.start.into(),
            end: range.end.into(),
            label,
        };
        all.map(span).collect()
    }

    /// The spans of a model without those on positions that nobody has decided on, which count neither for it nor
    /// against it: by overlap without those that lie on such positions and on none that was decided on.
    fn asked(&self, spans: Vec<Span<LabelId>>, by: SpanMatch<'_>) -> Vec<Span<LabelId>> {
        let is_at = |range: &Range, span: &Span<LabelId>| {
            let (start, end) = (u64::from(range.start), u64::from(range.end));
            match by {
                SpanMatch::Overlap => span.start < end && start < span.end,
                SpanMatch::Exact | SpanMatch::Tokens(_) => (start, end) == (span.start, span.end),
            }
        };
        let is_open = |span: &Span<LabelId>| {
            self.open.iter().any(|range| is_at(range, span))
                && !self.spans.iter().any(|(range, _)| is_at(range, span))
        };
        if self.is_of_answers {
            let place = |range: &Range| (u64::from(range.start), u64::from(range.end));
            let is_decided = |span: &Span<LabelId>| {
                let here = (span.start, span.end);
                self.spans.binary_search_by_key(&here, |(range, _)| place(range)).is_ok()
            };
            return spans.into_iter().filter(is_decided).collect();
        }
        if self.open.is_empty() {
            return spans;
        }
        spans.into_iter().filter(|span| !is_open(span)).collect()
    }
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
    let fits = |other: &&Vec<Span<LabelId>>| by == SpanMatch::Exact || other.len() <= MOST_PAIRED;
    let both =
        documents.iter().filter_map(|it| Some((it, it.others.get(place)?.as_ref().filter(fits)?)));
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
