//! Labelers at work on a demo server: every call saves a few spans through the real save path.

use std::time::Duration;

use domain::ProjectId;
use leptos::{leptos_dom::helpers::IntervalHandle, prelude::*};

use crate::{
    api::projects::simulate_labelers,
    components::field::{Problem, refusal},
    display,
    view::{dynamic, view},
};

/// The time between two calls: slow enough to follow what moves.
const PAUSE: Duration = Duration::from_millis(1500);

/// Calls at an interval until it is dropped.
struct Ticker(IntervalHandle);

impl Ticker {
    fn start(tick: impl Fn() + 'static) -> Option<Self> {
        tick();
        set_interval_with_handle(tick, PAUSE).ok().map(Self)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.0.clear();
    }
}

/// The button that starts and stops them, and how much they have saved.
#[island]
pub(crate) fn Simulation(project: ProjectId) -> impl IntoView {
    let is_running = RwSignal::new(false);
    let spans = RwSignal::new(0_u64);
    let simulate = Action::new(move |(): &()| async move {
        let saved = simulate_labelers(project).await;
        match &saved {
            Ok(more) => spans.update(|sum| *sum += u64::from(*more)),
            Err(_) => is_running.set(false),
        }
        saved
    });
    Effect::new(move |previous: Option<Option<Ticker>>| {
        drop(previous);
        if !is_running.get() {
            return None;
        }
        Ticker::start(move || {
            // A slow answer is waited for instead of piling calls up.
            if !simulate.pending().get_untracked() {
                simulate.dispatch(());
            }
        })
    });
    let counted = dynamic(move || {
        let spans = spans.get();
        (spans > 0).then(|| format!("{} saved", display::count(spans, "span")))
    });
    view! {
        <section class="card" id="simulation" aria-labelledby="simulation-title">
            <h2 id="simulation-title">"Simulate labelers"</h2>
            <p>
                "Two labelers mark a few spans every moment, through the same save path as everybody. Watch the matrix move."
            </p>
            <div class="row">
                <button
                    type="button"
                    class:primary=move || !is_running.get()
                    on:click=move |_| is_running.update(|is_running| *is_running = !*is_running)
                >
                    {move || if is_running.get() { "Stop" } else { "Simulate labelers" }}
                </button>
                <span role="status" class="number">{counted}</span>
            </div>
            <Problem refusal=refusal(simulate)/>
        </section>
    }
}
