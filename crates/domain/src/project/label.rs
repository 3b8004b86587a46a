//! Labels, their colours, and the set of labels that one rater gave to one position.

use std::{cmp::Ordering, collections::BTreeSet, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeSeq};

use crate::{Code, Error, LabelId, check_name};

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
///
/// There are millions of them in memory, nearly all of one label: these take no memory of their own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(value_type = BTreeSet<LabelId>))]
pub struct LabelSet(Labels);

/// The labels of a set, so that equal sets are written alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[expect(clippy::box_collection, reason = "it is seldom there, and would make all others larger")]
enum Labels {
    #[default]
    None,
    One(LabelId),
    /// Two at least.
    Several(Box<BTreeSet<LabelId>>),
}

impl LabelSet {
    /// The category ∅.
    pub const EMPTY: Self = Self(Labels::None);

    /// The set with this one label.
    pub const fn one(label: LabelId) -> Self {
        Self(Labels::One(label))
    }

    pub fn insert(&mut self, label: LabelId) {
        match &mut self.0 {
            Labels::None => self.0 = Labels::One(label),
            Labels::One(other) if *other == label => {}
            Labels::One(other) => {
                let both = BTreeSet::from([*other, label]);
                self.0 = Labels::Several(Box::new(both));
            }
            Labels::Several(labels) => {
                labels.insert(label);
            }
        }
    }

    pub fn remove(&mut self, label: LabelId) {
        match &mut self.0 {
            Labels::One(other) if *other == label => self.0 = Labels::None,
            Labels::None | Labels::One(_) => {}
            Labels::Several(labels) => {
                labels.remove(&label);
                if let (1, Some(left)) = (labels.len(), labels.first()) {
                    self.0 = Labels::One(*left);
                }
            }
        }
    }

    pub fn contains(&self, label: LabelId) -> bool {
        match &self.0 {
            Labels::None => false,
            Labels::One(other) => *other == label,
            Labels::Several(labels) => labels.contains(&label),
        }
    }

    pub const fn is_empty(&self) -> bool {
        matches!(self.0, Labels::None)
    }

    pub fn len(&self) -> usize {
        match &self.0 {
            Labels::None => 0,
            Labels::One(_) => 1,
            Labels::Several(labels) => labels.len(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = LabelId> + '_ {
        let (one, several) = match &self.0 {
            Labels::None => (None, None),
            Labels::One(label) => (Some(*label), None),
            Labels::Several(labels) => (None, Some(&**labels)),
        };
        one.into_iter().chain(several.into_iter().flatten().copied())
    }
}

/// Label by label, as sets are ordered: what is summed up by category follows this order.
impl Ord for LabelSet {
    fn cmp(&self, other: &Self) -> Ordering {
        match (&self.0, &other.0) {
            (Labels::One(one), Labels::One(other)) => one.cmp(other),
            _ => self.iter().cmp(other.iter()),
        }
    }
}

impl PartialOrd for LabelSet {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl FromIterator<LabelId> for LabelSet {
    fn from_iter<I: IntoIterator<Item = LabelId>>(labels: I) -> Self {
        let mut set = Self::EMPTY;
        for label in labels {
            set.insert(label);
        }
        set
    }
}

/// A list of labels, in order.
impl Serialize for LabelSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for label in self.iter() {
            list.serialize_element(&label)?;
        }
        list.end()
    }
}

impl<'de> Deserialize<'de> for LabelSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::from_iter)
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
    fn a_set_of_labels_is_what_a_set_of_them_would_be() {
        let all: Vec<Vec<i64>> = (0..64_u32)
            .map(|bits| (0..6).filter(|bit| bits & (1 << bit) != 0).map(i64::from).collect())
            .collect();
        let both = |labels: &[i64]| {
            let tree: BTreeSet<LabelId> = labels.iter().map(|label| LabelId(*label)).collect();
            let set: LabelSet = labels.iter().rev().map(|label| LabelId(*label)).collect();
            assert!(set.iter().eq(tree.iter().copied()));
            assert_eq!((set.len(), set.is_empty()), (tree.len(), tree.is_empty()));
            let json = serde_json::to_string(&set).unwrap();
            assert_eq!(json, serde_json::to_string(&tree).unwrap());
            assert_eq!(serde_json::from_str::<LabelSet>(&json).unwrap(), set);
            (set, tree)
        };
        for one in &all {
            let (set, tree) = both(one);
            for other in &all {
                let (others, others_tree) = both(other);
                assert_eq!(set.cmp(&others), tree.cmp(&others_tree));
                assert_eq!(set == others, tree == others_tree);
                let mut less = set.clone();
                others.iter().for_each(|label| less.remove(label));
                assert_eq!(less, tree.difference(&others_tree).copied().collect());
                let has = |label| set.contains(label) == tree.contains(&label);
                assert!(others.iter().all(has));
            }
        }
        assert_eq!(size_of::<LabelSet>(), 16);
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
