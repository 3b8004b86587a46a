//! Files that are nearly like others: what a fuzzer does first, the same on every machine.

use agreement::SplitMix64;

/// Pieces that have meant trouble: ends of numbers, of texts, of lines, of everything.
const PIECES: &[&[u8]] = &[
    b"\0",
    b"\n",
    b"\r\n",
    b"\t",
    b" ",
    b"\"",
    b"'",
    b"\\",
    b"\\u0000",
    b"\\ud83d",
    b"{",
    b"}",
    b"[",
    b"]",
    b"[[[[[[[[",
    b"<",
    b">",
    b"&",
    b"<!DOCTYPE x>",
    b"<!ENTITY e 'x'>",
    b"&#0;",
    b",",
    b";",
    b"|",
    b"-1",
    b"0",
    b"1",
    b"4294967296",
    b"18446744073709551616",
    b"1e400",
    b"null",
    b"\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"\xC3",
    b"\xF0\x9F\xA5\xB3",
    b"\xE2\x80\xA8",
    b"e\xCC\x81",
    b"B-",
    b"I-",
    b"_",
    b"[1]",
    b"*",
    b"PK\x03\x04",
    b"../",
];

struct Random(SplitMix64);

impl Random {
    /// A number below another, or 0.
    fn below(&mut self, end: usize) -> usize {
        let end = u64::try_from(end).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.0.draw() % end).unwrap_or(0)
    }

    /// A stretch of so many bytes.
    fn range(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        let longest = self.below(5) * self.below(9) + 1;
        start..(start + self.below(longest + 1)).min(length)
    }
}

/// So many files that are nearly like `file`, some with stretches of `others` in them.
pub fn mutations<'a>(
    file: &'a [u8],
    others: &'a [Vec<u8>],
    count: u64,
) -> impl Iterator<Item = Vec<u8>> + 'a {
    (1..=count).map(move |seed| {
        let mut random = Random(SplitMix64::new(seed));
        let mut bytes = file.to_vec();
        for _ in 0..=random.below(4) {
            step(&mut bytes, others, &mut random);
        }
        bytes
    })
}

fn step(bytes: &mut Vec<u8>, others: &[Vec<u8>], random: &mut Random) {
    let range = random.range(bytes.len());
    match random.below(6) {
        0 => {
            if let Some(byte) = bytes.get_mut(range.start) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => drop(bytes.drain(range)),
        2 => {
            let piece = PIECES.get(random.below(PIECES.len())).copied().unwrap_or_default();
            bytes.splice(range.start..range.start, piece.iter().copied());
        }
        3 => {
            let piece = PIECES.get(random.below(PIECES.len())).copied().unwrap_or_default();
            bytes.splice(range, piece.iter().copied());
        }
        4 => {
            let again = bytes.get(range.clone()).unwrap_or_default().to_vec();
            bytes.splice(range.end..range.end, again);
        }
        _ => {
            let other = others.get(random.below(others.len())).map_or(&[][..], Vec::as_slice);
            let stretch = random.range(other.len());
            let stretch = other.get(stretch).unwrap_or_default().to_vec();
            bytes.splice(range, stretch);
        }
    }
}
