//! How a review ends and opens again, and what follows from the server's answers.

use domain::{ReviewContent, ReviewOutcome, Span, WorkState};

use crate::{
    api::review::{reopen_review, submit_review},
    islands::{
        editor::{keys::table::Command, save_state::SaveState},
        prelude::*,
    },
};

use super::{
    panels::answers::missing,
    positions::{
        decisions::Decisions,
        navigation::{count_decided, count_decisions},
        positions_of,
    },
    saving::saver::News,
    session::{Cause, Opened, Session, Trouble},
};

impl Session {
    /// Ends the review or takes its end back; asks first if positions are undecided.
    pub(crate) fn end_or_reopen(self) {
        let positions = self.positions_now();
        let is_refused = self.refused.read_untracked().is_some() && !self.saver().is_empty();
        if self.wanted_state.get_untracked().is_some() {
            // Whoever is offline may want to go on instead.
            self.wanted_state.set(None);
            self.say("Cancelled.");
        } else if self.state.get_untracked() == WorkState::Submitted {
            self.change_state(WorkState::Saved);
        } else if self.trouble.read_untracked().is_some() || is_refused {
            self.say("Resolve unsaved decisions first.");
        } else if self.go_to_unanswered() {
            self.say(format!("{}.", missing(self.unanswered_now().len())));
        } else if count_decided(&positions) < count_decisions(&positions) {
            self.opened.set(Some(Opened::End));
        } else {
            self.change_state(WorkState::Submitted);
        }
    }

    /// Goes where the first answer is missing that is required, if one is.
    pub(crate) fn go_to_unanswered(self) -> bool {
        let Some(first) = self.unanswered_now().first().copied() else { return false };
        if first != Span::DOCUMENT {
            self.current.set(Some(first.range));
        }
        true
    }

    /// Brings the review to a state as soon as everything is stored.
    pub(crate) fn change_state(self, wanted: WorkState) {
        self.refused.set(None);
        self.wanted_state.set(Some(wanted));
    }

    /// Carries turns out. The base of a turn is the revision of the last save, hence the wait.
    pub(super) fn follow_state(self, saving: Signal<SaveState>) {
        let document = self.facts().draft.document;
        let change = Action::new(move |wanted: &WorkState| {
            let (wanted, base) = (*wanted, self.saver().revision());
            async move {
                let outcome = match wanted {
                    WorkState::Submitted => submit_review(document, base).await,
                    WorkState::Open | WorkState::Saved => reopen_review(document, base).await,
                };
                (wanted, outcome)
            }
        });
        Effect::new(move |_| {
            let is_sending = saving.get() == SaveState::Saving || !self.saver().is_empty();
            if let (Some(wanted), false) = (self.wanted_state.get(), is_sending) {
                change.dispatch(wanted);
            }
        });
        Effect::new(move |_| {
            if let Some((wanted, outcome)) = change.value().get() {
                self.wanted_state.set(None);
                self.changed_state(wanted, outcome);
            }
        });
    }

    fn changed_state(self, wanted: WorkState, outcome: Result<ReviewOutcome, ApiError>) {
        match outcome {
            Ok(ReviewOutcome::Saved { revision, .. }) => {
                self.saver().restart(revision);
                self.arrive(wanted);
            }
            // The answer to an earlier try was lost: what was wanted has happened.
            Ok(ReviewOutcome::Conflict(content)) if content.state == wanted => {
                self.saver().restart(content.revision);
                self.adopt(content);
                self.arrive(wanted);
            }
            Ok(ReviewOutcome::Conflict(content)) => {
                self.saver().restart(content.revision);
                self.adopt(content);
                self.trouble.set(Some(Trouble { cause: Cause::Moved, mine: Vec::new() }));
            }
            Err(error) => self.refused.set(Some(error)),
        }
    }

    fn arrive(self, state: WorkState) {
        self.state.set(state);
        self.say(match state {
            WorkState::Submitted => {
                let keys = self.keyboard.shown(Command::OpenDocument { forward: true });
                format!("Review finished. {keys} opens the next document.")
            }
            WorkState::Open | WorkState::Saved => "Review reopened.".to_owned(),
        });
    }

    /// Takes the server's answer to a save in.
    pub(super) fn hear(self, news: News) {
        match news {
            News::Stored { changes, at } => {
                let saver = self.saver();
                self.decisions.update(|decisions| {
                    decisions.note_stored(&changes, |range| saver.is_waiting(range), at);
                });
                self.state.set(WorkState::Saved);
            }
            News::Moved { content, mine, why } => {
                self.wanted_state.set(None);
                self.adopt(content);
                self.say("");
                let cause = why.map_or(Cause::Moved, Cause::Refused);
                self.trouble.set(Some(Trouble { cause, mine }));
            }
            News::Refused(error) => {
                self.wanted_state.set(None);
                self.refused.set(Some(error));
            }
        }
    }

    /// Shows what the server has. What was done here before cannot be undone on top of it.
    fn adopt(self, content: ReviewContent) {
        self.state.set(content.state);
        self.of_document.set(content.chosen);
        self.decisions.set(Decisions::new(positions_of(content.positions), content.answers));
        if let Some(current) = self.current.get_untracked() {
            self.stay_near(current);
        }
    }

    /// Looks for decisions that an earlier visit could not send.
    pub(crate) fn find_draft(self) {
        let Some(kept) = self.facts().draft.load() else { return };
        let mine = self.decisions.with_untracked(|decisions| decisions.refit(&kept));
        if mine.is_empty() {
            self.facts().draft.forget();
        } else {
            self.trouble.set(Some(Trouble { cause: Cause::Left, mine }));
        }
    }

    /// Tries once more what the server would not have.
    pub(crate) fn try_again(self) {
        self.refused.set(None);
        if self.saver().is_empty() {
            self.end_or_reopen();
        } else {
            self.saver().send();
        }
    }

    /// Ends the trouble; with `again`, carries out on what the server has now what was not stored.
    pub(crate) fn settle(self, again: bool) {
        if again && !self.may_decide() {
            return;
        }
        let Some(trouble) = self.trouble.try_update(Option::take).flatten() else { return };
        self.saver().settle();
        if again {
            let changes = self.decisions.with_untracked(|decisions| decisions.refit(&trouble.mine));
            let (wanted, fitting) = (trouble.mine.len(), changes.len());
            self.carry_out(changes);
            self.say(if fitting == wanted {
                format!("{} applied again.", domain::count(wanted, "decision"))
            } else {
                format!("{fitting} of {wanted} decisions applied again; the others change nothing.")
            });
        }
    }
}
