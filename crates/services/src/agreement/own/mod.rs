//! A labeler's own agreement, of which nothing can be worked back. A document is counted with each of
//! the others once: as both had it when both had submitted it for the first time, or, where agreement
//! is shown after a release, at the first release after that. What either does with it later changes
//! nothing, so nothing can be asked twice. What is shown moves by batches of several documents.

pub(crate) mod consistency;
mod counts;

use std::{
    collections::{BTreeMap, HashSet},
    sync::Arc,
};

use agreement::{Contingency, Policy, compare};
use chrono::{DateTime, Utc};
use domain::{
    DocumentId, Documents, LabelSet, MemberId, OwnAgreement, OwnValue, ProjectId, ReleaseLevel,
    Role,
};
use live::{DocumentWork, NOTHING, Tallies, document_work};
use serde::{Deserialize, Serialize};
use store::{Db, Tx, agreement::own_counts::OwnPair};

use self::counts::Counts;
use crate::{Error, Result};

/// What a labeler is shown of their agreement, as it is frozen at a release.
#[derive(Serialize, Deserialize)]
struct Frozen {
    peers: Option<OwnValue>,
    reviewers: Option<OwnValue>,
}

/// What the labeler is shown of their own agreement. Nothing that moves with the work of others is
/// read: only what was counted.
pub(crate) async fn load(
    db: &impl Db,
    labeler: MemberId,
    level: ReleaseLevel,
) -> Result<OwnAgreement> {
    let found = load_many(db, &[(labeler, level)]).await?.remove(&labeler);
    Ok(found.unwrap_or(OwnAgreement::Never))
}

/// As [`load`], of several labelers; the number of statements does not depend on how many they are.
pub(crate) async fn load_many(
    db: &impl Db,
    labelers: &[(MemberId, ReleaseLevel)],
) -> Result<BTreeMap<MemberId, OwnAgreement>> {
    let members: Vec<_> = labelers.iter().map(|(member, _)| *member).collect();
    let mut released = store::agreement::own_releases::list(db, &members).await?;
    let mut counts = counted(db, &members).await?;
    let shown = |(member, level): &(MemberId, ReleaseLevel)| {
        let counts = counts.remove(member).unwrap_or_default();
        Ok((*member, shown(*level, released.remove(member), &counts)?))
    };
    labelers.iter().map(shown).collect()
}

/// What a level shows of a release and of what was counted.
fn shown(
    level: ReleaseLevel,
    released: Option<(String, DateTime<Utc>)>,
    counts: &Counts,
) -> Result<OwnAgreement> {
    Ok(match level {
        ReleaseLevel::None => OwnAgreement::Never,
        ReleaseLevel::AfterRelease => match released {
            None => OwnAgreement::NotReleased,
            Some((payload, released_at)) => {
                let Frozen { peers, reviewers } =
                    serde_json::from_str(&payload).map_err(Error::broken)?;
                OwnAgreement::Shown { peers, reviewers, as_of: Some(released_at) }
            }
        },
        ReleaseLevel::GoldOnly => OwnAgreement::GoldOnly { reviewers: counts.with_reviewers() },
        ReleaseLevel::Open => {
            let (peers, reviewers) = (counts.with_peers(false), counts.with_reviewers());
            OwnAgreement::Shown { peers, reviewers, as_of: None }
        }
    })
}

/// Whether labelers are shown their agreement as it comes.
pub(crate) const fn is_live(level: ReleaseLevel) -> bool {
    matches!(level, ReleaseLevel::GoldOnly | ReleaseLevel::Open)
}

/// Counts documents that somebody has just submitted, where labelers are shown their agreement as it
/// comes. What it costs depends on these documents alone.
pub(crate) async fn submitted(tx: &Tx, project: ProjectId, documents: &[DocumentId]) -> Result<()> {
    let found = store::project::find(tx, project).await?;
    if !found.is_some_and(|found| is_live(found.settings.release_level)) {
        return Ok(());
    }
    count_documents(tx, documents).await
}

/// Counts what is submitted of these documents and was not counted before.
async fn count_documents(tx: &Tx, documents: &[DocumentId]) -> Result<()> {
    let ratings = store::agreement::ratings::load_documents(tx, documents).await?;
    let known = store::agreement::own_counts::pairs_of(tx, documents).await?.into_iter().collect();
    let works: Vec<_> = ratings.into_iter().map(document_work).collect();
    let works = works.iter().map(|(document, work)| (*document, work));
    enter(tx, fresh(works, &known)).await
}

/// As [`release`], for a project that is being written, of which nothing is in memory.
pub(crate) async fn release_written(
    tx: &Tx,
    project: ProjectId,
    documents: &[DocumentId],
    now: DateTime<Utc>,
) -> Result<()> {
    count_documents(tx, documents).await?;
    freeze(tx, project, now).await?;
    Ok(())
}

/// Freezes what each labeler of a project is shown after a release, and says how many there are. The
/// project's turn has to be held.
pub(crate) async fn release(
    tx: &Tx,
    project: ProjectId,
    tallies: Arc<Tallies>,
    now: DateTime<Utc>,
) -> Result<usize> {
    catch_up(tx, project, tallies).await?;
    freeze(tx, project, now).await
}

/// Freezes what each labeler's counts show now.
async fn freeze(tx: &Tx, project: ProjectId, now: DateTime<Utc>) -> Result<usize> {
    let raters = store::project::members::list_all_raters(tx, project).await?;
    let labelers = raters.iter().filter(|rater| rater.role == Role::Labeler).map(|rater| rater.id);
    let labelers: Vec<_> = labelers.collect();
    let mut counts = counted(tx, &labelers).await?;
    let frozen = |labeler| {
        let counts = counts.remove(&labeler).unwrap_or_default();
        let frozen = Frozen { peers: counts.with_peers(true), reviewers: counts.with_reviewers() };
        Ok((labeler, serde_json::to_string(&frozen).map_err(Error::broken)?))
    };
    let frozen = labelers.into_iter().map(frozen).collect::<Result<Vec<_>>>()?;
    store::agreement::own_releases::replace_all(tx, project, &frozen, now).await?;
    Ok(frozen.len())
}

/// Counts all that is submitted and was not counted before. The project's turn has to be held.
pub(crate) async fn catch_up(tx: &Tx, project: ProjectId, tallies: Arc<Tallies>) -> Result<()> {
    let known: HashSet<_> =
        store::agreement::own_counts::pairs_in(tx, project).await?.into_iter().collect();
    let find = move || fresh(tallies.documents(), &known);
    let found = tokio::task::spawn_blocking(find).await.map_err(Error::broken)?;
    enter(tx, found).await
}

/// A document that is to be counted of a labeler with somebody else.
struct Fresh {
    pair: OwnPair,
    /// The other's.
    role: Role,
    table: Contingency<LabelSet>,
}

/// What both have submitted and was not counted before.
fn fresh<'a>(
    documents: impl Iterator<Item = (DocumentId, &'a DocumentWork)>,
    known: &HashSet<OwnPair>,
) -> Vec<Fresh> {
    let mut found = Vec::new();
    for (document, work) in documents {
        let submitted: Vec<_> = work
            .iter()
            .filter(|(_, work)| work.counts(Documents::Submitted))
            .map(|(member, work)| (*member, work))
            .collect();
        for (member, own) in submitted.iter().filter(|(_, work)| work.is_of_labeler()) {
            for (other, theirs) in submitted.iter().filter(|(other, _)| other != member) {
                let pair = OwnPair { member: *member, other: *other, document };
                if !known.contains(&pair) {
                    let (own, others) = (&own.judgements, &theirs.judgements);
                    let table = compare(own, others, Policy::Cleaned, &NOTHING).table;
                    found.push(Fresh { pair, role: theirs.role, table });
                }
            }
        }
    }
    found
}

/// Counts it. The number of statements does not depend on how much it is.
async fn enter(tx: &Tx, fresh: Vec<Fresh>) -> Result<()> {
    if fresh.is_empty() {
        return Ok(());
    }
    let mut members: Vec<_> = fresh.iter().map(|fresh| fresh.pair.member).collect();
    members.sort_unstable();
    members.dedup();
    let mut counts = counted(tx, &members).await?;
    for Fresh { pair, role, table } in &fresh {
        let counts = counts.entry(pair.member).or_default();
        counts.add(pair.document, (pair.other, *role), table);
    }
    counts.values_mut().for_each(Counts::close);
    store::agreement::own_counts::insert_pairs(tx, fresh.iter().map(|fresh| fresh.pair)).await?;
    let stored = |(member, counts): (MemberId, Counts)| {
        Ok((member, serde_json::to_string(&counts).map_err(Error::broken)?))
    };
    let stored = counts.into_iter().map(stored).collect::<Result<_>>()?;
    Ok(store::agreement::own_counts::save(tx, stored).await?)
}

async fn counted(db: &impl Db, members: &[MemberId]) -> Result<BTreeMap<MemberId, Counts>> {
    let counts = store::agreement::own_counts::list(db, members).await?;
    let read = |(member, counts): (MemberId, String)| {
        Ok((member, serde_json::from_str(&counts).map_err(Error::broken)?))
    };
    counts.into_iter().map(read).collect()
}
