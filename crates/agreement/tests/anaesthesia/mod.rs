//! What five anaesthetists said of 45 patients: Dawid and Skene (1979), table 1.

use agreement::consensus::Votes;

/// A patient a word: three judgements of the first observer, and one of each of four others.
const PATIENTS: &str = "1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 \
    2322223 4444444 2223343 1111111 2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 \
    2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111 1121121 1111111 3333233 1111111 \
    2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222";

/// The judgements of each patient, by observer.
pub(crate) fn patients() -> Vec<Vec<(usize, char)>> {
    let observers = [0, 0, 0, 1, 2, 3, 4];
    PATIENTS
        .split(' ')
        .map(|patient| observers.into_iter().zip(patient.chars()).collect())
        .collect()
}

pub(crate) fn votes() -> Votes<char> {
    Votes::from_items(5, patients()).unwrap()
}
