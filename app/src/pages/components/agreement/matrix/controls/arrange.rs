//! The menu that arranges the raters of a matrix.

use domain::Rater;

use super::arrangement::{HIDDEN, Order, PINNED};
use crate::{
    pages::components::{agreement::matrix::table::board::Board, prelude::*},
    query::{self, hidden_fields},
};

/// The most raters who are put beside those who are alike: all orders are made with each page, and this
/// one takes the square of their number.
const MOST_SIMILAR: usize = 100;

/// Order, and for each rater whether they come first or are hidden: links and a form that lead to
/// the page's address under another arrangement.
pub(crate) fn arrange(board: &Board) -> AnyView {
    let Board { snapshot, arrangement, .. } = board;
    let address = query::matrix_address(snapshot.project, snapshot.switches);
    let is_offered =
        |order: &Order| *order != Order::Similar || snapshot.raters.len() <= MOST_SIMILAR;
    let orders = Order::ALL.into_iter().filter(is_offered).map(|order| {
        let href = format!("{address}{}", arrangement.sorted(order, snapshot).written());
        view! { <a data-noscroll="" href=href>{order.words()}</a> }
    });
    let choice = |rater: &Rater, name: &'static str, checked: bool, text: &'static str| {
        view! {
            <Check name=name value=rater.id.to_string() checked=checked>{text}</Check>
        }
    };
    let raters = snapshot.raters.iter().map(|rater| {
        view! {
            <li>
                <bdi>{rater.name.clone()}</bdi>
                {choice(rater, PINNED, arrangement.pinned.contains(&rater.id), "first")}
                {choice(rater, HIDDEN, arrangement.hidden.contains(&rater.id), "hidden")}
            </li>
        }
    });
    let hidden = snapshot.raters.iter().filter(|rater| arrangement.hidden.contains(&rater.id));
    let chosen = match u64::try_from(hidden.count()).unwrap_or(u64::MAX) {
        0 => "all".to_owned(),
        n => format!("{} hidden", display::thousands(n)),
    };
    let whole = format!("{address}{}", arrangement.written());
    let form = view! {
        <form class="stack arrange" method="get" data-instant="" data-kept=format!("concord.arrangement.{}", snapshot.project)>
            {hidden_fields(&whole, &[PINNED, HIDDEN])}
            <div class="menu-list" role="group" aria-label="Order">{orders.collect_view()}</div>
            <ul class="plain-list raters" aria-label="Raters">{raters.collect_view()}</ul>
            <p class="soft">"Remembered in this browser. The order stays when numbers change."</p>
            <div class="actions"><button class="small send">"Apply"</button></div>
        </form>
    };
    view! { <Menu name="Raters" chosen>{form}</Menu> }
}
