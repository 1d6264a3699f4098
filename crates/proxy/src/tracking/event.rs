//! Server-sent events (HTML standard).

use axum::response::sse;
use tender_protocol::event::STATUS;

use crate::statuses::Statuses;
use crate::store::payments::Change;

/// An event with a record of a payment.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) id: i64,
    pub(super) content: sse::Event,
}

impl Event {
    pub(super) fn new(name: &str, id: i64, record: &str) -> Self {
        // JSON may contain line breaks between its tokens. Each line becomes a `data:` field, and
        // the client joins them again. A field can't contain a carriage return.
        let data = record.replace('\r', "\n");
        let content = sse::Event::default().event(name).id(id.to_string());
        Self {
            id,
            content: content.data(data),
        }
    }
}

impl Statuses {
    /// The event of a change, with the payment's state.
    pub(super) fn event(&self, change: &Change) -> Event {
        self.named_event(STATUS, change)
    }

    pub(super) fn named_event(&self, name: &str, change: &Change) -> Event {
        let record = self.with_state(&change.record, change.ending);
        Event::new(name, change.id, &record)
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use axum::body::to_bytes;
    use axum::response::{IntoResponse, Sse};
    use futures_util::stream::iter;

    use super::*;

    async fn frame(event: Event) -> String {
        let stream = iter([Ok::<_, Infallible>(event.content)]);
        let body = Sse::new(stream).into_response().into_body();
        let bytes = to_bytes(body, usize::MAX).await.unwrap();
        String::from_utf8(bytes.into()).unwrap()
    }

    #[tokio::test]
    async fn an_event_has_a_name_an_id_and_the_record() {
        let event = Event::new(STATUS, 7, r#"{"quantity":1.10}"#);
        let expected = "event: status\nid: 7\ndata: {\"quantity\":1.10}\n\n";
        assert_eq!(frame(event).await, expected);
    }

    #[tokio::test]
    async fn line_breaks_in_a_record_do_not_end_the_event() {
        let event = Event::new(STATUS, 1, "{\"meta\":{\r\n\"a\":1\n}}");
        let expected =
            "event: status\nid: 1\ndata: {\"meta\":{\ndata: \ndata: \"a\":1\ndata: }}\n\n";
        assert_eq!(frame(event).await, expected);
    }
}
