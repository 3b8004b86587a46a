//! The table, and what can be said about it: the options of `concord measure`, by their names.

use study::{
    read::{Extent, Form, Level},
    report::Diagnostic,
};

use crate::{
    FrontEnd,
    islands::icon::{Glyph, Icon},
    pages::components::prelude::*,
};

/// The form. Nothing of it is sent: the page's script reads it.
#[component]
pub(super) fn StudyForm() -> impl IntoView {
    let FrontEnd { study_js, study_wasm, .. } = use_context().unwrap_or_default();
    view! {
        <form
            id="study"
            class="card"
            data-module=format!("/pkg/{study_js}")
            data-wasm=format!("/pkg/{study_wasm}")
        >
            <label class="drop-zone">
                <span><Icon glyph=Glyph::Upload/> " Drop a table here, or choose a file:"</span>
                <input type="file" accept=".csv,.tsv,.txt,.tab,text/*" aria-describedby="study-hint"/>
                <span class="soft" id="study-hint">
                    "One line per item with a column per rater; one line per rating (item, rater, category); or one line per unit (rater, start, length or end, category)."
                </span>
            </label>
            <div class="field">
                <label for="study-table">"Or paste a table"</label>
                <TextArea
                    id="study-table"
                    name="table"
                    class="study-table"
                    spellcheck="false"
                    autocomplete="off"
                />
            </div>
            <FileOptions/>
            <ReportOptions/>
            <div class="row">
                <button class="primary">"Measure"</button>
                <button type="reset" class="quiet">"Start over"</button>
            </div>
        </form>
    }
}

/// What is known about the file; what is not said is detected.
#[component]
fn FileOptions() -> impl IntoView {
    let levels = Level::ALL.iter().map(|level| (level.word(), level.word()));
    let forms = Form::ALL.iter().map(|form| match form {
        Form::Wide => (form.word(), "one line per item"),
        Form::Long => (form.word(), "one line per rating"),
        Form::Contingency => (form.word(), "counts of two raters"),
        Form::Counts => (form.word(), "counts of items by categories"),
        Form::Frequencies => (form.word(), "labels and how often"),
        Form::Rows => (form.word(), "one line per rater"),
    });
    let extents = Extent::ALL.iter().map(|extent| match extent {
        Extent::Length => (extent.word(), "units with a length"),
        Extent::End => (extent.word(), "units with an end"),
    });
    let delimiters = [
        ("comma", "comma"),
        ("semicolon", "semicolon"),
        ("tab", "tab"),
        ("pipe", "|"),
        ("blank", "blanks"),
    ];
    view! {
        <details class="guide">
            <summary>"Table options"</summary>
            <div class="study-options">
                <Choice name="level" label="Level of measurement" choices=levels.collect()/>
                <Choice name="delimiter" label="Separator" choices=detected(delimiters)/>
                <Choice name="header" label="First line" choices=detected([("yes", "column names"), ("no", "data")])/>
                <Choice name="form" label="Coding study" choices=detected(forms)/>
                <Choice name="units" label="Unitizing study" choices=detected(extents)/>
                <Text name="raters" label="Raters" hint="Names, numbers or ranges, such as a,b,3-5."/>
                <Text name="columns" label="Columns" hint="Item, rater, category; or rater, start, length or end, category. Names or numbers."/>
                <Text name="categories" label="Categories" hint="In order, used or not, separated by commas."/>
                <Text name="missing" label="Missing rating" hint="In addition to empty cells and the usual ones such as NA; with = before the first, in place of these."/>
                <Text name="continuum" label="Continuum" hint="Start and end, such as 0-5000."/>
            </div>
        </details>
    }
}

/// What to measure, and how.
#[component]
fn ReportOptions() -> impl IntoView {
    let diagnostics = Diagnostic::ALL.iter().map(|diagnostic| {
        let word = diagnostic.word();
        view! { <li>{check(word, word, false)}</li> }
    });
    view! {
        <details class="guide">
            <summary>"Report options"</summary>
            <div class="study-options">
                <Text name="measures" label="Measures" hint="Ids as in the JSON, such as cohen_kappa,scott_pi."/>
                <Text name="confidence" label="Confidence" hint="How often an interval should contain the true value." value="0.95"/>
                <Text name="resamples" label="Resamples" hint="Default 1000, fewer for slow measures."/>
                <Text name="seed" label="Seed" hint="Same seed, same intervals." value="1"/>
                <Text name="top" label="Items and confusions" hint="Maximum number listed." value="20"/>
            </div>
            <fieldset>
                <legend>"Details " <code>"--diagnostics"</code></legend>
                <ul class="plain-list choices">
                    <li>{check("all", "all that apply", true)}</li>
                    {diagnostics.collect_view()}
                </ul>
            </fieldset>
        </details>
    }
}

/// A choice of nothing, which means that it is found out, or of one of the others.
fn detected(
    choices: impl IntoIterator<Item = (&'static str, &'static str)>,
) -> Vec<(&'static str, &'static str)> {
    let mut all = vec![("", "detect")];
    all.extend(choices);
    all
}

/// An option of a few words.
#[component]
fn Choice(
    name: &'static str,
    label: &'static str,
    choices: Vec<(&'static str, &'static str)>,
) -> impl IntoView {
    let id = format!("study-{name}");
    let options =
        choices.into_iter().map(|(value, words)| view! { <option value=value>{words}</option> });
    view! {
        <div class="field">
            <label for=id.clone()>{label} " " <code>{format!("--{name}")}</code></label>
            <select id=id name=name>{options.collect_view()}</select>
        </div>
    }
}

/// An option that is written.
#[component]
fn Text(
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    #[prop(optional)] value: &'static str,
) -> impl IntoView {
    let id = format!("study-{name}");
    let hint_id = format!("{id}-hint");
    view! {
        <div class="field">
            <label for=id.clone()>{label} " " <code>{format!("--{name}")}</code></label>
            <input id=id name=name value=value autocomplete="off" spellcheck="false" aria-describedby=hint_id.clone()/>
            <p class="hint" id=hint_id>{hint}</p>
        </div>
    }
}

fn check(value: &'static str, words: &'static str, checked: bool) -> AnyView {
    view! {
        <Check name="diagnostics" value=value checked=checked>{words}</Check>
    }
}
