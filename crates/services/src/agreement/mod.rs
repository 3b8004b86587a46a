//! The matrix, one pair of it, and the streams that follow it.

pub mod alerts;
pub mod breakdowns;
pub mod diagnostics;
pub mod disagreements;
pub mod matrix;
pub mod over_time;
pub(crate) mod own;
pub mod positions;
mod report;
mod rows;
pub mod target;

use std::{borrow::Cow, sync::Arc};

use domain::{
    Actor, AgreementSnapshot, Category, Error as Refusal, Label, LabelSet, LastChange, Member,
    MemberId, Mover, PairCell, PairView, PooledCell, ProjectId, Rater, Revision, Role, Switches,
    base::policy::Action,
};
use live::{
    Answering, Counted, LabelChoices, Narrowing, Tallies, counted_positions, coverage, measured,
    pooled_measured,
};

use crate::{
    Error, Result, Services,
    base::{access::permit, categories::Categories, names::Names},
};
pub(crate) use matrix::export::picture;
pub use matrix::export::{MatrixFormat, export};
pub use matrix::following::{follow, follow_revision};
pub use matrix::headlines::headlines;
pub(crate) use matrix::models::Known as KnownModels;
pub use matrix::models::{
    gold::against_decisions, model, models, stand_in::stand_in, versions::versions,
};
pub use matrix::permission::Permission;
pub(crate) use matrix::several::{several, several_row};
pub(crate) use matrix::sharing::Answers;
pub use matrix::sharing::SharedSnapshot;
pub(crate) use matrix::steps::category_name;
use matrix::steps::steps;
pub use matrix::text::{TextFormat, as_text};
pub use matrix::what_if::what_if;
pub(crate) use positions::latest_decision::{LatestDecision, latest_decision};
pub use report::report;
pub use report::study::{study, units};
pub(crate) use report::{data_hash, fact, methods, settled, table, tables};
pub(crate) use rows::Rows;

/// The matrix under the given switches, as of now.
pub async fn snapshot(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    switches: Switches,
) -> Result<Arc<SharedSnapshot>> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let newest = services.live.follow(project).borrow().sequence;
    matrix::sharing::shared(services, &access, project, switches, newest).await
}

/// The matrix as `viewer` may see it, counted on a thread that may block.
async fn computed(
    services: &Arc<Services>,
    viewer: &Member,
    project: ProjectId,
    switches: Switches,
) -> Result<AgreementSnapshot> {
    // Whoever moved the numbers is read before them: a name may come too late, never too early.
    let question = services.live.ask(project, switches);
    let moved = services.live.follow(project);
    let by = moved.borrow().by;
    let names = Names::load(&services.store, project, viewer).await?;
    let labels = Categories::of(&services.store, project, switches).await?;
    let labels = Arc::new(labels.choices(switches.filter));
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let exact = by_exact_position(services, project, (&tallies, switches)).await?;
    let last_change = moved
        .borrow()
        .by_as_of(tallies.revision)
        .or(by)
        .and_then(|(rater, at)| Some(LastChange { at, by: names.name(rater)?.to_owned() }));
    tokio::task::spawn_blocking(move || {
        let seen = Seen { tallies: &tallies, labels: &labels, question: &question, switches };
        let cells = seen.pairs(names.raters()).map(|(.., cell)| cell).collect();
        let pooled = seen.pooled(names.raters());
        let several = several((&question, &tallies, &exact), names.raters(), (switches, &labels));
        let revision = tallies.revision;
        // A save copies what somebody reads.
        drop((tallies, exact));
        question.compute_pending(&labels);
        let raters = names.raters().to_vec();
        AgreementSnapshot {
            project,
            revision,
            switches,
            raters,
            cells,
            pooled,
            several,
            last_change,
        }
    })
    .await
    .map_err(Error::broken)
}

/// The tallies of the same part by exact position: these themselves, if that is what they are by, so that all that
/// is shown is of one state. Otherwise they may have one save more, and so may what is shown of spans beside the
/// rest.
pub(crate) async fn by_exact_position(
    services: &Services,
    project: ProjectId,
    (tallies, switches): (&Arc<Tallies>, Switches),
) -> Result<Arc<Tallies>> {
    let exact = Narrowing::exact(switches.filter);
    if Narrowing::of(switches) == exact {
        return Ok(Arc::clone(tallies));
    }
    services.live.read_part(project, exact).await
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
    let labels = Categories::of(&services.store, project, switches).await?;
    let (first, second) = names.rater(first).zip(names.rater(second)).ok_or(Refusal::NotFound)?;
    if first.id == second.id {
        return Err(Refusal::NotFound.into());
    }
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let counted = tallies.pair(first.id, second.id, switches);
    let choices = Arc::new(labels.choices(switches.filter));
    let seen = Seen { tallies: &tallies, labels: &choices, question: &question, switches };
    let cell = seen.cell(&first, &second, &counted);
    question.compute_pending(&choices);
    let of = (project, tallies.revision, switches);
    Ok(pair_view(of, (&first, &second, counted, cell), &choices, &labels))
}

/// A pair's table with names, and the ingredients of its formula.
pub(crate) fn pair_view(
    (project, revision, switches): (ProjectId, Revision, Switches),
    (first, second, counted, cell): Pair<'_>,
    choices: &LabelChoices,
    labels: &[Label],
) -> PairView {
    let table = &counted.tally.table;
    let name = |labels_of: &LabelSet| category_name(labels_of, labels, switches.filter);
    let categories = table.categories();
    let counts = categories
        .iter()
        .map(|row| categories.iter().map(|column| table.count(row, column)).collect())
        .collect();
    PairView {
        project,
        revision,
        switches,
        counts,
        // Some tables have parts of a formula, and no value all the same.
        steps: cell.measured.value().and_then(|_| {
            let measure = (switches.measure, &**choices.scores());
            steps(table, choices.under(table, switches.policy), measure, name)
        }),
        cell,
        categories: categories
            .into_iter()
            .map(|labels| Category { labels: labels.clone(), name: name(labels) })
            .collect(),
        first: first.clone(),
        second: second.clone(),
    }
}

/// Who has moved the numbers since a revision: raters who saved, the latest first.
pub async fn movers(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    since: Revision,
) -> Result<Vec<Mover>> {
    permit(&services.store, actor, project, Action::ViewAgreement).await?;
    Ok(store::outside::audit::movers(&services.store, project, since).await?)
}

/// What the cells are made of.
pub(crate) struct Seen<'t, 'q> {
    pub(crate) tallies: &'t Tallies,
    pub(crate) labels: &'q LabelChoices,
    pub(crate) question: &'q dyn Answering,
    pub(crate) switches: Switches,
}

/// Two raters, what is counted of them, and the cell that follows from it.
pub(crate) type Pair<'a> = (&'a Rater, &'a Rater, Cow<'a, Counted>, PairCell);

impl<'t> Seen<'t, '_> {
    /// All pairs in the order of the raters, each with what is counted of it and its cell.
    pub(crate) fn pairs<'a>(&self, raters: &'a [Rater]) -> impl Iterator<Item = Pair<'a>>
    where
        't: 'a,
    {
        let tallies = self.tallies;
        let others =
            |(index, first)| raters.iter().skip(index + 1).map(move |other| (first, other));
        raters.iter().enumerate().flat_map(others).map(move |(first, second)| {
            let counted = tallies.pair(first.id, second.id, self.switches);
            let cell = self.cell(first, second, &counted);
            (first, second, counted, cell)
        })
    }

    /// Every rater against all others of each role.
    pub(crate) fn pooled(&self, raters: &[Rater]) -> Vec<PooledCell> {
        let mut pooled = Vec::new();
        for rater in raters {
            for with in [Role::Labeler, Role::Reviewer] {
                let others: Vec<_> = by_role(raters, with).filter(|id| *id != rater.id).collect();
                if others.is_empty() {
                    continue;
                }
                let counted = self.tallies.pooled(rater.id, others, self.switches);
                pooled.push(PooledCell {
                    rater: rater.id,
                    with,
                    measured: pooled_measured(&counted, self.labels, self.switches),
                    n: counted_positions(&counted.tally.table, self.switches.measure),
                    coverage: coverage(&counted),
                });
            }
        }
        pooled
    }

    fn cell(&self, first: &Rater, second: &Rater, counted: &Counted) -> PairCell {
        let table = &counted.tally.table;
        let measured = measured(counted, self.labels, self.switches);
        PairCell {
            first: first.id,
            second: second.id,
            measured,
            confidence: matrix::confidence::of_pair(
                (self.question, self.tallies),
                (first.id, second.id),
                counted,
                measured,
                (self.switches, self.labels.scores()),
            ),
            n: counted_positions(table, self.switches.measure),
            coverage: coverage(counted),
            documents: counted.documents,
        }
    }
}

/// The labelers and the reviewers among raters.
pub(crate) fn by_role(raters: &[Rater], role: Role) -> impl Iterator<Item = MemberId> + '_ {
    raters.iter().filter(move |rater| rater.role == role).map(|rater| rater.id)
}
