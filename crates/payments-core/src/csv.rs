//! Exports payments as CSV (RFC 4180), as a spreadsheet in the merchant's language reads it.

use tender_protocol::client::typed::DecimalSeparator;
use tender_protocol::{Amount, Payment, sanitize::is_unsafe};

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
/// invoice numbers may come from buyers. Where decimals have a comma, fields are separated by semicolons, as Excel expects: it would
/// read `1.5` as a date.
pub fn write<'a>(
    payments: impl IntoIterator<Item = &'a Payment>,
    decimals: DecimalSeparator,
) -> String {
    let separator = match decimals {
        DecimalSeparator::Point => ',',
        DecimalSeparator::Comma => ';',
    };
    let number = |amount: &Amount| match decimals {
        DecimalSeparator::Point => amount.to_string(),
        DecimalSeparator::Comma => amount.to_string().replace('.', ","),
    };
    let mut csv = String::new();
    write_line(&mut csv, separator, &COLUMNS.map(str::to_owned));
    for payment in payments {
        let text = |text: &Option<String>| escape_formula(text.as_deref().unwrap_or_default());
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
            // These are the proxy's.
            state: _,
            test_mode: _,
        } = payment;
        let price_usd = price_usd.as_ref().map(number);
        write_line(
            &mut csv,
            separator,
            &[
                escape_formula(transaction_id),
                text(invoice_number),
                text(created_at),
                escape_formula(status.id()),
                escape_formula(status.text()),
                number(quantity),
                escape_formula(token),
                number(quantity_pay),
                escape_formula(payment_token),
                price_usd.unwrap_or_default(),
                text(purchase_email),
                text(purchase_name),
                text(item_number),
                escape_formula(wallet),
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

fn write_line(csv: &mut String, separator: char, fields: &[String; COLUMNS.len()]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            csv.push(separator);
        }
        if field.contains(['"', separator, '\r', '\n']) {
            csv.push('"');
            csv.push_str(&field.replace('"', "\"\""));
            csv.push('"');
        } else {
            csv.push_str(field);
        }
    }
    csv.push_str("\r\n");
}
