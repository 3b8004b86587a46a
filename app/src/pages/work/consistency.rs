//! How far a labeler agrees with themselves. While a repeat is before them, nothing here moves.

use domain::{FEW, Measured, OwnRepeats, ScaleChoice, SelfPart};

use crate::pages::components::{agreement::matrix::band::Band, prelude::*};

/// The labeler against themselves, pooled over all that they did twice.
#[component]
pub(super) fn ConsistencyView(consistency: Option<OwnRepeats>) -> impl IntoView {
    let body = match consistency {
        None => view! {
            <p>
                "Not enough yet. Some projects give documents out twice without saying so; here you will see how far you agreed with yourself."
            </p>
        },
        Some(repeats) => view! { <Shown repeats/> },
    };
    view! {
        <Section title_id="consistency-title" title="My agreement with myself" class="stack own-agreement">
            {body}
        </Section>
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
        .then(|| view! { <p class="caution"><span class="few">"few"</span>" Few positions: values still move a lot."</p> });
    view! {
        <p>{in_words(&kappa)}</p>
        <div class="card">
            <dl class="own-values">
                <div><dt>"Cohen’s κ"</dt><dd><Value part=kappa in_a_word=true/></dd></div>
                <div><dt>"Krippendorff’s α"</dt><dd><Value part=alpha in_a_word=true/></dd></div>
                <div><dt>"F1 of spans"</dt><dd><Value part=f1/></dd></div>
            </dl>
            {reason}
            {few}
        </div>
        <Lead line="Only your first spans count for the project." about="my agreement with myself">
            <p>"κ and α cover positions you labelled both times, corrected for chance. F1 covers all, and falls with every span made only once. Words follow the interval's lower end."</p>
        </Lead>
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
    let sure = in_a_word.then(|| Band::claimed(part.confidence, ScaleChoice::default()));
    let word = sure.flatten().map(Band::badge);
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
        "{documents} done twice: {places}, {both} labelled both times, {same} of these with the \
         same label."
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
            "5 documents done twice: 50 places, 45 labelled both times, 41 of these with the same label."
        );
    }
}
