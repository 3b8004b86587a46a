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

mod coefficient;
mod contingency;
mod measures;
mod policy;
mod ratio;

pub use coefficient::{Coefficient, Undefined};
pub use contingency::{Contingency, NotCounted};
pub use measures::cohen::{KappaSteps, cohen_kappa, kappa_steps};
pub use measures::krippendorff::{AlphaSteps, alpha_steps, krippendorff_alpha_nominal};
pub use measures::percent::percent;
pub use policy::{Coverage, PairTally, Policy, compare};

/// The example of the README, kept true by the doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
