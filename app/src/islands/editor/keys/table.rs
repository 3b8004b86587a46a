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
    /// Take away what stands here: the active span, or the decision on the current position.
    Delete,

    /// Go to the attributes of the active span, or of the current position.
    Attributes,

    // Of the annotator.
    /// Take the active suggestion, or else choose a label by name.
    Enter,
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
    /// Say why the position was decided as it was.
    Explain,
    WalkConflicts {
        forward: bool,
    },
    NextUndecided,
    /// List conflicts first, or positions in the order of the text.
    Order,
}

/// The id of the button that shows the labelers side by side; `app/public/review/side.js` listens to it.
pub(crate) const SIDE_BY_SIDE: &str = "side-by-side";

/// The id of the link to flagging a document and putting it aside.
pub(crate) const FLAG: &str = "comments-flag";

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

const BOTH: Option<Workplace> = None;
const ANNOTATOR: Option<Workplace> = Some(Workplace::Annotator);
const REVIEWER: Option<Workplace> = Some(Workplace::Reviewer);

/// Lines by group: where they are, the id, the keys, the name, and the command unless keys alone do it.
macro_rules! table {
    ($($group:literal {
        $($only:ident $id:literal $keys:literal $name:literal $(=> $command:expr)?;)*
    })*) => {
        [$($(Entry {
            id: $id,
            group: $group,
            name: $name,
            keys: $keys,
            command: table!(@ $($command)?),
            only: $only,
        },)*)*]
    };
    (@) => { None };
    (@ $command:expr) => { Some($command) };
}

/// Everything that can be done, in the order of the list. A key means one thing in both editors and in
/// the walk through positions, whose buttons have the keys of what they do (`pages/review/walk`).
pub(crate) const COMMANDS: [Entry; 47] = table! {
    "Select" {
        BOTH "" "← →" "Previous or next token (or character)";
        BOTH "" "↑ ↓" "Previous or next line";
        BOTH "" "Ctrl ← →" "Previous or next sentence";
        BOTH "" "Home End" "Start or end of the paragraph (with Ctrl: text)";
        BOTH "" "Shift with arrows" "Extend the selection";
        ANNOTATOR "grow" "Ctrl ↑" "Grow the selection to sentence, paragraph, text"
            => Command::Grow;
        ANNOTATOR "shrink" "Ctrl ↓" "Shrink the selection" => Command::Shrink;
        ANNOTATOR "unit" "T" "Select by tokens or by characters" => Command::ToggleUnit;
        BOTH "clear" "Escape" "Clear the selection and the active span" => Command::Clear;
    }
    "Find" {
        ANNOTATOR "search" "Ctrl F" "Search text" => Command::Search;
        ANNOTATOR "next-match" "F3" "Next match" => Command::Match { forward: true };
        ANNOTATOR "previous-match" "Shift F3" "Previous match" => Command::Match { forward: false };
        ANNOTATOR "next-capital" ">" "Next capitalised word without a label"
            => Command::Capital { forward: true };
        ANNOTATOR "previous-capital" "<" "Previous capitalised word without a label"
            => Command::Capital { forward: false };
    }
    "Label" {
        ANNOTATOR "" "A label's key" "Label the selection, or relabel the active span";
        ANNOTATOR "" "Shift + a label's key" "Add a second label to the active span";
        REVIEWER "" "A label's key" "Add the selection as a position with this label";
        ANNOTATOR "take" "Enter" "Accept the suggestion, or choose a label" => Command::Enter;
        BOTH "choose" "L or /" "Choose a label by name" => Command::SearchLabels;
        BOTH "attributes" "Q" "Choose the attributes of the active span"
            => Command::Attributes;
        ANNOTATOR "repeat" "." "Repeat the last label" => Command::Repeat;
        ANNOTATOR "all-equal" "Ctrl Shift L" "Label all equal strings" => Command::LabelAll;
        BOTH "delete" "Delete or Backspace" "Delete the span or the decision"
            => Command::Delete;
        BOTH "undo" "Ctrl Z" "Undo" => Command::Undo;
        BOTH "redo" "Ctrl Shift Z or Ctrl Y" "Redo" => Command::Redo;
    }
    "Decide" {
        REVIEWER "" "1 … 9" "Accept the answer with this number";
        REVIEWER "accept" "A" "Accept the majority answer"
            => Command::AcceptMajority;
        REVIEWER "accept-unanimous" "Shift A" "Accept all unanimous positions"
            => Command::AcceptUnanimous;
        REVIEWER "reject" "R" "Reject: no span here" => Command::Reject;
        REVIEWER "explain" "E" "Give a reason for this or the latest decision"
            => Command::Explain;
    }
    "Spans" {
        BOTH "next-span" "J or ] or Alt ↓" "Next span or position"
            => Command::Walk { forward: true };
        BOTH "previous-span" "K or [ or Alt ↑" "Previous span or position"
            => Command::Walk { forward: false };
        BOTH "end-left" "Alt Shift ←" "Move the span's end left"
            => resize(End::Last, false);
        BOTH "end-right" "Alt Shift →" "Move the span's end right"
            => resize(End::Last, true);
        BOTH "start-left" "Ctrl Shift ←" "Move the span's start left"
            => resize(End::First, false);
        BOTH "start-right" "Ctrl Shift →" "Move the span's start right"
            => resize(End::First, true);
    }
    "Positions" {
        REVIEWER "next-conflict" "D" "Next conflict" => Command::WalkConflicts { forward: true };
        REVIEWER "previous-conflict" "Shift D" "Previous conflict"
            => Command::WalkConflicts { forward: false };
        REVIEWER "next-undecided" "N" "Next undecided position" => Command::NextUndecided;
        REVIEWER "order" "O" "Conflicts first or text order" => Command::Order;
        REVIEWER "side-by-side" "V" "Side by side or merged"
            => Command::Press(SIDE_BY_SIDE);
    }
    "Document" {
        BOTH "next-document" "Alt Page Down" "Next document"
            => Command::OpenDocument { forward: true };
        BOTH "previous-document" "Alt Page Up" "Previous document"
            => Command::OpenDocument { forward: false };
        BOTH "comment" "C" "Read and write comments" => Command::Press(COMMENTS);
        ANNOTATOR "flag" "X" "Flag or skip the document" => Command::Press(FLAG);
        BOTH "submit" "Ctrl Enter" "Submit; finish or reopen the review" => Command::Submit;
        BOTH "commands" "?" "All commands and shortcuts" => Command::Commands;
    }
};

const fn resize(end: End, right: bool) -> Command {
    Command::Resize { end, right }
}
