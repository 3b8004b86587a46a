//! The one stream that tells all pages of somebody's which of their projects have moved.

use std::{sync::Arc, time::Duration};

use domain::{Actor, ProjectId, Revision, Switches, base::policy::Action};
use futures::{FutureExt, Stream, future::select_all};
use live::{Interest, Moved};
use tokio::{sync::watch, time::Instant};

use super::{following::RECHECK, sharing::permitted};
use crate::{Error, Result, Services, base::access::permit};

/// How long changes are gathered for pages that are loaded again as a whole.
const GATHER: Duration = Duration::from_millis(250);

/// What is told of one of the projects that somebody follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// Where it stands as the stream begins.
    Stands(Revision),
    /// Something has moved, intervals that have been computed included.
    Moved(Revision),
    /// It is not for this person, or not any more.
    Ended,
}

/// Follows several projects' numbers without bringing them: the place in `wanted` of what has news,
/// at most two a second of each. Each is permitted by itself, before anything is told of it and again
/// and again; intervals under its switches are computed for as long as somebody follows. Ends when
/// there is nothing left to follow.
pub fn follow_revisions(
    services: &Arc<Services>,
    actor: &Actor,
    wanted: Vec<(ProjectId, Switches)>,
) -> impl Stream<Item = (usize, News)> + Send + use<> {
    let now = Instant::now();
    let subjects = wanted.into_iter().enumerate().map(|(place, (project, switches))| Subject {
        place,
        project,
        switches,
        following: None,
        due: Some(now),
        checked: now,
    });
    let follower = Follower {
        services: Arc::clone(services),
        actor: actor.clone(),
        subjects: subjects.collect(),
    };
    futures::stream::unfold(follower, async |mut follower| {
        follower.next().await.map(|news| (news, follower))
    })
}

/// Somebody who follows projects. What needs the database is done for one after the other, so that a
/// stream never holds more than one connection, and none while it waits.
struct Follower {
    services: Arc<Services>,
    actor: Actor,
    subjects: Vec<Subject>,
}

/// One of the projects.
struct Subject {
    place: usize,
    project: ProjectId,
    switches: Switches,
    /// None before it has been permitted: until then nothing is kept for it.
    following: Option<(watch::Receiver<Moved>, Interest)>,
    /// When a change is to be told that has been noticed.
    due: Option<Instant>,
    /// When membership was last checked.
    checked: Instant,
}

impl Follower {
    /// Waits for the next news.
    async fn next(&mut self) -> Option<(usize, News)> {
        loop {
            if self.subjects.is_empty() {
                return None;
            }
            let waits = self.subjects.iter_mut().map(|subject| subject.wait().boxed());
            let (wake, index, _) = select_all(waits).await;
            let subject = self.subjects.get_mut(index)?;
            let place = subject.place;
            let found = match wake {
                Wake::Moved => {
                    subject.due = Some(Instant::now().max(subject.checked + GATHER));
                    Ok(None)
                }
                Wake::Check => subject.check(&self.services, &self.actor).await.map(|()| None),
                Wake::Due => subject.tell(&self.services, &self.actor).await.map(Some),
            };
            match found {
                Ok(None) => {}
                Ok(Some(news)) => return Some((place, news)),
                Err(Error::Refused(_)) => {
                    self.subjects.swap_remove(index);
                    return Some((place, News::Ended));
                }
                // It says nothing about the permission: tried again.
                Err(Error::Broken(error)) => {
                    tracing::debug!(%error, "a change is told later");
                    subject.due = Some(Instant::now() + RECHECK);
                }
            }
        }
    }
}

/// What a subject has waited for.
enum Wake {
    /// A change, which is not told before others have been gathered.
    Moved,
    /// The time to tell a change.
    Due,
    /// The time to ask whether it is still permitted.
    Check,
}

impl Subject {
    /// Waits, and loses nothing when it is not waited for to the end.
    async fn wait(&mut self) -> Wake {
        if let Some(due) = self.due {
            tokio::time::sleep_until(due).await;
            return Wake::Due;
        }
        let recheck = tokio::time::sleep_until(self.checked + RECHECK);
        let Some((moved, _)) = &mut self.following else { return Wake::Due };
        tokio::select! {
            Ok(()) = moved.changed() => Wake::Moved,
            () = recheck => Wake::Check,
        }
    }

    async fn check(&mut self, services: &Arc<Services>, actor: &Actor) -> Result<()> {
        let seen = self.following.as_ref().map(|(moved, _)| moved.borrow().sequence);
        match seen {
            Some(sequence) => drop(permitted(services, actor, self.project, sequence).await?),
            None => {
                permit(&services.store, actor, self.project, Action::ViewAgreement).await?;
            }
        }
        self.checked = Instant::now();
        Ok(())
    }

    async fn tell(&mut self, services: &Arc<Services>, actor: &Actor) -> Result<News> {
        self.check(services, actor).await?;
        self.due = None;
        let is_first = self.following.is_none();
        let (moved, _) = self.following.get_or_insert_with(|| {
            let live = &services.live;
            (live.follow(self.project), live.register_interest(self.project, self.switches))
        });
        // Whatever moves from here on is told again.
        moved.mark_unchanged();
        let revision = services.live.read(self.project).await?.revision;
        Ok(if is_first { News::Stands(revision) } else { News::Moved(revision) })
    }
}
