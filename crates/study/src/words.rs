//! Enums whose values have a word each, in options and in JSON.

use crate::Misuse;

/// An enum of words, with their list, their text and how to read them.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident is $what:literal: $($(#[$doc_of:meta])* $variant:ident = $word:literal),* $(,)?) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
        )]
        pub enum $name {
            $($(#[$doc_of])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// The word for it, in options and in JSON.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }
        }

        impl std::str::FromStr for $name {
            type Err = crate::Misuse;

            fn from_str(text: &str) -> Result<Self, crate::Misuse> {
                match text {
                    $($word => Ok(Self::$variant),)*
                    _ => Err(crate::words::unknown(text, $what, &[$($word),*])),
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;

/// The error for a word that is not among those that are known.
pub(crate) fn unknown(found: &str, what: &'static str, words: &[&str]) -> Misuse {
    Misuse::Word { found: found.to_owned(), what, expected: words.join(", ") }
}

/// The measures asked for by their words; all that apply if none is.
pub(crate) fn chosen<T: Copy>(
    applicable: &[T],
    asked: &[String],
    word: fn(T) -> &'static str,
) -> Result<Vec<T>, Misuse> {
    if asked.is_empty() {
        return Ok(applicable.to_vec());
    }
    let find = |name: &String| {
        let found = applicable.iter().find(|measure| word(**measure) == name);
        found.copied().ok_or_else(|| Misuse::Measure {
            measure: name.clone(),
            applicable: applicable.iter().map(|measure| word(*measure).to_owned()).collect(),
        })
    };
    asked.iter().map(find).collect()
}
