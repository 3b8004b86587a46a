//! What has changed between two states of one file, piece by piece: what follows a backup until the next.

use std::{
    fs::File,
    io::{self, ErrorKind, Read, Seek, SeekFrom, Write},
};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How long a piece is, in bytes; the last may be shorter. SQLite's pages are usually as long.
const PIECE: usize = 4096;

/// The most bytes of a file whose changes are followed: SQLite puts no more in memory at a time.
const MAX_FILE: u64 = 2 << 30;

/// The most bytes that changes have: all pieces, each with its number, and a head.
pub(crate) const MAX_CHANGES: u64 = MAX_FILE + MAX_FILE / 1024 + 4096;

/// A state of a file: the hash of each of its pieces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State(Vec<[u8; 32]>);

/// What stands before the pieces that have changed.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    at: DateTime<Utc>,
    /// How long the file is.
    bytes: u64,
    before: String,
    after: String,
}

impl State {
    /// The state of a file with this content.
    pub fn of(content: &[u8]) -> Self {
        Self(content.chunks(PIECE).map(|piece| Sha256::digest(piece).into()).collect())
    }

    /// The state of a file.
    pub(crate) fn of_file(file: &mut File) -> io::Result<Self> {
        file.rewind()?;
        let mut hashes = Vec::new();
        loop {
            let mut piece = Vec::with_capacity(PIECE);
            let length = u64::try_from(PIECE).unwrap_or(u64::MAX);
            if Read::by_ref(file).take(length).read_to_end(&mut piece)? == 0 {
                return Ok(Self(hashes));
            }
            hashes.push(Sha256::digest(&piece).into());
        }
    }

    /// What tells this state from any other: SHA-256 of the hashes, in hexadecimal digits.
    pub(crate) fn id(&self) -> String {
        let mut hash = Sha256::new();
        self.0.iter().for_each(|piece| hash.update(piece));
        format!("{:x}", hash.finalize())
    }

    /// What has changed from this state to the content of another, to be stored; none if nothing has.
    pub fn changes(
        &self,
        now: &Self,
        content: &[u8],
        at: DateTime<Utc>,
    ) -> io::Result<Option<Vec<u8>>> {
        if self == now {
            return Ok(None);
        }
        let bytes = u64::try_from(content.len()).unwrap_or(u64::MAX);
        let head = Head { at, bytes, before: self.id(), after: now.id() };
        let mut changes = serde_json::to_vec(&head)?;
        changes.push(b'\n');
        for (index, (piece, hash)) in content.chunks(PIECE).zip(&now.0).enumerate() {
            if self.0.get(index) != Some(hash) {
                let index = u32::try_from(index).map_err(io::Error::other)?;
                changes.extend_from_slice(&index.to_be_bytes());
                changes.extend_from_slice(piece);
            }
        }
        Ok(Some(changes))
    }
}

/// Brings a file from the state `before` to the next; says which that is, and from when. None if that is later
/// than `until`: then the file stays as it is.
pub(crate) fn apply(
    file: &mut File,
    before: &str,
    changes: &[u8],
    until: Option<DateTime<Utc>>,
) -> io::Result<Option<(String, DateTime<Utc>)>> {
    let wrong = |problem: &str| io::Error::new(ErrorKind::InvalidData, problem.to_owned());
    let end = changes.iter().position(|byte| *byte == b'\n');
    let (head, mut rest) =
        end.and_then(|end| changes.split_at_checked(end)).ok_or_else(|| wrong("it has no head"))?;
    let head: Head = serde_json::from_slice(head)?;
    if head.bytes > MAX_FILE {
        return Err(wrong("the file that it leads to is too large"));
    }
    if head.before != before {
        return Err(wrong("it does not follow the state before it"));
    }
    if until.is_some_and(|until| until < head.at) {
        return Ok(None);
    }
    rest = rest.get(1..).unwrap_or_default();
    let length = u64::try_from(PIECE).unwrap_or(u64::MAX);
    while let Some((index, more)) = rest.split_first_chunk() {
        let start = u64::from(u32::from_be_bytes(*index)) * length;
        let left = head.bytes.saturating_sub(start).min(length);
        let left = usize::try_from(left).map_err(io::Error::other)?;
        let (piece, more) = more.split_at_checked(left).ok_or_else(|| wrong("it is cut off"))?;
        file.seek(SeekFrom::Start(start))?;
        file.write_all(piece)?;
        rest = more;
    }
    file.set_len(head.bytes)?;
    Ok(Some((head.after, head.at)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn file(content: &[u8]) -> File {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(content).unwrap();
        file
    }

    fn content(file: &mut File) -> Vec<u8> {
        let mut content = Vec::new();
        file.rewind().unwrap();
        file.read_to_end(&mut content).unwrap();
        content
    }

    #[test]
    fn what_has_not_changed_is_not_stored() {
        let before = vec![1; 10 * PIECE];
        let mut after = before.clone();
        after[5 * PIECE] = 2;
        let state = State::of(&before);
        let at = DateTime::UNIX_EPOCH;
        assert_eq!(state.changes(&State::of(&before), &before, at).unwrap(), None);
        let changes = state.changes(&State::of(&after), &after, at).unwrap().unwrap();
        assert!((PIECE..PIECE + 300).contains(&changes.len()), "{}", changes.len());
    }

    #[test]
    fn changes_of_another_state_or_cut_off_are_refused() {
        let (before, after) = (vec![1; 3 * PIECE], vec![2; 3 * PIECE + 512]);
        let state = State::of(&before);
        let changes =
            state.changes(&State::of(&after), &after, DateTime::UNIX_EPOCH).unwrap().unwrap();
        let other = State::of(&after).id();
        assert!(apply(&mut file(&after), &other, &changes, None).is_err());
        for end in [0, 10, changes.len() - 1] {
            assert!(
                apply(&mut file(&before), &state.id(), &changes[..end], None).is_err(),
                "{end}"
            );
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn a_file_follows_its_changes_to_the_byte(
            states in prop::collection::vec(
                prop::collection::vec((0..6_u8, 1..3_u8), 0..9), 1..6,
            ),
            ends in prop::collection::vec(0..PIECE, 6),
        ) {
            // Each state is of a few pieces of a few kinds, and ends somewhere in one.
            let contents: Vec<Vec<u8>> = states.iter().zip(&ends).map(|(pieces, end)| {
                let whole = pieces.iter().flat_map(|(kind, many)| vec![*kind; PIECE * usize::from(*many)]);
                whole.chain(vec![9; end / 512 * 512]).collect()
            }).collect();
            let mut file = file(&contents[0]);
            let mut state = State::of(&contents[0]);
            for content_now in &contents[1..] {
                let now = State::of(content_now);
                if let Some(changes) = state.changes(&now, content_now, DateTime::UNIX_EPOCH).unwrap() {
                    let applied = apply(&mut file, &state.id(), &changes, None).unwrap();
                    let (id, _) = applied.unwrap();
                    prop_assert_eq!(id, now.id());
                }
                prop_assert_eq!(&content(&mut file), content_now);
                prop_assert_eq!(State::of_file(&mut file).unwrap(), now.clone());
                state = now;
            }
        }
    }
}
