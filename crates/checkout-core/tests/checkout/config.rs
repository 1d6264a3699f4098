//! The configuration from the attributes, and its errors and warnings.

use std::collections::BTreeMap;

use proptest::prelude::*;
use tender_checkout_core::{BuyerField, Config, ConfigError, Order};
use tender_protocol::client::url::InvalidProxyUrl;

use crate::support::{PLAIN, code, codes, config, jwt, read, read_with};

#[test]
fn every_attribute_is_read() {
    let config = config(&[
        ("item-number", "2"),
        ("payment-token", "TRX"),
        ("accept", "btc,  trx\nusdtt"),
        ("ask", "email! name"),
        ("purchase-email", "buyer@example.com"),
        ("purchase-name", "A. Buyer"),
        ("locale", "de-CH"),
        ("theme", "dark"),
    ]);
    let claims = config.order.claims();
    assert!(matches!(config.order, Order::Plain(_)));
    assert_eq!(claims.token, code("usdtt"));
    assert_eq!(claims.quantity.as_ref().unwrap().to_string(), "25.50");
    assert_eq!(claims.invoice_number, "INV-1042");
    assert_eq!(claims.item_number.as_deref(), Some("2"));
    assert_eq!(config.proxy, "https://pay.example");
    assert_eq!(config.payment_token, Some(code("trx")));
    assert_eq!(config.accept, codes("btc trx usdtt"));
    assert_eq!(
        (config.ask_email, config.ask_name),
        (BuyerField::Required, BuyerField::Optional)
    );
    assert_eq!(config.buyer.email.as_deref(), Some("buyer@example.com"));
    assert_eq!(config.buyer.name.as_deref(), Some("A. Buyer"));
    assert_eq!(config.locale.as_deref(), Some("de-CH"));
    assert_eq!(config.warnings, <[String; 0]>::default());
}

#[test]
fn optional_attributes_have_defaults() {
    let bare = config(&[]);
    assert_eq!(bare.payment_token, None);
    assert_eq!(bare.accept, []);
    assert_eq!(
        (bare.ask_email, bare.ask_name),
        (BuyerField::Hidden, BuyerField::Hidden)
    );
    assert_eq!((&bare.buyer.email, &bare.buyer.name), (&None, &None));
    assert_eq!(bare.locale, None);
    assert_eq!(bare.order.claims().item_number, None);

    let blank = config(&[
        ("order", " "),
        ("item-number", ""),
        ("payment-token", ""),
        ("accept", "\t"),
        ("ask", ""),
        ("purchase-email", " "),
        ("purchase-name", ""),
        ("locale", ""),
        ("theme", ""),
    ]);
    assert_eq!(blank, bare, "an empty attribute is an absent one");
}

#[test]
fn white_space_around_a_value_is_trimmed() {
    let padded = PLAIN.map(|(name, value)| (name, format!("\n {value}\t")));
    let padded: Vec<_> = padded
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    assert_eq!(read(&padded), read(&PLAIN));
}

#[test]
fn a_missing_attribute_is_named() {
    let without = |gone: &str| {
        let rest: Vec<_> = PLAIN
            .into_iter()
            .filter(|(name, _)| *name != gone)
            .collect();
        read(&rest).unwrap_err()
    };
    for name in ["proxy", "token", "quantity", "invoice-number"] {
        assert!(
            matches!(without(name), ConfigError::Missing(missing, _) if missing == name),
            "{name}: {:?}",
            without(name)
        );
        assert_eq!(read_with(&[(name, " ")]), Err(without(name)));
        assert!(
            without(name)
                .to_string()
                .starts_with(&format!("`{name}` is missing: set it to "))
        );
    }
    let no_order = read(&[("proxy", "https://pay.example")]).unwrap_err();
    assert!(matches!(no_order, ConfigError::Missing("order", _)));
    assert!(
        no_order
            .to_string()
            .contains("`token`, `quantity` and `invoice-number`")
    );
}

#[test]
fn the_proxy_is_resolved_against_the_page() {
    let resolved = [
        ("https://pay.example", "https://pay.example"),
        ("https://pay.example/", "https://pay.example"),
        ("HTTPS://Pay.Example:443/shop//", "https://pay.example/shop"),
        ("http://127.0.0.1:8081", "http://127.0.0.1:8081"),
        ("http://[::1]:8081/", "http://[::1]:8081"),
        ("//pay.example", "https://pay.example"),
        ("/tender/", "https://shop.example/tender"),
        ("pay", "https://shop.example/cart/pay"),
        (".", "https://shop.example/cart"),
        ("https://zürich.example", "https://xn--zrich-kva.example"),
        ("http://pay_proxy:8080", "http://pay_proxy:8080"),
    ];
    for (proxy, absolute) in resolved {
        assert_eq!(config(&[("proxy", proxy)]).proxy, absolute, "{proxy}");
    }
    let unusable = [
        "javascript:alert(1)",
        "data:text/plain,https://pay.example",
        "ftp://pay.example",
        "https://",
        "https://user:secret@pay.example",
        "https://pay.example/?shop=1",
        "https://pay.example/#",
        "https://pay.example:99999",
        // Names of files beside the page.
        "127.0.0.1:8081",
        "pay.example:443/crypto",
    ];
    for proxy in unusable {
        let error = read_with(&[("proxy", proxy)]);
        assert_eq!(
            error,
            Err(ConfigError::Proxy(InvalidProxyUrl(proxy.to_owned())))
        );
    }
}

#[test]
fn unknown_words_and_a_preselected_token_that_is_not_offered_are_warnings() {
    let accept = ("accept", "btc trx");
    for (attributes, words) in [
        (&[("accept", "btc eth")][..], &["`eth`"][..]),
        (&[("payment-token", "eth")], &["`eth`"]),
        (&[("ask", "email phone!")], &["`phone!`"]),
        (&[("theme", "Dark")], &["`Dark`"]),
        (&[accept, ("payment-token", "bnb")], &["`bnb`", "`accept`"]),
    ] {
        let config = config(attributes);
        let [warning] = &config.warnings[..] else {
            panic!("{attributes:?}: {:?}", config.warnings);
        };
        let has_all = words.iter().all(|word| warning.contains(word));
        assert!(has_all, "{attributes:?}: {warning}");
    }
    for attributes in [
        &[accept, ("payment-token", "TRX")][..],
        &[("theme", "auto")],
        &[("theme", "light")],
        &[("theme", "dark")],
    ] {
        let warnings = config(attributes).warnings;
        assert!(warnings.is_empty(), "{attributes:?}: {warnings:?}");
    }
}

#[test]
fn buyer_fields_are_asked_for_by_name() {
    use BuyerField::{Hidden, Optional, Required};
    let cases = [
        ("email", Optional, Hidden),
        ("email phone!", Optional, Hidden),
        ("name!", Hidden, Required),
        ("name email!", Required, Optional),
        ("email! name!", Required, Required),
    ];
    for (ask, email, name) in cases {
        let config = config(&[("ask", ask)]);
        assert_eq!((config.ask_email, config.ask_name), (email, name), "{ask}");
    }
}

#[test]
fn the_offer_changes_with_tokens_and_fields() {
    let before = config(&[]);
    let offers = [
        ("payment-token", "btc"),
        ("accept", "btc"),
        ("ask", "email"),
        ("ask", "name!"),
        ("purchase-email", "a@example.com"),
        ("purchase-name", "A"),
    ];
    for change in offers {
        assert!(!before.offers_same(&config(&[change])), "{change:?}");
    }
    let looks = [("theme", "dark"), ("locale", "de"), ("theme", "sepia")];
    for change in looks {
        assert!(before.offers_same(&config(&[change])), "{change:?}");
    }
}

/// Attribute values: random texts, and texts similar to valid values.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        r"[ \t\n]*(0|1|12\.50|-1|1e5|1e-9|9{200})[ ]*",
        r"(btc|TRX|usdte|eth|kxp|bnb)( (btc|trx|usdtt|eth|\PC)){0,4}",
        r"(email|name|phone)!?( (email|name)!?){0,3}",
        r"(https?://|//|/|javascript:)?[a-z@.:/?#\[\]]{0,20}",
        r"(\{.*\}|\PC{0,10})".prop_map(|claims| jwt(&claims)),
        r#"("token":"(btc|eth)",)?"quantity":("?[0-9.e-]{1,6}"?),"invoiceNumber":"\PC{0,9}""#
            .prop_map(|claims| jwt(&format!("{{{claims}}}"))),
        r"[A-Za-z0-9_-]{0,9}(\.[A-Za-z0-9_=-]{0,9}){0,4}",
    ]
}

const ATTRIBUTES: [&str; 12] = [
    "proxy",
    "order",
    "token",
    "quantity",
    "invoice-number",
    "item-number",
    "payment-token",
    "accept",
    "ask",
    "purchase-email",
    "purchase-name",
    "theme",
];

proptest! {
    #[test]
    fn any_attributes_are_a_config_or_an_error(
        values in proptest::array::uniform12(proptest::option::weighted(0.6, value())),
        has_plain_order in any::<bool>(),
    ) {
        let given = ATTRIBUTES.iter().zip(&values).filter_map(|(name, value)| {
            Some((*name, value.as_deref()?))
        });
        let plain = if has_plain_order { &PLAIN[..] } else { &[] };
        let attributes: BTreeMap<_, _> = given.chain(plain.iter().copied()).collect();
        let attributes: Vec<_> = attributes.into_iter().collect();
        match read(&attributes) {
            Ok(config) => {
                let claims = config.order.claims();
                prop_assert!(claims.token.is_accepted());
                prop_assert!(!claims.invoice_number.trim().is_empty());
                let is_priced = claims.quantity.as_ref().is_some_and(|price| !price.is_zero());
                prop_assert!(is_priced || config.order.payer_chooses());
                prop_assert!(!config.proxy.ends_with('/'));
            }
            Err(error) => prop_assert!(!error.to_string().is_empty()),
        }
    }
}

/// A rendered form needs no proxy and no invoice, and its request contains nothing about the buyer.
#[test]
fn a_displayed_configuration_asks_for_nothing_personal() {
    let attribute = |name: &'static str| match name {
        "token" => Some("btc".to_owned()),
        "quantity" => Some("0.50".to_owned()),
        "payment-token" => Some("trx".to_owned()),
        "accept" => Some("trx btc".to_owned()),
        "ask" => Some("email!".to_owned()),
        "locale" => Some("pt-BR".to_owned()),
        "item-number" => None,
        other => panic!("asked for `{other}`"),
    };
    let config = Config::displayed(attribute).unwrap();
    let claims = config.order.claims();
    assert_eq!(claims.quantity.as_ref().unwrap().to_string(), "0.50");
    assert_eq!(config.payment_token, Some(code("trx")));
    assert_eq!(config.accept, codes("trx btc"));
    assert_eq!(config.ask_email, BuyerField::Required);
    assert_eq!(config.locale.as_deref(), Some("pt-BR"));
    assert_eq!((&config.buyer.email, &config.buyer.name), (&None, &None));
}

#[test]
fn a_displayed_locale_is_a_language_tag() {
    let with_locale = |locale: &str| {
        Config::displayed(|name| match name {
            "token" => Some("btc".to_owned()),
            "quantity" => Some("1".to_owned()),
            "locale" => Some(locale.to_owned()),
            _ => None,
        })
    };
    for valid in [
        "",
        "de",
        "de_DE",
        "sr-Latn-RS",
        "de-DE-u-co-phonebk-x-linux-longest",
    ] {
        assert!(with_locale(valid).is_ok(), "{valid}");
    }
    for invalid in ["<b>", "d\u{e9}", "de-DE-u-co-phonebk-x-linux-longest-1"] {
        assert_eq!(with_locale(invalid), Err(ConfigError::Locale), "{invalid}");
    }
}
