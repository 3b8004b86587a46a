//! Writes what parcels bring: documents, suggestions, and people's work.

use std::collections::{BTreeSet, HashMap};

use domain::{
    AssignTo, Code, Delta, DocumentId, Fact, ImportId, MemberId, ProjectId, Range, Span,
    VersionKind, WorkState, saturating,
};
use store::{
    Tx,
    document::{
        imports::{Filling, NewWork},
        shelf::Shelved,
    },
    work::versions::{NewVersion, Pass},
};

use super::{
    decision::Decision,
    parcel::{Destination, Parcel, Stretch},
};
use crate::{
    Error, Result,
    document::{self, Has},
};

/// What was brought to a project.
#[derive(Debug, Default)]
pub(super) struct Brought {
    /// New documents, and those on which somebody has got work.
    pub(super) documents: BTreeSet<DocumentId>,
    /// Whose work it is, and on which document.
    pub(super) works: Vec<(DocumentId, MemberId)>,
}

/// Writes all that parcels bring, each document whole, and adds it to what the import has come to.
///
/// # Errors
/// [`Code::ChangedMeanwhile`] if somebody was faster: nothing of it is to be kept.
pub(super) async fn write(
    tx: &Tx,
    (project, import): (ProjectId, ImportId),
    decision: &mut Decision,
    parcels: Vec<Shelved<Parcel>>,
) -> Result<Brought> {
    let mut writing = Writing { tx, project, import, decision, brought: Brought::default() };
    let bound = writing.bind(parcels).await?;
    writing.suggest(&bound).await?;
    let has = writing.give(bound).await?;
    writing.assign(has).await?;
    Ok(writing.brought)
}

struct Writing<'a> {
    tx: &'a Tx,
    project: ProjectId,
    import: ImportId,
    decision: &'a mut Decision,
    brought: Brought,
}

/// What a document gets.
struct Bound {
    document: DocumentId,
    /// Whether it was there before.
    is_known: bool,
    parcel: Parcel,
}

impl Writing<'_> {
    /// Stores new documents, and says which document each parcel is of. What was for a document that has
    /// been deleted meanwhile is gone with it.
    async fn bind(&mut self, mut parcels: Vec<Shelved<Parcel>>) -> Result<Vec<Bound>> {
        parcels.sort_by_key(|parcel| parcel.place);
        let known = parcels.iter().filter_map(|parcel| match parcel.content.to {
            Destination::Known(document) => Some(document),
            Destination::New(_) | Destination::Same => None,
        });
        let mut known: Vec<_> = known.collect();
        known.dedup();
        let known = if known.is_empty() {
            BTreeSet::new()
        } else {
            store::document::present(self.tx, self.project, &known).await?
        };
        let new = parcels.iter_mut().filter_map(|parcel| match &mut parcel.content.to {
            Destination::New(document) => document.take(),
            Destination::Known(_) | Destination::Same => None,
        });
        let new = new.collect();
        let ids = match store::document::insert_many(self.tx, self.project, new, self.decision.at)
            .await
        {
            Err(store::Error::Duplicate(_)) => {
                let why =
                    "a document with one of these ids was just imported; check the preview again";
                return Err(Code::ChangedMeanwhile.of("files", why).into());
            }
            stored => stored?,
        };
        store::document::imports::own_documents(self.tx, self.import, &ids).await?;
        self.decision.summary.documents += saturating::<u64>(ids.len());
        self.brought.documents.extend(&ids);
        let (mut ids, mut last) = (ids.into_iter(), None);
        let mut bound = Vec::with_capacity(parcels.len());
        for Shelved { content: parcel, .. } in parcels {
            let document = match parcel.to {
                Destination::Known(document) => known.get(&document).copied(),
                Destination::New(_) => ids.next(),
                Destination::Same => last,
            };
            last = document;
            let is_known = matches!(parcel.to, Destination::Known(_));
            bound.extend(document.map(|document| Bound { document, is_known, parcel }));
        }
        Ok(bound)
    }

    /// Stores spans as suggestions.
    async fn suggest(&mut self, bound: &[Bound]) -> Result<()> {
        let suggestions = bound.iter().flat_map(|Bound { document, parcel, .. }| {
            self.spans(&parcel.suggestions).into_iter().map(|span| (*document, span))
        });
        let suggestions: Vec<_> = suggestions.collect();
        store::work::suggestions::insert_many(self.tx, &suggestions).await?;
        self.decision.summary.suggestions += saturating::<u64>(suggestions.len());
        Ok(())
    }

    /// Stores spans as people's work, and says who has new documents by that. Whoever has begun with an
    /// assignment since it was decided keeps what they have.
    async fn give(&mut self, bound: Vec<Bound>) -> Result<Has> {
        let known: BTreeSet<_> =
            bound.iter().filter(|it| it.is_known).map(|it| it.document).collect();
        let known: Vec<_> = known.into_iter().collect();
        let present = store::document::imports::assignments_of(self.tx, &known).await?;
        let present: HashMap<_, _> =
            present.into_iter().map(|it| ((it.document, it.member), it)).collect();
        let (mut new, mut has) = (Vec::new(), Has::new());
        if self.decision.assign != AssignTo::Nobody {
            has.extend(bound.iter().filter(|it| !it.is_known).map(|it| (it.document, Vec::new())));
        }
        for Bound { document, parcel, .. } in bound {
            for (rater, spans) in parcel.works {
                let member = self.decision.members.get(rater).copied().flatten();
                let Some(member) = member else { continue };
                let assignment = match present.get(&(document, member)) {
                    Some(found) if found.state != WorkState::Open => {
                        let changes = &mut self.decision.summary.changes;
                        changes.new = changes.new.saturating_sub(1);
                        changes.kept += 1;
                        continue;
                    }
                    found => found.map(|found| (found.id, found.revision)),
                };
                if let Some(has) = has.get_mut(&document) {
                    has.push(member);
                }
                let spans = self.spans(&spans).into_iter().collect();
                new.push(NewWork { document, member, assignment, spans });
            }
        }
        self.fill(new).await?;
        Ok(has)
    }

    async fn fill(&mut self, new: Vec<NewWork>) -> Result<()> {
        let Decision { by, at, state, .. } = *self.decision;
        let filling = Filling { import: self.import, state, now: at };
        let filled = match store::document::imports::fill_assignments(self.tx, &new, filling).await
        {
            Err(store::Error::Duplicate(_)) => {
                let why = "one of these assignments was just started; check the preview again";
                return Err(Code::ChangedMeanwhile.of("files", why).into());
            }
            filled => filled?,
        };
        let (mut spans, mut history) = (Vec::new(), Vec::with_capacity(new.len()));
        self.decision.summary.worked += saturating::<u64>(new.len());
        for (work, (assignment, revision)) in new.into_iter().zip(filled) {
            self.brought.documents.insert(work.document);
            self.brought.works.push((work.document, work.member));
            spans.extend(work.spans.iter().map(|span| (assignment, *span)));
            let added = work.spans.into_iter().map(Fact::from).collect();
            history.push(NewVersion {
                pass: Pass { assignment, repeat: None },
                revision,
                at,
                by,
                kind: match state {
                    WorkState::Submitted => VersionKind::Submit,
                    WorkState::Open | WorkState::Saved => VersionKind::Save,
                },
                restored: None,
                state,
                delta: Delta { removed: Vec::new(), added },
            });
        }
        self.decision.summary.spans += saturating::<u64>(spans.len());
        store::document::imports::add_spans(self.tx, &spans, &history).await.map_err(Error::from)
    }

    /// Gives new documents to others, too.
    async fn assign(&mut self, has: Has) -> Result<()> {
        let given = document::assign(self.tx, self.project, has, self.decision.assign).await?;
        self.decision.summary.assignments += saturating::<u64>(given);
        Ok(())
    }

    /// Spans as the project has them: those whose labels stay out are none, and two that become the same
    /// are one.
    fn spans(&self, stretches: &[Stretch]) -> BTreeSet<Span> {
        let span = |(start, end, label): &Stretch| {
            let label = self.decision.labels.get(*label).copied().flatten()?;
            Some(Span { range: Range::new(*start, *end), label })
        };
        stretches.iter().filter_map(span).collect()
    }
}
