//! Taking up what an earlier page has left in the log: it was killed, or could not reach the
//! server. A save that had no answer is asked for first, under its own key: only the server knows
//! whether it has stored it. Pure.

use domain::{AssignmentContent, Error, SaveKey, SaveOutcome};

use super::{
    change::{Change, Spans, all_spans},
    log::left_over::Replay,
    merging::merged,
    sync::{Request, Sync, Trouble},
};
use crate::ApiError;

impl Sync {
    /// Asks for the save of the first chain, or does with it what can be done without asking.
    pub(super) fn resume(&mut self, here: &Spans, key: impl FnOnce() -> SaveKey) {
        if self.resuming.replay.is_some() {
            return;
        }
        let Some(chain) = self.resuming.chains.first_mut() else { return };
        if chain.save.is_none() && chain.base > self.revision {
            // It goes on from something that this page does not know: the server does.
            self.resuming.unwritten = chain.be_saved(self.assignment, key());
        }
        match chain.save.clone() {
            Some(save) => {
                self.request = Some(Request::Save(save));
                self.resuming.is_asking = true;
            }
            None => self.finish(here, None),
        }
    }

    /// Takes the server's answer to the save of an earlier page.
    pub(super) fn resumed(&mut self, here: &Spans, answer: Result<SaveOutcome, ApiError>) {
        let outcome = match answer {
            Ok(outcome) => outcome,
            // Its labels are gone: it was never stored, and never will be as it is.
            Err(ApiError::App(Error::Invalid { .. })) => {
                self.stop_asking();
                if let Some(chain) = self.resuming.chains.first_mut() {
                    chain.save = None;
                }
                return;
            }
            Err(error) => {
                self.failed(error);
                self.resuming.is_asking = self.request.is_some();
                return;
            }
        };
        self.stop_asking();
        self.finish(here, Some(outcome));
    }

    fn stop_asking(&mut self) {
        self.request = None;
        self.resuming.is_asking = false;
    }

    fn finish(&mut self, here: &Spans, answer: Option<SaveOutcome>) {
        let mut chain = self.resuming.chains.remove(0);
        let loaded = self.saved.clone();
        let mut there = loaded.clone();
        let (change, has_moved_on) = match answer {
            None => (chain.all, chain.base < self.revision),
            // Stored now, on what was loaded.
            Some(SaveOutcome::Saved { revision, .. }) if revision == self.revision.next() => {
                self.request = chain.save.map(Request::Save);
                self.stored(revision);
                (chain.all, false)
            }
            // Stored on something that this page does not know.
            Some(SaveOutcome::Saved { revision, .. })
                if revision > self.revision && !chain.rest.is_empty() =>
            {
                (chain.save, chain.base) = (None, revision);
                chain.all = std::mem::take(&mut chain.rest);
                self.resuming.chains.insert(0, chain);
                return;
            }
            // Stored before, and in what was loaded.
            Some(SaveOutcome::Saved { revision, .. }) => (chain.rest, revision < self.revision),
            // Never stored, and never to be as it is.
            Some(SaveOutcome::Conflict(content)) => {
                self.adopt(&content);
                there.clone_from(&self.saved);
                (chain.all, true)
            }
        };
        // What was done on this page already came later.
        let before = merged(&loaded, here, &there, &[]);
        let spans = merged(&loaded, here, &change.applied(&there), &[]);
        if has_moved_on && spans != self.saved {
            self.trouble = Some(Trouble::Conflict(AssignmentContent {
                revision: self.revision,
                state: self.state,
                saved_at: None,
                spans: all_spans(&self.saved).collect(),
                choices: self.saved.iter().filter(|it| it.choice.is_some()).copied().collect(),
            }));
        }
        let count = Change::between(&before, &spans).len();
        self.resuming.replay = Some(Replay { spans, count, records: chain.records });
    }
}
