//! What exactly is predicted, in place, for whoever decides by it.

use domain::UndefinedReason;
use leptos::prelude::*;

use crate::view::view;

/// Why there is no value, in the order of `whatif::Lack`: the script takes the words from here.
pub(super) fn reasons() -> AnyView {
    let sentences = [
        UndefinedReason::NoSharedDocuments.sentence(),
        UndefinedReason::NoSharedPositions.sentence(),
        UndefinedReason::OneCategory.sentence(),
        UndefinedReason::OneChoice.sentence(),
        UndefinedReason::NothingMarked.sentence(),
        "nobody is left to compare with",
        "not defined for relaxed boundaries: which spans are one position is settled between two people, and has no answer for all at once",
    ];
    sentences.into_iter().map(|sentence| view! { <li>{sentence}</li> }).collect_view().into_any()
}

/// What is changed, in which order, and what the numbers do not say.
#[component]
pub(super) fn Guidance() -> impl IntoView {
    view! {
        <section class="stack" aria-labelledby="guidance-title">
            <h2 id="guidance-title">"What exactly is predicted"</h2>
            <p class="how">"Changes are made in this order, and then everything is counted as in the matrix, under the same switches."</p>
            <dl class="terms what-if-terms">
                <div>
                    <dt>"Leave somebody out"</dt>
                    <dd>"As if they had never worked here. Values of other pairs stay what they are; those over several people change. A reviewer who is left out has decided nothing either."</dd>
                </div>
                <div>
                    <dt>"Decisions as given"</dt>
                    <dd>
                        "On a position that a reviewer has decided on, every labeler who judged it is taken to have said what was decided: the labels, or ∅ for a reject, which is a judgement too and so counts as agreement. "
                        "Where several reviewers decided, the latest decision holds, as in the gold standard; only reviews count that the switch “Documents” counts. "
                        "Whoever did not mark a position still has not, unless “Empty label” (or F1) makes a judgement of that: then they too are taken to have marked what was accepted or added, so that n can grow. Reviewers keep their own decisions. "
                        "On decided positions labelers then agree fully, so read the value as the ceiling that these decisions leave, not as a forecast."
                    </dd>
                </div>
                <div>
                    <dt>"Merge labels"</dt>
                    <dd>"The labels of a group are one label, in every judgement and decision and among the labels to choose from (which S and AC1 ask for). Positions stay what they are, so n does not change. The percentage can only rise; κ and α can fall, because with fewer labels chance agrees more often."</dd>
                </div>
                <div>
                    <dt>"Relax boundaries"</dt>
                    <dd>
                        "Two people’s spans are one position if their starts, and their ends, are at most so many characters apart. Each span has one partner: first what is exactly the same, then as many of the rest as possible with the least difference; labels have no say in it. "
                        "Measures of all labelers at once have no value then: where A’s span lies near B’s and B’s near C’s, A’s need not lie near C’s. Each person against all others still has one, since pairs are added up."
                    </dd>
                </div>
                <div>
                    <dt>"The difference"</dt>
                    <dd>"Predicted minus present, of the numbers as they are shown. Intervals stand only beside κ of a pair, by formula; both are of the same spans, so whether they overlap says nothing about the difference. Try few changes, and choose them before you look: the best of many is high by luck. α of units is not predicted."</dd>
                </div>
            </dl>
        </section>
    }
}
