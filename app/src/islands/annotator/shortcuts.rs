//! Which key does what while annotating. Pure. The help dialog lists the same table.

use domain::{Label, LabelId};

use crate::islands::text_view::End;

/// Something that a person wants done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Give the selection this label, or else the active span. With `add`, the active span keeps
    /// its label and its position gets another.
    Label {
        label: LabelId,
        add: bool,
    },
    /// Enter: take the active suggestion, or else choose a label by name.
    Enter,
    SearchLabels,
    Delete,
    /// Go to the next or the previous span.
    Walk {
        forward: bool,
    },
    /// Move an end of the active span to the left or right.
    Resize {
        end: End,
        right: bool,
    },
    ToggleUnit,
    Undo,
    Redo,
    Submit,
    NextDocument,
    PreviousDocument,
    Help,
    /// Let go of the active span.
    Clear,
}

/// A key with what was held down with it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Press<'a> {
    /// What the key types, as in `KeyboardEvent.key`.
    pub key: &'a str,
    /// Where it is, as in `KeyboardEvent.code`.
    pub code: &'a str,
    /// Ctrl, or Command on a Mac.
    pub ctrl: bool,
    pub alt: bool,
    pub shift: bool,
}

/// What a key does. Labels may have any letter or digit, and come before single-letter commands;
/// each of those can be reached in another way.
pub(crate) fn command(press: Press<'_>, labels: &[Label]) -> Option<Command> {
    let Press { key, ctrl, alt, shift, .. } = press;
    // Some keyboards need AltGr or Shift for these.
    match key {
        "[" => return Some(Command::Walk { forward: false }),
        "]" => return Some(Command::Walk { forward: true }),
        _ => {}
    }
    match (ctrl, alt, shift, key) {
        (true, false, false, "z" | "Z") => Some(Command::Undo),
        (true, false, true, "z" | "Z") | (true, false, false, "y" | "Y") => Some(Command::Redo),
        (true, false, false, "Enter") => Some(Command::Submit),
        (true, false, true, "ArrowLeft" | "ArrowRight") => {
            Some(Command::Resize { end: End::First, right: key == "ArrowRight" })
        }
        (false, true, true, "ArrowLeft" | "ArrowRight") => {
            Some(Command::Resize { end: End::Last, right: key == "ArrowRight" })
        }
        (false, true, false, "ArrowUp" | "ArrowDown") => {
            Some(Command::Walk { forward: key == "ArrowDown" })
        }
        (false, true, false, "PageDown") => Some(Command::NextDocument),
        (false, true, false, "PageUp") => Some(Command::PreviousDocument),
        (false, false, _, "?") => Some(Command::Help),
        (false, false, _, "/") => Some(Command::SearchLabels),
        (false, false, ..) => {
            let label = label_of(press, labels);
            label.map(|label| Command::Label { label, add: shift }).or_else(|| single(key))
        }
        _ => None,
    }
}

fn single(key: &str) -> Option<Command> {
    match key {
        "Enter" => Some(Command::Enter),
        "l" | "L" => Some(Command::SearchLabels),
        "t" | "T" => Some(Command::ToggleUnit),
        "Delete" | "Backspace" => Some(Command::Delete),
        "Escape" => Some(Command::Clear),
        _ => None,
    }
}

/// The label whose hotkey was pressed: by what the key types, or for digits by where the key is,
/// since with Shift, and on some keyboards without, it types something else.
fn label_of(press: Press<'_>, labels: &[Label]) -> Option<LabelId> {
    let mut typed = press.key.chars().flat_map(char::to_lowercase);
    let typed = typed.next().filter(|_| press.key.chars().count() == 1);
    let place = press.code.strip_prefix("Digit").or_else(|| press.code.strip_prefix("Numpad"));
    let digit = place.and_then(|place| place.chars().next()).filter(char::is_ascii_digit);
    let of = |key: Option<char>| {
        labels.iter().find(|label| key.is_some() && label.hotkey == key).map(|label| label.id)
    };
    of(typed).or_else(|| of(digit))
}

/// The keys and what they do, for the help dialog; "or" stands between alternatives.
pub(crate) const HELP: [(&str, &[(&str, &str)]); 4] = [
    (
        "Select",
        &[
            ("← →", "Previous or next token (or character)"),
            ("↑ ↓", "A line up or down"),
            ("Home End", "Start or end of the paragraph; with Ctrl of the text"),
            ("Shift with these", "Extend the selection"),
            ("T", "Select by tokens or by characters"),
            ("Escape", "Clear the selection; let go of the active span"),
        ],
    ),
    (
        "Label",
        &[
            ("A label's key", "Label the selection; change the label of the active span"),
            ("Shift + a label's key", "Give the active span's position a second label"),
            ("Enter or L or /", "Choose a label by name"),
            ("Enter", "Take the active suggestion"),
            ("Delete or Backspace", "Delete the active span"),
            ("Ctrl Z", "Undo"),
            ("Ctrl Shift Z or Ctrl Y", "Redo"),
        ],
    ),
    (
        "Spans",
        &[
            ("[ or Alt ↑", "Previous span"),
            ("] or Alt ↓", "Next span"),
            ("Alt Shift ← →", "Move the end of the active span"),
            ("Ctrl Shift ← →", "Move the start of the active span"),
        ],
    ),
    (
        "Document",
        &[
            ("Alt Page Down", "Next document"),
            ("Alt Page Up", "Previous document"),
            ("Ctrl Enter", "Submit"),
            ("?", "This list"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use domain::Colour;

    use super::*;

    fn labels() -> Vec<Label> {
        let label = |id, name: &str, hotkey| Label {
            id: LabelId(id),
            name: name.to_owned(),
            colour: Colour::default(),
            hotkey,
        };
        vec![label(1, "PER", Some('1')), label(2, "TIME", Some('t')), label(3, "MISC", None)]
    }

    fn pressed(key: &str, code: &str, ctrl: bool, alt: bool, shift: bool) -> Option<Command> {
        command(Press { key, code, ctrl, alt, shift }, &labels())
    }

    #[test]
    fn a_digit_labels_by_its_place_on_any_keyboard() {
        let labelled = |add| Some(Command::Label { label: LabelId(1), add });
        assert_eq!(pressed("1", "Digit1", false, false, false), labelled(false));
        assert_eq!(pressed("!", "Digit1", false, false, true), labelled(true));
        assert_eq!(pressed("&", "Digit1", false, false, false), labelled(false));
        assert_eq!(pressed("1", "Numpad1", false, false, false), labelled(false));
    }

    #[test]
    fn a_label_comes_before_a_command_on_the_same_letter() {
        let labelled = Some(Command::Label { label: LabelId(2), add: false });
        assert_eq!(pressed("t", "KeyT", false, false, false), labelled);
        let bare = command(Press { key: "t", ..Press::default() }, &[]);
        assert_eq!(bare, Some(Command::ToggleUnit));
    }

    #[test]
    fn a_label_without_a_key_is_on_no_key() {
        assert_eq!(pressed("Dead", "KeyX", false, false, false), None);
        assert_eq!(pressed("m", "KeyM", false, false, false), None);
    }

    #[test]
    fn a_label_key_with_ctrl_or_alt_is_left_to_the_browser() {
        assert_eq!(pressed("1", "Digit1", true, false, false), None);
        assert_eq!(pressed("t", "KeyT", true, false, false), None);
        assert_eq!(pressed("1", "Digit1", false, true, false), None);
    }

    #[test]
    fn brackets_work_where_they_need_alt_gr() {
        let next = Some(Command::Walk { forward: true });
        assert_eq!(pressed("]", "BracketRight", false, false, false), next);
        assert_eq!(pressed("]", "Digit9", true, true, false), next);
    }

    #[test]
    fn a_slash_opens_the_search_where_it_is_a_shifted_digit() {
        assert_eq!(pressed("/", "Digit7", false, false, true), Some(Command::SearchLabels));
    }

    #[test]
    fn ends_move_with_different_keys_than_the_selection() {
        let resize = |end, right| Some(Command::Resize { end, right });
        assert_eq!(pressed("ArrowRight", "", false, true, true), resize(End::Last, true));
        assert_eq!(pressed("ArrowLeft", "", true, false, true), resize(End::First, false));
        assert_eq!(pressed("ArrowLeft", "", false, true, false), None);
    }
}
