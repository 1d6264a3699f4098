//! What the error of a wallet proves. An error that no row covers proves nothing: the wallet may have sent the money.
//!
//! 4900 and 4901 are left out: a provider that has lost its connection (EIP-1193) may have sent the transaction before. So
//! are "nonce too low" and "replacement transaction underpriced": another transaction of the account exists, which may be
//! this payment. A refused broadcast on TRON proves nothing before the transaction has expired: see `receipt`.

use super::WalletFailure::{self, Busy, Declined, NotSent};

/// One level of an error. Wallets wrap the error of a node in their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErrorLevel {
    /// The code, as text, because ethers' codes are words.
    pub code: String,
    /// The message in lower case.
    pub message: String,
}

/// The rows for one kind of wallet: a code, what the message contains, and what that proves. Both must match; an empty text
/// matches anything.
pub type Rows = &'static [(&'static str, &'static str, WalletFailure)];

/// Ethereum wallets.
pub const EVM: Rows = &[
    // EIP-1193, "Provider Errors": user rejected request, unauthorized, unsupported method.
    ("4001", "", Declined),
    ("4100", "", NotSent),
    ("4200", "", NotSent),
    // CAIP-25, as WalletConnect returns it: user rejected, also chains and methods.
    // https://specs.walletconnect.com/2.0/specs/clients/sign/error-codes
    ("5000", "", Declined),
    ("5001", "", Declined),
    ("5002", "", Declined),
    // Words of wallets that give no code, or that of another error: EIP-1193's own for 4001, and those of MetaMask and Coinbase
    // Wallet (https://github.com/MetaMask/metamask-extension/issues/5562).
    ("", "user rejected the request", Declined),
    ("", "user denied transaction signature", Declined),
    // Trust Wallet: https://github.com/trustwallet/platform/issues/168
    ("", "rejectedbyuser", Declined),
    // https://docs.ethers.org/v6/api/utils/errors/
    ("ACTION_REJECTED", "", Declined),
    ("INSUFFICIENT_FUNDS", "", NotSent),
    // EIP-1474, "Error codes": resource unavailable (another request is open), invalid params.
    ("-32002", "", Busy),
    ("-32602", "", NotSent),
    // Messages of go-ethereum for a transaction that it refuses, or can't simulate before it is signed: core/error.go,
    // eth/gasestimator, core/vm/errors.go. EIP-1474 gives -32000 to invalid input and -32003 to rejected transactions;
    // MetaMask wraps them in -32603 (https://github.com/MetaMask/rpc-errors, `data.cause`).
    ("-32000", "insufficient funds", NotSent),
    ("-32003", "insufficient funds", NotSent),
    ("-32603", "insufficient funds", NotSent),
    ("-32000", "intrinsic gas too low", NotSent),
    (
        "-32000",
        "max fee per gas less than block base fee",
        NotSent,
    ),
    ("-32000", "gas required exceeds allowance", NotSent),
    ("-32000", "execution reverted", NotSent),
    // The code of a revert with data: internal/ethapi/errors.go.
    ("3", "execution reverted", NotSent),
];

/// TRON wallets: connecting, building and signing, before the transaction is broadcast.
pub const TRON: Rows = &[
    // TIP-1193 takes the codes of EIP-1193: https://github.com/tronprotocol/tips/blob/master/tip-1193.md
    ("4001", "", Declined),
    ("4100", "", NotSent),
    ("4200", "", NotSent),
    ("-32002", "", Busy),
    // `window.tronLink.request`: https://docs.tronlink.org/dapp/getting-started (4000: the same request is open).
    ("4000", "", Busy),
    // What `sign` of the extension rejects with, and of the apps for Android and iOS ("cancle" and "cancel").
    // https://docs.tronlink.org/plugin-wallet/active-requests
    ("", "declined by user", Declined),
    ("", "user rejected", Declined),
    ("", "cancel", Declined),
    ("", "cancle", Declined),
];

/// What a node says about a transaction that it has already: go-ethereum's core/txpool/errors.go, Besu, Nethermind.
const SENT: [&str; 3] = ["already known", "already imported", "alreadyknown"];

/// What an error proves, by its levels from the outside in; `otherwise` without a row.
pub fn meaning(rows: Rows, levels: &[ErrorLevel], otherwise: WalletFailure) -> WalletFailure {
    let is_sent = |level: &ErrorLevel| SENT.iter().any(|words| contains(&level.message, words));
    if levels.iter().any(is_sent) {
        return WalletFailure::Unclear;
    }
    let mut proofs = levels.iter().filter_map(|level| {
        let row = rows.iter().find(|(code, words, _)| {
            (code.is_empty() || level.code == *code) && contains(&level.message, words)
        });
        row.map(|(_, _, proof)| *proof)
    });
    proofs.next().unwrap_or(otherwise)
}

/// `str::contains` would add 1 KB to the compressed module.
fn contains(text: &str, words: &str) -> bool {
    words.is_empty()
        || (text.as_bytes())
            .windows(words.len())
            .any(|part| part == words.as_bytes())
}
