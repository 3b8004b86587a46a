//! What a page says that has no numbers of the positions that its address asks for.

use domain::{PositionKind, Switches};

use super::switch_bar::{SwitchBar, positions_name};
use crate::pages::components::prelude::*;

/// The kinds of positions of which there are numbers of all labelers at once, and why of no others.
pub(crate) const COMMON: Offered = Offered {
    positions: &[PositionKind::Exact, PositionKind::Tokens],
    why: "Spans are paired by two people at a time, and this page is about all labelers together.",
};

/// The kind of positions that what if is of, and why of no others.
pub(crate) const EXACT: Offered =
    Offered { positions: &[PositionKind::Exact], why: "Predictions are about exact spans." };

/// All kinds of positions.
pub(crate) const EVERYTHING: Offered = Offered { positions: &PositionKind::ALL, why: "" };

/// The kinds of positions that a page has numbers of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offered {
    pub(crate) positions: &'static [PositionKind],
    /// Why it has none of others.
    pub(crate) why: &'static str,
}

impl Offered {
    /// Whether the page has numbers of the positions of these switches.
    pub(crate) fn has(self, switches: Switches) -> bool {
        self.positions.contains(&switches.policy.positions())
    }
}

/// The switches of a page that has no numbers under them, and the way to exact positions.
#[component]
pub(crate) fn Unoffered<F>(
    switches: Switches,
    /// The page's address under other switches.
    address: F,
    offered: Offered,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let exact = address(switches.of_exact_positions());
    let Offered { positions, why } = offered;
    let what =
        format!("No numbers of {}", positions_name(switches.policy.positions()).to_lowercase());
    view! {
        <SwitchBar switches address positions/>
        <NothingOf what why exact/>
    }
}

/// What there is nothing of, why, and the way to exact positions.
#[component]
pub(crate) fn NothingOf(what: String, why: &'static str, exact: String) -> impl IntoView {
    view! {
        <div class="empty">
            <h2>{what}</h2>
            <p>{why}</p>
            <a class="button" href=exact>{positions_name(PositionKind::Exact)}</a>
        </div>
    }
}
