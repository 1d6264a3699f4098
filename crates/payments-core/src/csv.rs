//! Payments as a table for other programs: CSV (RFC 4180).

use tender_protocol::Payment;

/// What a file of [`write`] is: RFC 4180, section 3.
pub const MEDIA_TYPE: &str = "text/csv;charset=utf-8;header=present";

/// With this at its head a spreadsheet takes a file for UTF-8; without it, some read names in the
/// letters of the system. Programs that read CSV skip it or can be told to.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The columns: the service's own names of the fields.
pub const COLUMNS: [&str; 14] = [
    "transactionId",
    "invoiceNumber",
    "createdAt",
    "statusId",
    "statusText",
    "quantity",
    "token",
    "quantityPay",
    "paymentToken",
    "priceUsd",
    "purchaseEmail",
    "purchaseName",
    "itemNumber",
    "wallet",
];

/// Writes a line of names, and one for each payment. Amounts are the service's digits, each of them.
///
/// A text that a spreadsheet would run as a formula gets an apostrophe before it: names and invoice
/// numbers come from buyers.
#[must_use]
pub fn write<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> String {
    let mut csv = String::new();
    line(&mut csv, &COLUMNS.map(str::to_owned));
    for payment in payments {
        let text = |text: &Option<String>| harmless(text.as_deref().unwrap_or_default());
        line(
            &mut csv,
            &[
                harmless(&payment.transaction_id),
                text(&payment.invoice_number),
                text(&payment.created_at),
                harmless(payment.status.id()),
                harmless(payment.status.text()),
                payment.quantity.to_string(),
                harmless(&payment.token),
                payment.quantity_pay.to_string(),
                harmless(&payment.payment_token),
                payment
                    .price_usd
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                text(&payment.purchase_email),
                text(&payment.purchase_name),
                text(&payment.item_number),
                harmless(&payment.wallet),
            ],
        );
    }
    csv
}

fn harmless(text: &str) -> String {
    if text.starts_with(['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠']) {
        format!("'{text}")
    } else {
        text.to_owned()
    }
}

fn line(csv: &mut String, fields: &[String]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            csv.push(',');
        }
        if field.contains(['"', ',', '\r', '\n']) {
            csv.push('"');
            csv.push_str(&field.replace('"', "\"\""));
            csv.push('"');
        } else {
            csv.push_str(field);
        }
    }
    csv.push_str("\r\n");
}
