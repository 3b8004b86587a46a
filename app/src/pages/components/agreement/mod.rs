//! What agreement looks like: the matrix, a pair of it, what stands behind the numbers, and the ways
//! between them.

pub(crate) mod alert_notices;
pub(crate) mod counted;
pub(crate) mod diagnostics;
pub(crate) mod disagreements;
pub(crate) mod headline;
pub(crate) mod matrix;
pub(crate) mod pair;
pub(crate) mod pictures;
pub(crate) mod shares;
pub(crate) mod target;
pub(crate) mod walk_through;
