//! Labelers at work on a demo server: every call saves a few spans through the real save path.

use domain::ProjectId;
use leptos::prelude::*;
use server_fn::ServerFn;

use crate::{api::project::SimulateLabelers, view::view};

/// The button that starts and stops them, and how much they have saved; the page's script makes
/// the calls.
#[component]
pub(crate) fn Simulation(project: ProjectId) -> impl IntoView {
    view! {
        <section class="card" id="simulation" aria-labelledby="simulation-title">
            <h2 id="simulation-title">"Simulate labelers"</h2>
            <p>
                "Two labelers mark a few spans every moment, through the same save path as everybody. Watch the matrix move."
            </p>
            <div class="row">
                <button
                    type="button"
                    class="primary"
                    data-own=""
                    data-simulate=SimulateLabelers::url()
                    data-project=project.to_string()
                >
                    "Simulate labelers"
                </button>
                <span role="status" class="number" data-own=""></span>
            </div>
        </section>
    }
}
