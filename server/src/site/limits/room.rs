//! Room for what requests bring, shared between the people who send it.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use domain::{Actor, DirectoryId, UserId};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// The most that a stranger may send, in bytes. Signing in, accepting an invitation and the like take less, and none
/// of it takes room: strangers leave all of that to people.
pub(crate) const MAX_STRANGER_BODY: u64 = 8 * 1024;

/// What a request may bring without asking for room, in bytes.
const FREE: u64 = 16 * 1024;

/// The room for the first part of what each sender sends, in KiB, and how much that is.
const SMALL: usize = 16 * 1024;
const SMALL_PART: u32 = 1024;

/// The room for all that is larger, in KiB: a few large requests cannot keep small ones waiting.
const LARGE: usize = 32 * 1024;

/// The most that one sender has of both, in KiB: one request of the largest kind.
const MOST: u32 = 17 * 1024;

/// Somebody who is known here and sends something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sender {
    Person(UserId),
    Directory(DirectoryId),
}

impl Sender {
    /// The sender of a request; none if it is a stranger.
    pub(crate) fn of(actor: &Actor) -> Option<Self> {
        match actor {
            Actor::Person(user) | Actor::Token(user, _) => Some(Self::Person(user.id)),
            Actor::Directory(directory) => Some(Self::Directory(directory.id)),
            Actor::Anonymous => None,
        }
    }
}

/// The room of a server.
pub(crate) struct Room {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
    /// What each sender has of it, in KiB.
    taken: Mutex<HashMap<Sender, u32>>,
}

impl Default for Room {
    fn default() -> Self {
        Self {
            small: Arc::new(Semaphore::new(SMALL)),
            large: Arc::new(Semaphore::new(LARGE)),
            taken: Mutex::default(),
        }
    }
}

impl Room {
    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn taken(&self) -> MutexGuard<'_, HashMap<Sender, u32>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a request has of the room, until it is answered.
pub(crate) struct Share {
    room: Arc<Room>,
    sender: Sender,
    held: Mutex<Held>,
}

struct Held {
    small: Portion,
    large: Portion,
    /// What is counted as the sender's, in KiB: what is waited for, too.
    counted: u32,
}

/// What a request has of the room for small or for large ones.
struct Portion {
    pool: PollSemaphore,
    permits: Vec<OwnedSemaphorePermit>,
    /// In KiB.
    wanted: u32,
    there: u32,
}

impl Portion {
    fn of(pool: &Arc<Semaphore>) -> Self {
        let pool = PollSemaphore::new(Arc::clone(pool));
        Self { pool, permits: Vec::new(), wanted: 0, there: 0 }
    }

    /// Waits until all is there that is wanted.
    fn poll_fill(&mut self, context: &mut Context<'_>) -> Poll<bool> {
        if self.wanted > self.there {
            let more = self.wanted - self.there;
            // It is never closed.
            let Some(permit) = ready!(self.pool.poll_acquire_many(context, more)) else {
                return Poll::Ready(false);
            };
            self.permits.push(permit);
            self.there = self.wanted;
        }
        Poll::Ready(true)
    }
}

impl Share {
    pub(crate) fn of(room: &Arc<Room>, sender: Sender) -> Self {
        let held =
            Held { small: Portion::of(&room.small), large: Portion::of(&room.large), counted: 0 };
        Self { room: Arc::clone(room), sender, held: Mutex::new(held) }
    }

    /// Waits for room for so many bytes in all; false if the sender has too much already.
    pub(crate) fn poll_grow(&self, bytes: u64, context: &mut Context<'_>) -> Poll<bool> {
        let needed = bytes.saturating_sub(FREE).div_ceil(1024);
        let needed = u32::try_from(needed).unwrap_or(u32::MAX);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if needed > held.counted {
            let more = needed - held.counted;
            let mut taken = self.room.taken();
            let before = taken.get(&self.sender).copied().unwrap_or_default();
            let after = before.saturating_add(more);
            if after > MOST {
                return Poll::Ready(false);
            }
            taken.insert(self.sender, after);
            drop(taken);
            let small = after.min(SMALL_PART) - before.min(SMALL_PART);
            held.small.wanted += small;
            held.large.wanted += more - small;
            held.counted = needed;
        }
        if !ready!(held.small.poll_fill(context)) {
            return Poll::Ready(false);
        }
        held.large.poll_fill(context)
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        let counted = self.held.get_mut().unwrap_or_else(PoisonError::into_inner).counted;
        let mut taken = self.room.taken();
        if let Some(of_sender) = taken.get_mut(&self.sender) {
            *of_sender = of_sender.saturating_sub(counted);
            if *of_sender == 0 {
                taken.remove(&self.sender);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::task::Waker;

    use super::*;

    const LARGEST: u64 = 16 * 1024 * 1024;

    fn person(id: i64) -> Sender {
        Sender::Person(UserId(id))
    }

    fn grow(share: &Share, bytes: u64) -> Poll<bool> {
        share.poll_grow(bytes, &mut Context::from_waker(Waker::noop()))
    }

    #[test]
    fn a_sender_has_room_for_one_large_request_and_others_keep_theirs() {
        let room = Arc::new(Room::default());
        let large = Share::of(&room, person(1));
        for bytes in [1_000_000, 2_000_000, LARGEST] {
            assert_eq!(grow(&large, bytes), Poll::Ready(true));
        }
        let again = Share::of(&room, person(1));
        assert_eq!(grow(&again, FREE), Poll::Ready(true));
        assert_eq!(grow(&again, 4_000_000), Poll::Ready(false));
        assert_eq!(grow(&Share::of(&room, person(2)), LARGEST), Poll::Ready(true));
        drop(large);
        assert_eq!(grow(&again, 4_000_000), Poll::Ready(true));
        drop(again);
        assert!(room.taken().is_empty());
        assert_eq!(room.small.available_permits(), SMALL);
        assert_eq!(room.large.available_permits(), LARGE);
    }

    #[test]
    fn a_large_request_waits_for_room_and_a_small_one_does_not() {
        let room = Arc::new(Room::default());
        let mut large: Vec<_> = (0..2).map(|id| Share::of(&room, person(id))).collect();
        for share in &large {
            assert_eq!(grow(share, LARGEST), Poll::Ready(true));
        }
        let late = Share::of(&room, person(9));
        assert_eq!(grow(&late, LARGEST), Poll::Pending);
        for id in 10..20 {
            assert_eq!(grow(&Share::of(&room, person(id)), 1_000_000), Poll::Ready(true));
        }
        large.remove(0);
        assert_eq!(grow(&late, LARGEST), Poll::Ready(true));
    }

    #[test]
    fn a_stranger_takes_no_room() {
        assert_eq!(Sender::of(&Actor::Anonymous), None);
        const { assert!(MAX_STRANGER_BODY < FREE) };
    }
}
