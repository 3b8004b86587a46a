//! The connection to the mail server, of which no more is read than a limit.

use std::{
    io::{self, ErrorKind},
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use lettre::transport::smtp::{
    Error as SmtpError,
    authentication::DEFAULT_MECHANISMS,
    client::{AsyncSmtpConnection, AsyncTokioStream, TlsParameters},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::{TcpStream, lookup_host},
    time::timeout,
};
use tokio_rustls::{
    TlsConnector,
    client::TlsStream,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};

use super::settings::{Encryption, MailServer};

/// How long connecting to an address of the mail server may take.
const CONNECTED_WITHIN: Duration = Duration::from_secs(30);

/// The most that is read of the mail server for a letter, in bytes, with what encrypts it. It says a few hundred; and the
/// library reads an answer of many lines anew with each of them.
const MAX_READ: usize = 64 * 1024;

/// Why there is no connection.
#[derive(Debug, thiserror::Error)]
pub(super) enum ConnectError {
    #[error("the mail server is not reachable")]
    Network(#[from] io::Error),
    #[error(transparent)]
    Smtp(#[from] SmtpError),
}

impl MailServer {
    /// Connects for one letter, and signs in.
    pub(super) async fn connect(&self) -> Result<AsyncSmtpConnection, ConnectError> {
        let stream = connect_to_any(&self.host, self.port).await?;
        let address = stream.peer_addr()?;
        let stream: Box<dyn AsyncTokioStream> = match self.encryption {
            Encryption::Always => {
                Box::new(Bounded::new(encrypt(stream, &self.host).await?, address))
            }
            Encryption::None | Encryption::Required => Box::new(Bounded::new(stream, address)),
        };
        let mut connection =
            AsyncSmtpConnection::connect_with_transport(stream, &self.hello).await?;
        if self.encryption == Encryption::Required {
            connection.starttls(TlsParameters::new(self.host.clone())?, &self.hello).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }
}

/// Connects to the first address of a name that takes it.
async fn connect_to_any(host: &str, port: u16) -> io::Result<TcpStream> {
    let mut failed = io::Error::new(ErrorKind::NotFound, "its name has no address");
    for address in lookup_host((host, port)).await? {
        match timeout(CONNECTED_WITHIN, TcpStream::connect(address)).await {
            Ok(Ok(stream)) => return Ok(stream),
            Ok(Err(error)) => failed = error,
            Err(late) => failed = late.into(),
        }
    }
    Err(failed)
}

/// Encrypts a connection from its beginning. Certificates are held against the same roots as those of STARTTLS.
async fn encrypt(stream: TcpStream, host: &str) -> io::Result<TlsStream<TcpStream>> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).map_err(io::Error::other)?;
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

/// A connection that fails once more has been read of it than a limit: the library reads lines of any length.
#[derive(Debug)]
struct Bounded<S> {
    stream: S,
    address: SocketAddr,
    /// How many bytes may still be read.
    left: usize,
}

impl<S> Bounded<S> {
    const fn new(stream: S, address: SocketAddr) -> Self {
        Self { stream, address, left: MAX_READ }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Bounded<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, buffer))?;
        let read = buffer.filled().len() - before;
        let Some(left) = self.left.checked_sub(read) else {
            self.left = 0;
            let why = format!("the mail server sent more than {MAX_READ} bytes");
            return Poll::Ready(Err(io::Error::new(ErrorKind::InvalidData, why)));
        };
        self.left = left;
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Bounded<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin + std::fmt::Debug> AsyncTokioStream
    for Bounded<S>
{
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test]
    async fn a_connection_is_read_to_its_limit_and_no_further() {
        let (ours, mut theirs) = duplex(64 * 1024);
        tokio::spawn(async move { while theirs.write_all(&[b'x'; 1000]).await.is_ok() {} });
        let mut bounded = Bounded::new(ours, SocketAddr::from(([127, 0, 0, 1], 25)));
        let mut read = vec![0; MAX_READ];
        bounded.read_exact(&mut read).await.unwrap();
        for _ in 0..2 {
            let error = bounded.read(&mut [0; 10]).await.unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidData);
        }
    }
}
