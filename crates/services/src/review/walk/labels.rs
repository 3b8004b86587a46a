//! Deciding by layer: the positions that any labeler gave one label, across documents.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, LabelCard, LabelId, MemberId, Position, ProjectId, Range, WorkState,
    base::policy::Action,
};
use live::{DocumentWork, Tallies};

use crate::{Error, Result, Services, base::access::permit};

/// How many positions each label of a project has, and how many of them the viewer has yet to
/// decide; in the order of the label set.
pub async fn load_labels(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
) -> Result<Vec<LabelCard>> {
    let access = permit(&services.store, actor, project, Action::Review).await?;
    let labels = store::project::labels::list(&services.store, project).await?;
    let tallies = services.live.read(project).await?;
    let reviewer = access.member.id;
    let counts = tokio::task::spawn_blocking(move || counts(&tallies, reviewer));
    let counts = counts.await.map_err(Error::broken)?;
    Ok(labels
        .into_iter()
        .map(|label| {
            let (positions, undecided) = counts.get(&label.id).copied().unwrap_or_default();
            LabelCard { label, positions, undecided }
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

/// Positions and undecided positions by label.
fn counts(tallies: &Tallies, reviewer: MemberId) -> BTreeMap<LabelId, (u64, u64)> {
    let mut counts: BTreeMap<LabelId, (u64, u64)> = BTreeMap::new();
    for (document, work) in tallies.documents() {
        for (range, label) in given(work) {
            let (positions, undecided) = counts.entry(label).or_default();
            let is_undecided = is_undecided(tallies, reviewer, Position { document, range });
            *positions += 1;
            *undecided += u64::from(is_undecided);
        }
    }
    counts
}

/// Whether a reviewer can decide on the position and has not.
pub(super) fn is_undecided(tallies: &Tallies, reviewer: MemberId, position: Position) -> bool {
    let own = tallies.document(position.document).and_then(|work| work.get(&reviewer));
    own.is_none_or(|own| {
        own.state != WorkState::Submitted && !own.verdicts.contains_key(&position.range)
    })
}
