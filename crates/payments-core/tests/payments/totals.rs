//! The sums of the prices of payments.

use serde_json::{Value, json};
use tender_payments_core::{TotalGroup, totals};
use tender_protocol::Payment;

use crate::simulation::{payment, record};

/// A payment with this status, state, price and token.
fn priced(status: (&str, &str), state: Option<&str>, price: &Value, token: &str) -> Payment {
    let mut row = record(1);
    row["statusId"] = json!(status.0);
    row["statusText"] = json!(status.1);
    row["quantity"] = price.clone();
    row["token"] = json!(token);
    if let Some(state) = state {
        row["state"] = json!(state);
    }
    payment(&row)
}

/// `paid: 12.50 USDTT`
fn read(payments: &[Payment]) -> Vec<String> {
    let totals = totals(payments).into_iter().map(|total| {
        let group = match &total.group {
            TotalGroup::State(state) => state.as_str(),
            TotalGroup::Status(status) => &format!("status {}", status.text()),
        };
        format!("{group}: {} {}", total.amount, total.token)
    });
    totals.collect()
}

const CREATED: (&str, &str) = ("1", "Created");
const CONFIRMING: (&str, &str) = ("2", "Confirming");
const COMPLETED: (&str, &str) = ("3", "Completed");
const EXPIRED: (&str, &str) = ("4", "Expired");
const CANCELLED: (&str, &str) = ("5", "Cancelled");

#[test]
fn expired_cancelled_and_open_payments_are_not_added_to_paid_ones() {
    let paid = Some("paid");
    let [open, closed] = [Some("open"), Some("closed")];
    let [pending, underpaid, unknown] = [Some("pending"), Some("underpaid"), Some("unknown")];
    let price = |price: &str| json!(price);
    let payments = [
        priced(CREATED, open, &price("48.5"), "USDTT"),
        priced(CONFIRMING, open, &price("120.0"), "USDTT"),
        priced(COMPLETED, paid, &price("310.25"), "USDTT"),
        priced(EXPIRED, closed, &price("99"), "USDTT"),
        priced(CANCELLED, closed, &price("48.5"), "USDTT"),
        priced(COMPLETED, paid, &price("282"), "USDTT"),
        priced(CONFIRMING, unknown, &price("7"), "USDTT"),
        priced(CONFIRMING, underpaid, &price("5"), "USDTT"),
        priced(CONFIRMING, pending, &price("3"), "TRX"),
    ];
    assert_eq!(
        read(&payments),
        [
            "paid: 592.25 USDTT",
            "pending: 3 TRX",
            "underpaid: 5 USDTT",
            "open: 168.5 USDTT",
            "unknown: 7 USDTT",
        ]
    );
}

#[test]
fn a_status_without_a_state_is_not_interpreted() {
    let payments = [
        priced(COMPLETED, None, &json!("310.25"), "USDTT"),
        priced(CREATED, None, &json!("48.50"), "USDTT"),
        priced(EXPIRED, None, &json!("99"), "USDTT"),
        priced(CREATED, None, &json!("1.5"), "USDTT"),
        // The proxy knows this status even if the operator has named none.
        priced(CANCELLED, Some("closed"), &json!("20"), "USDTT"),
    ];
    assert_eq!(
        read(&payments),
        [
            "status Created: 50.00 USDTT",
            "status Completed: 310.25 USDTT",
            "status Expired: 99 USDTT"
        ]
    );
}

#[test]
fn each_token_has_its_own_sum() {
    let open = Some("open");
    let payments = [
        priced(CREATED, open, &json!("1"), "USDTT"),
        priced(CREATED, open, &json!("0.00000001"), "BTC"),
        priced(CREATED, open, &json!("2"), "usdtt"),
        priced(CREATED, open, &json!("4"), "USDTE"),
    ];
    assert_eq!(
        read(&payments),
        ["open: 0.00000001 BTC", "open: 4 USDTE", "open: 3 USDTT"]
    );
    assert_eq!(read(&[]), [""; 0]);
    let closed = [priced(CANCELLED, Some("closed"), &json!("1"), "BTC")];
    assert_eq!(read(&closed), [""; 0]);
}
