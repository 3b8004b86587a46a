//! Sends decisions to the server, one save after the other, until all of them are stored. It goes
//! on when the page is left: what was decided does not depend on staying there.

use chrono::{DateTime, Utc};
use domain::{DecisionChange, Range, ReviewContent, ReviewOutcome, Revision};
use leptos::task::spawn_local;

use crate::{
    api::review::{load_review, save_decisions},
    islands::{
        editor::save_state::{SaveState, new_save_key, wait_to_retry},
        prelude::*,
    },
};

use super::{draft::Draft, outbox::Outbox};

/// What the page learns from the saver.
#[derive(Clone, Debug)]
pub(crate) enum News {
    /// These decisions are stored since then.
    Stored { changes: Vec<DecisionChange>, at: DateTime<Utc> },
    /// The review stands otherwise than here: what stands there, what was not stored, and why if
    /// the server said so.
    Moved { content: ReviewContent, mine: Vec<DecisionChange>, why: Option<ApiError> },
    /// The server will not have it, and there is nothing to go by instead.
    Refused(ApiError),
}

/// The way of decisions to the server. Clones share everything.
#[derive(Clone)]
pub(crate) struct Saver {
    draft: Draft,
    outbox: ArcStoredValue<Outbox>,
    is_running: ArcStoredValue<bool>,
    state: ArcRwSignal<SaveState>,
    /// The draft as it was kept last.
    kept: ArcStoredValue<Option<String>>,
    /// Lives as long as the page; the saver may outlive it.
    listener: ArcStoredValue<Option<Callback<News>>>,
}

impl Saver {
    pub(crate) fn new(draft: Draft, revision: Revision) -> Self {
        Self {
            draft,
            outbox: ArcStoredValue::new(Outbox::new(draft.document, revision)),
            is_running: ArcStoredValue::new(false),
            state: ArcRwSignal::new(SaveState::Saved),
            kept: ArcStoredValue::new(None),
            listener: ArcStoredValue::new(None),
        }
    }

    /// Tells `listener` what becomes of the saves.
    pub(crate) fn listen(&self, listener: Callback<News>) {
        self.listener.set_value(Some(listener));
    }

    pub(crate) fn state(&self) -> Signal<SaveState> {
        self.state.clone().into()
    }

    pub(crate) fn revision(&self) -> Revision {
        self.outbox.read_value().revision()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.outbox.read_value().is_empty()
    }

    /// Whether a decision on this position is on its way again since the last save.
    pub(crate) fn is_waiting(&self, range: Range) -> bool {
        self.outbox.read_value().is_waiting(range)
    }

    /// Takes changes up and begins to send them.
    pub(crate) fn save(&self, changes: Vec<DecisionChange>) {
        self.outbox.write_value().add(changes);
        self.keep_draft();
        self.send();
    }

    /// Goes on from another revision, with nothing to send.
    pub(crate) fn restart(&self, revision: Revision) {
        self.outbox.set_value(Outbox::new(self.draft.document, revision));
        self.state.set(SaveState::Saved);
    }

    /// The person has said what is to become of what was not stored.
    pub(crate) fn settle(&self) {
        self.draft.forget();
        self.keep_draft();
        if self.is_empty() {
            self.state.set(SaveState::Saved);
        }
    }

    /// Brings the draft in line with what is not stored.
    fn keep_draft(&self) {
        let unsaved = self.outbox.read_value().unsaved();
        if !unsaved.is_empty() {
            self.kept.set_value(self.draft.keep(&unsaved));
        } else if let Some(kept) = self.kept.write_value().take() {
            self.draft.remove(&kept);
        }
    }

    /// Sends what is there, unless that is under way.
    pub(crate) fn send(&self) {
        if !std::mem::replace(&mut *self.is_running.write_value(), true) {
            let saver = self.clone();
            spawn_local(async move {
                saver.state.set(saver.send_all().await);
                saver.is_running.set_value(false);
            });
        }
    }

    /// Sends until nothing is left or a person has to look; says how it ended.
    async fn send_all(&self) -> SaveState {
        let mut failures = 0;
        loop {
            let next = self.outbox.write_value().next(new_save_key);
            let Some(save) = next else { return SaveState::Saved };
            if failures == 0 {
                self.state.set(SaveState::Saving);
            }
            match save_decisions(save).await {
                Ok(ReviewOutcome::Saved { revision, saved_at: at }) => {
                    failures = 0;
                    let changes = self.outbox.write_value().stored(revision);
                    self.keep_draft();
                    self.tell(News::Stored { changes, at });
                }
                Ok(ReviewOutcome::Conflict(content)) => return self.give_back(content, None),
                Err(error) => match SaveState::retrying(&error) {
                    Some(state) => {
                        failures += 1;
                        self.state.set(state);
                        wait_to_retry(failures).await;
                    }
                    None => return self.look_again(error).await,
                },
            }
        }
    }

    /// The server refused what the page offered: the page must be behind.
    async fn look_again(&self, error: ApiError) -> SaveState {
        if let Ok(review) = load_review(self.draft.document).await {
            self.give_back(review.content, Some(error))
        } else {
            self.tell(News::Refused(error));
            SaveState::Refused
        }
    }

    fn give_back(&self, content: ReviewContent, why: Option<ApiError>) -> SaveState {
        // The draft stays until the person has said what is to become of it.
        let mine = self.outbox.read_value().unsaved();
        self.outbox.set_value(Outbox::new(self.draft.document, content.revision));
        self.tell(News::Moved { content, mine, why });
        SaveState::Conflict
    }

    fn tell(&self, news: News) {
        if let Some(listener) = self.listener.get_value() {
            // Nobody hears it any more once the page has been left.
            listener.try_run(news);
        }
    }
}
