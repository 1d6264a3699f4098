//! Signed orders, and orders in plain attributes.

use tender_checkout_core::order::OrderError;
use tender_checkout_core::{ConfigError, Order};
use tender_protocol::AmountError;
use tender_protocol::request::OrderClaims;

use crate::contract;
use crate::support::{code, config, jwt, read, read_with, signed};

const CLAIMS: &str = r#"{"token":"USDTT","quantity":"25.50","invoiceNumber":"INV-1042","exp":1}"#;

#[test]
fn a_signed_order_and_a_plain_one_contradict_each_other() {
    let plain = [
        ("token", "usdtt"),
        ("quantity", "1"),
        ("invoice-number", "I"),
        ("item-number", "0"),
    ];
    for attribute in plain {
        let error = signed(CLAIMS, &[attribute]).unwrap_err();
        assert_eq!(error, ConfigError::Contradiction(attribute.0));
        assert!(
            error
                .to_string()
                .contains(&format!("`order` and `{}`", attribute.0))
        );
    }
    assert_eq!(
        signed(CLAIMS, &[("token", "")]),
        signed(CLAIMS, &[]),
        "an empty attribute contradicts nothing"
    );
}

#[test]
fn a_quantity_is_a_decimal_above_zero() {
    let not_a_number = |text: &str| AmountError::NotANumber(text.to_owned());
    let errors = [
        ("12,50", ConfigError::Quantity(not_a_number("12,50"))),
        ("$5", ConfigError::Quantity(not_a_number("$5"))),
        ("NaN", ConfigError::Quantity(not_a_number("NaN"))),
        (
            "-1",
            ConfigError::Quantity(AmountError::Negative("-1".to_owned())),
        ),
        ("1e999", ConfigError::Quantity(AmountError::TooLong)),
        ("0", ConfigError::NothingToPay),
        ("0.00", ConfigError::NothingToPay),
    ];
    for (quantity, error) in errors {
        assert_eq!(
            read_with(&[("quantity", quantity)]),
            Err(error),
            "{quantity}"
        );
    }
    let error = read_with(&[("quantity", "12,50")]).unwrap_err();
    assert!(error.to_string().starts_with("`quantity`: "), "{error}");
}

#[test]
fn with_item_number_zero_a_quantity_is_only_a_suggestion() {
    for quantity in ["", "0", "12.5"] {
        let config = config(&[("item-number", "0"), ("quantity", quantity)]);
        assert!(config.order.payer_chooses());
        assert_eq!(config.order.claims().quantity, quantity.parse().ok());
    }
    assert!(!config(&[("item-number", "1")]).order.payer_chooses());
    let error = read_with(&[("item-number", "0"), ("quantity", "much")]);
    assert!(matches!(error, Err(ConfigError::Quantity(_))));
}

#[test]
fn an_order_is_priced_in_an_accepted_token() {
    for token in ["eth", "usdt", "<script>"] {
        let plain = read_with(&[("token", token)]).unwrap_err();
        assert_eq!(plain, ConfigError::NotAccepted(token.to_owned()));
        let claims = CLAIMS.replace("USDTT", token);
        assert_eq!(signed(&claims, &[]).unwrap_err(), plain);
        assert!(
            plain
                .to_string()
                .contains("trx, usdtt, usdte, bnb, kxp, btc"),
            "{plain}"
        );
    }
    assert_eq!(
        config(&[("token", "BTC")]).order.claims().token,
        code("btc")
    );
}

#[test]
fn the_claims_of_a_signed_order_are_read() {
    let config = signed(CLAIMS, &[]).unwrap();
    let Order::Signed {
        jwt: kept, claims, ..
    } = &config.order
    else {
        panic!("{:?}", config.order);
    };
    assert_eq!(*kept, jwt(CLAIMS));
    assert_eq!(claims.token, code("usdtt"));
    assert_eq!(claims.quantity.as_ref().unwrap().to_string(), "25.50");
    assert_eq!(claims.invoice_number, "INV-1042");

    for case in contract::accepted_orders() {
        let config = read(&[("proxy", "https://pay.example"), ("order", &case.order)]).unwrap();
        let claims: OrderClaims = serde_json::from_value(case.claims).unwrap();
        assert_eq!(*config.order.claims(), claims, "{}", case.name);
    }
}

#[test]
fn the_order_s_buyer_takes_precedence_over_the_page_s() {
    let page = [
        ("purchase-email", "page@example.com"),
        ("purchase-name", "Page"),
    ];
    let buyer = r#""purchaseEmail":"order@example.com","purchaseName":"Order","exp":1"#;
    let config = signed(&CLAIMS.replace(r#""exp":1"#, buyer), &page).unwrap();
    assert_eq!(config.buyer.email.as_deref(), Some("order@example.com"));
    assert_eq!(config.buyer.name.as_deref(), Some("Order"));

    let blank = r#""purchaseEmail":"","purchaseName":null,"exp":1"#;
    for claims in [CLAIMS, &CLAIMS.replace(r#""exp":1"#, blank)] {
        let config = signed(claims, &page).unwrap();
        assert_eq!(config.buyer.email.as_deref(), Some("page@example.com"));
        assert_eq!(config.buyer.name.as_deref(), Some("Page"));
    }
}

#[test]
fn an_order_that_is_no_jwt_is_an_error() {
    let whole = jwt(CLAIMS);
    let parts: Vec<_> = whole.split('.').collect();
    let [header, payload, signature] = parts[..] else {
        panic!()
    };
    let texts = [
        "INV-1042".to_owned(),
        "..".to_owned(),
        format!("{header}.{payload}"),
        format!("{header}.{payload}."),
        format!(".{payload}.{signature}"),
        format!("{header}.{payload}.{signature}.more"),
        format!("{header}.{CLAIMS}.{signature}"),
        format!("{header}.{payload}=.{signature}"),
    ];
    for order in texts {
        let error = read(&[("proxy", "https://pay.example"), ("order", &order)]);
        assert_eq!(
            error,
            Err(ConfigError::Order(OrderError::NotAJwt)),
            "{order}"
        );
    }
}

#[test]
fn a_signed_order_without_a_required_claim_is_an_error() {
    let claims = [
        ("not JSON", ""),
        ("[1]", ""),
        (r#"{"quantity":"1","invoiceNumber":"I"}"#, "`token`"),
        (r#"{"token":"btc","quantity":"1"}"#, "`invoiceNumber`"),
        (
            r#"{"token":"btc","quantity":"1","invoiceNumber":" "}"#,
            "`invoiceNumber`",
        ),
        (r#"{"token":"btc","invoiceNumber":"I"}"#, "`quantity`"),
        (
            r#"{"token":"btc","invoiceNumber":"I","itemNumber":"2"}"#,
            "`quantity`",
        ),
        (
            r#"{"token":"btc","quantity":"-1","invoiceNumber":"I"}"#,
            "negative",
        ),
    ];
    for (claims, reason) in claims {
        let error = signed(claims, &[]).unwrap_err();
        assert!(
            matches!(error, ConfigError::Order(OrderError::Claims(_))),
            "{claims}: {error}"
        );
        let message = error.to_string();
        assert!(message.contains(reason), "{claims}: {message}");
        assert!(
            message.ends_with("; have the shop's backend sign it again"),
            "{message}"
        );
    }
    let nothing = r#"{"token":"btc","quantity":"0.0","invoiceNumber":"I"}"#;
    assert_eq!(signed(nothing, &[]), Err(ConfigError::NothingToPay));
    let donation = r#"{"token":"btc","invoiceNumber":"I","itemNumber":"0"}"#;
    assert!(signed(donation, &[]).unwrap().order.payer_chooses());
}
