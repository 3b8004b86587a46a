//! What stands behind a pair's number: which labels are confused, which are unreliable, where
//! boundaries differ, which documents weigh most, and what chance has to do with it.

pub(crate) mod boundaries;
mod chance;
mod documents;
mod labels;

use std::{collections::BTreeMap, sync::Arc};

use agreement::diagnostics::confusions;
use domain::{
    Actor, Boundary, BoundaryCount, CauseOrder, Causes, Confidence, ConfusionView,
    Error as Refusal, Measure, MemberId, NoInterval, ProjectId, Sorting, Switches,
    base::policy::Action,
};
use live::{
    Counted, LabelChoices, Narrowing, Settling, Subject, Tallies, agreements,
    confidence_by_formula, counted_positions, coverage, measured, pair_documents,
};

use crate::{
    Error, Result, Services,
    agreement::{by_exact_position, diagnostics::boundaries::groups},
    base::{access::permit, categories::Categories, names::Names},
};
pub(crate) use labels::label_table;

/// Everything that explains a pair's number, under the switches of its page.
pub async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    (first, second): (MemberId, MemberId),
    switches: Switches,
    sorting: Sorting<CauseOrder>,
) -> Result<Causes> {
    let access = permit(&services.store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(&services.store, project, &access.member).await?;
    if first == second || names.rater(first).is_none() || names.rater(second).is_none() {
        return Err(Refusal::NotFound.into());
    }
    let labels = Categories::of(&services.store, project, switches).await?;
    let settling = services.live.settling(project);
    let tallies = services.live.read_part(project, Narrowing::of(switches)).await?;
    let exact = by_exact_position(services, project, (&tallies, switches)).await?;
    let causes = tokio::task::spawn_blocking(move || {
        let tallies = [&*tallies, &*exact];
        let pair = Pair { tallies, settling, labels: &labels, first, second, switches };
        pair.diagnose(project, sorting)
    });
    let mut causes = causes.await.map_err(Error::broken)?;
    let shown: Vec<_> = causes.documents.rows.iter().map(|row| row.document).collect();
    let mut names = store::document::names_of(&services.store, &shown).await?;
    for row in &mut causes.documents.rows {
        row.name = names.remove(&row.document).unwrap_or_default();
    }
    Ok(causes)
}

/// Two raters of a project, as the switches count them.
struct Pair<'a> {
    /// By the positions of the switches, and by exact ones, of which boundaries are.
    tallies: [&'a Tallies; 2],
    settling: Settling,
    labels: &'a Categories,
    first: MemberId,
    second: MemberId,
    switches: Switches,
}

impl Pair<'_> {
    fn diagnose(&self, project: ProjectId, sorting: Sorting<CauseOrder>) -> Causes {
        let Self { tallies: [tallies, _], first, second, switches, .. } = *self;
        let counted = tallies.pair(first, second, switches);
        let table = &counted.tally.table;
        let choices = self.labels.choices(switches.filter);
        Causes {
            project,
            revision: tallies.revision,
            switches,
            first,
            second,
            coverage: coverage(&counted),
            positions: counted_positions(table, switches.measure),
            agreements: agreements(table, switches.measure),
            confusions: confusions(table)
                .into_iter()
                .map(|confusion| ConfusionView {
                    one_by_first: confusion.first_by_row,
                    other_by_first: confusion.second_by_row,
                    share: confusion.share,
                    one: confusion.first,
                    other: confusion.second,
                })
                .collect(),
            labels: labels::of(&counted, self.labels, switches),
            boundaries: self.boundaries(),
            documents: documents::of(self, &choices, sorting),
            chance: chance::of(
                &counted,
                self.kappa_confidence(&counted, &choices),
                choices.under(table, switches.policy).all,
            ),
        }
    }

    /// The interval of κ, whatever the measure of the switches.
    fn kappa_confidence(&self, counted: &Counted, choices: &LabelChoices) -> Confidence {
        let Self { tallies: [tallies, _], first, second, .. } = *self;
        let switches = Switches { measure: Measure::Kappa, ..self.switches };
        if let Some(confidence) =
            confidence_by_formula(&counted.tally.table, switches, choices.scores())
        {
            confidence
        } else if measured(counted, choices, switches).value().is_none() {
            Confidence::None(NoInterval::NoValue)
        } else {
            self.settling.settle(tallies, switches, Subject::pair(first, second), choices)
        }
    }

    /// How many groups of overlapping marks there are of each type.
    fn boundaries(&self) -> Vec<BoundaryCount> {
        let mut counts: BTreeMap<Boundary, (u64, u64)> = BTreeMap::new();
        let Self { tallies: [_, exact], first, second, switches, .. } = *self;
        let documents = pair_documents(exact, first, second, switches.of_exact_positions());
        for group in documents.flat_map(|(_, first, second)| groups(first, second)) {
            let (all, same) = counts.entry(group.boundary).or_default();
            *all += 1;
            *same += u64::from(group.same_labels);
        }
        Boundary::ALL
            .iter()
            .map(|&boundary| {
                let (groups, same_labels) = counts.get(&boundary).copied().unwrap_or_default();
                BoundaryCount { boundary, groups, same_labels }
            })
            .collect()
    }
}
