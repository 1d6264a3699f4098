//! What proves that a wallet has sent nothing: its errors, the account's funds, and a receipt.

use tender_checkout_core::wallet::{
    EVM, ErrorLevel, EvmFunds, Receipt, Rows, Shortfall, TRON, TronFunds, meaning,
};
use tender_checkout_core::{Transfer, WalletFailure};
use tender_protocol::PaymentAsset;

use crate::support::{payment_of, wallet_of};

/// The meaning of an error with these levels, from the outside in, where no row covers it.
fn read(rows: Rows, levels: &[(&str, &str)]) -> WalletFailure {
    let levels = levels.iter().map(|(code, message)| ErrorLevel {
        code: (*code).to_owned(),
        message: (*message).to_owned(),
    });
    meaning(rows, &levels.collect::<Vec<_>>(), WalletFailure::Unclear)
}

#[test]
fn errors_of_ethereum_wallets() {
    use WalletFailure::{Busy, Declined, NotSent, Unclear};
    let funds = "insufficient funds for gas * price + value: have 1 want 2";
    let cases: &[(&[(&str, &str)], WalletFailure)] = &[
        (&[("4001", "user rejected the request.")], Declined),
        (&[("5000", "user rejected.")], Declined),
        (&[("5001", "user rejected chains.")], Declined),
        (&[("5002", "user rejected methods.")], Declined),
        (&[("", "user rejected the request.")], Declined),
        (
            &[("-32603", "error: the user rejected the request")],
            Declined,
        ),
        (&[("-32000", "user denied transaction signature")], Declined),
        (&[("-32000", "rejectedbyuser")], Declined),
        (
            &[
                ("-32603", "internal json-rpc error."),
                (
                    "",
                    "metamask tx signature: user denied transaction signature.",
                ),
            ],
            Declined,
        ),
        // Words that only resemble them prove nothing.
        (&[("", "user rejected")], Unclear),
        (&[("", "request rejected")], Unclear),
        (&[("5003", "")], Unclear),
        (
            &[
                ("", "user rejected the request"),
                ("-32000", "already known"),
            ],
            Unclear,
        ),
        (&[("ACTION_REJECTED", "user rejected action")], Declined),
        (&[("4100", "")], NotSent),
        (&[("4200", "")], NotSent),
        (&[("-32602", "invalid params")], NotSent),
        (&[("-32002", "already processing")], Busy),
        (&[("-32000", funds)], NotSent),
        (&[("-32003", funds)], NotSent),
        (&[("-32603", funds)], NotSent),
        (&[("INSUFFICIENT_FUNDS", "")], NotSent),
        (
            &[
                ("-32603", "internal json-rpc error."),
                ("", ""),
                ("-32000", funds),
            ],
            NotSent,
        ),
        (&[("-32000", "intrinsic gas too low")], NotSent),
        (&[("3", "execution reverted: no")], NotSent),
        // Another transaction with this nonce exists, which may be this payment.
        (&[("-32000", "nonce too low")], Unclear),
        (
            &[("-32000", "replacement transaction underpriced")],
            Unclear,
        ),
        (&[("-32000", "already known")], Unclear),
        (&[("4100", ""), ("-32000", "already known")], Unclear),
        // The connection was lost, maybe after the transaction was sent.
        (&[("4900", "disconnected")], Unclear),
        (&[("4901", "")], Unclear),
        (&[("-32000", "")], Unclear),
        (&[("-32603", "internal json-rpc error.")], Unclear),
        (&[("", "insufficient funds")], Unclear),
        (&[("", "declined by user")], Unclear),
        (&[("", "")], Unclear),
        (&[], Unclear),
    ];
    for (levels, expected) in cases {
        assert_eq!(read(EVM, levels), *expected, "{levels:?}");
    }
}

#[test]
fn errors_of_tron_wallets() {
    use WalletFailure::{Busy, Declined, NotSent, Unclear};
    let cases = [
        ("4001", "", Declined),
        ("4000", "", Busy),
        ("-32002", "", Busy),
        ("4200", "", NotSent),
        ("", "confirmation declined by user", Declined),
        ("", "user rejected", Declined),
        ("", "cancelled", Declined),
        ("", "cancle", Declined),
        ("", "insufficient funds", Unclear),
        ("-32000", "insufficient funds", Unclear),
        ("", "server_busy", Unclear),
    ];
    for (code, message, expected) in cases {
        assert_eq!(read(TRON, &[(code, message)]), expected, "{code} {message}");
    }
}

/// Where nothing else is documented, what the caller knows counts: an error while a transaction is built sent nothing.
#[test]
fn an_unknown_error_means_what_the_step_means() {
    let level = ErrorLevel {
        message: "contract validate error : balance is not sufficient.".to_owned(),
        ..ErrorLevel::default()
    };
    let building = meaning(TRON, &[level], WalletFailure::NotSent);
    assert_eq!(building, WalletFailure::NotSent);
}

/// A wallet is asked to pay on the network, and with the contract, that events and notifications name.
#[test]
fn transfers_are_of_the_named_asset() {
    for code in ["trx", "usdtt", "usdte"] {
        let asset = PaymentAsset::named(code).unwrap();
        let (chain, contract) = match payment_of(code, "6", "1", wallet_of(code)).transfer() {
            Some(Transfer::Tron(transfer)) => (
                "tron:0x2b6653dc".to_owned(),
                transfer.contract.map(str::to_owned),
            ),
            Some(Transfer::Evm(transfer)) => {
                let id = u64::from_str_radix(&transfer.chain_id[2..], 16).unwrap();
                (format!("eip155:{id}"), transfer.data.map(|_| transfer.to))
            }
            None => panic!("{code} can be paid from a wallet"),
        };
        assert_eq!(asset.chain_id, chain);
        let contract = contract.unwrap_or("slip44:195".to_owned());
        assert!(asset.asset_id.ends_with(&contract), "{asset:?} {contract}");
    }
}

#[allow(clippy::unnecessary_wraps, reason = "a provider may not answer")]
fn hex(number: u128) -> Option<String> {
    Some(format!("{number:#x}"))
}

#[test]
fn funds_of_an_ethereum_account() {
    const WEI: u128 = 1_000_000_000_000_000_000;
    const GWEI: u128 = 1_000_000_000;
    let fee = Some(Shortfall::Fee(63));
    // 0.5 BNB at 21,000 gas of 3 gwei, and 48.5 USDT.
    let (coin, token) = (("bnb", "0.5"), ("usdte", "48.5"));
    let cases = [
        (coin, hex(WEI), None, None),
        (coin, hex(WEI / 2 + 63_000 * GWEI), None, None),
        (coin, hex(WEI / 2 + 63_000 * GWEI - 1), None, fee),
        (coin, hex(WEI / 2 - 1), None, Some(Shortfall::Amount)),
        (coin, None, None, None),
        (coin, Some("0x".to_owned()), None, None),
        (coin, Some("none".to_owned()), None, None),
        (token, hex(WEI), hex(48_500_000), None),
        (token, hex(WEI), hex(48_499_999), Some(Shortfall::Amount)),
        (token, hex(63_000 * GWEI - 1), hex(48_500_000), fee),
        (token, hex(63_000 * GWEI - 1), None, fee),
        (token, hex(WEI), Some(format!("0x{}", "f".repeat(64))), None),
        (token, None, None, None),
    ];
    for ((code, amount), coin, token, expected) in cases {
        let payment = payment_of(code, "null", amount, wallet_of(code));
        let Some(Transfer::Evm(transfer)) = payment.transfer() else {
            panic!("{code} is paid on an EVM chain");
        };
        let funds = EvmFunds {
            coin,
            token,
            gas: hex(21_000),
            gas_price: hex(3 * GWEI),
        };
        assert_eq!(transfer.shortfall(&funds), expected, "{code} {funds:?}");
        // Without an estimate only the amount is known to be missing.
        let guess = EvmFunds { gas: None, ..funds };
        let known = expected.filter(|missing| *missing == Shortfall::Amount);
        assert_eq!(transfer.shortfall(&guess), known, "{code} {guess:?}");
    }
}

#[test]
fn the_balance_of_a_token_is_read_from_its_contract() {
    let call = |code| match payment_of(code, "null", "1", wallet_of(code)).transfer() {
        Some(Transfer::Evm(transfer)) => {
            let call = transfer.balance_call("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359");
            call.map(|call| serde_json::to_value(call).unwrap())
        }
        other => panic!("{other:?}"),
    };
    // Output of `cast calldata "balanceOf(address)" 0xfB69...`.
    let data = "0x70a08231000000000000000000000000fb6916095ca1df60bb79ce92ce3ea74c37c5d359";
    let expected = serde_json::json!({
        "to": "0xdAC17F958D2ee523a2206206994597C13D831ec7", "data": data,
    });
    assert_eq!(call("usdte"), Some(expected));
    assert_eq!(call("bnb"), None);
}

const TRX: u64 = 1_000_000;

/// An account that can pay 48.5 USDT for 13 TRX, and 48.5 TRX.
fn rich() -> TronFunds {
    TronFunds {
        coin: Some(100 * TRX),
        token: hex(48_500_000),
        energy: Some(130_000),
        free_energy: 0,
        free_bandwidth: 600,
        energy_price: Some(100),
        bandwidth_price: Some(1_000),
    }
}

/// What an account lacks that differs from [`rich`].
fn lacks(code: &str, change: fn(&mut TronFunds)) -> Option<Shortfall> {
    let payment = payment_of(code, "6", "48.5", wallet_of(code));
    let Some(Transfer::Tron(transfer)) = payment.transfer() else {
        panic!("{code} is paid on TRON");
    };
    let mut funds = rich();
    change(&mut funds);
    transfer.shortfall(&funds)
}

#[test]
fn funds_of_a_tron_account() {
    type Change = fn(&mut TronFunds);
    let fee = |trx| Some(Shortfall::Fee(trx * TRX));
    let amount = Some(Shortfall::Amount);
    let cases: [(&str, Change, _); 15] = [
        ("usdtt", |_| (), None),
        ("usdtt", |it| it.token = hex(48_499_999), amount),
        ("usdtt", |it| it.token = None, None),
        ("usdtt", |it| it.coin = Some(13 * TRX), None),
        ("usdtt", |it| it.coin = Some(13 * TRX - 1), fee(13)),
        // The bandwidth is paid as a whole.
        (
            "usdtt",
            |it| (it.coin, it.free_bandwidth) = (Some(13 * TRX), 344),
            fee(14),
        ),
        (
            "usdtt",
            |it| (it.coin, it.free_energy) = (Some(0), 130_000),
            None,
        ),
        ("usdtt", |it| (it.coin, it.energy) = (Some(0), None), None),
        (
            "usdtt",
            |it| (it.coin, it.energy_price) = (Some(0), None),
            None,
        ),
        ("usdtt", |it| it.coin = None, None),
        ("usdtt", |it| it.energy = Some(u64::MAX), None),
        ("usdtt", |it| *it = TronFunds::default(), None),
        ("trx", |it| it.coin = Some(48_500_000), None),
        ("trx", |it| it.coin = Some(48_499_999), amount),
        (
            "trx",
            |it| (it.coin, it.free_bandwidth) = (Some(48_500_000), 0),
            fee(1),
        ),
    ];
    for (at, (code, change, expected)) in cases.into_iter().enumerate() {
        assert_eq!(lacks(code, change), expected, "case {at}");
    }
}

#[test]
fn a_fee_is_shown_without_trailing_zeros() {
    let shown = |millionths| Shortfall::Fee(millionths).fee().unwrap().to_string();
    for (millionths, expected) in [
        (14_000_000, "14"),
        (100, "0.0001"),
        (63, "0.000063"),
        (20_500_000, "20.5"),
        (0, "0"),
    ] {
        assert_eq!(shown(millionths), expected);
    }
    assert_eq!(Shortfall::Amount.fee(), None);
}

#[test]
fn receipts() {
    use Receipt::{Failed, Succeeded, Unknown};
    let evm = [
        (None, None, None, Unknown),
        (Some("0x1"), Some("0x10"), None, Succeeded),
        (Some("0x0"), Some("0x10"), Some("0x10"), Failed),
        (Some("0x0"), Some("0x10"), Some("0x100"), Failed),
        // Not final, or not known to be.
        (Some("0x0"), Some("0x10"), Some("0xf"), Unknown),
        (Some("0x0"), Some("0x10"), None, Unknown),
        (Some("0x0"), None, Some("0x10"), Unknown),
        (Some("0x0"), None, None, Unknown),
        (Some("failed"), Some("0x10"), Some("0x10"), Unknown),
    ];
    for (status, block, finalized, expected) in evm {
        let receipt = Receipt::evm(status, block, finalized);
        assert_eq!(receipt, expected, "{status:?} {block:?} {finalized:?}");
    }
    for has_expired in [false, true] {
        let absent = if has_expired { Failed } else { Unknown };
        let read = |id, result| Receipt::tron(id, result, has_expired);
        assert_eq!(read(None, None), absent);
        assert_eq!(read(None, Some("FAILED")), absent);
        assert_eq!(read(Some("id"), Some("FAILED")), Failed);
        assert_eq!(read(Some("id"), None), Succeeded);
    }
}
