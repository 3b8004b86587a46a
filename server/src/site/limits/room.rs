//! Room for what requests bring, shared between those who send.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    task::{Context, Poll, ready},
};

use domain::UserId;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::PollSemaphore;

/// What a request may bring without asking for room.
const FREE: u64 = 16 * 1024;

/// All the room there is, in KiB.
const ALL: usize = 48 * 1024;

/// The most that one sender has of it, in KiB: one request of the largest kind.
const MOST: u32 = 17 * 1024;

/// Who sends something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Sender {
    Person(UserId),
    Address(IpAddr),
    Nobody,
}

/// The room of a server.
pub(crate) struct Room {
    all: Arc<Semaphore>,
    /// What each sender has of it, in KiB.
    taken: Mutex<HashMap<Sender, u32>>,
}

impl Default for Room {
    fn default() -> Self {
        Self { all: Arc::new(Semaphore::new(ALL)), taken: Mutex::default() }
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
    all: PollSemaphore,
    permits: Vec<OwnedSemaphorePermit>,
    /// What is counted as the sender's, in KiB: what is waited for, too.
    counted: u32,
    /// What is there, in KiB.
    there: u32,
}

impl Share {
    pub(crate) fn of(room: &Arc<Room>, sender: Sender) -> Self {
        let all = PollSemaphore::new(Arc::clone(&room.all));
        let held = Held { all, permits: Vec::new(), counted: 0, there: 0 };
        Self { room: Arc::clone(room), sender, held: Mutex::new(held) }
    }

    /// Waits for room for so many bytes in all; false if the sender has too much already.
    pub(crate) fn poll_grow(&self, bytes: u64, context: &mut Context<'_>) -> Poll<bool> {
        let needed = bytes.saturating_sub(FREE).div_ceil(1024);
        let needed = u32::try_from(needed).unwrap_or(u32::MAX);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if needed > held.counted {
            let mut taken = self.room.taken();
            let of_sender = taken.entry(self.sender).or_default();
            let more = of_sender.saturating_add(needed - held.counted);
            if more > MOST {
                if *of_sender == 0 {
                    taken.remove(&self.sender);
                }
                return Poll::Ready(false);
            }
            *of_sender = more;
            drop(taken);
            held.counted = needed;
        }
        if needed > held.there {
            let more = needed - held.there;
            // It is never closed.
            let Some(permit) = ready!(held.all.poll_acquire_many(context, more)) else {
                return Poll::Ready(false);
            };
            held.permits.push(permit);
            held.there = needed;
        }
        Poll::Ready(true)
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
        assert_eq!(room.all.available_permits(), ALL);
    }

    #[test]
    fn who_comes_when_there_is_no_room_waits_for_it() {
        let room = Arc::new(Room::default());
        let mut large: Vec<_> = (0..3).map(|id| Share::of(&room, person(id))).collect();
        for share in large.iter().take(2) {
            assert_eq!(grow(share, LARGEST), Poll::Ready(true));
        }
        assert_eq!(grow(&large[2], LARGEST), Poll::Ready(true));
        let late = Share::of(&room, person(9));
        assert_eq!(grow(&late, 1_000_000), Poll::Pending);
        assert_eq!(grow(&late, FREE), Poll::Ready(true));
        large.remove(0);
        assert_eq!(grow(&late, 1_000_000), Poll::Ready(true));
    }
}
