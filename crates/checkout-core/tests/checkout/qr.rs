//! QR codes, decoded from the pixels of their drawing by a different program.

use proptest::prelude::*;
use tender_checkout_core::QrCode;
use tender_checkout_core::payment_uri::TEST_TEXT;

use crate::contract;

/// Pixels per side of a module.
const SCALE: usize = 4;

/// The modules of a path of `M<x> <y>h<run>v1h-<run>z`: true for dark ones.
fn modules(code: &QrCode) -> Vec<Vec<bool>> {
    let size = usize::try_from(code.size).unwrap();
    let mut modules = vec![vec![false; size]; size];
    for run in code.path.split_terminator('z') {
        let (x, rest) = run.strip_prefix('M').unwrap().split_once(' ').unwrap();
        let (y, rest) = rest.split_once('h').unwrap();
        let (run, back) = rest.split_once("v1h-").unwrap();
        assert_eq!(run, back);
        let (x, y, run): (usize, usize, usize) =
            (x.parse().unwrap(), y.parse().unwrap(), run.parse().unwrap());
        for module in &mut modules[y][x..x + run] {
            assert!(!*module, "drawn twice");
            *module = true;
        }
    }
    modules
}

fn read(code: &QrCode) -> String {
    let modules = modules(code);
    let side = modules.len() * SCALE;
    let is_dark = |x: usize, y: usize| modules[y / SCALE][x / SCALE];
    let mut image = rqrr::PreparedImage::prepare_from_bitmap(side, side, is_dark);
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1);
    let (_, content) = grids[0].decode().unwrap();
    content
}

fn assert_is_read(text: &str) {
    assert_eq!(read(&QrCode::of(text).unwrap()), text);
}

#[test]
fn a_code_is_read_back() {
    for network in contract::networks() {
        for case in network.cases.iter().filter(|case| case.valid) {
            assert_is_read(&case.address);
        }
    }
    for case in contract::payment_uris() {
        if let Some(uri) = case.expected["withAmount"]["uri"].as_str() {
            assert_is_read(uri);
        }
    }
    assert_is_read(TEST_TEXT);
    assert_is_read(
        "ethereum:0xdAC17F958D2ee523a2206206994597C13D831ec7@1/transfer?address=0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed&uint256=48500001",
    );
}

#[test]
fn the_quiet_zone_is_four_modules_on_each_side() {
    let modules = modules(&QrCode::of("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4").unwrap());
    // Version 3, and a quiet zone of four modules per side.
    assert_eq!(modules.len(), 29 + 8);
    let inside = 4..33;
    for (y, row) in modules.iter().enumerate() {
        for (x, is_dark) in row.iter().enumerate() {
            assert!(!is_dark || (inside.contains(&x) && inside.contains(&y)));
        }
    }
    // The corners of the finder patterns touch the quiet zone.
    assert!(modules[4][4] && modules[4][32] && modules[32][4]);
}

#[test]
fn a_text_that_is_too_long_has_no_code() {
    assert_eq!(QrCode::of(&"0".repeat(4_000)), None);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_uri_is_read_back(text in r"(bitcoin:|ethereum:)?[0-9a-zA-Z]{26,62}(@[0-9]{1,4})?([/?&=.a-z0-9]{0,90})?") {
        assert_is_read(&text);
    }
}
