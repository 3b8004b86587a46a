//! Comparing finished exports without a project: choose files, see who agrees with whom. A plain
//! form is all it takes; `compare.js` takes dropped files and keeps them while switches change.

mod differing;
mod form;
mod labels;
mod matrix;
mod pairs;
mod results;

use domain::{Error, User};
use leptos::nonce::use_nonce;
use services::document::comparison::{ComparingOptions, known_formats};

pub use self::results::{ComparisonOutcome, FilesCompared};
use self::{form::CompareForm, results::Results};
use crate::{context::viewer, pages::components::prelude::*};

/// The page for comparing, and nothing else.
#[component]
pub(crate) fn ComparePage() -> impl IntoView {
    view! {
        <Title text="Compare files"/>
        <div class="page">
            <h1>"Compare files"</h1>
            <Lead line="Compare the finished exports of two or more people, from any tool. Nothing is stored." about="comparing files">
                <p>"Add one file or folder per person, or one file that names them. You get agreement by pair and by label, and every position on which they differ."</p>
                <p>"Formats: "{known_formats().join(", ")}"."</p>
                <p>"Names come from the files, or else from the folders or file names between which documents repeat."</p>
            </Lead>
            <Loaded resource=load(async { somebody() }) titled=true view=|_: User| view! { <Comparing/> }/>
        </div>
    }
}

/// The form, and below it what came of the files.
#[component]
pub(crate) fn Comparing() -> impl IntoView {
    let compared = use_context::<FilesCompared>();
    let options = compared.as_ref().map_or_else(asked_for, |compared| compared.options.clone());
    let results = compared.map(|compared| view! { <Results compared/> });
    view! {
        <CompareForm options/>
        <p class="visually-hidden" role="status" id="compare-news" data-own=""></p>
        <div id="compare-results" class="pair-body" tabindex="-1" data-own="">{results}</div>
        <script type="module" src="/compare.js" nonce=use_nonce()></script>
    }
}

/// Who is signed in: everybody who is may compare.
fn somebody() -> Result<User, ApiError> {
    answer(viewer()?.ok_or(Error::SignInRequired))
}

/// What the page's address asks for.
fn asked_for() -> ComparingOptions {
    ComparingOptions {
        switches: query::read_switches(in_query),
        raters_from: query::read(&in_query, "raters").unwrap_or_default(),
        match_by: query::read(&in_query, "match").unwrap_or_default(),
        ..ComparingOptions::default()
    }
}
