//! The pages that browsers have open and that follow what moves: what all who see the same of one are told.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    thread::available_parallelism,
};

use bytes::Bytes;
use domain::{ProjectId, Revision, Role, Switches, UserId};
use http::Uri;
use tokio::sync::{OnceCell, Semaphore, watch};

/// How many pages are rendered for others as for one person, at most; and how many in all.
const OF_ONE: usize = 32;
const OF_ALL: usize = 4_096;

/// The pages that somebody follows.
pub(crate) struct LivePages {
    followed: Mutex<HashMap<Subject, Kept>>,
    /// Half of the processors render what is followed: the others answer.
    pub(crate) rendering: Semaphore,
}

/// A page that is kept up to date.
struct Kept {
    channel: Channel,
    /// As for whom it is rendered.
    reader: UserId,
}

impl Default for LivePages {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self { followed: Mutex::default(), rendering: Semaphore::new((processors / 2).max(1)) }
    }
}

/// What brings the state of a page to its followers; none before it is known.
pub(crate) type Channel = Arc<watch::Sender<Option<Arc<State>>>>;

/// A page, and who sees the same of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Subject {
    pub(crate) address: Uri,
    pub(crate) project: ProjectId,
    pub(crate) switches: Switches,
    pub(crate) audience: Audience,
}

/// Who sees the same of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Audience {
    /// All who are this in its project.
    All(Role),
    One(UserId),
}

/// What a page shows.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) revision: Revision,
    /// Not known before anything has moved or somebody asks for it: whoever follows has the page already.
    pub(crate) shown: OnceCell<Shown>,
}

/// A page's main part.
#[derive(Debug)]
pub(crate) struct Shown {
    /// The same for the same text, on whichever server.
    pub(crate) version: String,
    pub(crate) html: Bytes,
    pub(crate) edits: Option<Edits>,
}

/// What leads from the version before to the one that is shown.
#[derive(Debug)]
pub(crate) struct Edits {
    pub(crate) from: String,
    /// A line of JSON.
    pub(crate) json: Bytes,
}

/// Somebody who has come to follow a page.
pub(crate) enum Joined {
    /// Others follow the same.
    Others(Follows),
    /// They are the first: the page is to be rendered for all as for them.
    First(Follows, Channel),
    /// Too many pages are rendered as for them, or in all.
    TooMany,
}

/// What a follower is told by.
pub(crate) type Follows = watch::Receiver<Option<Arc<State>>>;

impl LivePages {
    /// Joins those who follow a page, if there are any.
    pub(crate) fn join(&self, subject: &Subject, reader: UserId) -> Joined {
        let mut followed = self.followed();
        if let Some(kept) = followed.get(subject) {
            let mut follows = kept.channel.subscribe();
            follows.mark_changed();
            return Joined::Others(follows);
        }
        let own = followed.values().filter(|kept| kept.reader == reader).count();
        if own >= OF_ONE || followed.len() >= OF_ALL {
            return Joined::TooMany;
        }
        let (sender, follows) = watch::channel(None);
        let channel = Arc::new(sender);
        followed.insert(subject.clone(), Kept { channel: Arc::clone(&channel), reader });
        Joined::First(follows, channel)
    }

    /// How many pages are followed.
    pub(crate) fn count(&self) -> usize {
        self.followed().len()
    }

    /// Lets go of a page unless somebody has come meanwhile; whether it did.
    pub(crate) fn forget_unfollowed(&self, subject: &Subject, channel: &Channel) -> bool {
        let mut followed = self.followed();
        let is_unfollowed = channel.receiver_count() == 0;
        if is_unfollowed {
            remove(&mut followed, subject, channel);
        }
        is_unfollowed
    }

    /// Lets go of a page: whoever follows it is told no more.
    pub(crate) fn forget(&self, subject: &Subject, channel: &Channel) {
        remove(&mut self.followed(), subject, channel);
    }

    /// No code panics while it holds this.
    fn followed(&self) -> MutexGuard<'_, HashMap<Subject, Kept>> {
        self.followed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn remove(followed: &mut HashMap<Subject, Kept>, subject: &Subject, channel: &Channel) {
    if followed.get(subject).is_some_and(|kept| Arc::ptr_eq(&kept.channel, channel)) {
        followed.remove(subject);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subject(place: usize) -> Subject {
        Subject {
            address: format!("/projects/1/agreement?{place}").parse().unwrap(),
            project: ProjectId(1),
            switches: Switches::default(),
            audience: Audience::All(Role::Manager),
        }
    }

    #[test]
    fn one_person_has_so_many_pages_rendered_and_joins_others_all_the_same() {
        let pages = LivePages::default();
        let join = |place, reader| pages.join(&subject(place), UserId(reader));
        let kept: Vec<_> = (0..OF_ONE).map(|place| join(place, 1)).collect();
        assert!(kept.iter().all(|joined| matches!(joined, Joined::First(..))));
        assert!(matches!(join(OF_ONE, 1), Joined::TooMany));
        assert!(matches!(join(0, 1), Joined::Others(_)));
        let Joined::First(follows, channel) = join(OF_ONE, 2) else { panic!("the first") };
        assert!(matches!(join(OF_ONE, 1), Joined::Others(_)));
        assert!(!pages.forget_unfollowed(&subject(OF_ONE), &channel), "somebody follows");
        drop(follows);
        assert!(pages.forget_unfollowed(&subject(OF_ONE), &channel));
        assert!(matches!(join(OF_ONE, 2), Joined::First(..)));
    }
}
