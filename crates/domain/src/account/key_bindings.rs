//! The keys that a person would rather press than those that commands have by themselves.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{Code, Error};

/// What is held down with a key, in the order in which it is written.
const HELD: [&str; 3] = ["Ctrl", "Alt", "Shift"];

/// Keys that type nothing, as they are written.
const NAMED: [&str; 25] = [
    "Backspace",
    "Delete",
    "End",
    "Enter",
    "Escape",
    "F1",
    "F2",
    "F3",
    "F4",
    "F5",
    "F6",
    "F7",
    "F8",
    "F9",
    "F10",
    "F11",
    "F12",
    "Home",
    "Insert",
    "Page Down",
    "Page Up",
    "↑",
    "↓",
    "←",
    "→",
];

/// The most characters that the keys of one command have.
const LONGEST: usize = 60;

/// The most commands that keys are kept for.
const MOST: usize = 100;

/// Commands and their keys, by the commands' ids; commands that are not in it have their own. Keys are
/// written as people read them, `Ctrl Shift L`, with ` or ` between alternatives.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OwnKeys(Vec<(String, String)>);

impl OwnKeys {
    /// The keys that this person has given the command.
    pub fn get(&self, command: &str) -> Option<&str> {
        self.0.iter().find(|(id, _)| id == command).map(|(_, keys)| keys.as_str())
    }

    /// The ids of the commands that have other keys than their own.
    pub fn commands(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(id, _)| id.as_str())
    }

    /// The same without the commands that these keys are not for.
    #[must_use]
    pub fn without(self, is_refused: impl Fn(&str) -> bool) -> Self {
        Self(self.0.into_iter().filter(|(id, _)| !is_refused(id)).collect())
    }

    /// Reads what was typed: each key as it is written, commands that were left empty not at all.
    pub fn typed(typed: BTreeMap<String, String>) -> Result<Self, Error> {
        if typed.len() > MOST {
            return Err(Code::TooMany.of("keys", format!("at most {MOST} commands")));
        }
        let mut keys = Vec::new();
        for (command, text) in typed {
            if text.trim().is_empty() {
                continue;
            }
            let read =
                read(&text).map_err(|problem| Code::Malformed.of(keys_field(&command), problem))?;
            keys.push((command, read));
        }
        Ok(Self(keys))
    }
}

/// What the field of a command is called in forms and refusals.
pub fn keys_field(command: &str) -> String {
    format!("keys[{command}]")
}

/// The alternatives of keys as they are written.
pub fn alternative_keys(keys: &str) -> impl Iterator<Item = &str> {
    keys.split(" or ").map(str::trim)
}

/// The keys as they are written, or what is wrong with them.
fn read(text: &str) -> Result<String, String> {
    if text.chars().count() > LONGEST {
        return Err(format!("keys are at most {LONGEST} characters long"));
    }
    let read: Result<Vec<_>, _> = alternative_keys(text).map(read_one).collect();
    Ok(read?.join(" or "))
}

fn read_one(text: &str) -> Result<String, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_held = |word: &&&str| HELD.iter().any(|held| held.eq_ignore_ascii_case(word));
    let held: Vec<_> = words.iter().take_while(is_held).collect();
    let name = words.get(held.len()..).unwrap_or_default().join(" ");
    let named = NAMED.into_iter().find(|named| named.eq_ignore_ascii_case(&name));
    let name = match (named, name.chars().count()) {
        (Some(named), _) => named.to_owned(),
        (None, 1) => name.to_uppercase(),
        _ => {
            return Err(format!(
                "\"{text}\" is not a key: use a letter, a sign or a name such as Delete or F3, after Ctrl, Alt or Shift if needed"
            ));
        }
    };
    let holds = |word: &&str| held.iter().any(|held| held.eq_ignore_ascii_case(word));
    let mut written: Vec<&str> = HELD.iter().copied().filter(|word| holds(word)).collect();
    written.push(&name);
    Ok(written.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Result<Option<String>, Error> {
        let typed = BTreeMap::from([("undo".to_owned(), text.to_owned())]);
        OwnKeys::typed(typed).map(|keys| keys.get("undo").map(str::to_owned))
    }

    #[test]
    fn keys_are_written_in_one_way() {
        for (text, written) in [
            ("u", "U"),
            (" shift  ctrl z or ctrl Y", "Ctrl Shift Z or Ctrl Y"),
            ("alt page down", "Alt Page Down"),
            ("delete", "Delete"),
            ("[", "["),
            ("f12", "F12"),
            ("Alt →", "Alt →"),
        ] {
            assert_eq!(typed(text), Ok(Some(written.to_owned())), "{text}");
        }
    }

    #[test]
    fn what_was_left_empty_has_the_keys_of_the_command() {
        assert_eq!(typed("  "), Ok(None));
        assert_eq!(OwnKeys::default().get("undo"), None);
    }

    #[test]
    fn what_is_no_key_is_refused_by_the_command_it_stands_at() {
        for text in ["ab", "Ctrl", "Z Ctrl", "Hyper Z", "or", "U or", &"U or ".repeat(30)] {
            let refused = typed(text);
            assert!(
                matches!(&refused, Err(Error::Invalid { field, .. }) if field == "keys[undo]"),
                "{text}: {refused:?}"
            );
        }
    }
}
