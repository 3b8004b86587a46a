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
use domain::{Actor, ProjectId, Revision, Switches, UserId};
use futures::StreamExt;
use http::{Uri, request::Parts};
use serde_json::json;
use services::agreement::{Permission, follow_revision};
use tokio::{
    sync::OnceCell,
    time::{Instant, sleep, timeout},
};

use self::{edits::edits, rendering::render};
use super::table::Page;
use crate::{
    Site,
    site::live_pages::{Audience, Channel, Edits, Follows, Joined, Shown, State, Subject},
};

/// How soon a page that could not be rendered is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// How long somebody waits for their turn to have a page rendered that has not moved.
const SOON: Duration = Duration::from_secs(2);

/// How long a page may take to be rendered.
const LONGEST: Duration = Duration::from_secs(30);

/// How often it is tried again where it cannot be rendered at all.
const TRIES: u32 = 3;

/// Somebody who follows a page.
pub(crate) struct Follower {
    site: Arc<Site>,
    subject: Subject,
    reader: UserId,
    /// The request by which they came.
    parts: Arc<Parts>,
    permission: Permission,
    now: Follows,
}

impl Follower {
    /// Begins to follow a page, which whoever sent a request has open; `switches` are those whose intervals
    /// it shows. Refused like the numbers of its project; none where too many pages are rendered for this
    /// reader already.
    pub(crate) async fn new(
        site: &Arc<Site>,
        (actor, parts): (&Actor, &Arc<Parts>),
        (project, switches): (ProjectId, Switches),
        address: Uri,
    ) -> services::Result<Option<Self>> {
        let permission = Permission::ask(&site.services, actor, project).await?;
        let reader = actor.person()?.id;
        let audience = if Page::at(address.path()).is_some_and(|page| page.is_shared) {
            Audience::All(permission.role())
        } else {
            Audience::One(reader)
        };
        let subject = Subject { address, project, switches, audience };
        let (site, parts) = (Arc::clone(site), Arc::clone(parts));
        let now = subscribe(&site, &subject, reader, &parts);
        Ok(now.map(|now| Self { site, subject, reader, parts, permission, now }))
    }

    /// The state of the page with what it shows, which is rendered for all if nobody has asked for it yet.
    pub(crate) async fn shown(&mut self) -> Option<Arc<State>> {
        let state = self.now.wait_for(Option::is_some).await.ok()?.clone()?;
        let shown = state.shown.get_or_try_init(async || {
            let rendering = &self.site.live_pages.rendering;
            let place = timeout(SOON, rendering.acquire()).await.ok().and_then(Result::ok);
            let place = place.ok_or(Unshown)?;
            // Once: who is told nothing now asks when the page changes.
            let html = rendered(&self.site, &self.subject, &self.parts).await;
            drop(place);
            if !self.permission.holds().await {
                return Err(Unshown);
            }
            Ok(Shown::after(None, html.ok().flatten().ok_or(Unshown)?))
        });
        shown.await.is_ok().then(|| Arc::clone(&state))
    }

    /// Waits for what the page shows next, what it shows now being the first; none when there will be no
    /// more for this reader.
    pub(crate) async fn next(&mut self) -> Option<Arc<State>> {
        loop {
            let changed = tokio::select! {
                changed = self.now.changed() => Some(changed.is_ok()),
                () = self.permission.due() => None,
            };
            if !self.permission.holds().await {
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
                    let again = subscribe(&self.site, &self.subject, self.reader, &self.parts);
                    if let Some(now) = again {
                        self.now = now;
                    }
                }
            }
        }
    }
}

/// That a page is not shown to whoever asked for it, or cannot be rendered.
struct Unshown;

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
    reader: UserId,
    parts: &Arc<Parts>,
) -> Option<Follows> {
    let (follows, channel) = match site.live_pages.join(subject, reader) {
        Joined::Others(follows) => return Some(follows),
        Joined::TooMany => return None,
        Joined::First(follows, channel) => (follows, channel),
    };
    let keeping = Keeping { site: Arc::clone(site), subject: subject.clone(), channel };
    let parts = Arc::clone(parts);
    tokio::spawn(async move { keeping.keep(&parts).await });
    Some(follows)
}

/// A page that is kept up to date for its followers. When it is dropped, nobody is told any more.
struct Keeping {
    site: Arc<Site>,
    subject: Subject,
    channel: Channel,
}

impl Keeping {
    /// Renders the page again whenever something has moved, for as long as somebody follows it.
    async fn keep(&self, parts: &Parts) {
        let Subject { project, switches, .. } = self.subject;
        let Some(actor) = parts.extensions.get::<Actor>() else { return };
        let services = &self.site.services;
        let Ok(mut permission) = Permission::ask(services, actor, project).await else { return };
        let Ok(revisions) = follow_revision(services, actor, project, switches).await else {
            return;
        };
        let mut revisions = pin!(revisions);
        // What was shown to all of them last, unlike what some have asked for before anything moved.
        let mut told = None;
        loop {
            let shown = async {
                let revision = revisions.next().await?;
                self.show(revision, parts, (&mut permission, &mut told)).await
            };
            tokio::select! {
                shown = shown => if shown.is_none() { return },
                () = self.channel.closed() => {
                    if self.site.live_pages.forget_unfollowed(&self.subject, &self.channel) {
                        return;
                    }
                }
            }
        }
    }

    /// Shows the page as it is now; none if this reader is not shown it any more.
    async fn show(
        &self,
        revision: Revision,
        parts: &Parts,
        (permission, told): (&mut Permission, &mut Option<String>),
    ) -> Option<()> {
        let former = self.channel.borrow().clone();
        let Some(former) = former else {
            let state = State { revision, shown: OnceCell::new() };
            self.channel.send_replace(Some(Arc::new(state)));
            return Some(());
        };
        let place = self.site.live_pages.rendering.acquire().await.ok()?;
        let began = Instant::now();
        let html = render_patiently(&self.site, &self.subject, parts).await?;
        // It may show more than what had moved when it was begun.
        let revision = revision_of(&html)?;
        let shown = Shown::after(former.shown.get(), html);
        drop(place);
        let took = began.elapsed();
        // Rendered as for somebody else than it is for, it is shown to nobody.
        if !permission.holds().await {
            return None;
        }
        if told.as_ref() != Some(&shown.version) || revision != former.revision {
            *told = Some(shown.version.clone());
            let state = State { revision, shown: OnceCell::new_with(Some(shown)) };
            self.channel.send_replace(Some(Arc::new(state)));
        }
        // What takes long to render leaves as much time to others.
        sleep(took).await;
        Some(())
    }
}

/// A page's main part as for whoever sent a request; none if they are not shown it any more, or it cannot
/// be rendered.
async fn render_patiently(site: &Arc<Site>, subject: &Subject, parts: &Parts) -> Option<String> {
    for _ in 0..TRIES {
        if let Ok(html) = rendered(site, subject, parts).await {
            return html;
        }
        sleep(RETRY).await;
    }
    None
}

/// The same, tried once: an error where that may be tried again.
async fn rendered(
    site: &Arc<Site>,
    subject: &Subject,
    parts: &Parts,
) -> Result<Option<String>, Unshown> {
    let began = Instant::now();
    let rendered = render(Arc::clone(site), parts.clone(), subject.address.clone());
    match timeout(LONGEST, rendered).await {
        Ok(Ok(html)) => {
            metrics::histogram!("concord_page_render_seconds").record(began.elapsed());
            Ok(Some(html))
        }
        Ok(Err(status)) if !status.is_server_error() => Ok(None),
        failed => {
            tracing::debug!(?failed, "a live page is rendered later");
            Err(Unshown)
        }
    }
}

impl Drop for Keeping {
    fn drop(&mut self) {
        self.site.live_pages.forget(&self.subject, &self.channel);
    }
}

impl Shown {
    /// A main part, with what leads to it from the one before.
    fn after(before: Option<&Self>, html: String) -> Self {
        let version = version_of(&html);
        let edits = before.and_then(|before| {
            let edits = edits(std::str::from_utf8(&before.html).ok()?, &html);
            let from = before.version.clone();
            let json = json!({ "from": from, "to": version, "edits": edits });
            Some(Edits { from, json: json.to_string().into() })
        });
        Self { version, html: html.into(), edits }
    }
}

fn version_of(html: &str) -> String {
    let mut hasher = DefaultHasher::new();
    html.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// The revision that a page says it shows; none if it follows nothing.
fn revision_of(html: &str) -> Option<Revision> {
    let (_, rest) = html.split_once("data-live=\"")?;
    let (_, rest) = rest.split_once("data-revision=\"")?;
    rest.split_once('"')?.0.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_a_router_reads_as_the_page_itself_is_followed() {
        let is_followed = |page: &str| can_be_followed(&page.parse().unwrap(), ProjectId(2));
        assert!(is_followed("/projects/2/agreement?measure=alpha"));
        assert!(is_followed("/projects/2/agreement/3/4"));
        for other in [
            "/projects/3/agreement",
            "/projects/2/agreement/",
            "/projects/2/agreement/../work",
            "/projects/2/agreement/..\\..\\account",
            "/projects/2/agreement/../..\\..\\account",
            "/projects/2/agreement/%2e%2e/work",
            "/projects/2//agreement",
            "/projects/+2/agreement",
            "https://example.org/projects/2/agreement",
            "/account",
        ] {
            assert!(!is_followed(other), "{other}");
        }
    }

    #[test]
    fn the_revision_of_a_page_is_that_of_its_line() {
        let page = "<p data-revision=\"1\"><p data-live=\"2?a\" data-revision=\"7\">";
        assert_eq!(revision_of(page), Some(Revision(7)));
        assert_eq!(revision_of("<p data-revision=\"1\">"), None);
    }
}
