//! Inter-annotator agreement of two raters: exact counts, measures, missing-label policies. Pure.
//!
//! # Words
//! - A **rater** judges **positions**; a **judgement** is one rater's category on one position.
//! - A [`Policy`] says what becomes of a position that only one of the two judged; [`compare`]
//!   applies it to one document and returns a [`PairTally`]: the counts and their [`Coverage`].
//! - A [`Contingency`] table counts pairs of judgements. Tallies of documents are merged and
//!   subtracted as integers, so a table kept up to date equals one counted from scratch.
//! - A **measure** reads a table and returns a [`Coefficient`], or the reason why it is
//!   [`Undefined`]. It never returns NaN, and never 0 or 1 in place of "undefined".
//! - The **steps** of a measure are the numbers its formula is filled in with.
//!
//! # Which measure when
//!
//! | Question | Measure |
//! | --- | --- |
//! | How often did they say the same? | [`percent`]; easy to explain, flattered by a common category |
//! | Beyond chance, given how each of the two uses the categories? | [`cohen_kappa`]; two raters with habits of their own |
//! | Beyond chance, were the raters interchangeable? | [`krippendorff_alpha_nominal`]; one pooled distribution, corrected for small samples |
//!
//! Kappa does not punish two raters for differing margins, alpha does; with many positions and
//! similar margins the two come out alike. A large gap between measures on the *same* table is
//! a finding, a gap between tables counted under different policies is not.
//!
//! ```
//! use std::collections::BTreeMap;
//! use agreement::{Policy, cohen_kappa, compare};
//!
//! let first = BTreeMap::from([((0, 6), "PER"), ((10, 14), "YEAR"), ((20, 31), "PER")]);
//! let second = BTreeMap::from([((0, 6), "PER"), ((10, 14), "YEAR"), ((40, 45), "QTY")]);
//!
//! let tally = compare(&first, &second, Policy::Cleaned, &"");
//! assert_eq!((tally.coverage.both, tally.coverage.positions()), (2, 4));
//! assert_eq!(cohen_kappa(&tally.table)?.value, 1.0);
//!
//! let tally = compare(&first, &second, Policy::EmptyLabel, &"");
//! assert_eq!(cohen_kappa(&tally.table)?.value, 1.0 / 3.0);
//! # Ok::<(), agreement::Undefined>(())
//! ```
#![warn(missing_docs)]

pub mod diagnostics;
pub mod inference;
pub mod scales;

mod coefficient;
mod contingency;
mod distance;
mod live;
mod matching;
mod measures;
mod policy;
mod random;
mod ratio;
mod score;
mod segmentation;
mod spans;
mod study;
mod sum;
mod u256;
mod unitizing;
mod wide;

pub use coefficient::{Coefficient, Graded, Undefined};
pub use contingency::{Contingency, NotCounted};
pub use distance::{
    By, Circular, Distance, Interval, Jaccard, Linear, Masi, MasiProduct, Nominal, Ordinal, Polar,
    Ratio, SetThirds,
};
pub use live::{CoincidenceTally, NominalTally, TallyError};
pub use measures::alpha::{alpha_nominal, alpha_of_category, alpha_of_item, krippendorff_alpha};
pub use measures::bennett::{bennett_s, pabak};
pub use measures::brennan_prediger::brennan_prediger;
pub use measures::cohen::cohen_kappa_max;
pub use measures::cohen::{KappaSteps, cohen_kappa, kappa_steps};
pub use measures::fleiss::{fleiss_kappa, fleiss_kappa_of_category};
pub use measures::gwet::{gwet_ac1, gwet_ac2};
pub use measures::hubert::hubert_kappa;
pub use measures::krippendorff::alpha_steps_of_many;
pub use measures::krippendorff::{AlphaSteps, alpha_steps, krippendorff_alpha_nominal};
pub use measures::light::light_kappa;
pub use measures::pairs::{PairMatrix, pairwise};
pub use measures::percent::percent;
pub use measures::percent_of_many::{
    percent_by_item, percent_by_rating, percent_of_category, percent_on_item, percent_unanimous,
};
pub use measures::randolph::randolph_kappa;
pub use measures::retrieval::{
    Retrieval, accuracy, f1, macro_average, micro_average, precision, recall,
};
pub use measures::scott::scott_pi;
pub use measures::weighted_kappa::weighted_kappa;
pub use measures::weights::{Scheme, Weights};
pub use policy::{Coverage, PairTally, Policy, compare};
pub use score::{Number, Score};
pub use segmentation::boundaries::{
    BoundaryEdits, boundary_edits, boundary_similarity, segmentation_similarity,
};
pub use segmentation::windows::{pk, window_diff};
pub use segmentation::{InvalidSegment, Segmentation};
pub use spans::score::{SpanCounts, SpanMatch, span_counts};
pub use spans::tally::{overlap_tally, position_tally, token_tally};
pub use spans::{Judgements, Span, judgements};
pub use study::continuum::{Continuum, InvalidUnit, Unit, UnitProblem};
pub use study::{Counts, Item, LongForm, MISSING, Ratings, StudyError};
pub use unitizing::alpha_u::{AlphaUSteps, alpha_u, alpha_u_category, alpha_u_steps};
pub use unitizing::gamma::{
    Alignment, Gamma, GammaOptions, GammaStudy, Unaligned, gamma_alignment,
};
pub use unitizing::u_alpha::{cu_alpha, ku_alpha, u_alpha, u_alpha_binary};

/// The example of the README, kept true by the doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
