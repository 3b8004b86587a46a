//! The switches of the agreement pages: menus of links, so that every choice has an address.

use domain::{AnswerKind, Documents, Measure, PolicyChoice, PositionKind, ScaleChoice, Switches};

use super::switch::{Choice, Switch};
use crate::pages::components::{
    agreement::matrix::{
        band::published,
        guide::{GuideText, of_measure},
    },
    prelude::*,
};

/// Measure, positions, what becomes of those that only one judged, documents and scale: each a menu that shows
/// what is chosen and says what it means.
#[component]
pub(crate) fn SwitchBar<F>(
    /// What the page's address says now.
    switches: Switches,
    /// The page's address under other switches.
    address: F,
    /// What answers to the question are, if there is one.
    #[prop(default = None)]
    answers: Option<AnswerKind>,
    /// Leaves the measure out, where it has no say.
    #[prop(optional)]
    any_measure: bool,
    /// Leaves the scale out, where nothing is shown by it.
    #[prop(optional)]
    any_scale: bool,
    /// The kinds of positions that the page has numbers of.
    #[prop(default = &PositionKind::ALL)]
    positions: &'static [PositionKind],
    /// Further menus.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView
where
    F: Fn(Switches) -> String,
{
    let choice = |name: &'static str, wanted| Choice {
        name: name.into(),
        is_current: wanted == switches,
        address: address(wanted),
    };
    // What if predicts no answers.
    let measures = match answers.filter(|_| !any_scale) {
        Some(answers) => Measure::of_answers(&answers),
        None => Measure::OF_LABELS.to_vec(),
    };
    let measures = measures
        .into_iter()
        .map(|measure| choice(measure_name(measure), Switches { measure, ..switches }));
    let kinds = positions.iter().map(|&kind| {
        choice(positions_name(kind), Switches { policy: switches.policy.by(kind), ..switches })
    });
    let policies = one_sided(switches.policy)
        .iter()
        .map(|&policy| choice(policy_name(policy), Switches { policy, ..switches }));
    let documents = Documents::ALL
        .iter()
        .map(|&documents| choice(documents_name(documents), Switches { documents, ..switches }));
    let scales = ScaleChoice::ALL
        .iter()
        .map(|&scale| choice(published(scale).name, Switches { scale, ..switches }));
    let about_policy = no_effect_of_policy(switches).unwrap_or(policy_meaning(switches.policy));
    let about_positions = positions_meaning(switches.policy.positions());
    let about_documents =
        no_effect_of_documents(switches).unwrap_or(documents_meaning(switches.documents));
    view! {
        <section class="choice-bar" aria-label="What counts, and how">
            {(!any_measure).then(|| view! {
                <Switch name=MEASURE choices=measures.collect() meaning=measure_meaning(switches)>
                    <GuideText guide=of_measure(switches)/>
                </Switch>
            })}
            {switches.filter.question.is_none().then(|| view! {
                <Switch name=POSITIONS choices=kinds.collect() meaning=about_positions/>
            })}
            <Switch name=POLICY choices=policies.collect() meaning=about_policy/>
            <Switch name=DOCUMENTS choices=documents.collect() meaning=about_documents/>
            {(!any_scale).then(|| view! {
                <Switch name=SCALE choices=scales.collect() meaning=SCALE_MEANING/>
            })}
            {children.map(|children| children())}
        </section>
    }
}

const MEASURE: &str = "Measure";
/// What the switch of the kind of positions is called.
pub(crate) const POSITIONS: &str = "Positions";
/// What the switch is called of what becomes of positions that only one judged.
pub(crate) const POLICY: &str = "Marked by only one";
const DOCUMENTS: &str = "Documents";
const SCALE: &str = "Scale";

/// What the switch of the scale does.
pub(crate) const SCALE_MEANING: &str = "Words and bounds behind the colours; no effect on numbers.";

/// What a measure is called.
pub(crate) const fn measure_name(measure: Measure) -> &'static str {
    match measure {
        Measure::Kappa => "Cohen’s κ",
        Measure::Alpha => "Krippendorff’s α",
        Measure::Pi => "Scott’s π",
        Measure::S => "Bennett’s S",
        Measure::Ac1 => "Gwet’s AC1",
        Measure::Percent => "Percentage",
        Measure::F1 => "F1",
        Measure::WeightedKappa => "Weighted κ",
        Measure::AlphaOrdinal => "Ordinal α",
        Measure::AlphaInterval => "Interval α",
        Measure::AlphaRatio => "Ratio α",
        Measure::AlphaMasi => "α of sets (MASI)",
        Measure::Ac2 => "Gwet’s AC2",
        Measure::Icc1 => "ICC(1)",
        Measure::IccA1 => "ICC(A,1)",
        Measure::IccC1 => "ICC(C,1)",
        Measure::IccK => "ICC(k)",
        Measure::IccAk => "ICC(A,k)",
        Measure::IccCk => "ICC(C,k)",
    }
}

/// What a policy is called.
pub(crate) const fn policy_name(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => "Leave out",
        PolicyChoice::EmptyLabel | PolicyChoice::Token | PolicyChoice::Overlap => "Count",
    }
}

/// What is compared under a policy, where one choice says it all.
pub(crate) const fn compared_name(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => "Exact spans both marked",
        PolicyChoice::EmptyLabel => "All exact spans",
        PolicyChoice::Token => positions_name(PositionKind::Tokens),
        PolicyChoice::Overlap => positions_name(PositionKind::Overlapping),
    }
}

/// What may become of positions that only one judged: those that are not exact always count.
pub(crate) const fn one_sided(policy: PolicyChoice) -> &'static [PolicyChoice] {
    match policy {
        PolicyChoice::Cleaned | PolicyChoice::EmptyLabel => &PolicyChoice::HEADLINES,
        PolicyChoice::Token => &[PolicyChoice::Token],
        PolicyChoice::Overlap => &[PolicyChoice::Overlap],
    }
}

/// Whose documents count.
pub(crate) const fn documents_name(documents: Documents) -> &'static str {
    match documents {
        Documents::Saved => "Include drafts",
        Documents::Submitted => "Submitted only",
    }
}

/// What a measure says.
pub(crate) const fn measure_meaning(switches: Switches) -> &'static str {
    match switches.measure {
        Measure::Kappa => {
            "Agreement beyond chance; chance from each rater’s own use of the labels."
        }
        Measure::Alpha => {
            "Agreement beyond chance; chance from both raters’ use of the labels together, \
             corrected for small samples."
        }
        Measure::Pi => {
            "Agreement beyond chance; chance from both raters’ use of the labels together."
        }
        Measure::S => "Agreement beyond chance; chance as an even guess among all labels.",
        Measure::Ac1 => "Agreement beyond chance; stays steady when one label is far more common.",
        Measure::WeightedKappa => "κ that forgives near misses: squared steps between choices.",
        Measure::AlphaOrdinal => "α by the order of the choices.",
        Measure::AlphaInterval => "α by squared differences of numbers.",
        Measure::AlphaRatio => "α by ratios: 1 and 2 are as far apart as 10 and 20.",
        Measure::AlphaMasi => "α that forgives sets with choices in common.",
        Measure::Ac2 => "AC1 that forgives near misses: squared steps.",
        Measure::Icc1 => "Reliability of one rating, whoever gave it.",
        Measure::IccA1 => "Reliability of one rating; rating higher throughout counts against it.",
        Measure::IccC1 => "Reliability of one rating; rating higher throughout is forgiven.",
        Measure::IccK => "Reliability of the mean of all ratings, whoever gave them.",
        Measure::IccAk => {
            "Reliability of the raters’ mean; rating higher throughout counts against it."
        }
        Measure::IccCk => "Reliability of the raters’ mean; rating higher throughout is forgiven.",
        Measure::Percent => "How often both say the same; no correction for chance.",
        Measure::F1 => match switches.policy.positions() {
            PositionKind::Exact => {
                "Identical spans among all spans of both; no correction for chance."
            }
            PositionKind::Tokens => {
                "Tokens with the same labels among all labeled tokens of both; no correction for \
                 chance."
            }
            PositionKind::Overlapping => {
                "Paired spans with the same labels among all spans of both; no correction for \
                 chance."
            }
        },
    }
}

/// What a kind of positions is called.
pub(crate) const fn positions_name(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact => "Exact spans",
        PositionKind::Tokens => "Tokens",
        PositionKind::Overlapping => "Overlapping spans",
    }
}

/// What a kind of positions is.
pub(crate) const fn positions_meaning(kind: PositionKind) -> &'static str {
    match kind {
        PositionKind::Exact => "The same place is the same start and the same end.",
        PositionKind::Tokens => {
            "Every token of a text counts, with all its labels or ∅: words by UAX #29, cut at \
             apostrophes, and punctuation. Documents both submitted only."
        }
        PositionKind::Overlapping => {
            "Each span is compared with at most one that overlaps it, so that pairs have the most \
             text in common; documents both submitted only."
        }
    }
}

const fn policy_meaning(policy: PolicyChoice) -> &'static str {
    match policy {
        PolicyChoice::Cleaned => {
            "Positions judged by only one are left out; coverage shows how many remain."
        }
        PolicyChoice::EmptyLabel => {
            "If only one has a span, the other counts as ∅; documents both submitted only."
        }
        PolicyChoice::Token => "A token without a label counts as ∅.",
        PolicyChoice::Overlap => "A span without a partner counts as ∅ for the other.",
    }
}

const fn documents_meaning(documents: Documents) -> &'static str {
    match documents {
        Documents::Saved => "Documents with saved work by both count.",
        Documents::Submitted => "Documents submitted by both count.",
    }
}

/// Why the policy makes no difference, if it does not, or leaves no value.
fn no_effect_of_policy(switches: Switches) -> Option<&'static str> {
    if switches.measure.needs_numbers() && switches.policy.has_empty() {
        return Some("∅ has no place in an order: no value where only one chose.");
    }
    let is_exact = switches.policy.positions() == PositionKind::Exact;
    (switches.measure == Measure::F1 && is_exact)
        .then_some("No effect on F1: spans of only one always count against it.")
}

/// Why the choice of documents makes no difference, if it does not.
fn no_effect_of_documents(switches: Switches) -> Option<&'static str> {
    let any = |documents| Switches { documents, ..switches }.counted_documents();
    (any(Documents::Saved) == any(Documents::Submitted))
        .then_some("No effect here: before both submit, no span is no judgement.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_switch_says_when_it_makes_no_difference() {
        let with = |measure, policy| Switches { measure, policy, ..Switches::default() };
        let (cleaned, empty) = (PolicyChoice::Cleaned, PolicyChoice::EmptyLabel);
        assert_eq!(no_effect_of_documents(with(Measure::Kappa, cleaned)), None);
        assert!(no_effect_of_documents(with(Measure::Kappa, empty)).is_some());
        // F1 goes without the policy, and then the documents are a choice under either.
        assert!(no_effect_of_policy(with(Measure::F1, cleaned)).is_some());
        assert_eq!(no_effect_of_documents(with(Measure::F1, empty)), None);
        assert_eq!(no_effect_of_policy(with(Measure::Kappa, empty)), None);
        // By token it makes a difference whether documents were submitted, and none is a choice.
        assert_eq!(no_effect_of_policy(with(Measure::F1, PolicyChoice::Token)), None);
        assert!(no_effect_of_documents(with(Measure::F1, PolicyChoice::Token)).is_some());
    }

    #[test]
    fn what_becomes_of_what_only_one_judged_never_changes_what_is_compared() {
        for &policy in PolicyChoice::ALL {
            assert!(one_sided(policy).contains(&policy));
            assert!(one_sided(policy).iter().all(|it| it.positions() == policy.positions()));
        }
    }
}
