//! What is to be compared, and how.

use domain::{MatchBy, Measure, PolicyChoice, ScaleChoice, Switches};
use services::document::comparison::ComparingOptions;

use crate::{
    islands::icon::{Glyph, Icon},
    pages::components::{
        agreement::matrix::{
            band::published,
            controls::switch_bar::{compared_name, measure_name},
        },
        prelude::*,
    },
    pages::document::{
        raters::{rater_choices, rater_pattern},
        reading::ReadingChoices,
    },
};

/// The form. Its fields are called as in the addresses of the agreement pages.
#[component]
pub(super) fn CompareForm(options: ComparingOptions) -> impl IntoView {
    let ComparingOptions { files, switches, raters_from, match_by, .. } = options;
    let Switches { measure, policy, scale, .. } = switches;
    let measures =
        Measure::OF_LABELS.iter().map(|&it| (it.name(), measure_name(it), it == measure));
    let policies = PolicyChoice::ALL.iter().map(|&it| (it.name(), compared_name(it), it == policy));
    let scales = ScaleChoice::ALL.iter().map(|&it| (it.name(), published(it).name, it == scale));
    let raters = rater_choices(&raters_from);
    let matches = MatchBy::ALL.iter().map(|&it| (it.name(), match_name(it), it == match_by));
    view! {
        <form id="compare" class="card" method="post" action="/compare" enctype="multipart/form-data">
            <label class="drop-zone">
                <span><Icon glyph=Glyph::Upload/> " Drop the files here, or choose them:"</span>
                <input type="file" name="files" multiple aria-describedby="compare-hint"/>
                <span class="soft" id="compare-hint">
                    "Exports of 2 to 30 people"
                </span>
            </label>
            <details class="guide">
                <summary>"Choose a folder instead"</summary>
                <label class="field">
                    "One folder with a subfolder per person: "
                    <input type="file" name="files" webkitdirectory=""/>
                </label>
            </details>
            <ul class="plain-list row" id="compare-files" hidden data-own=""></ul>
            <div class="row">
                <Choice name="measure" label="Measure" choices=measures.collect()/>
                <Choice name="policy" label="Compared" choices=policies.collect()/>
                <Choice name="scale" label="Scale" choices=scales.collect()/>
                {select_field("compare-raters".to_owned(), "raters", "People", raters)}
                <Choice name="match" label="Same documents" choices=matches.collect()/>
                {rater_pattern("compare-pattern", &raters_from)}
            </div>
            <ReadingChoices chosen=files/>
            <div class="row">
                <button class="primary">"Compare"</button>
                <button type="reset" class="quiet">"Start over"</button>
            </div>
        </form>
    }
}

/// A choice of a few: value, words, whether it is made.
#[component]
fn Choice(
    name: &'static str,
    label: &'static str,
    choices: Vec<(&'static str, &'static str, bool)>,
) -> impl IntoView {
    let options = choices
        .into_iter()
        .map(|(value, words, chosen)| (value.to_owned(), words.to_owned(), chosen));
    select_field(format!("compare-{name}"), name, label, options)
}

const fn match_name(by: MatchBy) -> &'static str {
    match by {
        MatchBy::Auto => "By id, name or text",
        MatchBy::Text => "By text only",
    }
}
