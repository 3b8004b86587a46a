//! What labelers' judgements come to together, who is how often right by that, and what is to be decided first.

use std::sync::Arc;

use domain::{
    Competence, ConsensusEstimate, ConsensusPositions, ConsensusQuery, ConsensusView,
    DoubtfulPosition, Label, LabelSet, NoConsensus, PositionQuery, ProjectId, ProjectView, Rater,
    Role, WalkList, Whose,
};

use crate::pages::{
    agreement::{breakdowns::Questions, positions::said_here, use_switches},
    components::{
        agreement::{
            disagreements::{
                kind::kind_of_row,
                place::Way,
                row::{InText, Shown},
                table::StepKeys,
            },
            matrix::controls::{
                switch::{Choice, Switch},
                switch_bar::SwitchBar,
                unoffered::{COMMON, Unoffered},
            },
            pictures::Bar,
            shares::percent,
            walk_through::can_be_walked,
        },
        prelude::*,
    },
    project::ProjectContext,
};

/// Categories shown of a labeler.
const SHOWN: usize = 6;

/// The consensus under the switches of the page's address.
#[component]
pub(crate) fn ConsensusPage() -> impl IntoView {
    let (project, switches) = (use_project_id(), use_switches());
    let asked = query::read_consensus(switches, in_query);
    let address = move |switches| {
        query::consensus_address(project, ConsensusQuery { switches, page: 0, ..asked })
    };
    if !COMMON.has(switches) {
        return view! {
            <PageBody title="Consensus" class="page agreement">
                <Unoffered switches address offered=COMMON/>
            </PageBody>
        };
    }
    let found = load_with(move |services, actor| async move {
        services::review::consensus::load(&services, &actor, project, asked).await
    });
    let ProjectContext(context) = expect_context();
    view! {
        <PageBody title="Consensus" class="page agreement">
            <SwitchBar switches address any_measure=true any_scale=true positions=COMMON.positions>
                <Questions switches address/>
                <Listed project asked/>
            </SwitchBar>
            <Loaded resource=context titled=true view=move |project: ProjectView| view! {
                <Loaded resource=found titled=true view=move |found| view! {
                    <Consensus project found asked/>
                }/>
            }/>
        </PageBody>
    }
}

#[component]
fn Consensus(project: ProjectView, found: ConsensusView, asked: ConsensusQuery) -> impl IntoView {
    let ConsensusView { revision, switches: counted, raters, labels, estimate, page, .. } = found;
    let who = who_sees(project.role, found.reviewers_see);
    let switches = asked.switches;
    let id = project.id;
    let estimate = match estimate {
        Ok(estimate) => estimate,
        Err(why) => {
            return view! {
                <LiveLine project=id switches revision/>
                <p class="empty">{reason(why)}</p>
            };
        }
    };
    let labels: Arc<[Label]> = labels.into();
    let raters: Arc<[Rater]> = raters.into();
    let list = WalkList::Positions(PositionQuery::of(Whose::Labelers, counted));
    let way = Way::new(&project, list.clone());
    let rows: Vec<_> = page
        .rows
        .iter()
        .map(|position| {
            let (position, raters) = (position.clone(), Arc::clone(&raters));
            view! { <Row position raters labels=Arc::clone(&labels) way=way.clone()/> }
        })
        .collect();
    let is_told = page.rows.iter().any(|row| !row.proposed.is_empty());
    let said = if is_told { "Probably, and raters" } else { "Raters" };
    let total = page.total;
    let address = move |page| query::consensus_address(id, ConsensusQuery { page, ..asked });
    let (title, status, caption) = match asked.positions {
        ConsensusPositions::Open => {
            ("Most in doubt", "not decided", "Positions not decided, the most doubtful first")
        }
        ConsensusPositions::Decided => {
            ("Least expected", "decided", "Decided positions, the least probable decision first")
        }
    };
    let unsettled = (!estimate.converged).then(|| {
        view! { <p class="notice">"The estimate had not settled when it was stopped."</p> }
    });
    view! {
        <LiveLine project=id switches revision/>
        <Expected estimate=estimate.clone() are_decided=can_be_walked(&list)/>
        {unsettled}
        <Lead line=who about="the consensus">
            <p>"Each labeler has a habit for each category, learned from how they judge what others judged, too. From the habits follows how probable each category is on each position. Where labelers share a mistake, the estimate makes it with them."</p>
            <p><small>"Dawid and Skene (1979), by expectation and maximisation, with a tenth of a judgement added to each cell. Positions judged by two or more."</small></p>
        </Lead>
        {(!estimate.people.is_empty()).then(|| view! {
            <People people=estimate.people labels=Arc::clone(&labels)/>
        })}
        <Section title_id="doubtful-title" title=title>
            <p class="number" role="status">{display::count(total, "position")}" "{status}</p>
            {(!rows.is_empty()).then(|| view! {
                <table class="rows disagreements positions">
                    <caption class="visually-hidden">{caption}</caption>
                    {heads([Text("Position"), Text("Kind"), Text(said), Text("Decision")])}
                    <tbody>{rows}</tbody>
                </table>
                <StepKeys/>
            })}
            <Pager page address/>
        </Section>
    }
}

/// Which positions are listed.
#[component]
fn Listed(project: ProjectId, asked: ConsensusQuery) -> impl IntoView {
    let choices = ConsensusPositions::ALL.iter().map(|&positions| Choice {
        name: match positions {
            ConsensusPositions::Open => "Not decided".into(),
            ConsensusPositions::Decided => "Decided".into(),
        },
        is_current: positions == asked.positions,
        address: query::consensus_address(project, ConsensusQuery { positions, page: 0, ..asked }),
    });
    view! {
        <Switch name="List" choices=choices.collect() meaning="What is still to be decided, the most doubtful first; or what was decided, the least probable decision first."/>
    }
}

/// Who is told what is probable, in a sentence.
const fn who_sees(role: Role, reviewers_see: bool) -> &'static str {
    match (role, reviewers_see) {
        (Role::Manager, false) => {
            "An estimate. Reviewers are told what is probable where they have decided."
        }
        (Role::Manager, true) => {
            "An estimate. Reviewers are told what is probable before they decide."
        }
        (_, false) => "An estimate. You see what is probable where you have decided.",
        (_, true) => "An estimate from labelers’ judgements.",
    }
}

/// "Expected error 3.4 % of 240 positions. Decide the 12 most doubtful, and it falls below 2 %."
#[component]
fn Expected(
    estimate: ConsensusEstimate,
    /// Whether reviewers decide on such positions.
    are_decided: bool,
) -> impl IntoView {
    let ConsensusEstimate { positions, decided, as_expected, expected_error, to_decide, .. } =
        estimate;
    let aim = percent(ConsensusEstimate::AIM);
    let next = match to_decide {
        0 => format!("Below {aim} already."),
        1 => format!("Decide the most doubtful position, and it falls below {aim}."),
        n => format!(
            "Decide the {} most doubtful positions, and it falls below {aim}.",
            display::thousands(n)
        ),
    };
    view! {
        <dl class="facts">
            <div><dt>"Expected error"</dt><dd class="number">{percent(expected_error)}</dd></div>
            <div><dt>"Positions"</dt><dd class="number">{display::thousands(positions)}</dd></div>
            {are_decided.then(|| view! {
                <div><dt>"Decided"</dt><dd class="number">{display::thousands(decided)}</dd></div>
                <div>
                    <dt>"Of these as expected"</dt>
                    <dd class="number">{display::thousands(as_expected)}</dd>
                </div>
            })}
        </dl>
        {are_decided.then(|| view! { <p>{next}</p> })}
    }
}

const fn reason(why: NoConsensus) -> &'static str {
    match why {
        NoConsensus::Nothing => {
            "No position judged by two labelers yet. The consensus appears once two have saved work \
             on the same document."
        }
        NoConsensus::TooMuch => {
            "Too many positions to learn from at once. Choose one round or one document."
        }
    }
}

#[component]
fn People(people: Vec<Competence>, labels: Arc<[Label]>) -> impl IntoView {
    let row = |person: Competence| {
        let Competence { rater, judgements, accuracy, mut of_categories } = person;
        of_categories.sort_by(|one, other| one.1.total_cmp(&other.1));
        let categories: Vec<_> = of_categories
            .into_iter()
            .take(SHOWN)
            .map(|(set, share)| {
                let name = naming::category(&set, &labels);
                view! { <li><bdi>{name}</bdi>" "<span class="number">{percent(share)}</span></li> }
            })
            .collect();
        view! {
            <tr>
                <th scope="row"><bdi>{rater.name}</bdi></th>
                <td class="number">{display::thousands(judgements)}</td>
                <td><span class="row bar-row"><Bar share=Some(accuracy)/>{percent(accuracy)}</span></td>
                <td><ul class="plain-list row">{categories}</ul></td>
            </tr>
        }
    };
    let rows: Vec<_> = people.into_iter().map(row).collect();
    view! {
        <Table label="People" class="rows parts">
            <caption class="visually-hidden">"How often each labeler is right by the consensus"</caption>
            <thead>
                <tr>
                    <th scope="col">"Labeler"</th>
                    <th scope="col" class="number">"Judgements"</th>
                    <th scope="col">"Probably right"</th>
                    <th scope="col">"Says it where it is right, weakest first"</th>
                </tr>
            </thead>
            <tbody>{rows}</tbody>
        </Table>
    }
}

/// A position, what is probably right there, and who said what.
#[component]
fn Row(
    position: DoubtfulPosition,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
    way: Way,
) -> impl IntoView {
    let DoubtfulPosition { row, proposed, decision } = position;
    let at = row.at();
    let kind = kind_of_row(&row);
    let proposed = proposed.iter().map(|(set, probability): &(LabelSet, f64)| {
        format!("{} {}", naming::category(set, &labels), percent(*probability))
    });
    let decision = decision.map(|probability| format!("decision {}", percent(probability)));
    let proposed = proposed.chain(decision).collect::<Vec<_>>().join(" · ");
    let proposed =
        (!proposed.is_empty()).then(|| view! { <p class="number" dir="auto">{proposed}</p> });
    let judged = said_here(row.said, &raters, &labels);
    let said = view! { {proposed}{judged} }.into_any();
    let (document_name, text) = (row.document_name, (row.left, row.quote, row.right));
    let shown = Shown { at, document_name, text, kind, decision: row.decision };
    view! { <InText shown said labels way/> }
}

#[cfg(test)]
mod tests {
    use domain::Switches;

    use super::*;

    #[test]
    fn the_address_has_the_switches_and_the_page() {
        let asked = ConsensusQuery {
            switches: Switches::default(),
            positions: ConsensusPositions::Decided,
            page: 2,
        };
        let address = query::consensus_address(ProjectId(3), asked);
        assert!(address.starts_with("/projects/3/review/consensus?measure=kappa"));
        assert!(address.ends_with("&positions=decided&page=3"));
    }
}
