//! Komen (2009), A fast general purpose procedure to calculate inter-rater agreement: raters whose
//! category sets differ.
#![expect(clippy::float_cmp, reason = "integers divided once are as exact as the literals")]

mod printed;

use agreement::{Contingency, cohen_kappa, kappa_steps};
use printed::assert_prints;

fn table(john: [u32; 10], mary: [u32; 10]) -> Contingency<u32> {
    john.into_iter().zip(mary).collect()
}

const MARY: [u32; 10] = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0];

#[test]
fn table_2_has_equal_category_sets() {
    let kappa = cohen_kappa(&table([0, 1, 1, 0, 0, 1, 0, 1, 0, 0], MARY)).unwrap();
    assert_eq!((kappa.observed, kappa.expected), (0.6, 0.56));
    assert_prints(Ok(kappa), "0.09");
}

#[test]
fn a_category_only_one_rater_uses_needs_no_padding() {
    let table_6 = table([0, 1, 2, 0, 0, 1, 0, 2, 0, 0], MARY);
    let kappa = cohen_kappa(&table_6).unwrap();
    assert_eq!((kappa.observed, kappa.expected), (0.6, 0.52));
    assert_prints(Ok(kappa), "0.17");

    let steps = kappa_steps(&table_6).unwrap();
    assert_eq!(steps.per_category, [(0, 6, 8), (1, 2, 2), (2, 2, 0)]);
}

#[test]
fn splitting_a_one_sided_category_changes_nothing() {
    let types = cohen_kappa(&table([0, 1, 3, 0, 0, 1, 0, 4, 0, 0], MARY));
    assert_eq!(types, cohen_kappa(&table([0, 1, 2, 0, 0, 1, 0, 2, 0, 0], MARY)));
}

#[test]
fn antecedent_ids_cost_only_the_ids_that_occur() {
    let antecedents = table([0, 13, 23, 0, 0, 13, 0, 62, 0, 0], [0, 13, 0, 0, 0, 0, 0, 0, 13, 0]);
    assert_eq!(antecedents.categories(), [&0, &13, &23, &62]);
    assert_eq!(cohen_kappa(&antecedents).unwrap().expected, 0.52);
}
