//! The custom element in the page: its language, its events, its messages in the console.

use js_sys::{Object, Reflect};
use leptos::prelude::*;
use tender_protocol::client::Failure;
use tender_protocol::{Payment, PaymentAsset, Status, test_mode};
use wasm_bindgen::JsCast as _;
use wasm_bindgen::prelude::*;
use web_sys::{CustomEvent, CustomEventInit, Element, HtmlElement, ShadowRoot, Url};

#[wasm_bindgen]
extern "C" {
    // A page can replace the console: an error in the replacement is ignored.
    #[wasm_bindgen(catch, js_namespace = console, js_name = error)]
    fn console_error(tag: &str, message: &str, host: &JsValue) -> Result<(), JsValue>;

    /// Writes a warning to the console.
    #[wasm_bindgen(catch, js_namespace = console, js_name = warn)]
    pub fn console_warn(tag: &str, message: &str, object: &JsValue) -> Result<(), JsValue>;
}

/// The custom element, as a `Copy` handle that belongs to the current owner.
#[derive(Clone, Copy)]
pub struct Host(StoredValue<Option<HtmlElement>, LocalStorage>);

impl Host {
    /// Belongs to the current owner.
    pub fn new(host: HtmlElement) -> Self {
        Self(StoredValue::new_local(Some(host)))
    }

    /// No element: the view is rendered without a page. Belongs to the current owner.
    pub fn none() -> Self {
        Self(StoredValue::new_local(None))
    }

    /// Calls `with` with the element, unless it is unmounted or there is none. Nothing is borrowed during the call, because it may run code
    /// of the page.
    pub fn with<T>(self, with: impl FnOnce(&HtmlElement) -> T) -> Option<T> {
        self.0.try_get_value().flatten().map(|host| with(&host))
    }

    /// An attribute.
    pub fn attribute(self, name: &str) -> Option<String> {
        self.with(|host| host.get_attribute(name))?
    }
}

/// The language of the page around the element, else the browser's.
pub fn page_language(host: &HtmlElement) -> String {
    language_around(host)
        .filter(|tag| !tag.is_empty())
        .or_else(|| web_sys::window()?.navigator().language())
        .map_or_else(|| "en".to_owned(), |tag| tag.replace('_', "-"))
}

/// The language of what is around `element`, also outside of a shadow root that it is in.
fn language_around(element: &Element) -> Option<String> {
    if let Some(around) = element.closest("[lang]").ok().flatten() {
        return around.get_attribute("lang");
    }
    let root: ShadowRoot = element.get_root_node().dyn_into().ok()?;
    language_around(&root.host())
}

/// Dispatches a `CustomEvent` on the element; it bubbles and is composed.
pub fn emit(host: &HtmlElement, name: &str, detail: &JsValue) {
    let init = CustomEventInit::new();
    init.set_bubbles(true);
    init.set_composed(true);
    init.set_detail(detail);
    // Fails only if the page has replaced these functions. Then it gets no events.
    if let Ok(event) = CustomEvent::new_with_event_init_dict(name, &init) {
        let _ = host.dispatch_event(&event);
    }
}

/// Logs a failure, and dispatches `tender-error`.
pub fn emit_error(host: &HtmlElement, failure: &Failure) {
    log_error(host, &failure.message);
    emit_failure(host, failure);
}

/// The same for a request. The log has the proxy's address: a `proxy` without a scheme is a path of the page's own server.
pub fn emit_request_error(host: &HtmlElement, failure: &Failure) {
    let proxy = host.get_attribute("proxy").unwrap_or_default();
    let address = resolve_url(host, &proxy).unwrap_or(proxy);
    log_error(host, &format!("{} (proxy: {address})", failure.message));
    emit_failure(host, failure);
}

fn emit_failure(host: &HtmlElement, failure: &Failure) {
    emit(
        host,
        "tender-error",
        &object([
            ("code", failure.code.as_str().into()),
            ("message", JsValue::from_str(&failure.message)),
            ("retryable", failure.code.is_retryable().into()),
        ]),
    );
}

/// The absolute URL of an address that may be relative to the page.
pub fn resolve_url(host: &HtmlElement, address: &str) -> Option<String> {
    let base = host.base_uri().ok().flatten().unwrap_or_default();
    Url::new_with_base(address, &base)
        .ok()
        .map(|url| url.href())
}

/// Logs an error that keeps the element from working.
pub fn log_error(host: &HtmlElement, message: &str) {
    let _ = console_error(&tag(host), message, host);
}

/// Logs a problem with which the element still works, though perhaps not as the shop intended.
pub fn log_warning(host: &HtmlElement, message: &str) {
    let _ = console_warn(&tag(host), message, host);
}

fn tag(host: &HtmlElement) -> String {
    format!("<{}>:", host.local_name())
}

/// The detail of `tender-status`: the payment, and the status before.
pub fn status_detail(payment: &Payment, previous: &Status) -> JsValue {
    let previous = object([
        ("statusId", JsValue::from_str(previous.id())),
        ("statusText", JsValue::from_str(previous.text())),
    ]);
    object([("payment", payment_detail(payment)), ("previous", previous)])
}

/// A payment with the service's field names, and amounts as decimal strings.
pub fn payment_detail(payment: &Payment) -> JsValue {
    let Payment {
        transaction_id,
        token,
        payment_token,
        quantity,
        quantity_pay,
        price_usd,
        purchase_email,
        purchase_name,
        invoice_number,
        item_number,
        status,
        wallet,
        created_at,
        state,
        test_mode: is_test,
    } = payment;
    let optional = |text: &Option<String>| text.as_deref().map_or(JsValue::NULL, Into::into);
    let price_usd = price_usd.as_ref().map(ToString::to_string);
    let state = state.map_or(JsValue::NULL, |state| state.as_str().into());
    let detail = object([
        ("transactionId", JsValue::from_str(transaction_id)),
        ("token", JsValue::from_str(token)),
        ("paymentToken", JsValue::from_str(payment_token)),
        (PaymentAsset::FIELD, payment_asset(payment)),
        ("quantity", quantity.to_string().into()),
        ("quantityPay", quantity_pay.to_string().into()),
        ("priceUsd", optional(&price_usd)),
        ("purchaseEmail", optional(purchase_email)),
        ("purchaseName", optional(purchase_name)),
        ("invoiceNumber", optional(invoice_number)),
        ("itemNumber", optional(item_number)),
        ("statusId", status.id().into()),
        ("statusText", status.text().into()),
        ("wallet", JsValue::from_str(wallet)),
        ("createdAt", optional(created_at)),
        ("state", state),
    ]);
    if *is_test {
        // Setting a field of a fresh object can't fail.
        let _ = Reflect::set(&detail, &test_mode::FIELD.into(), &JsValue::TRUE);
    }
    detail
}

/// The network and the token, by CAIP-2 and CAIP-19, or null.
fn payment_asset(payment: &Payment) -> JsValue {
    PaymentAsset::named(&payment.payment_token).map_or(JsValue::NULL, |asset| {
        object([
            ("chainId", asset.chain_id.into()),
            ("assetId", asset.asset_id.into()),
        ])
    })
}

/// An object with these fields.
pub fn object<const N: usize>(fields: [(&str, JsValue); N]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        // Setting a field of a fresh object can't fail.
        let _ = Reflect::set(&object, &JsValue::from_str(name), &value);
    }
    object.into()
}
