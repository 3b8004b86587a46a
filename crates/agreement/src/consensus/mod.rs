//! What is true of each item, learned from raters of whom some are better than others.
//!
//! - [`Votes`] are who said what of which item; nobody has to have judged everything.
//! - [`SoftLabels`] are the outcome: how probable each category is for each item.
//! - [`majority_vote`] trusts all raters alike. [`DawidSkene`] learns for each rater how often they
//!   say what of which category. [`Mace`] learns how often they know the answer, and what they say if
//!   they do not. [`HmmCrowd`] learns as [`DawidSkene`] does, and for items in [`Sequences`] which category
//!   follows which.
//!
//! Everything adds up integers, so that results do not depend, to the last bit, on the order of items;
//! and on that of raters only in [`Mace`], which draws numbers for one after the other.
//!
//! ```
//! use agreement::Ratings;
//! use agreement::consensus::{DawidSkene, Votes, majority_vote};
//!
//! let study = Ratings::from_rows([
//!     [Some("PER"), Some("PER"), Some("ORG")],
//!     [Some("PER"), Some("PER"), Some("PER")],
//!     [Some("ORG"), Some("ORG"), Some("PER")],
//!     [Some("ORG"), Some("PER"), None],
//! ])?;
//! let votes = Votes::from(&study);
//! let majority = majority_vote(&votes)?;
//! assert_eq!(majority.choice(0).map(|choice| *choice.category), Some("PER"));
//! assert_eq!(majority.choice(3).map(|choice| choice.tied), Some(vec![&"ORG", &"PER"]));
//!
//! let fit = DawidSkene::default().fit(&votes)?;
//! assert!(fit.converged && fit.labels.item(0).is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cells;
mod confusions;
mod dawid_skene;
mod expectation;
mod hmm_crowd;
mod mace;
mod majority;
mod sequences;
mod soft_labels;
mod votes;

pub use dawid_skene::{DawidSkene, DawidSkeneFit};
pub use hmm_crowd::{HmmCrowd, HmmCrowdFit};
pub use mace::{Mace, MaceFit, MaceTraining};
pub use majority::majority_vote;
pub use sequences::Sequences;
pub use soft_labels::{Choice, SoftLabels};
pub use votes::Votes;
