//! The transition function.

mod cancelling;
mod live;
mod reading;

use tender_client::answer::{is_absent, success};
use tender_client::{FetchResult, HttpResponse};
use tender_protocol::Ledger;

use crate::csv;
use crate::effect::{Ask, Effect, HostEvent, Purpose};
use crate::event::Event;
use crate::key::Key;
use crate::state::{Cancelling, Desk, Entry, Knowledge, Known, Older, State};

/// Takes in an event: the next state, and what is to be done. An event that has no meaning in a
/// state changes nothing.
#[must_use]
pub fn step(state: State, event: Event) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    let state = match event {
        Event::Started(key) => open(key, &mut effects),
        Event::KeyEntered(text) => match (state, Key::read(&text)) {
            (State::Locked(_), Some(key)) => open(Some(key), &mut effects),
            (State::Locked(_), None) => State::Locked(Entry::Unfit),
            (other, _) => other,
        },
        Event::KeyForgotten => lock(&state, Entry::Wanted, &mut effects),
        Event::ListAnswered(ask, answered) => listed(state, &ask, answered, &mut effects),
        Event::Refreshed => match state {
            State::Unavailable(key, _) => open(key, &mut effects),
            State::LoggedOut => open(None, &mut effects),
            State::Open(mut desk) => {
                desk.look(&mut effects);
                State::Open(desk)
            }
            other => other,
        },
        Event::ReloadWanted => {
            effects.push(Effect::Reload);
            state
        }
        event => match state {
            State::Open(mut desk) => {
                desk.take(event, &mut effects);
                State::Open(desk)
            }
            other => other,
        },
    };
    (state, effects)
}

/// Asks for the first page.
fn open(key: Option<Key>, effects: &mut Vec<Effect>) -> State {
    effects.push(Effect::ReadList(Ask {
        key: key.clone(),
        page: 1,
        purpose: Purpose::Open,
    }));
    State::Opening(key)
}

/// Lets go of the key, and of all that was read with it.
fn lock(state: &State, why: Entry, effects: &mut Vec<Effect>) -> State {
    if let State::Open(_) = state {
        effects.push(Effect::StopListening);
    }
    effects.push(Effect::KeepKey(None));
    State::Locked(why)
}

fn listed(state: State, ask: &Ask, answered: FetchResult, effects: &mut Vec<Effect>) -> State {
    if state.key() != ask.key.as_ref() {
        return state;
    }
    if has_logged_out(&state, &answered) {
        return log_out(answered, effects);
    }
    if let Some(why) = refuses_key(&answered, ask.key.is_some()) {
        return lock(&state, why, effects);
    }
    let page = reading::page(answered);
    match (state, page) {
        (State::Opening(key), Ok(page)) if ask.purpose == Purpose::Open => {
            if key.is_some() {
                effects.push(Effect::KeepKey(key.clone()));
            }
            let mut desk = Box::new(Desk::new(key));
            desk.opened(page, effects);
            State::Open(desk)
        }
        (State::Opening(key), Err(failure)) if ask.purpose == Purpose::Open => {
            effects.push(Effect::Tell(HostEvent::Error(failure.clone())));
            State::Unavailable(key, failure)
        }
        (State::Open(mut desk), page) => {
            desk.listed(ask, page, effects);
            State::Open(desk)
        }
        (other, _) => other,
    }
}

/// Whether the login has ended behind which the list was read: whoever adds the key there says now that nobody
/// is logged in (401). A key that the merchant doesn't hold is not asked for.
fn has_logged_out(state: &State, answered: &FetchResult) -> bool {
    let is_behind_login = matches!(state, State::Open(desk) if desk.key.is_none());
    is_behind_login && matches!(answered, Ok(HttpResponse { status: 401, .. }))
}

/// Lets go of all that was read, and tells the page, which may offer its login.
fn log_out(answered: FetchResult, effects: &mut Vec<Effect>) -> State {
    effects.push(Effect::StopListening);
    if let Err(failure) = success(answered) {
        effects.push(Effect::Tell(HostEvent::Error(failure)));
    }
    State::LoggedOut
}

/// Whether the answer says that a merchant key is needed (401), or that this one is not valid (403).
fn refuses_key(answered: &FetchResult, has_key: bool) -> Option<Entry> {
    match answered {
        Ok(HttpResponse {
            status: 401 | 403, ..
        }) if has_key => Some(Entry::Refused),
        Ok(HttpResponse { status: 401, .. }) => Some(Entry::Wanted),
        _ => None,
    }
}

impl Desk {
    /// What has a meaning only while the list is there.
    fn take(&mut self, event: Event, effects: &mut Vec<Effect>) {
        match event {
            Event::CancelAnswered(id, answered) => self.cancel_answered(&id, answered, effects),
            Event::LedgerAnswered(key, answered) if key == self.key => self.know(answered),
            Event::StreamOpened => self.stream_opened(),
            Event::StreamHeard(message) => self.heard(message, effects),
            Event::StreamLost => self.stream_lost(effects),
            Event::StreamRefused => self.stream_refused(effects),
            Event::LookDue => self.look_due(effects),
            Event::PageSeen => self.seen(effects),
            Event::PageHidden => self.hidden(effects),
            Event::Newer => self.turn(self.page.saturating_sub(1), effects),
            Event::Older => self.go_older(effects),
            Event::Searched(text) => {
                self.filter.text = text;
                self.refilter(effects);
            }
            Event::StatusChosen(status) => {
                self.filter.status = status;
                self.refilter(effects);
            }
            Event::SearchedOn => self.search_on(effects),
            Event::Stopped => self.stop_search(),
            Event::Attended(is_attended) => {
                self.is_attended = is_attended;
                self.release();
            }
            Event::NewShown => {
                self.show_new();
                self.turn(0, effects);
            }
            Event::Selected(id, is_selected) => self.select(id, is_selected),
            Event::AllSelected(are_selected) => {
                let shown: Vec<_> = self.shown().map(|row| row.transaction_id.clone()).collect();
                for id in shown {
                    self.select(id, are_selected);
                }
            }
            Event::CancelWanted(ids) => self.want_cancelled(&ids),
            Event::CancelSelectedWanted => {
                let ids: Vec<_> = self.selected.iter().cloned().collect();
                self.want_cancelled(&ids);
            }
            Event::CancelKept | Event::CancelRead => self.end_cancelling(),
            Event::CancelConfirmed => self.begin_cancelling(effects),
            Event::Exported => effects.push(Effect::Download {
                name: "payments.csv",
                media_type: csv::MEDIA_TYPE,
                content: format!("{}{}", csv::BYTE_ORDER_MARK, csv::write(self.matching())),
            }),
            _ => {}
        }
    }

    /// Shows another page of what matches.
    fn turn(&mut self, page: usize, effects: &mut Vec<Effect>) {
        self.page = page.min(self.pages() - 1);
        self.selected.clear();
        self.release();
        self.ask_what_is_known(effects);
    }

    fn refilter(&mut self, effects: &mut Vec<Effect>) {
        if matches!(self.older, Older::NotFound(_)) {
            self.older = Older::Open;
        }
        self.turn(0, effects);
    }

    fn select(&mut self, id: String, is_selected: bool) {
        if !is_selected {
            self.selected.remove(&id);
        } else if self.shown().any(|row| row.transaction_id == id) {
            self.selected.insert(id);
        }
    }

    /// Shows the new payments, where that moves no row that someone is at.
    fn release(&mut self) {
        let is_asked = self.cancelling != Cancelling::No;
        if !self.is_attended && self.page == 0 && !(is_asked && self.book.has_gap()) {
            self.show_new();
        }
    }

    /// Shows the new payments. Where there is a gap behind them, what was there before comes back with the older
    /// pages: none is passed over.
    fn show_new(&mut self) {
        self.held.clear();
        if self.book.has_gap() {
            self.book.cut_at_gap();
            self.selected.retain(|id| self.book.get(id).is_some());
            if !matches!(self.older, Older::Waiting(_)) {
                self.older = Older::Open;
            }
        }
    }

    /// Asks what the proxy knows of the payments that are shown, and which orders are open.
    fn ask_what_is_known(&self, effects: &mut Vec<Effect>) {
        if self.knowledge != Knowledge::Absent {
            effects.push(Effect::ReadLedger {
                key: self.key.clone(),
                transaction_ids: self.shown().map(|row| row.transaction_id.clone()).collect(),
            });
        }
    }

    fn know(&mut self, answered: FetchResult) {
        if is_absent(&answered) {
            self.knowledge = Knowledge::Absent;
            return;
        }
        // What can't be had now is asked for again with the next page: the list is what matters.
        let Some(ledger) = success(answered)
            .ok()
            .and_then(|json| Ledger::parse(&json).ok())
        else {
            return;
        };
        let mut known = match std::mem::replace(&mut self.knowledge, Knowledge::Nothing) {
            Knowledge::Known(known) => known,
            _ => Known::default(),
        };
        for payment in ledger.payments {
            known
                .payments
                .insert(payment.transaction_id.clone(), payment);
        }
        known.reconciling = ledger.reconciling;
        known.more = ledger.more;
        self.knowledge = Knowledge::Known(known);
    }
}
