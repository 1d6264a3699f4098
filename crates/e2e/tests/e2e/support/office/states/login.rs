//! Up to the list.

use super::super::{Office, invoices};
use super::{MERCHANT_KEY, fail_to_list};

pub(super) async fn skeleton(office: &Office) {
    office.browser.hold("*/payment/list*").await;
    office.visit().await;
    // The module's texts; those of the loader are not named.
    office.has(".skeleton[aria-label]").await;
}

pub(super) async fn key_wanted(office: &Office) {
    office.visit().await;
    office.part("key-form").await;
}

pub(super) async fn key_refused(office: &Office) {
    key_wanted(office).await;
    office.enter("not-the-key").await;
    office.has("[role=alert]").await;
}

pub(super) async fn unavailable(office: &Office) {
    fail_to_list(office);
    key_wanted(office).await;
    office.enter(MERCHANT_KEY).await;
    office.part("retry").await;
}

pub(super) async fn logged_out(office: &Office) {
    office.fill(3).await;
    office.log_in().await;
    office.shows(&invoices(3, 1)).await;
    office.log_out().await;
    office.press("refresh").await;
    office.part("retry").await;
}

pub(super) async fn not_loaded(office: &Office) {
    office.browser.block(&["*.wasm"]).await;
    office.visit().await;
    office.has("[role=alert]").await;
}
