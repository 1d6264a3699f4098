//! Updates of the list: from the proxy's event stream if it offers one, otherwise by polling.

use tender_protocol::{Payment, event};

use crate::effect::Effect;
use crate::state::{Dashboard, Updates};

/// Seconds between two polls without a stream.
const POLL_SECONDS: u32 = 15;
/// Seconds between two polls with a stream, in case an event was lost.
const STREAMING_POLL_SECONDS: u32 = 60;
/// Seconds until the next poll if a refresh is running when an event arrives.
const RETRY_SECONDS: u32 = 2;
/// The maximum number of seconds before a disconnected stream reconnects.
const MAX_BACKOFF_SECONDS: u32 = 60;
/// The number of polls after which routes that the proxy did not have are requested again: the
/// proxy may have been restarting, or may have been updated.
const POLLS_BEFORE_RETRY: u32 = 20;

impl Dashboard {
    /// Connects to the event stream.
    pub(super) fn subscribe(&mut self, effects: &mut Vec<Effect>) {
        let failures = match self.updates {
            Updates::Disconnected(failures) => failures,
            Updates::Connecting(_) | Updates::Streaming | Updates::Polling(_) | Updates::Paused => {
                0
            }
        };
        self.updates = Updates::Connecting(failures);
        effects.push(Effect::Subscribe {
            key: self.key.clone(),
            last_event_id: self.last_event_id.clone(),
        });
        effects.push(Effect::SchedulePoll(STREAMING_POLL_SECONDS));
    }

    pub(super) fn stream_opened(&mut self) {
        if let Updates::Connecting(_) = self.updates {
            self.updates = Updates::Streaming;
            // A proxy with a stream has a ledger too.
            self.retry_missing_routes();
        }
    }

    pub(super) fn stream_message(
        &mut self,
        event: &str,
        data: &str,
        last_event_id: Option<String>,
        effects: &mut Vec<Effect>,
    ) {
        if last_event_id.is_some() {
            self.last_event_id = last_event_id;
        }
        match event {
            event::LEDGER => self.fetch_ledger(effects),
            event::CREATED | event::STATUS => {
                // An unreadable record is ignored here. The next poll reads it from the list.
                let Ok(payment) = Payment::parse(data) else {
                    return;
                };
                self.expect_delivery(effects);
                if self.list.get(&payment.transaction_id).is_some() {
                    let merged = self.list.merge(vec![payment]);
                    self.payments_merged(merged, effects);
                } else if event == event::CREATED {
                    // The position of the payment is known only from the list.
                    if !self.refresh(effects) {
                        effects.push(Effect::SchedulePoll(RETRY_SECONDS));
                    }
                }
            }
            _ => {}
        }
    }

    pub(super) fn stream_disconnected(&mut self, effects: &mut Vec<Effect>) {
        let failures = match self.updates {
            Updates::Streaming => 0,
            Updates::Connecting(failures) => failures,
            Updates::Disconnected(_) | Updates::Polling(_) | Updates::Paused => return,
        };
        self.updates = Updates::Disconnected(failures + 1);
        let seconds = 1_u32.checked_shl(failures).unwrap_or(MAX_BACKOFF_SECONDS);
        effects.push(Effect::SchedulePoll(seconds.min(MAX_BACKOFF_SECONDS)));
    }

    pub(super) fn stream_unsupported(&mut self, effects: &mut Vec<Effect>) {
        if matches!(self.updates, Updates::Connecting(_) | Updates::Streaming) {
            self.updates = Updates::Polling(0);
            effects.push(Effect::SchedulePoll(POLL_SECONDS));
        }
    }

    pub(super) fn poll_due(&mut self, effects: &mut Vec<Effect>) {
        if self.updates == Updates::Paused {
            return;
        }
        if let Updates::Polling(polls) = &mut self.updates {
            *polls += 1;
            if *polls >= POLLS_BEFORE_RETRY {
                return self.refresh_requested(effects);
            }
        }
        self.refresh(effects);
        match self.updates {
            Updates::Disconnected(_) => self.subscribe(effects),
            Updates::Polling(_) => effects.push(Effect::SchedulePoll(POLL_SECONDS)),
            Updates::Connecting(_) | Updates::Streaming | Updates::Paused => {
                effects.push(Effect::SchedulePoll(STREAMING_POLL_SECONDS));
            }
        }
    }

    /// Refreshes, and requests the routes again that the proxy did not have.
    pub(super) fn refresh_requested(&mut self, effects: &mut Vec<Effect>) {
        self.retry_missing_routes();
        self.refresh(effects);
        if let Updates::Polling(_) = self.updates {
            self.subscribe(effects);
        }
    }

    /// The page is visible again, or back online: it does not wait for the timer.
    pub(super) fn page_visible(&mut self, effects: &mut Vec<Effect>) {
        match self.updates {
            Updates::Connecting(_) | Updates::Streaming => {}
            Updates::Disconnected(_) | Updates::Polling(_) | Updates::Paused => {
                self.retry_missing_routes();
                self.refresh(effects);
                self.subscribe(effects);
            }
        }
    }

    fn retry_missing_routes(&mut self) {
        self.ledger.retry();
        self.deliveries.retry();
    }

    pub(super) fn page_hidden(&mut self, effects: &mut Vec<Effect>) {
        if self.updates != Updates::Paused {
            self.updates = Updates::Paused;
            effects.push(Effect::Unsubscribe);
        }
    }
}
