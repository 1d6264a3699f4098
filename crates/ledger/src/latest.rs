//! Compares a record of the list with the known record of the payment.

use tender_protocol::request::payer_chooses;
use tender_protocol::{Amount, Record, TokenCode};

use crate::identity::{fold, is_same_invoice};

/// How a value of the list compares with the known one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    Same,
    /// The same in another form.
    OtherForm,
    /// Missing, or not readable.
    Odd,
    Other,
}

type Compare = fn(&str, &str) -> Value;

/// The fields that identify a payment, besides its transactionId.
const FIELDS: [(&str, Compare); 8] = [
    ("invoiceNumber", text),
    ("token", token),
    ("paymentToken", token),
    ("quantity", amount),
    ("quantityPay", amount),
    ("wallet", wallet),
    ("purchaseEmail", text),
    ("purchaseName", text),
];

/// The latest record of a payment, from the known one and the one in the list.
///
/// A buyer sees the values that identify a payment as they are known: another form of them is not
/// taken over. A record that lacks one of them is incomplete, so only its status is taken.
///
/// # Errors
/// The field that contradicts the known record. Then the record may be another payment's.
pub fn latest(known: &Record, mut listed: Record) -> Result<Record, &'static str> {
    let payer_chooses = payer_chooses(known.text("itemNumber").as_deref());
    let mut is_complete = true;
    for (field, compare) in FIELDS {
        let value = match (known.text(field), listed.text(field)) {
            (Some(known), Some(listed)) => compare(&known, &listed),
            (Some(_), None) => Value::Odd,
            // The service may omit it. It can't be compared with anything.
            (None, Some(_)) => Value::OtherForm,
            (None, None) => Value::Same,
        };
        match value {
            Value::Same => {}
            Value::OtherForm => listed.take(field, known),
            Value::Odd => is_complete = false,
            Value::Other if payer_chooses && field.starts_with("quantity") => {}
            Value::Other => return Err(field),
        }
    }
    if is_complete {
        return Ok(listed);
    }
    let mut latest = known.clone();
    for field in ["statusId", "statusText"] {
        latest.take(field, &listed);
    }
    Ok(latest)
}

fn text(known: &str, listed: &str) -> Value {
    either_way(known, listed, is_same_invoice)
}

fn token(known: &str, listed: &str) -> Value {
    either_way(known, listed, |code, name| {
        TokenCode::from(code).may_be_named(name)
    })
}

fn amount(known: &str, listed: &str) -> Value {
    let (Ok(known), Ok(listed)) = (known.parse::<Amount>(), listed.parse::<Amount>()) else {
        return Value::Odd;
    };
    either_way(&known, &listed, Amount::may_be_listed_as)
}

fn wallet(known: &str, listed: &str) -> Value {
    // Some addresses are the same in either case.
    either_way(known.trim(), listed.trim(), |known, listed| {
        fold(known) == fold(listed)
    })
}

/// Compares two values, of which either may be another form of the other.
fn either_way<T: PartialEq + ?Sized>(
    known: &T,
    listed: &T,
    is_form: impl Fn(&T, &T) -> bool,
) -> Value {
    if known == listed {
        Value::Same
    } else if is_form(known, listed) || is_form(listed, known) {
        Value::OtherForm
    } else {
        Value::Other
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tender_protocol::{Payment, PaymentState, Status};

    use super::*;

    /// The fields that may change, and `transactionId`, by which the record is found.
    const OTHERS: [&str; 8] = [
        "transactionId",
        "priceUsd",
        "itemNumber",
        "statusId",
        "statusText",
        "createdAt",
        "state",
        "testMode",
    ];

    const KNOWN: &str = r#"{"transactionId":"a","token":"USDTT","paymentToken":"TRX","quantity":25,"quantityPay":80.5,"invoiceNumber":"INV-1","statusId":"1","statusText":"Created","wallet":"Tabc","purchaseName":"Ada","x":1}"#;

    fn record(json: &str) -> Record {
        Record::parse(json, "a payment record").unwrap()
    }

    /// The latest record, if the list shows this instead of a part of the known one.
    fn with(from: &str, to: &str) -> Result<String, &'static str> {
        assert!(KNOWN.contains(from), "{from}");
        let latest = latest(&record(KNOWN), record(&KNOWN.replace(from, to)));
        latest.map(|latest| serde_json::to_string(&latest).unwrap())
    }

    /// A new field is in `FIELDS`, or it may change.
    #[test]
    fn each_field_is_compared_or_may_change() {
        let text = String::new;
        let amount: Amount = "1".parse().unwrap();
        let record = serde_json::to_value(Payment {
            transaction_id: text(),
            token: text(),
            payment_token: text(),
            quantity: amount.clone(),
            quantity_pay: amount.clone(),
            price_usd: Some(amount),
            purchase_email: Some(text()),
            purchase_name: Some(text()),
            invoice_number: Some(text()),
            item_number: Some(text()),
            status: Status::Created,
            wallet: text(),
            created_at: Some(text()),
            state: Some(PaymentState::Open),
            test_mode: true,
        });
        let record = record.unwrap();
        let fields: BTreeSet<_> = record
            .as_object()
            .unwrap()
            .keys()
            .map(|key| &**key)
            .collect();
        let compared = FIELDS.map(|(field, _)| field);
        let decided = compared.into_iter().chain(OTHERS).collect();
        let undecided: Vec<_> = fields.symmetric_difference(&decided).collect();
        assert_eq!(undecided, [&""; 0], "neither in `FIELDS` nor in `OTHERS`");
    }

    #[test]
    fn a_record_of_another_payment_is_not_taken() {
        for (from, to, field) in [
            ("INV-1", "INV-2", "invoiceNumber"),
            ("USDTT", "USDTE", "token"),
            ("TRX", "BTC", "paymentToken"),
            (":25,", ":25.01,", "quantity"),
            ("80.5", "-0", "quantityPay"),
            ("Tabc", "Tabd", "wallet"),
            ("Ada", "Bob", "purchaseName"),
        ] {
            assert_eq!(with(from, to), Err(field), "{to}");
        }
    }

    #[test]
    fn everything_else_is_taken_as_the_service_wrote_it() {
        for (from, to) in [
            ("Created", "Paid"),
            (r#","x":1"#, r#","x":[1.10, 1e-8],"hash":"b""#),
            (":25,", ":25.00,"),
        ] {
            assert_eq!(with(from, to).unwrap(), KNOWN.replace(from, to), "{to}");
        }
    }

    #[test]
    fn values_that_identify_a_payment_keep_their_form() {
        for (from, to) in [
            ("INV-1", " inv-1 "),
            ("USDTT", "USDT"),
            ("TRX", "Tron"),
            ("Tabc", "TABC"),
            (r#""x":1"#, r#""purchaseEmail":"bob@shop.example","x":1"#),
        ] {
            assert_eq!(with(from, to).unwrap(), KNOWN, "{to}");
        }
    }

    #[test]
    fn an_incomplete_record_has_a_status() {
        for (from, to) in [
            (r#""wallet":"Tabc""#, r#""wallet":null"#),
            (r#""quantity":25,"#, ""),
            ("80.5", "[]"),
            ("80.5", "-1"),
        ] {
            let listed = KNOWN.replace("Created", "Paid").replace("\"1\"", "\"7\"");
            let listed = record(&listed.replace(from, to));
            let latest = latest(&record(KNOWN), listed).unwrap();
            let expected = KNOWN.replace("Created", "Paid").replace("\"1\"", "\"7\"");
            assert_eq!(serde_json::to_string(&latest).unwrap(), expected, "{to}");
        }
    }

    #[test]
    fn the_payer_may_choose_the_amount() {
        let known = KNOWN.replace(r#""x":1"#, r#""itemNumber":0"#);
        let listed = known.replace(":25,", ":30,").replace("80.5", "96.6");
        let latest = latest(&record(&known), record(&listed)).unwrap();
        assert_eq!(serde_json::to_string(&latest).unwrap(), listed);
    }
}
