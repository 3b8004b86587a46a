//! Whether labelers draw their next document themselves, and how.

use domain::{Pool, ProjectId};
use leptos::{form::ActionForm, prelude::*};

use crate::{
    api::workload::{ClosePool, OpenPool},
    display,
    pages::components::field::{Problem, refusal},
    view::view,
};

#[component]
pub(super) fn PoolCard(
    project: ProjectId,
    pool: Option<Pool>,
    /// Documents that are left in it, and how many copies.
    pooled: (u64, u64),
) -> impl IntoView {
    let open = ServerAction::<OpenPool>::new();
    let close = ServerAction::<ClosePool>::new();
    let refused = refusal(open.into()).or(refusal(close.into()));
    let (state, button) = if pool.is_some() {
        let (documents, copies) = pooled;
        let left = if copies == 0 {
            "every document has its labelers".to_owned()
        } else {
            format!(
                "{} left to draw, in {}",
                if copies == 1 {
                    "1 copy".to_owned()
                } else {
                    format!("{} copies", display::thousands(copies))
                },
                display::count(documents, "document")
            )
        };
        (format!("On: {left}."), "Change")
    } else {
        ("Off: labelers do what is given to them.".to_owned(), "Let labelers draw")
    };
    let usual = pool.unwrap_or(Pool { copies: 2, cap: 3, days: 0 });
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
                <button>"Stop drawing"</button>
            </ActionForm>
        }
    });
    view! {
        <section class="card stack" id="pool" aria-labelledby="pool-title">
            <h2 id="pool-title">"Next document on demand"</h2>
            <p class="soft">"Labelers draw their next document themselves, in the order of import, so that the first are soon done by enough."</p>
            <p role="status">{state}</p>
            <Problem refusal=refused/>
            <ActionForm action=open attr:class="row work-fields">
                <input type="hidden" name="project" value=project.to_string()/>
                {field("copies", "Labelers for each document", usual.copies, "1")}
                {field("cap", "At most open at a time", usual.cap, "1")}
                {field("days", "Due after days (0: never)", usual.days, "0")}
                <button>{button}</button>
            </ActionForm>
            {off}
        </section>
    }
}
