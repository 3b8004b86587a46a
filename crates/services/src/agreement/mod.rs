//! The matrix, one pair of it, and the stream that follows it.

mod confidence;
mod measuring;
mod several;
mod steps;
mod taking_away;

use std::{sync::Arc, time::Duration};

use domain::{
    Actor, AgreementSnapshot, Category, Error as Refusal, LabelSet, LastChange, MemberId, PairCell,
    PairView, ProjectId, Rater, Role, Switches, policy::Action,
};
use futures::Stream;
use tokio::time::Instant;

use crate::{
    Result, Services,
    access::permit,
    live::{Counted, Look, Question, Tallies},
    names::Names,
};
pub(crate) use measuring::{LabelChoices, coefficient, coverage, told};
pub(crate) use several::coefficient as several_coefficient;
use steps::{category_name, steps};
pub use taking_away::{MatrixFormat, export};

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
    let question = services.live.ask(project, switches);
    let moved = services.live.follow(project);
    let by = moved.borrow().by;
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = Arc::new(LabelChoices::load(&services.store, project).await?);
    let tallies = services.live.read(&services.store, project).await?;
    let last_change = by
        .or_else(|| moved.borrow().by)
        .and_then(|(rater, at)| Some(LastChange { at, by: names.name(rater)?.to_owned() }));
    let seen = Seen { tallies: &tallies, labels: &labels, question: &question, switches };
    let cells = seen.pairs(names.raters()).into_iter().map(|(.., cell)| cell).collect();
    let several = several::several((&question, &tallies), names.raters(), switches);
    question.compute_pending(&labels);
    Ok(AgreementSnapshot {
        project,
        revision: tallies.revision,
        switches,
        raters: names.raters().to_vec(),
        cells,
        several,
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
    let question = services.live.ask(project, switches);
    let names = Names::load(&services.store, project, &access.member).await?;
    let labels = store::labels::list(&services.store, project).await?;
    let (first, second) = names.rater(first).zip(names.rater(second)).ok_or(Refusal::NotFound)?;
    if first.id == second.id {
        return Err(Refusal::NotFound.into());
    }
    let tallies = services.live.read(&services.store, project).await?;
    let counted = tallies.pair(first.id, second.id, switches);
    let table = &counted.tally.table;
    let choices = Arc::new(LabelChoices::of(&labels));
    let seen = Seen { tallies: &tallies, labels: &choices, question: &question, switches };
    let cell = seen.cell(&first, &second, &counted);
    question.compute_pending(&choices);
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
        cell,
        counts,
        steps: steps(table, choices.under(table, switches.policy), switches.measure, name),
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
        _look: services.live.look(project, switches),
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
    /// Intervals are computed for as long as somebody follows.
    _look: Look,
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

/// What the cells are made of.
struct Seen<'a> {
    tallies: &'a Tallies,
    labels: &'a LabelChoices,
    question: &'a Question,
    switches: Switches,
}

impl Seen<'_> {
    /// All pairs in the order of the raters, each with what is counted of it and its cell.
    fn pairs<'a>(&self, raters: &'a [Rater]) -> Vec<(&'a Rater, &'a Rater, Counted, PairCell)> {
        let mut pairs = Vec::new();
        for (index, first) in raters.iter().enumerate() {
            for second in raters.iter().skip(index + 1) {
                let counted = self.tallies.pair(first.id, second.id, self.switches);
                let cell = self.cell(first, second, &counted);
                pairs.push((first, second, counted, cell));
            }
        }
        pairs
    }

    fn cell(&self, first: &Rater, second: &Rater, counted: &Counted) -> PairCell {
        let table = &counted.tally.table;
        let measured = measuring::measured(counted, self.labels, self.switches);
        PairCell {
            first: first.id,
            second: second.id,
            measured,
            confidence: confidence::of_pair(
                (self.question, self.tallies),
                (first.id, second.id),
                counted,
                measured,
                self.switches.measure,
            ),
            n: measuring::counted_positions(table, self.switches.measure),
            coverage: coverage(counted),
            documents: counted.documents,
        }
    }
}

/// The labelers and the reviewers among raters.
pub(crate) fn by_role(raters: &[Rater], role: Role) -> impl Iterator<Item = MemberId> + '_ {
    raters.iter().filter(move |rater| rater.role == role).map(|rater| rater.id)
}
