//! Transaction hashes: the format on each network, and entering one.

use proptest::prelude::*;
use tender_checkout_core::asset::{AssetInfo, Network, TransactionHash};
use tender_checkout_core::{HostEvent, PaymentEvent};

use crate::support::{Checkout, HASH, code};

fn prefixed() -> String {
    format!("0x{HASH}")
}

/// The result of parsing `text` for the network of `token`.
fn parse(token: &str, text: &str) -> Option<String> {
    let network = AssetInfo::of(&code(token)).unwrap().network;
    TransactionHash::parse(text, network).map(|hash| hash.as_str().to_owned())
}

/// Bitcoin and TRON write 64 hexadecimal digits; hashes on EVM chains start with 0x.
#[test]
fn each_network_has_its_format_in_lower_case() {
    let (digits, prefixed) = (HASH.to_owned(), prefixed());
    for (tokens, written, other) in [
        (&["btc", "trx", "usdtt"][..], &digits, &prefixed),
        (&["usdte", "bnb"], &prefixed, &digits),
    ] {
        let upper = written.replace(HASH, &HASH.to_ascii_uppercase());
        for token in tokens {
            for text in [written, &upper, &format!("\n {upper} \t")] {
                assert_eq!(parse(token, text).as_ref(), Some(written), "{token}");
            }
            assert_eq!(parse(token, other), None, "{token}");
        }
    }
}

#[test]
fn an_unknown_token_has_no_asset_info() {
    for token in ["kxp", "eth", "usdt", ""] {
        assert_eq!(AssetInfo::of(&code(token)), None);
    }
}

#[test]
fn texts_like_a_hash_are_refused() {
    let short = &HASH[1..];
    let texts = [
        String::new(),
        short.to_owned(),
        format!("{HASH}0"),
        format!("{short}g"),
        format!("{} {}", &HASH[..32], &HASH[32..]),
        format!("{short}é"),
        format!("{}é", &HASH[2..]),
        "０".repeat(64),
    ];
    for text in texts {
        assert_eq!(parse("btc", &text), None, "{text}");
        assert_eq!(parse("bnb", &format!("0x{text}")), None, "{text}");
    }
    assert_eq!(parse("bnb", &format!("0X{HASH}")), None);
    assert_eq!(parse("bnb", &format!("0x0x{}", &HASH[2..])), None);
}

#[test]
fn an_entered_hash_is_emitted_once_and_linked() {
    let mut checkout = Checkout::awaiting();
    let before = checkout.payment().explorer_url().unwrap();
    assert_eq!(before, "https://tronscan.example/");
    assert_eq!(checkout.payment().network(), Some(Network::Tron));

    let url = format!("https://tronscan.example/#/transaction/{HASH}");
    assert_eq!(
        checkout.on(PaymentEvent::HashEntered(format!(" {HASH}"))),
        []
    );
    let event = HostEvent::Transaction {
        hash: HASH.to_owned(),
        url: Some(url.clone()),
    };
    assert_eq!(checkout.last_event(), event);
    assert_eq!(checkout.payment().explorer_url(), Some(url));

    checkout.ignores(PaymentEvent::HashEntered(HASH.to_owned()));
    checkout.ignores(PaymentEvent::HashEntered(HASH.to_ascii_uppercase()));
}

#[test]
fn other_texts_are_ignored() {
    let mut checkout = Checkout::awaiting();
    checkout.ignores(PaymentEvent::HashEntered("a hash".to_owned()));
    checkout.ignores(PaymentEvent::HashEntered(prefixed()));
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    checkout.ignores(PaymentEvent::HashEntered(String::new()));
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
}

proptest! {
    #[test]
    fn a_hash_is_hexadecimal_for_any_input(
        text in prop_oneof![any::<String>(), r"\s?(0x)?[0-9a-fA-Fg]{62,66}\s?"],
    ) {
        for (token, prefix) in [("btc", ""), ("trx", ""), ("bnb", "0x")] {
            let Some(hash) = parse(token, &text) else { continue };
            let digits = hash.strip_prefix(prefix).unwrap();
            prop_assert_eq!(digits.len(), 64);
            prop_assert!(digits.bytes().all(|digit| b"0123456789abcdef".contains(&digit)));
        }
    }
}
