//! Stores of objects that answer without an end.

use std::sync::atomic::{AtomicUsize, Ordering};

use object_store::RetryConfig;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use super::{
    tests::{bucket_at, day, load, person},
    *,
};

/// More than any limit and what the system keeps on the way, and less than a second without limit brings.
const MUCH: usize = 64 << 20;

/// What is answered: how it begins, and what is repeated after that for as long as it is read; nothing if it ends.
type Answer = (&'static str, &'static str);

/// A store that gives every request the same answer, and how many bytes it has sent.
async fn answering(answer: Answer) -> (Place, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let sent = Arc::<AtomicUsize>::default();
    let counter = Arc::clone(&sent);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(stream, answer, Arc::clone(&counter)));
        }
    });
    let once = RetryConfig { max_retries: 0, ..RetryConfig::default() };
    let bucket = bucket_at(endpoint).with_retry(once).build().unwrap();
    (Place::in_bucket(bucket, "", "it".to_owned()), sent)
}

async fn serve(mut stream: TcpStream, (beginning, repeated): Answer, sent: Arc<AtomicUsize>) {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.unwrap());
    }
    stream.write_all(beginning.as_bytes()).await.unwrap();
    if repeated.is_empty() {
        return;
    }
    let much = repeated.repeat(64 * 1024 / repeated.len());
    while stream.write_all(much.as_bytes()).await.is_ok() {
        sent.fetch_add(much.len(), Ordering::Relaxed);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listing_without_an_end_is_given_up_at_a_limit() {
    for answer in [
        ("HTTP/1.1 200 OK\r\n\r\n<ListBucketResult><Contents><Key>", "more of it "),
        ("HTTP/1.1 403 Forbidden\r\n\r\n<Error><Message>", "more of it "),
        ("HTTP/1.1 200 OK\r\nx-long: ", "more of it "),
        ("HTTP/1.1 200 OK\r\n", "x-many: of them\r\n"),
    ] {
        let (place, sent) = answering(answer).await;
        let refused = timeout(Duration::from_secs(20), place.list()).await.unwrap().unwrap_err();
        assert!(matches!(refused, Error::Store { .. }), "{refused}");
        let bytes = sent.load(Ordering::Relaxed);
        assert!(bytes > 0 && bytes < MUCH, "{}: {bytes} bytes", answer.0);
    }
}

#[tokio::test]
async fn a_listing_with_pages_without_an_end_is_given_up_at_a_limit() {
    const PAGE: &str = "HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n<ListBucketResult>\
        <Name>bucket</Name><IsTruncated>true</IsTruncated>\
        <NextContinuationToken>more</NextContinuationToken></ListBucketResult>";
    let (place, _) = answering((PAGE, "")).await;
    let refused = place.list().await.unwrap_err();
    assert!(matches!(refused, Error::TooManyFiles(_)), "{refused}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_manifest_without_an_end_is_given_up_at_a_limit() {
    const HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-length: 1000000000000\r\netag: \"one\"\r\n\
        last-modified: Thu, 26 Nov 2026 09:15:00 GMT\r\n\r\n{\"at\": \"";
    let (place, sent) = answering((HEAD, "more of it ")).await;
    let unread = place.manifest(day(0)).await.unwrap_err();
    assert!(unread.to_string().contains("larger than"), "{unread}");
    let unread = load(&place, day(0), &person().1).await.unwrap_err();
    assert!(unread.to_string().contains("larger than"), "{unread}");
    assert_eq!(place.drill(day(0)).await.unwrap(), None, "as one that nobody can read");
    let bytes = sent.load(Ordering::Relaxed);
    assert!(bytes > 0 && bytes < 3 * MUCH, "{bytes} bytes");
}
