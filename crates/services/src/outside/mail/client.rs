//! Hands a letter over to the mail server.

use lettre::{
    Address, AsyncTransport, Message,
    message::{
        Mailbox, MultiPart,
        header::{HeaderName, HeaderValue},
    },
};
use store::outside::mail::Due;

use super::{letter::Letter, settings::MailSettings};
use crate::error_chain;

/// What the mail server said of a letter that it did not take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It may take it another time, or could not be asked.
    ForNow(String),
    /// It never will.
    ForGood(String),
}

/// The answers of a mail server that are about us and not about the letter: it wants us to sign in otherwise.
const SIGN_IN: [&str; 5] = ["454", "530", "534", "535", "538"];

/// The longest part of an answer that is kept, in characters.
const KEPT: usize = 200;

/// Sends a letter once; `unsubscribe` is where somebody says that they want no more of its kind.
pub(super) async fn send(
    settings: &MailSettings,
    due: &Due,
    address: &str,
    letter: &Letter,
    unsubscribe: Option<&str>,
) -> Result<(), Failure> {
    let to: Address = address.parse().map_err(|_| for_good("this is no address for mail"))?;
    let message = message(settings, due, to, letter, unsubscribe);
    let message = message.map_err(|error| for_good(&error_chain(&error)))?;
    let Err(error) = settings.server.0.send(message).await else { return Ok(()) };
    let problem = kept(&error_chain(&error));
    let asks_to_sign_in = error.status().is_some_and(|code| SIGN_IN.contains(&&*code.to_string()));
    if error.is_permanent() && !asks_to_sign_in {
        return Err(Failure::ForGood(problem));
    }
    Err(Failure::ForNow(problem))
}

fn for_good(problem: &str) -> Failure {
    Failure::ForGood(kept(problem))
}

fn kept(problem: &str) -> String {
    super::letter::one_line(problem).chars().take(KEPT).collect()
}

fn message(
    settings: &MailSettings,
    due: &Due,
    to: Address,
    letter: &Letter,
    unsubscribe: Option<&str>,
) -> Result<Message, lettre::error::Error> {
    let from = settings.from.0.clone();
    // The same whenever it is tried: what comes twice is known for the same.
    let id =
        format!("<mail.{}.{}@{}>", due.id, due.created_at.timestamp_micros(), from.email.domain());
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
    builder.multipart(MultiPart::alternative_plain_html(letter.text(), letter.html()))
}

fn header(name: &'static str, value: String) -> HeaderValue {
    HeaderValue::new(HeaderName::new_from_ascii_str(name), value)
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use domain::{MailId, MailKind, UserId};
    use store::outside::mail::Recipient;

    use super::*;

    fn written(subject: &str, site: &str) -> String {
        let settings = MailSettings {
            server: "smtp://127.0.0.1".parse().unwrap(),
            from: "Concord <concord@example.org>".parse().unwrap(),
            site: site.to_owned(),
        };
        let due = Due {
            id: MailId(7),
            kind: MailKind::NewWork,
            to: Recipient::Account(UserId(3)),
            project: None,
            key: "key".to_owned(),
            link: None,
            created_at: DateTime::UNIX_EPOCH,
            attempts: 0,
        };
        let letter = Letter { subject: subject.to_owned(), pieces: Vec::new() };
        let unsubscribe = format!("{site}/unsubscribe/3.new-work.mac");
        let to = "ada@example.org".parse().unwrap();
        let message = message(&settings, &due, to, &letter, Some(&unsubscribe)).unwrap();
        String::from_utf8(message.formatted()).unwrap()
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
