//! Addresses of each network, compared with independent implementations of their checksums.

use bech32::segwit;
use num_bigint::BigUint;
use proptest::prelude::*;
use sha2::{Digest as _, Sha256};
use sha3::Keccak256;
use tender_checkout_core::Address;
use tender_checkout_core::address::{AddressGroup, address_groups};
use tender_checkout_core::asset::AssetInfo;

use tender_protocol::ACCEPTED;

use crate::contract;
use crate::support::code;

const USDT_ON_TRON: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

const BASE58: &str = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

fn is_address(token: &str, text: &str) -> bool {
    let address = Address::parse(text, &AssetInfo::of(&code(token)).unwrap());
    if let Some(address) = &address {
        assert_eq!(address.as_str(), text, "letter for letter");
    }
    address.is_some()
}

// --- Other implementations ---------------------------------------------------------------------

/// Base58 as a number; a leading `1` is a leading zero byte.
fn base58check(bytes: &[u8]) -> String {
    let checksum = Sha256::digest(Sha256::digest(bytes));
    let bytes = [bytes, &checksum[..4]].concat();
    let zeros = bytes.iter().take_while(|byte| **byte == 0).count();
    let digits = match BigUint::from_bytes_be(&bytes).to_radix_be(58) {
        zero if zero == [0] => Vec::new(),
        digits => digits,
    };
    let digits = digits
        .iter()
        .map(|digit| BASE58.as_bytes()[usize::from(*digit)]);
    let text = std::iter::repeat_n(b'1', zeros).chain(digits).collect();
    String::from_utf8(text).unwrap()
}

/// The payload of a base58check text.
fn from_base58check(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<_>> = text.chars().map(|digit| BASE58.find(digit)).collect();
    let digits: Vec<u8> = digits?
        .iter()
        .map(|digit| u8::try_from(*digit).unwrap())
        .collect();
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    let number = BigUint::from_radix_be(&digits, 58)?.to_bytes_be();
    let bytes = [vec![0; zeros], number].concat();
    let payload = &bytes[..bytes.len().checked_sub(4)?];
    (base58check(payload) == text).then(|| payload.to_vec())
}

fn has_version(text: &str, versions: &[u8]) -> bool {
    from_base58check(text)
        .is_some_and(|payload| payload.len() == 21 && versions.contains(&payload[0]))
}

fn is_bitcoin(text: &str) -> bool {
    let is_segwit = segwit::decode(text).is_ok_and(|(prefix, _, _)| prefix == bech32::hrp::BC);
    is_segwit || has_version(text, &[0, 5])
}

fn is_tron(text: &str) -> bool {
    has_version(text, &[0x41])
}

/// The address of 40 digits with its checksum.
fn eip55(digits: &str) -> String {
    let digits = digits.to_ascii_lowercase();
    let hash = Keccak256::digest(&digits);
    let checked = digits.char_indices().map(|(place, digit)| {
        let byte = hash[place / 2];
        let nibble = if place % 2 == 0 { byte >> 4 } else { byte & 15 };
        if nibble > 7 {
            digit.to_ascii_uppercase()
        } else {
            digit
        }
    });
    "0x".chars().chain(checked).collect()
}

fn is_ethereum(text: &str) -> bool {
    let Some(digits) = text.strip_prefix("0x") else {
        return false;
    };
    let is_hexadecimal = digits.len() == 40 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let has_one_case = digits == digits.to_lowercase() || digits == digits.to_uppercase();
    is_hexadecimal && (has_one_case || text == eip55(digits))
}

// --- Known addresses ---------------------------------------------------------------------------

#[test]
fn the_addresses_of_the_contract_are_recognized() {
    for network in contract::networks() {
        let other: fn(&str) -> bool = match &*network.name {
            "Bitcoin" => is_bitcoin,
            "TRON" => is_tron,
            _ => is_ethereum,
        };
        for case in &network.cases {
            for token in &network.tokens {
                let found = is_address(token, &case.address);
                assert_eq!(found, case.valid, "{token}: {}", case.name);
            }
            let found = other(&case.address);
            let looks_valid = case.valid || case.has_format;
            assert_eq!(
                found, looks_valid,
                "{}: the other implementation",
                case.name
            );
        }
    }
}

#[test]
fn a_very_long_text_is_no_address() {
    for token in ["trx", "usdtt"] {
        assert!(!is_address(token, &USDT_ON_TRON.repeat(1_000)));
    }
}

#[test]
fn the_contracts_look_like_addresses_of_their_networks_and_are_no_wallets() {
    let contract = |token| AssetInfo::of(&code(token)).unwrap().contract;
    assert!(is_tron(contract("usdtt").unwrap()));
    assert!(is_ethereum(contract("usdte").unwrap()));
    for token in ACCEPTED {
        if let Some(contract) = token.asset.and_then(|asset| asset.contract) {
            assert!(!is_address(token.code.as_str(), contract), "{}", token.code);
        }
    }
    for token in ["btc", "trx", "bnb"] {
        assert_eq!(contract(token), None);
    }
}

#[test]
fn each_token_with_a_network_has_examples_in_the_contract() {
    let networks = contract::networks();
    let uris = contract::payment_uris();
    for token in ACCEPTED {
        let code = token.code.as_str();
        let has_addresses = networks
            .iter()
            .any(|network| network.tokens.iter().any(|token| token == code));
        let has_uris = uris.iter().any(|case| case.token == code);
        let is_known = token.asset.is_some();
        assert_eq!((has_addresses, has_uris), (is_known, true), "{code}");
    }
}

// --- Random addresses --------------------------------------------------------------------------

/// The text with one character changed, added, removed or in the other case.
fn changed(text: String) -> impl Strategy<Value = String> {
    let characters = proptest::sample::select(
        "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
            .chars()
            .collect::<Vec<_>>(),
    );
    let change = 0_usize..4;
    (0..text.len(), characters, change).prop_map(move |(place, character, change)| {
        let mut text: Vec<char> = text.chars().collect();
        match change {
            0 => text[place] = character,
            1 => text.insert(place, character),
            2 if text[place].is_ascii_lowercase() => text[place].make_ascii_uppercase(),
            2 => text[place].make_ascii_lowercase(),
            _ => drop(text.remove(place)),
        }
        text.into_iter().collect()
    })
}

fn base58check_address() -> impl Strategy<Value = String> {
    let version = prop_oneof![Just(0_u8), Just(5), Just(0x41), any::<u8>()];
    let length = prop_oneof![4 => Just(20_usize), 1 => 0_usize..40];
    (
        version,
        length.prop_flat_map(|length| proptest::collection::vec(any::<u8>(), length)),
    )
        .prop_map(|(version, hash)| base58check(&[&[version], hash.as_slice()].concat()))
}

fn segwit_address() -> impl Strategy<Value = String> {
    let version = prop_oneof![Just(0_u8), Just(1), 0_u8..17];
    let program = prop_oneof![Just(20_usize), Just(32), 2_usize..41]
        .prop_flat_map(|length| proptest::collection::vec(any::<u8>(), length));
    let prefix = prop_oneof![4 => Just(bech32::hrp::BC), 1 => Just(bech32::hrp::TB)];
    (prefix, version, program, any::<bool>()).prop_filter_map(
        "a program of version 0 has 20 or 32 bytes",
        |(prefix, version, program, upper)| {
            let version = bech32::Fe32::try_from(version).unwrap();
            let address = segwit::encode(prefix, version, &program).ok()?;
            Some(if upper {
                address.to_uppercase()
            } else {
                address
            })
        },
    )
}

fn ethereum_address() -> impl Strategy<Value = String> {
    ("[0-9a-f]{40}", 0..3).prop_map(|(digits, case)| match case {
        0 => format!("0x{digits}"),
        _ => eip55(&digits),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3_000))]

    #[test]
    fn any_text_is_an_address_where_the_other_implementation_says_so(
        (text, changed) in prop_oneof![base58check_address(), segwit_address(), ethereum_address()]
            .prop_flat_map(|text| (Just(text.clone()), changed(text))),
        any in any::<String>(),
    ) {
        for text in [text, changed, any] {
            prop_assert_eq!(is_address("btc", &text), is_bitcoin(&text), "{}", text);
            prop_assert_eq!(is_address("trx", &text), is_tron(&text), "{}", text);
            prop_assert_eq!(is_address("bnb", &text), is_ethereum(&text), "{}", text);
        }
    }
}

// --- Display -----------------------------------------------------------------------------------

#[test]
fn an_address_is_shown_in_groups_of_four_with_whole_groups_marked() {
    // Marked groups are in brackets.
    for (wallet, shown) in [
        (
            "0x52908400098527886E0F7030069857D2E4169EE7",
            "[0x] [5290] [8400] 0985 2788 6E0F 7030 0698 57D2 [E416] [9EE7]",
        ),
        (
            USDT_ON_TRON,
            "[TR7N] [Hqje] KQxG TCi8 q8ZY 4pL8 otSz [gjLj] [6t]",
        ),
        ("0x12345", "[0x] [1234] [5]"),
        ("abc", "[abc]"),
        ("", ""),
        (
            "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7",
            "rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh?dt=7",
        ),
    ] {
        let groups = address_groups(wallet);
        let all: String = groups.iter().map(|group| group.text).collect();
        assert_eq!(all, wallet);
        let marked = |group: &AddressGroup| {
            if group.is_end {
                format!("[{}]", group.text)
            } else {
                group.text.to_owned()
            }
        };
        let groups: Vec<_> = groups.iter().map(marked).collect();
        assert_eq!(groups.join(" "), shown, "{wallet}");
    }
}
