//! How files are to be read, as somebody says: by the same names in forms, addresses and programs.

use std::fmt::Display;

use domain::{Code, Error};
use formats::{Answer, Discontinuous, ReadOptions};

/// How files are to be read, as somebody says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileOptions {
    pub read: ReadOptions,
    /// Refuses what is otherwise repaired and told.
    pub strict: bool,
    /// Leaves out the documents in which something is wrong, and tells of them, instead of refusing
    /// all.
    pub leave_out_wrong: bool,
}

impl FileOptions {
    /// Sets the option of this name; false if none is called so. An empty value is the default; lists
    /// are separated by commas, and what is said later counts.
    ///
    /// # Errors
    ///
    /// [`Code::Unknown`] of the name if it has no such value.
    pub fn set(&mut self, name: &str, value: &str) -> Result<bool, Error> {
        let unknown = |why: String| Code::Unknown.of(name, why);
        let listed = || value.split(',').map(str::trim).filter(|item| !item.is_empty());
        match name {
            "format" => self.read.format = parse_unless_empty(value).map_err(unknown)?,
            "text_field" => {
                self.read.text_field =
                    Some(value.trim()).filter(|name| !name.is_empty()).map(str::to_owned);
            }
            "layer" => self.read.layers = listed().map(str::to_owned).collect(),
            "feature" => self.read.features = listed().map(str::to_owned).collect(),
            "second_annotation" => {
                self.read.second = parse_unless_empty(value).map_err(unknown)?.unwrap_or_default();
            }
            "join_parts" if is_set(value).map_err(unknown)? => {
                self.read.discontinuous = Discontinuous::Join;
            }
            "join_parts" => self.read.discontinuous = Discontinuous::PassOver,
            "count_state" => {
                for state in listed() {
                    self.count(parse_counted(state).map_err(unknown)?);
                }
            }
            "strict" => self.strict = is_set(value).map_err(unknown)?,
            "leave_out_wrong" => self.leave_out_wrong = is_set(value).map_err(unknown)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// What [`Self::set`] takes to make these of the default.
    pub fn named(&self) -> Vec<(&'static str, String)> {
        let Self { read, strict, leave_out_wrong } = self;
        let states = read
            .answers
            .iter()
            .map(|(answer, counts)| format!("{answer}={}", if *counts { "yes" } else { "no" }));
        let all = [
            ("format", read.format.map(|format| format.code().to_owned()).unwrap_or_default()),
            ("layer", read.layers.join(",")),
            ("feature", read.features.join(",")),
            ("text_field", read.text_field.clone().unwrap_or_default()),
            ("second_annotation", unless_default(&read.second)),
            ("join_parts", unless_default(&(read.discontinuous == Discontinuous::Join))),
            ("count_state", states.collect::<Vec<_>>().join(",")),
            ("strict", unless_default(strict)),
            ("leave_out_wrong", unless_default(leave_out_wrong)),
        ];
        all.into_iter().filter(|(_, value)| !value.is_empty()).collect()
    }

    fn count(&mut self, (answer, counts): (Answer, bool)) {
        self.read.answers.retain(|(said, _)| *said != answer);
        self.read.answers.push((answer, counts));
    }
}

/// Whether a state counts as a judgement: `rejected=yes`, `unapproved=no`.
///
/// # Errors
///
/// In words, if it is nothing of the kind.
pub fn parse_counted(text: &str) -> Result<(Answer, bool), String> {
    let (state, counts) = text.rsplit_once('=').ok_or("expected STATE=yes or STATE=no")?;
    match counts {
        "yes" => Ok((state.parse()?, true)),
        "no" => Ok((state.parse()?, false)),
        _ => Err("expected yes or no after the equals sign".to_owned()),
    }
}

fn parse_unless_empty<T: std::str::FromStr>(value: &str) -> Result<Option<T>, T::Err> {
    if value.is_empty() { Ok(None) } else { value.parse().map(Some) }
}

fn unless_default<T: Default + PartialEq + Display>(value: &T) -> String {
    if *value == T::default() { String::new() } else { value.to_string() }
}

/// Whether a box of a form is ticked, or a program says yes.
fn is_set(value: &str) -> Result<bool, String> {
    match value {
        "on" | "true" => Ok(true),
        "" | "false" => Ok(false),
        _ => Err("expected true or false".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use formats::{ImportFormat, SecondAnnotation};

    use super::*;

    #[test]
    fn options_are_named_as_they_are_set() {
        let mut options = FileOptions::default();
        assert!(options.named().is_empty());
        for (name, value) in [
            ("format", "conll"),
            ("layer", "NamedEntity, custom.Layer"),
            ("feature", "Layer.kind, NamedEntity"),
            ("text_field", " body "),
            ("second_annotation", "each"),
            ("join_parts", "on"),
            // As a form sends a ticked box after what stands for an empty one.
            ("count_state", "rejected=no,rejected=yes"),
            ("count_state", "unapproved=no"),
            ("strict", "true"),
            ("leave_out_wrong", ""),
        ] {
            assert_eq!(options.set(name, value), Ok(true), "{name}");
        }
        assert_eq!(options.read.format, Some(ImportFormat::Conll));
        assert_eq!(options.read.layers, ["NamedEntity", "custom.Layer"]);
        assert_eq!(options.read.features, ["Layer.kind", "NamedEntity"]);
        assert_eq!(options.read.text_field.as_deref(), Some("body"));
        assert_eq!(options.read.second, SecondAnnotation::Each);
        assert_eq!(options.read.answers, [(Answer::Rejected, true), (Answer::Unapproved, false)]);
        let mut again = FileOptions::default();
        for (name, value) in options.named() {
            again.set(name, &value).unwrap();
        }
        assert_eq!(again, options);
        assert!(again.strict && !again.leave_out_wrong);
    }

    #[test]
    fn what_is_no_option_or_no_value_is_said() {
        let mut options = FileOptions::default();
        assert_eq!(options.set("colour", "red"), Ok(false));
        for (name, value) in [
            ("format", "docx"),
            ("second_annotation", "both"),
            ("count_state", "rejected"),
            ("count_state", "rejected=perhaps"),
            ("count_state", "perhaps=yes"),
            ("strict", "True"),
            ("join_parts", "1"),
        ] {
            assert!(options.set(name, value).is_err(), "{name}={value}");
        }
        assert_eq!(options, FileOptions::default());
    }
}
