//! Labels, their colours, and the set of labels that one rater gave to one position.

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

use crate::{Code, Error, LabelId, base::collect_unsorted, check_name};

/// A label of a project's label set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Label {
    pub id: LabelId,
    pub name: String,
    pub colour: Colour,
    /// The key that gives this label, unique within the label set.
    pub hotkey: Option<char>,
}

/// What a manager says of a label: everything but its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct NewLabel {
    pub name: String,
    pub colour: Colour,
    pub hotkey: Option<char>,
}

impl NewLabel {
    /// The label at `index` of a label set with colour and hotkey chosen: colours go round the
    /// palette, the first nine labels get the keys 1 to 9.
    pub fn numbered(name: impl Into<String>, index: usize) -> Self {
        let hotkey = u32::try_from(index + 1).ok().and_then(|n| char::from_digit(n, 10));
        Self { name: name.into(), colour: Colour::nth(index), hotkey: hotkey.filter(|k| *k != '0') }
    }

    /// A label as a form has it: a colour by its number, and a hotkey that may be left empty.
    pub fn typed(name: String, colour: u8, hotkey: &str) -> Result<Self, Error> {
        let colour =
            Colour::new(colour).ok_or_else(|| Code::Unknown.of("colour", "unknown colour"))?;
        let mut keys = hotkey.trim().chars();
        let hotkey = keys.next();
        if keys.next().is_some() {
            return Err(Code::Malformed.of("hotkey", "a hotkey is one letter or digit"));
        }
        Ok(Self { name, colour, hotkey })
    }

    /// Checks and tidies what was typed.
    pub fn checked(mut self) -> Result<Self, Error> {
        self.name = check_name("name", "a label's name", &self.name, 1..=64)?;
        match self.hotkey {
            Some(key) if !key.is_alphanumeric() => {
                Err(Code::Malformed.of("hotkey", "a hotkey is one letter or digit"))
            }
            Some(key) => {
                self.hotkey = key.to_lowercase().next();
                Ok(self)
            }
            None => Ok(self),
        }
    }
}

/// A colour of the palette, by number. The palette is chosen to stay apart under the common
/// forms of colour blindness (Okabe & Ito 2008 first, then Tol 2021); style/tokens.css holds the
/// values, one class `colour-N` each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Colour(u8);

impl Colour {
    /// How many colours the palette has.
    pub const COUNT: u8 = 12;

    /// The colour with this number, if the palette has it.
    pub const fn new(number: u8) -> Option<Self> {
        if number < Self::COUNT { Some(Self(number)) } else { None }
    }

    /// The colour for the label at this place of a label set; starts again after the last.
    pub fn nth(index: usize) -> Self {
        Self(u8::try_from(index % usize::from(Self::COUNT)).unwrap_or(0))
    }

    /// The colour's number, 0 to `COUNT - 1`.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// All colours in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT).map(Self)
    }

    /// The colour's name for people who cannot see it.
    pub const fn name(self) -> &'static str {
        match self.0 {
            0 => "sky blue",
            1 => "orange",
            2 => "green",
            3 => "blue",
            4 => "vermilion",
            5 => "purple",
            6 => "amber",
            7 => "teal",
            8 => "wine",
            9 => "olive",
            10 => "indigo",
            _ => "rose",
        }
    }
}

/// The labels that one rater gave to one position. The empty set is the category ∅: a reviewer's
/// reject, or under the policy `empty label` a rater who marked nothing there.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LabelSet(BTreeSet<LabelId>);

impl LabelSet {
    /// The category ∅.
    pub const EMPTY: Self = Self(BTreeSet::new());

    /// The set with this one label.
    pub fn one(label: LabelId) -> Self {
        Self(BTreeSet::from([label]))
    }

    pub fn insert(&mut self, label: LabelId) {
        self.0.insert(label);
    }

    pub fn remove(&mut self, label: LabelId) {
        self.0.remove(&label);
    }

    pub fn contains(&self, label: LabelId) -> bool {
        self.0.contains(&label)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = LabelId> + '_ {
        self.0.iter().copied()
    }
}

impl FromIterator<LabelId> for LabelSet {
    fn from_iter<I: IntoIterator<Item = LabelId>>(labels: I) -> Self {
        Self(collect_unsorted(labels))
    }
}

impl TryFrom<u8> for Colour {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, &'static str> {
        Self::new(number).ok_or("unknown colour")
    }
}

impl From<Colour> for u8 {
    fn from(colour: Colour) -> Self {
        colour.index()
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hotkey_may_be_left_empty_and_is_one_character() {
        let typed = |hotkey| NewLabel::typed("PER".to_owned(), 1, hotkey).map(|label| label.hotkey);
        assert_eq!(typed(""), Ok(None));
        assert_eq!(typed(" p "), Ok(Some('p')));
        assert!(matches!(typed("pq"), Err(Error::Invalid { field, .. }) if field == "hotkey"));
    }

    #[test]
    fn a_colour_is_one_of_the_palette() {
        let typed = |colour| NewLabel::typed("PER".to_owned(), colour, "");
        assert_eq!(typed(Colour::COUNT - 1).map(|label| label.colour), Ok(Colour::nth(11)));
        assert!(typed(Colour::COUNT).is_err());
        assert_eq!(serde_json::from_str::<Colour>("11").unwrap(), Colour::nth(11));
        assert!(serde_json::from_str::<Colour>("12").is_err());
    }
}
