//! What pointer and keyboard do to a text view: they move its selection.

use std::{sync::Arc, time::Duration};

use domain::Range;
use leptos::{html, leptos_dom::helpers::TimeoutHandle, prelude::*};
use wasm_bindgen::JsCast;
use web_sys::{Element, EventTarget, KeyboardEvent, MouseEvent, PointerEvent};

use super::{
    dom,
    layout::{
        Layout, Unit,
        movement::{Caret, Motion},
    },
    picture::Picture,
};

/// How long a selection by touch has to rest before it counts as complete: its handles are moved
/// one after the other, and nothing says when the second has been let go.
const TOUCH_REST: Duration = Duration::from_millis(350);

/// A text view at work.
#[derive(Clone, Copy)]
pub(crate) struct Interaction {
    pub root: NodeRef<html::Div>,
    pub layout: StoredValue<Arc<Layout>>,
    pub picture: StoredValue<Arc<Picture>>,
    pub selection: RwSignal<Option<Range>>,
    pub by_token: Signal<bool>,
    pub active: Signal<Option<usize>>,
    pub on_mark: Callback<usize>,
    pub on_select: Callback<Range>,
    pub on_key: Callback<KeyboardEvent>,
    /// Where the keyboard is, also while nothing is selected.
    pub caret: StoredValue<Option<Caret>>,
    /// Whether the pointer is down, or what it has selected is yet to be taken: the browser's
    /// selection is its own then.
    pub pressed: StoredValue<bool>,
    pub settling: StoredValue<Option<TimeoutHandle>>,
    /// Whether the last pointer was a finger or a pen.
    pub touches: StoredValue<bool>,
    pub resting: StoredValue<Option<TimeoutHandle>>,
    pub due: StoredValue<Due>,
}

/// What is still to be drawn.
#[derive(Default)]
pub(crate) struct Due {
    /// For each chunk, whether its marks are not drawn yet.
    pub bare: Vec<bool>,
    /// Whether a frame has been asked for, which draws the selection.
    pub frame: bool,
    /// What that frame scrolls into view.
    pub show: Option<Range>,
}

impl Interaction {
    pub(crate) fn root(self) -> Option<Element> {
        self.root.try_get_untracked().flatten().map(JsCast::unchecked_into)
    }

    pub(crate) fn layout(self) -> Option<Arc<Layout>> {
        self.layout.try_get_value()
    }

    fn unit(self) -> Unit {
        Unit::of(self.by_token.get_untracked())
    }

    /// Draws the selection and scrolls to a range before the next frame, when all that changes with
    /// them has changed: both ask where things are, for which the browser lays the page out.
    pub(crate) fn before_next_frame(self, show: Option<Range>) {
        let was_asked = self.due.try_update_value(|due| {
            due.show = show.or(due.show);
            std::mem::replace(&mut due.frame, true)
        });
        if was_asked == Some(false) {
            request_animation_frame(move || self.on_frame());
        }
    }

    fn on_frame(self) {
        let show = self.due.try_update_value(|due| {
            due.frame = false;
            due.show.take()
        });
        let (Some(show), Some(root), Some(layout)) = (show, self.root(), self.layout()) else {
            return;
        };
        self.draw_selection(self.selection.get_untracked());
        if let Some(range) = show {
            dom::show(&root, &layout, range);
        }
    }

    /// Draws the selection as the browser's, if the text has the focus; elsewhere, as in a search
    /// box, the browser's selection is not ours.
    fn draw_selection(self, selection: Option<Range>) {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return };
        if self.pressed.get_value() || !dom::has_focus(&root) {
            return;
        }
        let Some(range) = selection else { return dom::unselect(&root, &layout) };
        let caret = self.caret.get_value().filter(|caret| caret.range() == range);
        let (from, to) = caret.map_or((range.start, range.end), Caret::ends);
        if dom::selected(&root, &layout) != Some((from, to)) {
            dom::select(&root, &layout, from, to);
        }
    }

    /// A mark is drawn in runs: while the pointer is over one of them, all are lit.
    pub(crate) fn point_at(self, target: Option<EventTarget>) {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return };
        let picture = self.picture.get_value();
        let target: Option<Element> = target.and_then(|target| target.dyn_into().ok());
        let marks = target.map(|target| dom::marks_at(&target, &layout, &picture));
        dom::set_class(&dom::all(&root, ".over"), "over", false);
        for mark in marks.unwrap_or_default() {
            dom::set_class(&dom::runs(&root, &layout, &picture, mark), "over", true);
        }
    }

    pub(crate) fn pointer_down(self, event: &PointerEvent) {
        self.touches.set_value(event.pointer_type() != "mouse");
        self.pressed.set_value(true);
        // Of a double click the second half selects.
        stop(self.settling);
    }

    /// The pointer is up again, maybe outside the text. The browser settles its selection after
    /// the event.
    pub(crate) fn pointer_up(self) {
        if self.pressed.try_get_value() != Some(true) {
            return;
        }
        stop(self.settling);
        let settled = set_timeout_with_handle(move || self.settle(), Duration::ZERO);
        self.settling.set_value(settled.ok());
    }

    /// Takes over what the pointer has selected.
    fn settle(self) {
        if self.pressed.try_update_value(std::mem::take) == Some(true) {
            self.take_selection(true);
        }
    }

    /// The browser's selection has changed. By touch, this is the only sign of it.
    pub(crate) fn selection_changed(self) {
        if !self.touches.get_value() {
            return;
        }
        stop(self.resting);
        let rested = set_timeout_with_handle(move || self.take_selection(false), TOUCH_REST);
        self.resting.set_value(rested.ok());
    }

    /// Takes over what has been selected in the browser, in whole units. Nothing selected means
    /// something only after a pointer: touch loses the selection to any tap elsewhere.
    fn take_selection(self, by_pointer: bool) {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return };
        let Some((from, to)) = dom::selected(&root, &layout) else { return };
        let range = Range::new(from.min(to), from.max(to));
        let unit = self.unit();
        let Some(snapped) = layout.snap(range, unit).filter(|_| !range.is_empty()) else {
            if by_pointer && self.selection.get_untracked().is_some() {
                self.selection.set(None);
            }
            return;
        };
        if self.selection.get_untracked() == Some(snapped) {
            self.draw_selection(Some(snapped));
            return;
        }
        let caret = Caret::of(&layout, snapped, unit);
        self.caret.set_value(if from <= to { caret } else { caret.map(Caret::turned) });
        self.selection.set(Some(snapped));
        self.on_select.run(snapped);
    }

    /// A click without a drag puts the keyboard there and picks the innermost mark, or if that is
    /// active already the next one around it.
    pub(crate) fn click(self, event: &MouseEvent) {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return };
        let selected = dom::selected(&root, &layout);
        if event.detail() > 1 || selected.is_some_and(|(from, to)| from != to) {
            return;
        }
        let unit = self.unit();
        // A finger puts no caret into a text that is not typed in.
        let under = || dom::offset_under(&root, &layout, (event.client_x(), event.client_y()));
        let at = selected.map(|(_, to)| to).or_else(under);
        let caret = at.and_then(|at| layout.unit_at(at, unit)).map(Caret::at);
        self.caret.set_value(caret);
        self.selection.set(None);
        let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let marks = target.map(|target| {
            self.picture.with_value(|picture| dom::marks_at(&target, &layout, picture))
        });
        if let Some(mark) = next_outward(&marks.unwrap_or_default(), self.active.get_untracked()) {
            self.on_mark.run(mark);
        } else if let Some(word) = caret.map(Caret::range).filter(|_| self.touches.get_value()) {
            // Nothing is selected more easily by finger or pen. That the browser has selected nothing, of
            // which the end of the tap is about to tell, takes it away no more.
            stop(self.settling);
            self.pressed.set_value(false);
            self.selection.set(Some(word));
            self.on_select.run(word);
        }
    }

    pub(crate) fn key(self, event: KeyboardEvent) {
        // A key may come before the browser has settled what the pointer has selected.
        if self.settling.with_value(Option::is_some) {
            stop(self.settling);
            self.settle();
        }
        let bare = !event.ctrl_key() && !event.meta_key() && !event.alt_key();
        let ctrl = event.ctrl_key() && !event.meta_key() && !event.alt_key() && !event.shift_key();
        let used = match event.key().as_str() {
            "ArrowLeft" if bare => self.step(event.shift_key(), false),
            "ArrowRight" if bare => self.step(event.shift_key(), true),
            "ArrowLeft" if ctrl => self.sentence(false),
            "ArrowRight" if ctrl => self.sentence(true),
            "ArrowUp" if bare => self.line(event.shift_key(), false),
            "ArrowDown" if bare => self.line(event.shift_key(), true),
            "Home" if bare => self.travel(event.shift_key(), Motion::BlockStart),
            "End" if bare => self.travel(event.shift_key(), Motion::BlockEnd),
            "Home" if ctrl => self.travel(false, Motion::TextStart),
            "End" if ctrl => self.travel(false, Motion::TextEnd),
            "Escape" if bare && self.selection.get_untracked().is_some() => {
                self.selection.set(None);
                true
            }
            _ => false,
        };
        if used {
            event.prevent_default();
        } else {
            self.on_key.run(event);
        }
    }

    /// One unit to the left or right, as the block is written.
    fn step(self, grow: bool, right: bool) -> bool {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return false };
        let at = self.caret(&layout).map_or(0, |caret| caret.focus.start);
        let forward = right != dom::is_rtl(&root, &layout, at);
        self.travel(grow, if forward { Motion::Forward } else { Motion::Back })
    }

    /// The sentence to the left or right, as the block is written.
    fn sentence(self, right: bool) -> bool {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return false };
        let at = self.caret(&layout).map_or(0, |caret| caret.focus.start);
        let forward = right != dom::is_rtl(&root, &layout, at);
        self.travel(false, if forward { Motion::SentenceForward } else { Motion::SentenceBack })
    }

    /// One line up or down as the text is wrapped, or else to the next block.
    fn line(self, grow: bool, down: bool) -> bool {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return false };
        let Some(caret) = self.caret(&layout) else { return self.travel(grow, Motion::Forward) };
        let found = dom::line_toward(&root, &layout, caret.focus.start, down)
            .and_then(|offset| layout.unit_at(offset, self.unit()))
            .filter(|unit| (unit.start > caret.focus.start) == down && *unit != caret.focus);
        match found {
            Some(unit) => self.go(&root, &layout, caret.moved(unit, grow)),
            None if down => self.travel(grow, Motion::BlockForward),
            None => self.travel(grow, Motion::BlockBack),
        }
    }

    /// Moves as `motion` says; the first key of all begins where the active mark or the text does.
    fn travel(self, grow: bool, motion: Motion) -> bool {
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return false };
        let unit = self.unit();
        let next = if let Some(caret) = self.caret(&layout) {
            let toward = layout.unit_toward(caret.focus, motion, unit);
            toward.map_or(caret, |toward| caret.moved(toward, grow))
        } else {
            let Some(first) = layout.unit_at(self.beginning(), unit) else { return true };
            // These say where to go from anywhere, so from no caret too.
            let is_absolute = matches!(motion, Motion::TextStart | Motion::TextEnd);
            let toward = if is_absolute { layout.unit_toward(first, motion, unit) } else { None };
            Caret::at(toward.unwrap_or(first))
        };
        self.go(&root, &layout, next)
    }

    fn beginning(self) -> u32 {
        let active = self.active.get_untracked();
        let start = self
            .picture
            .with_value(|picture| picture.marks().get(active?).map(|mark| mark.range.start));
        start.unwrap_or(0)
    }

    /// The caret in the present unit; a selection that came from elsewhere has its own.
    fn caret(self, layout: &Layout) -> Option<Caret> {
        let unit = self.unit();
        let caret = self.caret.get_value();
        match self.selection.get_untracked() {
            Some(range) if caret.is_none_or(|caret| caret.range() != range) => {
                Caret::of(layout, range, unit)
            }
            _ => caret,
        }
    }

    fn go(self, root: &Element, layout: &Layout, caret: Caret) -> bool {
        self.caret.set_value(Some(caret));
        self.selection.set(Some(caret.range()));
        dom::show(root, layout, caret.focus);
        true
    }
}

fn stop(timeout: StoredValue<Option<TimeoutHandle>>) {
    if let Some(timeout) = timeout.try_update_value(Option::take).flatten() {
        timeout.clear();
    }
}

/// Of the marks under the pointer, the innermost first, the one that a click picks.
fn next_outward(marks: &[usize], active: Option<usize>) -> Option<usize> {
    let at = active.and_then(|active| marks.iter().position(|mark| *mark == active));
    at.and_then(|at| marks.get(at + 1)).or_else(|| marks.first()).copied()
}

#[cfg(test)]
mod tests {
    use super::next_outward;

    #[test]
    fn repeated_clicks_walk_outwards_and_begin_again() {
        assert_eq!(next_outward(&[4, 2, 7], None), Some(4));
        assert_eq!(next_outward(&[4, 2, 7], Some(4)), Some(2));
        assert_eq!(next_outward(&[4, 2, 7], Some(2)), Some(7));
        assert_eq!(next_outward(&[4, 2, 7], Some(7)), Some(4));
        assert_eq!(next_outward(&[4, 2, 7], Some(9)), Some(4));
        assert_eq!(next_outward(&[], Some(9)), None);
    }
}
