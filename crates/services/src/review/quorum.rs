//! How many labelers have to agree before a position is unanimous.

use std::{collections::BTreeMap, sync::Arc};

use domain::{DocumentId, ProjectId, Range, Standing};
use live::{Recent, Work};

use crate::{Result, Services};

/// The labelers that have to finish each document of a project, alike, for it to be unanimous: as many
/// as a drawn document gets where there is a pool, or else everybody who was given it; two in any case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Quorums {
    overlap: Option<u64>,
    given: BTreeMap<DocumentId, u64>,
}

/// Those of a few projects, each as of a moment of it.
pub(crate) struct Known(Recent<ProjectId, ((i64, i64), Arc<Quorums>)>);

/// As many projects are kept.
const KEPT: usize = 8;

impl Default for Known {
    fn default() -> Self {
        Self(Recent::of(KEPT))
    }
}

impl Quorums {
    /// Those of all documents of a project: read again only where something has been done in it since.
    pub(crate) async fn load(services: &Services, project: ProjectId) -> Result<Arc<Self>> {
        let store = &services.store;
        // Read first: what is read after it may be newer, and is read again then.
        let stamp = store::workload::stamp(store, project).await?;
        let known = services.quorums.0.find(|of| *of == project);
        if let Some((_, known)) = known.as_ref().filter(|(as_of, _)| *as_of == stamp) {
            return Ok(Arc::clone(known));
        }
        let pool = store::workload::pools::find(store, project).await?;
        let overlap = pool.map(|pool| pool.overlap.into());
        let given = match overlap {
            Some(_) => Vec::new(),
            None => store::workload::given(store, project).await?,
        };
        let mut read = Arc::new(Self { overlap, given: given.into_iter().collect() });
        // What is the same stays the same in memory: what was counted by it is found by its address.
        if let Some((_, known)) = known.filter(|(_, known)| *known == read) {
            read = known;
        }
        services.quorums.0.keep(project, (stamp, Arc::clone(&read)), |of| *of == project);
        Ok(read)
    }

    /// Those of a few documents of the project; of no other they know anything.
    pub(crate) async fn load_documents(
        db: &impl store::Db,
        project: ProjectId,
        documents: &[DocumentId],
    ) -> Result<Self, store::Error> {
        let given = store::workload::given_documents(db, documents).await?;
        let pool = store::workload::pools::find(db, project).await?;
        let overlap = pool.map(|pool| pool.overlap.into());
        Ok(Self { overlap, given: given.into_iter().collect() })
    }

    /// How many labelers it takes in one document of the project.
    pub(crate) async fn of_document(
        db: &impl store::Db,
        project: ProjectId,
        document: DocumentId,
    ) -> Result<u64, store::Error> {
        Ok(Self::load_documents(db, project, &[document]).await?.of(document))
    }

    /// How many labelers it takes in a document.
    pub(crate) fn of(&self, document: DocumentId) -> u64 {
        let given = || self.given.get(&document).copied().unwrap_or_default();
        self.overlap.unwrap_or_else(given).max(2)
    }
}

/// How labelers stand on a position where so many have to finish the document.
pub(crate) fn standing<'a>(
    labelers: impl IntoIterator<Item = &'a Work>,
    range: Range,
    quorum: u64,
) -> Standing {
    let answers = labelers.into_iter().map(|work| (work.state, work.judgements.get(&range)));
    Standing::of(answers, quorum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_says_how_many_or_else_everybody_who_was_given_the_document_and_never_one_alone() {
        let given = BTreeMap::from([(DocumentId(1), 1), (DocumentId(2), 3)]);
        let each = Quorums { overlap: None, given };
        assert_eq!([1, 2, 3].map(|id| each.of(DocumentId(id))), [2, 3, 2]);
        let pool = Quorums { overlap: Some(4), ..each.clone() };
        assert_eq!([1, 2, 3].map(|id| pool.of(DocumentId(id))), [4, 4, 4]);
        assert_eq!(Quorums { overlap: Some(1), ..each }.of(DocumentId(2)), 2);
    }
}
