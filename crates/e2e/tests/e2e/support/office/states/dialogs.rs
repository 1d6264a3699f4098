//! The dialogs: payments are cancelled, notifications and payment links.

use axum::http::StatusCode;
use tender_sandbox::{Endpoint, Fault};

use super::super::Office;
use super::dashboard::payments;
use super::open;

pub(super) async fn selected(office: &Office) {
    payments(office).await;
    for invoice in ["INV-5", "INV-4", "INV-2"] {
        office.pick(invoice).await;
    }
    office.part("cancel-selected").await;
}

pub(super) async fn asked(office: &Office) {
    payments(office).await;
    office.press("cancel").await;
    office.part("confirm").await;
}

pub(super) async fn asked_of_several(office: &Office) {
    selected(office).await;
    office.press("cancel-selected").await;
    office.part("confirm").await;
}

pub(super) async fn cancelling(office: &Office) {
    asked_of_several(office).await;
    office.browser.hold("*/payment/cancel").await;
    office.press("confirm").await;
    office.has("dialog [aria-live]").await;
}

pub(super) async fn cancelled(office: &Office) {
    asked(office).await;
    office.press("confirm").await;
    office.part("close").await;
}

/// The service rejects one of three cancellations, and accepts another without changing its status.
pub(super) async fn some_rejected(office: &Office) {
    asked_of_several(office).await;
    let refused = Fault::respond(StatusCode::BAD_REQUEST, "{}");
    office.servers.inject(Endpoint::Cancel, refused);
    office.press("confirm").await;
    office.part("close").await;
    office.has("dialog .problem").await;
}

/// The shop has failed once, and the proxy will try again.
pub(super) async fn notification(office: &Office) {
    let failing = StatusCode::SERVICE_UNAVAILABLE;
    office.servers.merchant.answer_with(failing);
    let status = office.order("INV-1").await;
    assert!(status.is_success(), "{status}");
    open(office).await;
    office.press("notifications").await;
    office.reads("503").await;
}

pub(super) async fn link_form(office: &Office) {
    payments(office).await;
    office.press("create-link").await;
    office.has("#link-price").await;
}

pub(super) async fn link_refused(office: &Office) {
    link_form(office).await;
    office.ask_for_link("1000000", "INV-6").await;
    office.has("dialog [role=alert]").await;
}

pub(super) async fn link_created(office: &Office) {
    link_form(office).await;
    office.ask_for_link("0.00085", "INV-6").await;
    office.part("link").await;
}
