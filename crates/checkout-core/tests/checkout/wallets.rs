//! Paying from a browser wallet: the requests and when they are made.

use num_bigint::BigUint;
use proptest::prelude::*;
use tender_checkout_core::{
    Cancelling, Effect, Event, EvmTransfer, HostEvent, PaymentEvent, Phase, Receipt, SentEvent,
    Shortfall, StatusEvent, Transfer, TronTransfer, WalletAttempt, WalletFailure, WalletId,
    WalletPayment, WalletRequest, WalletTransaction, WalletTransfer,
};

use crate::support::{Checkout, PAYER, config, ok, payment_of, payment_record_in};

/// The example of EIP-55.
const EVM: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
/// The address of USDT's contract on TRON: valid like any other.
const TRON: &str = "THr4fK3aoPRZHc5ZxKY1GSb2Jf6UtpeLmp";
pub(crate) const HASH: &str = "0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
const WALLET: WalletId = WalletId(3);

/// A checkout that shows a payment of `quantity` of `token` to `wallet`; the listing contains `decimals`.
pub(crate) fn awaiting(token: &str, decimals: &str, quantity: &str, wallet: &str) -> Checkout {
    let mut checkout = Checkout::new(config(&[]));
    checkout.state.phase = Phase::Awaiting(Box::new(payment_of(token, decimals, quantity, wallet)));
    checkout
}

fn transfer(token: &str, decimals: &str, quantity: &str, wallet: &str) -> Option<Transfer> {
    awaiting(token, decimals, quantity, wallet)
        .payment()
        .transfer()
}

fn evm(token: &str, quantity: &str) -> EvmTransfer {
    match transfer(token, "null", quantity, EVM) {
        Some(Transfer::Evm(transfer)) => transfer,
        other => panic!("{other:?}"),
    }
}

/// A checkout that shows a payment in BNB.
pub(crate) fn bnb() -> Checkout {
    awaiting("bnb", "null", "0.5", EVM)
}

/// The same, with an open wallet request.
pub(crate) fn with_wallet_request() -> Checkout {
    let mut checkout = bnb();
    assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)).len(), 1);
    checkout
}

/// The answer of a wallet to the request to send the money.
pub(crate) fn answer(request: u32, result: Result<&str, WalletFailure>) -> SentEvent {
    let result = result.map(|hash| WalletTransaction::Sent(hash.to_owned()));
    SentEvent::WalletFinished("p-1".to_owned(), WalletRequest(request), result)
}

#[test]
fn bnb_is_a_transfer_of_wei_on_chain_56() {
    let expected = EvmTransfer {
        chain_id: "0x38".to_owned(),
        to: EVM.to_owned(),
        // 1.2 * 10^18
        value: "0x10a741a462780000".to_owned(),
        data: None,
    };
    assert_eq!(evm("bnb", "1.20"), expected);
    assert_eq!(evm("bnb", "0.000000000000000001").value, "0x1");
}

/// Providers answer `eth_chainId` with different spellings of the number, which is read exactly.
#[test]
fn a_chain_is_a_number_however_it_is_written() {
    let is_on = |token, chain| evm(token, "1").is_on(chain);
    for chain in ["0x38", "0X38", "0x038", "0x0000000038", "56", "056"] {
        assert!(is_on("bnb", chain) && !is_on("usdte", chain), "{chain}");
    }
    for chain in ["0x1", "0X01", "0x00000000000000000001", "1", "01"] {
        assert!(is_on("usdte", chain) && !is_on("bnb", chain), "{chain}");
    }
    for chain in [
        "",
        "0x",
        "0X",
        "x1",
        "0x0",
        "0",
        "1.0",
        "1.5",
        "-1",
        "+1",
        "0x+1",
        "0x-1",
        " 1",
        "1 ",
        "1n",
        "0x0x1",
        "1e0",
        "0x1g",
        "NaN",
        "null",
        "eip155:1",
        "0x10000000000000001",
        "18446744073709551617",
        "\u{661}",
    ] {
        assert!(!is_on("usdte", chain), "{chain:?}");
    }
    assert!(!is_on("bnb", "38"), "decimal without the prefix");
}

#[test]
fn usdt_on_ethereum_is_a_call_of_its_contract_on_chain_1() {
    let expected = EvmTransfer {
        chain_id: "0x1".to_owned(),
        to: "0xdAC17F958D2ee523a2206206994597C13D831ec7".to_owned(),
        value: "0x0".to_owned(),
        // Output of `cast calldata "transfer(address,uint256)" <EVM> 48500001`.
        data: Some(
            "0xa9059cbb0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed\
             0000000000000000000000000000000000000000000000000000000002e40d21"
                .to_owned(),
        ),
    };
    assert_eq!(evm("usdte", "48.500001"), expected);
    assert_eq!(
        evm("usdte", "48.50000001"),
        expected,
        "rounded up, as shown"
    );
}

#[test]
fn the_parameters_are_those_of_json_rpc() {
    let read = |transfer: &EvmTransfer| -> serde_json::Value {
        serde_json::to_value([transfer.transaction(PAYER).unwrap()]).unwrap()
    };
    let coin = evm("bnb", "1.2");
    assert_eq!(
        read(&coin),
        serde_json::json!([{ "from": PAYER, "to": EVM, "value": coin.value, "chainId": "0x38" }])
    );
    let token = evm("usdte", "48.5");
    assert_eq!(read(&token)[0]["data"].as_str(), token.data.as_deref());
}

#[test]
fn an_account_that_is_no_address_is_refused() {
    for account in [
        "",
        "0x",
        TRON,
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe",
        r#"0x","to":"0x5aAeb6053F3E94C9b9A09f33669"#,
    ] {
        assert_eq!(evm("bnb", "1").transaction(account), None, "{account}");
    }
}

#[test]
fn trx_and_usdt_on_tron_are_digits_for_tron_web() {
    let trx = TronTransfer {
        to: TRON.to_owned(),
        amount: "95123457".to_owned(),
        contract: None,
    };
    assert_eq!(
        transfer("trx", "null", "95.12345678", TRON),
        Some(Transfer::Tron(trx.clone()))
    );
    let usdt = TronTransfer {
        contract: Some("TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t"),
        ..trx
    };
    assert_eq!(
        transfer("usdtt", "6", "95.12345678", TRON),
        Some(Transfer::Tron(usdt))
    );
}

#[test]
fn trx_is_requested_only_if_a_javascript_number_is_exact() {
    let amount = |quantity| transfer("trx", "6", quantity, TRON);
    assert!(amount("9007199254.740991").is_some());
    assert_eq!(amount("9007199254.740992"), None);
    assert_eq!(amount("99999999999999999999"), None);
    assert!(
        transfer("usdtt", "6", "9007199254.740992", TRON).is_some(),
        "digits all the way"
    );
}

#[test]
fn nothing_is_requested_if_something_has_to_be_guessed() {
    let none = [
        ("bnb", "18", "1", "somewhere"),
        ("bnb", "18", "1", TRON),
        // One letter has the wrong case for EIP-55.
        (
            "bnb",
            "18",
            "1",
            "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAEd",
        ),
        ("usdtt", "6", "1", EVM),
        ("trx", "6", "1", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u"),
        // The record's decimals differ from the known token's.
        ("usdte", "18", "1", EVM),
        ("bnb", "8", "1", EVM),
        ("bnb", "18", "0.00", EVM),
        // More than a u128 holds in the smallest unit.
        ("bnb", "18", &format!("1{}", "0".repeat(21)), EVM),
        // Networks without such wallets, or unknown networks.
        (
            "btc",
            "8",
            "1",
            "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
        ),
        ("kxp", "18", "1", EVM),
    ];
    for (token, decimals, quantity, wallet) in none {
        let mut checkout = awaiting(token, decimals, quantity, wallet);
        assert_eq!(
            checkout.payment().transfer(),
            None,
            "{token} {quantity} {wallet}"
        );
        checkout.ignores(PaymentEvent::WalletChosen(WALLET));
    }
}

#[test]
fn a_wallet_is_asked_once() {
    let mut checkout = bnb();
    let transfer = checkout.payment().transfer().unwrap();
    let payment = WalletTransfer {
        wallet: WALLET,
        request: WalletRequest(1),
        transaction_id: "p-1".to_owned(),
        transfer: Box::new(transfer),
    };
    let pay = Effect::AskToSend(payment, PAYER.to_owned());
    assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)), [pay]);
    assert_eq!(
        checkout.payment().wallet.state,
        WalletPayment::Asked(WALLET)
    );
    checkout.ignores(PaymentEvent::WalletChosen(WALLET));
    checkout.ignores(PaymentEvent::WalletChosen(WalletId(0)));
}

#[test]
fn cancel_and_reset_are_ignored_while_a_wallet_is_asked() {
    let mut checkout = bnb();
    checkout.on(PaymentEvent::CancelRequested);
    checkout.on(PaymentEvent::WalletChosen(WALLET));
    assert_eq!(checkout.payment().cancelling, Cancelling::Idle);
    checkout.ignores(PaymentEvent::CancelConfirmed);
    checkout.ignores(PaymentEvent::CancelRequested);
    checkout.ignores(Event::Reset);

    checkout.on(answer(1, Err(WalletFailure::Declined)));
    assert_eq!(checkout.cancel().len(), 1);
    checkout.ignores(PaymentEvent::WalletChosen(WALLET));
}

#[test]
fn the_wallet_s_hash_is_the_transaction() {
    let mut checkout = with_wallet_request();
    assert_eq!(
        checkout.on(answer(1, Ok(HASH))).len(),
        1,
        "its receipt is read"
    );
    let url = "https://tronscan.example/#/transaction/".to_owned() + HASH;
    assert_eq!(
        checkout.last_event(),
        HostEvent::Transaction {
            hash: HASH.to_owned(),
            url: Some(url)
        }
    );
    assert!(!checkout.payment().wallet.is_unclear());
    checkout.ignores(PaymentEvent::WalletChosen(WALLET));
    checkout.ignores(answer(1, Ok(HASH)));
}

#[test]
fn without_a_hash_only_the_request_changes() {
    let unclear = WalletPayment::Failed(WalletFailure::Unclear);
    let no_hash = ["", "ok", &HASH[2..], "0x00"].map(|text| (Ok(text), unclear.clone()));
    let failures = [
        WalletFailure::Busy,
        WalletFailure::NoAccount,
        WalletFailure::WrongNetwork,
        WalletFailure::NotSent,
        WalletFailure::Short(Shortfall::Amount),
        WalletFailure::Unclear,
    ];
    let failed = failures.map(|failure| (Err(failure), WalletPayment::Failed(failure)));
    let no_hash = no_hash.into_iter();
    let declined = (Err(WalletFailure::Declined), WalletPayment::Idle);
    for (result, expected) in no_hash.chain(failed).chain([declined]) {
        let mut checkout = with_wallet_request();
        let mark = checkout.payment().facts.mark.clone();
        assert_eq!(checkout.on(answer(1, result)), [], "{result:?}");
        let mut now = bnb().payment().clone();
        if expected == unclear {
            now.facts.mark = mark;
        }
        now.wallet = WalletAttempt {
            request: WalletRequest(1),
            state: expected,
        };
        assert_eq!(*checkout.payment(), now, "{result:?}");
        assert_eq!(checkout.host_events, [], "{result:?}");
        let another = || PaymentEvent::WalletChosen(WalletId(0));
        if now.wallet.is_unclear() {
            checkout.ignores(another());
            checkout.on(PaymentEvent::NothingSent);
        }
        assert_eq!(checkout.on(another()).len(), 1, "{result:?}");
    }
}

fn receipt(receipt: Receipt) -> SentEvent {
    SentEvent::ReceiptRead("p-1".to_owned(), HASH.to_owned(), receipt)
}

/// The wait for the next read of the receipt, if it is read again.
fn next_read(effects: &[Effect]) -> Option<u32> {
    match effects {
        [] => None,
        [
            Effect::ReadReceipt {
                wallet: Some(WALLET),
                seconds,
                hash,
                ..
            },
        ] if hash == HASH => Some(*seconds),
        others => panic!("a receipt is read: {others:?}"),
    }
}

#[test]
fn the_receipt_is_read_with_a_back_off_until_it_is_known() {
    let mut checkout = with_wallet_request();
    assert_eq!(next_read(&checkout.on(answer(1, Ok(HASH)))), Some(5));
    // While the page is hidden, nothing is read, and nothing is learned.
    for _ in 0..13 {
        let hidden = checkout.on(receipt(Receipt::NotRead));
        assert_eq!(next_read(&hidden), Some(5));
    }
    assert!(!checkout.payment().is_confirmation_slow());
    let waits: Vec<_> = (0..13)
        .map(|_| next_read(&checkout.on(receipt(Receipt::Unknown))).unwrap())
        .collect();
    assert_eq!(waits[..3], [10, 15, 20]);
    assert_eq!(waits[10..], [60, 60, 60]);
    assert!(checkout.payment().is_confirmation_slow());
    assert_eq!(next_read(&checkout.on(receipt(Receipt::Succeeded))), None);
    let payment = checkout.payment();
    assert!(!payment.is_confirmation_slow() && payment.transaction().is_some());
    assert!(!payment.asks_for_money(), "the service says what is paid");
    checkout.ignores(receipt(Receipt::Failed));
}

#[test]
fn the_receipt_is_also_read_if_the_buyer_has_typed_the_hash_before() {
    let mut checkout = with_wallet_request();
    checkout.on(PaymentEvent::HashEntered(HASH.to_owned()));
    assert_eq!(next_read(&checkout.on(answer(1, Ok(HASH)))), Some(5));
    assert!(!checkout.payment().facts.may_edit_hash());
    checkout.on(receipt(Receipt::Failed));
    assert!(checkout.payment().asks_for_money());
}

#[test]
fn after_a_failed_transaction_the_payment_can_be_paid_again() {
    let mut checkout = with_wallet_request();
    checkout.on(answer(1, Ok(HASH)));
    assert_eq!(checkout.on(receipt(Receipt::Failed)), []);
    let payment = checkout.payment();
    let failed = WalletPayment::Failed(WalletFailure::TransactionFailed);
    assert_eq!(payment.wallet.state, failed);
    assert!(payment.asks_for_money() && payment.may_cancel() && payment.may_change());
    assert_eq!(checkout.on(PaymentEvent::WalletChosen(WALLET)).len(), 1);
}

/// Any wallet in the page can say what became of it.
#[test]
fn after_a_reload_the_receipt_is_read_until_it_is_known() {
    let mut checkout = with_wallet_request();
    checkout.on(answer(1, Ok(HASH)));
    let (mut next, effects) = checkout.reload();
    let reads = |effect: &&Effect| matches!(effect, Effect::ReadReceipt { wallet: None, hash, seconds: 5, .. } if hash == HASH);
    assert_eq!(effects.iter().filter(reads).count(), 1, "{effects:?}");
    next.on(receipt(Receipt::Failed));
    let payment = next.payment();
    let failed = WalletPayment::Failed(WalletFailure::TransactionFailed);
    assert_eq!(payment.wallet.state, failed);
    assert!(payment.transaction().is_none() && payment.asks_for_money());

    checkout.on(receipt(Receipt::Succeeded));
    let (next, effects) = checkout.reload();
    assert_eq!(next.payment().transaction().unwrap().as_str(), HASH);
    assert_eq!(effects.iter().filter(reads).count(), 0, "{effects:?}");

    let mut typed = bnb();
    typed.on(PaymentEvent::HashEntered(HASH.to_owned()));
    let effects = typed.reload().1;
    assert_eq!(effects.iter().filter(reads).count(), 0, "{effects:?}");
}

/// Another transaction may have been sent: the status has changed, or the hash is not known from this page's request.
#[test]
fn a_failed_transaction_proves_nothing_about_another() {
    let mut moved = with_wallet_request();
    moved.on(answer(1, Ok(HASH)));
    moved.on(StatusEvent::PollDue);
    let fields = [("statusText", r#""Seen""#), ("quantityPay", "0.5")];
    moved.fetch(ok(payment_record_in("bnb", &fields)));
    moved.ignores(receipt(Receipt::Failed));

    let mut typed = bnb();
    typed.on(PaymentEvent::HashEntered(HASH.to_owned()));
    typed.ignores(receipt(Receipt::Failed));

    let mut late = with_wallet_request();
    late.on(PaymentEvent::WalletAbandoned);
    assert_eq!(late.on(answer(1, Ok(HASH))), []);
    late.ignores(receipt(Receipt::Failed));

    let mut other = with_wallet_request();
    other.on(answer(1, Ok(HASH)));
    let hash = HASH.replace('e', "f");
    other.ignores(SentEvent::ReceiptRead(
        "p-1".to_owned(),
        hash,
        Receipt::Failed,
    ));
    other.ignores(SentEvent::ReceiptRead(
        "p-2".to_owned(),
        HASH.to_owned(),
        Receipt::Failed,
    ));
}

#[test]
fn an_answer_counts_only_for_its_own_request() {
    bnb().ignores(answer(1, Ok(HASH)));
    let mut checkout = with_wallet_request();
    checkout.ignores(SentEvent::WalletFinished(
        "p-2".to_owned(),
        WalletRequest(1),
        Ok(WalletTransaction::Sent(HASH.to_owned())),
    ));
}

proptest! {
    /// The integers equal the amount on the page.
    #[test]
    fn the_units_are_the_shown_amount(integer in 0_u64..1_000_000_000, fraction in "[0-9]{0,20}") {
        let quantity = format!("{integer}.{fraction}0");
        for (token, decimals) in [("bnb", 18), ("usdte", 6)] {
            let checkout = awaiting(token, "null", &quantity, EVM);
            let shown = checkout.payment().send.amount.to_string();
            let (whole, parts) = shown.split_once('.').unwrap_or((&shown, ""));
            let parts = parts.trim_end_matches('0');
            let expected: BigUint = format!("{whole}{parts:0<decimals$}").parse().unwrap();
            let hex = match checkout.payment().transfer() {
                Some(Transfer::Evm(EvmTransfer { data: Some(data), .. })) => data[74..].to_owned(),
                Some(Transfer::Evm(transfer)) => transfer.value[2..].to_owned(),
                None => "0".to_owned(),
                other => panic!("{other:?}"),
            };
            prop_assert_eq!(BigUint::parse_bytes(hex.as_bytes(), 16), Some(expected));
        }
    }
}
