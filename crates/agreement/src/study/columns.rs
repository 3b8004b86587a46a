//! Codes of categories in the narrowest integers that hold them.

/// A category's index, or the mark of a missing rating.
pub(crate) trait Code: Copy + Eq + Send + Sync {
    /// The mark of a missing rating, beyond every index.
    const MISSING: Self;

    /// The index; for a missing rating, one that no category has.
    fn index(self) -> usize;

    /// The code as everybody outside sees it.
    fn public(self) -> u32;
}

macro_rules! codes {
    ($($integer:ty),*) => {$(
        impl Code for $integer {
            const MISSING: Self = Self::MAX;

            fn index(self) -> usize {
                usize::try_from(self).unwrap_or(usize::MAX)
            }

            fn public(self) -> u32 {
                if self == Self::MISSING { super::MISSING } else { u32::from(self) }
            }
        }
    )*};
}

codes!(u8, u16, u32);

/// One code per rating: a byte up to 254 categories, two up to 65,534, else four.
///
/// What width is used follows from the number of categories alone, so that equal studies are equal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Columns {
    Narrow(Vec<u8>),
    Middle(Vec<u16>),
    Broad(Vec<u32>),
}

/// Does the same with codes of any width: `with_codes!(columns, codes => expression)`.
macro_rules! with_codes {
    ($columns:expr, $codes:ident => $action:expr) => {
        match $columns {
            $crate::study::columns::Columns::Narrow($codes) => $action,
            $crate::study::columns::Columns::Middle($codes) => $action,
            $crate::study::columns::Columns::Broad($codes) => $action,
        }
    };
}

pub(crate) use with_codes;

impl Columns {
    /// Packs codes of so many categories, or [`super::MISSING`].
    pub(crate) fn pack(categories: usize, codes: impl Iterator<Item = u32>) -> Self {
        match categories {
            0..=254 => Self::Narrow(codes.map(|code| code.try_into().unwrap_or(u8::MAX)).collect()),
            255..=65_534 => {
                Self::Middle(codes.map(|code| code.try_into().unwrap_or(u16::MAX)).collect())
            }
            _ => Self::Broad(codes.collect()),
        }
    }

    pub(crate) fn len(&self) -> usize {
        with_codes!(self, codes => codes.len())
    }

    /// The code at a place, or the mark of a missing rating.
    pub(crate) fn get(&self, place: usize) -> u32 {
        with_codes!(self, codes => codes.get(place).map_or(super::MISSING, |code| code.public()))
    }
}
