//! How many entries a zip says it has, before its directory is read into memory.

use std::io::{Read, Seek, SeekFrom};

use crate::bundle::limits::BundleLimits;
use crate::import::limits::count64;
use crate::problem::bundle::BundleProblem;

/// The longest end of a zip: its last record with a comment, and what zip64 has before that.
const TAIL: u64 = 22 + 0xFFFF + 20 + 56;

const END: &[u8] = b"PK\x05\x06";
const END_64: &[u8] = b"PK\x06\x06";

/// What says where the last record of zip64 begins, right before the last record.
const LOCATOR_64: &[u8] = b"PK\x06\x07";
const LOCATOR_64_BYTES: usize = 20;

/// Refuses a zip with too many entries by the counts at its end. A comment can hold what looks
/// like another end, and which one a reader takes is up to it; so each count has to be allowed.
pub(super) fn check<R: Read + Seek>(
    zip: &mut R,
    limits: &BundleLimits,
) -> Result<(), BundleProblem> {
    let (tail, before) = tail(zip).map_err(|error| BundleProblem::NotZip(error.to_string()))?;
    let most = count64(limits.entries);
    let mut has_64 = false;
    let mut counts = Vec::new();
    let mut has_end = false;
    for at in 0..tail.len() {
        let record = tail.get(at..).unwrap_or_default();
        if record.starts_with(END_64) {
            has_64 = true;
            counts.extend(little_endian(record, 32, 8));
        } else if record.starts_with(END) {
            has_end = true;
            counts.extend(little_endian(record, 10, 2));
            let locator = at.checked_sub(LOCATOR_64_BYTES).and_then(|at| tail.get(at..));
            let locator = locator.filter(|locator| locator.starts_with(LOCATOR_64));
            // Its count would not be seen, and no zip has its two last records so far apart.
            if locator
                .and_then(|locator| little_endian(locator, 8, 8))
                .is_some_and(|at| at < before)
            {
                let reason = "its zip64 record is too far from its end".to_owned();
                return Err(BundleProblem::NotZip(reason));
            }
        }
    }
    if !has_end {
        return Err(BundleProblem::NotZip("its end is missing".to_owned()));
    }
    // The largest count of a short record says that the long one has it.
    let elsewhere = |count: u64| has_64 && count == 0xFFFF;
    if counts.into_iter().any(|count| count > most && !elsewhere(count)) {
        return Err(BundleProblem::TooManyEntries(limits.entries));
    }
    Ok(())
}

/// The last bytes, and how many are before them.
fn tail<R: Read + Seek>(zip: &mut R) -> std::io::Result<(Vec<u8>, u64)> {
    let before = zip.seek(SeekFrom::End(0))?.saturating_sub(TAIL);
    zip.seek(SeekFrom::Start(before))?;
    let mut tail = Vec::new();
    zip.by_ref().take(TAIL).read_to_end(&mut tail)?;
    zip.rewind()?;
    Ok((tail, before))
}

/// The number, least byte first, at this place of a record.
fn little_endian(record: &[u8], at: usize, bytes: usize) -> Option<u64> {
    let bytes = record.get(at..at + bytes)?;
    Some(bytes.iter().rev().fold(0, |number, byte| (number << 8) | u64::from(*byte)))
}
