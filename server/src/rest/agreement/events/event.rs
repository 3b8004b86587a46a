//! An event as it is sent. What it says is not copied: many may be told the same.

use std::time::Duration;

use bytes::Bytes;
use domain::Revision;

/// An event of one line, or a word between events.
pub(super) struct Event {
    head: String,
    data: Option<Bytes>,
}

impl Event {
    /// An event with its name and what it says, which must be a line of text: bytes that are shared
    /// stay shared.
    pub(super) fn new(
        name: &'static str,
        id: Option<Revision>,
        data: impl AsRef<[u8]> + Send + 'static,
    ) -> Self {
        let id = id.map(|id| format!("id: {id}\n")).unwrap_or_default();
        let head = format!("event: {name}\n{id}data: ");
        Self { head, data: Some(Bytes::from_owner(data)) }
    }

    /// An event that says something to its reader alone, and on a second line what many are told.
    pub(super) fn beside(
        name: &'static str,
        own: &str,
        data: impl AsRef<[u8]> + Send + 'static,
    ) -> Self {
        let head = format!("event: {name}\ndata: {own}\ndata: ");
        Self { head, data: Some(Bytes::from_owner(data)) }
    }

    /// How long a reader waits before connecting again.
    pub(super) fn retry(wait: Duration) -> Self {
        Self { head: format!("retry: {}", wait.as_millis()), data: None }
    }

    /// What no reader minds.
    pub(super) fn nothing() -> Self {
        Self { head: ":".to_owned(), data: None }
    }

    /// Its bytes, in the order in which they are sent.
    pub(super) fn pieces(self) -> impl Iterator<Item = Bytes> {
        let end = Bytes::from_static(b"\n\n");
        [Some(self.head.into()), self.data, Some(end)].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(event: Event) -> String {
        event.pieces().map(|piece| String::from_utf8(piece.to_vec()).unwrap()).collect()
    }

    #[test]
    fn an_event_is_written_as_browsers_read_it() {
        let event = Event::new("snapshot", Some(Revision(7)), "{}");
        assert_eq!(sent(event), "event: snapshot\nid: 7\ndata: {}\n\n");
        assert_eq!(sent(Event::new("ended", None, "3")), "event: ended\ndata: 3\n\n");
        assert_eq!(sent(Event::retry(Duration::from_millis(1_500))), "retry: 1500\n\n");
        assert_eq!(sent(Event::nothing()), ":\n\n");
        let beside = Event::beside("edited", "3 7", "{}");
        assert_eq!(sent(beside), "event: edited\ndata: 3 7\ndata: {}\n\n");
    }

    #[test]
    fn what_many_are_told_is_there_once() {
        let shared: std::sync::Arc<[u8]> = b"the same"[..].into();
        let at = |event: Event| event.pieces().nth(1).unwrap().as_ptr();
        let tell = || Event::new("snapshot", None, std::sync::Arc::clone(&shared));
        assert_eq!(at(tell()), at(tell()));
    }
}
