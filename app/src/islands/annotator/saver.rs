//! Makes the requests that [`Sync`] asks for, and keeps the draft. It outlives the page: what is
//! under way when somebody leaves is brought to its end.

use std::time::Duration;

use domain::SaveOutcome;
use leptos::{leptos_dom::helpers::TimeoutHandle, prelude::*, task::spawn_local};

use super::{
    draft::{self, Draft},
    history::History,
    sync::{Intent, Request, Step, Sync},
};
use crate::{
    ApiError,
    api::annotating::{reopen_assignment, save_spans, submit_assignment},
    islands::save_state::new_save_key,
};

/// How long to wait for more changes before saving.
const REST: Duration = Duration::from_millis(400);

/// The way of one copy of a document to the server.
#[derive(Clone)]
pub(crate) struct Saver {
    pub sync: ArcRwSignal<Sync>,
    pub history: ArcRwSignal<History>,
    /// Where to go now that everything is saved.
    pub destination: ArcRwSignal<Option<String>>,
    timer: ArcStoredValue<Option<TimeoutHandle>>,
    /// The draft as it was kept last.
    kept: ArcStoredValue<Option<String>>,
}

impl Saver {
    pub(crate) fn new(sync: Sync, history: History) -> Self {
        Self {
            sync: ArcRwSignal::new(sync),
            history: ArcRwSignal::new(history),
            destination: ArcRwSignal::new(None),
            timer: ArcStoredValue::new(None),
            kept: ArcStoredValue::new(None),
        }
    }

    /// Something was changed: keeps the draft, and saves soon.
    pub(crate) fn changed(&self) {
        self.keep_draft();
        self.flush_in(REST);
    }

    /// Saves now.
    pub(crate) fn flush(&self) {
        self.stop_timer();
        spawn_local(self.clone().run());
    }

    /// Saves what is left when the page goes; there is nobody to tell of a failure, but the draft
    /// stays until the document is opened again.
    pub(crate) fn flush_last(&self) {
        self.stop_timer();
        if !self.is_settled() {
            self.flush();
        }
    }

    /// Saves now, and then does what is intended.
    pub(crate) fn intend(&self, intent: Intent) {
        self.sync.update(|sync| {
            sync.retry();
            sync.intend(intent);
        });
        self.flush();
    }

    /// Tries again what has failed, at once.
    pub(crate) fn retry(&self) {
        if self.sync.try_update(Sync::retry) == Some(true) {
            self.flush();
        }
    }

    /// Whether everything here is known to be saved.
    pub(crate) fn is_settled(&self) -> bool {
        self.sync.with_untracked(|sync| {
            self.history.with_untracked(|history| sync.is_settled(history.spans()))
        })
    }

    async fn run(self) {
        loop {
            match self.next() {
                Step::Send(request) => {
                    let answer = send(request).await;
                    self.history.with_untracked(|history| {
                        self.sync.update(|sync| sync.answered(history.spans(), answer));
                    });
                    self.keep_draft();
                }
                Step::Leave(path) => {
                    self.destination.set(Some(path));
                    return;
                }
                Step::Wait => break,
            }
        }
        if let Some(wait) = self.sync.with_untracked(Sync::retry_in) {
            self.stop_timer();
            let saver = self.clone();
            let timer = set_timeout_with_handle(move || saver.retry(), wait);
            self.timer.set_value(timer.ok());
        }
    }

    fn next(&self) -> Step {
        let step = self.history.with_untracked(|history| {
            self.sync.try_update(|sync| sync.next(history.spans(), new_save_key))
        });
        step.unwrap_or(Step::Wait)
    }

    fn flush_in(&self, wait: Duration) {
        if self.sync.with_untracked(|sync| sync.retry_in().is_some()) {
            // The next try is due already, and takes this change along.
            return;
        }
        self.stop_timer();
        let saver = self.clone();
        self.timer.set_value(set_timeout_with_handle(move || saver.flush(), wait).ok());
    }

    fn stop_timer(&self) {
        if let Some(timer) = self.timer.try_update_value(Option::take).flatten() {
            timer.clear();
        }
    }

    /// Brings the draft in line with what is not saved.
    fn keep_draft(&self) {
        let (assignment, draft) = self.sync.with_untracked(|sync| {
            let change = self.history.with_untracked(|history| sync.unconfirmed(history.spans()));
            (sync.assignment(), Draft { base: sync.revision(), change })
        });
        if !draft.change.is_empty() {
            self.kept.set_value(draft::keep(assignment, &draft));
        } else if let Some(kept) = self.kept.try_update_value(Option::take).flatten() {
            draft::remove(assignment, &kept);
        }
    }
}

async fn send(request: Request) -> Result<SaveOutcome, ApiError> {
    match request {
        Request::Save(command) => save_spans(command).await,
        Request::Submit(assignment, base) => submit_assignment(assignment, base).await,
        Request::Reopen(assignment, base) => reopen_assignment(assignment, base).await,
    }
}
