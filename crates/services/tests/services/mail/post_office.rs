//! A mail server of the test's own: it speaks SMTP on a loopback address, keeps what it takes, and answers
//! recipients as it is told.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    net::{TcpListener, TcpStream},
};

/// A mail as it arrived.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    pub(super) to: String,
    /// Head and body, with the lines that belong together joined.
    pub(super) raw: String,
}

impl Arrived {
    /// A header's value; empty if there is none.
    pub(super) fn header(&self, name: &str) -> String {
        let head = self.raw.split("\r\n\r\n").next().unwrap().replace("\r\n ", " ");
        let found = head.split("\r\n").find_map(|line| line.strip_prefix(&format!("{name}: ")));
        found.unwrap_or_default().to_owned()
    }

    /// Everything below the head, with soft breaks of quoted-printable taken out and its signs read.
    pub(super) fn body(&self) -> String {
        let body = self.raw.split_once("\r\n\r\n").unwrap().1.replace("=\r\n", "");
        let (mut bytes, mut rest) = (Vec::new(), body.as_bytes());
        while let Some((&byte, after)) = rest.split_first() {
            let code = after.get(..2).and_then(|code| std::str::from_utf8(code).ok());
            let code = code.and_then(|code| u8::from_str_radix(code, 16).ok());
            if let Some(sign) = code.filter(|_| byte == b'=') {
                bytes.push(sign);
                rest = &after[2..];
            } else {
                bytes.push(byte);
                rest = after;
            }
        }
        String::from_utf8(bytes).unwrap()
    }

    /// The first address in the body with this path.
    pub(super) fn link(&self, path: &str) -> String {
        let body = self.body();
        let start = body.find(path).unwrap_or_else(|| panic!("{path} in {body}"));
        let rest = &body[start + path.len()..];
        rest.split(|c: char| c.is_whitespace() || c == '"').next().unwrap().to_owned()
    }
}

/// What arrived, and what is said of the next recipients; 250 when that has been said.
#[derive(Default)]
pub(super) struct Office {
    pub(super) arrived: Mutex<Vec<Arrived>>,
    pub(super) answers: Mutex<Vec<&'static str>>,
    /// Whether recipients get no answer at present.
    pub(super) is_silent: AtomicBool,
    /// How many recipients were asked about.
    pub(super) asked: AtomicUsize,
}

impl Office {
    pub(super) fn mails(&self) -> Vec<Arrived> {
        self.arrived.lock().unwrap().clone()
    }

    async fn answer(&self) -> &'static str {
        self.asked.fetch_add(1, Ordering::Relaxed);
        while self.is_silent.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let mut answers = self.answers.lock().unwrap();
        if answers.is_empty() { "250 2.1.5 ok" } else { answers.remove(0) }
    }
}

/// Opens an office at this address, or at any.
pub(super) async fn open(at: &str, answers: &[&'static str]) -> (Arc<Office>, String) {
    let office = Arc::new(Office::default());
    *office.answers.lock().unwrap() = answers.to_vec();
    let listener = TcpListener::bind(at).await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let serving = Arc::clone(&office);
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            tokio::spawn(serve(Arc::clone(&serving), stream));
        }
    });
    (office, address)
}

async fn serve(office: Arc<Office>, stream: TcpStream) {
    let (reading, mut writing) = stream.into_split();
    let mut lines = BufReader::new(reading).lines();
    let mut to = String::new();
    writing.write_all(b"220 office ESMTP\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        let answer = match verb.as_str() {
            "EHLO" => "250-office\r\n250 8BITMIME",
            "RCPT" => {
                to = line.split(['<', '>']).nth(1).unwrap_or_default().to_owned();
                office.answer().await
            }
            "DATA" => {
                writing.write_all(b"354 go on\r\n").await.unwrap();
                let mut raw = String::new();
                while let Ok(Some(line)) = lines.next_line().await {
                    if line == "." {
                        break;
                    }
                    raw.push_str(line.strip_prefix('.').unwrap_or(&line));
                    raw.push_str("\r\n");
                }
                office.arrived.lock().unwrap().push(Arrived { to: to.clone(), raw });
                "250 2.0.0 taken"
            }
            "QUIT" => "221 bye",
            _ => "250 ok",
        };
        let answered = writing.write_all(format!("{answer}\r\n").as_bytes()).await;
        if verb == "QUIT" || answered.is_err() {
            return;
        }
    }
}
