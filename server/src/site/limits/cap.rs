//! How many there may be of something at the same time.

use std::{
    collections::HashMap,
    hash::Hash,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// Counts what each key has, and lets none have more than so many.
pub(crate) struct Cap<K: Eq + Hash + Clone> {
    most: usize,
    counts: Mutex<HashMap<K, usize>>,
}

impl<K: Eq + Hash + Clone> Cap<K> {
    pub(crate) fn of(most: usize) -> Arc<Self> {
        Arc::new(Self { most, counts: Mutex::default() })
    }

    /// One more, if there may be one.
    pub(crate) fn enter(self: &Arc<Self>, key: K) -> Option<Entry<K>> {
        let mut counts = self.counts();
        let count = counts.entry(key.clone()).or_default();
        if *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Entry { cap: Arc::clone(self), key })
    }

    /// No code panics while it holds this, and a map is sound after any of its calls.
    fn counts(&self) -> MutexGuard<'_, HashMap<K, usize>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One that is counted until it is dropped.
pub(crate) struct Entry<K: Eq + Hash + Clone> {
    cap: Arc<Cap<K>>,
    key: K,
}

impl<K: Eq + Hash + Clone> Drop for Entry<K> {
    fn drop(&mut self) {
        let mut counts = self.cap.counts();
        if let Some(count) = counts.get_mut(&self.key) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_so_many_at_a_time_and_leaves_nothing_behind() {
        let cap = Cap::of(2);
        let (first, second) = (cap.enter("one").unwrap(), cap.enter("one").unwrap());
        assert!(cap.enter("one").is_none());
        assert!(cap.enter("other").is_some());
        drop(first);
        assert!(cap.enter("one").is_some());
        drop(second);
        assert!(cap.counts().is_empty());
    }
}
