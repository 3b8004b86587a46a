//! A position on the walk, with all that is said about it.

use domain::{
    Deciding, DocumentId, Documents, Error as Refusal, Finishing, Group, GroupPosition, Judgement,
    MemberId, OverlappingPosition, Position, ProjectId, Range, Rater, WalkStep, WorkState,
    saturating,
};
use formats::TextIndex;
use live::DocumentWork;

use super::{about::About, given::given, same_text};
use crate::{
    Result, Services,
    agreement::disagreements::{decision, judgement, kind_among_all},
    base::{
        names::Names,
        quoting::{Quote, slice},
    },
    review::{groups::group_of, quorum::Quorums},
};

/// Characters of text before and after the position.
const CONTEXT: u32 = 400;

/// Characters of a document that is decided on as a whole.
const CONTEXT_OF_DOCUMENT: u32 = 100_000;

/// What a step is made of.
pub(super) struct Walking<'a> {
    pub(super) services: &'a Services,
    pub(super) about: &'a About,
    pub(super) names: &'a Names,
    pub(super) project: ProjectId,
    /// Whose work counts.
    pub(super) documents: Documents,
    /// The viewer, if they may decide.
    pub(super) reviewer: Option<MemberId>,
}

impl Walking<'_> {
    /// The step at a position; one that no document of the project has is not found.
    pub(super) async fn step(&self, at: Position) -> Result<WalkStep> {
        let Position { document, range } = at;
        self.about.tallies.round(document).ok_or(Refusal::NotFound)?;
        let texts = store::document::texts(&self.services.store, &[document]).await?;
        let (name, text) = texts.get(&document).ok_or(Refusal::NotFound)?;
        let deciding = match self.reviewer {
            Some(reviewer) => Some(self.deciding(reviewer, at).await?),
            None => None,
        };
        let index = TextIndex::new(text);
        let length = saturating::<u32>(index.scalar_count());
        self.about.check(at, length).map_err(|_| Refusal::NotFound)?;
        let none = DocumentWork::new();
        let work = self.about.tallies.document(document).unwrap_or(&none);
        let labels = self.about.asked.as_ref().and(self.about.labels().document(document));
        let group = self.group(work, at);
        let shown = group.as_ref().map_or(range, Group::range);
        let context = if self.about.is_of_documents() { CONTEXT_OF_DOCUMENT } else { CONTEXT };
        let Quote { words: quote, left, right } = Quote::within(&index, shown, context);
        let raters = self.names.raters();
        Ok(WalkStep {
            position: at,
            document_name: name.clone(),
            quote,
            left,
            right,
            cut_left: shown.start > context,
            cut_right: length.saturating_sub(shown.end) > context,
            kind: kind_among_all(work, range, self.documents),
            judgements: raters
                .iter()
                .map(|rater| judgement(work.get(&rater.id), range, self.documents))
                .collect(),
            overlapping: self.overlapping(work, at, &index),
            decision: decision(work, self.names, range),
            label: labels.and_then(|labels| decision(labels, self.names, range)),
            labels: self.on_span(labels, range),
            group,
            finishing: self.finishing(document).await?,
            deciding,
        })
    }

    /// What each rater has of the labels of a span that is asked about.
    fn on_span(&self, labels: Option<&DocumentWork>, range: Range) -> Vec<Judgement> {
        if self.about.asked.is_none() || self.about.is_of_documents() {
            return Vec::new();
        }
        let of = |rater: &Rater| {
            judgement(labels.and_then(|labels| labels.get(&rater.id)), range, self.documents)
        };
        self.names.raters().iter().map(of).collect()
    }

    /// The group that the position is in.
    fn group(&self, work: &DocumentWork, at: Position) -> Option<Group> {
        let ranges = self.about.groups.group(at)?;
        let own = |range| self.about.own(self.reviewer?, Position { range, ..at });
        Some(group_of(work, ranges, |range| GroupPosition {
            range,
            decision: decision(work, self.names, range),
            own: own(range),
        }))
    }

    /// Who has to finish the document, and has not.
    async fn finishing(&self, document: DocumentId) -> Result<Finishing> {
        let store = &self.services.store;
        let quorum = Quorums::of_document(store, self.project, document).await?;
        let holdings = store::workload::holdings_of(store, document).await?;
        let (finished, open): (Vec<_>, Vec<_>) = holdings
            .into_iter()
            .filter(|holding| holding.state.has_work() || !holding.skipped)
            .partition(|holding| holding.state == WorkState::Submitted);
        let name =
            |holding: &store::workload::Holding| self.names.name(holding.member).map(str::to_owned);
        Ok(Finishing {
            finished: saturating::<u64>(finished.len()),
            quorum,
            missing: open.iter().filter_map(name).collect(),
        })
    }

    /// Marks that overlap the position, in the order of the raters and of the text.
    fn overlapping(
        &self,
        work: &DocumentWork,
        at: Position,
        index: &TextIndex<'_>,
    ) -> Vec<OverlappingPosition> {
        let raters = self.names.raters().iter();
        let overlapping = raters.filter_map(|rater| {
            let work = work.get(&rater.id).filter(|work| work.counts(self.documents))?;
            Some(work.judgements.iter().map(|(range, labels)| (rater.id, *range, labels)))
        });
        overlapping
            .flatten()
            .filter(|(_, range, labels)| {
                *range != at.range && range.overlaps(at.range) && !labels.is_empty()
            })
            .map(|(rater, range, labels)| OverlappingPosition {
                rater,
                range,
                quote: slice(index, range),
                labels: labels.clone(),
            })
            .collect()
    }

    async fn deciding(&self, reviewer: MemberId, at: Position) -> Result<Deciding> {
        let review = store::review::find(&self.services.store, at.document, reviewer).await?;
        let alike = same_text::find(self.services, self.about, reviewer, at).await?;
        let work = self.about.tallies.document(at.document);
        let decision = self.about.own_decision(reviewer, at);
        Ok(Deciding {
            base: review.as_ref().map(|review| review.revision).unwrap_or_default(),
            state: review.as_ref().map(|review| review.state).unwrap_or_default(),
            own: self.about.own(reviewer, at),
            note: decision.map(|own| own.note).unwrap_or_default(),
            comes_with: self.about.comes_with(reviewer, at),
            given: work.map(|work| given(work, at.range)).unwrap_or_default(),
            alike: saturating::<u64>(alike.len()),
        })
    }
}
