//! What is kept of an edit, as text: `4 page-1 -9-14-2 +0-5-1 +0-5-1-7-2` is the revision it was made
//! on, its own id, a span that was removed and one that was added, each by start, end and label, and
//! what was chosen on it, by the ids of attribute and choice. Pure.

use std::fmt::Write;

use domain::{Answer, AttributeId, Fact, LabelId, Revision, SaveKey, Span};

use crate::islands::annotator::saving::{change::Change, history::Steps};

/// An edit, or a save of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operation {
    pub base: Revision,
    pub id: SaveKey,
    pub change: Change,
}

/// An edit as text.
pub(crate) fn written(base: Revision, id: &SaveKey, change: &Change) -> String {
    let mut text = format!("{base} {}", id.0);
    write_change(&mut text, change);
    text
}

/// The edit that a text tells of, if it is one.
pub(crate) fn read(text: &str) -> Option<Operation> {
    let (base, rest) = text.split_once(' ')?;
    let (id, rest) = rest.split_once(' ').unwrap_or((rest, ""));
    let id = SaveKey(id.to_owned());
    Some(Operation { base: base.parse().ok()?, id, change: read_change(rest)? })
}

/// Steps as text: a line each, those that can be undone first.
pub(crate) fn written_steps(steps: &Steps) -> String {
    let mut text = String::new();
    for (word, changes) in [("done", &steps.done), ("undone", &steps.undone)] {
        for change in changes {
            text.push_str(word);
            write_change(&mut text, change);
            text.push('\n');
        }
    }
    text
}

/// The steps that a text tells of; what is none is left out.
pub(crate) fn read_steps(text: &str) -> Steps {
    let mut steps = Steps::default();
    for line in text.lines() {
        let Some((word, rest)) = line.split_once(' ') else { continue };
        let Some(change) = read_change(rest) else { continue };
        if word == "done" {
            steps.done.push(change);
        } else {
            steps.undone.push(change);
        }
    }
    steps
}

fn write_change(text: &mut String, Change { added, removed }: &Change) {
    for (sign, facts) in [('-', removed), ('+', added)] {
        for Fact { span: Span { range, label }, choice } in facts {
            let _ = write!(text, " {sign}{}-{}-{label}", range.start, range.end);
            if let Some(choice) = choice {
                let _ = write!(text, "-{}-{}", choice.attribute, choice.answer.stored());
            }
        }
    }
}

fn read_change(text: &str) -> Option<Change> {
    let mut change = Change::default();
    for word in text.split_ascii_whitespace() {
        let (sign, numbers) = word.split_at_checked(1)?;
        let mut numbers = numbers.split('-').map(str::parse::<i64>);
        let mut next = || numbers.next()?.ok();
        let (start, end) = (u32::try_from(next()?).ok()?, u32::try_from(next()?).ok()?);
        let span = Span::new(start, end, LabelId(next()?));
        let fact = match next() {
            Some(attribute) => {
                Fact::chosen(span, AttributeId(attribute), Answer::try_from(next()?).ok()?)
            }
            None => span.into(),
        };
        if sign == "+" {
            change.added.push(fact);
        } else {
            change.removed.push(fact);
        }
    }
    Some(change)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn changes() -> impl Strategy<Value = Change> {
        let span = (any::<u32>(), any::<u32>(), 0..i64::MAX)
            .prop_map(|(start, end, label)| Span::new(start, end, LabelId(label)));
        let one = any::<u16>().prop_map(Answer::from);
        let several = prop::collection::vec(0..Answer::MOST_SEVERAL, 1..5);
        let several = several.prop_map(|them| Answer::several(them).unwrap());
        let chosen = prop::option::of((0..i64::MAX, prop_oneof![one, several]));
        let span = (span, chosen).prop_map(|(span, chosen)| match chosen {
            Some((attribute, answer)) => Fact::chosen(span, AttributeId(attribute), answer),
            None => span.into(),
        });
        let spans = || prop::collection::vec(span.clone(), 0..5);
        (spans(), spans()).prop_map(|(added, removed)| Change { added, removed })
    }

    proptest! {
        #[test]
        fn an_edit_is_read_as_it_was_written(base in 0..i64::MAX, change in changes()) {
            let (base, id) = (Revision(base), SaveKey("page-1".to_owned()));
            let text = written(base, &id, &change);
            prop_assert_eq!(read(&text), Some(Operation { base, id, change }));
        }

        #[test]
        fn steps_are_read_as_they_were_written(
            done in prop::collection::vec(changes(), 0..4),
            undone in prop::collection::vec(changes(), 0..4),
        ) {
            // A step that changes nothing is none.
            let some = |changes: Vec<Change>| {
                changes.into_iter().filter(|change| !change.is_empty()).collect()
            };
            let steps = Steps { done: some(done), undone: some(undone) };
            prop_assert_eq!(read_steps(&written_steps(&steps)), steps);
        }

        #[test]
        fn whatever_stands_there_is_read_or_refused(text in "\\PC*") {
            read(&text);
            read_steps(&text);
        }
    }
}
