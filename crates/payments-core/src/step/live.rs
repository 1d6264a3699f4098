//! How new payments become known: by the proxy's stream where there is one, else by looking again.

use tender_protocol::{Payment, event};

use crate::book::Place;
use crate::effect::Effect;
use crate::state::{Desk, Live};
use crate::stream::Message;

/// Seconds between two looks without a stream.
const POLL: u32 = 15;
/// With one: for what a stream may have missed.
const CHECK: u32 = 60;
/// For what was told while a look was under way.
const SOON: u32 = 2;
/// The most seconds before a lost stream is opened again.
const MAX_BACKOFF: u32 = 60;

impl Desk {
    /// Opens the stream.
    pub(super) fn listen(&mut self, effects: &mut Vec<Effect>) {
        let failures = match self.live {
            Live::Lost(failures) => failures,
            _ => 0,
        };
        self.live = Live::Connecting(failures);
        effects.push(Effect::Listen {
            key: self.key.clone(),
            last_event_id: self.last_event_id.clone(),
        });
        effects.push(Effect::LookIn(CHECK));
    }

    pub(super) fn stream_opened(&mut self) {
        if let Live::Connecting(_) = self.live {
            self.live = Live::Streaming;
        }
    }

    pub(super) fn heard(&mut self, message: Message, effects: &mut Vec<Effect>) {
        if message.last_event_id.is_some() {
            self.last_event_id = message.last_event_id;
        }
        match &*message.event {
            event::LEDGER => self.ask_what_is_known(effects),
            event::CREATED | event::STATUS => {
                // What can't be read is seen at the next look at the list.
                let Ok(payment) = Payment::parse(&message.data) else {
                    return;
                };
                if self.book.get(&payment.transaction_id).is_some() {
                    let merged = self.book.take(vec![payment], &Place::Front);
                    self.news(merged, effects);
                } else if message.event == event::CREATED {
                    // Where it stands is the list's to say, and what else is new with it.
                    if !self.look(effects) {
                        effects.push(Effect::LookIn(SOON));
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn stream_lost(&mut self, effects: &mut Vec<Effect>) {
        let failures = match self.live {
            Live::Streaming => 0,
            Live::Connecting(failures) => failures,
            _ => return,
        };
        self.live = Live::Lost(failures + 1);
        let seconds = 1_u32.checked_shl(failures).unwrap_or(MAX_BACKOFF);
        effects.push(Effect::LookIn(seconds.min(MAX_BACKOFF)));
    }

    pub(super) fn stream_refused(&mut self, effects: &mut Vec<Effect>) {
        if matches!(self.live, Live::Connecting(_) | Live::Streaming) {
            self.live = Live::Polling;
            effects.push(Effect::LookIn(POLL));
        }
    }

    pub(super) fn look_due(&mut self, effects: &mut Vec<Effect>) {
        if self.live == Live::Resting {
            return;
        }
        self.look(effects);
        match self.live {
            Live::Lost(_) => self.listen(effects),
            Live::Polling => effects.push(Effect::LookIn(POLL)),
            _ => effects.push(Effect::LookIn(CHECK)),
        }
    }

    pub(super) fn seen(&mut self, effects: &mut Vec<Effect>) {
        if self.live == Live::Resting {
            self.look(effects);
            self.listen(effects);
        }
    }

    pub(super) fn hidden(&mut self, effects: &mut Vec<Effect>) {
        if self.live != Live::Resting {
            self.live = Live::Resting;
            effects.push(Effect::StopListening);
        }
    }
}
