//! A connection that is ended when its other side takes nothing of what it asked for.

use std::{
    io::{self, ErrorKind, IoSlice},
    pin::Pin,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::{Sleep, sleep},
};

/// How long somebody may take nothing, or almost nothing, of what is ready for them.
const PATIENCE: Duration = Duration::from_secs(30);

/// What has to be taken in that time.
const SOME: usize = 16 * 1024;

/// A connection. Writing to it fails once its reader has stood still for too long.
pub(super) struct Link<S = TcpStream> {
    stream: S,
    patience: Duration,
    /// Since when it stands still: the end of patience, and what was taken since.
    waiting: Option<(Pin<Box<Sleep>>, usize)>,
}

impl<S> Link<S> {
    pub(super) fn new(stream: S) -> Self {
        Self { stream, patience: PATIENCE, waiting: None }
    }

    pub(super) fn into_inner(self) -> S {
        self.stream
    }

    /// What becomes of a write of so many bytes.
    fn wrote(
        &mut self,
        context: &mut Context<'_>,
        wanted: usize,
        written: Poll<io::Result<usize>>,
    ) -> Poll<io::Result<usize>> {
        match written {
            Poll::Pending => {
                let patience = self.patience;
                let (end, _) = self.waiting.get_or_insert_with(|| (Box::pin(sleep(patience)), 0));
                if end.as_mut().poll(context).is_ready() {
                    let why = "nothing was taken of what was asked for";
                    return Poll::Ready(Err(io::Error::new(ErrorKind::TimedOut, why)));
                }
                Poll::Pending
            }
            Poll::Ready(Ok(taken)) => {
                if let Some((_, all)) = &mut self.waiting {
                    *all = all.saturating_add(taken);
                    if taken >= wanted || *all >= SOME {
                        self.waiting = None;
                    }
                }
                Poll::Ready(Ok(taken))
            }
            failed @ Poll::Ready(Err(_)) => failed,
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Link<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Link<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.wrote(context, bytes.len(), written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.wrote(context, pieces.iter().map(|piece| piece.len()).sum(), written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream, duplex};

    use super::*;

    const SHORT: Duration = Duration::from_millis(300);

    fn link(patience: Duration) -> (Link<DuplexStream>, DuplexStream) {
        let (ours, theirs) = duplex(8 * 1024);
        (Link { patience, ..Link::new(ours) }, theirs)
    }

    #[tokio::test]
    async fn a_reader_who_takes_nothing_is_ended() {
        let (mut link, _theirs) = link(SHORT);
        let refused = link.write_all(&[0; 16 * 1024]).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::TimedOut);
    }

    #[tokio::test]
    async fn a_reader_who_takes_a_byte_now_and_then_is_ended() {
        let (mut link, mut theirs) = link(SHORT);
        let dribbling = tokio::spawn(async move {
            while theirs.read_u8().await.is_ok() {
                sleep(Duration::from_millis(20)).await;
            }
        });
        let refused = link.write_all(&vec![0; 256 * 1024]).await.unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::TimedOut);
        dribbling.abort();
    }

    #[tokio::test]
    async fn a_slow_reader_who_goes_on_and_a_quiet_stream_are_left_alone() {
        let (mut link, mut theirs) = link(Duration::from_secs(2));
        let reading = tokio::spawn(async move {
            let (mut piece, mut all) = (vec![0; 8 * 1024], 0);
            while all < 512 * 1024 {
                all += theirs.read(&mut piece).await.unwrap();
                sleep(Duration::from_millis(50)).await;
            }
            theirs
        });
        link.write_all(&vec![0; 512 * 1024]).await.unwrap();
        let mut theirs = reading.await.unwrap();
        // Longer than anybody is waited for, there is nothing to take.
        sleep(Duration::from_secs(3)).await;
        link.write_all(&[0; 4 * 1024]).await.unwrap();
        theirs.read_exact(&mut [0; 4 * 1024]).await.unwrap();
        link.write_all(&[0; 4 * 1024]).await.unwrap();
    }
}
