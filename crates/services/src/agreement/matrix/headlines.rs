//! The two numbers of all labelers, and whether they reach the target: what pages begin with, without the
//! pairs that matrices have.

use std::sync::Arc;

use domain::{
    Actor, Confidence, CoverageView, GradedRow, HeadlineNumber, Headlines, Measured, MemberId,
    NoInterval, PolicyChoice, ProjectId, Rater, Role, SeveralMeasure, SeveralRow, Switches, Target,
    UndefinedReason, base::policy::Action,
};
use live::{Narrowing, Question, Tallies, coverage};

use super::several::{graded_row, several_row};
use crate::{
    Error, Result, Services,
    agreement::by_role,
    base::{access::permit, categories::Categories, names::Names},
};

/// The two numbers of exact positions under the given switches, whichever policy these have, as of now.
pub async fn headlines(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Headlines> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let asked = Asked::of(services, project, switches);
    let names = Names::load(store, project, &access.member).await?;
    let labels = Categories::of(store, project, switches).await?;
    let target = store::agreement::target::find(store, project).await?;
    let tallies = services.live.read_part(project, Narrowing::exact(switches.filter)).await?;
    let answer = move || asked.answer(&tallies, names.raters(), &labels, target);
    tokio::task::spawn_blocking(answer).await.map_err(Error::broken)
}

/// That the two numbers are asked for: before what they are counted from is read.
pub(crate) struct Asked {
    switches: Switches,
    /// One for each policy that headlines agreement.
    questions: Vec<(Switches, Question)>,
}

impl Asked {
    pub(crate) fn of(services: &Services, project: ProjectId, switches: Switches) -> Self {
        let switches = switches.of_exact_positions();
        let question = |policy| {
            let switches = Switches { policy, ..switches };
            (switches, services.live.ask(project, switches))
        };
        Self { switches, questions: PolicyChoice::HEADLINES.map(question).into() }
    }

    /// The two numbers; intervals that are not known are computed meanwhile.
    pub(crate) fn answer(
        self,
        tallies: &Tallies,
        raters: &[Rater],
        labels: &Categories,
        target: Option<Target>,
    ) -> Headlines {
        let Self { switches, questions } = self;
        let measure = switches.measure.several().unwrap_or(SeveralMeasure::Alpha);
        let choices = Arc::new(labels.choices(switches.filter));
        let labelers: Vec<_> = by_role(raters, Role::Labeler).collect();
        let coverage = coverage_of(tallies, &labelers, switches);
        let (mut numbers, mut verdict) = (Vec::new(), None);
        for (switches, question) in questions {
            let several = tallies.several(switches);
            let n = several.tally.items();
            let row = |measure| match labelers[..] {
                [] | [_] => NOBODY_TO_COMPARE,
                _ => several_row((&question, tallies), switches, measure),
            };
            if let Some(target) = target.filter(|target| target.is_about(switches)) {
                let row = target.measure.several().map(row);
                verdict = row.map(|row| target.judge(row.measured, row.confidence, n));
            }
            let graded = (labelers.len() > 1)
                .then(|| graded_row((&question, tallies), switches, &choices))
                .flatten();
            let (measured, confidence, n) = graded.map_or_else(
                || {
                    let SeveralRow { measured, confidence, .. } = row(measure);
                    (measured, confidence, n)
                },
                |GradedRow { measured, confidence, n, .. }| (measured, confidence, n),
            );
            question.compute_pending(&choices);
            let (policy, documents) = (switches.policy, several.documents);
            numbers.push(HeadlineNumber { policy, measured, confidence, n, documents, coverage });
        }
        let target = target.map(|target| (target, verdict));
        Headlines { revision: tallies.revision, switches, measure, numbers, target }
    }
}

/// What there is to say where there are no two labelers.
const NOBODY_TO_COMPARE: SeveralRow = SeveralRow {
    measure: SeveralMeasure::Alpha,
    measured: Measured::Undefined(UndefinedReason::NoSharedDocuments),
    confidence: Confidence::None(NoInterval::NoValue),
};

/// The coverage of all pairs of labelers, added up.
fn coverage_of(tallies: &Tallies, labelers: &[MemberId], switches: Switches) -> CoverageView {
    let mut sum = CoverageView::default();
    for (place, first) in labelers.iter().enumerate() {
        for second in labelers.iter().skip(place + 1) {
            let pair = coverage(&tallies.pair(*first, *second, switches));
            sum.both += pair.both;
            sum.only_first += pair.only_first;
            sum.only_second += pair.only_second;
        }
    }
    sum
}
