//! The state of saving in words.

use domain::count;

use super::{
    change::Spans,
    sync::{Sync, Trouble},
};

/// What the badge in the header says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    /// What earlier pages have left is looked for.
    Opening,
    Saved,
    Saving,
    /// With the number of changes kept here, as in the next four.
    Offline(usize),
    SignedOut(usize),
    StorageFull(usize),
    /// Submitted in another tab.
    Closed(usize),
    /// And why.
    Failed(usize, String),
    Conflict,
}

impl Status {
    pub(crate) fn of(sync: &Sync, here: &Spans) -> Self {
        let kept = || sync.kept(here);
        match sync.trouble() {
            Some(Trouble::Offline) => Self::Offline(kept()),
            Some(Trouble::SignedOut) => Self::SignedOut(kept()),
            Some(Trouble::StorageFull) => Self::StorageFull(kept()),
            Some(Trouble::Failing(why) | Trouble::Refused(why)) => {
                Self::Failed(kept(), why.clone())
            }
            Some(Trouble::Conflict(_)) => Self::Conflict,
            None if sync.resuming.is_reading => Self::Opening,
            None if sync.is_settled(here) && !sync.is_sending() => Self::Saved,
            None if sync.is_closed() => Self::Closed(kept()),
            None => Self::Saving,
        }
    }

    pub(crate) fn words(&self) -> String {
        match self {
            Self::Opening => "Opening …".to_owned(),
            Self::Saved => "Saved".to_owned(),
            Self::Saving => "Saving …".to_owned(),
            Self::Offline(n) => format!("Offline, {} kept here", count(*n, "change")),
            Self::SignedOut(n) => {
                format!("Sign in again to save ({} kept here)", count(*n, "change"))
            }
            Self::StorageFull(n) => {
                format!(
                    "Server full, {} kept here and sent when there is room",
                    count(*n, "change")
                )
            }
            Self::Closed(n) => {
                format!("Submitted elsewhere, {} kept here", count(*n, "change"))
            }
            Self::Failed(n, why) => format!("Not saved: {why}; {} kept here", count(*n, "change")),
            Self::Conflict => "Conflict".to_owned(),
        }
    }

    /// The class of the badge.
    pub(crate) const fn class(&self) -> &'static str {
        match self {
            Self::Saved => "badge good",
            Self::Opening | Self::Saving => "badge",
            Self::Offline(_) | Self::SignedOut(_) | Self::StorageFull(_) | Self::Closed(_) => {
                "badge warn"
            }
            Self::Failed(..) | Self::Conflict => "badge danger",
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::{AssignmentContent, AssignmentId, LabelId, Revision, SaveKey, Span, WorkState};

    use super::*;
    use crate::ApiError;

    #[test]
    fn the_badge_follows_a_change_on_its_way_to_the_server() {
        let content = AssignmentContent {
            revision: Revision(1),
            state: WorkState::Saved,
            saved_at: None,
            spans: Vec::new(),
            choices: Vec::new(),
        };
        let mut sync = Sync::new(AssignmentId(1), &content);
        let here = Spans::from([Span::new(0, 4, LabelId(1)).into()]);
        assert_eq!(Status::of(&sync, &Spans::new()).words(), "Saved");
        assert_eq!(Status::of(&sync, &here).words(), "Saving …");
        sync.next(&here, || SaveKey("a".to_owned()));
        sync.answered(&here, Err(ApiError::Transport(String::new())));
        assert_eq!(Status::of(&sync, &here).words(), "Offline, 1 change kept here");
        sync.answered(&here, Err(ApiError::App(domain::Error::StorageFull)));
        let full = "Server full, 1 change kept here and sent when there is room";
        assert_eq!(Status::of(&sync, &here).words(), full);
        assert!(sync.retry_in().is_some());
    }
}
