//! Server-sent events (HTML standard).

use std::fmt::Write as _;

use axum::body::Bytes;
use tender_protocol::event::STATUS;

use crate::store::payments::Change;

/// A comment that keeps an idle connection open through proxies.
pub(super) const KEEP_ALIVE: Bytes = Bytes::from_static(b":\n\n");

/// An event in its wire format, serialised once for all clients.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) id: i64,
    pub(super) frame: Bytes,
}

impl Event {
    pub(super) fn new(name: &str, id: i64, record: &str) -> Self {
        let mut frame = format!("event: {name}\nid: {id}\n");
        // JSON may contain line breaks between its tokens. Each line becomes a `data:` field, and
        // the client joins them again.
        for line in record.split(['\r', '\n']) {
            // Writing to a string can't fail.
            let _ = writeln!(frame, "data: {line}");
        }
        frame.push('\n');
        Self {
            id,
            frame: frame.into(),
        }
    }
}

impl From<&Change> for Event {
    fn from(change: &Change) -> Self {
        Self::new(STATUS, change.id, &change.record)
    }
}

/// Concatenates the frames of these events.
pub(super) fn frames(events: &[Event]) -> Bytes {
    match events {
        [event] => event.frame.clone(),
        events => {
            let frames: Vec<_> = events.iter().map(|event| &*event.frame).collect();
            frames.concat().into()
        }
    }
}

/// The field that sets the client's reconnection time in milliseconds.
pub(super) fn retry(milliseconds: u64) -> String {
    format!("retry: {milliseconds}\n\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_has_a_name_an_id_and_the_record() {
        let event = Event::new(STATUS, 7, r#"{"quantity":1.10}"#);
        let frame = "event: status\nid: 7\ndata: {\"quantity\":1.10}\n\n";
        assert_eq!(event.frame, frame);
        let two = frames(&[event.clone(), Event::new(STATUS, 8, "{}")]);
        assert_eq!(two, format!("{frame}event: status\nid: 8\ndata: {{}}\n\n"));
        assert_eq!(frames(&[event]), frame);
    }

    #[test]
    fn line_breaks_in_a_record_do_not_end_the_event() {
        let event = Event::new(STATUS, 1, "{\"meta\":{\r\n\"a\":1\n}}");
        let frame = "event: status\nid: 1\ndata: {\"meta\":{\ndata: \ndata: \"a\":1\ndata: }}\n\n";
        assert_eq!(event.frame, frame);
    }
}
