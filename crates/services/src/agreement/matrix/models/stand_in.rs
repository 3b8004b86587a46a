//! Whether a model may stand in for one of the labelers. Documents are what is compared: spans of one text are not
//! independent of each other, and neither are answers about them.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use agreement::{
    Number, Span, SpanMatch,
    inference::{
        Annotators, Panel, clustered_annotator_test, mean_f1, mean_jaccard, negative_rmse,
        share_alike,
    },
};
use domain::{
    Actor, AnswerKind, Documents, Error as Refusal, LabelId, LabelSet, MemberId, Model, ModelId,
    PositionKind, ProjectId, Rater, Role, StandInBy, StandInComparison, StandInFor, StandInOfLabel,
    StandInTest, StandInView, Switches, base::policy::Action, saturating,
};
use live::{DocumentWork, Outsider, Tallies, Work};

use super::State;
use crate::{
    Result, Services,
    agreement::{breakdowns::Remembered, by_role},
    base::{access::permit, names::Names},
};

/// What was tested of late, for as long as nothing moves: of all labels together, and of each.
pub(crate) type Tested = Remembered<(Compared, Vec<Compared>), Question>;

/// What a test is of, besides the tallies: the labels and the labelers last.
type Question = (State, Switches, StandInFor, (Vec<LabelId>, Vec<MemberId>));

/// More spans than these of one person in a document are not paired by overlap: the document is left out.
pub(super) const MOST_PAIRED: usize = 2_000;

/// One model's test in the documents of the switches, as far as they are submitted: what is not handed in says
/// nothing of what is not marked. Spans match by position, or by overlap where overlapping spans are compared.
pub async fn stand_in(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    (switches, annotators): (Switches, StandInFor),
) -> Result<StandInView> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let found = store::project::models::find(&services.store, project, model).await?;
    let model = found.ok_or(Refusal::NotFound)?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let beside = super::Beside::load(services, project, switches).await?;
    beside_labelers(services, &beside, (model, names.raters()), annotators).await
}

/// One model's test with these raters under these names.
pub(crate) async fn beside_labelers(
    services: &Arc<Services>,
    beside: &super::Beside,
    (model, raters): (Model, &[Rater]),
    annotators: StandInFor,
) -> Result<StandInView> {
    let super::Beside { project, switches, categories, labels, tallies } = beside;
    let state = (model.id, model.revision);
    let by = match categories.answers() {
        None => StandInBy::Spans,
        // Of one answer alone, whether it was given.
        Some(_) if switches.filter.label.is_some() => StandInBy::Choices,
        Some(AnswerKind::One) => StandInBy::Choices,
        Some(AnswerKind::Several) => StandInBy::Sets,
        Some(AnswerKind::Number(_)) => StandInBy::Numbers,
    };
    let numbers: Numbers = categories.scores().iter().copied().collect();
    let asked =
        (labels.iter().map(|label| label.id).collect(), by_role(raters, Role::Labeler).collect());
    let question = (state, switches.without_scale(), annotators, asked);
    let known = services.models.tested.find(tallies, &question);
    let found = if let Some(known) = known {
        known
    } else {
        let outsider = beside.work(services, &model).await?;
        let test = move |tallies: &Tallies, question: &Question| {
            let (_, switches, annotators, (labels, labelers)) = question;
            let seen = Seen { tallies, outsider: &outsider, labelers, margin: margin(*annotators) };
            let of = |label| match (by, label) {
                (StandInBy::Spans, _) => seen.spans(label, switches.policy.positions()),
                (_, Some(label)) => {
                    seen.answers(|it| Some(it.contains(label)), |it| *it, share_alike)
                }
                (StandInBy::Choices, None) => seen.answers(|it| Some(it.clone()), any, share_alike),
                (StandInBy::Sets, None) => {
                    let set = |it: &LabelSet| Some(it.iter().collect::<BTreeSet<_>>());
                    seen.answers(set, any, mean_jaccard)
                }
                (StandInBy::Numbers, None) => {
                    seen.answers(|it| read_number(&numbers, it), any, negative_rmse)
                }
            };
            (of(switches.filter.label), labels.iter().map(|label| of(Some(*label))).collect())
        };
        services.models.tested.find_or_count(tallies, question, test).await?
    };
    let (whole, of_labels) = &*found;
    let told = |outcome: &Compared| told_of(outcome, raters);
    Ok(StandInView {
        project: *project,
        whole: told(whole),
        labels: labels
            .iter()
            .cloned()
            .zip(of_labels.iter().map(told))
            .map(|(label, test)| StandInOfLabel { label, test })
            .collect(),
        model,
        switches: *switches,
        annotators,
        by,
        question: categories.question().map(str::to_owned),
    })
}

/// What came of a test, under no names: names are not for all.
pub(crate) struct Compared {
    /// ω and ρ, where two labelers or more could be tested.
    rates: Option<(f64, f64)>,
    comparisons: Vec<(MemberId, BesideLabeler)>,
}

/// A model beside a labeler.
#[derive(Default)]
struct BesideLabeler {
    documents: u64,
    model: Option<f64>,
    person: Option<f64>,
    corrected: Option<f64>,
    won: bool,
}

/// Where the answers to a question for a number stand.
type Numbers = BTreeMap<LabelId, f64>;

fn read_number(numbers: &Numbers, answer: &LabelSet) -> Option<Number> {
    Number::new(*numbers.get(&answer.iter().next()?)?)
}

/// That every answer counts.
const fn any<J>(_: &J) -> bool {
    true
}

/// What is compared.
struct Seen<'a> {
    tallies: &'a Tallies,
    outsider: &'a Outsider,
    labelers: &'a [MemberId],
    margin: f64,
}

impl Seen<'_> {
    /// The test of the spans of one label, or of all together. Documents in which nobody marked anything of it,
    /// neither the model nor a labeler, are left out: however many they are, they say nothing of who finds what is
    /// there.
    fn spans(&self, label: Option<LabelId>, positions: PositionKind) -> Compared {
        let by_overlap = positions == PositionKind::Overlapping;
        let panels = self.tallies.documents().filter_map(|(document, work)| {
            let stand_in = spans(self.outsider.work(document)?, label);
            let of = |own: Option<&Work>| Some(spans(own?, label));
            let annotators: Vec<_> = self.submitted(work).map(of).collect();
            let all = annotators.iter().flatten().chain([&stand_in]).map(Vec::len);
            let most = all.max().unwrap_or_default();
            let counts = most > 0 && (!by_overlap || most <= MOST_PAIRED);
            counts.then_some(vec![Panel { stand_in: Some(stand_in), annotators }])
        });
        let by = if by_overlap { SpanMatch::Overlap } else { SpanMatch::Exact };
        self.tested(panels.collect(), mean_f1(by))
    }

    /// The test of answers, a document at a time with all that was answered in it: as they are read, those that
    /// count, and how well one represents others. Where nobody gave an answer that counts, nothing is compared.
    fn answers<J>(
        &self,
        read: impl Fn(&LabelSet) -> Option<J>,
        counts: impl Fn(&J) -> bool,
        score: impl Fn(&J, &[&J]) -> f64,
    ) -> Compared {
        let clusters = self.tallies.documents().filter_map(|(document, work)| {
            let own = self.outsider.work(document)?.judgements.iter();
            let panels = own.filter_map(|(range, answer)| {
                let stand_in = read(answer)?;
                let of = |own: Option<&Work>| read(own?.judgements.get(range)?);
                let annotators: Vec<_> = self.submitted(work).map(of).collect();
                let is_given = annotators.iter().flatten().chain([&stand_in]).any(&counts);
                is_given.then_some(Panel { stand_in: Some(stand_in), annotators })
            });
            Some(panels.collect())
        });
        self.tested(clusters.collect(), score)
    }

    /// The work of each labeler on a document, as far as it is submitted.
    fn submitted<'w>(&self, work: &'w DocumentWork) -> impl Iterator<Item = Option<&'w Work>> {
        self.labelers
            .iter()
            .map(|labeler| work.get(labeler).filter(|own| own.counts(Documents::Submitted)))
    }

    fn tested<J>(
        &self,
        documents: Vec<Vec<Panel<J>>>,
        score: impl Fn(&J, &[&J]) -> f64,
    ) -> Compared {
        let compared = |place: usize| {
            let has = |panel: &Panel<_>| {
                panel.annotators.get(place).is_some_and(Option::is_some)
                    && panel.annotators.iter().flatten().count() > 1
            };
            saturating::<u64>(documents.iter().filter(|panels| panels.iter().any(has)).count())
        };
        let counts: Vec<u64> = (0..self.labelers.len()).map(compared).collect();
        let test = clustered_annotator_test(documents, score, self.margin).ok();
        let beside = |place: usize| {
            let test = test.as_ref()?.comparisons.iter().find(|it| it.annotator == place)?;
            let corrected = test.test.ok();
            Some(BesideLabeler {
                documents: test.items(),
                model: test.stand_in_share(),
                person: test.annotator_share(),
                corrected: corrected.map(|test| test.corrected),
                won: corrected.is_some_and(|test| test.is_won()),
            })
        };
        let comparisons = self.labelers.iter().zip(counts).enumerate();
        let comparisons = comparisons.map(|(place, (labeler, n))| {
            let untested = || BesideLabeler { documents: n, ..BesideLabeler::default() };
            (*labeler, beside(place).unwrap_or_else(untested))
        });
        Compared {
            comparisons: comparisons.collect(),
            rates: test.as_ref().map(|test| (test.winning_rate(), test.advantage())),
        }
    }
}

/// ε: on how many documents a model may be worse, from 0 to 1.
pub(crate) const fn margin(annotators: StandInFor) -> f64 {
    let who = match annotators {
        StandInFor::Crowd => Annotators::Crowd,
        StandInFor::Skilled => Annotators::Skilled,
        StandInFor::Experts => Annotators::Experts,
    };
    who.margin()
}

fn told_of(Compared { rates, comparisons }: &Compared, raters: &[Rater]) -> StandInTest {
    let beside = comparisons.iter().filter_map(|(labeler, beside)| {
        let BesideLabeler { documents, model, person, corrected, won } = *beside;
        let labeler = raters.iter().find(|rater| rater.id == *labeler)?.clone();
        Some(StandInComparison { labeler, documents, model, person, corrected, won })
    });
    StandInTest {
        winning_rate: rates.map(|(rate, _)| rate),
        advantage: rates.map(|(_, advantage)| advantage),
        comparisons: beside.collect(),
    }
}

/// What somebody has marked in a document, of one label or of all.
pub(super) fn spans(work: &Work, label: Option<LabelId>) -> Vec<Span<LabelId>> {
    let judged = work.judgements.iter();
    let all = judged.flat_map(|(range, labels)| labels.iter().map(move |label| (*range, label)));
    all.filter(|(_, of)| label.is_none_or(|label| label == *of))
        .map(|(range, label)| Span { start: range.start.into(), end: range.end.into(), label })
        .collect()
}
