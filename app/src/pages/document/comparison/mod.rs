//! Comparing finished exports without a project: choose files, see who agrees with whom. A plain
//! form is all it takes; `compare.js` takes dropped files and keeps them while switches change.

mod differing;
mod form;
mod labels;
mod matrix;
mod pairs;
mod results;

use domain::{Error, User};
use leptos::{nonce::use_nonce, prelude::*};
use leptos_meta::Title;
use services::document::comparison::ComparingOptions;

pub use self::results::{ComparisonOutcome, FilesCompared};
use self::{form::CompareForm, results::Results};
use crate::{
    ApiError,
    context::{answer, viewer},
    loading::load,
    pages::{base::address::in_query, components::loaded::Loaded},
    query,
    view::view,
};

/// The page for comparing, and nothing else.
#[component]
pub(crate) fn ComparePage() -> impl IntoView {
    view! {
        <Title text="Compare files"/>
        <div class="page">
            <h1>"Compare files of several people"</h1>
            <p class="how">
                "Bring the finished exports of two or more people, from any tool: one file or folder for each, or one file that names them. You get who agrees with whom, label by label, and every position on which they differ. Nothing is stored: the files are forgotten as soon as they are compared."
            </p>
            <Loaded resource=load(async { somebody() }) titled=true view=|_: User| view! { <Comparing/> }/>
        </div>
    }
}

/// The form, and below it what came of the files.
#[component]
pub(crate) fn Comparing() -> impl IntoView {
    let compared = use_context::<FilesCompared>();
    let options = compared.as_ref().map_or_else(asked_for, |compared| compared.options);
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
        most_unpacked: None,
    }
}
