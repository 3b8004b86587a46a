//! Who drifts.

use std::sync::Arc;

use domain::{
    Label, LabelUsage, Measured, PersonOrder, PersonPart, PersonParts, PooledPart, PositionOutcome,
    PositionQuery, ProjectId, ProjectView, Role, SelfPart, Sorting, Switches, Whose,
};

use super::{Asked, PartPage, Questions, part_page};
use crate::pages::{
    components::{
        agreement::{
            counted::Counted,
            matrix::controls::{
                question_menu::answers, switch_bar::SwitchBar, unoffered::EVERYTHING,
            },
            pictures::{Bar, Course},
            shares::percent,
        },
        list::sort_head::SortHead,
        prelude::*,
    },
    project::ProjectContext,
};

/// A bias index below this is not worth a word.
const NOTABLE: f64 = 0.02;

/// Labels shown that a person uses differently.
const SHOWN: usize = 3;

/// Every labeler against the others, the one furthest apart first.
#[component]
pub(crate) fn PersonPartsPage() -> impl IntoView {
    part_page(
        PartPage {
            title: "People by agreement",
            heading: "People",
            part: "people",
            offered: EVERYTHING,
        },
        |services, actor, Asked { project, switches, sorting }| async move {
            services::agreement::breakdowns::people(&services, &actor, project, switches, sorting)
                .await
        },
        |parts, asked| view! { <People parts asked/> },
    )
}

#[component]
fn People(parts: PersonParts, asked: Asked<PersonOrder>) -> impl IntoView {
    let Asked { project, switches, sorting } = asked;
    let PersonParts { revision, labels, rows, .. } = parts;
    let address = move |sorting: &Sorting<PersonOrder>| {
        query::parts_address(project, "people", switches, sorting)
    };
    let labels: Arc<[Label]> = labels.into();
    // Managers see it once somebody has done a document twice.
    let with_own = rows.iter().any(|row| row.own.is_some());
    let own_head = with_own.then(|| view! {
        <SortHead text="With themselves" order=PersonOrder::Themselves sorting address number=true/>
    });
    let own_note = with_own.then(|| view! {
        <p>"“With themselves” compares documents submitted twice ("<a href=format!("/projects/{project}/work/repeats")>"repeats"</a>"): nobody can be expected to agree better with others."</p>
    });
    let content = if rows.is_empty() {
        view! { <p class="empty">"No labelers yet."</p> }
    } else {
        let rows: Vec<_> = rows
            .into_iter()
            .map(|row| view! { <Row project switches row with_own labels=labels.clone()/> })
            .collect();
        view! {
            <Table label="People" class="rows parts">
                <caption class="visually-hidden">"Each labeler against the others and the reviewers"</caption>
                <thead>
                    <tr>
                        <SortHead text="Labeler" order=PersonOrder::Name sorting address/>
                        <SortHead text="With labelers" order=PersonOrder::Value sorting address number=true/>
                        <SortHead text="Comparisons" order=PersonOrder::Positions sorting address number=true/>
                        <SortHead text="With reviewers" order=PersonOrder::Reviewers sorting address number=true/>
                        {own_head}
                        <th scope="col">"Agreement by document"</th>
                        <th scope="col">"Weak spots"</th>
                        <th scope="col">"Uses differently"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </Table>
        }
    };
    let ProjectContext(context) = expect_context();
    let same_order =
        move |switches: Switches| query::parts_address(project, "people", switches, &sorting);
    view! {
        <Loaded resource=context quiet=true view=move |project: ProjectView| {
            let answers = answers(switches.filter.question, &project);
            view! {
                <SwitchBar switches answers address=same_order>
                    <Questions switches address=same_order/>
                </SwitchBar>
            }
        }/>
        <LiveLine project switches revision/>
        <Lead line="Low with labelers but high with reviewers? This person is often the one who is right." about="people by agreement">
            <p>"Each labeler is compared with all the others at once. Read some positions before you speak with anybody."</p>
            <p>"The line shows agreement over the person’s documents, first to last: falling means tiredness or a habit that came later, rising means learning."</p>
            {own_note}
            <p><small>"Counts of all pairs are added up, then measured; a position counts once for each other person. The line is the percentage, in at most ten blocks of documents in the order of their last save."</small></p>
        </Lead>
        {content}
    }
}

#[component]
fn Row(
    project: ProjectId,
    switches: Switches,
    row: PersonPart,
    with_own: bool,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let PersonPart { rater, labelers, reviewers, own, weak, usage, course } = row;
    let own = with_own.then(|| view! { <td class="number"><Themselves own/></td> });
    let with = |role| PositionQuery::of(Whose::Pooled(rater.id, role), switches);
    let differ = |part: PooledPart| {
        let query = PositionQuery { outcome: PositionOutcome::Differ, ..with(part.role) };
        let of = format!("comparisons in which {} differs", rater.name);
        view! { <Counted project count=part.comparisons - part.agreements query of/> }
    };
    let weak: Vec<_> = weak
        .into_iter()
        .map(|weak| {
            let name = naming::label(weak.label, &labels);
            let query = PositionQuery {
                label: Some(weak.label),
                outcome: PositionOutcome::Differ,
                ..with(Role::Labeler)
            };
            let of = format!("comparisons: {name}, by one and not by the other");
            view! {
                <li class="row bar-row">
                    <Bar share=Some(weak.positive)/><bdi>{name}</bdi>
                    <span class="number">{display::decimals(weak.positive, 2)}</span>
                    <span class="soft">"differ "<Counted project count=weak.differ query of/></span>
                </li>
            }
        })
        .collect();
    let weak = if weak.is_empty() {
        view! { <span class="soft">"none with 5 comparisons"</span> }
    } else {
        view! { <ul class="plain-list">{weak}</ul> }
    };
    let all = with(Role::Labeler);
    let usage: Vec<_> = notable(usage)
        .into_iter()
        .map(|usage| view! { <Usage project usage labels=labels.clone() all=all.clone()/> })
        .collect();
    let usage = if usage.is_empty() {
        view! { <span class="soft">"no notable difference"</span> }
    } else {
        view! { <ul class="plain-list">{usage}</ul> }
    };
    let of_all = format!("comparisons of {}", rater.name);
    let (with_labelers, with_reviewers) = (differ(labelers), differ(reviewers));
    view! {
        <tr>
            <th scope="row"><bdi>{rater.name.clone()}</bdi></th>
            <td class="number"><Value part=labelers/></td>
            <td class="number">
                <Counted project count=labelers.comparisons query=all of=of_all/>
                <span class="soft interval">"differ "{with_labelers}</span>
            </td>
            <td class="number"><Value part=reviewers/><span class="soft interval">"differ "{with_reviewers}</span></td>
            {own}
            <td><Course blocks=course/></td>
            <td>{weak}</td>
            <td>{usage}</td>
        </tr>
    }
}

/// A pooled value, or why there is none.
#[component]
fn Value(part: PooledPart) -> impl IntoView {
    match part.measured {
        Measured::Value { value, .. } => {
            view! { <strong>{display::decimals(value, 2)}</strong> }
        }
        Measured::Undefined(reason) => {
            view! { "–"<span class="soft interval">{reason.sentence()}</span> }
        }
    }
}

/// A labeler against themselves, with what that rests on.
#[component]
fn Themselves(own: Option<SelfPart>) -> impl IntoView {
    let Some(own) = own else {
        return view! { <span class="soft">"no repeats"</span> };
    };
    let documents = display::count(own.documents, "document");
    let (n, places) = (display::thousands(own.comparisons), own.coverage.positions());
    let basis = format!("n = {n} of {} in {documents}", display::thousands(places));
    let value = match own.measured {
        Measured::Value { value, .. } => view! {
            <strong>{display::decimals(value, 2)}</strong>
            <span class="soft interval">{display::confidence(own.confidence)}</span>
        },
        Measured::Undefined(reason) => {
            view! { "–"<span class="soft interval">{reason.sentence()}</span> }
        }
    };
    view! { {value}<span class="soft interval">{basis}</span> }
}

/// The labels that a person uses most differently, with at least a notable bias.
fn notable(mut usage: Vec<LabelUsage>) -> Vec<LabelUsage> {
    usage.retain(|usage| usage.bias.abs() >= NOTABLE);
    usage.sort_by(|one, other| other.bias.abs().total_cmp(&one.bias.abs()));
    usage.truncate(SHOWN);
    usage
}

/// A label that the person gives more or less often than the others.
#[component]
fn Usage(
    project: ProjectId,
    usage: LabelUsage,
    labels: Arc<[Label]>,
    all: PositionQuery,
) -> impl IntoView {
    let name = naming::label(usage.label, &labels);
    let asking = |outcome| PositionQuery { label: Some(usage.label), outcome, ..all.clone() };
    let (own, others) = (asking(PositionOutcome::OnlyFirst), asking(PositionOutcome::OnlySecond));
    let (sign, word) = if usage.bias > 0.0 { ("▲", "more often") } else { ("▼", "less often") };
    let of_own = format!("comparisons: {name}, by this person alone");
    let of_others = format!("comparisons: {name}, by the other alone");
    view! {
        <li>
            <span aria-hidden="true">{sign}</span>" "<bdi>{name}</bdi>" "{word}", by "{percent(usage.bias.abs())}
            " "<span class="soft">
                "alone "<Counted project count=usage.only_own query=own of=of_own/>
                ", the others "<Counted project count=usage.only_others query=others of=of_others/>
            </span>
        </li>
    }
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;

    #[test]
    fn only_a_notable_bias_is_shown_the_strongest_first() {
        let usage = |label, bias| LabelUsage {
            label: LabelId(label),
            both: 0,
            only_own: 0,
            only_others: 0,
            bias,
        };
        let all =
            vec![usage(1, 0.01), usage(2, -0.3), usage(3, 0.1), usage(4, 0.05), usage(5, 0.2)];
        let shown: Vec<_> = notable(all).iter().map(|usage| usage.label.0).collect();
        assert_eq!(shown, [2, 5, 3]);
    }
}
