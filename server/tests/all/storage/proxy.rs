//! A way to PostgreSQL that breaks at a chosen message.

use std::{
    io,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
};

use store::testing::tamper_at;
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        UnixListener, UnixStream,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::Notify,
};

/// How a connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Break {
    /// The message does not arrive, and nothing after it.
    Cut,
    /// An administrator ends the connection on the server before the message arrives there.
    Terminate,
}

/// What happens on the way, once it is armed.
#[derive(Debug, Default)]
struct Course {
    /// The number of the message to break at, and how.
    at: Mutex<Option<(u64, Break)>>,
    messages: AtomicU64,
}

/// A socket at which PostgreSQL seems to listen.
pub(super) struct Proxy {
    course: Arc<Course>,
    folder: TempDir,
    socket: String,
    /// The address of the server itself.
    url: String,
}

const SOCKET: &str = ".s.PGSQL.5432";

impl Proxy {
    /// A way to the server whose socket the address names: `…?host=/folder`.
    pub(super) fn to(url: &str) -> Self {
        let folder = url.split_once("host=").unwrap().1.to_owned();
        let proxy = Self {
            course: Arc::default(),
            folder: tempfile::Builder::new().prefix("pg").tempdir_in("/tmp").unwrap(),
            socket: Path::new(&folder).join(SOCKET).to_str().unwrap().to_owned(),
            url: url.to_owned(),
        };
        let listener = UnixListener::bind(proxy.folder.path().join(SOCKET)).unwrap();
        let (course, socket, url) =
            (Arc::clone(&proxy.course), proxy.socket.clone(), proxy.url.clone());
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let server = UnixStream::connect(&socket).await.unwrap();
                tokio::spawn(connect(client, server, Arc::clone(&course), url.clone()));
            }
        });
        proxy
    }

    /// The address of the same database by this way.
    pub(super) fn url(&self) -> String {
        let (address, _) = self.url.split_once("host=").unwrap();
        format!("{address}sslmode=disable&host={}", self.folder.path().display())
    }

    /// Counts messages from now on, and breaks at one of them.
    pub(super) fn arm(&self, at: Option<(u64, Break)>) {
        self.course.messages.store(0, Ordering::SeqCst);
        *self.course.at.lock().unwrap() = at;
    }

    /// How many messages there have been since.
    pub(super) fn messages(&self) -> u64 {
        self.course.messages.load(Ordering::SeqCst)
    }
}

async fn connect(client: UnixStream, server: UnixStream, course: Arc<Course>, url: String) {
    let (from_client, to_client) = client.into_split();
    let (from_server, to_server) = server.into_split();
    let way = Arc::new(Way { course, url, process: AtomicU64::new(0), is_cut: Notify::new() });
    tokio::spawn(forward(Arc::clone(&way), from_server, to_client, false));
    forward(way, from_client, to_server, true).await;
}

/// A connection through the proxy.
struct Way {
    course: Arc<Course>,
    url: String,
    /// The process of the server that answers.
    process: AtomicU64,
    is_cut: Notify,
}

/// Passes messages on until either end closes or the way breaks, which closes both.
async fn forward(way: Arc<Way>, mut from: OwnedReadHalf, mut to: OwnedWriteHalf, is_first: bool) {
    let passing = async {
        // A client's first message has no kind.
        let mut has_kind = !is_first;
        loop {
            let message = read(&mut from, has_kind).await?;
            has_kind = true;
            if message.first() == Some(&b'K') && !is_first {
                let process = message[5..9].try_into().unwrap();
                way.process.store(u32::from_be_bytes(process).into(), Ordering::SeqCst);
            }
            let number = way.course.messages.fetch_add(1, Ordering::SeqCst);
            let due = *way.course.at.lock().unwrap();
            match due {
                Some((at, Break::Cut)) if at == number => return Err(io::ErrorKind::Other.into()),
                Some((at, Break::Terminate)) if at == number => {
                    let process = way.process.load(Ordering::SeqCst);
                    tamper_at(&way.url, &format!("SELECT pg_terminate_backend({process})")).await;
                }
                _ => {}
            }
            to.write_all(&message).await?;
        }
    };
    let passing: &mut (dyn Future<Output = io::Result<()>> + Send + Unpin) = &mut Box::pin(passing);
    tokio::select! {
        _ = passing => way.is_cut.notify_waiters(),
        () = way.is_cut.notified() => {}
    }
}

/// A message of the protocol: its kind, if it has one, its length, and the rest.
async fn read(from: &mut OwnedReadHalf, has_kind: bool) -> io::Result<Vec<u8>> {
    let mut message = Vec::new();
    if has_kind {
        message.push(from.read_u8().await?);
    }
    let length = from.read_u32().await?;
    message.extend(length.to_be_bytes());
    let begun = message.len();
    message.resize(begun + usize::try_from(length).unwrap() - 4, 0);
    from.read_exact(&mut message[begun..]).await?;
    Ok(message)
}
