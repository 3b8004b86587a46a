//! What stands between a server and its database: connections that can be cut, refused and delayed.

use std::{io, net::SocketAddr, path::PathBuf, time::Duration};

use anyhow::Result;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    net::{TcpListener, TcpStream, UnixStream},
    sync::watch,
    time::sleep,
};

/// How what comes passes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    Open,
    /// New connections are ended at once.
    Refused,
    /// Each piece comes so much later.
    Delayed(Duration),
    /// Nothing passes, and nothing is lost.
    Stalled,
    /// What the database answers is lost: such a connection is of no use afterwards.
    Mute,
}

/// What all connections of a proxy are told.
#[derive(Clone, Copy)]
struct Traffic {
    flow: Flow,
    /// How often all connections were cut.
    cuts: u64,
}

/// A proxy that takes connections for as long as it is there.
pub(crate) struct Proxy {
    pub(crate) address: SocketAddr,
    traffic: watch::Sender<Traffic>,
}

impl Proxy {
    /// Listens, and passes what comes to a socket of the database.
    pub(crate) async fn start(socket: PathBuf) -> Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (traffic, told) = watch::channel(Traffic { flow: Flow::Open, cuts: 0 });
        tokio::spawn(accept(listener, socket, told));
        Ok(Self { address, traffic })
    }

    /// Has everything from now on pass like this.
    pub(crate) fn set(&self, flow: Flow) {
        self.traffic.send_modify(|traffic| traffic.flow = flow);
    }

    /// Ends all connections that there are.
    pub(crate) fn cut(&self) {
        self.traffic.send_modify(|traffic| traffic.cuts += 1);
    }

    /// Ends all connections, and has new ones pass again.
    pub(crate) fn begin_anew(&self) {
        self.traffic.send_modify(|traffic| {
            traffic.cuts += 1;
            traffic.flow = Flow::Open;
        });
    }
}

/// Takes connections until the proxy is gone.
async fn accept(listener: TcpListener, socket: PathBuf, mut told: watch::Receiver<Traffic>) {
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            gone = told.changed() => match gone {
                Ok(()) => continue,
                Err(_) => return,
            },
        };
        let Ok((server, _)) = accepted else { continue };
        if told.borrow().flow != Flow::Refused {
            tokio::spawn(carry(server, socket.clone(), told.clone()));
        }
    }
}

/// Carries a connection until it ends, or is ended.
async fn carry(mut server: TcpStream, socket: PathBuf, mut told: watch::Receiver<Traffic>) {
    let Ok(mut database) = UnixStream::connect(socket).await else { return };
    // Without it, what is asked in two pieces waits for an acknowledgement.
    let _is_quick = server.set_nodelay(true).is_ok();
    let born = told.borrow().cuts;
    let (from_server, to_server) = server.split();
    let (from_database, to_database) = database.split();
    tokio::select! {
        _ = pass(from_server, to_database, told.clone(), false) => {}
        _ = pass(from_database, to_server, told.clone(), true) => {}
        _ = told.wait_for(|now| now.cuts != born) => {}
    }
}

/// Passes what comes on one way.
async fn pass(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut told: watch::Receiver<Traffic>,
    is_answer: bool,
) -> io::Result<()> {
    let mut piece = vec![0; 16 * 1024];
    let born = told.borrow().cuts;
    loop {
        let length = from.read(&mut piece).await?;
        if length == 0 {
            return Ok(());
        }
        let is_passed = loop {
            let Traffic { flow, cuts } = *told.borrow_and_update();
            if cuts != born {
                // What comes after something that was lost would be taken for it.
                return Ok(());
            }
            match flow {
                Flow::Open | Flow::Refused => break true,
                Flow::Mute => break !is_answer,
                Flow::Delayed(by) => {
                    sleep(by).await;
                    break true;
                }
                Flow::Stalled => told.changed().await.map_err(io::Error::other)?,
            }
        };
        if is_passed {
            to.write_all(piece.get(..length).unwrap_or_default()).await?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::{net::UnixListener, time::timeout};

    const SOON: Duration = Duration::from_millis(100);

    /// A database that answers what it is told.
    async fn echo(socket: PathBuf) {
        let listener = UnixListener::bind(socket).unwrap();
        while let Ok((mut stream, _)) = listener.accept().await {
            tokio::spawn(async move {
                let (mut from, mut to) = stream.split();
                drop(tokio::io::copy(&mut from, &mut to).await);
            });
        }
    }

    async fn ask(stream: &mut TcpStream) -> Option<io::Result<usize>> {
        stream.write_all(b"x").await.unwrap();
        timeout(SOON, stream.read(&mut [0; 8])).await.ok()
    }

    #[tokio::test]
    async fn connections_are_stalled_muted_cut_and_refused() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("socket");
        tokio::spawn(echo(socket.clone()));
        let proxy = Proxy::start(socket).await.unwrap();
        let connect = || TcpStream::connect(proxy.address);
        let mut stream = connect().await.unwrap();
        assert_eq!(ask(&mut stream).await.unwrap().unwrap(), 1);

        proxy.set(Flow::Stalled);
        assert!(ask(&mut stream).await.is_none());
        proxy.set(Flow::Open);
        assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 1, "what has waited");

        proxy.set(Flow::Mute);
        assert!(ask(&mut stream).await.is_none());
        proxy.begin_anew();
        assert_eq!(stream.read(&mut [0; 8]).await.unwrap(), 0);

        proxy.set(Flow::Refused);
        let mut other = connect().await.unwrap();
        assert!(!matches!(ask(&mut other).await, Some(Ok(1))));
    }
}
