//! What would be done, and the button that does it.

use domain::{Error, ProjectId, WorkloadPlan, WorkloadShare};

use crate::{api::workload::GiveWork, pages::components::prelude::*};

#[component]
pub(super) fn Preview(project: ProjectId, plan: Result<WorkloadPlan, Error>) -> impl IntoView {
    let (give, refused) = form_action::<GiveWork>();
    let plan = match plan {
        Ok(plan) => plan,
        Err(error) => return view! { <Problem refusal=Some(ApiError::App(error))/> },
    };
    let ask = serde_json::to_string(&plan.ask).unwrap_or_default();
    let WorkloadPlan { seed, shares, before, after, stay, changes, seen, .. } = plan;
    let summary = summary(&shares, &after);
    let rows: Vec<_> = shares.into_iter().map(row).collect();
    let spread = spread(&before, &after);
    let seed = seed.map(|seed| {
        view! {
            <p class="soft">
                "Second labelers are drawn with the seed "<code>{seed}</code>": lowest SHA-256 of “seed:document number”. Nobody chooses the seed."
            </p>
        }
    });
    let stays = match stay {
        0 => String::new(),
        n => format!(
            "Unchanged: {}, assigned already, started or submitted.",
            display::count(n, "assignment")
        ),
    };
    let act = if changes == 0 {
        view! { <p class="empty">"No changes: everyone has this already."</p> }
    } else {
        let words = format!("Apply {}", display::count(changes, "change"));
        view! {
            <ActionForm action=give attr:class="actions">
                {hidden_fields([("project", &project), ("ask", &ask), ("seen", &seen)])}
                <button class="primary">{words}</button>
            </ActionForm>
        }
    };
    view! {
        <div class="stack" id="preview">
            <h3>"Preview"</h3>
            <Problem refusal=refused/>
            <p role="status">{summary}</p>
            <Table label="Changes by person">
                <caption class="visually-hidden">"Changes by labeler"</caption>
                {heads([
                    Text("Labeler"), Number("Has"), Number("Gets"), Number("Loses"),
                    Number("New due date"), Number("Total"),
                ])}
                <tbody>{rows}</tbody>
            </Table>
            {spread}
            <p class="soft">{stays}</p>
            {seed}
            {act}
        </div>
    }
}

/// "Ada gets 5, Bo gets 5; 2 documents will have 2 labelers."
fn summary(shares: &[WorkloadShare], after: &[(u64, u64)]) -> String {
    let mut deeds = Vec::new();
    for WorkloadShare { name, gets, loses, dated, .. } in shares {
        for (n, verb) in [(*gets, "gets"), (*loses, "loses")] {
            if n > 0 {
                deeds.push(format!("{name} {verb} {}", display::thousands(n)));
            }
        }
        if *dated > 0 {
            deeds.push(format!("{name} has {} due anew", display::count(*dated, "document")));
        }
    }
    if deeds.is_empty() {
        return String::new();
    }
    let mut several: Vec<_> = after.iter().filter(|(labelers, _)| *labelers > 1).collect();
    several.sort_unstable();
    let several: Vec<_> = several
        .into_iter()
        .map(|(labelers, documents)| {
            format!("{} will have {labelers} labelers", display::count(*documents, "document"))
        })
        .collect();
    let rest = if several.is_empty() { String::new() } else { format!("; {}", several.join(", ")) };
    format!("{}{rest}.", deeds.join(", "))
}

fn row(share: WorkloadShare) -> AnyView {
    let WorkloadShare { name, has, gets, loses, dated, .. } = share;
    let number = |n: u64| {
        let class = if n == 0 { "number soft" } else { "number" };
        view! { <td class=class>{display::thousands(n)}</td> }
    };
    view! {
        <tr>
            <th scope="row"><bdi>{name}</bdi></th>
            {number(has)}
            {number(gets)}
            {number(loses)}
            {number(dated)}
            {number(has + gets - loses)}
        </tr>
    }
}

/// How many documents have how many labelers, before and after.
fn spread(before: &[(u64, u64)], after: &[(u64, u64)]) -> AnyView {
    let most = before.iter().chain(after).map(|(assignments, _)| *assignments).max().unwrap_or(0);
    let of = |spread: &[(u64, u64)], assignments: u64| {
        let found = spread.iter().find(|(one, _)| *one == assignments);
        display::thousands(found.map_or(0, |(_, documents)| *documents))
    };
    let rows: Vec<_> = (0..=most)
        .filter(|assignments| before.iter().chain(after).any(|(one, _)| one == assignments))
        .map(|assignments| {
            let words = display::count(assignments, "labeler");
            view! {
                <tr>
                    <th scope="row">{words}</th>
                    <td class="number">{of(before, assignments)}</td>
                    <td class="number">{of(after, assignments)}</td>
                </tr>
            }
        })
        .collect();
    view! {
        <Table label="Documents by number of labelers">
            <caption class="visually-hidden">"Documents by number of labelers"</caption>
            {heads([Text("Documents with"), Number("Now"), Number("Then")])}
            <tbody>{rows}</tbody>
        </Table>
    }
}

#[cfg(test)]
mod tests {
    use domain::MemberId;

    use super::*;

    #[test]
    fn the_preview_begins_with_what_everybody_gets() {
        let share = |name: &str, gets, dated| WorkloadShare {
            member: MemberId(1),
            name: name.to_owned(),
            has: 0,
            gets,
            loses: 0,
            dated,
        };
        let shares = [share("Ada", 5, 0), share("Bo", 0, 1)];
        assert_eq!(
            summary(&shares, &[(2, 3), (1, 7)]),
            "Ada gets 5, Bo has 1 document due anew; 3 documents will have 2 labelers."
        );
        assert_eq!(summary(&[share("Ada", 0, 0)], &[(2, 3)]), "");
    }
}
