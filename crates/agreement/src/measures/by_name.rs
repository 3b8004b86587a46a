//! The measures that people choose among, by name.

use crate::measures::of_many::alpha::alpha_nominal;
use crate::measures::of_many::fleiss::fleiss_kappa;
use crate::measures::of_many::gwet::gwet_ac1;
use crate::measures::of_many::percent::percent_by_item;
use crate::measures::of_two::bennett::bennett_s;
use crate::measures::of_two::cohen::cohen_kappa;
use crate::measures::of_two::krippendorff::krippendorff_alpha_nominal;
use crate::measures::of_two::percent::percent;
use crate::measures::of_two::scott::scott_pi;
use crate::{Coefficient, Contingency, NominalTally, SpanCounts, Undefined};

/// A measure of two raters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PairMeasure {
    /// [`cohen_kappa`](crate::cohen_kappa).
    Kappa,
    /// [`krippendorff_alpha_nominal`](crate::krippendorff_alpha_nominal).
    Alpha,
    /// [`scott_pi`](crate::scott_pi).
    Pi,
    /// [`bennett_s`](crate::bennett_s).
    S,
    /// [`gwet_ac1`](crate::gwet_ac1).
    Ac1,
    /// [`percent`](crate::percent).
    Percent,
    /// F1 of exact spans; see [`SpanCounts::of_table`].
    F1,
}

impl PairMeasure {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Kappa, Self::Alpha, Self::Pi, Self::S, Self::Ac1, Self::Percent, Self::F1];

    /// The measure of a table. `choices` is the number of categories to choose from, which S and
    /// AC1 ask for; `none` is the category that stands for no span, which F1 asks for. Nothing is
    /// expected by chance of F1.
    ///
    /// # Undefined when
    /// The measure is; F1 where there is no span.
    ///
    /// ```
    /// use agreement::{Contingency, PairMeasure, cohen_kappa};
    ///
    /// let table = Contingency::from_iter([("PER", "PER"), ("ORG", "ORG"), ("PER", "")]);
    /// let kappa = PairMeasure::Kappa.coefficient(&table, 3, &"")?;
    /// assert_eq!(kappa, cohen_kappa(&table)?);
    /// assert_eq!(PairMeasure::F1.coefficient(&table, 3, &"")?.value, 0.8);
    /// # Ok::<(), agreement::Undefined>(())
    /// ```
    pub fn coefficient<C: Ord + Clone>(
        self,
        table: &Contingency<C>,
        choices: usize,
        none: &C,
    ) -> Result<Coefficient, Undefined> {
        match self {
            Self::Kappa => cohen_kappa(table),
            Self::Alpha => krippendorff_alpha_nominal(table),
            Self::Pi => scott_pi(table),
            Self::S => bennett_s(table, choices),
            Self::Ac1 => gwet_ac1(&NominalTally::from(table), choices),
            Self::Percent => percent(table),
            Self::F1 => {
                let value = SpanCounts::of_table(table, none).f1()?;
                Ok(Coefficient { value, observed: value, expected: 0.0 })
            }
        }
    }
}

/// A measure of several raters at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ManyMeasure {
    /// [`fleiss_kappa`](crate::fleiss_kappa).
    FleissKappa,
    /// [`alpha_nominal`](crate::alpha_nominal).
    Alpha,
    /// [`percent_by_item`](crate::percent_by_item).
    Percent,
}

impl ManyMeasure {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::FleissKappa, Self::Alpha, Self::Percent];

    /// The measure of a tally.
    ///
    /// # Undefined when
    /// The measure is.
    pub fn coefficient<C: Ord + Clone>(
        self,
        tally: &NominalTally<C>,
    ) -> Result<Coefficient, Undefined> {
        match self {
            Self::FleissKappa => fleiss_kappa(tally),
            // Alpha speaks of disagreement; what is left of 1 is agreement.
            Self::Alpha => alpha_nominal(tally).map(|graded| Coefficient {
                value: graded.value,
                observed: 1.0 - graded.observed,
                expected: 1.0 - graded.expected,
            }),
            Self::Percent => percent_by_item(tally),
        }
    }
}
