//! How far a labeler agrees with themselves. While a repeat is before them, nothing here moves.

use domain::{Confidence, Measured, OwnRepeats, ScaleChoice, SelfPart};
use leptos::prelude::*;

use crate::{
    display,
    pages::components::matrix::{band::Band, face::FEW},
    view::view,
};

/// The labeler against themselves, pooled over all that they did twice.
#[component]
pub(super) fn ConsistencyView(consistency: Option<OwnRepeats>) -> impl IntoView {
    let body = match consistency {
        None => view! {
            <p>
                "Nothing to show yet. In some projects documents are given out twice, without a word about it; once there are enough of them, you see here how far you agreed with yourself."
            </p>
        },
        Some(repeats) => view! { <Shown repeats/> },
    };
    view! {
        <section class="stack own-agreement" aria-labelledby="consistency-title">
            <h2 id="consistency-title">"My agreement with myself"</h2>
            {body}
        </section>
    }
}

#[component]
fn Shown(repeats: OwnRepeats) -> impl IntoView {
    let OwnRepeats { kappa, alpha, f1 } = repeats;
    let reason = match kappa.measured {
        Measured::Undefined(reason) => {
            Some(view! { <p>{format!("No value yet: {}.", reason.sentence())}</p> })
        }
        Measured::Value { .. } => None,
    };
    let few = (kappa.measured.value().is_some() && kappa.comparisons < FEW)
        .then(|| view! { <p class="caution"><span class="few">"few"</span>" Few places: these values still move a lot."</p> });
    view! {
        <p>{in_words(&kappa)}</p>
        <div class="card">
            <dl class="own-values">
                <div><dt>"Cohen’s κ"</dt><dd><Value part=kappa in_a_word=true/></dd></div>
                <div><dt>"Krippendorff’s α"</dt><dd><Value part=alpha in_a_word=true/></dd></div>
                <div><dt>"F1 of the marks"</dt><dd><Value part=f1/></dd></div>
            </dl>
            {reason}
            {few}
        </div>
        <p class="soft">
            "κ and α are about the places that you marked both times, and take away what chance alone would give; F1 is about all of them, and falls with every mark that you made only once. The words go by the lower end of the interval. Your first marks are the ones that count for the project."
        </p>
    }
}

/// A value with its interval, and the word for as much of it as is sure.
#[component]
fn Value(
    part: SelfPart,
    /// Whether the scale's words are meant for such a measure.
    #[prop(optional)]
    in_a_word: bool,
) -> impl IntoView {
    let sure = match part.confidence {
        Confidence::Interval { lower, .. } if in_a_word => Some(lower),
        _ => None,
    };
    let word = sure.map(|lower| {
        let band = Band::of(lower, ScaleChoice::default());
        view! { <span class=format!("band-word {}", band.class)>{band.word}</span> }
    });
    let interval = part.measured.value().map(|_| {
        view! { <span class="soft interval">{display::confidence_in_full(part.confidence)}</span> }
    });
    view! {
        <span class="number">{display::coefficient(part.measured)}</span>
        {word}
        {interval}
    }
}

/// "In 5 documents that you did twice, you marked 50 places: 45 of them both times, and 41 of these
/// with the same label."
fn in_words(part: &SelfPart) -> String {
    let documents = display::count(part.documents, "document");
    let places = display::count(part.coverage.positions(), "place");
    let [both, same] = [part.coverage.both, part.agreements].map(display::thousands);
    format!(
        "In {documents} that you did twice, you marked {places}: {both} of them both times, and \
         {same} of these with the same label."
    )
}

#[cfg(test)]
mod tests {
    use domain::{Confidence, CoverageView, NoInterval};

    use super::*;

    #[test]
    fn what_was_done_twice_is_said_in_whole_numbers() {
        let part = SelfPart {
            documents: 5,
            measured: Measured::Value { value: 0.9, observed: 0.9, expected: 0.1 },
            confidence: Confidence::None(NoInterval::NoValue),
            comparisons: 45,
            agreements: 41,
            coverage: CoverageView { both: 45, only_first: 3, only_second: 2 },
        };
        assert_eq!(
            in_words(&part),
            "In 5 documents that you did twice, you marked 50 places: 45 of them both times, and \
             41 of these with the same label."
        );
    }
}
