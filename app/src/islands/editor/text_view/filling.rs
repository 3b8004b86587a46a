//! The marks that a long text comes without: drawn when the page is there, a few at a time, so that
//! keys and scrolling never wait for them.

use std::time::Duration;

use leptos::prelude::*;

use super::{dom, interaction::Interaction};

/// How many marks are drawn in one go; a few milliseconds.
const AT_ONCE: usize = 150;

/// How long it is waited while somebody selects with the mouse.
const WHILE_PRESSED: Duration = Duration::from_millis(100);

impl Interaction {
    /// Draws what is bare, the top first. What somebody selects with the mouse just then stays as it
    /// is until they are done.
    pub(crate) fn draw_bare_chunks(self) {
        if self.first_bare().is_none() {
            return;
        }
        let draw_some = move || {
            let mut drawn = 0;
            while drawn < AT_ONCE && self.pressed.try_get_value() == Some(false) {
                let Some(chunk) = self.first_bare() else { break };
                drawn += self.draw_bare(chunk);
            }
            // The browser's selection goes with what it was in.
            self.before_next_frame(None);
            self.draw_bare_chunks();
        };
        let is_pressed = self.pressed.try_get_value() == Some(true);
        set_timeout(draw_some, if is_pressed { WHILE_PRESSED } else { Duration::ZERO });
    }

    fn first_bare(self) -> Option<usize> {
        self.due.try_update_value(|due| due.bare.iter().position(|is_bare| *is_bare)).flatten()
    }

    /// Draws the chunks that a mark is in.
    pub(crate) fn draw_bare_under(self, mark: usize) {
        let Some(layout) = self.layout() else { return };
        for (chunk, _) in self.picture.with_value(|picture| picture.places(&layout, mark)) {
            self.draw_bare(chunk);
        }
    }

    /// Draws a chunk if it is bare; returns the number of its marks then.
    fn draw_bare(self, chunk: usize) -> usize {
        let is_bare = self.due.try_update_value(|due| due.bare.get_mut(chunk).map(std::mem::take));
        let (Some(root), Some(layout)) = (self.root(), self.layout()) else { return 0 };
        if is_bare.flatten() != Some(true) {
            return 0;
        }
        self.picture.with_value(|picture| {
            dom::draw_chunk(&root, &layout, chunk, &picture.chunk_html(&layout, chunk));
            picture.marks_in(chunk)
        })
    }
}
