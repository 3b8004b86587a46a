//! How often to draw at random in a bearable time.

use crate::report::Reason;

/// About so many steps are taken for all draws together, unless their number is given.
const STEPS: u64 = 500_000_000;
/// How often to draw, where that does not take long.
const DRAWS: u64 = 1_000;
/// How often at least.
const FEWEST_DRAWS: u64 = 100;
/// What takes more steps is not begun, unless a number of draws is given.
pub(super) const MOST_STEPS: u64 = 10 * STEPS;

/// As often as was asked for; if nothing was, as often as is bearable where each draw takes so many steps. The
/// reason why nothing is drawn says what would take too long.
pub(super) fn draws(asked: Option<u32>, cost: u64, what: &str) -> Result<u32, Reason> {
    match asked {
        Some(0) => Err(Reason::new("NoResamples", "no resamples were asked for")),
        Some(asked) => Ok(asked),
        None if is_bearable(cost) => Ok(bearable_draws(cost)),
        None => Err(too_long(what)),
    }
}

/// How often to draw in a bearable time, and as seldom as is of any use where none is.
pub(super) fn bearable_draws(cost: u64) -> u32 {
    let bearable = STEPS / cost.max(1);
    u32::try_from(bearable.clamp(FEWEST_DRAWS, DRAWS)).unwrap_or(u32::MAX)
}

/// Whether the fewest draws take a bearable time.
pub(super) fn is_bearable(cost: u64) -> bool {
    cost.saturating_mul(FEWEST_DRAWS) <= MOST_STEPS
}

pub(super) fn too_long(what: &str) -> Reason {
    Reason::new("TooLong", &format!("{what} would take long; ask for it with --resamples"))
}
