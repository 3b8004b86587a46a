//! Whole numbers in as few bytes as they need: seven bits each, the lowest first (LEB128).

/// Writes a number.
pub(crate) fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > 0x7f {
        bytes.push(low_bits(number) | 0x80);
        number >>= 7;
    }
    bytes.push(low_bits(number));
}

fn low_bits(number: u64) -> u8 {
    number.to_le_bytes()[0] & 0x7f
}

/// Reads one number after the other.
pub(crate) struct Reader<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Reader<'a> {
    pub(crate) fn of(bytes: &'a [u8]) -> Self {
        Self { bytes: bytes.iter() }
    }

    /// The next number; none where the bytes end or are no number of 64 bits.
    pub(crate) fn read_number(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.next()?;
            let bits = u64::from(byte & 0x7f);
            let placed = bits << shift;
            if placed >> shift != bits {
                return None;
            }
            number |= placed;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    /// A number that is a place or a count.
    pub(crate) fn size(&mut self) -> Option<usize> {
        usize::try_from(self.read_number()?).ok()
    }

    /// As many things as a count in front of them says.
    pub(crate) fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.size()?;
        // Each takes a byte at least: what says otherwise is not ours and must not take room.
        if count > self.bytes.len() {
            return None;
        }
        let mut list = Vec::with_capacity(count);
        for _ in 0..count {
            list.push(read(self)?);
        }
        Some(list)
    }

    /// Whether nothing is left.
    pub(crate) fn is_done(&self) -> bool {
        self.bytes.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Reader, write};

    proptest! {
        #[test]
        fn every_number_is_read_as_it_was_written(numbers in prop::collection::vec(any::<u64>(), 0..9)) {
            let mut bytes = Vec::new();
            for &number in &numbers {
                write(&mut bytes, number);
            }
            let mut reader = Reader::of(&bytes);
            for &number in &numbers {
                prop_assert_eq!(reader.read_number(), Some(number));
            }
            prop_assert!(reader.is_done());
            prop_assert_eq!(reader.read_number(), None);
        }
    }

    #[test]
    fn what_is_no_number_of_64_bits_is_refused() {
        assert_eq!(Reader::of(&[0xff; 10]).read_number(), None);
        assert_eq!(Reader::of(&[0x80]).read_number(), None);
    }
}
