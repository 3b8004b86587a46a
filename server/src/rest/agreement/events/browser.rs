//! What a browser asks to be told, for all pages that somebody has open in it: one stream of which
//! projects have moved, and of what has changed on the pages that show them.

use std::{sync::Arc, time::Duration};

use axum::{
    Extension,
    extract::{Request, State},
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use domain::{Actor, Code, ProjectId, Revision, Switches, UserId};
use futures::{Stream, StreamExt, stream, stream::BoxStream};
use http::{HeaderName, StatusCode, Uri, header::CONTENT_TYPE, request::Parts};
use serde::Deserialize;
use services::{
    Result as Asked,
    agreement::{Permission, follow_revision},
};
use tokio::time::sleep;

use super::{end, event::Event, sse_response};
use crate::{
    Site,
    middleware::access::session::Credential,
    pages::live::{Follower, can_be_followed},
    rest::base::extract::{Path, Query, SwitchesQuery},
    site::{
        live_pages::{Shown, State as PageState},
        problem::Problem,
    },
};

/// How many projects and pages one stream follows.
const MOST_FOLLOWED: usize = 64;

/// How soon it is tried again to begin to follow what could not be read.
const RETRY: Duration = Duration::from_secs(1);

/// What a browser asks to be told.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Followed {
    /// Who its pages were made for: nobody else is told for them.
    person: Option<UserId>,
    /// Projects with the switches of the pages that show them, and after an `@` the address of a page
    /// whose changes are wanted, too, as in `2?measure=alpha@/projects/2/agreement|3`.
    #[serde(default)]
    of: String,
}

/// A project with the switches whose intervals are looked at, and the page on which they are.
struct Wanted {
    project: ProjectId,
    switches: Switches,
    page: Option<Uri>,
}

/// Reads what somebody wants to be told, who must be the one for whom their pages were made. Pages are for
/// browsers that have them open: to others, and where an address is no page, the project alone is told.
fn read(
    (actor, parts): (&Actor, &Parts),
    Followed { person, of }: &Followed,
) -> Result<Vec<Wanted>, Problem> {
    if person.is_some_and(|person| !actor.person().is_ok_and(|actor| actor.id == person)) {
        return Err(Code::OtherPerson.because("another account is signed in now").into());
    }
    let wanted = of.split('|').filter(|wanted| !wanted.is_empty()).map(Wanted::read);
    let mut wanted: Vec<Wanted> = wanted.collect::<Result<_, _>>()?;
    // A token may be for less than the pages of whoever it belongs to show.
    let is_browser = matches!(actor, Actor::Person(_)) && !is_from_elsewhere(parts);
    for wanted in &mut wanted {
        let project = wanted.project;
        wanted.page =
            wanted.page.take().filter(|page| is_browser && can_be_followed(page, project));
    }
    if wanted.len() > MOST_FOLLOWED {
        let problem = format!("at most {MOST_FOLLOWED} can be followed at once");
        return Err(Code::TooMany.of("of", problem).into());
    }
    Ok(wanted)
}

impl Wanted {
    /// A project with its switches, and maybe a page, as in `2?measure=alpha@/projects/2/agreement`.
    fn read(text: &str) -> Result<Self, Problem> {
        let wrong = || {
            let problem = format!("`{text}` is not a project with its switches and a page");
            Code::Malformed.of("of", problem)
        };
        let (subject, page) = match text.split_once('@') {
            Some((subject, page)) => (subject, Some(page.parse().map_err(|_| wrong())?)),
            None => (text, None),
        };
        let uri: Uri = format!("/{subject}").parse().map_err(|_| wrong())?;
        let project = uri.path().trim_start_matches('/').parse().map_err(|_| wrong())?;
        let switches =
            axum::extract::Query::<SwitchesQuery>::try_from_uri(&uri).map_err(|_| wrong())?;
        Ok(Self { project, switches: switches.0.switches(), page })
    }
}

/// Whether another site has led a browser here.
fn is_from_elsewhere(parts: &Parts) -> bool {
    parts.headers.get("sec-fetch-site").is_some_and(|site| site != "same-origin")
}

/// What is told of a project, or of a page of it.
enum Told {
    /// Where it stands as the stream begins.
    Stands(Revision),
    /// Something has moved, intervals that have been computed included.
    Moved(Revision),
    /// The same, and what has changed on the page since the last time.
    Edited(Revision, Bytes),
}

impl Told {
    /// As an event: the place of what it is about among what was asked for, and the revision.
    fn event(self, place: usize) -> Event {
        let own = |revision| format!("{place} {revision}");
        match self {
            Self::Stands(revision) => Event::new("stands", None, own(revision)),
            Self::Moved(revision) => Event::new("moved", None, own(revision)),
            Self::Edited(revision, edits) => Event::beside("edited", &own(revision), edits),
        }
    }
}

/// Follows projects and pages. What is not, or not any more, for its reader ends by itself.
pub(crate) async fn follow_pages(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    credential: Option<Extension<Credential>>,
    Query(followed): Query<Followed>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let wanted = read((&actor, &parts), &followed)?;
    let parts = Arc::new(parts);
    let reader = Arc::new(Reader { site: Arc::clone(&site), actor: actor.clone(), parts });
    let told = wanted.into_iter().enumerate().map(|(place, wanted)| {
        let ended = async move { Event::new("ended", None, place.to_string()) };
        let told = Arc::clone(&reader).follow(wanted);
        told.map(move |told| told.event(place)).chain(stream::once(ended)).boxed()
    });
    let told = stream::select_all(told);
    let credential = credential.map(|Extension(credential)| credential);
    Ok(sse_response(told, end(site, actor, credential)))
}

/// Somebody who follows, and the request by which they came.
struct Reader {
    site: Arc<Site>,
    actor: Actor,
    parts: Arc<Parts>,
}

impl Reader {
    /// Follows one thing. Where it cannot be read whether it may be followed, that is tried again.
    fn follow(self: Arc<Self>, wanted: Wanted) -> impl Stream<Item = Told> + Send {
        let begin = async move {
            loop {
                match self.begin(&wanted).await {
                    Ok(told) => return told,
                    Err(error) if error.may_pass() => {
                        tracing::debug!(%error, "a page is followed later");
                    }
                    Err(_refused) => return stream::empty().boxed(),
                }
                sleep(RETRY).await;
            }
        };
        stream::once(begin).flatten()
    }

    async fn begin(&self, wanted: &Wanted) -> Asked<BoxStream<'static, Told>> {
        let &Wanted { project, switches, ref page } = wanted;
        let subject = (project, switches);
        let reader = (&self.actor, &self.parts);
        let follower = match page.clone() {
            Some(page) => Follower::new(&self.site, reader, subject, page).await?,
            None => None,
        };
        let Some(follower) = follower else {
            let services = &self.site.services;
            let revisions = follow_revision(services, &self.actor, project, switches).await?;
            let told = revisions.enumerate().map(|(place, revision)| match place {
                0 => Told::Stands(revision),
                _ => Told::Moved(revision),
            });
            return Ok(told.boxed());
        };
        let following = FollowedPage { follower, seen: None };
        Ok(stream::unfold(following, async |mut following| {
            following.next().await.map(|told| (told, following))
        })
        .boxed())
    }
}

/// A page that somebody follows, with what they were told last.
struct FollowedPage {
    follower: Follower,
    seen: Option<Arc<PageState>>,
}

impl FollowedPage {
    async fn next(&mut self) -> Option<Told> {
        let now = self.follower.next().await?;
        let revision = now.revision;
        let Some(seen) = self.seen.replace(Arc::clone(&now)) else {
            return Some(Told::Stands(revision));
        };
        let before = seen.shown.get().map(|shown| shown.version.as_str());
        let edits = now.shown.get().and_then(|shown| shown.edits.as_ref());
        Some(match edits.filter(|edits| Some(edits.from.as_str()) == before) {
            Some(edits) => Told::Edited(revision, edits.json.clone()),
            None => Told::Moved(revision),
        })
    }
}

/// A page whose main part is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedPage {
    person: Option<UserId>,
    /// As it is followed.
    of: String,
}

/// The main part of a page that is followed, as those have it who follow it: what changes is told them as
/// edits of it. Nothing if it is kept for nobody.
pub(crate) async fn load_followed(
    State(site): State<Arc<Site>>,
    Extension(actor): Extension<Actor>,
    Path(project): Path<ProjectId>,
    Query(WantedPage { person, of }): Query<WantedPage>,
    request: Request,
) -> Result<Response, Problem> {
    let (parts, _) = request.into_parts();
    let mut wanted = read((&actor, &parts), &Followed { person, of })?;
    let wanted = wanted.pop().filter(|wanted| wanted.project == project);
    let Some(Wanted { switches, page, .. }) = wanted else {
        return Err(Code::Malformed.of("of", "it is nothing of this project").into());
    };
    let nothing = || Ok(StatusCode::NO_CONTENT.into_response());
    let Some(page) = page else {
        Permission::ask(&site.services, &actor, project).await?;
        return nothing();
    };
    let reader = (&actor, &Arc::new(parts));
    let page = Follower::new(&site, reader, (project, switches), page).await?;
    let Some(mut page) = page else { return nothing() };
    let Some(state) = page.shown().await else { return nothing() };
    let Some(Shown { version, html, .. }) = state.shown.get() else { return nothing() };
    let headers = [
        // Nobody opens it as a page: its scripts belong to the page that it is a part of.
        (CONTENT_TYPE, "text/plain; charset=utf-8"),
        (HeaderName::from_static("concord-version"), version.as_str()),
    ];
    Ok((headers, html.clone()).into_response())
}
