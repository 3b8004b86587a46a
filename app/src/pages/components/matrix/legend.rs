//! How to read a cell of the matrix.

use domain::ScaleChoice;
use leptos::prelude::*;

use crate::view::view;

use super::{
    band::{bands, published},
    face::{FEW, few_words},
    guide::{GuideText, of_scale},
};

/// What value, interval, word, n and coverage mean, and where the words come from.
#[component]
pub(crate) fn Legend(scale: ScaleChoice) -> impl IntoView {
    view! {
        <section class="matrix-legend stack" aria-labelledby="legend-title">
            <h2 id="legend-title">"How to read a cell"</h2>
            <Words scale/>
            <dl class="terms">
                <div><dt>"n=6"</dt><dd>"positions that were counted"</dd></div>
                <div>
                    <dt>"0.41 to 0.67"</dt>
                    <dd>
                        "the 95 % interval: where the value would mostly lie if the work were done again on other documents of the kind. Of κ "
                        "by the formula of Fleiss, Cohen and Everitt (1969), cut off at 1; of the other measures by drawing the documents "
                        "1,000 times anew, which takes a moment: until then it is pending"
                    </dd>
                </div>
                <div>
                    <dt>"6 of 8"</dt>
                    <dd>"the coverage: of 8 positions that at least one of the two judged, both judged 6"</dd>
                </div>
                <div><dt><span class="few">{few_words()}</span></dt><dd>{format!("fewer than {FEW} positions: each one moves the value a lot; the cell is pale")}</dd></div>
                <div><dt>"–"</dt><dd>"there is no value, and the cell says why; it is never shown as zero"</dd></div>
            </dl>
        </section>
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
            "Word and colour are those of the interval’s lower bound: what can be claimed. While the interval is pending, or where there is "
            "none, they are those of the value. The words are a convention and no verdict: whether a value is good enough depends on the "
            "task and on what its labels are for."
        </p>
        <details class="guide">
            <summary>{format!("What the scale of {} is, and when it misleads", published(scale).name)}</summary>
            <GuideText guide=of_scale(scale)/>
        </details>
    }
}
