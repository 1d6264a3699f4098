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

/// What another value of a field means.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Differing {
    /// The record may be another payment's.
    Contradicts,
    /// The service's quote has moved. The buyer keeps the amount that they were told.
    Moves,
    /// Nothing: the service may mask it.
    Nothing,
}

/// The fields that stay as they are known.
const FIELDS: [(&str, Compare, Differing); 8] = [
    ("invoiceNumber", text, Differing::Contradicts),
    ("token", token, Differing::Contradicts),
    ("paymentToken", token, Differing::Contradicts),
    ("quantity", amount, Differing::Contradicts),
    ("quantityPay", amount, Differing::Moves),
    ("wallet", wallet, Differing::Contradicts),
    ("purchaseEmail", text, Differing::Nothing),
    ("purchaseName", text, Differing::Nothing),
];

/// What is known of a payment after its list was read.
#[derive(Clone, Debug)]
pub struct Latest {
    /// The record that its buyer sees.
    pub record: Record,
    /// The amount to pay that the list shows, if that is another one.
    pub listed_pay: Option<Amount>,
}

/// The latest record of a payment, from the known one and the one in the list.
///
/// A buyer sees the fields of [`FIELDS`] as they are known: another form of them is not taken over. A record that lacks one
/// of them is incomplete, so only its status is taken.
///
/// # Errors
/// The field that contradicts the known record. Then the record may be another payment's.
pub fn latest(known: &Record, mut listed: Record) -> Result<Latest, &'static str> {
    let payer_chooses = payer_chooses(known.text("itemNumber").as_deref());
    let mut is_complete = true;
    let mut listed_pay = None;
    for (field, compare, differing) in FIELDS {
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
            Value::Other => match differing {
                Differing::Contradicts => return Err(field),
                Differing::Moves => {
                    listed_pay = listed.text(field).and_then(|text| text.parse().ok());
                    listed.take(field, known);
                }
                Differing::Nothing => listed.take(field, known),
            },
        }
    }
    let record = if is_complete {
        listed
    } else {
        let mut record = known.clone();
        for field in ["statusId", "statusText"] {
            record.take(field, &listed);
        }
        record
    };
    Ok(Latest { record, listed_pay })
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

    fn json(latest: &Latest) -> String {
        serde_json::to_string(&latest.record).unwrap()
    }

    /// The latest record, if the list shows this instead of a part of the known one.
    fn with(from: &str, to: &str) -> Result<String, &'static str> {
        assert!(KNOWN.contains(from), "{from}");
        let latest = latest(&record(KNOWN), record(&KNOWN.replace(from, to)));
        latest.map(|latest| json(&latest))
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
        let compared = FIELDS.map(|(field, ..)| field);
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
            ("Tabc", "Tabd", "wallet"),
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

    /// Its status is taken, and the merchant sees the other amount.
    #[test]
    fn a_quote_may_move_and_a_buyer_may_be_masked() {
        for (from, to, listed_pay) in [
            ("80.5", "81.250", Some("81.250")),
            ("80.5", "-0", Some("-0")),
            ("Ada", "A**", None),
        ] {
            let listed = KNOWN.replace("Created", "Paid").replace(from, to);
            let latest = latest(&record(KNOWN), record(&listed)).unwrap();
            assert_eq!(json(&latest), KNOWN.replace("Created", "Paid"), "{to}");
            let listed_pay = listed_pay.map(|amount| amount.parse().unwrap());
            assert_eq!(latest.listed_pay, listed_pay);
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
            assert_eq!(json(&latest), expected, "{to}");
        }
    }

    #[test]
    fn the_payer_may_choose_the_amount() {
        let known = KNOWN.replace(r#""x":1"#, r#""itemNumber":0"#);
        let listed = known.replace(":25,", ":30,").replace("80.5", "96.6");
        let latest = latest(&record(&known), record(&listed)).unwrap();
        assert_eq!(json(&latest), listed);
    }
}
