//! Whether tallies are those of the rows.

use std::sync::Arc;

use domain::{DocumentRatings, Revision};

use super::Tallies;

/// Holds tallies against rows, piece by piece: it never has more work in memory than that of a piece.
pub struct Recount {
    shown: Arc<Tallies>,
    /// What the rows come to so far, without the work on documents.
    counted: Tallies,
    /// The documents with work so far, and whether that of any is not what is shown.
    documents: usize,
    has_other_work: bool,
}

impl Recount {
    /// Before the first piece.
    pub fn of(shown: Arc<Tallies>) -> Self {
        Self { shown, counted: Tallies::default(), documents: 0, has_other_work: false }
    }

    /// Counts rows of documents that were not counted yet. Takes a thread that may block.
    pub fn add(&mut self, rows: Vec<DocumentRatings>) {
        self.counted.add(rows);
        let works = std::mem::take(&mut self.counted.documents);
        self.documents += works.len();
        self.has_other_work |=
            works.iter().any(|(document, work)| self.shown.document(*document) != Some(work));
    }

    /// How many documents there are, with and without work.
    pub fn documents(&self) -> usize {
        self.counted.facts.len()
    }

    /// How many pairs have something in common.
    pub fn pair_count(&self) -> usize {
        self.counted.pair_count()
    }

    /// Whether all that was counted, of rows of this revision, is what is shown.
    pub fn is_shown(&self, revision: Revision) -> bool {
        let Tallies { documents, facts, of_raters, pairs, several, .. } = &*self.shown;
        self.shown.revision == revision
            && !self.has_other_work
            && documents.len() == self.documents
            && (facts, of_raters, pairs, several)
                == (
                    &self.counted.facts,
                    &self.counted.of_raters,
                    &self.counted.pairs,
                    &self.counted.several,
                )
    }
}

#[cfg(test)]
mod tests {
    use domain::{LabelId, RatedAssignment, RoundId, Span, WorkState};

    use super::*;
    use crate::{DocumentFacts, Work};

    fn rows() -> Vec<DocumentRatings> {
        let assignment = |document: i64, member: i64| RatedAssignment {
            member: domain::MemberId(member),
            state: WorkState::Saved,
            saved_at: chrono::DateTime::UNIX_EPOCH,
            spans: vec![Span::new(0, 4, LabelId(document % 2 + member % 2))],
            choices: Vec::new(),
        };
        (1..=6)
            .map(|document| DocumentRatings {
                document: domain::DocumentId(document),
                round: RoundId(1),
                characters: 40,
                assignments: (1..document).map(|member| assignment(document, member)).collect(),
                reviews: Vec::new(),
            })
            .collect()
    }

    fn is_shown(shown: Tallies, rows: &[DocumentRatings]) -> bool {
        let mut recount = Recount::of(Arc::new(shown));
        for piece in rows.chunks(4) {
            recount.add(piece.to_vec());
        }
        assert_eq!(recount.documents(), rows.len());
        recount.is_shown(Revision(3))
    }

    #[test]
    fn what_is_shown_is_what_pieces_come_to_and_nothing_else() {
        let rows = rows();
        let shown = || Tallies::rebuild(Revision(3), rows.clone());
        assert!(is_shown(shown(), &rows));
        let mut recount = Recount::of(Arc::new(shown()));
        recount.add(rows.clone());
        assert_eq!(recount.pair_count(), shown().pair_count());
        assert!(!recount.is_shown(Revision(4)), "of another revision");

        let document = domain::DocumentId;
        let moved = |document, member, label| {
            let mut shown = shown();
            let spans = [Span::new(0, 4, LabelId(label))];
            let work = Work::of_labeler(WorkState::Saved, chrono::DateTime::UNIX_EPOCH, spans);
            shown.replace(document, domain::MemberId(member), work).unwrap();
            is_shown(shown, &rows)
        };
        assert!(moved(document(6), 5, 1), "the same again");
        assert!(!moved(document(6), 5, 7));
        // Alone on its document, which no pair has.
        assert!(!moved(document(2), 1, 7));
        assert!(!moved(document(1), 1, 7));

        let mut one_more = shown();
        let facts = DocumentFacts { round: RoundId(1), characters: 40 };
        one_more.add_documents(&[(document(7), facts)]);
        assert!(!is_shown(one_more, &rows));
        let mut few = rows.clone();
        few.pop();
        assert!(!is_shown(Tallies::rebuild(Revision(3), few), &rows));
    }
}
