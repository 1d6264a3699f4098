//! The event stream parser gives the same events wherever the text is cut.
#![cfg(not(target_arch = "wasm32"))]
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "tests may panic"
)]

use proptest::prelude::*;
use tender_element::event_stream::{Message, Parser, TooLong};

const TEXT: &str = "\u{feff}: keep-alive\r\n\r\nid: 7\nevent: created\ndata: {\"a\":1,\ndata:  \"b\":2}\n\n\
                    data\rdata\r\revent: nothing\n\nretry: 5\nid:8\ndata:x\n\nevent: cut off\ndata: y\n";

fn message(event: &str, data: &str, id: &str) -> Message {
    Message {
        event: event.to_owned(),
        data: data.to_owned(),
        last_event_id: Some(id.to_owned()),
    }
}

proptest! {
    #[test]
    fn events_are_the_same_in_whatever_pieces(cuts in prop::collection::vec(0..TEXT.len(), 0..20)) {
        let mut cuts: Vec<_> = cuts.into_iter().filter(|at| TEXT.is_char_boundary(*at)).collect();
        cuts.sort_unstable();
        cuts.push(TEXT.len());
        let mut parser = Parser::default();
        let (mut messages, mut from) = (Vec::new(), 0);
        for to in cuts {
            messages.extend(parser.push(&TEXT[from..to]).unwrap());
            from = to;
        }
        prop_assert_eq!(messages, [
            message("created", "{\"a\":1,\n \"b\":2}", "7"),
            message("message", "\n", "7"),
            message("message", "x", "8"),
        ]);
    }
}

#[test]
fn an_event_that_never_ends_is_given_up() {
    let mut parser = Parser::default();
    let line = format!("data: {}\n", "x".repeat(100_000));
    let ended = (0..20).find_map(|_| parser.push(&line).err());
    assert_eq!(ended, Some(TooLong));
}
