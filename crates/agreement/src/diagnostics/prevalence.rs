//! Prevalence and bias: why kappa may be low where raters mostly agree.

use crate::arithmetic::ratio::ratio;
use crate::inference::Binary;
use crate::{Contingency, Undefined};

/// How unevenly yes and no are used, and how differently by the two raters.
///
/// # Formula
/// ```text
/// prevalence index = (n11 − n22) / n        bias index = (n12 − n21) / n
/// PABAK = 2p_o − 1
/// κ = (PABAK − PI² + BI²) / (1 − PI² + BI²)
/// ```
///
/// # Reference
/// Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. *Journal of Clinical
/// Epidemiology* 46(5), 423–429.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prevalence {
    /// From −1 (only a common no) to 1 (only a common yes).
    pub prevalence_index: f64,
    /// From −1 (only the column rater says yes) to 1 (only the row rater does).
    pub bias_index: f64,
    /// The observed agreement.
    pub observed: f64,
    /// Cohen's kappa.
    pub kappa: Result<f64, Undefined>,
    /// The kappa there would be without prevalence and bias.
    pub pabak: f64,
    /// Gwet's AC1.
    pub ac1: f64,
}

impl Prevalence {
    /// The indices of a table of two by two; for more categories take one against the rest.
    ///
    /// # Undefined when
    /// Nothing was counted ([`Undefined::NoSharedPositions`]), or there are more than a table can hold
    /// ([`Undefined::TooManyPositions`]).
    ///
    /// # Example
    /// Feinstein and Cicchetti (1990): the same agreement of 85 %, with few that are no.
    /// ```
    /// # use agreement::diagnostics::Prevalence;
    /// # use agreement::inference::Binary;
    /// let table = Binary { both: 80, only_row: 10, only_column: 5, neither: 5 };
    /// let prevalence = Prevalence::of(&table)?;
    /// assert_eq!((prevalence.prevalence_index, prevalence.bias_index), (0.75, 0.05));
    /// assert_eq!((prevalence.observed, prevalence.pabak), (0.85, 0.7));
    /// assert_eq!(format!("{:.2}", prevalence.kappa?), "0.32");
    /// assert_eq!(format!("{:.2}", prevalence.ac1), "0.81");
    /// # Ok::<(), agreement::Undefined>(())
    /// ```
    pub fn of(table: &Binary) -> Result<Self, Undefined> {
        let n = match table.total() {
            Some(0) => return Err(Undefined::NoSharedPositions),
            Some(n @ 1..=Contingency::<bool>::CAPACITY) => i128::from(n),
            _ => return Err(Undefined::TooManyPositions),
        };
        let [both, only_row, only_column, neither] =
            [table.both, table.only_row, table.only_column, table.neither].map(i128::from);
        let (row, column) = (both + only_row, both + only_column);
        let beyond_chance = 2 * (both * neither - only_row * only_column);
        let at_most = row * (n - column) + column * (n - row);
        let kappa = match at_most {
            0 => Err(Undefined::OneCategory),
            at_most => Ok(ratio(beyond_chance, at_most)),
        };
        // AC1 expects 2π(1 − π), where π is the share of yes in all 2n judgements.
        let by_chance = 2.0 * ratio(row + column, 2 * n) * ratio(2 * n - row - column, 2 * n);
        let observed = ratio(both + neither, n);
        Ok(Self {
            prevalence_index: ratio(both - neither, n),
            bias_index: ratio(only_row - only_column, n),
            observed,
            kappa,
            pabak: ratio(both + neither - only_row - only_column, n),
            ac1: (observed - by_chance) / (1.0 - by_chance),
        })
    }

    /// One sentence on why kappa differs from PABAK and AC1.
    pub fn explanation(&self) -> String {
        let (prevalence, bias) = (self.prevalence_index, self.bias_index);
        let Ok(kappa) = self.kappa else {
            return "Only one answer was ever given, so kappa is undefined and nothing tells \
                    agreement from habit."
                .to_owned();
        };
        let common = if prevalence > 0.0 { "yes" } else { "no" };
        let cause = if prevalence.abs() < 0.1 && bias.abs() < 0.1 {
            return format!(
                "Yes and no are used about equally often, and alike by both, so kappa ({kappa:.2}) \
                 and PABAK ({:.2}) hardly differ.",
                self.pabak
            );
        } else if prevalence.abs() >= bias.abs() {
            format!(
                "{common} is so common (prevalence index {prevalence:.2}) that agreement by \
                 chance is likely, for which kappa allows and the others do not",
            )
        } else {
            let more = if bias > 0.0 { "first" } else { "second" };
            format!(
                "the {more} rater says yes more often (bias index {bias:.2}), which makes \
                 agreement by chance less likely, so kappa gives more credit for it than the \
                 others do",
            )
        };
        format!(
            "Kappa is {kappa:.2}, PABAK {:.2} and AC1 {:.2} at {:.0} % agreement: {cause}.",
            self.pabak,
            self.ac1,
            100.0 * self.observed
        )
    }
}
