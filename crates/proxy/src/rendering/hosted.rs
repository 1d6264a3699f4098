//! The checkout of the payment page: the widget's own state machine and components. The page works without JavaScript, so
//! each request reads the state and renders the page.

use std::collections::{BTreeMap, HashMap};

use serde_json::json;
use tender_checkout::render::{Page, decimal_separator};
use tender_checkout_core::{
    AttemptKey, BuyerField, Config, ConfigError, DecimalSeparator, Event, FetchResult,
    HttpResponse, State, memory, step,
};
use tender_protocol::{CreatePayment, Problem, TokenCode};

/// The attributes of the element that the page's address may have.
pub(crate) const ATTRIBUTES: [&str; 3] = ["accept", "ask", "payment-token"];

/// The checkout that a request shows.
pub(crate) struct Checkout {
    pub(crate) page: Page,
}

/// A payment that was created earlier.
pub(crate) struct EarlierPayment {
    /// The request of its attempt.
    pub(crate) request: CreatePayment,
    /// Its record when it was created, with its receipt, as JSON.
    pub(crate) created: String,
    /// Its latest record, as JSON.
    pub(crate) latest: String,
}

impl Checkout {
    /// The form for a signed order. `attributes` are some of [`ATTRIBUTES`].
    pub(crate) fn new(
        order: &str,
        attributes: &HashMap<String, String>,
        locale: &str,
        listing: FetchResult,
    ) -> Result<Self, ConfigError> {
        let attribute = |name| match name {
            "order" => Some(order.to_owned()),
            // The page sends no requests itself.
            "proxy" => Some("/".to_owned()),
            "locale" => Some(locale.to_owned()),
            name if ATTRIBUTES.contains(&name) => attributes.get(name).cloned(),
            _ => None,
        };
        let mut config = Config::read(attribute, |_| Some("https://proxy.invalid".to_owned()))?;
        config.decimal_separator = decimal_separator(&config);
        Ok(Self::of(config, listing))
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
        Ok(Self::of(
            Config::displayed(attribute)?,
            Ok(refused(problem)),
        ))
    }

    fn of(config: Config, listing: FetchResult) -> Self {
        let mut checkout = Self {
            page: Page {
                config,
                state: State::default(),
                shop_name: None,
                address: String::new(),
                hash: None,
                live: None,
                refresh: None,
            },
        };
        checkout.offer(listing);
        checkout
    }

    fn offer(&mut self, listing: FetchResult) {
        self.apply(Event::TokensFetched(listing));
        if let State::Choosing(choosing, _) = &mut self.page.state {
            // The page requests nothing from other servers, so it shows no logos.
            for choice in &mut choosing.choices {
                choice.logo = None;
            }
        }
    }

    /// Applies an event. The effects are those of a page with JavaScript.
    pub(crate) fn apply(&mut self, event: Event) {
        let state = std::mem::take(&mut self.page.state);
        (self.page.state, _) = step(&self.page.config, state, event);
    }

    /// Fills in the form.
    pub(crate) fn fill(&mut self, fields: &HashMap<String, String>) {
        let mut fill = |name: &str, event: fn(String) -> Event| {
            if let Some(text) = fields.get(name) {
                self.apply(event(text.clone()));
            }
        };
        fill("payment-token", |code| {
            Event::TokenChosen(TokenCode::from(code))
        });
        fill("email", Event::EmailTyped);
        fill("name", Event::NameTyped);
        fill("amount", Event::AmountTyped);
    }

    /// Submits the form. Returns the body of the create request, unless the form has a problem.
    pub(crate) fn submit(&mut self) -> Option<String> {
        self.apply(Event::Submitted(key()));
        match &self.page.state {
            State::Submitting(_, attempt, _) => serde_json::to_string(&attempt.request).ok(),
            _ => None,
        }
    }

    /// Reads the response to the create request. A record that contradicts the request is not shown.
    pub(crate) fn created(&mut self, result: FetchResult) {
        self.apply(Event::CreateFinished(key(), result));
    }

    /// Shows a payment that was created earlier.
    pub(crate) fn show(&mut self, payment: EarlierPayment, listing: FetchResult) {
        let full = self.page.config.clone();
        // The payment has been created, whatever the page offers now.
        self.page.config.accept.clear();
        self.page.config.ask_email = BuyerField::Hidden;
        self.page.config.ask_name = BuyerField::Hidden;
        self.page.config.decimal_separator = DecimalSeparator::Point;
        self.page.state = State::default();
        self.offer(listing);
        let request = payment.request;
        self.apply(Event::TokenChosen(request.payment_token));
        self.apply(Event::AmountTyped(request.quantity.to_string()));
        self.submit();
        self.created(Ok(success(payment.created)));
        if let Some(id) = self.transaction_id() {
            self.apply(Event::Refreshed);
            self.apply(Event::StatusFetched(id, Ok(success(payment.latest))));
        }
        self.page.config = full;
    }

    /// Offers to pay with another token, if the payment can still be replaced or has ended.
    pub(crate) fn choose_again(&mut self, listing: FetchResult) {
        self.apply(Event::ChangeRequested);
        if matches!(self.page.state, State::Closed(_)) {
            self.apply(Event::Reset);
        }
        if matches!(self.page.state, State::Loading(_)) {
            self.offer(listing);
        }
    }

    /// The payment that is shown.
    pub(crate) fn transaction_id(&self) -> Option<String> {
        let payment = &self.page.state.payment()?.payment;
        Some(payment.transaction_id.clone())
    }

    /// Whether the page waits for a payment.
    pub(crate) fn is_waiting(&self) -> bool {
        matches!(self.page.state, State::Awaiting(_))
    }

    /// Lets the page's script replace the page by the live element (`src/pay.js`). `attributes` are some of [`ATTRIBUTES`].
    pub(crate) fn go_live(
        &mut self,
        order: &str,
        attributes: &HashMap<String, String>,
        locale: &str,
    ) {
        let known = [("proxy", "/"), ("order", order), ("locale", locale)];
        let given = attributes.iter().map(|(name, value)| (&**name, &**value));
        let attributes: BTreeMap<_, _> = given.chain(known).collect();
        let live = json!({
            "attributes": attributes,
            "invoice": self.page.config.order.claims().invoice_number,
            "saved": memory::remember(&self.page.config, &self.page.state),
            "waits": self.is_waiting(),
        });
        self.page.live = Some(live.to_string());
    }
}

/// The attempt of a request. It needs no key: the proxy finds it by the signed order.
fn key() -> AttemptKey {
    AttemptKey(String::new())
}

/// A successful response with this body.
pub(crate) fn success(body: String) -> HttpResponse {
    HttpResponse { status: 200, body }
}

/// The response with this problem.
pub(crate) fn refused(problem: &Problem) -> HttpResponse {
    HttpResponse {
        status: problem.status,
        body: serde_json::to_string(problem).unwrap_or_default(),
    }
}
