//! A pair of the matrix beside it: the value, what the two confuse, and the ways on.

use std::sync::Arc;

use domain::{
    Causes, MemberId, PairView, PositionOutcome, PositionQuery, ProjectView, WalkList, Whose,
};

use crate::{
    pages::components::{
        agreement::{
            diagnostics::{Behind, Boundaries, Confusions},
            matrix::{
                band::Band,
                table::face::{Face, face},
            },
            pair::contingency::Counts,
            walk_through::WalkThrough,
        },
        prelude::*,
    },
    query::PairLook,
};

/// The name of the pair in the matrix's address.
const PAIR: &str = "pair";

/// The pair that an address asks to be shown beside the matrix.
pub(crate) fn read_pair(get: impl Fn(&str) -> Option<String>) -> Option<(MemberId, MemberId)> {
    let named = get(PAIR)?;
    let (first, second) = named.split_once('.')?;
    Some((first.parse().ok()?, second.parse().ok()?))
}

/// Its part of a query string, with an ampersand before it.
pub(crate) fn write_pair(pair: Option<(MemberId, MemberId)>) -> String {
    pair.map(|(first, second)| format!("&{PAIR}={first}.{second}")).unwrap_or_default()
}

/// What is known of the pair.
pub(crate) type Found = (PairView, Causes);

/// The pair, its first causes, and the ways to all of it.
#[component]
pub(crate) fn PairPanel(
    found: Found,
    project: ProjectView,
    /// The page without it.
    close: String,
) -> impl IntoView {
    let (pair, causes) = found;
    let PairView { switches, ref first, ref second, .. } = pair;
    let two = (first.id, second.id);
    let Face { value, interval, sentence, few, .. } = face(&pair.cell, switches.scale);
    let word = Band::claimed(pair.cell.confidence, switches.scale)
        .filter(|_| pair.cell.measured.value().is_some())
        .map(Band::badge);
    let few = few.map(|few| view! { <span class="few">{few}</span> });
    let differ = PositionQuery {
        outcome: PositionOutcome::Differ,
        ..PositionQuery::of(Whose::Pair(two.0, two.1), switches)
    };
    let total = causes.positions - causes.agreements;
    let page = query::pair_address(project.id, two.0, two.1, switches);
    let heading = view! { <bdi>{first.name.clone()}</bdi>" × "<bdi>{second.name.clone()}</bdi> };
    let behind = Behind {
        causes: Arc::new(causes),
        labels: project.categories(switches.filter.question).into(),
        first: first.clone(),
        second: second.clone(),
        look: PairLook::default(),
    };
    view! {
        <aside class="pair-panel card" id="pair-panel" tabindex="-1" aria-labelledby="panel-title" data-pair=format!("{}-{}", two.0, two.1)>
            <div class="row spread">
                <h2 id="panel-title">{heading}</h2>
                <a class="button quiet small" href=close data-noscroll="" data-close="" aria-label="Close">"✕"</a>
            </div>
            <p class="panel-value">
                <strong class="number">{value}</strong>
                <span class="number">{interval}</span>
                {word}{few}
            </p>
            <p class="soft">{sentence}</p>
            <div class="row">
                <WalkThrough project=project.id list=WalkList::Positions(differ) total/>
                <a class="button small" href=page>"Open full page"</a>
            </div>
            <Counts pair look=PairLook::default()/>
            <Confusions behind=behind.clone() brief=true/>
            <Boundaries behind brief=true/>
        </aside>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_survives_the_address_and_what_names_none_is_none() {
        let two = Some((MemberId(3), MemberId(14)));
        let written = write_pair(two);
        assert_eq!(written, "&pair=3.14");
        let get = |named: &'static str| move |name: &str| (name == PAIR).then(|| named.to_owned());
        assert_eq!(read_pair(get("3.14")), two);
        assert_eq!(read_pair(get("3")), None);
        assert_eq!((read_pair(|_| None), write_pair(None)), (None, String::new()));
    }
}
