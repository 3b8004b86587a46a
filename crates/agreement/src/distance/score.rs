//! Categories that are numbers, or stand for them.

use std::cmp::Ordering;

/// A category with a place on a scale of numbers.
///
/// Categories of another type get their scores from the caller: [`By`](crate::By).
pub trait Score {
    /// The place on the scale; categories that sort higher need not score higher.
    fn score(&self) -> f64;
}

/// A finite number as a category: unlike `f64` it is ordered, and equal to itself.
///
/// ```
/// # use agreement::Number;
/// assert!(Number::new(1.5).unwrap() < Number::from(2_u32));
/// assert_eq!(Number::new(0.0), Number::new(-0.0));
/// assert_eq!(Number::new(f64::NAN), None);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Number(f64);

impl Number {
    /// The number as a category, unless it is infinite or not a number.
    pub fn new(value: f64) -> Option<Self> {
        // Adding zero turns -0 into 0, so that the two are one category.
        value.is_finite().then_some(Self(value + 0.0))
    }
}

impl Score for Number {
    fn score(&self) -> f64 {
        self.0
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Number {}

impl PartialOrd for Number {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Number {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

macro_rules! scores_of_integers {
    ($($integer:ty),*) => {$(
        impl Score for $integer {
            fn score(&self) -> f64 {
                f64::from(*self)
            }
        }

        impl From<$integer> for Number {
            fn from(value: $integer) -> Self {
                Self(f64::from(value))
            }
        }
    )*};
}

scores_of_integers!(u8, u16, u32, i8, i16, i32);
