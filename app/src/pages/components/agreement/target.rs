//! A project's target: the fields that ask for it, and how the project stands to it.

use domain::{AlertSubject, Measure, PolicyChoice, ProjectId, Target, TargetBasis, TargetVerdict};

use super::matrix::controls::switch_bar::{POLICY, policy_name};
use crate::pages::components::prelude::*;

/// The project's target, for those who may see agreement.
pub(crate) async fn load_target(project: ProjectId) -> Result<Option<Target>, ApiError> {
    let (services, actor) = request()?;
    answer(services::agreement::target::load(&services, &actor, project).await)
}

/// The fields of a target, as they are read by [`Target::typed`]; `at_least` shows its own problem.
#[component]
pub(crate) fn TargetFields(
    /// The form that the fields stand in.
    form: &'static str,
    #[prop(optional_no_strip)] target: Option<Target>,
    refusal: Refusal,
) -> impl IntoView {
    let chosen = target.map(|target| target.measure);
    let Target { policy, basis, at_least, .. } = target.unwrap_or(Target::PROPOSED);
    let none = (String::new(), "No target".to_owned(), chosen.is_none());
    let measures = Measure::ALL.iter().filter(|measure| measure.several().is_some()).map(|&it| {
        (it.to_string(), it.called(AlertSubject::AllLabelers).to_owned(), chosen == Some(it))
    });
    let policies = PolicyChoice::HEADLINES
        .iter()
        .map(|&it| (it.to_string(), policy_name(it).to_owned(), it == policy));
    let bases =
        TargetBasis::ALL.iter().map(|&it| (it.to_string(), basis_name(it).to_owned(), it == basis));
    view! {
        <div class="fields">
            {select_field(format!("{form}-measure"), "measure", "Measure", [none].into_iter().chain(measures))}
            {select_field(format!("{form}-policy"), "policy", POLICY, policies)}
            {select_field(format!("{form}-basis"), "basis", "Compare", bases)}
            <Field
                form
                name="at_least"
                label="At least"
                hint="0.80 reliable, 0.667 tentative (Krippendorff 2004)."
                autocomplete="off"
                initial=written(at_least)
                refusal
            />
        </div>
    }
}

/// "✓ Target 0.80: met".
#[component]
pub(crate) fn TargetBadge(target: Target, verdict: TargetVerdict) -> impl IntoView {
    let (class, icon, word) = match verdict {
        TargetVerdict::Met => ("badge good", "✓", "met"),
        TargetVerdict::NotMet => ("badge danger", "✗", "not met"),
        TargetVerdict::Unclear => ("badge", "?", "cannot tell yet"),
    };
    let words = format!("Target {}: {word}", written(target.at_least));
    view! {
        <span class=class title=in_full(target)><span aria-hidden="true">{icon}</span>{words}</span>
    }
}

/// "Krippendorff’s α, value at least 0.80; marked by only one: leave out".
pub(crate) fn in_full(target: Target) -> String {
    format!(
        "{}, {} at least {}; {}: {}",
        target.measure.called(AlertSubject::AllLabelers),
        basis_name(target.basis).to_lowercase(),
        written(target.at_least),
        POLICY.to_lowercase(),
        policy_name(target.policy).to_lowercase()
    )
}

const fn basis_name(basis: TargetBasis) -> &'static str {
    match basis {
        TargetBasis::Value => "Value",
        TargetBasis::LowerBound => "Lower bound of the 95 % interval",
    }
}

/// The number to reach, with two decimals where these are all of it.
fn written(at_least: f64) -> String {
    let short = format!("{at_least:.2}");
    let is_whole = short.parse() == Ok(at_least);
    if is_whole { short } else { at_least.to_string() }.replace('-', "−")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_to_reach_is_written_as_it_was_set() {
        for (at_least, text) in [(0.8, "0.80"), (0.667, "0.667"), (1.0, "1.00"), (-0.2, "−0.20")]
        {
            assert_eq!(written(at_least), text);
            let typed = Target::typed("alpha", PolicyChoice::EmptyLabel, TargetBasis::Value, text);
            assert_eq!(typed, Ok(Some(Target { at_least, ..Target::PROPOSED })));
        }
    }

    #[test]
    fn a_target_is_said_in_full() {
        let target = Target { policy: PolicyChoice::Cleaned, ..Target::PROPOSED };
        assert_eq!(
            in_full(target),
            "Krippendorff’s α, value at least 0.80; marked by only one: leave out"
        );
    }
}
