//! Adding documents: choose files, see what they would bring, bring it. `upload.js` sends the
//! files and shows the stages in turn: some stand in the page from the start, as templates, the
//! others are what the server answers.

use domain::{Code, ProjectId};
use leptos::nonce::use_nonce;

use super::import_stage::{DropZone, ImportStage};
use crate::pages::components::prelude::*;

#[component]
pub(super) fn Import(project: ProjectId) -> impl IntoView {
    let too_large = Code::TooLong.of("files", "the files are too large for one import");
    let lost = ApiError::Transport(String::new());
    view! {
        <Section title_id="import-title" title="Add documents" class="card">
            <noscript>
                <p class="notice warn">"Importing needs JavaScript."</p>
            </noscript>
            <p class="visually-hidden" role="status" id="import-news" data-own=""></p>
            <div
                id="import"
                tabindex="-1"
                data-own=""
                data-address=format!("/api/v1/projects/{project}/imports")
            ></div>
            <template id="import-choose">
                <div><DropZone/></div>
            </template>
            <template id="import-reading">
                <Sending news="Reading files" afterwards="Reading …"/>
            </template>
            <template id="import-saving">
                <Sending news="Importing" afterwards="Saving …"/>
            </template>
            <template id="import-lost">{ImportStage::Failed(lost).into_any()}</template>
            <template id="import-large">
                {ImportStage::Failed(too_large.into()).into_any()}
            </template>
            <script type="module" src="/upload.js" nonce=use_nonce()></script>
        </Section>
    }
}

/// How much has been sent; then what the server does with it.
#[component]
fn Sending(news: &'static str, afterwards: &'static str) -> impl IntoView {
    view! {
        <div class="stack tight" data-news=news>
            <progress max="1" value="0" aria-label="Upload"></progress>
            <p class="number" aria-live="off">
                <span class="sending">"Sending: " <span class="percent">"0"</span> " %"</span>
                <span class="sent" hidden>{afterwards}</span>
            </p>
        </div>
    }
}
