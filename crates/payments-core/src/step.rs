//! The transition function.

mod cancellation;
mod dashboard;
mod deliveries;
mod ledger;
mod newest;
mod older;
mod order_action;
mod payment_link;
mod updates;

use tender_protocol::client::response::{parsed, success};
use tender_protocol::client::{FetchResult, HttpResponse};

use crate::effect::{Effect, HostEvent, Purpose, Request};
use crate::event::Event;
use crate::key::MerchantKey;
use crate::list::ListPage;
use crate::state::{Dashboard, KeyPrompt, State};

/// Handles an event: returns the next state and the effects to execute. An event that does not apply
/// to the state is ignored.
#[must_use]
pub fn step(state: State, event: Event) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    let state = match event {
        Event::Started(key) => load(key, &mut effects),
        Event::KeySubmitted(text) => match state {
            State::KeyRequired(_) => match MerchantKey::parse(&text) {
                Some(key) => load(Some(key), &mut effects),
                None => State::KeyRequired(KeyPrompt::Invalid),
            },
            other
            @ (State::Loading(_) | State::LoggedOut | State::Failed(..) | State::Ready(_)) => other,
        },
        Event::KeyForgotten => require_key(&state, KeyPrompt::Initial, &mut effects),
        Event::RequestFinished(key, request, result) => {
            // Ignores a late response to a request with another key.
            if state.key() == key.as_ref() {
                request_finished(state, request, result, &mut effects)
            } else {
                state
            }
        }
        Event::RefreshRequested => match state {
            State::Failed(key, _) => load(key, &mut effects),
            State::LoggedOut => load(None, &mut effects),
            State::Ready(mut dashboard) => {
                dashboard.refresh_requested(&mut effects);
                State::Ready(dashboard)
            }
            other @ (State::Loading(_) | State::KeyRequired(_)) => other,
        },
        Event::ReloadRequested => {
            effects.push(Effect::ReloadPage);
            state
        }
        event => match state {
            State::Ready(mut dashboard) => {
                dashboard.handle(event, &mut effects);
                State::Ready(dashboard)
            }
            other @ (State::Loading(_)
            | State::KeyRequired(_)
            | State::LoggedOut
            | State::Failed(..)) => other,
        },
    };
    (state, effects)
}

/// Requests the first page.
fn load(key: Option<MerchantKey>, effects: &mut Vec<Effect>) -> State {
    let request = Request::List {
        after: None,
        purpose: Purpose::Initial,
    };
    effects.push(Effect::Send(key.clone(), request));
    State::Loading(key)
}

/// Drops the key and everything that was loaded with it, and asks for a key.
fn require_key(state: &State, prompt: KeyPrompt, effects: &mut Vec<Effect>) -> State {
    if let State::Ready(_) = state {
        effects.push(Effect::Unsubscribe);
    }
    effects.push(Effect::StoreKey(None));
    State::KeyRequired(prompt)
}

fn request_finished(
    state: State,
    request: Request,
    result: FetchResult,
    effects: &mut Vec<Effect>,
) -> State {
    if let Request::List { .. } = request {
        if login_has_ended(&state, &result) {
            return log_out(result, effects);
        }
        if let Some(prompt) = key_prompt(&result, state.key().is_some()) {
            return require_key(&state, prompt, effects);
        }
    }
    match (state, request) {
        (
            State::Loading(key),
            Request::List {
                purpose: Purpose::Initial,
                ..
            },
        ) => first_page_fetched(key, result, effects),
        (State::Ready(mut dashboard), request) => {
            dashboard.request_finished(request, result, effects);
            State::Ready(dashboard)
        }
        (
            other @ (State::Loading(_)
            | State::KeyRequired(_)
            | State::LoggedOut
            | State::Failed(..)),
            _,
        ) => other,
    }
}

fn first_page_fetched(
    key: Option<MerchantKey>,
    result: FetchResult,
    effects: &mut Vec<Effect>,
) -> State {
    match parsed(result, ListPage::parse) {
        Ok(page) => {
            if key.is_some() {
                effects.push(Effect::StoreKey(key.clone()));
            }
            let mut dashboard = Box::new(Dashboard::new(key));
            dashboard.first_page_loaded(page, effects);
            State::Ready(dashboard)
        }
        Err(failure) => {
            effects.push(Effect::Emit(HostEvent::Error(failure.clone())));
            State::Failed(key, failure)
        }
    }
}

/// Whether the shop's login has expired: the list was loaded without a key, because the shop's
/// backend adds it, and the backend now responds with 401. The merchant has no key to enter then.
fn login_has_ended(state: &State, result: &FetchResult) -> bool {
    let is_behind_login = matches!(state, State::Ready(dashboard) if dashboard.key.is_none());
    is_behind_login && matches!(result, Ok(HttpResponse { status: 401, .. }))
}

/// Drops everything that was loaded, and reports it to the page, which may show its login form.
fn log_out(result: FetchResult, effects: &mut Vec<Effect>) -> State {
    effects.push(Effect::Unsubscribe);
    if let Err(failure) = success(result) {
        effects.push(Effect::Emit(HostEvent::Error(failure)));
    }
    State::LoggedOut
}

/// Whether the response says that a merchant key is required (401), or that this key is not valid
/// (401 or 403).
fn key_prompt(result: &FetchResult, has_key: bool) -> Option<KeyPrompt> {
    match result {
        Ok(HttpResponse {
            status: 401 | 403, ..
        }) if has_key => Some(KeyPrompt::Rejected),
        Ok(HttpResponse { status: 401, .. }) => Some(KeyPrompt::Initial),
        _ => None,
    }
}
