//! What the network says about a transaction, as the wallet's provider reports it.

use super::WalletId;
use super::funds::quantity;

/// A transaction whose receipt this page reads until something final is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Watch {
    /// The wallet that returned it; `None` after a reload.
    pub wallet: Option<WalletId>,
    /// When it expires, in milliseconds since 1970, if it does.
    pub expiration: Option<u64>,
    /// How often the receipt was read.
    pub reads: u32,
}

/// What became of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// It was not asked for, because the page is hidden.
    NotRead,
    /// It is not in a block, its failure is not final, or the provider does not say.
    Unknown,
    /// It is in a block, and succeeded. That is not the service's word that the payment is paid.
    Succeeded,
    /// It failed in a block that is final, or can't be included in one any more: nothing was transferred.
    Failed,
}

impl Receipt {
    /// Reads `status` and `blockNumber` of `eth_getTransactionReceipt`, and the number of the block `finalized` (EIP-1474;
    /// Ethereum's execution APIs, "Block tags"). The status is `0x1` for a success and `0x0` for a failure (EIP-658).
    pub fn evm(status: Option<&str>, block: Option<&str>, finalized: Option<&str>) -> Self {
        let number = |text: Option<&str>| quantity(text?);
        match status.and_then(quantity) {
            Some(1) => Self::Succeeded,
            Some(0) if number(block).is_some_and(|block| number(finalized) >= Some(block)) => {
                Self::Failed
            }
            _ => Self::Unknown,
        }
    }

    /// Reads the answer of `trx.getTransactionInfo` (`TronWeb`), which contains only solidified blocks: the `id` is absent
    /// if it has no such transaction, and `result` is "FAILED" or absent. A transaction that is absent after a solidified
    /// block that is later than its expiration is never included
    /// (<https://developers.tron.network/docs/broadcast-and-rpc-errors>).
    pub fn tron(id: Option<&str>, result: Option<&str>, has_expired: bool) -> Self {
        match (id, result) {
            (None, _) if has_expired => Self::Failed,
            (None, _) => Self::Unknown,
            (Some(_), Some("FAILED")) => Self::Failed,
            (Some(_), _) => Self::Succeeded,
        }
    }
}
