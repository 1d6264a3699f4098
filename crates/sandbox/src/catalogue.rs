//! The tokens of the demo project and their prices.

use tender_protocol::TokenCode;
use uuid::Uuid;

use crate::wallet::AddressFormat;

/// A token that is enabled in the demo project.
#[derive(Debug)]
pub(crate) struct Listed {
    /// The code in requests, in lower case.
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) symbol: &'static str,
    pub(crate) decimals: Option<u8>,
    pub(crate) network: &'static Network,
    /// The demo price of one token, in millionths of a US dollar. The integer keeps it exact.
    pub(crate) price: u64,
}

/// A network of tokens.
#[derive(Debug)]
pub(crate) struct Network {
    pub(crate) code: &'static str,
    pub(crate) name: &'static str,
    pub(crate) currency: &'static str,
    pub(crate) explorer: &'static str,
    pub(crate) addresses: AddressFormat,
}

const BITCOIN: Network = Network {
    code: "btc",
    name: "Bitcoin",
    currency: "BTC",
    explorer: "https://mempool.space/tx/",
    addresses: AddressFormat::Bitcoin,
};

const TRON: Network = Network {
    code: "trx",
    name: "TRON",
    currency: "TRX",
    explorer: "https://tronscan.org/#/transaction/",
    addresses: AddressFormat::Tron,
};

const ETHEREUM: Network = Network {
    code: "eth",
    name: "Ethereum",
    currency: "ETH",
    explorer: "https://etherscan.io/tx/",
    addresses: AddressFormat::Ethereum,
};

const BNB_SMART_CHAIN: Network = Network {
    code: "bsc",
    name: "BNB Smart Chain",
    currency: "BNB",
    explorer: "https://bscscan.com/tx/",
    addresses: AddressFormat::Ethereum,
};

/// The network of the service's own token is not documented. The explorer's host never resolves
/// (RFC 6761, section 6.4).
const KXP: Network = Network {
    code: "kxp",
    name: "KXP",
    currency: "KXP",
    explorer: "https://explorer.invalid/tx/",
    addresses: AddressFormat::FreeForm,
};

/// All listed tokens. The last three are enabled in the project, but the create endpoint does not
/// accept their codes.
pub(crate) const CATALOGUE: &[Listed] = &[
    Listed {
        code: "btc",
        name: "Bitcoin",
        symbol: "BTC",
        decimals: None,
        network: &BITCOIN,
        price: 64_250_000_000,
    },
    Listed {
        code: "usdtt",
        name: "Tether USD",
        symbol: "USDT",
        decimals: Some(6),
        network: &TRON,
        price: 1_000_000,
    },
    Listed {
        code: "usdte",
        name: "Tether USD",
        symbol: "USDT",
        decimals: Some(6),
        network: &ETHEREUM,
        price: 1_000_000,
    },
    Listed {
        code: "trx",
        name: "TRON",
        symbol: "TRX",
        decimals: None,
        network: &TRON,
        price: 310_000,
    },
    Listed {
        code: "bnb",
        name: "BNB",
        symbol: "BNB",
        decimals: None,
        network: &BNB_SMART_CHAIN,
        price: 612_400_000,
    },
    Listed {
        code: "kxp",
        name: "KXP",
        symbol: "KXP",
        decimals: None,
        network: &KXP,
        price: 42_500,
    },
    Listed {
        code: "eth",
        name: "Ether",
        symbol: "ETH",
        decimals: None,
        network: &ETHEREUM,
        price: 2_480_500_000,
    },
    Listed {
        code: "usdc",
        name: "USD Coin",
        symbol: "USDC",
        decimals: Some(6),
        network: &ETHEREUM,
        price: 1_000_000,
    },
    Listed {
        code: "usdtb",
        name: "Tether USD",
        symbol: "USDT",
        decimals: Some(18),
        network: &BNB_SMART_CHAIN,
        price: 1_000_000,
    },
];

impl Listed {
    /// The token with this code, in lower or upper case.
    pub(crate) fn find(code: &TokenCode) -> Option<&'static Self> {
        CATALOGUE.iter().find(|listed| listed.code == code.as_str())
    }

    /// The token with this code, if the create endpoint accepts it. Requests use lower-case codes.
    pub(crate) fn accepted(code: &str) -> Option<&'static Self> {
        CATALOGUE
            .iter()
            .find(|listed| listed.code == code && TokenCode::from(code).is_accepted())
    }

    pub(crate) fn uuid(&self) -> Uuid {
        stable_uuid("token", self.code)
    }
}

impl Network {
    pub(crate) fn uuid(&self) -> Uuid {
        stable_uuid("network", self.code)
    }
}

/// A UUID that is the same for the same code in every run (RFC 9562, section 5.5).
fn stable_uuid(kind: &str, code: &str) -> Uuid {
    let name = format!("https://sandbox.invalid/{kind}/{code}");
    Uuid::new_v5(&Uuid::NAMESPACE_URL, name.as_bytes())
}
