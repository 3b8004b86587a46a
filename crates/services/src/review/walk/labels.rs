//! Deciding by layer: the positions that any labeler gave one label, across documents.

use std::{collections::BTreeSet, sync::Arc};

use domain::{
    Actor, LabelCard, LabelId, MemberId, Position, ProjectId, Range, base::policy::Action,
};
use litemap::LiteMap;
use live::{DocumentWork, Tallies};

use crate::{
    Error, Result, Services,
    agreement::breakdowns::ByDocument,
    base::access::permit,
    review::{
        groups::{self, Groups},
        quorum::Quorums,
    },
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
    let quorums = Quorums::load(services, project).await?;
    let groups = groups::counted(services, project, &tallies, &quorums).await?;
    let (kept, reviewer) = (Arc::clone(&services.label_counts), access.member.id);
    let count = move || counts(&kept, &tallies, (&groups, &quorums), reviewer);
    let counts = tokio::task::spawn_blocking(count);
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
type Counts = LiteMap<LabelId, (u64, u64)>;

/// What each document comes to, by the reviewer, with how many have to finish it.
pub(crate) type Kept = ByDocument<(u64, Counts), MemberId>;

fn counts(
    kept: &Kept,
    tallies: &Tallies,
    (groups, quorums): (&Groups, &Quorums),
    reviewer: MemberId,
) -> Counts {
    let holds = |document, (quorum, _): &(u64, _)| *quorum == quorums.of(document);
    let parts = kept.each(tallies, &reviewer, holds, |document, work| {
        let decision = |(range, label)| (groups.decision(Position { document, range }), label);
        let given: BTreeSet<_> = given(work).into_iter().map(decision).collect();
        let mut counts = Counts::default();
        for (decision, label) in given {
            let (decisions, undecided) = counts.entry(label).or_default();
            *decisions += 1;
            *undecided += u64::from(groups.is_undecided(tallies, reviewer, decision));
        }
        (quorums.of(document), counts)
    });
    let mut counts = Counts::default();
    for (label, (decisions, undecided)) in parts.iter().flat_map(|(_, part)| &part.1) {
        let of_all = counts.entry(*label).or_default();
        of_all.0 += decisions;
        of_all.1 += undecided;
    }
    counts
}
