//! Measures of any number of raters.

pub(crate) mod alpha;
pub(crate) mod brennan_prediger;
pub(crate) mod fleiss;
pub(crate) mod gwet;
pub(crate) mod hubert;
pub(crate) mod intraclass;
pub(crate) mod light;
pub(crate) mod percent;
pub(crate) mod randolph;
pub(crate) mod weights;
