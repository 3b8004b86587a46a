//! The values that a coefficient is made of.

use super::Layout;
use super::text::aligned;
use crate::Coefficient;

/// A coefficient with agreement and disagreement, both observed and expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Workings {
    /// The coefficient.
    pub value: f64,
    /// `p_o`.
    pub observed_agreement: f64,
    /// `p_e`.
    pub expected_agreement: f64,
    /// `D_o = 1 − p_o`.
    pub observed_disagreement: f64,
    /// `D_e = 1 − p_e`.
    pub expected_disagreement: f64,
}

impl From<Coefficient> for Workings {
    fn from(coefficient: Coefficient) -> Self {
        Self {
            value: coefficient.value,
            observed_agreement: coefficient.observed,
            expected_agreement: coefficient.expected,
            observed_disagreement: 1.0 - coefficient.observed,
            expected_disagreement: 1.0 - coefficient.expected,
        }
    }
}

impl Workings {
    /// The values, one a line.
    ///
    /// ```
    /// # use agreement::{Contingency, cohen_kappa};
    /// # use agreement::diagnostics::{Layout, Workings};
    /// let table = Contingency::from_iter([("a", "a"), ("b", "b"), ("a", "b"), ("b", "b")]);
    /// let text = Workings::from(cohen_kappa(&table)?).text(&Layout::default());
    /// assert_eq!(text.lines().next(), Some("observed agreement     0.750"));
    /// assert_eq!(text.lines().last(), Some("coefficient            0.500"));
    /// # Ok::<(), agreement::Undefined>(())
    /// ```
    pub fn text(&self, layout: &Layout) -> String {
        let line =
            |name: &str, value: f64| vec![name.to_owned(), format!("{value:.*}", layout.decimals)];
        aligned(&[
            line("observed agreement", self.observed_agreement),
            line("expected agreement", self.expected_agreement),
            line("observed disagreement", self.observed_disagreement),
            line("expected disagreement", self.expected_disagreement),
            line("coefficient", self.value),
        ])
    }
}
