//! What the server has, what is here, and what to send next. Pure: requests are made elsewhere.
//!
//! One request is under way at a time. What is to be saved is always the net difference between
//! the spans here and those the server is known to have. A save that got no answer is sent again
//! as it was, under the same key, until there is one: the server may have stored it.

use std::time::Duration;

use domain::{
    AssignmentContent, AssignmentId, Error, Revision, SaveKey, SaveOutcome, SaveSpans, WorkState,
};

use super::change::{Change, Spans};
use crate::ApiError;

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
pub(crate) enum Step {
    Send(Request),
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
    /// The session has ended; tried again when the person comes back.
    SignedOut,
    /// The server will not; tried again when asked to.
    Refused(String),
    /// The copy was changed elsewhere; the person decides.
    Conflict(AssignmentContent),
}

/// The state of one copy of a document between here and the server.
#[derive(Clone, Debug)]
pub(crate) struct Sync {
    assignment: AssignmentId,
    revision: Revision,
    state: WorkState,
    /// The spans that the server has at `revision`.
    saved: Spans,
    /// The request that has had no answer yet.
    request: Option<Request>,
    is_sending: bool,
    trouble: Option<Trouble>,
    intent: Option<Intent>,
    /// Requests without success since the last success.
    failures: u32,
}

impl Sync {
    pub(crate) fn new(assignment: AssignmentId, content: &AssignmentContent) -> Self {
        Self {
            assignment,
            revision: content.revision,
            state: content.state,
            saved: content.spans.iter().copied().collect(),
            request: None,
            is_sending: false,
            trouble: None,
            intent: None,
            failures: 0,
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

    /// What makes `here` of whatever the server has now: the last save may have arrived or not.
    pub(crate) fn unconfirmed(&self, here: &Spans) -> Change {
        let mut maybe = self.saved.clone();
        if let Some(Request::Save(SaveSpans { added, removed, .. })) = &self.request {
            Change { added: added.clone(), removed: removed.clone() }.apply(&mut maybe);
        }
        let Change { mut added, mut removed } = self.pending(here);
        let other = Change::between(&maybe, here);
        added.extend(other.added.iter().filter(|span| self.saved.contains(span)));
        removed.extend(other.removed.iter().filter(|span| !self.saved.contains(span)));
        Change { added, removed }
    }

    /// Whether everything here is known to be saved.
    pub(crate) fn is_settled(&self, here: &Spans) -> bool {
        self.request.is_none() && self.saved == *here
    }

    /// Whether nothing more can be saved unless the copy is reopened.
    pub(crate) fn is_closed(&self) -> bool {
        self.state == WorkState::Submitted && !self.is_sending
    }

    /// Wants something done once everything is saved.
    pub(crate) fn intend(&mut self, intent: Intent) {
        self.intent = Some(intent);
    }

    /// The next step; a request that it names is under way from now on.
    pub(crate) fn next(&mut self, here: &Spans, key: impl FnOnce() -> SaveKey) -> Step {
        if self.is_sending || self.trouble.is_some() {
            return Step::Wait;
        }
        if self.request.is_none() {
            self.request = self.next_request(here, key);
        }
        if let Some(request) = self.request.clone() {
            self.is_sending = true;
            return Step::Send(request);
        }
        match self.intent.take() {
            Some(Intent::Leave(path)) => Step::Leave(path),
            // Done already, here or in another tab.
            Some(Intent::Submit | Intent::Reopen) | None => Step::Wait,
        }
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
        match answer {
            Ok(SaveOutcome::Saved { revision, .. }) => self.stored(revision),
            Ok(SaveOutcome::Conflict(content)) => self.conflicted(here, content),
            Err(error) => self.failed(error),
        }
    }

    fn stored(&mut self, revision: Revision) {
        self.revision = revision;
        self.failures = 0;
        match self.request.take() {
            Some(Request::Save(SaveSpans { added, removed, .. })) => {
                Change { added, removed }.apply(&mut self.saved);
                self.state = WorkState::Saved;
            }
            Some(Request::Submit(..)) => {
                self.state = WorkState::Submitted;
                self.intent = None;
            }
            Some(Request::Reopen(..)) => {
                self.state = WorkState::Saved;
                self.intent = None;
            }
            None => {}
        }
    }

    fn conflicted(&mut self, here: &Spans, content: AssignmentContent) {
        self.request = None;
        self.failures = 0;
        let there: Spans = content.spans.iter().copied().collect();
        if there == *here {
            // Both have come to the same, or the answer to an earlier request was lost.
            self.adopt(&content);
        } else {
            self.intent = None;
            self.trouble = Some(Trouble::Conflict(content));
        }
    }

    fn adopt(&mut self, content: &AssignmentContent) {
        self.revision = content.revision;
        self.state = content.state;
        self.saved = content.spans.iter().copied().collect();
        self.trouble = None;
    }

    fn failed(&mut self, error: ApiError) {
        self.intent = None;
        self.failures = self.failures.saturating_add(1);
        // A submit is not sent again by itself, minutes after it was asked for.
        self.request = self.request.take().filter(|request| matches!(request, Request::Save(_)));
        self.trouble = Some(match error {
            ApiError::Transport(_) => Trouble::Offline,
            ApiError::App(Error::SignInRequired) => Trouble::SignedOut,
            ApiError::App(error @ (Error::Internal { .. } | Error::TooManyAttempts { .. })) => {
                Trouble::Failing(error.to_string())
            }
            ApiError::App(error) => {
                // This answer is final: the request is not sent again as it was.
                self.request = None;
                Trouble::Refused(error.to_string())
            }
        });
    }

    /// How long to wait before trying again, if that is to happen by itself.
    pub(crate) fn retry_in(&self) -> Option<Duration> {
        match self.trouble {
            Some(Trouble::Offline | Trouble::Failing(_)) => {
                let doublings = self.failures.saturating_sub(1).min(5);
                Some(Duration::from_secs((1 << doublings).min(30)))
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

    /// Ends a conflict with what was changed here on top of the saved version; the answer is the
    /// spans to show, which are yet to be saved.
    pub(crate) fn use_mine(&mut self, here: &Spans) -> Option<Spans> {
        let Some(Trouble::Conflict(content)) = self.trouble.take() else { return None };
        let mine = self.pending(here);
        self.adopt(&content);
        Some(mine.applied(&self.saved))
    }

    /// In a conflict: what was changed elsewhere since the last save from here.
    pub(crate) fn theirs(&self) -> Option<Change> {
        let Some(Trouble::Conflict(content)) = &self.trouble else { return None };
        Some(Change::between(&self.saved, &content.spans.iter().copied().collect()))
    }
}
