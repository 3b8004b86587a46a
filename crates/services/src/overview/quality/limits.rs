//! What a project's own rows say against its numbers.

use domain::{Measured, count};

use super::facts::Facts;

/// Labels with fewer positions have wide intervals.
const FEW_POSITIONS: u64 = 30;

/// Sentences, the most general last.
pub(super) fn of(facts: &Facts) -> Vec<String> {
    let counted = &facts.counted;
    let mut limits = Vec::new();
    let alone = counted.annotators.documents_below(2);
    if alone > 0 {
        limits.push(format!(
            "{} of {} have fewer than two submitted annotations: agreement says nothing of them.",
            alone,
            count(counted.documents, "document")
        ));
    }
    for number in &facts.headlines.numbers {
        if let Measured::Undefined(reason) = number.measured {
            let compared = number.policy.called();
            limits.push(format!("α, “{compared}”, has no value: {}.", reason.sentence()));
        }
    }
    let rare: Vec<_> = facts
        .labels
        .iter()
        .filter(|label| {
            let part = facts.parts.rows.iter().find(|part| part.label == label.id);
            part.is_none_or(|part| part.positions < FEW_POSITIONS)
        })
        .map(|label| label.name.as_str())
        .collect();
    if !rare.is_empty() {
        let rare = rare.join(", ");
        limits.push(format!(
            "Fewer than {FEW_POSITIONS} positions that two labelers judged: {rare}."
        ));
    }
    let open = facts.gold.sums.open();
    if open > 0 {
        limits.push(format!("{open} positions are open: they are not part of the gold standard."));
    }
    if !counted.validation.is_there() {
        limits.push("The gold standard was not validated by a random sample.".to_owned());
    } else if counted.validation.waiting() > 0 {
        let waiting = counted.validation.waiting();
        limits.push(format!("{waiting} documents of the validation sample are not judged yet."));
    }
    if facts.offers_suggestions {
        limits.push(
            "Labelers are offered suggestions from each other’s work, which raises agreement."
                .to_owned(),
        );
    }
    limits.push(
        "Reviewers decide with the labelers’ spans in sight: that they agree with them is no \
         independent check."
            .to_owned(),
    );
    limits.push(
        "Intervals of agreement resample documents; they do not say how other annotators would \
         agree."
            .to_owned(),
    );
    limits
}
