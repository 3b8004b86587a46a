//! What is read of requests: no slower than a line of today brings it, and no more at a time than
//! there is room for. Time counts only while it is the sender who is waited for.

use std::{
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU8, Ordering},
    },
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{
    body::{Body, Bytes, HttpBody},
    extract::Request,
    middleware::Next,
    response::{IntoResponse, Response},
};
use domain::{Actor, Code};
use http::{HeaderValue, header};
use http_body::{Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep};

use crate::{
    Site,
    middleware::idempotency::IDEMPOTENCY_KEY,
    site::{
        limits::room::{MAX_STRANGER_BODY, Sender, Share},
        problem::Problem,
        route::Weight,
    },
};

/// How long somebody is waited for who sends something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Patience {
    /// Whatever it brings.
    grace: Duration,
    /// How many bytes a second it brings after that, on average.
    slowest: u64,
    /// At most.
    longest: Duration,
}

impl Patience {
    pub(crate) const fn of(longest: Duration) -> Self {
        Self { grace: Duration::from_secs(10), slowest: 16 * 1024, longest }
    }

    /// How long it is waited for so many bytes.
    fn with(&self, bytes: u64) -> Duration {
        (self.grace + Duration::from_secs(bytes / self.slowest)).min(self.longest)
    }
}

/// When somebody comes again who has sent too much at the same time, in seconds.
const COME_BACK: u64 = 10;

/// Why a body was not read to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    Slow,
    NoRoom,
    Large,
}

/// What became of a body, told to whoever answers the request.
#[derive(Default)]
struct Fate(AtomicU8);

impl Fate {
    fn set(&self, broken: Broken) {
        let told = match broken {
            Broken::Slow => 1,
            Broken::NoRoom => 2,
            Broken::Large => 3,
        };
        self.0.store(told, Ordering::Relaxed);
    }

    fn get(&self) -> Option<Broken> {
        match self.0.load(Ordering::Relaxed) {
            1 => Some(Broken::Slow),
            2 => Some(Broken::NoRoom),
            3 => Some(Broken::Large),
            _ => None,
        }
    }
}

/// Answers a request whose body is watched while it is read.
pub(crate) async fn watch(
    site: Arc<Site>,
    request: Request,
    next: Next,
    (weight, patience): (Weight, Patience),
) -> Response {
    if request.body().is_end_stream() {
        return next.run(request).await;
    }
    // Files go to the disk as they come; all else is held in memory until it is carried out.
    let is_held = !matches!(weight, Weight::Import | Weight::Compare)
        || request.headers().contains_key(IDEMPOTENCY_KEY);
    let sender = request.extensions().get::<Actor>().and_then(Sender::of);
    let most = if sender.is_none() { MAX_STRANGER_BODY } else { u64::MAX };
    let share = sender.filter(|_| is_held).map(|it| Arc::new(Share::of(&site.room, it)));
    let fate = Arc::new(Fate::default());
    let request = request.map(|inner| {
        Body::new(Watched {
            inner,
            most,
            share: share.clone(),
            fate: Arc::clone(&fate),
            held_back: None,
            patience,
            bytes: 0,
            waited: Duration::ZERO,
            waiting: None,
        })
    });
    let response = next.run(request).await;
    drop(share);
    match fate.get() {
        Some(broken) => refused(broken),
        None => response,
    }
}

fn refused(broken: Broken) -> Response {
    let (code, why) = match broken {
        Broken::Slow => (Code::TooSlow, "the request arrived too slowly".to_owned()),
        Broken::NoRoom => {
            let why = format!(
                "you are sending too much at the same time; try again in {COME_BACK} seconds"
            );
            (Code::TooMuchAtOnce, why)
        }
        Broken::Large => {
            let most = MAX_STRANGER_BODY / 1024;
            (Code::TooLarge, format!("without signing in, a request has at most {most} KiB"))
        }
    };
    let mut response = Problem::of_request(code, why).into_response();
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    if broken == Broken::NoRoom {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(COME_BACK));
    }
    response
}

/// A body that breaks off if it is too large or comes too slowly, or if there is no room for it.
struct Watched {
    inner: Body,
    /// How many bytes it may have; the route's own limit is another.
    most: u64,
    share: Option<Arc<Share>>,
    fate: Arc<Fate>,
    /// What has come, but has no room yet.
    held_back: Option<Frame<Bytes>>,
    patience: Patience,
    bytes: u64,
    /// How long the sender has been waited for until now.
    waited: Duration,
    /// Since when the sender is waited for, and what ends that.
    waiting: Option<(Instant, Pin<Box<Sleep>>)>,
}

impl Watched {
    fn broken(&self, why: Broken) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.fate.set(why);
        let error = std::io::Error::from(std::io::ErrorKind::TimedOut);
        Poll::Ready(Some(Err(axum::Error::new(error))))
    }
}

impl HttpBody for Watched {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let this = &mut *self;
        // What is announced to be too large is not waited for.
        if this.bytes.saturating_add(this.inner.size_hint().lower()) > this.most {
            return this.broken(Broken::Large);
        }
        let frame = match this.held_back.take() {
            Some(frame) => frame,
            None => match Pin::new(&mut this.inner).poll_frame(context) {
                Poll::Pending => {
                    let left = this.patience.with(this.bytes).saturating_sub(this.waited);
                    let (_, end) =
                        this.waiting.get_or_insert_with(|| (Instant::now(), Box::pin(sleep(left))));
                    ready!(end.as_mut().poll(context));
                    return this.broken(Broken::Slow);
                }
                Poll::Ready(next) => {
                    if let Some((since, _)) = this.waiting.take() {
                        this.waited += since.elapsed();
                    }
                    match next {
                        Some(Ok(frame)) => frame,
                        end => return Poll::Ready(end),
                    }
                }
            },
        };
        let length =
            frame.data_ref().map_or(0, |data| u64::try_from(data.len()).unwrap_or(u64::MAX));
        let bytes = this.bytes.saturating_add(length);
        if bytes > this.most {
            return this.broken(Broken::Large);
        }
        if let Some(share) = &this.share {
            match share.poll_grow(bytes, context) {
                Poll::Ready(true) => {}
                Poll::Ready(false) => return this.broken(Broken::NoRoom),
                Poll::Pending => {
                    this.held_back = Some(frame);
                    return Poll::Pending;
                }
            }
        }
        this.bytes = bytes;
        Poll::Ready(Some(Ok(frame)))
    }

    fn is_end_stream(&self) -> bool {
        self.held_back.is_none() && self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        match self.held_back {
            Some(_) => SizeHint::default(),
            None => self.inner.size_hint(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;

    use axum::body::to_bytes;
    use futures::{StreamExt, stream};

    use super::*;

    const QUICK: Patience = Patience {
        grace: Duration::from_millis(200),
        slowest: 100_000,
        longest: Duration::from_hours(1),
    };

    fn watched(inner: Body, patience: Patience) -> (Watched, Arc<Fate>) {
        let fate = Arc::new(Fate::default());
        let watched = Watched {
            inner,
            most: u64::MAX,
            share: None,
            fate: Arc::clone(&fate),
            held_back: None,
            patience,
            bytes: 0,
            waited: Duration::ZERO,
            waiting: None,
        };
        (watched, fate)
    }

    /// A body that brings so many bytes, and as many again after 20 ms, for two seconds.
    fn slow(bytes: usize) -> Body {
        let pieces = stream::repeat(()).then(move |()| async move {
            sleep(Duration::from_millis(20)).await;
            Ok::<_, std::io::Error>(vec![b'x'; bytes])
        });
        Body::from_stream(pieces.take(100))
    }

    #[tokio::test]
    async fn a_body_that_comes_too_slowly_is_given_up() {
        let (body, fate) = watched(slow(1), QUICK);
        assert!(to_bytes(Body::new(body), usize::MAX).await.is_err());
        assert_eq!(fate.get(), Some(Broken::Slow));
    }

    #[tokio::test]
    async fn a_body_at_a_fair_rate_is_read_to_its_end_if_it_has_one() {
        let (body, fate) = watched(slow(100_000), QUICK);
        assert_eq!(to_bytes(Body::new(body), usize::MAX).await.unwrap().len(), 10_000_000);
        assert_eq!(fate.get(), None);
        let short = Patience { longest: Duration::from_millis(300), ..QUICK };
        let (body, fate) = watched(slow(100_000), short);
        assert!(to_bytes(Body::new(body), usize::MAX).await.is_err());
        assert_eq!(fate.get(), Some(Broken::Slow));
    }

    #[tokio::test]
    async fn a_body_that_is_or_says_it_is_too_large_is_given_up() {
        for (inner, most, is_read) in [
            (Body::from("x".repeat(100)), 100, true),
            (Body::from("x".repeat(101)), 100, false),
            (slow(30), 100, false),
        ] {
            let (body, fate) = watched(inner, QUICK);
            let read = to_bytes(Body::new(Watched { most, ..body }), usize::MAX).await;
            assert_eq!(read.is_ok(), is_read);
            assert_eq!(fate.get(), (!is_read).then_some(Broken::Large));
        }
    }

    #[tokio::test]
    async fn time_in_which_nobody_reads_is_not_the_senders() {
        let (mut body, fate) = watched(Body::from("all of it"), QUICK);
        sleep(2 * QUICK.grace).await;
        let frame = poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await;
        assert!(frame.unwrap().is_ok());
        sleep(2 * QUICK.grace).await;
        assert!(poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await.is_none());
        assert_eq!(fate.get(), None);
    }
}
