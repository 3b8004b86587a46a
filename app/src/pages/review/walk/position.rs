//! The position in its text, and what each rater said.

use std::sync::Arc;

use domain::{Label, Rater, WalkStep};

use super::rows::Rows;
use crate::pages::components::{
    agreement::disagreements::{kind::kind_words, row::Decided},
    prelude::*,
};

/// Nothing at all for no text: in this place every space is seen.
fn shown(text: String) -> Option<String> {
    (!text.is_empty()).then_some(text)
}

/// The position, its text, the spans on it and beside it, and the decision taken so far.
#[component]
pub(super) fn PositionCard(
    step: WalkStep,
    raters: Arc<[Rater]>,
    labels: Arc<[Label]>,
) -> impl IntoView {
    let place = format!("{}–{}", step.position.range.start, step.position.range.end);
    let kind = step.kind.map(|kind| {
        let (icon, word, meaning) = kind_words(kind);
        view! {
            <span class="badge" title=meaning><span aria-hidden="true">{icon}" "</span>{word}</span>
        }
    });
    let document = if step.deciding.is_some() {
        let range = step.position.range;
        let review =
            format!("/documents/{}/review#{}-{}", step.position.document, range.start, range.end);
        view! { <a href=review><bdi>{step.document_name.clone()}</bdi></a> }
    } else {
        view! { <bdi>{step.document_name.clone()}</bdi> }
    };
    let decision = match step.decision.clone() {
        Some(decision) => view! { <Decided decision labels=labels.clone()/> },
        None => view! { <span class="soft">"not decided"</span> },
    };
    let left = if step.cut_left { format!("…{}", step.left) } else { step.left.clone() };
    let right = if step.cut_right { format!("{}…", step.right) } else { step.right.clone() };
    let quote = step.quote.clone();
    view! {
        <section class="card stack walk-position" aria-labelledby="walk-position" tabindex="-1" data-focus="">
            <div class="row spread">
                <h2 id="walk-position">{document}" "<span class="soft number" title=OFFSETS>{place}</span></h2>
                {kind}
            </div>
            <blockquote class="walk-text" dir="auto">
                {shown(left)}<mark>{quote}</mark>{shown(right)}
            </blockquote>
            <Rows step raters labels/>
            <p class="decided-line"><span class="soft">"Decision: "</span>{decision}</p>
        </section>
    }
}
