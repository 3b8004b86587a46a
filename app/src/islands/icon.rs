//! Small pictures beside words; they never stand for a word alone to a screen reader.

use crate::islands::prelude::*;

/// What an icon shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    Add,
    Copy,
    Delete,
    Done,
    Edit,
    Gear,
    Leave,
    Moon,
    Next,
    Previous,
    Screen,
    Sun,
    Upload,
    Warning,
}

impl Glyph {
    /// The strokes, on a square of 24.
    const fn path(self) -> &'static str {
        match self {
            Self::Add => "M12 5v14M5 12h14",
            Self::Copy => "M9 9h11v11H9zM5 15H4V4h11v1",
            Self::Delete => "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
            Self::Done => "M5 13l4 4L19 7",
            Self::Edit => "M4 20l1-4L16 5l3 3L8 19zM14 7l3 3",
            Self::Gear => {
                "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M18.4 5.6l-2.2 2.2M7.8 16.2l-2.2 2.2"
            }
            Self::Leave => "M14 8V4H5v16h9v-4M10 12h11M18 9l3 3-3 3",
            Self::Moon => "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
            Self::Next => "M9 5l7 7-7 7",
            Self::Previous => "M15 5l-7 7 7 7",
            Self::Screen => "M3 5h18v11H3zM9 20h6M12 16v4",
            Self::Sun => {
                "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M19 5l-2 2M7 17l-2 2"
            }
            Self::Upload => "M12 16V4M7 9l5-5 5 5M4 16v4h16v-4",
            Self::Warning => "M12 4L2 20h20zM12 10v5M12 17.5v.5",
        }
    }
}

/// An icon as tall as the text around it, hidden from screen readers.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
            <path d=glyph.path()></path>
        </svg>
    }
}
