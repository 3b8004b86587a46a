//! Forms with files, which go to the disk as they come: so that what people send takes no memory,
//! however much it is and however slowly they send it.

use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    task::{Context, Poll},
};

use axum::{
    body::{Body, BodyDataStream, Bytes},
    extract::{
        FromRequest, Multipart, Request,
        multipart::{Field, MultipartError, MultipartRejection},
    },
};
use domain::{Actor, Code, Error, UserId, refuse_nul};
use futures::Stream;
use services::document::import::SpooledFile;
use tokio::{
    io::{AsyncWriteExt, BufWriter},
    sync::OwnedSemaphorePermit,
};

use crate::{
    Site,
    middleware::idempotency::fingerprint::boundary,
    site::{limits::cap::Entry, problem::Problem},
};

/// The longest head of a part of a form, and what may stand before the first.
const HEAD: usize = 64 * 1024;

/// A piece of a body that is looked at.
const PIECE: usize = 16 * 1024;

/// What is written to the disk at a time.
const WRITTEN: usize = 256 * 1024;

/// How large a form may be.
#[derive(Clone, Copy)]
pub(in crate::rest) struct Limits {
    /// The most files.
    pub(in crate::rest) files: usize,
    /// The longest name of a file.
    pub(in crate::rest) name: usize,
    /// The most bytes of all files.
    pub(in crate::rest) bytes: usize,
    /// What is said of more.
    pub(in crate::rest) too_many_bytes: &'static str,
    /// The most bytes of a field that is no file.
    pub(in crate::rest) field: usize,
    /// What a form with more files is called.
    pub(in crate::rest) what: &'static str,
}

/// A form that is being received; it counts until it is dropped.
pub(in crate::rest) struct Upload {
    form: Multipart,
    fed: Arc<AtomicUsize>,
    limits: Limits,
    file: BufWriter<tokio::fs::File>,
    written: u64,
    found: Vec<(String, u64, u64)>,
    _own: Entry<UserId>,
    _all: OwnedSemaphorePermit,
}

impl Upload {
    /// Begins to receive a form of somebody who may send it.
    pub(in crate::rest) async fn begin(
        site: &Site,
        actor: &Actor,
        request: Request,
        limits: Limits,
    ) -> Result<Self, Problem> {
        let person = actor.person()?.id;
        let Some(own) = site.uploads.own.enter(person) else {
            let why = "another upload of yours is running; wait until it is done";
            return Err(Problem::of_request(Code::TooMuchAtOnce, why));
        };
        let all = Arc::clone(&site.uploads.all).try_acquire_owned().map_err(|_| {
            let why = "too many uploads right now; try again in a minute";
            Problem::of_request(Code::Busy, why)
        })?;
        boundary(request.headers())?;
        let fed = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&fed);
        let request = request.map(|body| {
            let rest = body.into_data_stream();
            Body::from_stream(Pieces { rest, left: Bytes::new(), fed: counter, is_turn: true })
        });
        let form = Multipart::from_request(request, &()).await?;
        let file = tokio::task::spawn_blocking(tempfile::tempfile).await.map_err(io::Error::other);
        let file =
            tokio::fs::File::from_std(file.and_then(|file| file).map_err(|it| no_disk(&it))?);
        let file = BufWriter::with_capacity(WRITTEN, file);
        Ok(Self { form, fed, limits, file, written: 0, found: Vec::new(), _own: own, _all: all })
    }

    /// Receives all of it; `take` is given each field that is no file.
    pub(in crate::rest) async fn receive(
        mut self,
        mut take: impl FnMut(&str, &str) -> Result<(), Error>,
    ) -> Result<Vec<SpooledFile>, Problem> {
        let Self { form, fed, limits, file, written, found, .. } = &mut self;
        while let Some(mut field) = form.next_field().await.map_err(|it| broken(it, fed))? {
            fed.store(0, Ordering::Relaxed);
            let name = field.name().unwrap_or_default().to_owned();
            let Some(file_name) = field.file_name().map(str::to_owned) else {
                let value = text(&mut field, fed, limits.field).await?;
                refuse_nul(&name, &value)?;
                take(&name, &value)?;
                continue;
            };
            if name != "files" {
                return Err(Code::Unknown.of(name, "files are in the field `files`").into());
            }
            refuse_nul("files", &file_name)?;
            // A document is called after its file, and there may be many in it.
            if file_name.len() > limits.name {
                let why = format!("a file's name has at most {} bytes", limits.name);
                return Err(Code::TooLong.of("files", why).into());
            }
            let at = *written;
            while let Some(chunk) = field.chunk().await.map_err(|it| broken(it, fed))? {
                fed.store(0, Ordering::Relaxed);
                *written += u64::try_from(chunk.len()).unwrap_or(u64::MAX);
                if usize::try_from(*written).is_ok_and(|written| written > limits.bytes) {
                    let why = limits.too_many_bytes;
                    return Err(Problem::of_request(Code::TooLarge, why));
                }
                file.write_all(&chunk).await.map_err(|error| no_disk(&error))?;
            }
            // A field that nothing was chosen in.
            if file_name.is_empty() && *written == at {
                continue;
            }
            if found.len() == limits.files {
                let why = format!("{} has at most {} files", limits.what, limits.files);
                return Err(Code::TooMany.of("files", why).into());
            }
            found.push((file_name, at, *written - at));
        }
        file.flush().await.map_err(|error| no_disk(&error))?;
        let file = Arc::new(self.file.into_inner().into_std().await);
        let spooled =
            |(name, at, length)| SpooledFile { name, file: Arc::clone(&file), at, length };
        Ok(self.found.into_iter().map(spooled).collect())
    }
}

/// A field's text, if it is not too long.
async fn text(field: &mut Field<'_>, fed: &AtomicUsize, most: usize) -> Result<String, Problem> {
    let mut value = Vec::new();
    while let Some(chunk) = field.chunk().await.map_err(|it| broken(it, fed))? {
        fed.store(0, Ordering::Relaxed);
        if value.len() + chunk.len() > most {
            let why = format!("a field of the form has at most {most} bytes");
            return Err(Problem::of_request(Code::TooLarge, why));
        }
        value.extend_from_slice(&chunk);
    }
    Ok(String::from_utf8_lossy(&value).into_owned())
}

/// What is wrong with a form that cannot be read any further.
fn broken(error: MultipartError, fed: &AtomicUsize) -> Problem {
    if fed.load(Ordering::Relaxed) > HEAD {
        let why = "the head of a part of the form is too long";
        return Problem::of_request(Code::MalformedRequest, why);
    }
    Problem::of_body(error.status(), error.body_text())
}

fn no_disk(error: &io::Error) -> Problem {
    tracing::error!(%error, "what was sent cannot be kept");
    let why = "the server has no room for uploads right now; try again later";
    Problem::of_request(Code::Busy, why)
}

/// A body piece by piece. Whoever reads the form takes all that is ready and searches it anew when
/// there is more: so one small piece is ready at a time, and when a few have brought no part any
/// further, there is no end to its head.
struct Pieces {
    rest: BodyDataStream,
    left: Bytes,
    /// What was given since the form got any further.
    fed: Arc<AtomicUsize>,
    is_turn: bool,
}

impl Stream for Pieces {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, axum::Error>>> {
        self.is_turn = !self.is_turn;
        if self.is_turn {
            context.waker().wake_by_ref();
            return Poll::Pending;
        }
        if self.left.is_empty() {
            match Pin::new(&mut self.rest).poll_next(context) {
                Poll::Ready(Some(Ok(bytes))) => self.left = bytes,
                Poll::Pending => {
                    self.is_turn = true;
                    return Poll::Pending;
                }
                end @ Poll::Ready(_) => return end,
            }
        }
        let length = self.left.len().min(PIECE);
        let piece = self.left.split_to(length);
        if self.fed.fetch_add(length, Ordering::Relaxed) > HEAD {
            let error = io::Error::other("the head of a part of the form is too long");
            return Poll::Ready(Some(Err(axum::Error::new(error))));
        }
        Poll::Ready(Some(Ok(piece)))
    }
}

impl From<MultipartRejection> for Problem {
    fn from(rejection: MultipartRejection) -> Self {
        Self::of_request(Code::UnsupportedBody, rejection.body_text())
    }
}
