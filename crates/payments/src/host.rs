//! The element in its page: attributes in, `CustomEvent`s out.

use tender_element::host::{
    self, emit_request_error, object, payment_detail, resolve_url, status_detail,
};
use tender_payments_core::{Config, ConfigError, HostEvent};
use web_sys::HtmlElement;

/// Reads the element's attributes.
pub(crate) fn config(host: &HtmlElement) -> Result<Config, ConfigError> {
    Config::read(
        |name| host.get_attribute(name),
        |url| resolve_url(host, url),
    )
}

/// Dispatches the `CustomEvent` for `event`.
pub(crate) fn emit(host: &HtmlElement, event: &HostEvent) {
    let (name, detail) = match event {
        HostEvent::Ready(payments) => {
            let payments = u32::try_from(*payments).unwrap_or(u32::MAX);
            ("tender-ready", object([("payments", payments.into())]))
        }
        HostEvent::Created(payment) => (
            "tender-created",
            object([("payment", payment_detail(payment))]),
        ),
        HostEvent::Status { payment, previous } => {
            ("tender-status", status_detail(payment, previous))
        }
        HostEvent::Error(failure) => return emit_request_error(host, failure),
    };
    host::emit(host, name, &detail);
}
