//! Who did what of late.

use domain::Sitting;

use crate::pages::components::prelude::*;

/// Kinds of deeds that are told of a sitting.
const DEEDS: usize = 3;

#[component]
pub(super) fn Activity(sittings: Vec<Sitting>) -> impl IntoView {
    if sittings.is_empty() {
        return None;
    }
    let rows: Vec<_> = sittings.into_iter().map(row).collect();
    Some(view! {
        <Section title_id="activity-title" title="Activity" class="card">
            <ul class="plain-list activity">{rows}</ul>
        </Section>
    })
}

fn row(sitting: Sitting) -> AnyView {
    let Sitting { name, from, to, deeds } = sitting;
    let told: Vec<_> = deeds.iter().take(DEEDS).map(|(event, n)| deed(event, *n)).collect();
    let more = deeds.len().saturating_sub(DEEDS);
    let more = if more > 0 { ", …" } else { "" };
    let minutes = (to - from).num_minutes();
    let length = (minutes > 0).then(|| format!(" · {minutes} min"));
    view! {
        <li>
            <span><bdi>{name}</bdi><span class="soft">{length}</span></span>
            <span class="soft"><Ago at=to/></span>
            <span class="soft deeds">{told.join(", ")}{more}</span>
        </li>
    }
}

/// "save spans ×12", "submit".
fn deed(event: &str, n: u64) -> String {
    if n == 1 { event.to_owned() } else { format!("{event} ×{}", display::thousands(n)) }
}
