//! The study workbench: a study in a file, measured by the page's script in the browser itself. The
//! server's only part is this form; it never sees a study.

mod form;

use leptos::nonce::use_nonce;
use study::examples::{EXAMPLES, Example};

use self::form::StudyForm;
use crate::pages::components::prelude::*;

/// The form, and the place for what comes of it.
#[component]
pub(crate) fn StudyPage() -> impl IntoView {
    let examples =
        EXAMPLES.iter().map(|example| view! { <li><ExampleButton example=*example/></li> });
    view! {
        <PageBody title="Measure a study" class="page">
            <Lead line="Paste or drop a table of ratings or units. It never leaves your browser." about="measuring a study">
                <p>"CSV, TSV or semicolons; ratings of items, or units on a continuum. You get every measure that applies, with intervals and the steps behind it."</p>
            </Lead>
            <noscript><p class="notice">"This page needs JavaScript. "<code>"concord measure"</code>" does the same on the command line."</p></noscript>
            <Section title_id="examples-title" title="Published examples" class="stack tight">
                <ul class="plain-list row">{examples.collect_view()}</ul>
            </Section>
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
        </PageBody>
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
