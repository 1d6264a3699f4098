//! The checkout of the payment page: the widget's own state machine and components. The page works without JavaScript, so
//! each request reads the state and renders the page.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use tender_checkout::render::{Page, decimal_separator};
use tender_checkout_core::{
    Access, AttemptKey, Config, ConfigError, Edit, Effect, Event, FetchResult, FormEvent,
    HttpResponse, PaymentEvent, Phase, Reason, SentEvent, State, SubmitStep, saved, step,
};
use tender_protocol::{Problem, TokenCode};

pub(crate) struct Checkout {
    pub(crate) page: Page,
    /// Those of the element that can replace the page.
    attributes: BTreeMap<String, String>,
}

pub(crate) struct Submitted {
    /// The body of the create request.
    pub(crate) request: String,
    /// The open payment that the new one replaces.
    pub(crate) replaces: Option<String>,
}

impl Checkout {
    /// The payment of a signed order that the look-up has found, or the form. `attributes` are some of
    /// [`OFFERED`](tender_checkout_core::config::OFFERED).
    pub(crate) fn new(
        order: &str,
        mut attributes: BTreeMap<String, String>,
        locale: &str,
        found: FetchResult,
        listing: FetchResult,
    ) -> Result<Self, ConfigError> {
        let known = [("proxy", "."), ("order", order), ("locale", locale)];
        attributes.extend(known.map(|(name, value)| (name.to_owned(), value.to_owned())));
        let attribute = |name: &str| attributes.get(name).cloned();
        // The page sends no requests itself.
        let mut config = Config::read(attribute, |_| Some("https://proxy.invalid".to_owned()))?;
        config.decimal_separator = decimal_separator(&config);
        let mut checkout = Self::of(config);
        checkout.attributes = attributes;
        checkout.apply(Event::Started(None));
        checkout.apply(Event::FindFinished(found));
        checkout.apply(Event::TokensFetched(listing));
        Ok(checkout)
    }

    /// Says why there is no checkout.
    pub(crate) fn failed(locale: &str, problem: &Problem) -> Result<Self, ConfigError> {
        // Nothing of the order is shown.
        let attribute = |name| match name {
            "token" => Some("btc".to_owned()),
            "quantity" => Some("1".to_owned()),
            "locale" => Some(locale.to_owned()),
            _ => None,
        };
        let mut checkout = Self::of(Config::displayed(attribute)?);
        checkout.apply(Event::TokensFetched(Ok(refused(problem))));
        Ok(checkout)
    }

    fn of(config: Config) -> Self {
        Self {
            page: Page {
                config,
                state: State::default(),
                address: String::new(),
                hash: None,
                asks_to_remove: false,
                live: None,
                refresh: None,
            },
            attributes: BTreeMap::new(),
        }
    }

    /// Applies an event. The effects are those of a page with JavaScript.
    pub(crate) fn apply(&mut self, event: impl Into<Event>) -> Vec<Effect> {
        let state = std::mem::take(&mut self.page.state);
        let (state, effects) = step(&self.page.config, state, event.into());
        self.page.state = state;
        effects
    }

    /// Notes that this browser has created or marked the payment, the hash that its buyer has entered, and the secret of its
    /// mark; each may be empty.
    pub(crate) fn own(&mut self, hash: &str, secret: &str) {
        if let Phase::Awaiting(payment) = &mut self.page.state.phase
            && payment.facts.access == Access::Found
        {
            payment.facts.access = Access::Owned;
        }
        if !hash.is_empty() {
            self.apply(PaymentEvent::HashEntered(hash.to_owned()));
        }
        if let Some(id) = self.transaction_id().filter(|_| !secret.is_empty()) {
            let mark = json!({ "secret": secret }).to_string();
            self.apply(SentEvent::MarkFinished(id, Ok(success(mark))));
        }
    }

    /// Begins to cancel the payment. Returns its transactionId, unless it can't be cancelled.
    pub(crate) fn cancel(&mut self) -> Option<String> {
        self.apply(PaymentEvent::CancelRequested);
        let mut effects = self.apply(PaymentEvent::CancelConfirmed).into_iter();
        effects.find_map(|effect| match effect {
            Effect::Cancel { transaction_id, .. } => Some(transaction_id),
            _ => None,
        })
    }

    pub(crate) fn fill(&mut self, fields: &HashMap<String, String>) {
        let mut fill = |name: &str, edit: fn(String) -> Edit| {
            if let Some(text) = fields.get(name) {
                self.apply(edit(text.clone()));
            }
        };
        fill("payment-token", |code| Edit::Token(TokenCode::from(code)));
        fill("email", Edit::Email);
        fill("name", Edit::Name);
        fill("amount", Edit::Amount);
    }

    /// Submits the form; `None` if it has a problem, or if the order's payment is shown instead.
    pub(crate) fn submit(&mut self) -> Option<Submitted> {
        let mut effects = self.apply(FormEvent::Submitted(key())).into_iter();
        let (attempt, replaced) = effects.find_map(|effect| match effect {
            Effect::Create(attempt, replaced) => Some((attempt, replaced)),
            _ => None,
        })?;
        Some(Submitted {
            request: serde_json::to_string(&attempt.request).ok()?,
            replaces: replaced.map(|replaced| replaced.transaction_id),
        })
    }

    /// Reads the response to the create request. A record that contradicts the request is not shown.
    pub(crate) fn created(&mut self, result: FetchResult) {
        self.apply(FormEvent::CreateFinished(key(), result));
    }

    /// Whether the look-up has to say why no payment was created.
    pub(crate) fn asks_for_cause(&self) -> bool {
        matches!(
            self.page.state.phase,
            Phase::Submitting(_, _, SubmitStep::Finding(Some(_)))
        )
    }

    /// Offers to pay with another token, if the payment can still be replaced or has ended.
    pub(crate) fn choose_again(&mut self, listing: FetchResult) {
        let chosen = self.page.state.payment();
        let chosen = chosen.map(|payment| payment.choice.code.clone());
        self.apply(PaymentEvent::ChangeRequested);
        if matches!(self.page.state.phase, Phase::NotPayable(Reason::Closed, _)) {
            self.apply(Event::Reset);
        }
        if matches!(self.page.state.phase, Phase::Loading(..)) {
            self.apply(Event::TokensFetched(listing));
        }
        if let Some(code) = chosen {
            self.apply(Edit::Token(code));
        }
    }

    pub(crate) fn transaction_id(&self) -> Option<String> {
        let record = &self.page.state.payment()?.record;
        Some(record.transaction_id.clone())
    }

    /// Whether this request has created the payment.
    pub(crate) fn is_owned(&self) -> bool {
        let payment = self.page.state.payment();
        payment.is_some_and(|payment| payment.facts.access == Access::Owned)
    }

    /// The payment that is shown, or that another one would replace.
    pub(crate) fn open_id(&self) -> Option<String> {
        let state = &self.page.state;
        let open = || state.choosing().and(state.context.open_payment());
        let record = &state.payment().or_else(open)?.record;
        Some(record.transaction_id.clone())
    }

    /// Whether the page waits for a payment.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(
            self.page.state.phase,
            Phase::Awaiting(_)
                | Phase::NotPayable(Reason::Pending | Reason::Underpaid | Reason::Unknown, _)
        )
    }

    /// Lets the page's script replace the page by the live element (`src/pay.js`).
    pub(crate) fn go_live(&mut self) {
        let live = json!({
            "attributes": self.attributes,
            "invoice": self.page.config.order.claims().invoice_number,
            "saved": saved::save(&self.page.config, &self.page.state),
            "waits": self.is_waiting(),
        });
        self.page.live = Some(live.to_string());
    }
}

/// The attempt of a request. It needs no key: the proxy finds it by the signed order.
fn key() -> AttemptKey {
    AttemptKey(String::new())
}

pub(crate) fn success(body: String) -> HttpResponse {
    HttpResponse { status: 200, body }
}

/// The response to the look-up if the order has no payment.
pub(crate) fn no_payment() -> HttpResponse {
    HttpResponse {
        status: 204,
        body: String::new(),
    }
}

pub(crate) fn refused(problem: &Problem) -> HttpResponse {
    HttpResponse {
        status: problem.status,
        body: serde_json::to_string(problem).unwrap_or_default(),
    }
}
