//! A created record that contradicts its request is never shown as a place to send money.

use tender_checkout_core::{
    Edit, Effect, Event, Failure, FailureCode, FormEvent, HostEvent, Phase, PriorAttempt,
};

use crate::support::{
    Checkout, RECEIPT, code, config, key, listing, offered, ok, payment_record_in, text,
    token_record, wallet_of,
};

/// The checkout after this response to its request for `token`.
fn created(attributes: &[(&str, &str)], token: &str, changes: &[(&str, &str)]) -> Checkout {
    let mut checkout = Checkout::new(config(attributes));
    checkout.on(Event::Started(None));
    let symbol = if token.starts_with("usdt") {
        "USDT".to_owned()
    } else {
        token.to_uppercase()
    };
    let fields = [("symbol", &*text(&symbol)), ("decimals", "null")];
    checkout.on(Event::TokensFetched(ok(listing(&[token_record(
        token, &fields,
    )]))));
    checkout.submit("first").unwrap();
    let record = payment_record_in(token, &[&[RECEIPT], changes].concat());
    assert!(checkout.created(ok(record)).len() <= 1);
    checkout
}

/// The failure shown to the buyer and dispatched to the page, if the record is not shown.
fn mismatch(mut checkout: Checkout) -> Option<Failure> {
    let Phase::Failed(_, _, failure) = checkout.state.phase.clone() else {
        checkout.payment();
        return None;
    };
    assert_eq!(failure.code, FailureCode::RecordMismatch);
    assert!(!failure.code.is_retryable());
    assert_eq!(checkout.last_event(), HostEvent::Error(failure.clone()));
    assert!(checkout.created_events().is_empty());
    assert_eq!(checkout.stream, None);
    Some(failure)
}

fn is_shown(token: &str, field: &str, value: &str) -> bool {
    mismatch(created(&[], token, &[(field, &text(value))])).is_none()
}

#[test]
fn the_token_is_the_chosen_one_as_a_code_or_as_a_ticker() {
    for (token, names) in [
        ("usdtt", &["USDTT", "usdtt", "USDT", " usdt "][..]),
        ("usdte", &["USDTE", "USDT"]),
        ("btc", &["BTC", "btc"]),
        ("kxp", &["KXP"]),
    ] {
        for name in names {
            assert!(is_shown(token, "paymentToken", name), "{token}: {name}");
        }
    }
    for (token, name) in [
        ("btc", "TRX"),
        ("trx", "BTC"),
        ("trx", "USDTT"),
        ("usdtt", "USDTE"),
        ("usdte", "USDTT"),
        ("usdtt", "TRX"),
        ("kxp", "BNB"),
    ] {
        assert!(!is_shown(token, "paymentToken", name), "{token}: {name}");
    }
}

#[test]
fn the_invoice_is_that_of_the_order() {
    assert!(is_shown("trx", "invoiceNumber", "INV-1042"));
    assert!(is_shown("trx", "invoiceNumber", " INV-1042\t"));
    assert!(!is_shown("trx", "invoiceNumber", "INV-1043"));
    let without = created(&[], "trx", &[("invoiceNumber", "null")]);
    assert_eq!(mismatch(without), None, "a record may leave it out");
}

#[test]
fn the_price_is_that_of_the_order() {
    for name in ["USDTT", "usdtt", "USDT", "Tether"] {
        assert!(is_shown("trx", "token", name), "{name}");
    }
    for name in ["USDTE", "BTC", "TRX"] {
        assert!(!is_shown("trx", "token", name), "{name}");
    }
    for (quantity, is_same) in [
        ("25.5", true),
        ("25.500", true),
        ("25.51", false),
        ("0", false),
    ] {
        let found = mismatch(created(&[], "trx", &[("quantity", quantity)]));
        assert_eq!(found.is_none(), is_same, "{quantity}");
    }
    // The payer chooses it.
    let attributes = [("item-number", "0")];
    assert_eq!(
        mismatch(created(&attributes, "trx", &[("quantity", "7")])),
        None
    );
}

#[test]
fn the_wallet_is_an_address_of_the_network() {
    let tokens = ["btc", "trx", "usdtt", "usdte", "bnb"];
    for token in tokens {
        assert!(is_shown(token, "wallet", wallet_of(token)), "{token}");
        for wallet in [
            "somewhere",
            "KXP-1",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5",
        ] {
            assert!(!is_shown(token, "wallet", wallet), "{token}: {wallet}");
        }
        for other in tokens {
            let is_address = wallet_of(token) == wallet_of(other);
            assert_eq!(is_shown(token, "wallet", wallet_of(other)), is_address);
        }
    }
}

/// A network with unknown address format: any text is shown as text.
#[test]
fn without_a_known_format_a_wallet_is_any_visible_text() {
    for wallet in ["KXP-1", wallet_of("btc"), "memo 7: KXP-1", "<b>"] {
        assert!(is_shown("kxp", "wallet", wallet), "{wallet}");
    }
    for hidden in [
        '\u{202e}',
        '\u{2066}',
        '\u{200b}',
        '\u{200d}',
        '\u{200f}',
        '\u{61c}',
        '\u{ad}',
        '\u{feff}',
        '\u{2060}',
        '\u{e0041}',
        '\u{fe0f}',
        '\u{7}',
        '\n',
        '\u{2028}',
        '\u{85}',
        '\u{3164}',
    ] {
        let wallet = format!("KXP{hidden}-1");
        assert!(!is_shown("kxp", "wallet", &wallet), "{hidden:?}");
    }
}

#[test]
fn the_amount_is_zero_only_if_the_payer_chooses_it() {
    let zero = [("quantityPay", "0.00")];
    assert!(mismatch(created(&[], "btc", &zero)).is_some());

    let attributes = [("item-number", "0")];
    let checkout = created(&attributes, "btc", &zero);
    assert!(checkout.payment().accepts_any_amount());
    assert_eq!(checkout.payment().transfer(), None);
    let checkout = created(&attributes, "btc", &[]);
    assert!(!checkout.payment().accepts_any_amount());
}

#[test]
fn the_message_names_the_field() {
    let failure = mismatch(created(&[], "trx", &[("paymentToken", r#""B\u202eTC""#)])).unwrap();
    assert!(
        failure.message.contains("paymentToken"),
        "{}",
        failure.message
    );
    assert!(!failure.message.contains('\u{202e}'), "{}", failure.message);
    let failure = mismatch(created(&[], "trx", &[("wallet", r#""TX""#)])).unwrap();
    assert!(failure.message.contains("wallet"), "{}", failure.message);
}

/// An earlier version of the page may have saved it. It can only be cancelled.
#[test]
fn a_saved_payment_that_does_not_match_is_not_shown_again() {
    let good = Checkout::awaiting().saved().unwrap();
    for (from, to) in [
        (wallet_of("trx"), wallet_of("btc")),
        (r#""paymentToken":"TRX""#, r#""paymentToken":"BTC""#),
    ] {
        let json = good.replace(from, to);
        assert_ne!(json, good);
        let mut checkout = Checkout::new(config(&[]));
        assert_eq!(
            checkout.on(Event::Started(Some(json))),
            [Effect::FetchTokens]
        );
        checkout.on(Event::TokensFetched(ok(offered())));
        assert!(matches!(
            checkout.context().prior,
            Some(PriorAttempt::Mismatched(_))
        ));
        checkout.ignores(FormEvent::Resumed);
        checkout.on(Edit::Token(code("trx")));
        let effects = checkout.on(FormEvent::Submitted(key("second")));
        assert!(matches!(effects[..], [Effect::Cancel { .. }]));
    }
}
