//! Everything that can be done in the editors, with the keys that it has by itself. What the text
//! itself does with arrow keys is in `text_view/interaction.rs`.

use domain::{LabelId, OwnKeys, alternative_keys};

use super::press::Press;
use crate::islands::editor::{comments::COMMENTS, text_view::End};

/// Where somebody works with keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Workplace {
    Annotator,
    Reviewer,
}

/// Something that a person wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Give the selection this label, or else what is active. With `add`, the active span keeps
    /// its label and its position gets another.
    Label {
        label: LabelId,
        add: bool,
    },
    SearchLabels,
    /// Go to the next or the previous span, or position.
    Walk {
        forward: bool,
    },
    /// Move an end of the active span, or of the current position, to the left or right.
    Resize {
        end: End,
        right: bool,
    },
    Undo,
    Redo,
    /// Hand the document in; end its review, or reopen it.
    Submit,
    OpenDocument {
        forward: bool,
    },
    /// Press the link or button of the page that has this id.
    Press(&'static str),
    /// Show everything that can be done.
    Commands,
    /// Let go of the selection and the active span.
    Clear,

    // Of the annotator.
    /// Take the active suggestion, or else choose a label by name.
    Enter,
    /// Go to the attributes of the active span.
    Attributes,
    Delete,
    ToggleUnit,
    /// Select what is around the selection, or inside it.
    Grow,
    Shrink,
    /// Search in the text; go to what was found.
    Search,
    Match {
        forward: bool,
    },
    /// Go to a capitalised word that nobody has marked.
    Capital {
        forward: bool,
    },
    /// Give the label that was given last.
    Repeat,
    /// Give a label to every place with the same words.
    LabelAll,

    // Of the reviewer.
    /// Accept the answer with this number, from 0.
    Accept(usize),
    AcceptMajority,
    AcceptUnanimous,
    Reject,
    TakeBack,
    /// Say why the position was decided as it was.
    Explain,
    WalkConflicts {
        forward: bool,
    },
    NextUndecided,
    /// List conflicts first, or positions in the order of the text.
    Order,
}

/// The id of the button that shows the labelers side by side; `app/public/side.js` listens to it.
pub(crate) const SIDE_BY_SIDE: &str = "side-by-side";

/// A line of the list of everything that can be done.
pub(crate) struct Entry {
    /// By which people's own keys find it; none for what keys alone can do.
    pub id: &'static str,
    pub group: &'static str,
    pub name: &'static str,
    /// The keys as people read them, " or " between alternatives.
    pub keys: &'static str,
    /// None for what keys alone can do.
    pub command: Option<Command>,
    /// The only place that has it; none for both.
    pub only: Option<Workplace>,
}

impl Entry {
    /// Its keys, or those that a person has given it.
    pub(crate) fn keys_of<'a>(&'a self, own: &'a OwnKeys) -> impl Iterator<Item = &'a str> {
        alternative_keys(own.get(self.id).unwrap_or(self.keys))
    }

    /// Whether it can be done there.
    pub(crate) fn is_in(&self, place: Workplace) -> bool {
        self.only.is_none_or(|only| only == place)
    }

    pub(super) fn has(&self, press: Press<'_>, own: &OwnKeys) -> bool {
        self.command.is_some() && self.keys_of(own).any(|keys| press.is(keys))
    }
}

const fn both(
    id: &'static str,
    group: &'static str,
    keys: &'static str,
    name: &'static str,
    command: Command,
) -> Entry {
    Entry { id, group, name, keys, command: Some(command), only: None }
}

const fn annotating(
    id: &'static str,
    group: &'static str,
    keys: &'static str,
    name: &'static str,
    command: Command,
) -> Entry {
    Entry { only: Some(Workplace::Annotator), ..both(id, group, keys, name, command) }
}

const fn reviewing(
    id: &'static str,
    group: &'static str,
    keys: &'static str,
    name: &'static str,
    command: Command,
) -> Entry {
    Entry { only: Some(Workplace::Reviewer), ..both(id, group, keys, name, command) }
}

const fn note(
    only: Option<Workplace>,
    group: &'static str,
    keys: &'static str,
    name: &'static str,
) -> Entry {
    Entry { id: "", group, name, keys, command: None, only }
}

/// Everything that can be done, in the order of the list.
pub(crate) const COMMANDS: [Entry; 56] = [
    note(None, "Select", "← →", "Previous or next token (or character)"),
    note(None, "Select", "↑ ↓", "A line up or down"),
    note(None, "Select", "Ctrl ← →", "Previous or next sentence"),
    note(None, "Select", "Home End", "Start or end of the paragraph; with Ctrl of the text"),
    note(None, "Select", "Shift with arrows", "Extend the selection"),
    annotating(
        "grow",
        "Select",
        "Ctrl ↑",
        "Grow the selection to sentence, paragraph, text",
        Command::Grow,
    ),
    annotating("shrink", "Select", "Ctrl ↓", "Shrink the selection", Command::Shrink),
    annotating("unit", "Select", "T", "Select by tokens or by characters", Command::ToggleUnit),
    both(
        "clear",
        "Select",
        "Escape",
        "Clear the selection; let go of the active span",
        Command::Clear,
    ),
    annotating("search", "Find", "Ctrl F", "Search in the text", Command::Search),
    annotating("next-match", "Find", "F3", "Next match", Command::Match { forward: true }),
    annotating(
        "previous-match",
        "Find",
        "Shift F3",
        "Previous match",
        Command::Match { forward: false },
    ),
    annotating(
        "next-capital",
        "Find",
        ">",
        "Next capitalised word without a label",
        Command::Capital { forward: true },
    ),
    annotating(
        "previous-capital",
        "Find",
        "<",
        "Previous capitalised word without a label",
        Command::Capital { forward: false },
    ),
    note(
        Some(Workplace::Annotator),
        "Label",
        "A label's key",
        "Label the selection; change the label of the active span",
    ),
    note(
        Some(Workplace::Annotator),
        "Label",
        "Shift + a label's key",
        "Give the active span's position a second label",
    ),
    note(
        Some(Workplace::Reviewer),
        "Label",
        "A label's key",
        "Add the selection as a position with this label",
    ),
    annotating(
        "take",
        "Label",
        "Enter",
        "Take the active suggestion, or choose a label",
        Command::Enter,
    ),
    both("choose", "Label", "L or /", "Choose a label by name", Command::SearchLabels),
    annotating(
        "attributes",
        "Label",
        "A",
        "Choose the attributes of the active span",
        Command::Attributes,
    ),
    annotating("repeat", "Label", ".", "Repeat the last label", Command::Repeat),
    annotating("all-equal", "Label", "Ctrl Shift L", "Label all equal strings", Command::LabelAll),
    annotating("delete", "Label", "Delete or Backspace", "Delete the active span", Command::Delete),
    both("undo", "Label", "Ctrl Z", "Undo", Command::Undo),
    both("redo", "Label", "Ctrl Shift Z or Ctrl Y", "Redo", Command::Redo),
    note(
        Some(Workplace::Reviewer),
        "Decide",
        "1 … 9",
        "Accept this one of the labelers' different answers",
    ),
    reviewing(
        "accept",
        "Decide",
        "A",
        "Accept what most labelers gave, or the only one there is",
        Command::AcceptMajority,
    ),
    reviewing(
        "accept-unanimous",
        "Decide",
        "Shift A",
        "Accept all unanimous positions at once",
        Command::AcceptUnanimous,
    ),
    reviewing("reject", "Decide", "R", "Reject: nothing is to be marked here", Command::Reject),
    reviewing("take-back", "Decide", "Backspace", "Take the decision back", Command::TakeBack),
    reviewing(
        "explain",
        "Decide",
        "E",
        "Give a reason for this decision, or else for the latest",
        Command::Explain,
    ),
    annotating(
        "previous-span",
        "Spans",
        "[ or Alt ↑",
        "Previous span",
        Command::Walk { forward: false },
    ),
    annotating("next-span", "Spans", "] or Alt ↓", "Next span", Command::Walk { forward: true }),
    both(
        "end-left",
        "Spans",
        "Alt Shift ←",
        "Move the end of the active span to the left",
        resize(End::Last, false),
    ),
    both(
        "end-right",
        "Spans",
        "Alt Shift →",
        "Move the end of the active span to the right",
        resize(End::Last, true),
    ),
    both(
        "start-left",
        "Spans",
        "Ctrl Shift ←",
        "Move the start of the active span to the left",
        resize(End::First, false),
    ),
    both(
        "start-right",
        "Spans",
        "Ctrl Shift →",
        "Move the start of the active span to the right",
        resize(End::First, true),
    ),
    reviewing(
        "fix-end-left",
        "Positions",
        ",",
        "Move the end of the position to the left",
        resize(End::Last, false),
    ),
    reviewing(
        "fix-end-right",
        "Positions",
        ".",
        "Move the end of the position to the right",
        resize(End::Last, true),
    ),
    reviewing(
        "fix-start-left",
        "Positions",
        "<",
        "Move the start of the position to the left",
        resize(End::First, false),
    ),
    reviewing(
        "fix-start-right",
        "Positions",
        ">",
        "Move the start of the position to the right",
        resize(End::First, true),
    ),
    reviewing(
        "next-position",
        "Positions",
        "J or ]",
        "Next position",
        Command::Walk { forward: true },
    ),
    reviewing(
        "previous-position",
        "Positions",
        "K or [",
        "Previous position",
        Command::Walk { forward: false },
    ),
    reviewing(
        "next-conflict",
        "Positions",
        "C",
        "Next conflict",
        Command::WalkConflicts { forward: true },
    ),
    reviewing(
        "previous-conflict",
        "Positions",
        "Shift C",
        "Previous conflict",
        Command::WalkConflicts { forward: false },
    ),
    reviewing(
        "next-undecided",
        "Positions",
        "N",
        "Next undecided position",
        Command::NextUndecided,
    ),
    reviewing(
        "order",
        "Positions",
        "O",
        "Conflicts first, or the order of the text",
        Command::Order,
    ),
    reviewing(
        "side-by-side",
        "Positions",
        "V",
        "Labelers side by side, or merged in one text",
        Command::Press(SIDE_BY_SIDE),
    ),
    both(
        "next-document",
        "Document",
        "Alt Page Down",
        "Next document",
        Command::OpenDocument { forward: true },
    ),
    both(
        "previous-document",
        "Document",
        "Alt Page Up",
        "Previous document",
        Command::OpenDocument { forward: false },
    ),
    annotating(
        "comment",
        "Document",
        "C",
        "Comment on the selection, the span or all",
        Command::Press(COMMENTS),
    ),
    reviewing(
        "comments",
        "Document",
        "M",
        "Read and answer the labelers' comments",
        Command::Press(COMMENTS),
    ),
    annotating(
        "flag",
        "Document",
        "X",
        "Flag the text, or put it aside",
        Command::Press("talk-flag"),
    ),
    annotating("submit", "Document", "Ctrl Enter", "Submit", Command::Submit),
    reviewing(
        "end-review",
        "Document",
        "Ctrl Enter",
        "End the review, or reopen it",
        Command::Submit,
    ),
    both("commands", "Document", "Ctrl K or ?", "All commands and keys", Command::Commands),
];

const fn resize(end: End, right: bool) -> Command {
    Command::Resize { end, right }
}
