//! Exports payments as CSV (RFC 4180).

use tender_protocol::{Payment, sanitize::is_unsafe};

/// The media type of the text that [`write`] returns (RFC 4180, section 3).
pub const MEDIA_TYPE: &str = "text/csv;charset=utf-8;header=present";

/// At the start of a file this tells a spreadsheet that the text is UTF-8. Without it, some
/// spreadsheets assume the character set of the system and garble names.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The columns, named as the service names the fields.
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

/// Writes a header line and one line per payment. Amounts keep every digit of the service.
///
/// What a spreadsheet would evaluate as a formula is prefixed with an apostrophe, because names and
/// invoice numbers may come from buyers.
pub fn write<'a>(payments: impl IntoIterator<Item = &'a Payment>) -> String {
    let mut csv = String::new();
    write_line(&mut csv, &COLUMNS.map(str::to_owned));
    for payment in payments {
        let text = |text: &Option<String>| escape_formula(text.as_deref().unwrap_or_default());
        write_line(
            &mut csv,
            &[
                escape_formula(&payment.transaction_id),
                text(&payment.invoice_number),
                text(&payment.created_at),
                escape_formula(payment.status.id()),
                escape_formula(payment.status.text()),
                payment.quantity.to_string(),
                escape_formula(&payment.token),
                payment.quantity_pay.to_string(),
                escape_formula(&payment.payment_token),
                payment
                    .price_usd
                    .as_ref()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                text(&payment.purchase_email),
                text(&payment.purchase_name),
                text(&payment.item_number),
                escape_formula(&payment.wallet),
            ],
        );
    }
    csv
}

/// Escapes the text, and each part of it that a spreadsheet with other separators than a comma reads as a cell of its own:
/// quotation marks protect only against those of the file.
fn escape_formula(text: &str) -> String {
    let cells = text.split_inclusive([';', '\t', '\r', '\n']);
    let escaped: String = cells.map(escape_cell).collect();
    if text.starts_with(['\t', '\r', '\n']) {
        format!("'{escaped}")
    } else {
        escaped
    }
}

/// Spreadsheets skip white space and invisible characters at the start of a cell.
fn escape_cell(cell: &str) -> String {
    let is_joiner = |character| matches!(character, '\u{200c}' | '\u{200d}');
    let is_skipped =
        |character: char| character.is_whitespace() || is_joiner(character) || is_unsafe(character);
    let content = cell.trim_start_matches(is_skipped);
    if content.starts_with(['=', '+', '-', '@', '＝', '＋', '－', '＠']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

fn write_line(csv: &mut String, fields: &[String]) {
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
