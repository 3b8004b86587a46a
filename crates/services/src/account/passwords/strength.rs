//! Whether a password would be guessed: by what people usually choose, by what is known of its owner,
//! and by a list of phrases that everybody has read somewhere.

use std::{collections::BTreeSet, sync::LazyLock};

use domain::{Code, Error as Refusal};
use zxcvbn::{Score, zxcvbn};

/// Phrases that no estimate takes for common, a line each, in lower case and without spaces.
static COMMON: LazyLock<BTreeSet<&'static str>> =
    LazyLock::new(|| include_str!("common.txt").lines().filter(|line| !line.is_empty()).collect());

/// What stands for us in a password.
const OURS: [&str; 3] = ["concord", "annotation", "labeler"];

/// Whom a password is for: nothing of this makes it harder to guess.
#[derive(Clone, Debug, Default)]
pub(crate) struct Owner {
    words: Vec<String>,
}

impl Owner {
    /// The owner of an account with this address and name.
    pub(crate) fn new(email: &str, name: &str) -> Self {
        let parts = |text: &str| -> Vec<String> {
            let words = text.split(|c: char| !c.is_alphanumeric());
            words.filter(|word| word.chars().count() > 1).map(str::to_lowercase).collect()
        };
        let mut words = vec![email.to_lowercase(), name.to_lowercase()];
        words.extend(parts(email));
        words.extend(parts(name));
        words.push(parts(name).concat());
        words.retain(|word| !word.is_empty());
        Self { words }
    }
}

/// Refuses a password that would be among the first hundred million guesses.
pub(super) fn check(password: &str, owner: &Owner) -> Result<(), Refusal> {
    let mut known: Vec<&str> = owner.words.iter().map(String::as_str).collect();
    known.extend(OURS);
    // Signs at the end are the first that somebody tries who has tried all without.
    let bare = password.trim_end_matches(|c: char| c.is_ascii_punctuation());
    let is_guessed = |password: &str| zxcvbn(password, &known).score() < Score::Three;
    if is_common(password) || is_guessed(password) || is_guessed(bare) {
        let why = "this password is easy to guess; try a few random words";
        return Err(Code::WeakPassword.of("password", why));
    }
    Ok(())
}

/// Whether it is a phrase of the list, whatever is put between its words and at its end.
fn is_common(password: &str) -> bool {
    let letters: String =
        password.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    let end = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    COMMON.contains(letters.as_str()) || COMMON.contains(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_taken(password: &str) -> bool {
        check(password, &Owner::new("ann.hathaway@stratford.example", "Ann Hathaway")).is_ok()
    }

    #[test]
    fn what_everybody_chooses_is_refused() {
        for common in [
            "password12",
            "qwertyuiop",
            "password1234",
            "P@ssw0rd123!",
            "1234567890",
            "iloveyou2024",
            "letmein12345",
            "aaaaaaaaaabc",
            "abcdefghij12",
            "qazwsxedcrfv",
            "Summer2026!!",
            "2026-11-23-1",
            "dragonmonkey",
            "correct horse battery staple",
            "Correct-Horse-Battery-Staple-1",
            "ThisIsMyPassword",
        ] {
            assert!(!is_taken(common), "{common}");
        }
    }

    #[test]
    fn what_is_known_of_its_owner_makes_no_password() {
        for personal in [
            "annhathaway1",
            "Hathaway2026",
            "ann.hathaway@stratford.example",
            "stratford123",
            "Concord2026!",
            "hathawayann!",
        ] {
            assert!(!is_taken(personal), "{personal}");
        }
    }

    #[test]
    fn random_words_and_random_letters_are_taken() {
        for good in [
            "walnut copper lantern ferry",
            "correct horse battery",
            "another good password",
            "a long enough password",
            "k7m2-xqpt-9vbw-e3sd",
            "Übermäßig grüne Äpfel",
            "чайка летит над морем",
        ] {
            assert!(is_taken(good), "{good}");
        }
    }
}
