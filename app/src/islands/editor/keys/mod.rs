//! The keys of both editors: one table of what can be done, read by what is pressed and by the dialog
//! that shows it all; whoever likes gives it keys of their own.

pub(crate) mod dialog;
pub(crate) mod options;
mod press;
pub(crate) mod table;

use domain::{Label, LabelId, OwnKeys};
use wasm_bindgen::JsCast;
use web_sys::{Element, KeyboardEvent};

use crate::islands::prelude::*;

use self::{
    press::Press,
    table::{COMMANDS, Command, Entry, Workplace},
};

/// What is typed here is text and not a command.
const TYPED_INTO: &str = "input:not([type='checkbox']), select, textarea, [contenteditable]";

/// What keys belong to while it is there, wherever the focus is.
const IN_FRONT: &str = "dialog[open]";

/// The keys of one editor as one person has them.
#[derive(Clone, Copy)]
pub(crate) struct Keyboard {
    place: Workplace,
    own: StoredValue<OwnKeys>,
    /// Whether letters, digits and signs are keys: not for who speaks to their computer, or strays
    /// across the keyboard.
    pub letters: RwSignal<bool>,
}

impl Keyboard {
    pub(crate) fn new(place: Workplace, own: OwnKeys) -> Self {
        Self { place, own: StoredValue::new(own), letters: RwSignal::new(true) }
    }

    /// What a key asks for; nothing where it is typed into a field, or meant for what is in front of
    /// the text.
    pub(crate) fn command_of(self, event: &KeyboardEvent, labels: &[Label]) -> Option<Command> {
        if event.default_prevented() || event.is_composing() || is_inside(event, TYPED_INTO) {
            return None;
        }
        let press = Press {
            key: &event.key(),
            code: &event.code(),
            ctrl: event.ctrl_key() || event.meta_key(),
            alt: event.alt_key(),
            shift: event.shift_key(),
        };
        if press.is_typed() && !self.letters.get_untracked() {
            return None;
        }
        let found = self.own.with_value(|own| command(self.place, press, labels, own));
        found.filter(|_| !matches!(document().query_selector(IN_FRONT), Ok(Some(_))))
    }

    /// The first of a command's keys as people read them.
    pub(crate) fn shown(self, command: Command) -> String {
        let shown =
            |own: &OwnKeys| Some(entry_of(self.place, command)?.keys_of(own).next()?.to_owned());
        self.own.with_value(shown).unwrap_or_default()
    }

    /// The first of a command's keys as `aria-keyshortcuts` has it.
    pub(crate) fn spoken(self, command: Command) -> String {
        spoken(&self.shown(command))
    }
}

/// The key of a command beside its name on a button.
#[component]
pub(crate) fn KeyHint(keyboard: Keyboard, command: Command) -> impl IntoView {
    view! { <kbd aria-hidden="true">{keyboard.shown(command)}</kbd> }
}

/// Whether a key was pressed inside of such an element.
pub(crate) fn is_inside(event: &KeyboardEvent, selector: &str) -> bool {
    let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
    target.is_some_and(|target| matches!(target.closest(selector), Ok(Some(_))))
}

/// What a key does. Labels may have any letter or digit, and come before commands on a bare letter;
/// each of those can be reached in another way.
fn command(place: Workplace, press: Press<'_>, labels: &[Label], own: &OwnKeys) -> Option<Command> {
    let found = COMMANDS.iter().find(|entry| entry.is_in(place) && entry.has(press, own));
    let found = found.and_then(|entry| entry.command);
    let is_letter = press.key.chars().all(char::is_alphabetic) && press.key.chars().count() == 1;
    let found_at_once = found.filter(|_| !is_letter);
    // A second label is for spans only.
    let adds = press.shift && place == Workplace::Annotator;
    found_at_once
        .or_else(|| {
            let is_bare = !press.ctrl && !press.alt && press.shift == adds;
            let label = label_of(press, labels).filter(|_| is_bare)?;
            Some(Command::Label { label, add: adds })
        })
        .or(found)
        .or_else(|| answer(press).filter(|_| place == Workplace::Reviewer))
}

/// The labelers' answer that a digit accepts.
fn answer(press: Press<'_>) -> Option<Command> {
    let number: usize = press.key.parse().ok().filter(|number| (1..=9).contains(number))?;
    (press.is_typed() && !press.shift).then(|| Command::Accept(number - 1))
}

/// The label whose hotkey was pressed: by what the key types, or for digits by where the key is,
/// since with Shift, and on some keyboards without, it types something else.
fn label_of(press: Press<'_>, labels: &[Label]) -> Option<LabelId> {
    let mut typed = press.key.chars().flat_map(char::to_lowercase);
    let typed = typed.next().filter(|_| press.key.chars().count() == 1);
    // Without Num Lock the keys on the right are no digits.
    let pad = press.code.strip_prefix("Numpad").filter(|_| press.key.chars().count() == 1);
    let place = press.code.strip_prefix("Digit").or(pad);
    let digit = place.and_then(|place| place.chars().next()).filter(char::is_ascii_digit);
    let of = |key: Option<char>| {
        labels.iter().find(|label| key.is_some() && label.hotkey == key).map(|label| label.id)
    };
    of(typed).or_else(|| of(digit))
}

fn entry_of(place: Workplace, command: Command) -> Option<&'static Entry> {
    COMMANDS.iter().find(|entry| entry.is_in(place) && entry.command == Some(command))
}

/// Keys as `aria-keyshortcuts` has them.
fn spoken(keys: &str) -> String {
    let keys = keys.replace("Page ", "Page").replace("Ctrl", "Control");
    let arrows = [("↑", "ArrowUp"), ("↓", "ArrowDown"), ("←", "ArrowLeft"), ("→", "ArrowRight")];
    arrows.iter().fold(keys.replace(' ', "+"), |keys, (sign, name)| keys.replace(sign, name))
}

#[cfg(test)]
mod tests {
    use domain::Colour;

    use super::*;
    use crate::islands::editor::text_view::End;

    fn labels() -> Vec<Label> {
        let label = |id, name: &str, hotkey| Label {
            id: LabelId(id),
            name: name.to_owned(),
            colour: Colour::default(),
            hotkey,
        };
        vec![label(1, "PER", Some('1')), label(2, "TIME", Some('t')), label(3, "MISC", None)]
    }

    fn annotating(press: Press<'_>, labels: &[Label]) -> Option<Command> {
        command(Workplace::Annotator, press, labels, &OwnKeys::default())
    }

    fn reviewing(press: Press<'_>, labels: &[Label]) -> Option<Command> {
        command(Workplace::Reviewer, press, labels, &OwnKeys::default())
    }

    fn bare(key: &str) -> Press<'_> {
        Press { key, ..Press::default() }
    }

    fn pressed(key: &str, code: &str, ctrl: bool, alt: bool, shift: bool) -> Option<Command> {
        annotating(Press { key, code, ctrl, alt, shift }, &labels())
    }

    #[test]
    fn a_digit_labels_by_its_place_on_any_keyboard() {
        let labelled = |add| Some(Command::Label { label: LabelId(1), add });
        assert_eq!(pressed("1", "Digit1", false, false, false), labelled(false));
        assert_eq!(pressed("!", "Digit1", false, false, true), labelled(true));
        assert_eq!(pressed("&", "Digit1", false, false, false), labelled(false));
        assert_eq!(pressed("1", "Numpad1", false, false, false), labelled(false));
        assert_eq!(pressed("PageDown", "Numpad1", false, false, false), None);
    }

    #[test]
    fn a_label_comes_before_a_command_on_the_same_letter() {
        let labelled = Some(Command::Label { label: LabelId(2), add: false });
        assert_eq!(pressed("t", "KeyT", false, false, false), labelled);
        assert_eq!(annotating(bare("t"), &[]), Some(Command::ToggleUnit));
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
        for entry in COMMANDS.iter().filter(|entry| entry.command.is_some()) {
            for keys in entry.keys_of(&OwnKeys::default()) {
                let keys = keys.replace("Page ", "Page");
                let (held, key) = keys.rsplit_once(' ').unwrap_or(("", &keys));
                let key = match key {
                    "↑" => "ArrowUp",
                    "↓" => "ArrowDown",
                    "←" => "ArrowLeft",
                    "→" => "ArrowRight",
                    key => key,
                };
                let holds = |word| held.split(' ').any(|held| held == word);
                let (ctrl, alt, shift) = (holds("Ctrl"), holds("Alt"), holds("Shift"));
                let press = Press { key, code: "", ctrl, alt, shift };
                let places = [Workplace::Annotator, Workplace::Reviewer];
                for place in places.into_iter().filter(|place| entry.is_in(*place)) {
                    let does = command(place, press, &[], &OwnKeys::default());
                    assert_eq!(does, entry.command, "{keys}: {}", entry.name);
                }
            }
        }
    }

    #[test]
    fn a_digit_accepts_an_answer_unless_text_is_selected() {
        let labelled = Some(Command::Label { label: LabelId(1), add: false });
        assert_eq!(reviewing(bare("1"), &[]), Some(Command::Accept(0)));
        assert_eq!(reviewing(bare("1"), &labels()), labelled);
        assert_eq!(reviewing(bare("2"), &labels()), Some(Command::Accept(1)));
        assert_eq!(reviewing(bare("0"), &[]), None);
        assert_eq!(annotating(bare("1"), &[]), None);
    }

    #[test]
    fn shift_and_not_caps_lock_decides_between_one_and_all() {
        let shifted = |key| Press { shift: true, ..bare(key) };
        let labels = [Label { hotkey: Some('a'), ..labels().remove(0) }];
        assert_eq!(reviewing(bare("A"), &[]), Some(Command::AcceptMajority));
        assert_eq!(reviewing(shifted("A"), &[]), Some(Command::AcceptUnanimous));
        assert_eq!(reviewing(shifted("A"), &labels), Some(Command::AcceptUnanimous));
        assert_eq!(reviewing(shifted("D"), &[]), Some(Command::WalkConflicts { forward: false }));
        assert_eq!(reviewing(shifted("R"), &[]), None);
    }

    #[test]
    fn the_browsers_own_keys_are_left_alone() {
        for key in ["a", "c", "l", "r", "1", "n", "Tab"] {
            for (ctrl, alt) in [(true, false), (false, true)] {
                assert_eq!(reviewing(Press { ctrl, alt, ..bare(key) }, &labels()), None, "{key}");
            }
        }
    }

    #[test]
    fn grown_up_letters_with_ctrl_are_told_from_bare_ones() {
        assert_eq!(pressed("l", "KeyL", false, false, false), Some(Command::SearchLabels));
        assert_eq!(pressed("L", "KeyL", true, false, true), Some(Command::LabelAll));
        assert_eq!(pressed("f", "KeyF", true, false, false), Some(Command::Search));
        assert_eq!(pressed("f", "KeyF", false, false, false), None);
    }

    #[test]
    fn own_keys_take_the_place_of_the_usual_ones_in_both_editors() {
        let own = OwnKeys::typed([("undo".to_owned(), "u or alt u".to_owned())].into()).unwrap();
        for place in [Workplace::Annotator, Workplace::Reviewer] {
            let undo = |key, ctrl, alt| command(place, Press { ctrl, alt, ..bare(key) }, &[], &own);
            assert_eq!(undo("u", false, false), Some(Command::Undo));
            assert_eq!(undo("u", false, true), Some(Command::Undo));
            assert_eq!(undo("z", true, false), None);
        }
    }

    #[test]
    fn own_keys_may_be_letters_and_signs_of_any_keyboard() {
        for (typed, key, ctrl) in
            [("ö", "ö", false), ("Я", "я", false), ("§", "§", false), ("Ctrl ,", ",", true)]
        {
            let own = OwnKeys::typed([("undo".to_owned(), typed.to_owned())].into()).unwrap();
            let does = |ctrl| command(Workplace::Annotator, Press { ctrl, ..bare(key) }, &[], &own);
            assert_eq!(does(ctrl), Some(Command::Undo), "{typed}");
            assert_eq!(does(!ctrl), None, "{typed}");
        }
    }

    #[test]
    fn keys_are_spoken_as_the_browser_names_them() {
        assert_eq!(spoken("Alt Page Down"), "Alt+PageDown");
        assert_eq!(spoken("Ctrl Shift ←"), "Control+Shift+ArrowLeft");
    }
}
