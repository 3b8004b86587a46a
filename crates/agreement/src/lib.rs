//! Inter-annotator agreement: exact counts, measures, intervals, and what to make of them. Pure.
//!
//! # Words
//! - A **rater** judges **items** (or positions of a text); a **judgement** is one rater's category
//!   for one item. It may be missing.
//! - A **study** is what raters handed in: [`Ratings`] (who said what), [`Counts`] (how many said
//!   what), [`Continuum`] (units that each marked where they saw fit), [`Judgements`] (labels of
//!   spans of a text).
//! - A **tally** is what measures read: integers that are merged and subtracted, so that one kept up
//!   to date equals one counted from scratch. [`Contingency`] counts pairs of judgements of two
//!   raters, [`NominalTally`] and [`CoincidenceTally`] those of many.
//! - A [`Policy`] says what becomes of a position that only one of two raters judged; [`compare`]
//!   applies it and returns a [`PairTally`]: a table and its [`Coverage`].
//! - A [`Distance`] says how much it weighs that two raters said different things; [`Weights`] say
//!   how much a partial agreement is worth.
//! - A **measure** returns a [`Coefficient`] (from agreements), a [`Graded`] (from disagreements) or
//!   a number, or the reason why it is [`Undefined`]. It never returns NaN, and never 0 or 1 in
//!   place of "undefined". Its **steps** are the numbers its formula is filled in with.
//!
//! # Which measure when
//!
//! | Question | Measure |
//! | --- | --- |
//! | How often did they say the same? | [`percent`]; of many raters [`percent_by_item`], [`percent_unanimous`]; flattered by a common category |
//! | Beyond chance, given how each of two uses the categories? | [`cohen_kappa`]; of many raters [`hubert_kappa`], [`light_kappa`] |
//! | … and some categories are closer than others? | [`weighted_kappa`] with [`Linear`], [`Interval`] or a distance of one's own |
//! | Beyond chance, were the raters interchangeable? | [`krippendorff_alpha_nominal`], [`scott_pi`]; of many raters [`alpha_nominal`] (also with ratings missing), [`fleiss_kappa`] |
//! | … and categories have an order, a scale, or are sets? | [`krippendorff_alpha`] with [`Ordinal`], [`Interval`], [`Ratio`], [`Circular`], [`Polar`], [`Masi`], [`Jaccard`] |
//! | How much of the variance of ratings is that of what was rated? | [`intraclass_correlation`] |
//! | Beyond chance, if chance takes every category as often? | [`bennett_s`], [`pabak`], [`randolph_kappa`], [`brennan_prediger`] |
//! | … if one category is very common? | [`gwet_ac1`], [`gwet_ac2`]; with [`diagnostics::Prevalence`] |
//! | How good is one rater if the other is right? | [`accuracy`], [`precision`], [`recall`], [`f1`], [`macro_average`], [`micro_average`] |
//! | Did they mark the same spans of a text? | [`span_counts`] (F1, exact, overlapping or by token); [`position_tally`], [`relaxed_tally`], [`token_tally`], [`overlap_tally`] for any measure above |
//! | Did they find and name the same units of a continuum? | [`GammaStudy`] (aligns units; overlaps allowed), [`alpha_u`] (1995), [`u_alpha`], [`cu_alpha`], [`ku_alpha`] (2016) |
//! | Did they divide a text alike? | [`boundary_similarity`], [`segmentation_similarity`], [`window_diff`], [`pk`] |
//! | How far can the value be trusted? | [`inference`]: standard errors, bootstrap, jackknife, true agreement |
//! | Is the value good? | [`scales`], applied to the interval's lower bound as well |
//! | What is behind it? | [`diagnostics`]: agreement per category, item, rater and pair |
//! | What is true of an item, and which raters are to be trusted? | [`consensus`] |
//! | How well does a model predict how people differ? | [`manhattan_distance`], [`cross_entropy`], on a scale [`wasserstein_distance`]; means and intervals by [`ByItem`] |
//! | … and what each of them says? | [`error_rate`], on a scale [`normalised_absolute_distance`] |
//! | Who agrees with whom? | [`NominalPairs`] for all pairs at once, [`pairwise`] for any measure |
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
//!
//! # Features
//! - `parallel` (off): what is counted for whole studies ([`NominalPairs`], [`pairwise`],
//!   [`Ratings::nominal_tally`], [`Ratings::coincidences`]) is counted on all cores, and comes out
//!   the same to the last bit. Without it the crate has no threads and compiles for the browser.
#![warn(missing_docs)]

pub mod consensus;
pub mod diagnostics;
pub mod inference;
pub mod scales;

mod arithmetic;
mod distance;
mod measures;
mod spans;
mod study;
mod tally;
mod unitizing;

pub use arithmetic::random::SplitMix64;
pub use distance::score::{Number, Score};
pub use distance::{
    By, Circular, Distance, Interval, Jaccard, Linear, Masi, MasiProduct, Nominal, Ordinal, Polar,
    Ratio, SetThirds,
};
pub use measures::by_name::{ManyMeasure, PairMeasure};
pub use measures::coefficient::{Coefficient, Graded, Undefined};
pub use measures::of_many::alpha::{
    alpha_nominal, alpha_of_category, alpha_of_item, krippendorff_alpha,
};
pub use measures::of_many::brennan_prediger::brennan_prediger;
pub use measures::of_many::fleiss::{fleiss_kappa, fleiss_kappa_of_category};
pub use measures::of_many::gwet::{gwet_ac1, gwet_ac2};
pub use measures::of_many::hubert::hubert_kappa;
pub use measures::of_many::intraclass::{Intraclass, MeanSquares, Rated, intraclass_correlation};
pub use measures::of_many::light::light_kappa;
pub use measures::of_many::percent::{
    percent_by_item, percent_by_rating, percent_of_category, percent_on_item, percent_unanimous,
};
pub use measures::of_many::randolph::randolph_kappa;
pub use measures::of_many::weights::{Scheme, Weights};
pub use measures::of_pairs::matrix::{PairMatrix, pairwise};
pub use measures::of_pairs::nominal::NominalPairs;
pub use measures::of_predictions::by_item::ByItem;
pub use measures::of_predictions::cross_entropy::cross_entropy;
pub use measures::of_predictions::is_distribution;
pub use measures::of_predictions::manhattan::manhattan_distance;
pub use measures::of_predictions::perspectives::{error_rate, normalised_absolute_distance};
pub use measures::of_predictions::wasserstein::wasserstein_distance;
pub use measures::of_two::bennett::{bennett_s, pabak};
pub use measures::of_two::cohen::{KappaSteps, cohen_kappa, cohen_kappa_max, kappa_steps};
pub use measures::of_two::krippendorff::{
    AlphaSteps, alpha_steps, alpha_steps_of_many, krippendorff_alpha_nominal,
};
pub use measures::of_two::percent::percent;
pub use measures::of_two::retrieval::{
    CategoryCounts, Retrieval, accuracy, category_counts, f1, macro_average, micro_average,
    precision, recall,
};
pub use measures::of_two::scott::scott_pi;
pub use measures::of_two::weighted_kappa::weighted_kappa;
pub use spans::iob2::Iob2;
pub use spans::overlapping::{MOST_OVERLAP_STEPS, Partners, align_overlapping, overlap_tally};
pub use spans::pairing::Positions;
pub use spans::policy::{Coverage, PairTally, Policy, compare, side_by_side};
pub use spans::relaxed::{align, relaxed_tally};
pub use spans::score::{SpanCounts, SpanMatch, span_counts};
pub use spans::tally::{position_tally, token_tally};
pub use spans::{Judgements, Span, judgements};
pub use study::continuum::{Continuum, InvalidUnit, Unit, UnitProblem};
pub use study::{Counts, Item, LongForm, MISSING, Ratings, StudyError};
pub use tally::contingency::{Contingency, NotCounted};
pub use tally::{CoincidenceTally, NominalTally, TallyError};
pub use unitizing::alpha_u::{
    AlphaUSteps, UnitizedDocuments, alpha_u, alpha_u_category, alpha_u_steps,
};
pub use unitizing::gamma::{
    Alignment, Gamma, GammaOptions, GammaStudy, Unaligned, gamma_alignment,
};
pub use unitizing::segmentation::boundaries::{
    BoundaryEdits, boundary_edits, boundary_similarity, segmentation_similarity,
};
pub use unitizing::segmentation::windows::{pk, window_diff};
pub use unitizing::segmentation::{InvalidSegment, Segmentation};
pub use unitizing::u_alpha::{cu_alpha, ku_alpha, u_alpha, u_alpha_binary};

/// The example of the README, kept true by the doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
