//! How to read a cell of the matrix.

use domain::{FEW, ScaleChoice};

use crate::pages::components::prelude::*;

use super::{
    band::{bands, published},
    guide::{GuideText, of_scale},
};

/// What value, interval, word, n and coverage mean, and where the words come from.
#[component]
pub(crate) fn Legend(scale: ScaleChoice) -> impl IntoView {
    view! {
        <Section title_id="legend-title" title="How to read a cell" class="matrix-legend stack">
            <Words scale/>
            <dl class="terms">
                <div><dt>"n=6"</dt><dd>"positions counted"</dd></div>
                <div>
                    <dt>"0.41 to 0.67"</dt>
                    <dd>
                        "95 % interval: where the value would mostly lie on other documents of this kind. For κ of exact spans "
                        "by the formula of Fleiss, Cohen and Everitt (1969), capped at 1; otherwise by resampling documents "
                        "1,000 times (pending until done)"
                    </dd>
                </div>
                <div>
                    <dt>"6 of 8"</dt>
                    <dd>"coverage: of 8 positions judged by at least one, both judged 6"</dd>
                </div>
                <div><dt><span class="few">{format!("few: n < {FEW}")}</span></dt><dd>{format!("fewer than {FEW} judged positions: each moves the value a lot; pale cell")}</dd></div>
                <div><dt>"–"</dt><dd>"no value, with the reason; never shown as zero"</dd></div>
            </dl>
        </Section>
    }
}

/// The bands of a scale, what they are taken from, and what the scale is.
#[component]
fn Words(scale: ScaleChoice) -> impl IntoView {
    let bands = bands(scale).into_iter().map(|(band, range)| {
        view! {
            <li><span class=format!("band-swatch {}", band.class) aria-hidden="true"></span>{band.word}" "<small>{range}</small></li>
        }
    });
    view! {
        <ul class="bands">{bands.collect_view()}</ul>
        <p class="soft">
            "Word and colour follow the interval’s lower bound, which is what can be claimed; without an interval there is no word, and the colour follows the value. "
            "The words are a convention, not a verdict: what is good enough depends on the "
            "task."
        </p>
        <details class="guide">
            <summary>{format!("About the scale of {}", published(scale).name)}</summary>
            <GuideText guide=of_scale(scale)/>
        </details>
    }
}
