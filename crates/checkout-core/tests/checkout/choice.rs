//! The offered tokens, for listings of any size and content.

use std::collections::BTreeSet;

use proptest::prelude::*;
use tender_checkout_core::Choice;
use tender_checkout_core::choice::offer;
use tender_protocol::ACCEPTED;

use crate::support::{code, codes, text, token_record, tokens};

fn offered(listed: &str, accept: &str, priced_in: &str) -> Vec<String> {
    let records: Vec<_> = listed
        .split_whitespace()
        .map(|code| token_record(code, &[]))
        .collect();
    let choices = offer(tokens(&records), &codes(accept), &code(priced_in));
    choices
        .iter()
        .map(|choice| choice.code.to_string())
        .collect()
}

/// The choice from a TRX record with these changes.
fn choice(changes: &[(&str, &str)]) -> Choice {
    let mut choices = offer(tokens(&[token_record("trx", changes)]), &[], &code("btc"));
    assert_eq!(choices.len(), 1);
    choices.remove(0)
}

#[test]
fn a_choice_has_the_values_of_the_record() {
    let choice = choice(&[]);
    assert_eq!(choice.code, code("trx"));
    assert_eq!(choice.name, "Name of trx");
    assert_eq!(choice.symbol, "USDT");
    assert_eq!(choice.network, "TRON");
    assert_eq!(choice.decimals, Some(6));
    assert_eq!(
        choice.logo.unwrap().as_str(),
        "https://logos.example/usdt.svg"
    );
    assert_eq!(choice.explorer.unwrap().host(), "tronscan.example");
}

#[test]
fn a_token_that_is_listed_on_another_network_is_not_offered() {
    let on = |code, network: &str| {
        let network = format!(r#"{{"name":"{network}"}}"#);
        token_record(code, &[("network", &network)])
    };
    let listed = [
        on("usdte", "BNB Smart Chain"),
        on("trx", "TRON"),
        on("bnb", "A chain"),
        // A second record of a code counts if the first can't.
        on("usdte", "Ethereum"),
    ];
    let choices = offer(tokens(&listed), &[], &code("btc"));
    let shown: Vec<_> = choices
        .iter()
        .map(|choice| (choice.code.as_str(), choice.network.as_str()))
        .collect();
    let expected = [("trx", "TRON"), ("bnb", "A chain"), ("usdte", "Ethereum")];
    assert_eq!(shown, expected);
}

/// The names that exchanges ask for, beside the network of a token and of BNB.
#[test]
fn a_network_has_the_name_that_exchanges_show() {
    let named = |code: &str, network: &str| {
        let network = format!(r#"{{"name":"{network}"}}"#);
        let record = token_record(code, &[("network", &network)]);
        let choices = offer(tokens(&[record]), &[], &super::support::code("btc"));
        choices[0].network_and_standard()
    };
    assert_eq!(named("usdtt", "TRON"), "TRON (TRC20)");
    assert_eq!(named("usdte", "Ethereum"), "Ethereum (ERC20)");
    assert_eq!(named("bnb", "BNB Smart Chain"), "BNB Smart Chain (BEP20)");
    for (code, network) in [
        ("trx", "TRON"),
        ("btc", "Bitcoin"),
        ("kxp", "KXP"),
        // The listing names it.
        ("usdtt", "TRON (TRC-20)"),
        ("bnb", "BNB Smart Chain (bep20)"),
    ] {
        assert_eq!(named(code, network), network);
    }
}

/// `accept` selects and orders the tokens; without it, the token of the price comes first.
#[test]
fn the_accepted_codes_of_the_listing_are_offered_in_order() {
    let all: Vec<_> = ACCEPTED.iter().map(|token| token.code.as_str()).collect();
    let (first, all) = (all[0], all.join(" "));
    for (listed, accept, priced_in, expected) in [
        ("eth trx doge usdt btc", "", "kxp", "trx btc"),
        ("eth doge", "", "eth", ""),
        ("", "", "btc", ""),
        (&all, "", first, &all),
        ("trx bnb usdte btc", "", "usdte", "usdte trx bnb btc"),
        ("trx bnb btc", "", "usdte", "trx bnb btc"),
        ("usdtt trx bnb btc", "btc trx", "usdtt", "btc trx"),
        ("usdtt trx", "btc usdtt", "trx", "usdtt"),
        ("btc trx", "trx btc trx", "btc", "trx btc"),
        ("eth btc", "eth", "btc", ""),
    ] {
        let offered = offered(listed, accept, priced_in).join(" ");
        assert_eq!(offered, expected, "{listed:?}, {accept:?}, {priced_in}");
    }
}

#[test]
fn the_first_record_of_a_code_wins() {
    let record = |code, name| token_record(code, &[("name", name)]);
    let records = [
        record("TRX", r#""First""#),
        record("trx", r#""Second""#),
        record(" trx ", r#""Third""#),
    ];
    for accept in ["", "trx"] {
        let choices = offer(tokens(&records), &codes(accept), &code("btc"));
        let names: Vec<_> = choices.iter().map(|choice| choice.name.as_str()).collect();
        assert_eq!(names, ["First"]);
    }
}

/// USDT on TRON and USDT on Ethereum are beside each other, unless the shop has set the order.
#[test]
fn tokens_of_one_symbol_follow_each_other() {
    let listed = [
        ("usdtt", "USDT"),
        ("trx", "TRX"),
        ("btc", "BTC"),
        ("usdte", "USDT"),
        ("bnb", "BNB"),
    ];
    let records = listed.map(|(code, symbol)| token_record(code, &[("symbol", &text(symbol))]));
    let offered = |accept: &str| {
        let choices = offer(tokens(&records), &codes(accept), &code("btc"));
        let codes: Vec<_> = choices
            .iter()
            .map(|choice| choice.code.to_string())
            .collect();
        codes.join(" ")
    };
    assert_eq!(offered(""), "btc usdtt usdte trx bnb");
    assert_eq!(offered("usdtt btc usdte"), "usdtt btc usdte");
}

#[test]
fn long_names_are_cut_between_characters() {
    for letter in ["a", "é", "🦀"] {
        let full = letter.repeat(60);
        let long = text(&format!("{full}{letter}"));
        let network = format!(r#"{{"name":{long}}}"#);
        let choice = choice(&[("name", &long), ("symbol", &long), ("network", &network)]);
        for name in [choice.name, choice.symbol, choice.network] {
            assert_eq!(name, format!("{full}…"));
        }
    }
    let full = text(&"a".repeat(60));
    assert_eq!(choice(&[("name", &full)]).name, "a".repeat(60));
}

#[test]
fn control_characters_are_removed_from_names() {
    let names = [
        ("\u{202e}TDSU\u{202c}", "TDSU"),
        ("US\u{2066}DT\u{2069}", "USDT"),
        ("US\u{0}\u{1b}[31mDT\u{9f}", "US[31mDT"),
        ("\u{200f}\u{61c}TRX\u{200e}", "TRX"),
        ("Tether USD\n(TRC-20)", "Tether USD\n(TRC-20)"),
        ("тон 日本 طن", "тон 日本 طن"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
    ];
    for (name, seen) in names {
        assert_eq!(choice(&[("symbol", &text(name))]).symbol, seen);
    }
}

#[test]
fn hostile_urls_are_dropped_and_the_token_is_kept() {
    let hostile = text("javascript:alert(document.domain)//https://explorer.example/");
    let network = format!(r#"{{"name":"TRON","explorer":{hostile}}}"#);
    let choice = choice(&[("logo", &hostile), ("network", &network)]);
    assert_eq!((choice.logo, choice.explorer), (None, None));
    assert_eq!(choice.name, "Name of trx");
}

#[test]
fn missing_decimals_come_from_the_asset_info() {
    let decimals = |code, decimals| {
        let record = token_record(code, &[("decimals", decimals)]);
        offer(tokens(&[record]), &[], &crate::support::code("trx"))[0].decimals
    };
    assert_eq!(decimals("btc", "null"), Some(8));
    assert_eq!(decimals("trx", "null"), Some(6));
    assert_eq!(decimals("bnb", "null"), Some(18));
    assert_eq!(decimals("usdtt", "null"), Some(6));
    assert_eq!(decimals("usdte", "null"), Some(6));
    assert_eq!(decimals("kxp", "null"), None);
    assert_eq!(decimals("kxp", "4"), Some(4));
    assert_eq!(decimals("usdte", "2"), Some(2), "the record goes first");
}

proptest! {
    #[test]
    fn an_offer_contains_each_accepted_and_wanted_code_once(
        listed in r"((btc|TRX|usdtt|usdte|bnb|kxp|eth|sol|) ){0,12}",
        accept in r"((btc|trx|usdtt|eth) ){0,4}",
        priced_in in "(btc|trx|usdtt|bnb|eth)",
    ) {
        let offered = offered(&listed, &accept, &priced_in);
        let listed = codes(&listed);
        let accept = codes(&accept);
        let wanted: BTreeSet<_> = listed
            .iter()
            .filter(|code| code.is_accepted() && (accept.is_empty() || accept.contains(code)))
            .map(ToString::to_string)
            .collect();
        prop_assert_eq!(offered.len(), wanted.len());
        prop_assert_eq!(offered.iter().cloned().collect::<BTreeSet<_>>(), wanted);
    }
}
