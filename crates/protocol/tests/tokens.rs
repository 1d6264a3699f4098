//! Token records: unusual but legal records are read; for the others, the error names the field. An
//! invalid record does not hide the others.
#![allow(clippy::unwrap_used, reason = "a helper of a test may stop it too")]

mod support;

use support::{changed, emptied};
use tender_protocol::{
    ACCEPTED, Network, PaymentAsset, Record, RecordError, Token, TokenCode, TokenName, asset_info,
};

const DOCUMENTED: &str = r#"{
    "uuid": "0b7c1b5e-0000-4000-8000-000000000001",
    "name": "Tether USD",
    "symbol": "USDT",
    "token": "usdtt",
    "decimals": 6,
    "logo": "https://service.example/usdt.svg",
    "network_uuid": "0b7c1b5e-0000-4000-8000-000000000002",
    "network": {
        "name": "Tron",
        "token": "trx",
        "currency": "TRX",
        "explorer": "https://tronscan.org/#/transaction/",
        "uuid": "0b7c1b5e-0000-4000-8000-000000000002"
    },
    "meta": {}
}"#;

fn documented() -> Token {
    Token {
        uuid: "0b7c1b5e-0000-4000-8000-000000000001".to_owned(),
        name: "Tether USD".to_owned(),
        symbol: "USDT".to_owned(),
        token: "usdtt".into(),
        decimals: Some(6),
        logo: Some("https://service.example/usdt.svg".to_owned()),
        network: Network {
            name: "Tron".to_owned(),
            token: Some("trx".to_owned()),
            currency: Some("TRX".to_owned()),
            explorer: Some("https://tronscan.org/#/transaction/".to_owned()),
            uuid: Some("0b7c1b5e-0000-4000-8000-000000000002".to_owned()),
        },
        test_mode: false,
    }
}

/// Reads a record, which its listing has if it is valid.
fn read(json: &str) -> Result<Token, RecordError> {
    let token = Record::parse(json, "a record").and_then(Token::try_from);
    let tokens = Token::accepted(&format!("[{json}]")).unwrap();
    assert_eq!(tokens.first(), token.as_ref().ok());
    token
}

fn with(changes: &str) -> Result<Token, RecordError> {
    read(&changed(DOCUMENTED, changes))
}

#[test]
fn the_documented_record_is_read() {
    assert_eq!(read(DOCUMENTED), Ok(documented()));
}

#[test]
fn an_empty_optional_field_has_a_stand_in() {
    type Expected = fn(&mut Token);
    let optional: [(&str, Expected); 7] = [
        ("uuid", |token| token.uuid = String::new()),
        ("name", |token| token.name = "USDT".to_owned()),
        ("symbol", |token| token.symbol = "USDTT".to_owned()),
        ("decimals", |token| token.decimals = None),
        ("logo", |token| token.logo = None),
        ("network_uuid", |_| ()),
        ("meta", |_| ()),
    ];
    for (field, expect) in optional {
        let mut expected = documented();
        expect(&mut expected);
        for json in emptied(DOCUMENTED, field) {
            assert_eq!(read(&json).as_ref(), Ok(&expected), "{json}");
        }
    }
    let nameless = with(r#"{"name": null, "symbol": null}"#).unwrap();
    assert_eq!((&*nameless.name, &*nameless.symbol), ("USDTT", "USDTT"));
}

#[test]
fn an_empty_optional_field_of_the_network_reads_as_none() {
    let bare = Network {
        name: "Tron".to_owned(),
        token: None,
        currency: None,
        explorer: None,
        uuid: None,
    };
    let networks = [
        r#"{"name": "Tron"}"#,
        r#"{"uuid": "", "explorer": null, "currency": " ", "token": "", "name": "Tron"}"#,
    ];
    for network in networks {
        let token = with(&format!(r#"{{"network": {network}}}"#)).unwrap();
        assert_eq!(token.network, bare, "{network}");
    }
}

#[test]
fn an_odd_but_legal_record_reads_as_the_plain_one() {
    let cases = [
        (r#"{"token": "USDTT"}"#, "{}"),
        (r#"{"token": " UsdtT "}"#, "{}"),
        (r#"{"decimals": "6"}"#, "{}"),
        (r#"{"decimals": " 0"}"#, r#"{"decimals": 0}"#),
        (r#"{"meta": []}"#, "{}"),
        (r#"{"meta": {"contract": {"a": [1e400]}}}"#, "{}"),
        (r#"{"rank": 1, "tags": [null]}"#, "{}"),
        (r#"{"uuid": 17}"#, r#"{"uuid": "17"}"#),
        (r#"{"name": "\u003cscript>"}"#, r#"{"name": "<script>"}"#),
    ];
    for (odd, plain) in cases {
        assert_eq!(with(odd), Ok(with(plain).unwrap()), "{odd}");
    }
}

/// They are validated where they are used.
#[test]
fn addresses_are_read_as_they_came() {
    let token = with(r#"{"logo": "javascript:1", "network": {"name": "x", "explorer": "x:#/"}}"#);
    let token = token.unwrap();
    assert_eq!(token.logo.as_deref(), Some("javascript:1"));
    assert_eq!(token.network.explorer.as_deref(), Some("x:#/"));
}

#[test]
fn a_required_field_that_is_empty_is_named() {
    let missing = |record, field| Err(RecordError::Missing { record, field });
    for json in emptied(DOCUMENTED, "token") {
        assert_eq!(read(&json), missing("token", "token"), "{json}");
    }
    for json in emptied(DOCUMENTED, "network") {
        assert_eq!(read(&json), missing("token", "network"), "{json}");
    }
    for network in emptied(r#"{"name": "Tron", "token": "trx"}"#, "name") {
        let token = with(&format!(r#"{{"network": {network}}}"#));
        assert_eq!(token, missing("network", "name"), "{network}");
    }
}

#[test]
fn a_field_of_another_type_is_named() {
    let cases = [
        ("token", "token", r#"{"token": {}}"#),
        ("token", "symbol", r#"{"symbol": true}"#),
        ("token", "name", r#"{"name": []}"#),
        ("token", "logo", r#"{"logo": {}}"#),
        ("token", "decimals", r#"{"decimals": -1}"#),
        ("token", "decimals", r#"{"decimals": 256}"#),
        ("token", "decimals", r#"{"decimals": 1.5}"#),
        ("token", "decimals", r#"{"decimals": 1e99}"#),
        ("token", "decimals", r#"{"decimals": "six"}"#),
        ("token", "network", r#"{"network": 1}"#),
        ("token", "network", r#"{"network": "Tron"}"#),
        ("token", "network", r#"{"network": []}"#),
        ("network", "name", r#"{"network": {"name": true}}"#),
        (
            "network",
            "explorer",
            r#"{"network": {"name": "Tron", "explorer": []}}"#,
        ),
    ];
    for (record, field, changes) in cases {
        let error = with(changes).unwrap_err();
        assert!(
            matches!(error, RecordError::Invalid { .. }),
            "{changes}: {error:?}"
        );
        let start = format!("the {record} record's `{field}` is not as documented: ");
        assert!(error.to_string().starts_with(&start), "{changes}: {error}");
    }
}

#[test]
fn a_listing_keeps_going_past_what_it_can_not_read() {
    let homeless = changed(DOCUMENTED, r#"{"network": null}"#);
    let json = format!(r#"[{DOCUMENTED},{homeless},null,5,"x",[],{DOCUMENTED}]"#);
    assert_eq!(Token::accepted(&json), Ok(vec![documented(), documented()]));
    let reason = |json: &str| read(json).unwrap_err().to_string();
    assert_eq!(reason(&homeless), "the token record has no `network`");
    for json in ["null", "5", r#""x""#, "[]"] {
        assert!(reason(json).starts_with("this is not a record: "), "{json}");
    }
}

#[test]
fn of_a_token_that_is_not_accepted_only_the_code_is_read() {
    let with_code = |code: &str| changed(DOCUMENTED, &format!(r#"{{"token": {code:?}}}"#));
    let codes = ["btc", "doge", " USDTE ", "", "eth"].map(with_code);
    let homeless = changed(&with_code("doge"), r#"{"network": null}"#);
    let broken = changed(&with_code("bnb"), r#"{"network": null}"#);
    let escaped = with_code("trx").replace(r#""token""#, r#""\u0074oken""#);
    let json = format!("[{},{homeless},{broken},{escaped},null]", codes.join(","));
    let accepted = Token::accepted(&json).unwrap();
    let names: Vec<_> = accepted.iter().map(|token| token.token.as_str()).collect();
    assert_eq!(names, ["btc", "usdte", "trx"]);
    // The same records as text, each as it is.
    assert_eq!(
        Token::accepted_json(&json).unwrap(),
        format!("[{},{},{broken},{escaped},null]", codes[0], codes[2])
    );
    assert!(Token::accepted_json(&format!("{json}]")).is_err());
}

#[test]
fn an_answer_of_another_shape_is_refused() {
    assert_eq!(Token::accepted("[]"), Ok(vec![]));
    let too_many = format!("[{DOCUMENTED}]]");
    for answer in ["", "null", "<html>", "[{]", DOCUMENTED, &too_many] {
        let error = Token::accepted(answer).unwrap_err().to_string();
        let start = "this is not a list of token records: ";
        assert!(error.starts_with(start), "{answer}: {error}");
    }
}

#[test]
fn the_accepted_codes_are_the_documented_ones() {
    let codes: Vec<&str> = ACCEPTED.iter().map(|token| token.code.as_str()).collect();
    assert_eq!(codes, ["trx", "usdtt", "usdte", "bnb", "kxp", "btc"]);
    for code in codes {
        assert!(TokenCode::from(code.to_uppercase()).is_accepted(), "{code}");
    }
    for code in ["", "eth", "usdt", "btc2", "b tc"] {
        assert!(!TokenCode::from(code).is_accepted(), "{code}");
    }
}

/// The listing may name a network in its own way, which proves nothing; but not one that is another token's.
#[test]
fn a_network_of_another_token_is_no_network_of_this_one() {
    let is_on_another = |code: &str, listed: &str| {
        let name = TokenName::of(&code.into()).unwrap();
        name.is_on_another(listed)
    };
    for (code, listed) in [
        ("usdte", "BNB Smart Chain"),
        ("usdte", "bnb smart-chain"),
        ("usdte", "BEP20"),
        ("usdte", "BEP-20"),
        ("usdte", "TRON"),
        ("usdtt", "Ethereum"),
        ("trx", "ERC20"),
        ("btc", "TRON"),
        ("bnb", "Bitcoin"),
    ] {
        assert!(is_on_another(code, listed), "{code} {listed}");
    }
    for (code, listed) in [
        ("usdte", "Ethereum"),
        ("usdte", "ETHEREUM"),
        ("usdte", "ERC-20"),
        ("usdte", "ETH Mainnet"),
        ("usdtt", "TRC20"),
        ("trx", "TRC20"),
        ("bnb", "BSC"),
        ("bnb", ""),
        // The service's document does not say its network.
        ("kxp", "Ethereum"),
    ] {
        assert!(!is_on_another(code, listed), "{code} {listed}");
    }
}

#[test]
fn each_accepted_code_has_a_name_for_people() {
    for token in ACCEPTED {
        let code = &token.code;
        let name = TokenName::of(code).unwrap();
        assert!(code.may_be_named(name.symbol), "{code}");
    }
    let network = |code: &str| TokenName::of(&code.into()).unwrap().network_and_standard();
    let network = |code| network(code).unwrap_or_default();
    let codes = ["USDTT", "usdte", "bnb", "trx", "kxp"];
    assert_eq!(
        codes.map(network),
        [
            "TRON (TRC20)",
            "Ethereum (ERC20)",
            "BNB Smart Chain (BEP20)",
            "TRON",
            ""
        ]
    );
    assert_eq!(
        TokenName::of(&"USDT".into()),
        None,
        "the ticker of two codes"
    );
}

/// The codes whose network the service's document names, as records write them.
#[test]
fn assets_have_caip_identifiers() {
    let named = |token| PaymentAsset::named(token).map(|asset| (asset.chain_id, asset.asset_id));
    let bitcoin = "bip122:000000000019d6689c085ae165831e93";
    let cases = [
        ("BTC", bitcoin, "/slip44:0"),
        ("btc", bitcoin, "/slip44:0"),
        ("TRX", "tron:0x2b6653dc", "/slip44:195"),
        (
            "USDTT",
            "tron:0x2b6653dc",
            "/trc20:TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
        ),
        (
            "USDTE",
            "eip155:1",
            "/erc20:0xdAC17F958D2ee523a2206206994597C13D831ec7",
        ),
    ];
    for (token, chain, rest) in cases {
        let asset = format!("{chain}{rest}");
        assert_eq!(named(token), Some((chain, asset.as_str())), "{token}");
    }
    for token in ["BNB", "KXP", "USDT", "ETH", ""] {
        assert_eq!(named(token), None, "{token}");
    }
    // They agree with what a wallet is asked to send.
    for token in ACCEPTED {
        let (Some(id), Some(asset)) = (token.asset_id, token.asset) else {
            continue;
        };
        let of_token = |contract| format!("20:{contract}");
        let end = asset.contract.map_or("/slip44:".to_owned(), of_token);
        assert!(id.contains(&end), "{id}");
        if let asset_info::Network::Evm(chain) = asset.network {
            assert!(id.starts_with(&format!("eip155:{chain}/")), "{id}");
        }
    }
}
