//! Addresses in records: which are linked, and which are ignored.

use proptest::prelude::*;
use tender_checkout_core::asset::{Network, TransactionHash};
use tender_checkout_core::link::{Explorer, SafeUrl};
use url::Url;

use crate::support::HASH;

/// Neither a link nor an image, with any continuation.
const HOSTILE: [&str; 28] = [
    "javascript:alert(1)",
    "JavaScript:alert(1)//",
    "javascript://explorer.example/%0Aalert(1)",
    "javascript:alert(1)//https://explorer.example/",
    "data:text/html,<script>alert(1)</script>",
    "data:text/html,https://explorer.example/",
    "vbscript:msgbox(1)",
    "blob:https://explorer.example/1",
    "file:///etc/passwd",
    "ftp://explorer.example/",
    "http://explorer.example/",
    "https://user@explorer.example/",
    "https://explorer.example@evil.example/",
    "https://explorer.example:pass@evil.example/",
    "https://explorer.example\\@evil.example/",
    "https:\\\\evil.example/",
    "https://",
    "https:///evil.example/",
    "https://:443/",
    "https://?q=",
    "https:evil.example/",
    "//evil.example/",
    "/tx/",
    "explorer.example/tx/",
    " https://explorer.example/",
    "java\tscript:alert(1)",
    "https://explorer.example/\n",
    "https://explorer.example/\u{0}tx/",
];

/// Addresses that browsers would parse in an unexpected way.
const MALFORMED: [&str; 8] = [
    "https://explorer.example/\"onmouseover=\"alert(1)",
    "https://explorer.example/'><script>",
    "https://explorer.example/`",
    "https://explorer.example/a b",
    "https://еxplorer.example/",
    "https://explorer.example/\u{202e}",
    "https://ex%70lorer.example/",
    "https://explorer。example/",
];

fn hash() -> TransactionHash {
    TransactionHash::parse(HASH, Network::Bitcoin).unwrap()
}

#[test]
fn a_hash_is_appended_to_the_prefix_and_without_one_the_start_page_is_linked() {
    for (prefix, host) in [
        ("https://tronscan.org/#/transaction/", "tronscan.org"),
        ("https://etherscan.io/tx/", "etherscan.io"),
        ("https://blockchair.com/search?q=", "blockchair.com"),
        ("https://explorer.example/tx", "explorer.example"),
        ("https://explorer.example:8443/#", "explorer.example:8443"),
        ("https://a.example:8443/a/b?c=", "a.example:8443"),
        ("HTTPS://Explorer.Example/tx/", "Explorer.Example"),
        ("HTTPS://explorer.example?tx=", "explorer.example"),
        ("https://explorer.example#", "explorer.example"),
        ("https://[2001:db8::1]/tx/", "[2001:db8::1]"),
    ] {
        let explorer = Explorer::parse(prefix).unwrap();
        assert_eq!(explorer.transaction(&hash()), format!("{prefix}{HASH}"));
        assert_eq!(explorer.origin(), format!("https://{host}/"), "{prefix}");
        assert_eq!(explorer.host(), host, "{prefix}");
    }
}

#[test]
fn only_https_urls_are_used() {
    for url in HOSTILE.into_iter().chain(MALFORMED).chain([""]) {
        assert_eq!(Explorer::parse(url), None, "{url:?}");
        assert_eq!(SafeUrl::parse(url), None, "{url:?}");
    }
}

#[test]
fn a_prefix_that_ends_with_its_host_is_no_explorer() {
    for prefix in [
        "https://explorer.example",
        "https://explorer.example:443",
        "https://[::1]",
    ] {
        assert_eq!(Explorer::parse(prefix), None, "{prefix}");
    }
}

#[test]
fn a_logo_and_a_page_of_the_shop_are_https_or_on_this_machine() {
    let allowed = [
        "https://logos.example/btc.svg",
        "HTTPS://logos.example/btc.svg?v=2",
        "https://logos.example",
        "http://localhost/btc.svg",
        "http://localhost:8082/btc.svg",
        "http://127.0.0.1:8082/btc.svg",
        "http://[::1]:8082/btc.svg",
        "http://[::1]/btc.svg",
    ];
    for url in allowed {
        assert_eq!(SafeUrl::parse(url).unwrap().as_str(), url);
    }
    let refused = [
        "http://logos.example/btc.svg",
        "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1:80@evil.example/",
        "http://localhost:80:evil/",
        "ftp://localhost/",
    ];
    for url in refused {
        assert_eq!(SafeUrl::parse(url), None, "{url}");
    }
}

/// Random texts similar to an address.
fn near_an_address() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        r"(https|HTTPS|http|javascript|data|//|):?(//|/|\\\\)?[a-z0-9@.:/?#\[\]_%\\ \t-]{0,24}",
        r"https://[a-z.:@\[\]0-9-]{0,12}(/|#|\?)\PC{0,12}",
        proptest::sample::select(&HOSTILE[..]).prop_flat_map(|url| {
            (Just(url), r"\PC{0,6}").prop_map(|(url, more)| format!("{more}{url}"))
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn a_browser_parses_accepted_links_alike(text in near_an_address()) {
        let Some(explorer) = Explorer::parse(&text) else { return Ok(()) };
        // If a browser can't parse the address, the link does nothing.
        let Ok(prefix) = Url::parse(&text) else { return Ok(()) };
        prop_assert_eq!((prefix.scheme(), prefix.username(), prefix.password()), ("https", "", None));
        let link = Url::parse(&explorer.transaction(&hash())).unwrap();
        prop_assert_eq!(link.origin(), prefix.origin());
        prop_assert!(link.as_str().ends_with(HASH));
        let origin = Url::parse(&explorer.origin()).unwrap();
        prop_assert_eq!(origin.origin(), prefix.origin());
        prop_assert_eq!((origin.path(), origin.query(), origin.fragment()), ("/", None, None));
    }

    #[test]
    fn a_browser_parses_accepted_urls_alike(text in near_an_address()) {
        let Some(logo) = SafeUrl::parse(&text) else { return Ok(()) };
        let Ok(url) = Url::parse(logo.as_str()) else { return Ok(()) };
        let is_local = matches!(url.host_str(), Some("localhost" | "127.0.0.1" | "[::1]"));
        prop_assert!(url.scheme() == "https" || (url.scheme() == "http" && is_local));
        prop_assert_eq!((url.username(), url.password()), ("", None));
    }
}
