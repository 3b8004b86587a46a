//! All that the statement rests on, read through the services of the pages that show it.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, Confidence, Documents, GoldList, GoldQuery, Headlines, Label, LabelOrder, LabelParts,
    MemberId, PolicyChoice, ProjectId, Rater, Revision, Sorting, Switches, TimeSubject,
    TimeSwitches, TimeView,
};

use super::{
    adjudication::Decisions,
    annotators::Annotators,
    validation::{Drawn, Validation},
};
use crate::{
    Error, Result, Services,
    agreement::{
        breakdowns, data_hash, headlines, over_time,
        own::consistency::{self, Themselves},
        settled,
    },
    base::{
        access::Access,
        names::{Names, under_pseudonyms},
    },
    review::{gold, quorum::Quorums},
};

/// All that the statement rests on.
pub(super) struct Facts {
    /// Under pseudonyms.
    pub(super) raters: Vec<Rater>,
    pub(super) labels: Vec<Label>,
    pub(super) headlines: Headlines,
    pub(super) parts: LabelParts,
    pub(super) over_time: TimeView,
    pub(super) with_reviewers: TimeView,
    pub(super) own: Arc<BTreeMap<MemberId, Themselves>>,
    pub(super) gold: GoldList,
    pub(super) offers_suggestions: bool,
    pub(super) counted: Counted,
}

/// What is counted of the work itself.
pub(super) struct Counted {
    pub(super) revision: Revision,
    pub(super) documents: usize,
    /// SHA-256 of all data.
    pub(super) hash: String,
    pub(super) annotators: Annotators,
    pub(super) decisions: Decisions,
    pub(super) validation: Validation,
}

/// Everything, as of now.
pub(super) async fn load(
    services: &Arc<Services>,
    actor: &Actor,
    access: &Access,
    project: ProjectId,
) -> Result<Facts> {
    let store = &services.store;
    let switches = Switches {
        documents: Documents::Submitted,
        policy: PolicyChoice::EmptyLabel,
        ..Switches::default()
    };
    let ask = || headlines(services, actor, project, switches);
    let headlines = settled(ask, Headlines::is_pending).await?;
    let by_label = Sorting::<LabelOrder>::default();
    let ask = || breakdowns::labels(services, actor, project, switches, by_label);
    let parts =
        settled(ask, |parts| parts.rows.iter().any(|part| part.confidence == Confidence::Pending));
    let parts = parts.await?;
    let of_rounds = TimeSwitches {
        documents: switches.documents,
        policy: switches.policy,
        ..TimeSwitches::default()
    };
    let of_decisions = TimeSwitches { subject: TimeSubject::Reviewers, ..of_rounds };
    let labels = store::project::labels::list(store, project).await?;
    let raters = Names::load(store, project, &access.member).await?.raters().to_vec();
    let suggestions = store::work::suggestions::settings(store, project).await?;
    Ok(Facts {
        over_time: over_time::load(services, actor, project, of_rounds).await?,
        with_reviewers: over_time::load(services, actor, project, of_decisions).await?,
        own: consistency::for_viewer(services, access, project, switches, &labels.clone().into())
            .await?,
        gold: gold::list(services, actor, project, GoldQuery::default()).await?,
        offers_suggestions: suggestions.is_some_and(|settings| settings.agreed),
        raters: under_pseudonyms(raters),
        counted: counted(services, project).await?,
        labels,
        headlines,
        parts,
    })
}

async fn counted(services: &Arc<Services>, project: ProjectId) -> Result<Counted> {
    let texts = store::document::hashes(&services.store, project).await?;
    let drawn = Drawn::load(services, project).await?;
    let quorums = Quorums::load(services, project).await?;
    let tallies = services.live.read(project).await?;
    let count = move || Counted {
        revision: tallies.revision,
        documents: texts.len(),
        hash: data_hash(&texts, &tallies),
        annotators: Annotators::of(&tallies),
        decisions: Decisions::of(&tallies),
        validation: Validation::of(drawn, &tallies, &quorums),
    };
    tokio::task::spawn_blocking(count).await.map_err(Error::broken)
}
