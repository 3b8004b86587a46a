//! How two gold standards differ: two versions, or a version and what is gold now.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use domain::{
    Actor, DocumentId, Error as Refusal, GoldChange, GoldChangeKind, GoldCompare, GoldComparison,
    GoldPosition, GoldVersion, Label, Page, ProjectId, Range, Sorting, base::policy::Action,
};
use formats::TextIndex;

use super::positions::document_gold;
use crate::{
    Error, Result, Services,
    base::{
        access::permit,
        quoting::Quote,
        sorting::{PAGE_SIZE, page},
    },
    review::quorum::Quorums,
};

/// What holds by document.
type Held = BTreeMap<DocumentId, Vec<GoldPosition>>;

/// A position that is not the same in both: what it had before and has after.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Changed {
    document: DocumentId,
    range: Range,
    before: Vec<String>,
    after: Vec<String>,
}

impl Changed {
    const fn kind(&self) -> GoldChangeKind {
        match (self.before.is_empty(), self.after.is_empty()) {
            (true, _) => GoldChangeKind::Added,
            (_, true) => GoldChangeKind::Removed,
            (false, false) => GoldChangeKind::Relabelled,
        }
    }
}

/// How what the query names differs, a page of the changes in full.
pub async fn compare(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: GoldCompare,
) -> Result<GoldComparison> {
    let store = &services.store;
    permit(store, actor, project, Action::ViewAgreement).await?;
    let labels = store::project::labels::list(store, project).await?;
    let versions = store::review::gold_versions::list(store, project).await?;
    let named = |number: Option<i64>| -> Result<Option<GoldVersion>> {
        let Some(number) = number else { return Ok(None) };
        let found = versions.iter().find(|version| version.number == number);
        Ok(Some(found.ok_or(Refusal::NotFound)?.clone()))
    };
    let (from, to) = (named(query.from)?, named(query.to)?);
    let before = held(services, project, query.from, &labels).await?;
    let after = held(services, project, query.to, &labels).await?;
    let (same, changed) = tokio::task::spawn_blocking(move || changes(&before, &after))
        .await
        .map_err(Error::broken)?;
    let count = |kind| changed.iter().map(|one| u64::from(one.kind() == kind)).sum();
    let (added, removed, relabelled) = (
        count(GoldChangeKind::Added),
        count(GoldChangeKind::Removed),
        count(GoldChangeKind::Relabelled),
    );
    let wanted: Vec<_> = changed
        .into_iter()
        .filter(|changed| query.kind.is_none_or(|kind| changed.kind() == kind))
        .collect();
    let found =
        page(wanted, &Sorting { order: (), descending: false, page: query.page }, PAGE_SIZE);
    let documents: BTreeSet<_> = found.rows.iter().map(|changed| changed.document).collect();
    let texts = store::document::texts(store, &documents.into_iter().collect::<Vec<_>>()).await?;
    let indices: BTreeMap<_, _> =
        texts.iter().map(|(id, (name, text))| (*id, (name, TextIndex::new(text)))).collect();
    let row = |changed: Changed| {
        let (name, index) = indices.get(&changed.document)?;
        let Quote { words: quote, left, right } = Quote::of(index, changed.range);
        Some(GoldChange {
            document: changed.document,
            document_name: (*name).clone(),
            range: changed.range,
            quote,
            left,
            right,
            kind: changed.kind(),
            before: changed.before,
            after: changed.after,
        })
    };
    Ok(GoldComparison {
        labels,
        from,
        to,
        same,
        added,
        removed,
        relabelled,
        page: Page {
            rows: found.rows.into_iter().filter_map(row).collect(),
            total: found.total,
            number: found.number,
            size: found.size,
        },
        versions,
    })
}

/// What a version holds, or what is gold now.
async fn held(
    services: &Arc<Services>,
    project: ProjectId,
    version: Option<i64>,
    labels: &[Label],
) -> Result<Held> {
    if let Some(number) = version {
        let documents =
            store::review::gold_versions::documents(&services.store, project, number).await?;
        return Ok(documents
            .into_iter()
            .map(|locked| (locked.document, locked.positions))
            .collect());
    }
    let tallies = services.live.read(project).await?;
    let quorums = Quorums::load(services, project).await?;
    let labels = labels.to_vec();
    tokio::task::spawn_blocking(move || {
        let gold = |(id, work)| (id, document_gold(work, &labels, quorums.of(id)).gold);
        tallies.documents().map(gold).collect()
    })
    .await
    .map_err(Error::broken)
}

/// How many positions are the same, and those that are not, in order of document and position.
fn changes(before: &Held, after: &Held) -> (u64, Vec<Changed>) {
    let documents: BTreeSet<_> = before.keys().chain(after.keys()).copied().collect();
    let mut same = 0;
    let mut changed = Vec::new();
    for document in documents {
        let positions = |held: &Held| -> BTreeMap<Range, Vec<String>> {
            let positions = held.get(&document).into_iter().flatten();
            positions.map(|position| (position.range, position.labels.clone())).collect()
        };
        let (before, mut after) = (positions(before), positions(after));
        let mut here = Vec::new();
        for (range, before) in before {
            let after = after.remove(&range).unwrap_or_default();
            let (one, other): (BTreeSet<_>, BTreeSet<_>) =
                (before.iter().collect(), after.iter().collect());
            if one == other {
                same += 1;
            } else {
                here.push(Changed { document, range, before, after });
            }
        }
        let added = after.into_iter();
        here.extend(added.map(|(range, after)| Changed {
            document,
            range,
            before: Vec::new(),
            after,
        }));
        here.sort_by_key(|changed| changed.range);
        changed.append(&mut here);
    }
    (same, changed)
}

#[cfg(test)]
mod tests {
    use domain::{
        GoldChangeKind::{Added, Relabelled, Removed},
        MemberId, Provenance,
    };
    use proptest::prelude::*;

    use super::*;

    fn held(positions: &[(u32, &str)]) -> Held {
        let position = |(start, label): &(u32, &str)| GoldPosition {
            range: Range::new(*start, start + 1),
            labels: vec![(*label).to_owned()],
            provenance: Provenance::Unanimous { among: vec![MemberId(1), MemberId(2)] },
        };
        Held::from([(DocumentId(1), positions.iter().map(position).collect())])
    }

    #[test]
    fn a_change_is_an_addition_a_removal_or_another_label() {
        let before = held(&[(0, "PER"), (2, "PER"), (4, "ORG")]);
        let after = held(&[(1, "ORG"), (2, "ORG"), (4, "ORG")]);
        let (same, changed) = changes(&before, &after);
        assert_eq!(same, 1);
        let kinds: Vec<_> = changed.iter().map(|one| (one.range.start, one.kind())).collect();
        assert_eq!(kinds, [(0, Removed), (1, Added), (2, Relabelled)]);
    }

    proptest! {
        #[test]
        fn what_is_added_one_way_is_removed_the_other_way(
            one in prop::collection::btree_map(0_u32..12, "[ab]", 0..10),
            other in prop::collection::btree_map(0_u32..12, "[ab]", 0..10),
        ) {
            let held = |positions: &BTreeMap<u32, String>| {
                let positions: Vec<_> = positions.iter().map(|(at, l)| (*at, l.as_str())).collect();
                held(&positions)
            };
            let (one, other) = (held(&one), held(&other));
            let (same, there) = changes(&one, &other);
            let (again, back) = changes(&other, &one);
            prop_assert_eq!(same, again);
            let turned: Vec<_> = back
                .into_iter()
                .map(|Changed { document, range, before, after }| Changed {
                    document, range, before: after, after: before,
                })
                .collect();
            prop_assert_eq!(turned, there);
            prop_assert_eq!(changes(&one, &one).1, Vec::new());
        }
    }
}
