//! What goes wrong when, drawn from a seed.

use std::{fmt, time::Duration};

use crate::corpus::Random;

/// How long after the first save a fault begins at the latest, in milliseconds.
const LATEST: u64 = 1_200;

/// How long a fault lasts, in milliseconds.
const SHORTEST: u64 = 50;
const LONGEST: u64 = 700;

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A server is killed, and started again when the fault is over.
    Kill,
    /// A server is told to stop, as for an upgrade, and started again.
    Stop,
    /// A server is told to stop, and a newer version is started in its place. Never drawn.
    Upgrade,
    /// A server gets no processor, as when its machine is moved.
    Pause,
    /// Its connections to the database are cut, in the middle of whatever they carry.
    Cut,
    /// They are cut, and no new ones are made.
    Refuse,
    /// What they carry comes late.
    Delay,
    /// They carry nothing for a while, and then what has waited.
    Stall,
    /// The database hears what it is told, and its answers are lost: nobody knows what was committed.
    Mute,
    /// `PostgreSQL` is restarted: in order, or at once, as after a loss of power.
    Restart { at_once: bool },
    /// One of its processes is killed, so that it throws all others out and recovers.
    Crash,
}

const OF_SERVERS: [Kind; 3] = [Kind::Kill, Kind::Stop, Kind::Pause];

const OF_CONNECTIONS: [Kind; 8] = [
    Kind::Cut,
    Kind::Refuse,
    Kind::Delay,
    Kind::Stall,
    Kind::Mute,
    Kind::Restart { at_once: false },
    Kind::Restart { at_once: true },
    Kind::Crash,
];

/// A fault of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: Kind,
    /// The place of the server whose fault it is, if it is of one.
    pub(crate) server: usize,
    /// From the first save on.
    pub(crate) at: Duration,
    pub(crate) lasts: Duration,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, server, at, lasts } = self;
        let (at, lasts) = (at.as_millis(), lasts.as_millis());
        let kind = format!("{kind:?}").to_lowercase();
        write!(f, "{at} ms: {kind}, server {server}, {lasts} ms")
    }
}

/// Draws two to five faults, in their order; those of connections only where there are some.
pub(crate) fn draw(seed: u64, servers: u64, has_connections: bool) -> Vec<Fault> {
    let mut random = Random::of(seed);
    let mut between = |from: u64, to: u64| from + random.below(to - from + 1);
    let count = between(2, 5);
    let mut faults: Vec<_> = (0..count)
        .map(|_| {
            let all = OF_SERVERS.iter().chain(OF_CONNECTIONS.iter().filter(|_| has_connections));
            let all: Vec<_> = all.copied().collect();
            let last = u64::try_from(all.len()).unwrap_or(1) - 1;
            let drawn = usize::try_from(between(0, last)).unwrap_or(0);
            Fault {
                kind: all.get(drawn).copied().unwrap_or(Kind::Kill),
                server: usize::try_from(between(0, servers - 1)).unwrap_or(0),
                at: Duration::from_millis(between(0, LATEST)),
                lasts: Duration::from_millis(between(SHORTEST, LONGEST)),
            }
        })
        .collect();
    faults.sort_by_key(|fault| fault.at);
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_schedule_and_all_seeds_give_every_fault() {
        assert_eq!(draw(7, 3, true), draw(7, 3, true));
        let drawn: Vec<_> = (0..200).flat_map(|seed| draw(seed, 3, true)).collect();
        for kind in OF_SERVERS.iter().chain(&OF_CONNECTIONS) {
            assert!(drawn.iter().any(|fault| fault.kind == *kind), "{kind:?}");
        }
        assert!(drawn.iter().all(|fault| fault.server < 3));
        let without = (0..200).flat_map(|seed| draw(seed, 3, false));
        assert!(without.into_iter().all(|fault| OF_SERVERS.contains(&fault.kind)));
    }
}
