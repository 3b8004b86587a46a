//! What each key of the review screen does.

use domain::{Label, LabelId};

use super::positions::navigation::Way;
use crate::islands::editor::text_view::End;

/// Something that a reviewer asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Command {
    /// Accept the choice with this number, from 0.
    Accept(usize),
    /// Accept what most labelers gave.
    AcceptMajority,
    /// Look for a label to give.
    SearchLabel,
    /// Give this label to the selected text.
    GiveLabel(LabelId),
    Reject,
    TakeBack,
    /// Move an end of the position to the left or right, as the text there is written.
    MoveEnd {
        end: End,
        right: bool,
    },
    Walk(Way),
    WalkConflicts(Way),
    NextUndecided,
    /// List conflicts first, or positions in the order of the text.
    Order,
    /// Show the labelers side by side, or merged in one text.
    SideBySide,
    AcceptUnanimous,
    /// Say why the position was decided as it was.
    Explain,
    /// Read and answer the labelers' comments, those on the position first.
    Comments,
    Undo,
    Redo,
    EndOrReopen,
    OpenDocument(Way),
    Help,
    DropSelection,
}

/// A key as it was pressed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Press<'a> {
    pub(crate) key: &'a str,
    /// Control, or Command on a Mac.
    pub(crate) ctrl: bool,
    pub(crate) shift: bool,
    pub(crate) alt: bool,
}

/// What a key asks for. While text is selected, the labels' keys come first.
pub(crate) fn command(press: Press<'_>, labels: &[Label], has_selection: bool) -> Option<Command> {
    let Press { key, ctrl, shift, alt } = press;
    match (ctrl, alt) {
        (true, false) => with_control(key, shift),
        (false, true) => match key {
            "PageDown" => Some(Command::OpenDocument(Way::Forward)),
            "PageUp" => Some(Command::OpenDocument(Way::Back)),
            "ArrowLeft" | "ArrowRight" if shift => {
                Some(Command::MoveEnd { end: End::Last, right: key == "ArrowRight" })
            }
            _ => None,
        },
        (false, false) => label_key(key, shift, labels)
            .filter(|_| has_selection)
            .or_else(|| alone(key, shift, has_selection)),
        (true, true) => None,
    }
}

fn with_control(key: &str, shift: bool) -> Option<Command> {
    match key {
        "z" | "Z" if shift => Some(Command::Redo),
        "z" | "Z" => Some(Command::Undo),
        "y" | "Y" => Some(Command::Redo),
        "Enter" => Some(Command::EndOrReopen),
        "ArrowLeft" | "ArrowRight" if shift => {
            Some(Command::MoveEnd { end: End::First, right: key == "ArrowRight" })
        }
        _ => None,
    }
}

fn label_key(key: &str, shift: bool, labels: &[Label]) -> Option<Command> {
    let mut characters = key.chars();
    let hotkey = characters.next()?.to_lowercase().next()?;
    if shift || characters.next().is_some() {
        return None;
    }
    let label = labels.iter().find(|label| label.hotkey == Some(hotkey))?;
    Some(Command::GiveLabel(label.id))
}

fn alone(key: &str, shift: bool, has_selection: bool) -> Option<Command> {
    // Letters by their small form: Caps Lock must not turn one command into another.
    let command = match (key.to_lowercase().as_str(), shift) {
        ("a", false) => Command::AcceptMajority,
        ("a", true) => Command::AcceptUnanimous,
        ("c", false) => Command::WalkConflicts(Way::Forward),
        ("c", true) => Command::WalkConflicts(Way::Back),
        ("e", false) => Command::Explain,
        ("j", false) | ("]", _) => Command::Walk(Way::Forward),
        ("k", false) | ("[", _) => Command::Walk(Way::Back),
        ("l", false) => Command::SearchLabel,
        ("m", false) => Command::Comments,
        ("n", false) => Command::NextUndecided,
        ("o", false) => Command::Order,
        ("v", false) => Command::SideBySide,
        ("," | ".", _) => Command::MoveEnd { end: End::Last, right: key == "." },
        ("<" | ">", _) => Command::MoveEnd { end: End::First, right: key == ">" },
        ("r", false) => Command::Reject,
        ("backspace", false) => Command::TakeBack,
        ("?", _) => Command::Help,
        ("escape", _) if has_selection => Command::DropSelection,
        (digit, false) => {
            let number: usize = digit.parse().ok().filter(|number| (1..=9).contains(number))?;
            Command::Accept(number - 1)
        }
        _ => return None,
    };
    Some(command)
}

/// The keys as the help lists them.
pub(crate) const HELP: &[(&[&str], &str)] = &[
    (&["A"], "Accept what most labelers gave, or the only one there is"),
    (&["1", "…", "9"], "Accept this one of the labelers' different answers"),
    (&["L"], "Give another label: opens the search"),
    (&["R"], "Reject: nothing is to be marked here"),
    (&["Backspace"], "Take the decision back"),
    (&["E"], "Say why: of this decision, or else of the latest; then a reason by its digit"),
    (&["M"], "Read and answer the labelers' comments"),
    (&["Alt+Shift+←", "Alt+Shift+→"], "Move the position's end by a token"),
    (&["Ctrl+Shift+←", "Ctrl+Shift+→"], "Move the position's start by a token"),
    (&[",", "."], "Fix the boundary: the same for the end"),
    (&["<", ">"], "The same for the start"),
    (&["J", "]"], "Next position"),
    (&["K", "["], "Previous position"),
    (&["C"], "Next conflict"),
    (&["Shift+C"], "Previous conflict"),
    (&["N"], "Next undecided position"),
    (&["O"], "List conflicts first, or in the order of the text"),
    (&["V"], "Labelers side by side, or merged in one text"),
    (&["Shift+A"], "Accept all unanimous positions at once"),
    (&["Ctrl+Z"], "Undo"),
    (&["Ctrl+Shift+Z"], "Redo"),
    (&["Ctrl+Enter"], "End the review, or reopen it"),
    (&["Alt+PageDown"], "Next document"),
    (&["Alt+PageUp"], "Previous document"),
    (&["?"], "This help"),
];

#[cfg(test)]
mod tests {
    use domain::Colour;

    use super::*;

    fn labels() -> Vec<Label> {
        let label = |id, name: &str, hotkey| Label {
            id: LabelId(id),
            name: name.to_owned(),
            colour: Colour::nth(0),
            hotkey: Some(hotkey),
        };
        vec![label(1, "PER", '1'), label(2, "ART", 'a')]
    }

    fn press(key: &str) -> Press<'_> {
        Press { key, ..Press::default() }
    }

    #[test]
    fn a_digit_accepts_a_choice_unless_text_is_selected() {
        assert_eq!(command(press("1"), &labels(), false), Some(Command::Accept(0)));
        assert_eq!(command(press("1"), &labels(), true), Some(Command::GiveLabel(LabelId(1))));
        assert_eq!(command(press("a"), &labels(), true), Some(Command::GiveLabel(LabelId(2))));
        assert_eq!(command(press("0"), &labels(), false), None);
    }

    #[test]
    fn shift_and_not_caps_lock_decides_between_one_and_all() {
        let shifted = |key| Press { key, shift: true, ..Press::default() };
        assert_eq!(command(press("A"), &[], false), Some(Command::AcceptMajority));
        assert_eq!(command(shifted("A"), &[], false), Some(Command::AcceptUnanimous));
        assert_eq!(command(shifted("A"), &labels(), true), Some(Command::AcceptUnanimous));
        assert_eq!(command(shifted("C"), &[], false), Some(Command::WalkConflicts(Way::Back)));
        assert_eq!(command(shifted("R"), &[], false), None);
    }

    #[test]
    fn the_browsers_own_keys_are_left_alone() {
        let ctrl = |key| Press { key, ctrl: true, ..Press::default() };
        for key in ["a", "c", "l", "r", "1", "n"] {
            assert_eq!(command(ctrl(key), &labels(), true), None, "Ctrl+{key}");
            let alt = Press { key, alt: true, ..Press::default() };
            assert_eq!(command(alt, &labels(), true), None, "Alt+{key}");
        }
        assert_eq!(command(press("Escape"), &[], false), None);
        assert_eq!(command(press("Tab"), &[], true), None);
    }

    #[test]
    fn undo_and_redo_have_their_usual_keys() {
        let ctrl = |key, shift| Press { key, shift, ctrl: true, alt: false };
        assert_eq!(command(ctrl("z", false), &[], false), Some(Command::Undo));
        assert_eq!(command(ctrl("Z", true), &[], false), Some(Command::Redo));
        assert_eq!(command(ctrl("y", false), &[], false), Some(Command::Redo));
    }

    #[test]
    fn every_key_that_the_help_lists_does_something() {
        for name in HELP.iter().flat_map(|(keys, _)| *keys).filter(|name| **name != "…") {
            let parts: Vec<_> = name.split('+').collect();
            let key = parts.last().unwrap();
            let single = match *key {
                "←" => "ArrowLeft".to_owned(),
                "→" => "ArrowRight".to_owned(),
                key if key.chars().count() == 1 => key.to_lowercase(),
                key => key.to_owned(),
            };
            let press = Press {
                key: &single,
                ctrl: parts.contains(&"Ctrl"),
                shift: parts.contains(&"Shift"),
                alt: parts.contains(&"Alt"),
            };
            assert!(command(press, &[], false).is_some(), "{name}");
        }
    }
}
