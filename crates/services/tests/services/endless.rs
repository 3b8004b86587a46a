//! A peer on loopback that sends without end, for tests of what is read of others.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpListener,
};

/// More than a limit of 1 MiB and what the system keeps on the way, and less than a second without limit brings.
pub(crate) const MUCH: usize = 32 * 1024 * 1024;

/// A peer that begins as it is told, over HTTP once it is asked, and then repeats something for as long as it is read.
pub(crate) struct Endless {
    pub(crate) address: SocketAddr,
    sent: Arc<AtomicUsize>,
}

impl Endless {
    pub(crate) async fn start(beginning: &'static str, repeated: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let sent = Arc::<AtomicUsize>::default();
        let counter = Arc::clone(&sent);
        let repeated = repeated.repeat(64 * 1024 / repeated.len());
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let (counter, repeated) = (Arc::clone(&counter), repeated.clone());
                tokio::spawn(async move {
                    let (mut asked, mut answer) = stream.into_split();
                    if beginning.starts_with("HTTP/") {
                        assert!(asked.read(&mut [0; 1024]).await.unwrap() > 0);
                    }
                    tokio::spawn(async move {
                        while asked.read(&mut [0; 1024]).await.is_ok_and(|read| read > 0) {}
                    });
                    let mut next = beginning.as_bytes();
                    while answer.write_all(next).await.is_ok() {
                        counter.fetch_add(next.len(), Ordering::Relaxed);
                        next = repeated.as_bytes();
                    }
                });
            }
        });
        Self { address, sent }
    }

    /// How many bytes it has sent to all who connected.
    pub(crate) fn sent(&self) -> usize {
        self.sent.load(Ordering::Relaxed)
    }
}

/// Answers over HTTP without an end: of the body, of a header, and of all headers.
pub(crate) const ENDLESS_ANSWERS: [(&str, &str); 3] = [
    ("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{\"issuer\": \"", "more of it "),
    ("HTTP/1.1 200 OK\r\nx-long: ", "more of it "),
    ("HTTP/1.1 200 OK\r\n", "x-many: of them\r\n"),
];
