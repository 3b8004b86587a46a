//! The agreement engine: for each project that somebody looks at, the tallies in memory, moved by
//! every save of this server and by what the feed says of other servers' saves. The rows are the truth;
//! how they are read is for whoever has them to say ([`Reader`]).

mod engine;
mod intervals;
mod intra_rater;
#[cfg(test)]
mod laws;
mod measuring;
mod narrowed;
mod project;
mod protocol;
mod reader;
mod recent;
mod tallies;

pub use engine::{Held, Live, MEMORY};
pub use intervals::{
    Answering, AtOnce, Interest, Question, RESAMPLES, Settling, Subject, confidence_by_formula,
    interval, is_immediate, resample_counted, resample_many, seed,
};
pub use intra_rater::IntraRater;
pub use measuring::{
    LabelChoices, LabelersGraded, Scores, agreements, coefficient, counted_positions, coverage,
    labelers_graded, labelers_measured, mean_squares, measured, pair_measure, pooled_measured,
    several_coefficient, several_measured, to_measured,
};
pub use project::Moved;
pub use reader::{Feed, Reader};
pub use recent::Recent;
pub use tallies::{
    Against, Change, Comparison, Counted, Counting, Decided, DocumentFacts, DocumentTokens,
    DocumentWork, Labeler, NOTHING, Narrowing, Outsider, Recount, Several, Tallies, Tokens,
    Unitized, UnitizedDocument, Work, comparisons, document_work, items, labelers_counted,
    labelers_in, pair_documents, several_of, unjudged,
};
