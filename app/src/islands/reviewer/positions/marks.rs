//! Positions as marks of the text.

use domain::{Colour, Label, LabelSet, Standing, Verdict};

use crate::islands::editor::text_view::Mark;

use super::{
    Position,
    wording::{tag, title},
};

/// One mark for each position, in order.
pub(crate) fn marks_of(positions: &[Position], labels: &[Label]) -> Vec<Mark> {
    positions
        .iter()
        .map(|position| Mark {
            range: position.range,
            tag: tag(position, labels).into(),
            colour: colour(position, labels),
            class: class(position),
            title: title(position, labels).into(),
        })
        .collect()
}

/// The colour of what stands there: none where labelers differ and nothing is decided, and none
/// for a reject.
fn colour(position: &Position, labels: &[Label]) -> Option<Colour> {
    let of_set = |set: &LabelSet| {
        labels.iter().find(|label| set.contains(label.id)).map(|label| label.colour)
    };
    match (&position.decision, position.choices().as_slice()) {
        (Some(decided), _) => of_set(&decided.labels),
        (None, [only]) => of_set(&only.labels),
        (None, _) => None,
    }
}

/// The classes that style/components/review/review.css draws: the line's style says how the labelers
/// stand, its weight whether it is decided.
fn class(position: &Position) -> &'static str {
    let verdict = position.decision.as_ref().map(|decided| decided.verdict);
    if position.group.is_some() {
        return match verdict {
            None => "boundaries",
            Some(Verdict::Reject) => "boundaries decided rejected",
            Some(_) => "boundaries decided",
        };
    }
    match (position.standing, verdict) {
        (Standing::Unanimous, None) => "unanimous",
        (Standing::Unanimous, Some(Verdict::Reject)) => "unanimous decided rejected",
        (Standing::Unanimous, Some(_)) => "unanimous decided",
        (Standing::Conflict, None) => "conflict",
        (Standing::Conflict, Some(Verdict::Reject)) => "conflict decided rejected",
        (Standing::Conflict, Some(_)) => "conflict decided",
        (Standing::Waiting, None) => "waiting",
        (Standing::Waiting, Some(Verdict::Reject)) => "waiting decided rejected",
        (Standing::Waiting, Some(_)) => "waiting decided",
        (Standing::OneSided, None) => "one-sided",
        (Standing::OneSided, Some(Verdict::Reject)) => "one-sided decided rejected",
        (Standing::OneSided, Some(_)) => "one-sided decided",
        (Standing::Added, _) => "added decided",
    }
}

#[cfg(test)]
mod tests {
    use domain::LabelId;

    use super::*;
    use crate::islands::reviewer::positions::examples::{ORG, PER, decided, position};

    #[test]
    fn a_conflict_has_no_colour_until_it_is_decided() {
        let label = |id, colour| Label {
            id: LabelId(id),
            name: id.to_string(),
            colour: Colour::nth(colour),
            hotkey: None,
        };
        let labels = [label(PER, 0), label(ORG, 1)];
        let conflict = position(0, &[&[PER], &[ORG]], 2);
        let marks = marks_of(
            &[
                conflict.clone(),
                decided(conflict.clone(), Verdict::Accept, &[ORG]),
                decided(conflict, Verdict::Reject, &[]),
                position(9, &[&[PER]], 2),
            ],
            &labels,
        );
        let colours: Vec<_> = marks.iter().map(|mark| mark.colour).collect();
        assert_eq!(colours, [None, Some(Colour::nth(1)), None, Some(Colour::nth(0))]);
        let classes: Vec<_> = marks.iter().map(|mark| mark.class).collect();
        assert_eq!(
            classes,
            ["conflict", "conflict decided", "conflict decided rejected", "one-sided"]
        );
    }
}
