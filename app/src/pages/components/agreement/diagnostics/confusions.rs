//! Which categories the two confuse, the most frequent first.

use domain::{ConfusionView, PositionOutcome, PositionQuery, WalkList};

use super::behind::{BRIEF, Behind};
use crate::pages::components::{
    agreement::{counted::Counted, shares, walk_through::WalkThrough},
    prelude::*,
};

/// Each pair of categories in both directions, and its share of all disagreements.
#[component]
pub(crate) fn Confusions(
    behind: Behind,
    /// Only the first of them, without what explains them.
    #[prop(optional)]
    brief: bool,
) -> impl IntoView {
    let most = if brief { BRIEF } else { usize::MAX };
    let rows: Vec<_> = behind
        .causes
        .confusions
        .iter()
        .take(most)
        .map(|confusion| view! { <Row behind=behind.clone() confusion=confusion.clone()/> })
        .collect();
    let differ = PositionQuery { outcome: PositionOutcome::Differ, ..behind.query() };
    let total = behind.causes.positions - behind.causes.agreements;
    let list = WalkList::Positions(differ);
    let walk = view! { <WalkThrough project=behind.causes.project list total/> };
    let content = if rows.is_empty() {
        view! { <p class="empty">"No confusions: the two agree on every counted position."</p> }
    } else {
        view! {
            <Table labelled_by="confusions-title">
                <thead>
                    <tr>
                        <th scope="col">"One label"</th>
                        <th scope="col">"The other"</th>
                        <th scope="col" class="number"><bdi>{behind.first.name.clone()}</bdi>" said the one"</th>
                        <th scope="col" class="number"><bdi>{behind.second.name.clone()}</bdi>" said the one"</th>
                        <th scope="col" class="number">"Together"</th>
                        <th scope="col" class="number">"Of all disagreements"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let lead = (!brief).then(|| view! {
        <Lead line="Top rows are usually one question that the guidelines leave open." about="confused categories">
            <p>"Counts mostly in one column: one person has a different habit. Counts in both: both are unsure."</p>
            <p>"∅ means no label."</p>
        </Lead>
    });
    view! {
        <section class="stack" aria-labelledby="confusions-title">
            <div class="row spread">
                <h2 id="confusions-title">"Confused categories"</h2>
                {(!brief).then_some(walk)}
            </div>
            {lead}
            {content}
        </section>
    }
}

#[component]
fn Row(behind: Behind, confusion: ConfusionView) -> impl IntoView {
    let ConfusionView { one, other, one_by_first, other_by_first, share } = confusion;
    let project = behind.causes.project;
    let forth =
        PositionQuery { said: Some(one.clone()), against: Some(other.clone()), ..behind.query() };
    let back =
        PositionQuery { said: Some(other.clone()), against: Some(one.clone()), ..behind.query() };
    let [one, other] = [one, other].map(|set| naming::category(&set, &behind.labels));
    let of = |one: &str, other: &str| {
        format!("positions: {} said {one}, {} said {other}", behind.first.name, behind.second.name)
    };
    let (of_forth, of_back) = (of(&one, &other), of(&other, &one));
    view! {
        <tr>
            <th scope="row" dir="auto">{one}</th>
            <td dir="auto">{other}</td>
            <td class="number"><Counted project count=one_by_first query=forth of=of_forth/></td>
            <td class="number"><Counted project count=other_by_first query=back of=of_back/></td>
            <td class="number">{display::thousands(one_by_first + other_by_first)}</td>
            <td class="number">{shares::percent(share)}</td>
        </tr>
    }
}
