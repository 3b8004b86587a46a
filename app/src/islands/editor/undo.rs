//! What can be undone, and what can be done again.

/// The steps back and forth, in the order in which they were done and undone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Steps<T> {
    pub done: Vec<T>,
    pub undone: Vec<T>,
}

impl<T> Default for Steps<T> {
    fn default() -> Self {
        Self { done: Vec::new(), undone: Vec::new() }
    }
}

impl<T> Steps<T> {
    /// Something new was done, after which nothing can be done again.
    pub(crate) fn push(&mut self, step: T) {
        self.done.push(step);
        self.undone.clear();
    }

    pub(crate) const fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    pub(crate) const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }
}
