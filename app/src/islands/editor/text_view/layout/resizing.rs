//! Moving one end of a span by a token or a character. Pure.

use domain::Range;

use crate::islands::editor::text_view::{Layout, Motion, Unit};

/// An end of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    First,
    Last,
}

/// The range with one end moved forward or back in the text; none if it cannot move there.
pub(crate) fn resized(
    layout: &Layout,
    range: Range,
    end: End,
    forward: bool,
    unit: Unit,
) -> Option<Range> {
    let first = layout.unit_at(range.start, unit)?;
    let last = layout.unit_at(range.end.checked_sub(1)?, unit)?;
    let moved = match (end, forward) {
        // A range that ends inside a unit grows or shrinks to the unit first.
        (End::Last, true) if last.end > range.end => Range::new(range.start, last.end),
        (End::Last, true) => {
            Range::new(range.start, layout.unit_toward(last, Motion::Forward, unit)?.end)
        }
        (End::Last, false) => {
            Range::new(range.start, layout.unit_toward(last, Motion::Back, unit)?.end)
        }
        (End::First, false) if first.start < range.start => Range::new(first.start, range.end),
        (End::First, false) => {
            Range::new(layout.unit_toward(first, Motion::Back, unit)?.start, range.end)
        }
        (End::First, true) => {
            Range::new(layout.unit_toward(first, Motion::Forward, unit)?.start, range.end)
        }
    };
    (!moved.is_empty() && moved != range).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "The Tragedy of Hamlet";

    fn resize(start: u32, stop: u32, end: End, forward: bool, unit: Unit) -> Option<String> {
        let layout = Layout::new(TEXT.into());
        let moved = resized(&layout, Range::new(start, stop), end, forward, unit)?;
        Some(layout.slice(moved).to_owned())
    }

    #[test]
    fn an_end_moves_by_a_token() {
        let token = |end, forward| resize(4, 14, end, forward, Unit::Token);
        assert_eq!(token(End::Last, true).as_deref(), Some("Tragedy of Hamlet"));
        assert_eq!(token(End::Last, false).as_deref(), Some("Tragedy"));
        assert_eq!(token(End::First, false).as_deref(), Some("The Tragedy of"));
        assert_eq!(token(End::First, true).as_deref(), Some("of"));
    }

    #[test]
    fn an_end_moves_by_a_character() {
        let character = |end, forward| resize(4, 11, end, forward, Unit::Character);
        assert_eq!(character(End::Last, true).as_deref(), Some("Tragedy "));
        assert_eq!(character(End::First, true).as_deref(), Some("ragedy"));
    }

    #[test]
    fn a_span_never_becomes_empty_or_leaves_the_text() {
        assert_eq!(resize(4, 11, End::Last, false, Unit::Token), None);
        assert_eq!(resize(4, 11, End::First, true, Unit::Token), None);
        assert_eq!(resize(15, 21, End::Last, true, Unit::Token), None);
        assert_eq!(resize(0, 3, End::First, false, Unit::Token), None);
    }

    #[test]
    fn an_end_inside_a_token_moves_to_its_edge_first() {
        assert_eq!(resize(4, 6, End::Last, true, Unit::Token).as_deref(), Some("Tragedy"));
        assert_eq!(resize(6, 11, End::First, false, Unit::Token).as_deref(), Some("Tragedy"));
    }
}
