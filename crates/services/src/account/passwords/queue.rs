//! Who waits for a password to be hashed: so many at a time, of whom one source is a small part.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use domain::{Error as Refusal, Network};

/// How many may wait, with those whose turn it is.
const ALL: usize = 256;

/// How many of them may come from one source.
const OF_ONE: usize = 32;

/// Who waits.
#[derive(Clone, Default)]
pub(super) struct Queue(Arc<Mutex<HashMap<Network, usize>>>);

/// A place in the queue, free again once it is dropped.
pub(super) struct Place {
    queue: Queue,
    source: Network,
}

impl Queue {
    /// Takes a place; whoever comes on top is asked to try again.
    pub(super) fn enter(&self, source: Network) -> Result<Place, Refusal> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = waiting.get(&source).copied().unwrap_or(0);
        if own >= OF_ONE || waiting.values().sum::<usize>() >= ALL {
            return Err(Refusal::TooManyAttempts { seconds: 2 });
        }
        waiting.insert(source, own + 1);
        Ok(Place { queue: self.clone(), source })
    }

    /// How many wait, with those whose turn it is.
    pub(super) fn length(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut waiting = self.queue.0.lock().unwrap_or_else(PoisonError::into_inner);
        match waiting.get_mut(&self.source) {
            Some(own) if *own > 1 => *own -= 1,
            _ => drop(waiting.remove(&self.source)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    fn source(n: u8) -> Network {
        Network::from(IpAddr::V4(Ipv4Addr::new(192, 0, 2, n)))
    }

    #[test]
    fn one_source_cannot_fill_the_queue() {
        let queue = Queue::default();
        let taken: Vec<_> = (0..OF_ONE).map(|_| queue.enter(source(1)).unwrap()).collect();
        assert!(queue.enter(source(1)).is_err());
        assert_eq!(queue.length(), OF_ONE);
        drop(queue.enter(source(2)).unwrap());
        drop(taken);
        drop(queue.enter(source(1)).unwrap());
        assert!(queue.0.lock().unwrap().is_empty(), "who has gone is forgotten");
    }

    #[test]
    fn many_sources_fill_it_at_last() {
        let queue = Queue::default();
        let taken: Vec<_> = (0..ALL)
            .map(|n| queue.enter(source(u8::try_from(n / OF_ONE).unwrap())).unwrap())
            .collect();
        assert!(queue.enter(source(200)).is_err());
        drop(taken);
    }
}
