//! How to read a cell of the matrix.

use leptos::prelude::*;

use crate::view::view;

use super::{band::Band, face::FEW};

/// What value, word, n and coverage mean, and where the words come from.
#[component]
pub(crate) fn Legend() -> impl IntoView {
    let bands = Band::ALL.map(|band| {
        view! {
            <li><span class=format!("band-swatch {}", band.class()) aria-hidden="true"></span>{band.word()}" "<small>{band.range()}</small></li>
        }
    });
    view! {
        <section class="matrix-legend stack" aria-labelledby="legend-title">
            <h2 id="legend-title">"How to read a cell"</h2>
            <ul class="bands">{bands.into_iter().collect_view()}</ul>
            <p class="soft">
                "The words follow Landis and Koch (1977, "<cite>"Biometrics"</cite>" 33, 159–174). They are a convention "
                "and no verdict: whether a value is good enough depends on the task and on what its labels are for."
            </p>
            <dl class="terms">
                <div><dt>"n=6"</dt><dd>"positions that were counted"</dd></div>
                <div>
                    <dt>"6 of 8"</dt>
                    <dd>"the coverage: of 8 positions that at least one of the two judged, both judged 6"</dd>
                </div>
                <div><dt><span class="few">"few"</span></dt><dd>{format!("fewer than {FEW} positions: each one moves the value a lot")}</dd></div>
                <div><dt>"–"</dt><dd>"there is no value, and the cell says why; it is never shown as zero"</dd></div>
            </dl>
        </section>
    }
}
