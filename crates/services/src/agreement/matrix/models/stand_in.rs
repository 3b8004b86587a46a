//! Whether a model may stand in for one of the labelers. Documents are what is compared: spans of one text are not
//! independent of each other.

use std::sync::Arc;

use agreement::{
    Span, SpanMatch,
    inference::{Annotators, Panel, alternative_annotator_test, mean_f1},
};
use domain::{
    Actor, Documents, Error as Refusal, LabelId, MemberId, Model, ModelId, PositionKind, ProjectId,
    Rater, Role, StandInComparison, StandInFor, StandInOfLabel, StandInTest, StandInView, Switches,
    base::policy::Action, saturating,
};
use live::{Outsider, Tallies, Work};

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
    let super::Beside { project, switches, labels, tallies } = beside;
    let state = (model.id, model.revision);
    let outsider = super::work(services, state).await?;
    let asked =
        (labels.iter().map(|label| label.id).collect(), by_role(raters, Role::Labeler).collect());
    let question = (state, switches.without_scale(), annotators, asked);
    let test = move |tallies: &Tallies, question: &Question| {
        let (_, switches, annotators, (labels, labelers)) = question;
        let of = |label| tested(tallies, &outsider, (label, labelers), *switches, *annotators);
        (of(switches.filter.label), labels.iter().map(|label| of(Some(*label))).collect())
    };
    let found = services.models.tested.find_or_count(tallies, question, test).await?;
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
    })
}

/// What came of a test, under no names: names are not for all.
pub(crate) struct Compared {
    /// ω and ρ, where two labelers or more could be tested.
    rates: Option<(f64, f64)>,
    comparisons: Vec<(MemberId, Beside)>,
}

/// A model beside a labeler.
#[derive(Default)]
struct Beside {
    documents: u64,
    model: Option<f64>,
    person: Option<f64>,
    corrected: Option<f64>,
    won: bool,
}

/// The test of one label, or of all together. Documents in which nobody marked anything of it, neither the
/// model nor a labeler, are left out: however many they are, they say nothing of who finds what is there.
fn tested(
    tallies: &Tallies,
    outsider: &Outsider,
    (label, labelers): (Option<LabelId>, &[MemberId]),
    switches: Switches,
    annotators: StandInFor,
) -> Compared {
    let by_overlap = switches.policy.positions() == PositionKind::Overlapping;
    let panels = tallies.documents().filter_map(|(document, work)| {
        let stand_in = spans(outsider.work(document)?, label);
        let of = |labeler: &MemberId| {
            let own = work.get(labeler).filter(|own| own.counts(Documents::Submitted))?;
            Some(spans(own, label))
        };
        let annotators: Vec<_> = labelers.iter().map(of).collect();
        let all = annotators.iter().flatten().chain([&stand_in]).map(Vec::len);
        let most = all.max().unwrap_or_default();
        let counts = most > 0 && (!by_overlap || most <= MOST_PAIRED);
        counts.then_some(Panel { stand_in: Some(stand_in), annotators })
    });
    let panels: Vec<_> = panels.collect();
    let compared = |place: usize| {
        let has = |panel: &&Panel<_>| panel.annotators.get(place).is_some_and(Option::is_some);
        let with_others = |panel: &&Panel<_>| panel.annotators.iter().flatten().count() > 1;
        saturating::<u64>(panels.iter().filter(has).filter(with_others).count())
    };
    let documents: Vec<u64> = (0..labelers.len()).map(compared).collect();
    let by = if by_overlap { SpanMatch::Overlap } else { SpanMatch::Exact };
    let test = alternative_annotator_test(panels, mean_f1(by), margin(annotators)).ok();
    let beside = |place: usize| {
        let test = test.as_ref()?.comparisons.iter().find(|it| it.annotator == place)?;
        let corrected = test.test.ok();
        Some(Beside {
            documents: test.items(),
            model: test.stand_in_share(),
            person: test.annotator_share(),
            corrected: corrected.map(|test| test.corrected),
            won: corrected.is_some_and(|test| test.is_won()),
        })
    };
    let comparisons = labelers.iter().zip(documents).enumerate().map(|(place, (labeler, n))| {
        let untested = || Beside { documents: n, ..Beside::default() };
        (*labeler, beside(place).unwrap_or_else(untested))
    });
    Compared {
        comparisons: comparisons.collect(),
        rates: test.as_ref().map(|test| (test.winning_rate(), test.advantage())),
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
        let Beside { documents, model, person, corrected, won } = *beside;
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
