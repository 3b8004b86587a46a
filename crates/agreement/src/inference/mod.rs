//! How far a measure can be trusted: standard errors, intervals, tests, and resampling.
//!
//! | Question | Function |
//! | --- | --- |
//! | Interval of κ of two raters | [`cohen_kappa_estimate`], [`weighted_kappa_estimate`] |
//! | Is there any agreement beyond chance? | [`cohen_kappa_test`], [`weighted_kappa_test`], [`fleiss_kappa_test`] |
//! | Interval for many raters, ratings missing | [`fleiss_kappa_estimate`], [`gwet_ac1_estimate`], [`brennan_prediger_estimate`] |
//! | Interval of any measure, or by document | [`bootstrap()`], [`jackknife()`], [`PairUnits`] for two raters, [`NominalUnits`] for many |
//! | Which share of the agreement is true? | [`homogeneity_interval`], [`conservative_interval`] |
//! | How many items more? | [`more_items_for_width`] |
//! | Which document next? | [`NextCluster`] |

mod binary;
mod bootstrap;
mod conservative;
mod estimate;
mod exact;
mod fleiss_null;
mod gwet;
mod homogeneity;
mod item_counts;
mod jackknife;
mod kappa;
mod next_cluster;
mod nominal_units;
mod normal;
mod number;
mod pair_units;
mod random;
mod student;
mod true_agreement;
mod weighted_kappa;

pub use binary::Binary;
pub use bootstrap::{Bootstrap, Resampling, bootstrap};
pub use conservative::conservative_interval;
pub use estimate::{Estimate, Interval, Level, Reference, Test, more_items_for_width};
pub use exact::{TwoSided, fisher_exact};
pub use fleiss_null::{fleiss_kappa_error_by_chance, fleiss_kappa_test};
pub use gwet::{brennan_prediger_estimate, fleiss_kappa_estimate, gwet_ac1_estimate};
pub use homogeneity::homogeneity_interval;
pub use item_counts::ItemCounts;
pub use jackknife::{Jackknife, jackknife};
pub use kappa::{cohen_kappa_error_by_chance, cohen_kappa_estimate, cohen_kappa_test};
pub use next_cluster::{Cluster, NextCluster};
pub use nominal_units::NominalUnits;
pub(crate) use number::sum;
pub use pair_units::PairUnits;
pub use true_agreement::TrueAgreement;
pub use weighted_kappa::{
    weighted_kappa_error_by_chance, weighted_kappa_estimate, weighted_kappa_test,
};
