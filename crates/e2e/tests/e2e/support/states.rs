//! Every state of the checkout, each with its name and a function that reaches it.
//!
//! The accessibility tests and the gallery run through this list.

use std::pin::Pin;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault, Outcome};

use super::checkout::Checkout;
use super::stage::{STATUS_CLOSED, STATUS_PAID, Scenery, Stage};

const BITCOIN: &str = "Bitcoin, Bitcoin";
const BNB: &str = "BNB, BNB Smart Chain";
const USDT_ON_ETHEREUM: &str = "Tether USD, Ethereum";
const KXP: &str = "KXP, KXP";

const WALLET: &str = include_str!("wallet.js");

/// One state.
pub(crate) struct State {
    pub(crate) name: &'static str,
    pub(crate) group: Group,
    reach: for<'a> fn(&'a Stage) -> Reaching<'a>,
}

type Reaching<'a> = Pin<Box<dyn Future<Output = Checkout<'a>> + 'a>>;

/// The phase of the checkout or the dashboard.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Choosing,
    Paying,
    Wallet,
    Ending,
    Broken,
    /// The dashboard, before the list is loaded.
    Login,
    /// The dashboard's list.
    Dashboard,
    /// Cancelling payments in the dashboard.
    Dialog,
}

impl Group {
    pub(crate) const ALL: [Self; 8] = [
        Self::Choosing,
        Self::Paying,
        Self::Wallet,
        Self::Ending,
        Self::Broken,
        Self::Login,
        Self::Dashboard,
        Self::Dialog,
    ];
}

impl State {
    /// Brings the stage's checkout into this state.
    pub(crate) async fn reach<'a>(&self, stage: &'a Stage) -> Checkout<'a> {
        stage.clear().await;
        (self.reach)(stage).await
    }

    /// The state with this name.
    pub(crate) fn named(name: &str) -> &'static Self {
        let mut states = STATES.iter();
        states
            .find(|state| state.name == name)
            .expect("it is in the list")
    }
}

/// An entry of the list.
macro_rules! state {
    ($group:ident, $name:literal, $reach:ident) => {
        State {
            name: $name,
            group: Group::$group,
            reach: |stage| Box::pin($reach(stage)),
        }
    };
}

/// All states, in the order in which a buyer may meet them.
pub(crate) const STATES: &[State] = &[
    state!(Choosing, "skeleton", skeleton),
    state!(Choosing, "choosing", choosing),
    state!(Choosing, "chosen, with a conversion", chosen),
    state!(Choosing, "payer chooses the amount", payer_chooses),
    state!(Choosing, "field with a problem", field_with_a_problem),
    state!(Choosing, "submitting", submitting),
    state!(Choosing, "long names and numbers", long_names),
    state!(Paying, "awaiting bitcoin", awaiting_bitcoin),
    state!(Paying, "awaiting a rounded amount", awaiting_rounded),
    state!(Paying, "awaiting, no address", awaiting_no_address),
    state!(Paying, "code with the amount", code_with_amount),
    state!(Paying, "copied", copied),
    state!(Paying, "hash with a problem", hash_with_a_problem),
    state!(Paying, "status moved", status_moved),
    state!(Paying, "sent", sent),
    state!(Paying, "contradicted", contradicted),
    state!(Wallet, "wallet found", wallet_found),
    state!(Wallet, "wallet asked", wallet_asked),
    state!(Wallet, "wallet failed", wallet_failed),
    state!(Ending, "another token", another_token),
    state!(Ending, "replacing failed", replacing_failed),
    state!(Ending, "cancel?", cancel_asked),
    state!(Ending, "cancelling", cancelling),
    state!(Ending, "cancelling failed", cancel_failed),
    state!(Ending, "cancelled", cancelled),
    state!(Ending, "paid", paid),
    state!(Ending, "paid, with a transaction", paid_with_a_transaction),
    state!(Ending, "closed", closed),
    state!(Ending, "closed, but sent", closed_but_sent),
    state!(Broken, "unavailable", unavailable),
    state!(Broken, "no tokens", no_tokens),
    state!(Broken, "failed", failed),
    state!(Broken, "refused", refused),
    state!(Broken, "not loaded", not_loaded),
    state!(Broken, "unsupported", unsupported),
    state!(Broken, "crashed", crashed),
];

async fn skeleton(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/my-tokens").await;
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_there("[aria-label][aria-busy]").await; // the module's: the loader's has no name
    checkout
}

async fn choosing(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.visit(Scenery::default()).await;
    checkout.part("tokens").await;
    checkout
}

async fn chosen(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.visit(Scenery::default()).await;
    checkout.choose(BNB).await;
    checkout
}

async fn payer_chooses(stage: &Stage) -> Checkout<'_> {
    let claims = json!({ "quantity": null, "itemNumber": "0" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.visit(scenery).await;
    checkout.choose(USDT_ON_ETHEREUM).await;
    checkout
}

async fn field_with_a_problem(stage: &Stage) -> Checkout<'_> {
    let attributes = "ask=\"email! name\"";
    let scenery = Scenery {
        attributes,
        ..Scenery::default()
    };
    let checkout = stage.submit(KXP, scenery).await;
    stage.reads(&checkout, "email-missing").await;
    checkout
}

async fn submitting(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/payment").await;
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "creating").await;
    checkout
}

/// Names at the maximum length, and a price with more digits than a float can hold.
async fn long_names(stage: &Stage) -> Checkout<'_> {
    let long = "A token of a very long name that goes on and on, ";
    let record = |code: &str, name: &str| {
        json!({
            "uuid": "", "name": name, "symbol": "LONGSYMBOL", "token": code, "decimals": null,
            "logo": "", "network_uuid": "", "meta": {},
            "network": {
                "name": "Anetworkofonelongwordwithoutaplacetobreakit", "token": code,
                "currency": "LONG", "explorer": "", "uuid": "",
            },
        })
    };
    let listing = json!([record("btc", &long.repeat(9)), record("kxp", "Short")]);
    stage.servers.service().replace_tokens(listing.to_string());
    let claims = json!({ "token": "btc", "quantity": "123456789012345678.12345678" });
    let scenery = Scenery {
        claims,
        attributes: "payment-token=\"btc\"",
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    checkout.part("tokens").await;
    checkout
}

async fn awaiting_bitcoin(stage: &Stage) -> Checkout<'_> {
    stage.pay(BITCOIN, Scenery::default()).await
}

/// USDT has six decimals; the service's amount has eight.
async fn awaiting_rounded(stage: &Stage) -> Checkout<'_> {
    let claims = json!({ "token": "btc", "quantity": "0.00075487" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay("TRON, TRON", scenery).await;
    checkout.part("rounding").await;
    checkout
}

/// The format of KXP addresses is unknown.
async fn awaiting_no_address(stage: &Stage) -> Checkout<'_> {
    stage.pay(KXP, Scenery::default()).await
}

async fn code_with_amount(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(USDT_ON_ETHEREUM, Scenery::default()).await;
    // Collapsed on touch screens.
    if checkout
        .is_there(".scan summary")
        .await
        .is_displayed()
        .await
        .unwrap()
    {
        checkout
            .is_there(".scan summary")
            .await
            .click()
            .await
            .unwrap();
    }
    checkout.press_part("with-amount").await;
    checkout.part("open-wallet").await;
    checkout
}

async fn copied(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    stage.press(&checkout, "copy-amount").await;
    stage.reads(&checkout, "copied").await;
    checkout
}

async fn hash_with_a_problem(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    checkout.paste_hash("0x1234").await;
    checkout.is_there("#hash-problem").await;
    checkout
}

/// The buyer may have paid.
async fn status_moved(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    set_status(stage, "Confirming");
    stage.reads(&checkout, "status-moved").await;
    checkout
}

/// The service changes the status of the latest payment.
fn set_status(stage: &Stage, text: &str) {
    let newest = stage.servers.payments().into_iter().next();
    let id = newest.expect("it was just made").transaction_id;
    let status = Status::new("2", text).expect("it has an id and a name");
    let service = stage.servers.service();
    service
        .set_status(&id, status)
        .expect("the service knows it");
}

/// The stream delivers a record of another amount.
async fn contradicted(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    checkout.part("amount").await;
    stage.browser.execute("const { fetch } = window;
             window.fetch = async (...given) => {
               const response = await fetch(...given);
               if (!response.headers.get('content-type').includes('json')) return response;
               const record = await response.json();
               return Response.json({ ...record, quantityPay: 7 });
             };
             document.querySelector('tender-checkout').refresh()").await;
    stage.reads(&checkout, "record-changed").await;
    checkout
}

async fn paid(stage: &Stage) -> Checkout<'_> {
    let claims = json!({ "returnUrl": "https://shop.example/orders/1042" });
    let scenery = Scenery::claiming(claims);
    let checkout = stage.pay(BITCOIN, scenery).await;
    set_status(stage, STATUS_PAID);
    stage.reads(&checkout, "paid").await;
    checkout
}

async fn paid_with_a_transaction(stage: &Stage) -> Checkout<'_> {
    let checkout = sent(stage).await;
    set_status(stage, STATUS_PAID);
    stage.reads(&checkout, "paid").await;
    checkout
}

async fn closed(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    set_status(stage, STATUS_CLOSED);
    stage.reads(&checkout, "closed").await;
    checkout
}

async fn closed_but_sent(stage: &Stage) -> Checkout<'_> {
    let checkout = sent(stage).await;
    set_status(stage, STATUS_CLOSED);
    stage.reads(&checkout, "closed-sent").await;
    checkout
}

async fn sent(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    checkout.paste_hash(&format!("0x{}", "5e".repeat(32))).await;
    stage.reads(&checkout, "you-sent").await;
    checkout
}

/// A payment in BNB, with a browser wallet that supports only this chain.
async fn with_wallet<'a>(stage: &'a Stage, chain: &str) -> Checkout<'a> {
    let checkout = stage.pay(BNB, Scenery::default()).await;
    let wallet = format!("{}({{}}, {})", WALLET.trim_end(), json!(chain));
    stage.browser.execute(&wallet).await;
    checkout.part("pay-with").await;
    checkout
}

async fn wallet_found(stage: &Stage) -> Checkout<'_> {
    with_wallet(stage, "0x38").await
}

async fn wallet_asked(stage: &Stage) -> Checkout<'_> {
    let checkout = with_wallet(stage, "0x38").await;
    stage.browser.execute("wallet.thinks = true").await;
    checkout.press_part("pay-with").await;
    stage.reads(&checkout, "wallet-asked").await;
    checkout
}

async fn wallet_failed(stage: &Stage) -> Checkout<'_> {
    let checkout = with_wallet(stage, "0x1").await;
    checkout.press_part("pay-with").await;
    checkout.is_there(".problem").await;
    checkout
}

async fn another_token(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(BITCOIN, Scenery::default()).await;
    checkout.press_part("change").await;
    checkout.choose(KXP).await;
    stage.reads(&checkout, "back-to-payment").await;
    checkout
}

/// The earlier payment can't be cancelled: the proxy can't be reached for it.
async fn replacing_failed(stage: &Stage) -> Checkout<'_> {
    stage.browser.block(&["*/payment/cancel"]).await;
    let checkout = another_token(stage).await;
    checkout.press_part("submit").await;
    stage.reads(&checkout, "replace-failed").await;
    checkout
}

async fn cancel_asked(stage: &Stage) -> Checkout<'_> {
    let checkout = stage.pay(USDT_ON_ETHEREUM, Scenery::default()).await;
    stage.press(&checkout, "cancel").await;
    stage.reads(&checkout, "cancel-sure").await;
    checkout
}

async fn cancelling(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/cancel").await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-sending").await;
    checkout
}

async fn cancel_failed(stage: &Stage) -> Checkout<'_> {
    stage.browser.block(&["*/payment/cancel"]).await;
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancel-unclear").await;
    checkout
}

async fn cancelled(stage: &Stage) -> Checkout<'_> {
    let checkout = cancel_asked(stage).await;
    stage.press(&checkout, "cancel-yes").await;
    stage.reads(&checkout, "cancelled").await;
    checkout
}

async fn unavailable(stage: &Stage) -> Checkout<'_> {
    stage.inject(Endpoint::Tokens, Fault::new(Outcome::DropRequest));
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
    checkout
}

async fn no_tokens(stage: &Stage) -> Checkout<'_> {
    stage.servers.service().replace_tokens("[]");
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "no-tokens").await;
    checkout
}

async fn failed(stage: &Stage) -> Checkout<'_> {
    stage.inject(Endpoint::Create, Fault::new(Outcome::DropRequest));
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "service-failed").await;
    checkout
}

async fn refused(stage: &Stage) -> Checkout<'_> {
    stage.inject(
        Endpoint::Create,
        Fault::respond(StatusCode::BAD_REQUEST, "{}"),
    );
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "request-refused").await;
    checkout
}

async fn not_loaded(stage: &Stage) -> Checkout<'_> {
    stage.browser.block(&["*.wasm"]).await;
    let checkout = stage.visit(Scenery::default()).await;
    stage.reads(&checkout, "load-failed").await;
    checkout
}

async fn unsupported(stage: &Stage) -> Checkout<'_> {
    let head = "<script>delete window.WebAssembly</script>";
    let scenery = Scenery {
        head,
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    stage.reads(&checkout, "unsupported").await;
    checkout
}

/// A page that breaks, once, something that the module needs to show the payment.
async fn crashed(stage: &Stage) -> Checkout<'_> {
    stage.browser.hold("*/api/v1/payment").await;
    let checkout = stage.submit(BITCOIN, Scenery::default()).await;
    stage.reads(&checkout, "creating").await;
    stage.browser.breaks_once().await;
    stage.browser.clear_network().await;
    stage.reads(&checkout, "crashed").await;
    checkout
}
