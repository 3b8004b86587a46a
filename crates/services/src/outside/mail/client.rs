//! Hands a letter over to the mail server.

use std::error::Error;

use lettre::{
    Address, Message,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
    transport::smtp::Error as SmtpError,
};
use tokio::time::timeout;

use super::{
    connection::ConnectError,
    letter::Letter,
    settings::{MailServer, MailSettings},
};
use crate::error_chain;

/// Why the mail server has not taken a letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    /// The code that the mail server answered with, such as `550`; none if it has not answered.
    pub(super) code: Option<String>,
    /// What it said, which may name people, or why it could not be asked.
    pub(super) problem: String,
    /// Whether it never takes it: there is nobody with this address, or they take no mail.
    pub(super) is_final: bool,
}

/// The longest part of an answer that is kept, in characters.
const KEPT: usize = 200;

/// What is written on the envelope of a letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Envelope<'a> {
    /// The same whenever it is tried: what comes twice is known for the same. Without the domain.
    pub(super) id: &'a str,
    pub(super) address: &'a str,
    /// Where somebody says that they want no more of its kind.
    pub(super) unsubscribe: Option<&'a str>,
}

/// Sends a letter once.
pub(super) async fn send(
    settings: &MailSettings,
    envelope: Envelope<'_>,
    letter: &Letter,
) -> Result<(), Failure> {
    let message = message(settings, envelope, letter)?;
    let sending = hand_over(&settings.server, &message);
    let sent = timeout(settings.patience, sending).await;
    sent.unwrap_or_else(|_| Err(unsent("the mail server did not answer in time", false)))
}

async fn hand_over(server: &MailServer, message: &Message) -> Result<(), Failure> {
    let mut connection = server.connect().await.map_err(|error| match error {
        ConnectError::Smtp(error) => refused(&error),
        error @ ConnectError::Network(_) => unsent(&error_chain(&error), false),
    })?;
    let sent = connection.send(message.envelope(), &message.formatted()).await;
    // It says goodbye, unless that was done because of an error.
    connection.abort().await;
    sent.map(drop).map_err(|error| refused(&error))
}

/// What the mail server said against a letter.
fn refused(error: &SmtpError) -> Failure {
    let answer = error.source().map(ToString::to_string).unwrap_or_default();
    Failure {
        code: error.status().map(|code| code.to_string()),
        is_final: error.is_permanent() && is_of_recipient(&answer),
        ..unsent(&error_chain(error), false)
    }
}

/// Whether an answer is about its recipient, by the code it begins with (RFC 3463): of their address, but not of
/// the sender's, or of their mailbox. Any other may be about us, such as how we sign in or whom we may write to,
/// and somebody may put it right.
fn is_of_recipient(answer: &str) -> bool {
    let code = answer.split_whitespace().next().unwrap_or_default();
    match code.split('.').collect::<Vec<_>>().as_slice() {
        ["5", "1", detail] => !matches!(*detail, "7" | "8"),
        ["5", "2", _] => true,
        _ => false,
    }
}

fn unsent(problem: &str, is_final: bool) -> Failure {
    let problem = super::letter::one_line(problem).chars().take(KEPT).collect();
    Failure { code: None, problem, is_final }
}

fn message(
    settings: &MailSettings,
    Envelope { id, address, unsubscribe }: Envelope<'_>,
    letter: &Letter,
) -> Result<Message, Failure> {
    let to: Address = address.parse().map_err(|_| unsent("this is no address for mail", true))?;
    let from = settings.from.0.clone();
    let id = format!("<{id}@{}>", from.email.domain());
    let mut builder = Message::builder()
        .from(from)
        .to(Mailbox::new(None, to))
        .subject(letter.subject.clone())
        .message_id(Some(id))
        // Nobody's absence note answers it.
        .raw_header(header("Auto-Submitted", "auto-generated".to_owned()));
    if let Some(address) = unsubscribe {
        builder = builder.raw_header(header("List-Unsubscribe", format!("<{address}>")));
        // By itself, a mail program does it at an address of https only (RFC 8058).
        if address.starts_with("https://") {
            let one_click = "List-Unsubscribe=One-Click".to_owned();
            builder = builder.raw_header(header("List-Unsubscribe-Post", one_click));
        }
    }
    let parts = MultiPart::alternative_plain_html(letter.text(), letter.html());
    builder.multipart(parts).map_err(|error| unsent(&error_chain(&error), true))
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(subject: &str, site: &str) -> String {
        let settings = MailSettings {
            server: "smtp://127.0.0.1".parse().unwrap(),
            from: "Concord <concord@example.org>".parse().unwrap(),
            site: site.to_owned(),
            patience: MailSettings::PATIENCE,
        };
        let letter = Letter { subject: subject.to_owned(), pieces: Vec::new() };
        let unsubscribe = format!("{site}/unsubscribe/3.new-work.mac");
        let unsubscribe = Some(&*unsubscribe);
        let envelope = Envelope { id: "mail.7.0", address: "ada@example.org", unsubscribe };
        let message = message(&settings, envelope, &letter).unwrap();
        String::from_utf8(message.formatted()).unwrap()
    }

    #[test]
    fn an_answer_is_final_if_it_is_about_the_recipient() {
        for theirs in ["5.1.1 no such user", "5.1.10 null MX", "5.2.1 disabled", "5.2.2 full"] {
            assert!(is_of_recipient(theirs), "{theirs}");
        }
        for ours in [
            "5.7.1 relaying denied",
            "5.1.8 bad sender",
            "5.1.7 bad sender",
            "5.3.0 out of order",
            "4.1.1 later",
            "blocked, see https://example.org/5.1.1",
            "5.1",
            "",
        ] {
            assert!(!is_of_recipient(ours), "{ours}");
        }
    }

    #[tokio::test]
    async fn nobodys_words_make_a_header() {
        for words in ["a\r\nBcc: eve@example.org", "a\nX: y", "a\rX: y", "ü\r\n\r\nbody"] {
            let mail = written(words, "https://concord.example");
            let head = mail.split_once("\r\n\r\n").unwrap().0;
            let names: Vec<_> = head
                .split("\r\n")
                .filter(|line| !line.starts_with([' ', '\t']))
                .map(|line| line.split_once(": ").unwrap().0)
                .collect();
            assert!(!names.contains(&"Bcc") && !names.contains(&"X"), "{head}");
            assert_eq!(names.iter().filter(|name| **name == "Subject").count(), 1);
            assert!(!head.replace("\r\n", "").contains(['\r', '\n']), "{head}");
        }
    }

    #[tokio::test]
    async fn a_mail_program_unsubscribes_with_one_click_where_the_site_has_https() {
        let mail = written("a", "https://concord.example");
        assert!(mail.contains(
            "List-Unsubscribe: <https://concord.example/unsubscribe/3.new-work.mac>\r\n"
        ));
        assert!(mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"));
        assert!(mail.contains("Message-ID: <mail.7.0@example.org>\r\n"));
        let open = written("a", "http://concord.example");
        assert!(open.contains("List-Unsubscribe: <http://concord.example/"));
        assert!(!open.contains("List-Unsubscribe-Post"));
    }
}
