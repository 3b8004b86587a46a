//! Bennett's S and the PABAK: agreement beyond chance that spreads evenly over the categories.

use crate::{Coefficient, Contingency, Undefined};

/// Bennett's S of two raters who may choose among `q` categories.
///
/// # Formula
/// ```text
/// S = (p_o − 1/q) / (1 − 1/q)
/// ```
/// Unused categories count: a longer list of choices makes agreement more remarkable.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), there is one choice only
/// ([`Undefined::OneCategory`]), or more than `q` categories occur
/// ([`Undefined::UndeclaredCategory`]).
///
/// # Reference
/// Bennett, E. M., Alpert, R. and Goldstein, A. C. (1954). Communications through limited response
/// questioning. *Public Opinion Quarterly* 18(3), 303–308.
///
/// # Example
/// Artstein and Poesio (2008), page 558, printed as .4; a third category that nobody used makes it
/// .55.
/// ```
/// # use agreement::{Contingency, bennett_s};
/// let mut table = Contingency::new();
/// table.add_count("STAT", "STAT", 20);
/// table.add_count("STAT", "IReq", 10);
/// table.add_count("IReq", "STAT", 20);
/// table.add_count("IReq", "IReq", 50);
/// assert_eq!(bennett_s(&table, 2)?.value, 0.4);
/// assert_eq!(bennett_s(&table, 3)?.value, 0.55);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn bennett_s<C: Ord + Clone>(
    table: &Contingency<C>,
    q: usize,
) -> Result<Coefficient, Undefined> {
    let used = table.categories().len();
    if used > q {
        return Err(Undefined::UndeclaredCategory);
    }
    // Where there are no categories, there are no positions either.
    let q = i128::try_from(q.max(1)).map_err(|_| Undefined::UndeclaredCategory)?;
    let n = i128::from(table.total());
    Coefficient::chance_corrected(q * i128::from(table.agreements()), n, q * n)
}

/// Prevalence-adjusted bias-adjusted kappa of two raters and two categories.
///
/// # Formula
/// ```text
/// PABAK = 2 p_o − 1
/// ```
/// That is [`bennett_s`] with two categories: the kappa there would be if both raters used both
/// equally often.
///
/// # Undefined when
/// No position is counted ([`Undefined::NoSharedPositions`]), or more than two categories occur
/// ([`Undefined::UndeclaredCategory`]).
///
/// # Reference
/// Byrt, T., Bishop, J. and Carlin, J. B. (1993). Bias, prevalence and kappa. *Journal of Clinical
/// Epidemiology* 46(5), 423–429.
///
/// # Example
/// ```
/// # use agreement::{Contingency, pabak};
/// let table: Contingency<_> = [(0, 0), (0, 0), (0, 1), (1, 1)].into_iter().collect();
/// assert_eq!(pabak(&table)?.value, 0.5);
/// # Ok::<(), agreement::Undefined>(())
/// ```
pub fn pabak<C: Ord + Clone>(table: &Contingency<C>) -> Result<Coefficient, Undefined> {
    bennett_s(table, 2)
}
