//! What tallies are of: a part of a project, and what the positions in it are.

use std::{collections::BTreeMap, sync::Arc};

use domain::{DocumentId, Filter, PositionKind, Range, Switches, saturating};

use super::work::Work;

/// What tallies are of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Narrowing {
    /// The question, labels, documents and rounds.
    pub filter: Filter,
    pub positions: PositionKind,
}

impl Narrowing {
    /// All judgements of a project, as they are.
    pub const WHOLE: Self = Self { filter: Filter::NONE, positions: PositionKind::Exact };

    /// The part whose tallies hold what these switches show.
    pub const fn of(switches: Switches) -> Self {
        Self { filter: switches.filter, positions: switches.policy.positions() }
    }

    /// What a filter leaves of judgements as they are.
    pub const fn exact(filter: Filter) -> Self {
        Self { filter, positions: PositionKind::Exact }
    }

    /// Whether saves move its tallies. Those of tokens and of overlapping spans are counted anew when somebody
    /// asks: how long a document takes there depends on how its spans lie.
    pub(crate) const fn is_moved(self) -> bool {
        matches!(self.positions, PositionKind::Exact)
    }

    /// What is left of one rater's work on a document, by positions of this kind; none if those are tokens
    /// and it is not known where they are.
    pub(crate) fn work(self, work: &Work, tokens: Option<&[Range]>) -> Option<Work> {
        let answers = self.filter.question.map(|question| work.answers(question));
        let work = answers.as_ref().unwrap_or(work);
        let mut work = match self.positions {
            PositionKind::Exact => work.clone(),
            PositionKind::Tokens => work.by_token(tokens?),
            PositionKind::Overlapping => work.without_rejects(),
        };
        if self.filter.label.is_some() {
            for (_, labels) in &mut work.judgements {
                *labels = self.filter.judgement(labels);
            }
        }
        Some(work)
    }
}

/// How the judgements of a document are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// By exact position.
    Exact,
    /// By token, of which there are so many; those that nobody judged have ∅ of everybody.
    Tokens(u64),
    /// By overlap, two raters at a time.
    Overlapping,
}

impl Counting {
    /// By positions of a kind, in a document with these tokens.
    pub(crate) fn of(positions: PositionKind, tokens: &[Range]) -> Self {
        match positions {
            PositionKind::Exact => Self::Exact,
            PositionKind::Tokens => Self::Tokens(saturating(tokens.len())),
            PositionKind::Overlapping => Self::Overlapping,
        }
    }

    /// How many positions there are beside those that somebody judged.
    pub const fn unjudged(self, judged: u64) -> u64 {
        match self {
            Self::Tokens(all) => all.saturating_sub(judged),
            Self::Exact | Self::Overlapping => 0,
        }
    }
}

/// A document, and where its tokens are, in order.
pub type DocumentTokens = (DocumentId, Arc<[Range]>);

/// Where the tokens of documents are. Texts never change, so what is known stays true.
#[derive(Clone, Debug, Default)]
pub struct Tokens {
    documents: BTreeMap<DocumentId, Arc<[Range]>>,
    /// How many they are together.
    count: usize,
}

/// About how many bytes a document takes beside its tokens.
const DOCUMENT: usize = 60;

impl Tokens {
    /// The tokens of a document, in order; none if they are not known.
    pub fn of(&self, document: DocumentId) -> Option<&[Range]> {
        self.documents.get(&document).map(|tokens| &**tokens)
    }

    /// About how many bytes they take.
    pub(crate) fn bytes(&self) -> u64 {
        let documents = self.documents.len() * DOCUMENT;
        saturating::<u64>(documents + self.count * size_of::<Range>())
    }
}

impl Extend<DocumentTokens> for Tokens {
    fn extend<I: IntoIterator<Item = DocumentTokens>>(&mut self, documents: I) {
        for (document, tokens) in documents {
            self.count += tokens.len();
            let before = self.documents.insert(document, tokens);
            self.count -= before.map_or(0, |before| before.len());
        }
    }
}

impl FromIterator<DocumentTokens> for Tokens {
    fn from_iter<I: IntoIterator<Item = DocumentTokens>>(documents: I) -> Self {
        let mut tokens = Self::default();
        tokens.extend(documents);
        tokens
    }
}
