//! Attributes, records and responses for the tests, and a checkout to use them with.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonschema::Validator;
use serde_json::Value;
use tender_checkout_core::asset::{AssetInfo, Network};
use tender_checkout_core::order::Buyer;
use tender_checkout_core::response::created;
use tender_checkout_core::saved::save;
use tender_checkout_core::{
    AttemptKey, CheckoutPayment, Choosing, Config, ConfigError, Context, Edit, Effect, Event,
    Failure, FailureCode, FetchResult, Form, FormEvent, HostEvent, HttpResponse, MarkSecret, Order,
    PaymentEvent, PaymentReceipt, Phase, Reason, SentEvent, State, StatusEvent, TransportError,
    WalletAnswer, WalletQuestion, step,
};
use tender_protocol::{Payment, Token, TokenCode, TokenName};
use url::Url;

/// An order in plain attributes.
pub(crate) const PLAIN: [(&str, &str); 4] = [
    ("proxy", "https://pay.example"),
    ("token", "usdtt"),
    ("quantity", "25.50"),
    ("invoice-number", "INV-1042"),
];

/// The page's address, which relative addresses are resolved against.
const PAGE: &str = "https://shop.example/cart/index.html";

/// Reads attributes, with addresses resolved as a browser does.
pub(crate) fn read(attributes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let attributes: BTreeMap<_, _> = attributes.iter().copied().collect();
    Config::read(
        |name| attributes.get(name).map(|value| (*value).to_owned()),
        |address| Some(Url::parse(PAGE).ok()?.join(address).ok()?.into()),
    )
}

/// Reads [`PLAIN`] with other or further attributes.
pub(crate) fn read_with(changes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    read(&[&PLAIN, changes].concat())
}

/// The configuration of [`PLAIN`] with other or further attributes.
pub(crate) fn config(changes: &[(&str, &str)]) -> Config {
    read_with(changes).unwrap()
}

/// The configuration of the order of [`PLAIN`], signed, with further attributes.
pub(crate) fn signed_with(attributes: &[(&str, &str)]) -> Config {
    let claims = r#"{"token":"usdtt","quantity":"25.50","invoiceNumber":"INV-1042"}"#;
    signed(claims, attributes).unwrap()
}

/// Reads a signed order with these claims, and further attributes.
pub(crate) fn signed(claims: &str, attributes: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let order = jwt(claims);
    let signed = [("proxy", "https://pay.example"), ("order", &*order)];
    read(&[&signed, attributes].concat())
}

/// A JWT with these claims, as a backend would sign it. The signature is not verified here.
pub(crate) fn jwt(claims: &str) -> String {
    let part = |text: &str| URL_SAFE_NO_PAD.encode(text);
    let header = part(r#"{"alg":"HS256","typ":"JWT"}"#);
    format!("{header}.{}.{}", part(claims), part("signature"))
}

pub(crate) fn code(code: &str) -> TokenCode {
    TokenCode::from(code)
}

pub(crate) fn codes(words: &str) -> Vec<TokenCode> {
    words.split_whitespace().map(TokenCode::from).collect()
}

/// A JSON object; the values are JSON.
fn object(fields: &[(&str, &str)]) -> String {
    let fields: BTreeMap<_, _> = fields.iter().copied().collect();
    let fields: Vec<_> = fields.iter().map(|(k, v)| format!("{k:?}:{v}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// A text as JSON.
pub(crate) fn text(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

/// A token record, with other or further fields.
pub(crate) fn token_record(code: &str, changes: &[(&str, &str)]) -> String {
    let name_of_code = TokenCode::from(code);
    let (name, code) = (text(&format!("Name of {code}")), text(code));
    let network = TokenName::of(&name_of_code).and_then(|name| name.network);
    let network = format!(
        r#"{{"name":"{}","token":"trx","currency":"TRX","explorer":"https://tronscan.example/#/transaction/","uuid":"n-1"}}"#,
        network.unwrap_or("TRON"),
    );
    let fields = [
        ("uuid", r#""t-1""#),
        ("name", name.as_str()),
        ("symbol", r#""USDT""#),
        ("token", code.as_str()),
        ("decimals", "6"),
        ("logo", r#""https://logos.example/usdt.svg""#),
        ("network_uuid", r#""n-1""#),
        ("network", network.as_str()),
        ("meta", "{}"),
    ];
    object(&[&fields, changes].concat())
}

pub(crate) fn listing(records: &[String]) -> String {
    format!("[{}]", records.join(","))
}

/// The tokens of a listing that holds these records.
pub(crate) fn tokens(records: &[String]) -> Vec<Token> {
    serde_json::from_str(&listing(records)).unwrap()
}

/// A payment record, with other or further fields.
pub(crate) fn payment_record(changes: &[(&str, &str)]) -> String {
    let fields = [
        ("transactionId", r#""p-1""#),
        ("token", r#""USDTT""#),
        ("paymentToken", r#""TRX""#),
        ("quantity", "25.50"),
        ("quantityPay", "95.12345678"),
        ("priceUsd", "25.49"),
        ("invoiceNumber", r#""INV-1042""#),
        ("statusId", r#""1""#),
        ("statusText", r#""Created""#),
        ("wallet", r#""THr4fK3aoPRZHc5ZxKY1GSb2Jf6UtpeLmp""#),
        ("createdAt", r#""2026/01/31""#),
    ];
    object(&[&fields, changes].concat())
}

/// A record of a payment in this token, with other or further fields.
pub(crate) fn payment_record_in(token: &str, changes: &[(&str, &str)]) -> String {
    let wallet = text(wallet_of(token));
    let payment_token = text(&token.to_uppercase());
    let fields = [("paymentToken", &*payment_token), ("wallet", &wallet)];
    payment_record(&[&fields, changes].concat())
}

/// An address on the token's network.
pub(crate) fn wallet_of(token: &str) -> &'static str {
    match AssetInfo::of(&code(token)).map(|asset| asset.network) {
        Some(Network::Bitcoin) => "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        Some(Network::Tron) => "THr4fK3aoPRZHc5ZxKY1GSb2Jf6UtpeLmp",
        Some(Network::Evm(_)) => "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        None => "KXP-1",
    }
}

/// A payment with this token, amount and wallet; the listing contains `decimals`.
pub(crate) fn payment_of(
    token: &str,
    decimals: &str,
    amount: &str,
    wallet: &str,
) -> CheckoutPayment {
    let [listed] = &tokens(&[token_record(token, &[("decimals", decimals)])])[..] else {
        panic!("one token is listed");
    };
    let fields = [("quantityPay", amount), ("wallet", &*text(wallet)), RECEIPT];
    let created = created(ok(payment_record_in(token, &fields))).unwrap();
    let order = config(&[]).order;
    let price = order.claims().quantity.clone().unwrap();
    let request = order.request(Buyer::default(), code(token), price);
    CheckoutPayment::new(created, request, listed.clone().into())
}

/// The record of a payment whose status is `text`.
pub(crate) fn with_status(status: &str) -> String {
    let status = text(status);
    payment_record(&[("statusId", r#""7""#), ("statusText", &status)])
}

/// The record of a payment with this status, and what the proxy says about it.
pub(crate) fn with_state(status: &str, state: &str) -> String {
    let (status, state) = (text(status), text(state));
    payment_record(&[("statusText", &status), ("state", &state)])
}

/// A transaction hash on Bitcoin and TRON.
pub(crate) const HASH: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/// The field that Tender's proxy adds to a create response.
pub(crate) const RECEIPT: (&str, &str) = ("receipt", r#""r.e.ceipt""#);

#[allow(
    clippy::unnecessary_wraps,
    reason = "events carry what became of a request"
)]
pub(crate) fn answer(status: u16, body: impl Into<String>) -> FetchResult {
    Ok(HttpResponse {
        status,
        body: body.into(),
    })
}

pub(crate) fn ok(body: impl Into<String>) -> FetchResult {
    answer(200, body)
}

/// The order has no payment.
pub(crate) fn no_payment() -> FetchResult {
    answer(204, "")
}

/// The receipt of the payment `p-1`.
pub(crate) fn receipt() -> PaymentReceipt {
    PaymentReceipt {
        transaction_id: "p-1".to_owned(),
        receipt: "r.e.ceipt".to_owned(),
    }
}

/// A poll of the payment `p-1`.
pub(crate) fn read_status() -> Effect {
    Effect::ReadStatus(receipt())
}

/// A lost response.
pub(crate) fn lost() -> FetchResult {
    Err(TransportError::Unreachable("Failed to fetch".to_owned()))
}

/// Changed attributes, before which the form was empty.
pub(crate) fn reconfigured() -> Event {
    Event::Reconfigured(Box::default())
}

pub(crate) fn key(name: &str) -> AttemptKey {
    AttemptKey(name.to_owned())
}

/// A checkout, the events that it dispatched to the page, and what the driver would store.
pub(crate) struct Checkout {
    pub(crate) config: Config,
    pub(crate) state: State,
    pub(crate) host_events: Vec<HostEvent>,
    /// The payment of the open stream.
    pub(crate) stream: Option<PaymentReceipt>,
    /// Whether the proxy has the route for marks; a request to one without it is answered at once.
    pub(crate) has_marks: bool,
    /// Whether the test answers what a wallet is asked before the money; otherwise it is answered well at once.
    pub(crate) has_slow_wallet: bool,
}

impl Checkout {
    pub(crate) fn new(config: Config) -> Self {
        Self {
            config,
            state: State::default(),
            host_events: Vec::new(),
            stream: None,
            has_marks: false,
            has_slow_wallet: false,
        }
    }

    /// A checkout that offers TRX, USDT and Bitcoin.
    pub(crate) fn choosing(config: Config) -> Self {
        let mut checkout = Self::new(config);
        checkout.start(None);
        assert_eq!(checkout.on(Event::TokensFetched(ok(offered()))), []);
        checkout.form();
        checkout
    }

    /// Changes the attributes of the same order.
    pub(crate) fn reconfigure(&mut self, attributes: &[(&str, &str)]) -> Vec<Effect> {
        let before = Form::new(&self.config);
        self.config = config(attributes);
        self.on(Event::Reconfigured(Box::new(before)))
    }

    /// Starts with what the tab has saved. The proxy knows no payment of a signed order.
    pub(crate) fn start(&mut self, saved: Option<String>) {
        let effects = self.on(Event::Started(saved));
        match self.config.order {
            Order::Signed { .. } => {
                assert_eq!(effects, [Effect::FetchTokens, Effect::FindPayment]);
                assert_eq!(self.on(Event::FindFinished(no_payment())), []);
            }
            Order::Plain(_) => assert_eq!(effects, [Effect::FetchTokens]),
        }
    }

    /// What the tab saves, which must be valid by its published schema.
    pub(crate) fn saved(&self) -> Option<String> {
        static SCHEMA: LazyLock<Validator> = LazyLock::new(|| {
            let file = include_str!("../../../../contract/schemas/saved-payment.json");
            let mut schema: Value = serde_json::from_str(file).unwrap();
            schema["unevaluatedProperties"] = false.into();
            jsonschema::draft202012::new(&schema).unwrap()
        });
        let saved = save(&self.config, &self.state)?;
        let value = serde_json::from_str(&saved).unwrap();
        let error = SCHEMA.validate(&value).err().map(|error| error.to_string());
        assert_eq!(error, None, "{saved}");
        Some(saved)
    }

    /// The checkout on the next page in the tab, with its first requests.
    pub(crate) fn reload(&self) -> (Self, Vec<Effect>) {
        self.reload_as(self.config.clone())
    }

    /// The same, where the page has other attributes.
    pub(crate) fn reload_as(&self, config: Config) -> (Self, Vec<Effect>) {
        let mut next = Self::new(config);
        next.has_marks = self.has_marks;
        let effects = next.on(Event::Started(self.saved()));
        (next, effects)
    }

    /// A checkout whose payment in TRX is being created, with the key `first`.
    pub(crate) fn submitting() -> Self {
        let mut checkout = Self::choosing(config(&[]));
        checkout.on(Edit::Token(code("trx")));
        let attempt = checkout.submit("first").unwrap();
        assert_eq!(attempt.key, key("first"));
        checkout
    }

    /// A checkout that shows a payment with a receipt.
    pub(crate) fn awaiting() -> Self {
        let mut checkout = Self::submitting();
        let record = payment_record(&[RECEIPT]);
        checkout.on(FormEvent::CreateFinished(key("first"), ok(record)));
        checkout.payment();
        checkout
    }

    /// Handles an event. Returns the resulting requests and timers; other effects are stored.
    pub(crate) fn on(&mut self, event: impl Into<Event>) -> Vec<Effect> {
        let (state, effects) = step(&self.config, std::mem::take(&mut self.state), event.into());
        self.state = state;
        let is_shown = self.state.payment().is_some();
        assert!(!is_shown || self.state.context.prior.is_none());
        let mut others = Vec::new();
        for effect in effects {
            match effect {
                Effect::Emit(event) => self.host_events.push(*event),
                Effect::Subscribe(payment) => {
                    let before = self.stream.replace(payment);
                    assert_eq!(before, None, "one stream at a time");
                }
                Effect::Unsubscribe => assert!(self.stream.take().is_some()),
                Effect::ChooseSecret(id) => {
                    let secret = MarkSecret("s-1".to_owned());
                    others.extend(self.on(SentEvent::SecretChosen(id, secret)));
                }
                Effect::MarkSent(payment, _) if !self.has_marks => {
                    let event = SentEvent::MarkFinished(payment.transaction_id, answer(404, ""));
                    others.extend(self.on(event));
                }
                Effect::AskWallet {
                    payment,
                    number,
                    question,
                } if !self.has_slow_wallet => {
                    let (id, request) = (payment.transaction_id, payment.request);
                    let answer = Ok(well(&question));
                    let event = PaymentEvent::WalletAnswered(id, request, number, answer);
                    others.extend(self.on(event));
                }
                effect => others.push(effect),
            }
        }
        others
    }

    /// The stream of the payment `p-1` delivers a record. Returns the effects.
    pub(crate) fn receive(&mut self, record: impl Into<String>) -> Vec<Effect> {
        self.on(StatusEvent::Received("p-1".to_owned(), record.into()))
    }

    /// The response to a poll of the payment `p-1`. Returns the effects.
    pub(crate) fn fetch(&mut self, result: FetchResult) -> Vec<Effect> {
        self.on(StatusEvent::Fetched("p-1".to_owned(), result))
    }

    /// A poll of the payment `p-1`, with this response. Returns the effects of the response.
    pub(crate) fn poll(&mut self, result: FetchResult) -> Vec<Effect> {
        self.on(StatusEvent::PollDue);
        self.fetch(result)
    }

    /// The response to the create request with the key `first`. Returns the effects.
    pub(crate) fn created(&mut self, result: FetchResult) -> Vec<Effect> {
        self.on(FormEvent::CreateFinished(key("first"), result))
    }

    /// The response to the cancellation of the payment `p-1`. Returns the effects.
    pub(crate) fn cancel_finished(&mut self, result: FetchResult) -> Vec<Effect> {
        self.on(PaymentEvent::CancelFinished("p-1".to_owned(), result))
    }

    /// The buyer goes back to the form, which fetches the tokens again.
    pub(crate) fn return_by(&mut self, event: impl Into<Event>) {
        self.on(event);
        self.on(Event::TokensFetched(ok(offered())));
    }

    /// Submits the form for this token with the key `second`. Returns the effects.
    pub(crate) fn submit_for(&mut self, token: &str) -> Vec<Effect> {
        self.on(Edit::Token(code(token)));
        self.on(FormEvent::Submitted(key("second")))
    }

    /// The buyer cancels the payment and confirms it. Returns the effects.
    pub(crate) fn cancel(&mut self) -> Vec<Effect> {
        assert_eq!(self.on(PaymentEvent::CancelRequested), []);
        self.on(PaymentEvent::CancelConfirmed)
    }

    /// The stream ends in this way.
    pub(crate) fn end_stream(&mut self, ended: fn(String) -> StatusEvent) -> Vec<Effect> {
        let stream = self.stream.take().expect("a stream is open");
        self.on(ended(stream.transaction_id))
    }

    /// Submits the form with a new key. Returns the attempt, if one is sent.
    pub(crate) fn submit(&mut self, fresh: &str) -> Option<tender_checkout_core::Attempt> {
        match self.on(FormEvent::Submitted(key(fresh))).as_slice() {
            [] => None,
            [Effect::Create(attempt, None)] => Some((**attempt).clone()),
            others => panic!("a submit does nothing else: {others:?}"),
        }
    }

    /// Asserts that an event changes nothing.
    pub(crate) fn ignores(&mut self, event: impl Into<Event>) {
        let event = event.into();
        let (state, count) = (self.state.clone(), self.host_events.len());
        let stream = self.stream.clone();
        let name = format!("{event:?}");
        assert_eq!(self.on(event), [], "{name}");
        assert_eq!(self.state, state, "{name}");
        assert_eq!(self.stream, stream, "{name}");
        assert_eq!(self.host_events.len(), count, "{name}");
    }

    /// Asserts that none of these events changes anything.
    pub(crate) fn ignores_all(&mut self, events: impl IntoIterator<Item: Into<Event>>) {
        for event in events {
            self.ignores(event);
        }
    }

    pub(crate) fn form(&self) -> &Choosing {
        match &self.state.phase {
            Phase::Choosing(choosing) => choosing,
            other => panic!("the buyer is not choosing: {other:?}"),
        }
    }

    /// What is typed in the form, which is shown.
    pub(crate) fn context(&self) -> &Context {
        self.form();
        &self.state.context
    }

    pub(crate) fn failure(&self) -> &Failure {
        match &self.state.phase {
            Phase::Failed(_, _, failure) => failure,
            other => panic!("nothing failed: {other:?}"),
        }
    }

    pub(crate) fn payment(&self) -> &CheckoutPayment {
        match &self.state.phase {
            Phase::Awaiting(awaiting) => awaiting,
            other => panic!("there is no payment: {other:?}"),
        }
    }

    /// Removes and returns the last dispatched event.
    pub(crate) fn last_event(&mut self) -> HostEvent {
        self.host_events.pop().unwrap()
    }

    /// The codes of the dispatched errors.
    pub(crate) fn errors(&self) -> Vec<FailureCode> {
        let failures = self.host_events.iter().filter_map(|event| match event {
            HostEvent::Error(failure) => Some(failure.code),
            _ => None,
        });
        failures.collect()
    }

    /// Asserts that the payment can be neither cancelled nor replaced nor left.
    pub(crate) fn stays(&mut self) {
        self.ignores_all([
            Event::from(PaymentEvent::CancelRequested),
            PaymentEvent::ChangeRequested.into(),
            Event::Reset,
        ]);
    }

    pub(crate) fn created_events(&self) -> Vec<&Payment> {
        let created = self.host_events.iter().filter_map(|event| match event {
            HostEvent::Created(payment) => Some(payment),
            _ => None,
        });
        created.collect()
    }
}

/// An account on an EVM chain.
pub(crate) const PAYER: &str = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";

/// What a wallet answers that can pay.
pub(crate) fn well(question: &WalletQuestion) -> WalletAnswer {
    match question {
        WalletQuestion::Connect | WalletQuestion::Account => {
            WalletAnswer::Account(PAYER.to_owned())
        }
        WalletQuestion::Chain
        | WalletQuestion::SwitchChain
        | WalletQuestion::Funds(_)
        | WalletQuestion::Build(_) => WalletAnswer::Yes,
    }
}

/// The name of the state.
pub(crate) fn name(state: &State) -> &'static str {
    match &state.phase {
        Phase::Loading(None) => "loading",
        Phase::Loading(Some(_)) => "found",
        Phase::Unavailable(..) => "unavailable",
        Phase::Choosing(..) => "choosing",
        Phase::Submitting(..) => "submitting",
        Phase::Failed(..) => "failed",
        Phase::Awaiting(_) => "open",
        Phase::NotPayable(Reason::Pending, _) => "pending",
        Phase::NotPayable(Reason::Underpaid, _) => "underpaid",
        Phase::NotPayable(Reason::Unknown, _) => "unknown",
        Phase::NotPayable(Reason::OrderPaid, _) => "order-paid",
        Phase::NotPayable(Reason::OrderSeen, _) => "order-seen",
        Phase::NotPayable(Reason::Paid, _) => "paid",
        Phase::NotPayable(Reason::Closed, _) => "closed",
        Phase::NotPayable(Reason::Cancelled, _) => "cancelled",
    }
}

/// A listing of TRX, USDT on TRON and Bitcoin.
pub(crate) fn offered() -> String {
    let native = [("decimals", "null")];
    listing(&[
        token_record("trx", &native),
        token_record("usdtt", &[]),
        token_record("btc", &native),
    ])
}
