//! Pages that follow what moves: each is rendered once for all who see the same of it, and what has
//! changed in it is sent to them as the same bytes.

mod edits;
mod rendering;

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    pin::pin,
    sync::Arc,
    time::Duration,
};

use app::PageKind;
use domain::{Actor, ProjectId, Revision, Switches};
use futures::StreamExt;
use http::{Uri, request::Parts};
use serde_json::json;
use services::agreement::{Permission, follow_revision};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};

use self::{edits::edits, rendering::render};
use super::table::Page;
use crate::{
    Site,
    site::live_pages::{Audience, Channel, Edits, Shown, State, Subject},
};

/// How soon a page that could not be rendered is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Somebody who follows a page.
pub(crate) struct Follower {
    site: Arc<Site>,
    subject: Subject,
    parts: Parts,
    permission: Permission,
    now: watch::Receiver<Option<Arc<State>>>,
}

impl Follower {
    /// Begins to follow a page, which whoever sent a request has open; `switches` are those whose intervals
    /// it shows. Refused like the numbers of its project.
    pub(crate) async fn new(
        site: &Arc<Site>,
        (actor, parts): (&Actor, &Parts),
        (project, switches): (ProjectId, Switches),
        address: Uri,
    ) -> services::Result<Self> {
        let permission = Permission::ask(&site.services, actor, project).await?;
        let audience = if Page::at(address.path()).is_some_and(|page| page.is_shared) {
            Audience::All(permission.role())
        } else {
            Audience::One(actor.person()?.id)
        };
        let subject = Subject { address, project, switches, audience };
        let now = subscribe(site, &subject, parts);
        Ok(Self { site: Arc::clone(site), subject, parts: parts.clone(), permission, now })
    }

    /// What the page shows now.
    pub(crate) async fn state(&mut self) -> Option<Arc<State>> {
        self.now.wait_for(Option::is_some).await.ok()?.clone()
    }

    /// Waits for what the page shows next, what it shows now being the first; none when there will be no
    /// more for this reader.
    pub(crate) async fn next(&mut self) -> Option<Arc<State>> {
        loop {
            let changed = tokio::select! {
                changed = self.now.changed() => Some(changed.is_ok()),
                () = self.permission.due() => None,
            };
            if self.permission.is_due() && !self.permission.renew().await {
                return None;
            }
            match changed {
                None => {}
                Some(true) => {
                    let now = self.now.borrow_and_update().clone();
                    if now.is_some() {
                        return now;
                    }
                }
                // Who had the page rendered for all has gone.
                Some(false) => {
                    sleep(RETRY).await;
                    self.now = subscribe(&self.site, &self.subject, &self.parts);
                }
            }
        }
    }
}

/// Whether there is such a page of a project, whose changes can be told.
pub(crate) fn can_be_followed(page: &Uri, project: ProjectId) -> bool {
    page.authority().is_none()
        && project_of(page.path()) == Some(project)
        && Page::at(page.path()).is_some_and(|page| page.kind == PageKind::Reading)
}

/// The project that a page is of.
fn project_of(path: &str) -> Option<ProjectId> {
    path.strip_prefix("/projects/")?.split('/').next()?.parse().ok()
}

/// Joins those who follow the same, or is the first: then the page is rendered for all as for them.
fn subscribe(
    site: &Arc<Site>,
    subject: &Subject,
    parts: &Parts,
) -> watch::Receiver<Option<Arc<State>>> {
    let mut followed = site.live_pages.followed();
    if let Some(sender) = followed.get(subject) {
        let mut receiver = sender.subscribe();
        receiver.mark_changed();
        return receiver;
    }
    let (sender, receiver) = watch::channel(None);
    let sender = Arc::new(sender);
    followed.insert(subject.clone(), Arc::clone(&sender));
    drop(followed);
    let (site, subject, parts) = (Arc::clone(site), subject.clone(), parts.clone());
    tokio::spawn(async move {
        let keeping = Keeping { site: &site, subject: &subject, sender: &sender };
        keeping.keep(parts).await;
    });
    receiver
}

/// A page that is kept up to date for its followers. When it is dropped, nobody is told any more.
struct Keeping<'a> {
    site: &'a Arc<Site>,
    subject: &'a Subject,
    sender: &'a Channel,
}

impl Keeping<'_> {
    /// Renders the page again whenever something has moved, for as long as somebody follows it.
    async fn keep(&self, parts: Parts) {
        let Subject { project, switches, .. } = *self.subject;
        let Some(actor) = parts.extensions.get::<Actor>() else { return };
        let services = &self.site.services;
        let Ok(revisions) = follow_revision(services, actor, project, switches).await else {
            return;
        };
        let mut revisions = pin!(revisions);
        loop {
            tokio::select! {
                revision = revisions.next() => {
                    let Some(revision) = revision else { return };
                    if !self.show(revision, &parts).await { return }
                }
                () = self.sender.closed() => if self.forget_unfollowed() { return },
            }
        }
    }

    /// Shows the page as it is now; false if this reader is not shown it any more.
    async fn show(&self, revision: Revision, parts: &Parts) -> bool {
        let former = self.sender.borrow().clone();
        let Some(former) = former else {
            self.sender.send_replace(Some(Arc::new(State { revision, shown: None })));
            return true;
        };
        let began = Instant::now();
        let Some(html) = self.render(parts).await else { return false };
        let version = version_of(&html);
        let before = former.shown.as_ref();
        if before.is_some_and(|before| before.version == version) {
            return true;
        }
        let edits = before.and_then(|before| {
            let edits = edits(std::str::from_utf8(&before.html).ok()?, &html);
            let from = before.version.clone();
            let json = json!({ "from": from, "to": version, "edits": edits });
            Some(Edits { from, json: json.to_string().into() })
        });
        let shown = Some(Shown { version, html: html.into(), edits });
        self.sender.send_replace(Some(Arc::new(State { revision, shown })));
        // What takes long to render leaves as much time to others.
        sleep(began.elapsed()).await;
        true
    }

    /// The page's main part; none if this reader is not shown it any more.
    async fn render(&self, parts: &Parts) -> Option<String> {
        loop {
            let place = self.site.live_pages.rendering.acquire().await.ok()?;
            let address = self.subject.address.clone();
            match render(Arc::clone(self.site), parts.clone(), address).await {
                Ok(html) => return Some(html),
                Err(status) if status.is_server_error() => {
                    tracing::debug!(%status, "a live page is rendered later");
                }
                Err(_) => return None,
            }
            drop(place);
            sleep(RETRY).await;
        }
    }

    /// Lets go of the page unless somebody has come meanwhile.
    fn forget_unfollowed(&self) -> bool {
        let mut followed = self.site.live_pages.followed();
        let is_unfollowed = self.sender.receiver_count() == 0;
        if is_unfollowed {
            followed.remove(self.subject);
        }
        is_unfollowed
    }
}

impl Drop for Keeping<'_> {
    fn drop(&mut self) {
        let mut followed = self.site.live_pages.followed();
        if followed.get(self.subject).is_some_and(|sender| Arc::ptr_eq(sender, self.sender)) {
            followed.remove(self.subject);
        }
    }
}

fn version_of(html: &str) -> String {
    let mut hasher = DefaultHasher::new();
    html.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}
