//! Comparison with figures as papers print them.

use agreement::{Coefficient, Undefined};

/// Asserts that a coefficient rounds to the printed figure, digit by digit.
#[track_caller]
pub(crate) fn assert_prints(measured: Result<Coefficient, Undefined>, printed: &str) {
    let decimals = printed.split_once('.').map_or(0, |(_, fraction)| fraction.len());
    let rounded = measured.map(|coefficient| format!("{:.decimals$}", coefficient.value));
    assert_eq!(rounded.as_deref(), Ok(printed));
}
