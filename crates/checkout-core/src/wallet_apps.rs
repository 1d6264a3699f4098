//! Wallets on phones, and the links that open a page in their own browser, where they offer themselves to the page.
//!
//! Only links of a scheme that the app has registered are used, as its maker documents them. A link to the maker's server
//! would tell the maker which order is paid; so `MetaMask` and Coinbase Wallet, whose makers document no other links, are
//! missing.

use std::fmt::Write as _;

use serde::Serialize;

use crate::transfer::Transfer;

/// A wallet app.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WalletApp {
    /// Its name.
    pub name: &'static str,
    /// Whether its browser offers accounts on EVM chains (EIP-1193) to the page.
    pays_on_evm: bool,
    /// Whether its browser offers an account on TRON (`tronLink`) to the page.
    pays_on_tron: bool,
    /// The link, up to its last parameter.
    link: &'static str,
    parameter: Parameter,
}

/// The last parameter of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    /// The address of the page.
    Page,
    /// A request of `TronLink` as JSON.
    TronLink,
}

/// A request to `TronLink`.
#[derive(Serialize)]
struct TronLinkRequest<'a> {
    url: &'a str,
    action: &'static str,
    protocol: &'static str,
    version: &'static str,
}

/// The wallets, in the order in which they are offered.
pub const WALLET_APPS: [WalletApp; 3] = [
    WalletApp {
        name: "Trust Wallet",
        pays_on_evm: true,
        pays_on_tron: false,
        // https://developer.trustwallet.com/developer/develop-for-trust/deeplinking
        // 60 is Ethereum; for another EVM chain the page asks the wallet to switch.
        link: "trust://open_url?coin_id=60&url=",
        parameter: Parameter::Page,
    },
    WalletApp {
        name: "OKX Wallet",
        pays_on_evm: true,
        pays_on_tron: true,
        // https://web3.okx.com/build/docs/waas/app-universal-link
        link: "okx://wallet/dapp/url?dappUrl=",
        parameter: Parameter::Page,
    },
    WalletApp {
        name: "TronLink",
        pays_on_evm: false,
        pays_on_tron: true,
        // https://docs.tronlink.org/mobile/deeplink/
        link: "tronlinkoutside://pull.activity?param=",
        parameter: Parameter::TronLink,
    },
];

impl WalletApp {
    /// Whether the wallet can make the transfer.
    pub fn can_pay(&self, transfer: &Transfer) -> bool {
        match transfer {
            Transfer::Evm(_) => self.pays_on_evm,
            Transfer::Tron(_) => self.pays_on_tron,
        }
    }

    /// The link that opens the page at this address in the wallet's browser.
    pub fn open(&self, page: &str) -> String {
        let parameter = match self.parameter {
            Parameter::Page => page.to_owned(),
            Parameter::TronLink => {
                let request = TronLinkRequest {
                    url: page,
                    action: "open",
                    protocol: "TronLink",
                    version: "1.0",
                };
                // Writing texts does not fail.
                serde_json::to_string(&request).unwrap_or_default()
            }
        };
        format!("{}{}", self.link, percent_encoded(&parameter))
    }
}

/// All bytes but the unreserved characters are escaped (RFC 3986, section 2).
fn percent_encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() * 3);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            encoded.push(char::from(byte));
        } else {
            // Writing to a string can't fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}
