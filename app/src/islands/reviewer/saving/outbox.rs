//! Decisions on their way to the server: one save at a time, the same save again until it is
//! answered. Knows nothing of the network; the saver sends what this hands out.

use domain::{DecisionChange, DocumentId, Range, Revision, SaveDecisions, SaveKey};

use crate::islands::reviewer::positions::changes::merge;

/// What has not been stored yet.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    document: DocumentId,
    revision: Revision,
    waiting: Vec<DecisionChange>,
    sending: Option<SaveDecisions>,
}

impl Outbox {
    /// Nothing to send, on top of this revision.
    pub(crate) const fn new(document: DocumentId, revision: Revision) -> Self {
        Self { document, revision, waiting: Vec::new(), sending: None }
    }

    /// The revision that the server is known to have.
    pub(crate) const fn revision(&self) -> Revision {
        self.revision
    }

    /// Whether everything is stored.
    pub(crate) const fn is_empty(&self) -> bool {
        self.waiting.is_empty() && self.sending.is_none()
    }

    /// Whether a position has changed again since the save that is under way.
    pub(crate) fn is_waiting(&self, range: Range) -> bool {
        self.waiting.iter().any(|change| change.range == range)
    }

    /// Everything that is not known to be stored, each position as it was left last.
    pub(crate) fn unsaved(&self) -> Vec<DecisionChange> {
        let sent = self.sending.iter().flat_map(|save| &save.changes);
        merge(sent.chain(&self.waiting).cloned())
    }

    /// Takes up changes. What waits for a save under way goes with the next one, all at once.
    pub(crate) fn add(&mut self, changes: Vec<DecisionChange>) {
        self.waiting = merge(self.waiting.drain(..).chain(changes));
    }

    /// The save to send now: the one that was not answered, or else what waits, under `key`.
    pub(crate) fn next(&mut self, key: impl FnOnce() -> SaveKey) -> Option<SaveDecisions> {
        if self.sending.is_none() && !self.waiting.is_empty() {
            self.sending = Some(SaveDecisions {
                document: self.document,
                base: self.revision,
                key: key(),
                changes: std::mem::take(&mut self.waiting),
            });
        }
        self.sending.clone()
    }

    /// The save under way is stored as `revision`; gives what it stored.
    pub(crate) fn stored(&mut self, revision: Revision) -> Vec<DecisionChange> {
        self.revision = revision;
        self.sending.take().map(|save| save.changes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use domain::Verdict;

    use super::*;
    use crate::islands::reviewer::positions::examples::labels;

    fn change(start: u32, label: i64) -> DecisionChange {
        let decision = Some((Verdict::Accept, labels(&[label])));
        DecisionChange::new(Range::new(start, start + 2), decision)
    }

    fn key(name: &str) -> impl FnOnce() -> SaveKey {
        let key = SaveKey(name.to_owned());
        move || key
    }

    #[test]
    fn a_save_without_an_answer_is_sent_again_under_its_key() {
        let mut outbox = Outbox::new(DocumentId(1), Revision(4));
        outbox.add(vec![change(0, 1)]);
        let first = outbox.next(key("first")).unwrap();
        outbox.add(vec![change(10, 1)]);
        assert_eq!(outbox.next(key("second")), Some(first.clone()));
        assert_eq!((first.base, first.key), (Revision(4), SaveKey("first".to_owned())));
    }

    #[test]
    fn what_waited_goes_with_the_next_save_on_the_new_revision() {
        let mut outbox = Outbox::new(DocumentId(1), Revision(4));
        outbox.add(vec![change(0, 1)]);
        outbox.next(key("first"));
        outbox.add(vec![change(10, 1)]);
        outbox.add(vec![change(10, 2), change(0, 2)]);
        assert!(outbox.is_waiting(Range::new(10, 12)));
        assert_eq!(outbox.stored(Revision(5)), [change(0, 1)]);
        let second = outbox.next(key("second")).unwrap();
        assert_eq!(second.base, Revision(5));
        assert_eq!(second.changes, [change(0, 2), change(10, 2)]);
        assert!(!outbox.is_empty());
        outbox.stored(Revision(6));
        assert!(outbox.is_empty());
        assert_eq!(outbox.next(key("third")), None);
    }

    #[test]
    fn of_a_position_changed_twice_the_latest_is_unsaved() {
        let mut outbox = Outbox::new(DocumentId(1), Revision(4));
        outbox.add(vec![change(0, 1), change(10, 1)]);
        outbox.next(key("first"));
        outbox.add(vec![change(10, 2)]);
        assert_eq!(outbox.unsaved(), [change(0, 1), change(10, 2)]);
    }
}
