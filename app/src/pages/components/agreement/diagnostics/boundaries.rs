//! Where the two mean the same place and mark it differently.

use domain::{Boundary, BoundaryCount, PositionOutcome, PositionQuery};

use super::{
    behind::{BRIEF, Behind},
    drawing::Drawing,
};
use crate::pages::components::{agreement::counted::Counted, prelude::*};

/// The types of boundary disagreements with a drawing and their counts.
#[component]
pub(crate) fn Boundaries(
    behind: Behind,
    /// Only the most frequent of them, without what explains them.
    #[prop(optional)]
    brief: bool,
) -> impl IntoView {
    let mut counts = behind.causes.boundaries.clone();
    if brief {
        counts.retain(|count| count.groups > 0);
        counts.sort_by_key(|count| std::cmp::Reverse(count.groups));
        counts.truncate(BRIEF);
    }
    let groups: u64 = behind.causes.boundaries.iter().map(|count| count.groups).sum();
    let content = if groups == 0 {
        view! { <p class="empty">"No overlapping spans with different boundaries."</p> }
    } else {
        let rows: Vec<_> =
            counts.into_iter().map(|count| view! { <Row behind=behind.clone() count/> }).collect();
        view! {
            <Table labelled_by="boundaries-title" class="rows boundaries">
                <thead>
                    <tr>
                        <th scope="col"><bdi>{behind.first.name.clone()}</bdi>"’s span (above)"</th>
                        <th scope="col" class="number">"Groups"</th>
                        <th scope="col" class="number">"Same labels"</th>
                        <th scope="col" class="number">"Other labels"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let lead = (!brief).then(|| view! {
        <Lead line="Overlapping spans with different boundaries. A frequent type points to a missing rule." about="boundaries">
            <p>"For example: does a title or a full stop belong to a name? Spans that overlap form a group, counted once; spans that both have are left out."</p>
            <p><small>"To a measure of exact spans these are positions marked by only one: left out, or counted as ∅, as chosen above."</small></p>
        </Lead>
    });
    view! {
        <Section title_id="boundaries-title" title="Boundaries">
            {lead}
            {content}
        </Section>
    }
}

#[component]
fn Row(behind: Behind, count: BoundaryCount) -> impl IntoView {
    let project = behind.causes.project;
    let BoundaryCount { boundary, groups, same_labels } = count;
    let words = words(boundary);
    let cells = [
        (PositionOutcome::Any, groups, ""),
        (PositionOutcome::Agree, same_labels, " with the same labels"),
        (PositionOutcome::Differ, groups - same_labels, " with other labels"),
    ]
    .map(|(outcome, count, which)| {
        let query = behind.query();
        // Boundaries are of exact positions, whatever is compared.
        let switches = query.switches.of_exact_positions();
        let query = PositionQuery { boundary: Some(boundary), outcome, switches, ..query };
        let of = format!("groups, {words}{which}");
        view! { <td class="number"><Counted project count query of/></td> }
    });
    view! {
        <tr>
            <th scope="row"><span class="row"><Drawing boundary/>{words}</span></th>
            {cells.collect_view()}
        </tr>
    }
}

/// How the first rater's mark lies to the second's.
pub(crate) const fn words(boundary: Boundary) -> &'static str {
    match boundary {
        Boundary::StartsEarlier => "starts earlier",
        Boundary::StartsLater => "starts later",
        Boundary::EndsEarlier => "ends earlier",
        Boundary::EndsLater => "ends later",
        Boundary::Before => "starts and ends earlier",
        Boundary::After => "starts and ends later",
        Boundary::Around => "around the other’s (nested)",
        Boundary::Inside => "inside the other’s (nested)",
        Boundary::Split => "split: several where the other has one",
        Boundary::Merged => "merged: one where the other has several",
        Boundary::Several => "several against several",
    }
}
