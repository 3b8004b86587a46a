//! What is being answered at this moment, and how far each request has come: what somebody asks
//! whose server does not answer.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU8, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use axum::body::Body;
use http::Method;
use services::Services;

use super::held_body::held;

/// How long an answer may take before the log says what keeps it, once for each request.
pub(crate) const LATE: Duration = Duration::from_secs(5);

/// How often it is looked for answers that are late.
const LOOK: Duration = Duration::from_millis(500);

/// How far a request has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    /// It has arrived.
    Arrived,
    /// Who is asking is looked up.
    Session,
    /// The page, the file or the command is at work.
    Answering,
    /// The answer has begun, and is sent as fast as it is taken.
    Sending,
}

impl Stage {
    const ALL: [(u8, Self, &'static str); 4] = [
        (0, Self::Arrived, "arrived"),
        (1, Self::Session, "session"),
        (2, Self::Answering, "answering"),
        (3, Self::Sending, "sending"),
    ];
}

/// What a request's layers note their progress in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Progress(Arc<Reached>);

#[derive(Debug, Default)]
struct Reached {
    stage: AtomicU8,
    /// Whether the answer may take longer than others.
    may_be_late: AtomicBool,
}

impl Progress {
    pub(crate) fn reach(&self, stage: Stage) {
        if let Some((number, ..)) = Stage::ALL.iter().find(|(_, other, _)| *other == stage) {
            self.0.stage.store(*number, Ordering::Relaxed);
        }
    }

    /// Its answer may take longer than others.
    pub(crate) fn take_long(&self) {
        self.0.may_be_late.store(true, Ordering::Relaxed);
    }

    fn may_be_late(&self) -> bool {
        self.0.may_be_late.load(Ordering::Relaxed)
    }

    /// How far it has come, and what that is called.
    fn stage(&self) -> (Stage, &'static str) {
        let reached = self.0.stage.load(Ordering::Relaxed);
        let found = Stage::ALL.iter().find(|(number, ..)| *number == reached);
        found.map_or((Stage::Arrived, "arrived"), |(_, stage, name)| (*stage, name))
    }
}

/// One request. It is named by its method and route: addresses may be secrets.
struct Request {
    id: String,
    name: Arc<str>,
    began: Instant,
    progress: Progress,
    told: bool,
}

/// The requests that have no answer yet, or whose answer is still being sent.
#[derive(Default)]
pub(crate) struct InFlight {
    requests: Mutex<(u64, BTreeMap<u64, Request>)>,
}

/// A request's place among them; dropping it ends it.
pub(crate) struct Place {
    all: Arc<InFlight>,
    number: u64,
    name: Arc<str>,
}

impl InFlight {
    fn requests(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, Request>)> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a request that has arrived.
    pub(crate) fn begin(
        self: &Arc<Self>,
        id: &str,
        method: &Method,
        route: &str,
    ) -> (Place, Progress) {
        let progress = Progress::default();
        progress.reach(Stage::Arrived);
        let name: Arc<str> = format!("{method} {route}").into();
        let request = Request {
            id: id.to_owned(),
            name: Arc::clone(&name),
            began: Instant::now(),
            progress: progress.clone(),
            told: false,
        };
        let mut requests = self.requests();
        let (next, open) = &mut *requests;
        *next += 1;
        open.insert(*next, request);
        (Place { all: Arc::clone(self), number: *next, name }, progress)
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.requests().1.len()
    }

    /// All of them on one line, the oldest first.
    pub(crate) fn describe(&self) -> String {
        let requests = self.requests();
        let mut line = format!("{} in flight", requests.1.len());
        for Request { id, name, began, progress, .. } in requests.1.values() {
            let ((_, stage), age) = (progress.stage(), began.elapsed().as_millis());
            let _infallible = write!(line, "; {name} {stage} {age} ms {id}");
        }
        line
    }

    /// Those whose answer is late and that nothing has been said of yet.
    fn late(&self, late: Duration) -> Vec<String> {
        let mut requests = self.requests();
        let found = requests.1.values_mut().filter(|request| {
            let (stage, _) = request.progress.stage();
            !request.told
                && !request.progress.may_be_late()
                && stage != Stage::Sending
                && request.began.elapsed() >= late
        });
        found
            .map(|request| {
                request.told = true;
                let Request { id, name, progress, .. } = request;
                format!("{name} {} {id}", progress.stage().1)
            })
            .collect()
    }

    /// Looks for late answers until the end of the process, and logs what the server does meanwhile.
    /// On a thread of its own: it is to speak just when nothing else does.
    pub(crate) fn watch(self: &Arc<Self>, services: &Arc<Services>) -> std::io::Result<()> {
        let (all, services) = (Arc::clone(self), Arc::clone(services));
        let watching = thread::Builder::new().name("watch".to_owned()).spawn(move || {
            loop {
                pause();
                for request in all.late(LATE) {
                    let (all, connections) = (all.describe(), services.connections());
                    tracing::warn!(request, all, %connections, "not answered after {} s", LATE.as_secs());
                }
            }
        });
        watching.map(drop)
    }
}

#[expect(clippy::disallowed_methods, reason = "it is no thread of the runtime")]
fn pause() {
    thread::sleep(LOOK);
}

impl Drop for Place {
    fn drop(&mut self) {
        self.all.requests().1.remove(&self.number);
    }
}

impl Place {
    /// What the request is called, here and in what holds the database's connections.
    pub(crate) fn name(&self) -> Arc<str> {
        Arc::clone(&self.name)
    }

    /// Stays until `body` has been sent or given up.
    pub(crate) fn until_sent(self, body: Body) -> Body {
        held(body, self)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::HttpBody;

    use super::*;

    #[test]
    fn a_request_is_known_until_its_answer_has_been_sent() {
        let all = Arc::new(InFlight::default());
        let (place, progress) = all.begin("7", &Method::GET, "/projects/{project}");
        assert!(all.describe().starts_with("1 in flight; GET /projects/{project} arrived "));
        progress.reach(Stage::Answering);
        assert!(all.describe().contains(" answering "));
        let body = place.until_sent(Body::from("page"));
        assert_eq!(body.size_hint().exact(), Some(4), "the length is known as before");
        assert!(all.describe().starts_with("1 in flight"));
        drop(body);
        assert_eq!(all.describe(), "0 in flight");
    }

    #[test]
    fn a_late_answer_is_told_once_and_what_may_take_long_is_not_late() {
        let all = Arc::new(InFlight::default());
        let begin = |method, route| all.begin("7", &method, route);
        let (_page, _at_work) = begin(Method::GET, "/projects/{project}");
        let (_sent, progress) = begin(Method::GET, "/keys");
        progress.reach(Stage::Sending);
        let (_stream, progress) = begin(Method::GET, "/events/revisions");
        progress.take_long();
        assert!(all.late(LATE).is_empty(), "nothing is late yet");
        assert_eq!(all.late(Duration::ZERO), ["GET /projects/{project} arrived 7"]);
        assert!(all.late(Duration::ZERO).is_empty());
    }
}
