//! Whether a model may stand in for one of the labelers. Documents are what is compared: spans of one text are not
//! independent of each other.

use std::sync::Arc;

use agreement::{
    Span, SpanMatch,
    inference::{AlternativeTest, Annotators, Panel, alternative_annotator_test, mean_f1},
};
use domain::{
    Actor, Error as Refusal, Filter, Label, LabelId, MemberId, ModelId, PositionKind, ProjectId,
    Rater, Role, StandInComparison, StandInFor, StandInTest, StandInView, Switches,
    base::policy::Action,
};
use live::{Narrowing, Outsider, Tallies, Work};

use crate::{
    Error, Result, Services,
    agreement::by_role,
    base::{access::permit, names::Names},
};

/// One model's test under the switches of the matrix: the documents that they count, spans that match by
/// position, or by overlap where overlapping spans are compared.
pub async fn stand_in(
    services: &Arc<Services>,
    actor: &Actor,
    (project, model): (ProjectId, ModelId),
    (switches, annotators): (Switches, StandInFor),
) -> Result<StandInView> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    switches.filter.check_labels()?;
    let found = store::project::models::find(&services.store, project, model).await?;
    let model = found.ok_or(Refusal::NotFound)?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::project::labels::list(&services.store, project).await?;
    let filter = Filter { label: None, ..switches.filter };
    let tallies = services.live.read_part(project, Narrowing::exact(filter)).await?;
    let outsider = super::work(services, (model.id, model.revision)).await?;
    let computed = move || {
        let test = Test { tallies: &tallies, outsider: &outsider, raters: names.raters() };
        let wanted = |label: &&Label| switches.filter.label.is_none_or(|it| it == label.id);
        let of_label =
            |label: &Label| (label.clone(), test.of(Some(label.id), switches, annotators));
        StandInView {
            project,
            revision: tallies.revision,
            whole: test.of(switches.filter.label, switches, annotators),
            labels: labels.iter().filter(wanted).map(of_label).collect(),
            model,
            switches,
            annotators,
        }
    };
    tokio::task::spawn_blocking(computed).await.map_err(Error::broken)
}

/// What is tested.
struct Test<'a> {
    tallies: &'a Tallies,
    outsider: &'a Outsider,
    raters: &'a [Rater],
}

impl Test<'_> {
    /// Of one label, or of all together.
    fn of(
        &self,
        label: Option<LabelId>,
        switches: Switches,
        annotators: StandInFor,
    ) -> StandInTest {
        let labelers: Vec<MemberId> = by_role(self.raters, Role::Labeler).collect();
        let documents = switches.policy.documents(switches.documents);
        let panels = self.tallies.documents().filter_map(|(document, work)| {
            let stand_in = Some(spans(self.outsider.work(document)?, label));
            let of = |labeler: &MemberId| {
                let own = work.get(labeler).filter(|own| own.counts(documents))?;
                Some(spans(own, label))
            };
            Some(Panel { stand_in, annotators: labelers.iter().map(of).collect() })
        });
        let by = match switches.policy.positions() {
            PositionKind::Overlapping => SpanMatch::Overlap,
            PositionKind::Exact | PositionKind::Tokens => SpanMatch::Exact,
        };
        let margin = match annotators {
            StandInFor::Crowd => Annotators::Crowd,
            StandInFor::Skilled => Annotators::Skilled,
            StandInFor::Experts => Annotators::Experts,
        };
        let tested = alternative_annotator_test(panels, mean_f1(by), margin.margin());
        tested.map_or_else(|_| StandInTest::default(), |test| self.told_of(&test, &labelers))
    }

    fn told_of(&self, test: &AlternativeTest, labelers: &[MemberId]) -> StandInTest {
        let beside = test.comparisons.iter().filter_map(|comparison| {
            let id = labelers.get(comparison.annotator)?;
            let corrected = comparison.test.ok();
            Some(StandInComparison {
                labeler: self.raters.iter().find(|rater| rater.id == *id)?.clone(),
                documents: comparison.items(),
                model: comparison.stand_in_share(),
                person: comparison.annotator_share(),
                corrected: corrected.map(|test| test.corrected),
                won: corrected.is_some_and(|test| test.is_won()),
            })
        });
        StandInTest {
            winning_rate: Some(test.winning_rate()),
            advantage: Some(test.advantage()),
            comparisons: beside.collect(),
        }
    }
}

/// What somebody has marked in a document, of one label or of all.
fn spans(work: &Work, label: Option<LabelId>) -> Vec<Span<LabelId>> {
    let judged = work.judgements.iter();
    let all = judged.flat_map(|(range, labels)| labels.iter().map(move |label| (*range, label)));
    all.filter(|(_, of)| label.is_none_or(|label| label == *of))
        .map(|(range, label)| Span { start: range.start.into(), end: range.end.into(), label })
        .collect()
}
