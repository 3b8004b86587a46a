//! How far the work is: from documents to the gold standard, at which pace, and everybody for
//! themselves.

use domain::{Funnel, Pace, PersonProgress, ProjectId, Role, StateCounts};
use services::overview::SWITCHES;

use super::lists::undecided_address;
use crate::pages::components::{
    agreement::{
        pictures::ShareBar,
        shares::{percent, share},
    },
    prelude::*,
};

/// The first stages, which one labeler alone gets through.
const ALONE: usize = 2;

#[component]
pub(super) fn Progress(
    project: ProjectId,
    funnel: Funnel,
    pace: Pace,
    people: Vec<PersonProgress>,
) -> impl IntoView {
    let address = format!("/projects/{project}");
    let disputed = query::positions_address(
        project,
        &domain::PositionQuery {
            outcome: domain::PositionOutcome::Differ,
            ..domain::PositionQuery::of(domain::Whose::Labelers, SWITCHES)
        },
    );
    let parts = query::matrix_address(project, SWITCHES);
    let of_documents = |n| (n, funnel.documents);
    let of_positions = |n| (n, funnel.positions);
    // Of positions that differ in their boundaries several are one decision.
    let to_decide = if funnel.decisions == funnel.undecided {
        "To decide".to_owned()
    } else {
        format!("To decide, by {}", display::count(funnel.decisions, "decision"))
    };
    let steps = [
        (
            "Documents".to_owned(),
            of_documents(funnel.documents),
            format!("{address}/work/documents"),
        ),
        (
            "Annotated".to_owned(),
            of_documents(funnel.annotated),
            format!("{address}/work/documents"),
        ),
        ("Compared by two".to_owned(), of_documents(funnel.compared), parts.clone()),
        ("Positions in these".to_owned(), of_positions(funnel.positions), parts),
        ("In dispute".to_owned(), of_positions(funnel.disputed), disputed),
        (to_decide, of_positions(funnel.undecided), undecided_address(project)),
        ("Gold".to_owned(), of_positions(funnel.settled()), format!("{address}/review/gold")),
    ];
    // Before two labelers have submitted a document there are no positions to speak of.
    let is_compared = funnel.compared > 0;
    let shown = if is_compared { steps.len() } else { ALONE };
    let rows: Vec<_> =
        steps.into_iter().take(shown).map(|(name, of, href)| step(name, of, href)).collect();
    let alone = (funnel.documents > 0 && !is_compared).then(|| {
        view! { <p class="soft">"Nothing to compare until two labelers have submitted the same document."</p> }
    });
    view! {
        <Section title_id="progress-title" title="Progress" class="card">
            <Table labelled_by="progress-title" class="funnel">
                {heads([Text("Stage"), Hidden("Share"), Number("Count")])}
                <tbody>{rows}</tbody>
            </Table>
            {alone}
            <Forecast pace/>
            <People people/>
        </Section>
    }
}

fn step(name: String, (n, of): (u64, u64), href: String) -> AnyView {
    let title = share(n, of).map(percent);
    view! {
        <tr>
            <th scope="row">{name}</th>
            <td class="bar-cell" title=title>
                <ShareBar share=share(n, of)/>
            </td>
            <td class="number"><a href=href>{display::thousands(n)}</a></td>
        </tr>
    }
}

/// "12 of 40 assignments submitted, 2.4 a day. Done between 24 Nov and 3 Dec."
#[component]
fn Forecast(pace: Pace) -> impl IntoView {
    let Pace { counts, days, mean, done } = pace;
    let submitted = format!(
        "{} of {} submitted",
        display::thousands(counts.submitted),
        display::count(counts.total(), "assignment")
    );
    let pace = (!days.is_empty()).then(|| format!(", {} a day", display::decimals(mean, 1)));
    let forecast = done.map(|(soonest, latest)| {
        let day = |day: chrono::NaiveDate| day.format("%-d %b %Y").to_string();
        match latest {
            Some(latest) if latest == soonest => format!("Done on {}.", day(soonest)),
            Some(latest) => format!("Done between {} and {}.", day(soonest), day(latest)),
            None => format!("Done after {}.", day(soonest)),
        }
    });
    let rule = forecast.is_some().then(|| {
        let rule = format!(
            "From the last {}: the mean with its 95 % interval, as if people went on like this.",
            display::count(u64::try_from(days.len()).unwrap_or(u64::MAX), "day")
        );
        view! { <details class="rule"><summary class="help" aria-label="How is this estimated?">"?"</summary><p class="soft">{rule}</p></details> }
    });
    view! {
        <div class="forecast">
            <p>{submitted}{pace}". "{forecast}</p>
            {rule}
        </div>
    }
}

/// A row for everybody who works on documents.
#[component]
fn People(people: Vec<PersonProgress>) -> impl IntoView {
    let rows = people
        .into_iter()
        .filter(|person| person.role != Role::Manager)
        .map(|PersonProgress { name, role, counts, .. }| {
            view! {
                <tr>
                    <th scope="row" dir="auto">{name}</th>
                    <td>{role.name()}</td>
                    <td class="bar-cell"><StateBar counts/></td>
                    <td class="number">{display::thousands(counts.open)}</td>
                    <td class="number">{display::thousands(counts.saved)}</td>
                    <td class="number">{display::thousands(counts.submitted)}</td>
                </tr>
            }
        })
        .collect::<Vec<_>>();
    (!rows.is_empty()).then(|| {
        view! {
            <details class="people-progress">
                <summary>"By person"</summary>
                <Table label="Progress by person">
                    <thead>
                        <tr>
                            <th scope="col">"Person"</th>
                            <th scope="col">"Role"</th>
                            <th scope="col" class="bar-cell">
                                <span class="visually-hidden">"Share submitted and saved"</span>
                            </th>
                            <th scope="col" class="number">"Open"</th>
                            <th scope="col" class="number">"Saved"</th>
                            <th scope="col" class="number">"Submitted"</th>
                        </tr>
                    </thead>
                    <tbody>{rows}</tbody>
                </Table>
            </details>
        }
    })
}

/// Submitted, saved and open documents as one bar; the numbers stand beside it.
#[component]
fn StateBar(counts: StateCounts) -> impl IntoView {
    let total = counts.total().max(1);
    let worked = counts.submitted + counts.saved;
    view! {
        <svg
            class="state-bar"
            viewBox=format!("0 0 {total} 1")
            preserveAspectRatio="none"
            aria-hidden="true"
        >
            <rect class="open" width=total.to_string() height="1"></rect>
            <rect class="saved" width=worked.to_string() height="1"></rect>
            <rect class="submitted" width=counts.submitted.to_string() height="1"></rect>
        </svg>
    }
}
