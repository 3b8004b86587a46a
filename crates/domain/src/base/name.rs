//! What may stand in a name: of a person, a project, a label, a document, or whatever else is called
//! something.

use std::{borrow::Cow, ops::RangeInclusive};

use crate::{Code, Error};

/// Whether a character has no place in a name: control characters, ends of lines, and the characters
/// of Unicode that turn the direction of what stands around them.
pub const fn is_unfit_for_names(c: char) -> bool {
    matches!(
        c,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
    )
}

/// A name that somebody typed, without the space around it. It is refused, in the words for what it
/// is the name of, if it has too few or too many characters, or one that has no place in a name.
pub fn check_name(
    field: &str,
    what: &str,
    typed: &str,
    characters: RangeInclusive<usize>,
) -> Result<String, Error> {
    let name = typed.trim();
    if !characters.contains(&name.chars().count()) {
        let (least, most) = (characters.start(), characters.end());
        let many =
            if *least == 0 { format!("at most {most}") } else { format!("{least} to {most}") };
        return Err(Code::Malformed.of(field, format!("{what} has {many} characters")));
    }
    if name.contains(is_unfit_for_names) {
        let why = format!("{what} cannot contain control or direction characters");
        return Err(Code::Malformed.of(field, why));
    }
    Ok(name.to_owned())
}

/// Refuses a text with a NUL (U+0000), which PostgreSQL does not store.
pub fn refuse_nul(field: &str, text: &str) -> Result<(), Error> {
    if text.contains('\0') { Err(nul_refusal(field)) } else { Ok(()) }
}

/// The refusal of a text with a NUL.
pub fn nul_refusal(field: &str) -> Error {
    Code::Malformed.of(field, "text cannot contain NUL characters (U+0000)")
}

/// A name that nobody typed here, such as a document's in a file: what has no place in a name is
/// replaced, so that the file can be read all the same. A tab or the end of a line becomes a space.
pub fn readable_name(name: &str) -> Cow<'_, str> {
    if !name.contains(is_unfit_for_names) {
        return Cow::Borrowed(name);
    }
    let fit = |c| match c {
        '\t' | '\n' | '\r' | '\u{2028}' | '\u{2029}' => ' ',
        c if is_unfit_for_names(c) => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    Cow::Owned(name.chars().map(fit).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_all_scripts_are_taken_and_what_is_not_seen_is_refused() {
        let check = |name: &str| check_name("name", "a name", name, 1..=12);
        for name in ["Ana-María", "محمد", "שרה כהן", "می\u{200c}خواهم", "👩\u{200d}🔬", "=1+1"]
        {
            assert_eq!(check(&format!(" {name}\n")).unwrap(), name);
        }
        for c in ['\0', '\u{1b}', '\n', '\u{85}', '\u{200f}', '\u{202e}', '\u{2028}', '\u{2066}'] {
            let refused = check(&format!("a{c}b")).unwrap_err();
            let Error::Invalid { field, problem } = refused else { panic!("{refused}") };
            assert!(
                field == "name" && problem.starts_with("a name cannot contain control"),
                "{problem}"
            );
        }
        assert!(check("  ").is_err() && check("1234567890123").is_err());
        assert_eq!(check_name("title", "a title", " ", 0..=3).unwrap(), "");
    }

    #[test]
    fn a_name_of_a_file_is_made_readable() {
        assert_eq!(readable_name("plain"), "plain");
        assert_eq!(readable_name("a\tb\r\nc"), "a b  c");
        assert_eq!(readable_name("a\u{202e}b\u{1b}[2J"), "a\u{fffd}b\u{fffd}[2J");
        let once = readable_name("\u{200f}x").into_owned();
        assert_eq!(readable_name(&once), once);
    }
}
