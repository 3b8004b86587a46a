//! The matrix, one pair of it, and the stream that follows it.

use std::{sync::Arc, time::Duration};

use agreement::{Contingency, Undefined};
use domain::{
    Actor, AgreementSnapshot, Category, CoverageView, Error as Refusal, LabelSet, LastChange,
    Measure, Measured, MemberId, PairCell, PairView, ProjectId, Rater, Role, Steps, Switches,
    UndefinedReason, policy::Action,
};
use futures::Stream;
use tokio::time::Instant;

use crate::{
    Result, Services,
    access::permit,
    live::{Counted, Tallies, compared},
    names::Names,
};

/// How long changes are gathered before followers are told again.
const GATHER: Duration = Duration::from_millis(100);

/// How often a follower's membership is checked again.
const RECHECK: Duration = Duration::from_secs(10);

/// The matrix under the given switches, as of now.
pub async fn snapshot(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<AgreementSnapshot> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    // Whoever moved the numbers is read before them: a name may come too late, never too early.
    let moved = services.live.follow(project);
    let by = moved.borrow().by;
    let names = Names::load(&services.store, project, &access.member).await?;
    let tallies = services.live.read(&services.store, project).await?;
    let last_change = by
        .or_else(|| moved.borrow().by)
        .and_then(|(rater, at)| Some(LastChange { at, by: names.name(rater)?.to_owned() }));
    Ok(AgreementSnapshot {
        project,
        revision: tallies.revision,
        switches,
        raters: names.raters().to_vec(),
        cells: cells(&tallies, names.raters(), switches),
        last_change,
    })
}

/// One pair of the matrix: its table and where its coefficient comes from.
pub async fn pair(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    first: MemberId,
    second: MemberId,
    switches: Switches,
) -> Result<PairView> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let (first, second) = names.rater(first).zip(names.rater(second)).ok_or(Refusal::NotFound)?;
    if first.id == second.id || !compared(first.role, second.role) {
        return Err(Refusal::NotFound.into());
    }
    let tallies = services.live.read(&services.store, project).await?;
    let counted = tallies.pair(first.id, second.id, switches);
    let table = &counted.tally.table;
    let name = |labels_of: &LabelSet| category_name(labels_of, &labels);
    let categories = table.categories();
    let counts = categories
        .iter()
        .map(|row| categories.iter().map(|column| table.count(row, column)).collect())
        .collect();
    Ok(PairView {
        project,
        revision: tallies.revision,
        switches,
        cell: cell(&first, &second, &counted, switches.measure),
        counts,
        steps: steps(table, switches.measure, name),
        categories: categories
            .into_iter()
            .map(|labels| Category { labels: labels.clone(), name: name(labels) })
            .collect(),
        first,
        second,
    })
}

/// Follows the matrix: a snapshot now and after every change, at most ten a second; ends when the
/// actor may not see it any more.
pub async fn follow(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<impl Stream<Item = AgreementSnapshot> + Send + use<>> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let mut moved = services.live.follow(project);
    moved.mark_changed();
    let now = Instant::now();
    let follower = Follower {
        services: Arc::clone(services),
        actor: actor.clone(),
        project,
        switches,
        moved,
        told: now.checked_sub(GATHER).unwrap_or(now),
        checked: now,
    };
    Ok(futures::stream::unfold(follower, |mut follower| async {
        let snapshot = follower.next().await?;
        Some((snapshot, follower))
    }))
}

struct Follower {
    services: Arc<Services>,
    actor: Actor,
    project: ProjectId,
    switches: Switches,
    moved: tokio::sync::watch::Receiver<crate::live::Moved>,
    /// When the last snapshot was made, and when membership was last checked.
    told: Instant,
    checked: Instant,
}

impl Follower {
    async fn next(&mut self) -> Option<AgreementSnapshot> {
        loop {
            let recheck = tokio::time::sleep_until(self.checked + RECHECK);
            tokio::select! {
                changed = self.moved.changed() => {
                    changed.ok()?;
                    // A change is told at once, unless the last one was told a moment ago.
                    tokio::time::sleep_until(self.told + GATHER).await;
                    self.moved.mark_unchanged();
                    let snapshot =
                        snapshot(&self.services, &self.actor, self.project, self.switches).await;
                    self.told = Instant::now();
                    self.checked = self.told;
                    return snapshot.ok();
                }
                () = recheck => {
                    let store = &self.services.store;
                    permit(store, &self.actor, self.project, Action::ViewAgreement).await.ok()?;
                    self.checked = Instant::now();
                }
            }
        }
    }
}

/// The cells of all pairs that are compared, in the order of the raters.
fn cells(tallies: &Tallies, raters: &[Rater], switches: Switches) -> Vec<PairCell> {
    let mut cells = Vec::new();
    for (index, first) in raters.iter().enumerate() {
        for second in raters.iter().skip(index + 1) {
            if compared(first.role, second.role) {
                let counted = tallies.pair(first.id, second.id, switches);
                cells.push(cell(first, second, &counted, switches.measure));
            }
        }
    }
    cells
}

fn cell(first: &Rater, second: &Rater, counted: &Counted, measure: Measure) -> PairCell {
    PairCell {
        first: first.id,
        second: second.id,
        measured: measured(counted, measure),
        n: counted.tally.table.total(),
        coverage: coverage(counted),
        documents: counted.documents,
    }
}

/// How many positions the two judged, and who.
pub(crate) const fn coverage(counted: &Counted) -> CoverageView {
    let coverage = counted.tally.coverage;
    CoverageView {
        both: coverage.both,
        only_first: coverage.only_first,
        only_second: coverage.only_second,
    }
}

/// The coefficient of what was counted, or why there is none.
pub(crate) fn measured(counted: &Counted, measure: Measure) -> Measured {
    if counted.documents == 0 {
        return Measured::Undefined(UndefinedReason::NoSharedDocuments);
    }
    let table = &counted.tally.table;
    let result = match measure {
        Measure::Kappa => agreement::cohen_kappa(table),
        Measure::Alpha => agreement::krippendorff_alpha_nominal(table),
    };
    match result {
        Ok(coefficient) => Measured::Value {
            value: coefficient.value,
            observed: coefficient.observed,
            expected: coefficient.expected,
        },
        Err(Undefined::OneCategory) => Measured::Undefined(UndefinedReason::OneCategory),
        // Of a table of two raters there is no other reason; the rest are of other measures.
        Err(_) => Measured::Undefined(UndefinedReason::NoSharedPositions),
    }
}

/// The formula's ingredients, with categories by name.
fn steps(
    table: &Contingency<LabelSet>,
    measure: Measure,
    name: impl Fn(&LabelSet) -> String,
) -> Option<Steps> {
    match measure {
        Measure::Kappa => {
            let steps = agreement::kappa_steps(table).ok()?;
            Some(Steps::Kappa {
                n: steps.n,
                agreements: steps.agreements,
                margins: steps
                    .per_category
                    .iter()
                    .map(|(category, row, column)| (name(category), *row, *column))
                    .collect(),
                observed: steps.observed,
                expected: steps.expected,
                kappa: steps.kappa,
            })
        }
        Measure::Alpha => {
            let steps = agreement::alpha_steps(table).ok()?;
            Some(Steps::Alpha {
                n: steps.n,
                r: steps.r,
                r_mean: steps.r_bar,
                totals: steps
                    .per_category
                    .iter()
                    .map(|(category, total, share)| (name(category), *total, *share))
                    .collect(),
                observed_uncorrected: steps.observed_uncorrected,
                observed: steps.observed,
                expected: steps.expected,
                alpha: steps.alpha,
            })
        }
    }
}

/// "PER", "PER + ORG", "∅".
fn category_name(category: &LabelSet, labels: &[domain::Label]) -> String {
    if category.is_empty() {
        return "∅".to_owned();
    }
    let names: Vec<_> = labels
        .iter()
        .filter(|label| category.contains(label.id))
        .map(|label| label.name.as_str())
        .collect();
    names.join(" + ")
}

/// The labelers and the reviewers among raters.
pub(crate) fn by_role(raters: &[Rater], role: Role) -> impl Iterator<Item = MemberId> + '_ {
    raters.iter().filter(move |rater| rater.role == role).map(|rater| rater.id)
}
