//! Numbers that come out the same everywhere: exact integers, sums in 106 bits, random streams.

pub(crate) mod fixed;
pub(crate) mod matching;
pub(crate) mod number;
pub(crate) mod parallel;
pub(crate) mod random;
pub(crate) mod ratio;
pub(crate) mod sum;
pub(crate) mod u256;
pub(crate) mod wide;
