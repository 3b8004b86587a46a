//! What can be done while annotating, and by which key: one list for the keys and for the dialog that
//! shows and runs them. Pure.

use domain::{Label, LabelId, OwnKeys, alternative_keys};

use super::text_view::End;

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
    /// Go to the attributes of the active span.
    Attributes,
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
    /// Open what can be said of the document, by the id of its link on the page.
    Open(&'static str),
    /// Show everything that can be done.
    Commands,
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

/// What a key does. Labels may have any letter or digit, and come before commands on a bare letter;
/// each of those can be reached in another way.
pub(crate) fn command(press: Press<'_>, labels: &[Label], own: &OwnKeys) -> Option<Command> {
    let found = COMMANDS.iter().find(|entry| entry.has(press, own)).and_then(|entry| entry.command);
    let is_letter = press.key.chars().all(char::is_alphabetic) && press.key.chars().count() == 1;
    let found_at_once = found.filter(|_| !is_letter);
    found_at_once
        .or_else(|| {
            let label = label_of(press, labels).filter(|_| !press.ctrl && !press.alt)?;
            Some(Command::Label { label, add: press.shift })
        })
        .or(found)
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
}

impl Entry {
    /// Its keys, or those that a person has given it.
    pub(crate) fn keys_of<'a>(&'a self, own: &'a OwnKeys) -> impl Iterator<Item = &'a str> {
        alternative_keys(own.get(self.id).unwrap_or(self.keys))
    }

    fn has(&self, press: Press<'_>, own: &OwnKeys) -> bool {
        self.command.is_some() && self.keys_of(own).any(|keys| is_pressed(keys, press))
    }
}

/// Whether these keys, as people read them, are what was pressed.
fn is_pressed(keys: &str, Press { key, ctrl, alt, shift, .. }: Press<'_>) -> bool {
    let (held, name) = keys.rsplit_once(' ').unwrap_or(("", keys));
    let (held, name) = match name {
        "Up" | "Down" if held.ends_with("Page") => (
            held.trim_end_matches("Page").trim_end(),
            if name == "Up" { "PageUp" } else { "PageDown" },
        ),
        "↑" => (held, "ArrowUp"),
        "↓" => (held, "ArrowDown"),
        "←" => (held, "ArrowLeft"),
        "→" => (held, "ArrowRight"),
        name => (held, name),
    };
    let is_sign = name.len() == 1 && !name.chars().all(char::is_alphanumeric);
    if is_sign {
        // Some keyboards need Shift or AltGr for these, which is Ctrl and Alt at once.
        return key == name && ctrl == alt;
    }
    let holds = |word| held.split(' ').any(|held| held == word);
    key.eq_ignore_ascii_case(name)
        && (ctrl, alt, shift) == (holds("Ctrl"), holds("Alt"), holds("Shift"))
}

const fn entry(
    id: &'static str,
    group: &'static str,
    keys: &'static str,
    name: &'static str,
    command: Command,
) -> Entry {
    Entry { id, group, name, keys, command: Some(command) }
}

const fn note(group: &'static str, keys: &'static str, name: &'static str) -> Entry {
    Entry { id: "", group, name, keys, command: None }
}

/// Everything that can be done, in the order of the list. What the text itself does with arrow keys
/// is in `text_view/interaction.rs`.
pub(crate) const COMMANDS: [Entry; 36] = [
    note("Select", "← →", "Previous or next token (or character)"),
    note("Select", "↑ ↓", "A line up or down"),
    note("Select", "Ctrl ← →", "Previous or next sentence"),
    note("Select", "Home End", "Start or end of the paragraph; with Ctrl of the text"),
    note("Select", "Shift with arrows", "Extend the selection"),
    entry(
        "grow",
        "Select",
        "Ctrl ↑",
        "Grow the selection to sentence, paragraph, text",
        Command::Grow,
    ),
    entry("shrink", "Select", "Ctrl ↓", "Shrink the selection", Command::Shrink),
    entry("unit", "Select", "T", "Select by tokens or by characters", Command::ToggleUnit),
    entry(
        "clear",
        "Select",
        "Escape",
        "Clear the selection; let go of the active span",
        Command::Clear,
    ),
    entry("search", "Find", "Ctrl F", "Search in the text", Command::Search),
    entry("next-match", "Find", "F3", "Next match", Command::Match { forward: true }),
    entry(
        "previous-match",
        "Find",
        "Shift F3",
        "Previous match",
        Command::Match { forward: false },
    ),
    entry(
        "next-capital",
        "Find",
        ">",
        "Next capitalised word without a label",
        Command::Capital { forward: true },
    ),
    entry(
        "previous-capital",
        "Find",
        "<",
        "Previous capitalised word without a label",
        Command::Capital { forward: false },
    ),
    note("Label", "A label's key", "Label the selection; change the label of the active span"),
    note("Label", "Shift + a label's key", "Give the active span's position a second label"),
    entry(
        "take",
        "Label",
        "Enter",
        "Take the active suggestion, or choose a label",
        Command::Enter,
    ),
    entry("choose", "Label", "L or /", "Choose a label by name", Command::SearchLabels),
    entry(
        "attributes",
        "Label",
        "A",
        "Choose the attributes of the active span",
        Command::Attributes,
    ),
    entry("repeat", "Label", ".", "Repeat the last label", Command::Repeat),
    entry("all-equal", "Label", "Ctrl Shift L", "Label all equal strings", Command::LabelAll),
    entry("delete", "Label", "Delete or Backspace", "Delete the active span", Command::Delete),
    entry("undo", "Label", "Ctrl Z", "Undo", Command::Undo),
    entry("redo", "Label", "Ctrl Shift Z or Ctrl Y", "Redo", Command::Redo),
    entry(
        "previous-span",
        "Spans",
        "[ or Alt ↑",
        "Previous span",
        Command::Walk { forward: false },
    ),
    entry("next-span", "Spans", "] or Alt ↓", "Next span", Command::Walk { forward: true }),
    entry(
        "end-left",
        "Spans",
        "Alt Shift ←",
        "Move the end of the active span to the left",
        resize(End::Last, false),
    ),
    entry(
        "end-right",
        "Spans",
        "Alt Shift →",
        "Move the end of the active span to the right",
        resize(End::Last, true),
    ),
    entry(
        "start-left",
        "Spans",
        "Ctrl Shift ←",
        "Move the start of the active span to the left",
        resize(End::First, false),
    ),
    entry(
        "start-right",
        "Spans",
        "Ctrl Shift →",
        "Move the start of the active span to the right",
        resize(End::First, true),
    ),
    entry("next-document", "Document", "Alt Page Down", "Next document", Command::NextDocument),
    entry(
        "previous-document",
        "Document",
        "Alt Page Up",
        "Previous document",
        Command::PreviousDocument,
    ),
    entry(
        "comment",
        "Document",
        "C",
        "Comment on the selection, the span or all",
        Command::Open("talk-comments"),
    ),
    entry("flag", "Document", "X", "Flag the text, or put it aside", Command::Open("talk-flag")),
    entry("submit", "Document", "Ctrl Enter", "Submit", Command::Submit),
    entry("commands", "Document", "Ctrl K or ?", "All commands and keys", Command::Commands),
];

const fn resize(end: End, right: bool) -> Command {
    Command::Resize { end, right }
}

/// The first of a command's keys as people read them.
pub(crate) fn shown_keys(command: Command, own: &OwnKeys) -> Option<&str> {
    let entry = COMMANDS.iter().find(|entry| entry.command == Some(command))?;
    entry.keys_of(own).next()
}

/// The first of a command's keys as `aria-keyshortcuts` has it.
pub(crate) fn spoken_keys(command: Command, own: &OwnKeys) -> Option<String> {
    let keys = shown_keys(command, own)?.replace("Page ", "Page").replace("Ctrl", "Control");
    let arrows = [("↑", "ArrowUp"), ("↓", "ArrowDown"), ("←", "ArrowLeft"), ("→", "ArrowRight")];
    Some(arrows.iter().fold(keys.replace(' ', "+"), |keys, (sign, name)| keys.replace(sign, name)))
}

/// The entries that have what was typed in their name, keys or group; all if nothing was typed.
pub(crate) fn matching(typed: &str, own: &OwnKeys) -> Vec<usize> {
    let typed = typed.trim().to_lowercase();
    let all = COMMANDS.iter().enumerate();
    let found = all.filter(|(_, Entry { id, group, name, keys, .. })| {
        [group, name, own.get(id).unwrap_or(keys)]
            .iter()
            .any(|text| text.to_lowercase().contains(&typed))
    });
    found.map(|(place, _)| place).collect()
}

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
        command(Press { key, code, ctrl, alt, shift }, &labels(), &OwnKeys::default())
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
        let bare = command(Press { key: "t", ..Press::default() }, &[], &OwnKeys::default());
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

    #[test]
    fn every_key_of_the_list_does_what_the_list_says() {
        for Entry { keys, name, command: does, .. } in &COMMANDS {
            let Some(does) = does else { continue };
            for keys in keys.split(" or ") {
                let words: Vec<_> =
                    keys.replace("Page ", "Page").split(' ').map(str::to_owned).collect();
                let (key, held) = words.split_last().unwrap();
                let key = match key.as_str() {
                    "↑" => "ArrowUp",
                    "↓" => "ArrowDown",
                    "←" => "ArrowLeft",
                    "→" => "ArrowRight",
                    key => key,
                };
                let holds = |word: &str| held.iter().any(|held| held == word);
                let press = Press {
                    key,
                    code: "",
                    ctrl: holds("Ctrl"),
                    alt: holds("Alt"),
                    shift: holds("Shift"),
                };
                assert_eq!(command(press, &[], &OwnKeys::default()), Some(*does), "{keys}: {name}");
            }
        }
    }

    #[test]
    fn commands_are_found_by_name_group_and_key() {
        let names = |typed| {
            matching(typed, &OwnKeys::default())
                .into_iter()
                .map(|place| COMMANDS[place].name)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("undo"), ["Undo"]);
        assert_eq!(names("f3"), ["Next match", "Previous match"]);
        assert_eq!(names(" DOCUMENT ").len(), 6);
        assert_eq!(names("").len(), COMMANDS.len());
        assert!(names("no such thing").is_empty());
    }

    #[test]
    fn grown_up_letters_with_ctrl_are_told_from_bare_ones() {
        assert_eq!(pressed("l", "KeyL", false, false, false), Some(Command::SearchLabels));
        assert_eq!(pressed("L", "KeyL", true, false, true), Some(Command::LabelAll));
        assert_eq!(pressed("f", "KeyF", true, false, false), Some(Command::Search));
        assert_eq!(pressed("f", "KeyF", false, false, false), None);
    }
    #[test]
    fn own_keys_take_the_place_of_the_usual_ones() {
        let own = OwnKeys::typed([("undo".to_owned(), "u or alt u".to_owned())].into()).unwrap();
        let undo =
            |key, ctrl, alt| command(Press { key, ctrl, alt, ..Press::default() }, &[], &own);
        assert_eq!(undo("u", false, false), Some(Command::Undo));
        assert_eq!(undo("u", false, true), Some(Command::Undo));
        assert_eq!(undo("z", true, false), None);
        assert_eq!(shown_keys(Command::Undo, &own), Some("U"));
        assert_eq!(spoken_keys(Command::NextDocument, &own).as_deref(), Some("Alt+PageDown"));
        let left = Command::Resize { end: End::First, right: false };
        assert_eq!(spoken_keys(left, &own).as_deref(), Some("Control+Shift+ArrowLeft"));
    }
}
