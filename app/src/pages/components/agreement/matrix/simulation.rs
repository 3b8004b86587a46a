//! Labelers at work on a demo server: every call saves a few spans through the real save path.

use domain::ProjectId;
use server_fn::ServerFn;

use crate::{api::project::SimulateLabelers, pages::components::prelude::*};

/// The button that starts and stops them, and how much they have saved; the page's script makes
/// the calls.
#[component]
pub(crate) fn Simulation(project: ProjectId) -> impl IntoView {
    view! {
        <Section title_id="simulation-title" title="Simulate labelers" class="card" id="simulation">
            <p>
                "Two labelers add a few spans every moment. Watch the matrix move."
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
        </Section>
    }
}
