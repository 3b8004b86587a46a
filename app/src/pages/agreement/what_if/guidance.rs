//! What exactly is predicted, in place, for whoever decides by it.

use domain::UndefinedReason;

use crate::pages::components::prelude::*;

/// Why there is no value, in the order of `whatif::Lack`: the script takes the words from here.
pub(super) fn reasons() -> AnyView {
    let sentences = [
        UndefinedReason::NoSharedDocuments.sentence(),
        UndefinedReason::NoSharedPositions.sentence(),
        UndefinedReason::OneCategory.sentence(),
        UndefinedReason::OneChoice.sentence(),
        UndefinedReason::NothingMarked.sentence(),
        "nobody left to compare with",
        "not defined for relaxed boundaries: positions are matched between two people, not among all at once",
    ];
    sentences.into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view().into_any()
}

/// What is changed, in which order, and what the numbers do not say.
#[component]
pub(super) fn Guidance() -> impl IntoView {
    view! {
        <details class="guide">
            <summary>"How it is predicted"</summary>
            <p class="how">"Changes apply in this order; then everything is counted as in the matrix."</p>
            <dl class="terms what-if-terms">
                <div>
                    <dt>"Leave people out"</dt>
                    <dd>"As if they had never worked here. Other pairs keep their values; values over several people change. Decisions of a reviewer left out are ignored, too."</dd>
                </div>
                <div>
                    <dt>"Follow reviewer decisions"</dt>
                    <dd>
                        "On decided positions, every labeler who judged them counts as saying what was decided: the labels, or ∅ for a reject, which counts as agreement, too. "
                        "The latest decision counts, as in the gold standard, from the reviews that the switch “Documents” includes. "
                        "Labelers without a span there stay uncounted, unless what only one marked counts (“Count”, or F1): then they count as having labelled what was accepted or added, so n can grow. Reviewers keep their own decisions. "
                        "Labelers agree fully on decided positions, so the value is a ceiling, not a forecast."
                    </dd>
                </div>
                <div>
                    <dt>"Merge labels"</dt>
                    <dd>"A group counts as one label in every judgement, every decision and the label set (used by S and AC1). Positions and n stay the same. The percentage can only rise; κ and α can fall, because with fewer labels chance agrees more often."</dd>
                </div>
                <div>
                    <dt>"Relax boundaries"</dt>
                    <dd>
                        "Two people’s spans match if their starts, and their ends, are at most this many characters apart. Each span has one partner: exact matches first, then as many of the rest as possible with the least difference, whatever their labels. "
                        "Measures over all labelers are then undefined: A’s span may match B’s, and B’s C’s, but not A’s C’s. Each person against all others is still defined, as the sum of pairs."
                    </dd>
                </div>
                <div>
                    <dt>"The difference"</dt>
                    <dd>"Predicted minus present, as shown. Only κ of a pair has intervals, by formula; both are of the same spans, so overlapping intervals say nothing about the difference. Try few changes and choose them before you look: the best of many is high by luck. α of units is not predicted."</dd>
                </div>
            </dl>
        </details>
    }
}
