//! The panel that arranges the raters of a matrix.

use domain::{MemberId, Rater};
use leptos::prelude::*;

use super::{
    arrangement::{Arrangement, Order},
    board::Board,
};
use crate::{
    display,
    view::{dynamic, view},
};

/// Order, and for each rater whether they come first or are hidden.
#[component]
pub(crate) fn Arrange(board: Board) -> impl IntoView {
    let Board { shown, arrangement, .. } = board;
    let change = move |change: &dyn Fn(&mut Arrangement)| {
        arrangement.update(|arrangement| change(arrangement));
        arrangement.with_untracked(|kept| kept.keep(shown.with_untracked(|shown| shown.project)));
    };
    let orders = Order::ALL.map(|order| {
        let sort = move |_| shown.with_untracked(|shown| change(&|kept| kept.sort(order, shown)));
        view! { <button type="button" on:click=sort>{order.words()}</button> }
    });
    let all = Memo::new(move |_| shown.with(|shown| shown.raters.clone()));
    let toggles = move |rater: &Rater| {
        let (id, name) = (rater.id, rater.name.clone());
        let set = move |of: fn(&mut Arrangement) -> &mut std::collections::BTreeSet<MemberId>| {
            move |_| {
                change(&|kept| {
                    let set = of(kept);
                    if !set.remove(&id) {
                        set.insert(id);
                    }
                });
            }
        };
        let is_pinned = move || arrangement.with(|kept| kept.pinned.contains(&id));
        let is_hidden = move || arrangement.with(|kept| kept.hidden.contains(&id));
        view! {
            <li>
                <bdi>{name}</bdi>
                <label class="check">
                    <input type="checkbox" prop:checked=is_pinned on:change=set(|kept| &mut kept.pinned)/>
                    "first"
                </label>
                <label class="check">
                    <input type="checkbox" prop:checked=is_hidden on:change=set(|kept| &mut kept.hidden)/>
                    "hidden"
                </label>
            </li>
        }
    };
    let raters = dynamic(move || all.with(|all| all.iter().map(toggles).collect_view()));
    let hidden = move || {
        let hidden = all.with(|all| {
            arrangement.with(|kept| all.iter().filter(|r| kept.hidden.contains(&r.id)).count())
        });
        match u64::try_from(hidden).unwrap_or(u64::MAX) {
            0 => "Arrange".to_owned(),
            n => format!("Arrange ({} hidden)", display::count(n, "rater")),
        }
    };
    view! {
        <details class="arrange">
            <summary>{hidden}</summary>
            <div class="stack card">
                <div class="row">
                    <span class="switch-name" id="arrange-order">"Put in order"</span>
                    <div class="segmented" role="group" aria-labelledby="arrange-order">{orders.into_iter().collect_view()}</div>
                </div>
                <ul class="plain-list raters" aria-label="Raters">{raters}</ul>
                <p class="soft">"This browser remembers it for this project. Nothing moves by itself when numbers change."</p>
            </div>
        </details>
    }
}
