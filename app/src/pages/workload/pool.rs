//! Whether labelers draw their next document themselves, and how.

use domain::{Pool, ProjectId};

use crate::{
    api::workload::{ClosePool, OpenPool},
    pages::components::prelude::*,
};

#[component]
pub(super) fn PoolCard(
    project: ProjectId,
    pool: Option<Pool>,
    /// Documents that are left in it, and how many assignments.
    pooled: (u64, u64),
) -> impl IntoView {
    let open = ServerAction::<OpenPool>::new();
    let close = ServerAction::<ClosePool>::new();
    let refused = refusal(open.into()).or(refusal(close.into()));
    let (state, button) = if pool.is_some() {
        let (documents, assignments) = pooled;
        let left = if assignments == 0 {
            "all documents assigned".to_owned()
        } else {
            format!(
                "{} left, in {}",
                display::count(assignments, "assignment"),
                display::count(documents, "document")
            )
        };
        (format!("On: {left}."), "Change")
    } else {
        ("Off.".to_owned(), "Turn on")
    };
    let usual = pool.unwrap_or(Pool { overlap: 2, cap: 3, days: 0 });
    let field = |name: &'static str, label: &'static str, value: u32, least: &'static str| {
        let id = format!("pool-{name}");
        view! {
            <div class="field">
                <label for=id.clone()>{label}</label>
                <input id=id class="short" type="number" name=name min=least max="365" required=true value=value.to_string()/>
            </div>
        }
    };
    let off = pool.map(|_| {
        view! {
            <ActionForm action=close>
                <input type="hidden" name="project" value=project.to_string()/>
                <button>"Turn off"</button>
            </ActionForm>
        }
    });
    view! {
        <Section title_id="pool-title" title="Next document on demand" class="card stack" id="pool">
            <p class="soft">"Labelers get their next document themselves, in import order."</p>
            <p role="status">{state}</p>
            <Problem refusal=refused/>
            <ActionForm action=open attr:class="row work-fields">
                <input type="hidden" name="project" value=project.to_string()/>
                {field("overlap", "Labelers per document", usual.overlap, "1")}
                {field("cap", "Maximum open at a time", usual.cap, "1")}
                {field("days", "Due after days (0: no date)", usual.days, "0")}
                <button>{button}</button>
            </ActionForm>
            {off}
        </Section>
    }
}
