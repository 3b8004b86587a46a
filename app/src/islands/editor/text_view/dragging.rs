//! Where a range of the text is on screen, and its ends under a pointer that drags them.

use std::{cell::RefCell, rc::Rc, sync::Arc};

use domain::Range;
use leptos::{ev, leptos_dom::helpers::WindowListenerHandle, prelude::*};
use web_sys::PointerEvent;

use super::{
    End, TEXT, dom,
    layout::{Layout, Unit},
};

/// Where a range begins and ends, from the corner of the box that the text is in, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    /// The upper and the lower edge of its last line.
    pub last_top: f64,
    pub bottom: f64,
}

/// The bounds of a range of the page's text.
pub(crate) fn bounds(layout: &Layout, range: Range) -> Option<Bounds> {
    let root = document().get_element_by_id(TEXT)?;
    let (first, last) = dom::lines_of(&root, layout, range)?;
    let corner = root.parent_element()?.get_bounding_client_rect();
    let (x, y) = (corner.left(), corner.top());
    Some(Bounds {
        left: first.left() - x,
        top: first.top() - y,
        right: last.right() - x,
        last_top: last.top() - y,
        bottom: last.bottom() - y,
    })
}

/// Follows the pointer until it is up, and says then what the range is with one of its ends moved
/// there, in whole units. By mouse, it is shown on the way.
pub(crate) fn drag_end(
    event: &PointerEvent,
    layout: Arc<Layout>,
    (range, end): (Range, End),
    unit: Unit,
    reached: impl Fn(Range) + 'static,
) {
    let pointer = event.pointer_id();
    let under = move |event: &PointerEvent| {
        let root = document().get_element_by_id(TEXT)?;
        let offset = dom::offset_under(&root, &layout, (event.client_x(), event.client_y()))?;
        let moved = stretched(range, end, offset)?;
        let moved = layout.snap(moved, unit).unwrap_or(moved);
        if event.pointer_type() == "mouse" {
            dom::select(&root, &layout, moved.start, moved.end);
        }
        Some(moved)
    };
    let under = Rc::new(under);
    let listening: Rc<RefCell<Vec<WindowListenerHandle>>> = Rc::default();
    let ended = Rc::clone(&listening);
    let end = move || ended.take().into_iter().for_each(WindowListenerHandle::remove);
    let shown = Rc::clone(&under);
    let moves = window_event_listener(ev::pointermove, move |event: PointerEvent| {
        if event.pointer_id() == pointer {
            shown(&event);
        }
    });
    let cancelled = end.clone();
    let cancel = window_event_listener(ev::pointercancel, move |_| cancelled());
    let up = window_event_listener(ev::pointerup, move |event: PointerEvent| {
        if event.pointer_id() == pointer {
            end();
            if let Some(moved) = under(&event) {
                reached(moved);
            }
        }
    });
    *listening.borrow_mut() = vec![moves, cancel, up];
}

/// The range with one end at an offset, if something of it is left.
fn stretched(range: Range, end: End, offset: u32) -> Option<Range> {
    let moved = match end {
        End::First => Range { start: offset, ..range },
        End::Last => Range { end: offset, ..range },
    };
    (moved.start < moved.end).then_some(moved)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_end_is_moved_as_far_as_the_other_end() {
        let range = Range::new(4, 8);
        assert_eq!(stretched(range, End::First, 2), Some(Range::new(2, 8)));
        assert_eq!(stretched(range, End::Last, 12), Some(Range::new(4, 12)));
        assert_eq!(stretched(range, End::Last, 4), None);
    }
}
