//! The gold standard on its pages: the documents with how far each is, and one in full.

use std::{collections::BTreeMap, sync::Arc};

use domain::{
    Actor, DocumentId, Error as Refusal, GoldCard, GoldCounts, GoldDocumentView, GoldList,
    GoldOrder, GoldQuery, LabelId, Page, ProjectId, base::policy::Action,
};
use live::{DocumentWork, Tallies};

use super::{
    Origin, Place, places,
    positions::{DocumentGold, document_gold},
};
use crate::{
    Result, Services,
    agreement::breakdowns::{ByDocument, Remembered},
    base::{
        access::permit,
        names::Names,
        sorting::{Key, PAGE_SIZE, page, sort},
    },
    review::quorum::Quorums,
};

/// How far every document is that somebody has worked on; remembered while nothing moves.
#[derive(Default)]
pub(crate) struct Sums {
    all: Remembered<AllSums, Arc<Quorums>>,
    kept: Arc<ByDocument<(u64, DocumentSums), ProjectId>>,
}

/// The sums of each document, in the order of documents, with how many have to finish it.
pub(super) struct AllSums(Vec<(DocumentId, Arc<(u64, DocumentSums)>)>);

impl AllSums {
    fn values(&self) -> impl Iterator<Item = &DocumentSums> {
        self.0.iter().map(|(_, sums)| &sums.1)
    }

    fn get(&self, document: DocumentId) -> Option<&DocumentSums> {
        let place = self.0.binary_search_by_key(&document, |(document, _)| *document).ok()?;
        self.0.get(place).map(|(_, sums)| &sums.1)
    }
}

/// How far one document is.
#[derive(Clone, Default)]
pub(crate) struct DocumentSums {
    counts: GoldCounts,
    /// Gold spans by label.
    labels: BTreeMap<LabelId, u64>,
}

impl DocumentSums {
    fn of(work: &DocumentWork, quorum: u64) -> Self {
        let mut sums = Self::default();
        for place in places(work, quorum).into_values() {
            match place {
                Place::Gold(set, origin) => {
                    match origin {
                        Origin::Reviewer => sums.counts.decided += 1,
                        Origin::Unanimous => sums.counts.unanimous += 1,
                    }
                    for label in set.iter() {
                        *sums.labels.entry(label).or_default() += 1;
                    }
                }
                Place::Rejected => sums.counts.rejected += 1,
                Place::Open(reason) => sums.counts.add_open(reason),
            }
        }
        sums
    }
}

/// The sums of all documents, as they are remembered or counted on a thread that may block.
pub(super) async fn sums(
    services: &Arc<Services>,
    project: ProjectId,
    tallies: &Arc<Tallies>,
    quorums: Arc<Quorums>,
) -> Result<Arc<AllSums>> {
    // They depend on the judgements, and on how many are to finish each document.
    let kept = Arc::clone(&services.gold.kept);
    let count = move |tallies: &Tallies, quorums: &Arc<Quorums>| {
        let holds = |document, (quorum, _): &(u64, _)| *quorum == quorums.of(document);
        AllSums(kept.each(tallies, &project, holds, |document, work| {
            let quorum = quorums.of(document);
            (quorum, DocumentSums::of(work, quorum))
        }))
    };
    services.gold.all.find_or_count(tallies, quorums, count).await
}

/// The counts over all documents.
pub(super) fn total(sums: &AllSums) -> GoldCounts {
    let mut total = GoldCounts::default();
    for document in sums.values() {
        total.add(document.counts);
    }
    total
}

/// A page of the documents that the query asks for, with sums over all of them and the versions.
pub async fn list(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    query: GoldQuery,
) -> Result<GoldList> {
    let store = &services.store;
    permit(store, actor, project, Action::ViewAgreement).await?;
    let labels = store::project::labels::list(store, project).await?;
    let versions = store::review::gold_versions::list(store, project).await?;
    let tallies = services.live.read(project).await?;
    let sums = sums(services, project, &tallies, Quorums::load(services, project).await?).await?;
    let mut by_label: BTreeMap<LabelId, (u64, u64)> = BTreeMap::new();
    for (label, spans) in sums.values().flat_map(|document| &document.labels) {
        let (all, documents) = by_label.entry(*label).or_default();
        *all += spans;
        *documents += 1;
    }
    let nothing = DocumentSums::default();
    let of = |id: &DocumentId| sums.get(*id).unwrap_or(&nothing);
    let mut rows: Vec<_> = tallies
        .all_documents()
        .map(|id| (id, of(&id)))
        .filter(|(_, sums)| {
            query.label.is_none_or(|label| sums.labels.contains_key(&label))
                && (!query.open || sums.counts.open() > 0)
        })
        .collect();
    sort(&mut rows, query.sorting.descending, |(_, sums)| match query.sorting.order {
        GoldOrder::Document => Key::Given,
        GoldOrder::Gold => Key::Most(sums.counts.gold()),
        GoldOrder::Open => Key::Most(sums.counts.open()),
    });
    let found = page(rows, &query.sorting, PAGE_SIZE);
    let shown: Vec<_> = found.rows.iter().map(|(document, _)| *document).collect();
    let mut names = store::document::names_of(store, &shown).await?;
    let card = |(document, sums): (DocumentId, &DocumentSums)| GoldCard {
        document,
        name: names.remove(&document).unwrap_or_default(),
        counts: sums.counts,
        labels: sums.labels.iter().map(|(label, spans)| (*label, *spans)).collect(),
    };
    let spans = |id: LabelId| by_label.get(&id).copied().unwrap_or_default();
    Ok(GoldList {
        revision: tallies.revision,
        by_label: labels
            .iter()
            .map(|label| (label.id, spans(label.id).0, spans(label.id).1))
            .collect(),
        labels,
        sums: total(&sums),
        page: Page {
            rows: found.rows.into_iter().map(card).collect(),
            total: found.total,
            number: found.number,
            size: found.size,
        },
        versions,
    })
}

/// A document with its gold spans, those that were struck out and those that are open: as of now,
/// or as a version has it, which knows of gold only.
pub async fn document(
    services: &Arc<Services>,
    actor: &Actor,
    project: ProjectId,
    document: DocumentId,
    version: Option<i64>,
) -> Result<GoldDocumentView> {
    let store = &services.store;
    let access = permit(store, actor, project, Action::ViewAgreement).await?;
    let names = Names::load(store, project, &access.member).await?;
    let labels = store::project::labels::list(store, project).await?;
    let neighbours = store::document::neighbours(store, project, document).await?;
    let neighbours = neighbours.ok_or(Refusal::NotFound)?;
    let found = store::document::find(store, document).await?.ok_or(Refusal::NotFound)?;
    let tallies = services.live.read(project).await?;
    let (positions, version) = match version {
        None => {
            let quorum = Quorums::of_document(store, project, document).await?;
            let work = tallies.document(document);
            let positions = work.map(|work| document_gold(work, &labels, quorum));
            (positions.unwrap_or_default(), None)
        }
        Some(number) => {
            let versions = store::review::gold_versions::list(store, project).await?;
            let version = versions.into_iter().find(|version| version.number == number);
            let locked =
                store::review::gold_versions::document(store, project, number, document).await?;
            let locked = locked.ok_or(Refusal::NotFound)?;
            (DocumentGold { gold: locked.positions, ..DocumentGold::default() }, version)
        }
    };
    Ok(GoldDocumentView {
        document,
        name: found.name,
        text: found.text,
        revision: tallies.revision,
        labels,
        raters: names.raters().to_vec(),
        positions: positions.gold,
        rejected: positions.rejected,
        open: positions.open,
        version,
        previous: neighbours.previous,
        next: neighbours.next,
    })
}
