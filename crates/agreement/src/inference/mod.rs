//! How far a measure can be trusted: standard errors, intervals, tests, and resampling.
//!
//! | Question | Function |
//! | --- | --- |
//! | Interval of κ of two raters | [`cohen_kappa_estimate`], [`weighted_kappa_estimate`] |
//! | Is there any agreement beyond chance? | [`cohen_kappa_test`], [`weighted_kappa_test`], [`fleiss_kappa_test`] |
//! | Interval for many raters, ratings missing | [`fleiss_kappa_estimate`], [`gwet_ac1_estimate`], [`brennan_prediger_estimate`] |
//! | Interval of an intraclass correlation | [`intraclass_interval`] |
//! | Interval of any measure, or by document | [`bootstrap()`], [`jackknife()`], [`PairUnits`] for two raters, [`NominalUnits`] for many, [`GradedUnits`] by how far ratings are apart |
//! | Which share of the agreement is true? | [`homogeneity_interval`], [`conservative_interval`] |
//! | May a model stand in for an annotator? | [`alternative_annotator_test()`] |
//! | Is one of two models better? | [`mcnemar_exact`] by item, [`permutation_test`] by document |
//! | How large may a share be, such as of errors in a sample? | [`exact_share_interval`] |
//! | Which of many tests says something? | [`holm`], [`benjamini_yekutieli`] |
//! | How many items more? | [`more_items_for_width`] |
//! | Which document next? | [`NextCluster`] |

mod alternative_annotator;
mod binary;
mod binomial;
pub(crate) mod distributions;
mod estimate;
mod intraclass;
mod multiple_testing;
mod next_cluster;
mod resampling;
mod standard_errors;
mod true_agreement;

pub use self::alternative_annotator::scores::{mean_f1, mean_jaccard, negative_rmse, share_alike};
pub use self::alternative_annotator::{
    AlternativeTest, Annotators, Comparison, CorrectedTest, FALSE_DISCOVERIES, FEWEST_ANNOTATORS,
    FEWEST_ITEMS, Panel, alternative_annotator_test, clustered_annotator_test,
};
pub use self::binary::Binary;
pub use self::binomial::mcnemar::mcnemar_exact;
pub use self::binomial::share::exact_share_interval;
pub use self::distributions::exact::{TwoSided, fisher_exact};
pub use self::estimate::{Estimate, Interval, Level, Reference, Test, more_items_for_width};
pub use self::intraclass::intraclass_interval;
pub use self::multiple_testing::{benjamini_yekutieli, holm};
pub use self::next_cluster::{Cluster, NextCluster};
pub use self::resampling::bootstrap::{Bootstrap, Resampling, bootstrap};
pub use self::resampling::graded_units::GradedUnits;
pub use self::resampling::jackknife::{Jackknife, jackknife};
pub use self::resampling::nominal_units::NominalUnits;
pub use self::resampling::pair_units::PairUnits;
pub use self::resampling::permutation::{PermutationTest, permutation_test};
pub use self::standard_errors::fleiss_null::{fleiss_kappa_error_by_chance, fleiss_kappa_test};
pub use self::standard_errors::gwet::{
    brennan_prediger_estimate, fleiss_kappa_estimate, gwet_ac1_estimate,
};
pub use self::standard_errors::item_counts::ItemCounts;
pub use self::standard_errors::kappa::{
    cohen_kappa_error_by_chance, cohen_kappa_estimate, cohen_kappa_test,
};
pub use self::standard_errors::weighted_kappa::{
    weighted_kappa_error_by_chance, weighted_kappa_estimate, weighted_kappa_test,
};
pub use self::true_agreement::TrueAgreement;
pub use self::true_agreement::conservative::conservative_interval;
pub use self::true_agreement::homogeneity::homogeneity_interval;
