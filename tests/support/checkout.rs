//! One `<tender-checkout>` in the test's page, and the actions of a buyer.

use std::ops::Deref;

use serde_json::Value;
use tender_checkout_core::QrCode;
use wasm_bindgen::prelude::*;
use web_sys::{Element, HtmlInputElement, window};

use super::mounted::Mounted;
use super::proxy::{CREATE, Proxy, Reply, status};
use super::subject::SUBJECT;
use super::wait::{settled, until};
use super::{page, record};

/// The order that [`Checkout::open`] sets with plain attributes.
const ORDER: [(&str, &str); 3] = [
    ("token", "usdtt"),
    ("quantity", "12.50"),
    ("invoice-number", "INV-7"),
];

/// A checkout in the page. Dropping it removes the element.
pub(crate) struct Checkout(Mounted);

impl Deref for Checkout {
    type Target = Mounted;

    fn deref(&self) -> &Mounted {
        &self.0
    }
}

impl Checkout {
    /// An element with the plain [`ORDER`], this proxy and additional attributes.
    pub(crate) fn open(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::create(proxy, more);
        checkout.insert();
        checkout
    }

    /// The same, not inserted yet.
    pub(crate) fn create(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        Self::bare(&order(proxy, more))
    }

    /// The element of [`open`](Self::open) on the next page in this tab.
    pub(crate) fn reopen(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::make(&order(proxy, more));
        checkout.insert();
        checkout
    }

    /// An element with only these attributes, not inserted yet, in a new tab.
    pub(crate) fn bare(attributes: &[(&str, &str)]) -> Self {
        page::session().clear().unwrap();
        Self::make(attributes)
    }

    fn make(attributes: &[(&str, &str)]) -> Self {
        Self(Mounted::make(&SUBJECT, attributes))
    }

    /// Opens an element and waits for the token choice.
    pub(crate) async fn ready(proxy: &Proxy, more: &[(&str, &str)]) -> Self {
        let checkout = Self::open(proxy, more);
        checkout.until_ready().await;
        checkout
    }

    /// Opens an element and proceeds to a payment in Bitcoin. The proxy responds with the record and an optional
    /// `receipt`.
    pub(crate) async fn awaiting(proxy: &Proxy, receipt: Option<&str>) -> Self {
        let checkout = Self::ready(proxy, &[]).await;
        checkout.choose("Bitcoin, Bitcoin");
        checkout.submit(proxy, record::payment(receipt)).await;
        checkout
    }

    /// Proceeds from the choice to a payment: the proxy responds with this record.
    pub(crate) async fn submit(&self, proxy: &Proxy, record: String) {
        proxy.reply(CREATE, Reply::ok(record));
        self.pay();
        self.until_part("amount").await;
    }

    /// Fetches the status: the proxy responds with this record.
    pub(crate) fn fetch(&self, proxy: &Proxy, record: String) {
        proxy.reply(&status(), Reply::ok(record));
        self.call("refresh");
    }

    /// Proceeds from the choice to a payment of 48.50000001 of a token, to this wallet, with an optional `receipt`.
    pub(crate) async fn pay_in(
        &self,
        proxy: &Proxy,
        (token, wallet): (&str, &str),
        receipt: Option<&str>,
    ) {
        self.choose(token);
        let payment = record::payment(receipt)
            .replace("0.00012345", "48.50000001")
            .replace(record::WALLET, wallet);
        self.submit(proxy, payment).await;
        settled().await;
    }

    // --- Actions --------------------------------------------------------------------------------

    pub(crate) fn choose(&self, name: &str) {
        self.named("radio", name).click();
    }

    /// Adds the shop's contact to its slot.
    pub(crate) fn add_contact(&self) -> Element {
        let contact = page::document().create_element("a").unwrap();
        contact.set_attribute("slot", "contact").unwrap();
        contact.set_text_content(Some("help@shop.example"));
        self.element.append_child(&contact).unwrap();
        contact
    }

    /// The code of the selected radio.
    pub(crate) fn chosen(&self) -> Option<String> {
        let checked = |input: &HtmlInputElement| input.checked();
        let radios = self.role("radio");
        let mut radios = radios.into_iter().map(JsCast::unchecked_into);
        radios.find(checked).map(|radio| radio.value())
    }

    /// Presses the button whose name begins with "Pay".
    pub(crate) fn pay(&self) {
        self.press("Pay");
    }

    /// Cancels the payment, and confirms it.
    pub(crate) async fn cancel(&self) {
        self.press("Cancel payment");
        settled().await;
        self.press("Yes, cancel");
    }

    /// Expands the field for a transaction hash, and pastes this into it.
    pub(crate) fn paste_hash(&self, hash: &str) {
        self.unfold();
        self.fill("Transaction hash", hash);
    }

    /// Expands everything.
    pub(crate) fn unfold(&self) {
        for details in self.all("details") {
            details.set_attribute("open", "").unwrap();
        }
    }

    // --- The code -------------------------------------------------------------------------------

    /// Asserts that the code has this content: its drawing is the one that the tests of `checkout-core` read back.
    pub(crate) async fn holds_code(&self, text: &str) {
        self.until_part("qr").await;
        let QrCode { size, path } = QrCode::of(text).unwrap();
        let drawing = self.part("qr");
        let view_box = drawing.get_attribute("viewBox");
        assert_eq!(view_box, Some(format!("0 0 {size} {size}")));
        let paths = [
            ("#fff", format!("M0 0h{size}v{size}h-{size}z")),
            ("#000", path),
        ];
        let paths = paths.map(|(fill, path)| format!(r#"<path fill="{fill}" d="{path}"></path>"#));
        // Leptos marks places by empty comments.
        let drawn = drawing.inner_html().replace("<!---->", "");
        assert_eq!(drawn, paths.concat(), "{text}");
    }

    // --- Waiting --------------------------------------------------------------------------------

    pub(crate) async fn until_ready(&self) {
        until("the tokens are shown", || {
            !self.all("[type=radio]").is_empty()
        })
        .await;
    }
}

/// The plain [`ORDER`], this proxy and additional attributes.
fn order<'a>(proxy: &'a Proxy, more: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    let attributes = [("proxy", proxy.address())].into_iter().chain(ORDER);
    attributes.chain(more.iter().copied()).collect()
}

/// An order as a shop's backend signs it (RFC 7519). The page can't verify the signature.
pub(crate) fn signed(claims: &Value) -> String {
    let encode = |text: &str| {
        let base64 = window().unwrap().btoa(text).unwrap();
        base64.replace('+', "-").replace('/', "_").replace('=', "")
    };
    let header = encode(r#"{"alg":"HS256","typ":"JWT"}"#);
    let claims = encode(&claims.to_string());
    format!("{header}.{claims}.{}", encode("signature"))
}
