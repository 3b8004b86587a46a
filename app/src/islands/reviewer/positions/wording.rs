//! Positions, standings and decisions in words and signs.

use domain::{Label, LabelSet, Range, Standing, Verdict};

use super::{Decided, Position};

/// "PER", "PER + ORG", "nothing".
pub(crate) fn names(set: &LabelSet, labels: &[Label]) -> String {
    if set.is_empty() {
        return "nothing".to_owned();
    }
    let names: Vec<_> = labels
        .iter()
        .filter(|label| set.contains(label.id))
        .map(|label| label.name.as_str())
        .collect();
    names.join(" + ")
}

/// The sign of a standing: tells them apart without colour.
pub(crate) const fn standing_sign(standing: Standing) -> &'static str {
    match standing {
        Standing::Unanimous => "=",
        Standing::Conflict => "≠",
        Standing::OneSided => "◐",
        Standing::Waiting => "…",
        Standing::Added => "+",
    }
}

/// The sign of a position: how the labelers stand there, or that they differ in its boundaries.
pub(crate) const fn kind_sign(position: &Position) -> &'static str {
    match position.group {
        Some(_) => "↔",
        None => standing_sign(position.standing),
    }
}

/// The same in a word.
pub(crate) const fn kind_word(position: &Position) -> &'static str {
    match position.group {
        Some(_) => "boundaries",
        None => position.standing.name(),
    }
}

/// The sign of a decision.
pub(crate) const fn verdict_sign(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accept => "✓",
        Verdict::Relabel => "✎",
        Verdict::Reject => "✗",
        Verdict::Add => "+",
    }
}

/// The same on a position's own card: of so many who saved the document, how many marked it.
pub(crate) fn standing_words(position: &Position, savers: usize) -> String {
    match position.standing {
        Standing::OneSided => format!("marked by {} of {savers}", position.marked.len()),
        other => other.name().to_owned(),
    }
}

/// How the labelers stand on a position, out of so many who saved the document; `finished` says how many
/// have finished it.
pub(crate) fn standing_sentence(position: &Position, savers: usize, finished: &str) -> String {
    let marked = position.marked.len();
    match position.standing {
        Standing::Waiting => format!("{finished}."),
        Standing::Unanimous => format!("All {marked} labelers agree."),
        Standing::Conflict => {
            let silent = match savers.saturating_sub(marked) {
                0 => String::new(),
                silent => format!("; {silent} of {savers} have no span here"),
            };
            format!("Different labels{silent}.")
        }
        Standing::OneSided => "The others have no span here.".to_owned(),
        Standing::Added => "No labeler has this span.".to_owned(),
    }
}

/// "Accepted as PER", "Rejected".
pub(crate) fn decision_words(decided: &Decided, labels: &[Label]) -> String {
    let names = names(&decided.labels, labels);
    match decided.verdict {
        Verdict::Accept => format!("Accepted as {names}"),
        Verdict::Relabel => format!("Relabelled as {names}"),
        Verdict::Reject => "Rejected".to_owned(),
        Verdict::Add => format!("Added as {names}"),
    }
}

/// What was decided at once on positions: "Accepted as PER; 2 others rejected"; none where nothing is
/// decided.
pub(crate) fn act_words<'a>(
    decided: impl IntoIterator<Item = &'a Decided>,
    labels: &[Label],
) -> Option<String> {
    let (mut kept, mut rejected) = (Vec::new(), 0_usize);
    for decided in decided {
        if decided.verdict == Verdict::Reject {
            rejected += 1;
        } else {
            kept.push(decided);
        }
    }
    let what = match (kept.as_slice(), rejected) {
        ([], 0) => return None,
        ([], 1) => return Some("Rejected".to_owned()),
        ([], _) => return Some(format!("{rejected} rejected")),
        ([only], _) => decision_words(only, labels),
        (several, _) => format!("{} accepted", several.len()),
    };
    Some(match rejected {
        0 => what,
        1 => format!("{what}; 1 other rejected"),
        _ => format!("{what}; {rejected} others rejected"),
    })
}

/// The short text at a position: what was decided, or else what the labelers gave.
pub(crate) fn tag(position: &Position, labels: &[Label]) -> String {
    match &position.decision {
        Some(Decided { verdict: Verdict::Reject, .. }) => verdict_sign(Verdict::Reject).to_owned(),
        Some(decided) => {
            format!("{} {}", verdict_sign(decided.verdict), names(&decided.labels, labels))
        }
        None => {
            let given: Vec<_> =
                position.choices().iter().map(|choice| names(&choice.labels, labels)).collect();
            format!("{} {}", kind_sign(position), given.join(" | "))
        }
    }
}

/// What a position is called in full: "conflict: PER | ORG. Accepted as PER".
pub(crate) fn title(position: &Position, labels: &[Label]) -> String {
    let given: Vec<_> =
        position.choices().iter().map(|choice| names(&choice.labels, labels)).collect();
    let mut title = kind_word(position).to_owned();
    if !given.is_empty() {
        title.push_str(": ");
        title.push_str(&given.join(" | "));
    }
    if let Some(decided) = &position.decision {
        title.push_str(". ");
        title.push_str(&decision_words(decided, labels));
    }
    title
}

/// The range that an address's fragment names: "#12-30", with or without the "#".
pub(crate) fn range_of(fragment: &str) -> Option<Range> {
    let fragment = fragment.strip_prefix('#').unwrap_or(fragment);
    let (start, end) = fragment.split_once('-')?;
    let range = Range::new(start.parse().ok()?, end.parse().ok()?);
    (!range.is_empty()).then_some(range)
}

#[cfg(test)]
mod tests {
    use domain::{Colour, LabelId};

    use super::*;
    use crate::islands::reviewer::positions::examples::{
        ORG, PER, decided, labels as set, position,
    };

    fn labels() -> Vec<Label> {
        let label = |id, name: &str| Label {
            id: LabelId(id),
            name: name.to_owned(),
            colour: Colour::nth(0),
            hotkey: None,
        };
        vec![label(ORG, "ORG"), label(PER, "PER")]
    }

    #[test]
    fn a_set_is_named_in_the_order_of_the_label_set() {
        assert_eq!(names(&set(&[PER, ORG]), &labels()), "ORG + PER");
        assert_eq!(names(&set(&[]), &labels()), "nothing");
    }

    #[test]
    fn a_tag_shows_the_labelers_answers_until_it_is_decided() {
        let conflict = position(0, &[&[PER], &[ORG], &[PER]], 3);
        assert_eq!(tag(&conflict, &labels()), "≠ PER | ORG");
        let relabelled = decided(conflict.clone(), Verdict::Relabel, &[PER, ORG]);
        assert_eq!(tag(&relabelled, &labels()), "✎ ORG + PER");
        assert_eq!(tag(&decided(conflict, Verdict::Reject, &[]), &labels()), "✗");
    }

    #[test]
    fn an_act_is_told_with_what_it_rejected() {
        let of = |verdict, ids: &[i64]| {
            decided(position(0, &[&[PER]], 1), verdict, ids).decision.unwrap()
        };
        let (accept, reject) = (of(Verdict::Accept, &[PER]), of(Verdict::Reject, &[]));
        let told = |decided: &[&Decided]| act_words(decided.iter().copied(), &labels());
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(told(&[]), None);
        assert_eq!(told(&[&reject]), text("Rejected"));
        assert_eq!(told(&[&reject, &reject]), text("2 rejected"));
        assert_eq!(told(&[&accept]), text("Accepted as PER"));
        assert_eq!(told(&[&reject, &accept]), text("Accepted as PER; 1 other rejected"));
        assert_eq!(told(&[&reject, &accept, &reject]), text("Accepted as PER; 2 others rejected"));
        assert_eq!(told(&[&accept, &accept]), text("2 accepted"));
    }

    #[test]
    fn a_title_names_standing_answers_and_decision() {
        let conflict = decided(position(0, &[&[PER], &[ORG]], 2), Verdict::Accept, &[ORG]);
        assert_eq!(title(&conflict, &labels()), "conflict: PER | ORG. Accepted as ORG");
    }

    #[test]
    fn a_standing_says_how_many_marked_nothing() {
        let some = position(0, &[&[PER]], 3);
        assert_eq!(standing_words(&some, 3), "marked by 1 of 3");
        assert_eq!(standing_sentence(&some, 3, ""), "The others have no span here.");
        let conflict = position(0, &[&[PER], &[ORG]], 3);
        assert_eq!(
            standing_sentence(&conflict, 3, ""),
            "Different labels; 1 of 3 have no span here."
        );
    }

    #[test]
    fn only_a_real_range_is_read_from_an_address() {
        assert_eq!(range_of("#12-30"), Some(Range::new(12, 30)));
        assert_eq!(range_of("12-30"), Some(Range::new(12, 30)));
        for fragment in ["", "#", "#12", "#30-12", "#5-5", "#a-b", "#-5"] {
            assert_eq!(range_of(fragment), None, "{fragment}");
        }
    }
}
