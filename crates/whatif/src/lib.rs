//! What agreement would be if labels were merged, somebody left out, boundaries taken less strictly,
//! or the reviewers' decisions taken as given. Pure.
//!
//! The server writes a project's judgements down as a [`Study`], a browser reads it, and [`predict`]
//! says what the pairs, each rater against all others, and all labelers at once come to under a
//! [`Scenario`]. Without changes it is what the matrix says, to the last bit. Every number is from
//! `agreement`; here is only what the numbers are of.
//!
//! # What a scenario changes, in this order
//! 1. **Raters left out** have no judgements, and reviewers among them no decisions.
//! 2. **The reviewers' decisions are taken as given.** On a position that a reviewer has decided on,
//!    in a review that counts, each labeler who judged it is taken to have said what was decided: the
//!    labels, or for a reject ∅. Of several decisions on a position the latest holds, as in the gold
//!    standard. Whoever did not judge the position still does not, unless the switches make a
//!    judgement of absence (the policy `empty label`, and F1): then they too are taken to have marked
//!    what was accepted or added, and a reject, which absence agrees with, changes nothing for them.
//!    Reviewers keep what they decided themselves.
//! 3. **Labels merged** are one label, in judgements, in decisions and among the choices.
//! 4. **One label against everything else**, where the switches ask for that.
//! 5. **Boundaries relaxed**: two raters' spans whose starts and ends are at most so many characters
//!    apart may be one position, one to one; [`agreement::align`] says which. This is settled for
//!    each pair of raters by itself: where A's span lies near B's, and B's near C's, A's need not lie
//!    near C's. So there are no positions of all labelers at once, and their measures have no value;
//!    those of one rater against all others, which add up pairs, do.
#![warn(missing_docs)]

mod categories;
mod numbers;
mod predict;
mod scenario;
mod study;
mod varint;

pub use predict::{Basis, Lack, Prediction, Row, Subject, Value, predict};
pub use scenario::{FURTHEST, Scenario};
pub use study::{Document, Position, Rater, Rules, Study, Work};
