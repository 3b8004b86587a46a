//! What the server has, what is here, and what to send next. Pure: requests are made elsewhere.
//!
//! One request is under way at a time. What is to be saved is always the net difference between
//! the spans here and those the server is known to have. A save that got no answer is sent again
//! as it was, under the same key, until there is one: the server may have stored it. What earlier
//! pages have left is taken up the same way, before anything else is sent (`resuming.rs`).

use std::time::Duration;

use domain::{
    AssignmentContent, AssignmentId, Error, Range, Revision, SaveKey, SaveOutcome, SaveSpans,
    WorkState,
};

use super::{
    change::{Change, Spans},
    log::left_over::{Replay, Resuming},
    merging::{Difference, Subject, differences, merged},
};
use crate::{ApiError, islands::editor::save_state::retry_delay};

/// What is asked of the server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Save(SaveSpans),
    Submit(AssignmentId, Revision),
    Reopen(AssignmentId, Revision),
}

/// What is to be done once everything is saved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Intent {
    Submit,
    Reopen,
    /// Go to this path.
    Leave(String),
}

/// What to do now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum NextAction {
    Send(Request),
    /// Show what an earlier page has left.
    Replay(Replay),
    Leave(String),
    Wait,
}

/// Why nothing is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// No answer; tried again by itself.
    Offline,
    /// The server could not; tried again by itself.
    Failing(String),
    /// The server has no storage space left; tried again by itself.
    StorageFull,
    /// The session has ended, or is somebody else's; tried again when the person comes back.
    SignedOut,
    /// The server will not; tried again when asked to.
    Refused(String),
    /// The assignment was changed elsewhere; the person decides.
    Conflict(AssignmentContent),
}

/// The state of one assignment between here and the server.
#[derive(Clone, Debug)]
pub(crate) struct Sync {
    pub(super) assignment: AssignmentId,
    pub(super) revision: Revision,
    pub(super) state: WorkState,
    /// The spans that the server has at `revision`.
    pub(super) saved: Spans,
    /// The request that has had no answer yet.
    pub(super) request: Option<Request>,
    is_sending: bool,
    pub(super) trouble: Option<Trouble>,
    /// Why the assignment was not handed in, and the position to mend first.
    pub unfit: Option<(Range, String)>,
    /// What is to be done once everything is saved.
    pub intent: Option<Intent>,
    /// Where to go once the assignment is submitted, or reopened.
    leaving: Option<String>,
    /// Requests without success since the last success.
    failures: u32,
    /// What earlier pages have left.
    pub(super) resuming: Resuming,
}

impl Sync {
    pub(crate) fn new(assignment: AssignmentId, content: &AssignmentContent) -> Self {
        Self {
            assignment,
            revision: content.revision,
            state: content.state,
            saved: content.facts(),
            request: None,
            is_sending: false,
            trouble: None,
            unfit: None,
            intent: None,
            leaving: None,
            failures: 0,
            resuming: Resuming::default(),
        }
    }

    pub(crate) const fn assignment(&self) -> AssignmentId {
        self.assignment
    }

    pub(crate) const fn revision(&self) -> Revision {
        self.revision
    }

    pub(crate) const fn state(&self) -> WorkState {
        self.state
    }

    pub(crate) const fn trouble(&self) -> Option<&Trouble> {
        self.trouble.as_ref()
    }

    pub(crate) const fn is_sending(&self) -> bool {
        self.is_sending
    }

    /// What is here and not known to be saved.
    pub(crate) fn pending(&self, here: &Spans) -> Change {
        Change::between(&self.saved, here)
    }

    /// On how many positions something is kept here that is not known to be saved.
    pub(crate) fn kept(&self, here: &Spans) -> usize {
        self.pending(here).len() + self.resuming.len()
    }

    /// Whether everything here is known to be saved.
    pub(crate) fn is_settled(&self, here: &Spans) -> bool {
        self.request.is_none() && self.saved == *here && self.resuming.is_done()
    }

    /// Whether nothing more can be saved unless the assignment is reopened.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == WorkState::Submitted && !self.is_sending
    }

    /// The next step; a request that it names is under way from now on.
    pub(crate) fn next(&mut self, here: &Spans, key: impl Fn() -> SaveKey) -> NextAction {
        if self.is_sending || self.resuming.is_reading {
            return NextAction::Wait;
        }
        if self.trouble.is_none() && self.request.is_none() {
            self.resume(here, &key);
        }
        if let Some(replay) = self.resuming.replay.take() {
            return NextAction::Replay(replay);
        }
        if self.trouble.is_some() {
            return NextAction::Wait;
        }
        if self.request.is_none() {
            self.request = self.next_request(here, key);
        }
        if let Some(request) = self.request.clone() {
            self.is_sending = true;
            return NextAction::Send(request);
        }
        match self.intent.take() {
            Some(Intent::Leave(path)) => NextAction::Leave(path),
            // Done already, here or in another tab.
            Some(Intent::Submit | Intent::Reopen) => {
                self.leaving.take().map_or(NextAction::Wait, NextAction::Leave)
            }
            None => NextAction::Wait,
        }
    }

    /// What a person wants done once everything is saved. Who submits and goes on at once does both.
    pub(crate) fn intend(&mut self, intent: Intent) {
        match (intent, &self.intent) {
            (Intent::Leave(path), Some(Intent::Submit | Intent::Reopen)) => {
                self.leaving = Some(path);
            }
            (intent, _) => self.intend_only(Some(intent)),
        }
    }

    fn intend_only(&mut self, intent: Option<Intent>) {
        (self.intent, self.leaving) = (intent, None);
    }

    /// The assignment is submitted, or reopened: what is intended after that is next.
    fn changed_state(&mut self, state: WorkState) {
        self.state = state;
        self.intent = self.leaving.take().map(Intent::Leave);
    }

    fn next_request(&self, here: &Spans, key: impl FnOnce() -> SaveKey) -> Option<Request> {
        if self.state == WorkState::Submitted {
            let reopens = self.intent == Some(Intent::Reopen);
            return reopens.then_some(Request::Reopen(self.assignment, self.revision));
        }
        let Change { added, removed } = self.pending(here);
        if !(added.is_empty() && removed.is_empty()) {
            let (assignment, base) = (self.assignment, self.revision);
            return Some(Request::Save(SaveSpans { assignment, base, key: key(), removed, added }));
        }
        let submits = self.intent == Some(Intent::Submit);
        submits.then_some(Request::Submit(self.assignment, self.revision))
    }

    /// Takes the server's answer to the request under way.
    pub(crate) fn answered(&mut self, here: &Spans, answer: Result<SaveOutcome, ApiError>) {
        self.is_sending = false;
        if self.resuming.is_asking {
            return self.resumed(here, answer);
        }
        match answer {
            Ok(SaveOutcome::Saved { revision, .. }) => self.stored(revision),
            Ok(SaveOutcome::Conflict(content)) => self.conflicted(here, content),
            Err(error) => self.failed(error),
        }
    }

    pub(super) fn stored(&mut self, revision: Revision) {
        self.revision = revision;
        self.failures = 0;
        match self.request.take() {
            Some(Request::Save(SaveSpans { added, removed, .. })) => {
                Change { added, removed }.apply(&mut self.saved);
                self.state = WorkState::Saved;
            }
            Some(Request::Submit(..)) => self.changed_state(WorkState::Submitted),
            Some(Request::Reopen(..)) => self.changed_state(WorkState::Saved),
            None => {}
        }
    }

    fn conflicted(&mut self, here: &Spans, content: AssignmentContent) {
        self.request = None;
        self.failures = 0;
        let there: Spans = content.facts();
        if there == *here {
            // Both have come to the same, or the answer to an earlier request was lost.
            self.adopt(&content);
        } else {
            self.intend_only(None);
            self.trouble = Some(Trouble::Conflict(content));
        }
    }

    pub(super) fn adopt(&mut self, content: &AssignmentContent) {
        self.revision = content.revision;
        self.state = content.state;
        self.saved = content.facts();
        self.trouble = None;
    }

    pub(super) fn failed(&mut self, error: ApiError) {
        self.intend_only(None);
        if let (Some(Request::Submit(..)), ApiError::App(Error::Invalid { field, problem })) =
            (&self.request, &error)
            && let Some(at) = position_of(field)
        {
            (self.request, self.unfit) = (None, Some((at, problem.to_string())));
            return;
        }
        self.failures = self.failures.saturating_add(1);
        // A submit is not sent again by itself, minutes after it was asked for.
        self.request = self.request.take().filter(|request| matches!(request, Request::Save(_)));
        self.trouble = Some(match error {
            ApiError::Transport(_) => Trouble::Offline,
            // Not found: somebody else is signed in by now.
            ApiError::App(Error::SignInRequired | Error::NotFound) => Trouble::SignedOut,
            ApiError::App(Error::StorageFull) => Trouble::StorageFull,
            ApiError::App(error) if error.may_pass() => Trouble::Failing(error.to_string()),
            ApiError::App(error) => {
                // This answer is final: the request is not sent again as it was.
                self.request = None;
                Trouble::Refused(error.to_string())
            }
        });
    }

    /// What the log has to keep while no save is on its way; none while there is one, or as long as
    /// the person has to decide.
    pub(crate) fn unsaved(&self, here: &Spans) -> Option<(Revision, Change)> {
        let decides = matches!(self.trouble, Some(Trouble::Conflict(_)));
        let is_idle = self.request.is_none() && self.resuming.replay.is_none();
        (is_idle && !decides).then(|| (self.revision, self.pending(here)))
    }

    /// How long to wait before trying again, if that is to happen by itself.
    pub(crate) fn retry_in(&self) -> Option<Duration> {
        match self.trouble {
            Some(Trouble::Offline | Trouble::Failing(_) | Trouble::StorageFull) => {
                Some(retry_delay(self.failures))
            }
            _ => None,
        }
    }

    /// Ends a trouble that trying again may mend; whether there was one.
    pub(crate) fn retry(&mut self) -> bool {
        if matches!(self.trouble, None | Some(Trouble::Conflict(_))) {
            return false;
        }
        self.trouble = None;
        true
    }

    /// Ends a conflict in favour of the saved version; the answer is the spans to show.
    pub(crate) fn use_theirs(&mut self) -> Option<Spans> {
        let Some(Trouble::Conflict(content)) = self.trouble.take() else { return None };
        self.adopt(&content);
        Some(self.saved.clone())
    }

    /// Ends a conflict with what was changed here on top of the saved version, except on the
    /// places in `dropped`; the answer is the spans to show, which are yet to be saved.
    pub(crate) fn use_mine(&mut self, here: &Spans, dropped: &[Subject]) -> Option<Spans> {
        let Some(Trouble::Conflict(content)) = self.trouble.take() else { return None };
        let before = self.saved.clone();
        self.adopt(&content);
        Some(merged(&before, here, &self.saved, dropped))
    }

    /// In a conflict: the positions on which something was changed, here or elsewhere.
    pub(crate) fn differences(&self, here: &Spans) -> Vec<Difference> {
        let Some(Trouble::Conflict(content)) = &self.trouble else { return Vec::new() };
        differences(&self.saved, here, &content.facts())
    }
}

/// The position that a refusal of a whole assignment names: `spans.START-END`.
fn position_of(field: &str) -> Option<Range> {
    let (start, end) = field.strip_prefix("spans.")?.split_once('-')?;
    Some(Range::new(start.parse().ok()?, end.parse().ok()?))
}
