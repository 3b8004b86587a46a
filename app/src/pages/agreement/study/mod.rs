//! The study workbench: a study in a file, measured by the page's script in the browser itself. The
//! server's only part is this form; it never sees a study.

mod form;

use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::Title;
use study::examples::{EXAMPLES, Example};

use self::form::StudyForm;
use crate::view::view;

/// The form, and the place for what comes of it.
#[component]
pub(crate) fn StudyPage() -> impl IntoView {
    let examples =
        EXAMPLES.iter().map(|example| view! { <li><ExampleButton example=*example/></li> });
    view! {
        <Title text="Measure a study"/>
        <div class="page">
            <h1>"Measure a study"</h1>
            <p class="how">
                "Bring a table of ratings, or of units on a continuum: CSV, TSV or with semicolons. You get every measure that applies, with intervals, and what stands behind it. "
                <strong>"Your browser computes it, and the table does not leave your machine."</strong>
            </p>
            <noscript><p class="notice">"The measures are computed in your browser by a script, which does not run here. "<code>"concord measure"</code>" does the same on a command line."</p></noscript>
            <section class="stack tight" aria-labelledby="examples-title">
                <h2 id="examples-title">"Published studies to begin with"</h2>
                <ul class="plain-list row">{examples.collect_view()}</ul>
            </section>
            <StudyForm/>
            <div id="study-status" class="study-status">
                <p role="status" data-news=""></p>
                <progress aria-label="Measuring" hidden></progress>
                <button type="button" class="small" data-cancel="" hidden>"Cancel"</button>
            </div>
            <div id="study-saving" class="row" hidden>
                <button type="button" class="small" data-save="html">"Save as HTML"</button>
                <button type="button" class="small" data-save="json">"Save as JSON"</button>
                <button type="button" class="small" data-save="text">"Save as text"</button>
            </div>
            <div id="study-results" class="study-report" tabindex="-1"></div>
        </div>
        <script type="module" src="/study.js" nonce=use_nonce()></script>
    }
}

/// A published study, with the options that it needs.
#[component]
fn ExampleButton(example: Example) -> impl IntoView {
    let Example { name, title, file, fields } = example;
    let fields: Vec<String> =
        fields.iter().map(|(field, value)| format!("{field}={value}")).collect();
    view! {
        <button
            type="button"
            class="small"
            data-example=name
            data-file=file
            data-fields=fields.join("&")
        >
            {title}
        </button>
    }
}
