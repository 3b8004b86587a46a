//! Deciding by layer: the positions that any labeler gave one label, across documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, LabelCard, LabelId, MemberId, Position, ProjectId, Range, base::policy::Action,
};
use live::{DocumentWork, Tallies};

use crate::{
    Error, Result, Services,
    base::access::permit,
    review::groups::{self, Groups},
};

/// How many decisions the positions of each label of a project ask for, and how many of them the viewer
/// has yet to make; in the order of the label set.
pub async fn load_labels(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<LabelCard>> {
    let access = permit(&services.store, actor, project, Action::Review).await?;
    let labels = store::project::labels::list(&services.store, project).await?;
    let tallies = services.live.read(project).await?;
    let groups = groups::load(services, project, &tallies).await?;
    let reviewer = access.member.id;
    let counts = tokio::task::spawn_blocking(move || counts(&tallies, &groups, reviewer));
    let counts = counts.await.map_err(Error::broken)?;
    Ok(labels
        .into_iter()
        .map(|label| {
            let (decisions, undecided) = counts.get(&label.id).copied().unwrap_or_default();
            LabelCard { label, decisions, undecided }
        })
        .collect())
}

/// The positions of a layer, in the order of documents, then of the text.
pub(super) fn positions(tallies: &Tallies, label: LabelId) -> Vec<Position> {
    tallies
        .documents()
        .flat_map(|(document, work)| {
            let given = given(work).into_iter().filter(move |(_, of)| *of == label);
            given.map(move |(range, _)| Position { document, range })
        })
        .collect()
}

/// Each position of a document with each label that a labeler gave it, once.
fn given(work: &DocumentWork) -> BTreeSet<(Range, LabelId)> {
    work.values()
        .filter(|work| work.is_of_labeler())
        .flat_map(|work| &work.judgements)
        .flat_map(|(range, labels)| labels.iter().map(|label| (*range, label)))
        .collect()
}

/// Decisions and undecided ones by label.
fn counts(tallies: &Tallies, groups: &Groups, reviewer: MemberId) -> BTreeMap<LabelId, (u64, u64)> {
    let mut counts: BTreeMap<LabelId, (u64, u64)> = BTreeMap::new();
    for (document, work) in tallies.documents() {
        let given: BTreeSet<(Position, LabelId)> = given(work)
            .into_iter()
            .map(|(range, label)| (groups.decision(Position { document, range }), label))
            .collect();
        for (decision, label) in given {
            let (decisions, undecided) = counts.entry(label).or_default();
            *decisions += 1;
            *undecided += u64::from(groups.is_undecided(tallies, reviewer, decision));
        }
    }
    counts
}
