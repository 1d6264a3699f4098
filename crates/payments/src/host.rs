//! The element in its page: attributes in, `CustomEvent`s out.

use tender_element_legacy::host::{
    object, record, resolve, status_change, tell as tell_page, tell_failure,
};
use tender_payments_core::{Config, ConfigError, HostEvent};
use web_sys::HtmlElement;

/// Reads the element's attributes.
pub(crate) fn config(host: &HtmlElement) -> Result<Config, ConfigError> {
    Config::read(
        |name| host.get_attribute(name),
        |address| resolve(host, address),
    )
}

/// Tells the page what happened.
pub(crate) fn tell(host: &HtmlElement, event: &HostEvent) {
    let (name, detail) = match event {
        HostEvent::Ready(payments) => {
            let payments = u32::try_from(*payments).unwrap_or(u32::MAX);
            ("tender-ready", object([("payments", payments.into())]))
        }
        HostEvent::Created(payment) => ("tender-created", object([("payment", record(payment))])),
        HostEvent::Status { payment, previous } => {
            ("tender-status", status_change(payment, previous))
        }
        HostEvent::Error(failure) => return tell_failure(host, failure),
    };
    tell_page(host, name, &detail);
}
