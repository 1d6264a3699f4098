//! A payment.

use tender_protocol::client::typed::in_ascii;
use tender_protocol::{Amount, Payment, PaymentState};

use super::{Access, Cancelling, Facts, Following};
use crate::asset::{AssetInfo, Network, TransactionHash};
use crate::choice::Choice;
use crate::config::Config;
use crate::effect::PaymentReceipt;
use crate::order::Request;
use crate::payment_uri::TEST_TEXT;
use crate::response::Created;
use crate::send::AmountToSend;
use crate::transfer::Transfer;
use crate::wallet::WalletAttempt;

/// A payment, with the request that created it and its progress.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckoutPayment {
    /// The record as it was created, with the latest status.
    pub record: Payment,
    /// The request that created it.
    pub request: Request,
    /// The chosen token.
    pub choice: Choice,
    /// The exact amount to send.
    pub send: AmountToSend,
    /// The proxy's receipt, if it issued one.
    pub receipt: Option<String>,
    /// What is known of it beyond its record.
    pub facts: Facts,
    /// The latest request to a wallet in the browser.
    pub wallet: WalletAttempt,
    /// The cancellation.
    pub cancelling: Cancelling,
    /// How its status is followed.
    pub following: Following,
}

impl CheckoutPayment {
    /// A payment whose record has just arrived, or that was saved.
    pub fn new(created: Created, request: Request, choice: Choice) -> Self {
        let Created {
            payment: record,
            receipt,
            facts,
        } = created;
        Self {
            send: AmountToSend::new(record.quantity_pay.clone(), choice.decimals),
            record,
            request,
            choice,
            receipt,
            facts,
            wallet: WalletAttempt::default(),
            cancelling: Cancelling::Idle,
            following: Following::default(),
        }
    }

    /// The hash of the buyer's transaction, if known.
    pub fn transaction(&self) -> Option<&TransactionHash> {
        self.facts.transaction.as_ref()
    }

    /// Whether the proxy says that the payment is paid.
    pub fn is_paid(&self) -> bool {
        self.record.state == Some(PaymentState::Paid)
    }

    /// Whether a request is for the same payment. Nothing is known of the buyer who has requested one that was found.
    pub(crate) fn is_same_purchase(&self, request: &Request) -> bool {
        match self.facts.access {
            Access::Owned => self.request == *request,
            Access::Found | Access::ReadOnly => {
                self.request.without_buyer() == request.without_buyer()
            }
        }
    }

    /// The payment's identifier and receipt, if the proxy issued one.
    pub(crate) fn with_receipt(&self) -> Option<PaymentReceipt> {
        Some(PaymentReceipt {
            transaction_id: self.record.transaction_id.clone(),
            receipt: self.receipt.clone()?,
        })
    }

    /// The network of the chosen token, if known.
    pub fn network(&self) -> Option<Network> {
        Some(AssetInfo::of(&self.choice.code)?.network)
    }

    /// Reads a transaction hash of the payment's network.
    pub fn read_hash(&self, text: &str) -> Option<TransactionHash> {
        TransactionHash::parse(&in_ascii(text), self.network()?)
    }

    /// Whether the buyer may send any amount: the order lets the payer choose it, and the record's
    /// amount is zero.
    pub fn accepts_any_amount(&self) -> bool {
        self.send.amount.is_zero()
    }

    /// The order's price, if it is in the chosen token and the amount to send differs by one percent or more: services add
    /// digits by which they recognise a payment, but not that much.
    pub fn other_price(&self, config: &Config) -> Option<&Amount> {
        let price = &self.record.quantity;
        let is_same_token = config.order.claims().token == self.choice.code;
        (is_same_token && !price.is_zero() && price.differs_by_a_percent(&self.send.amount))
            .then_some(price)
    }

    /// The transfer that a wallet in the browser can be asked for.
    pub fn transfer(&self) -> Option<Transfer> {
        Transfer::new(&self.choice, &self.send, &self.record.wallet)
    }

    /// The symbol of the coin that pays for the network's fees, if known.
    pub fn fee_coin(&self) -> Option<&'static str> {
        self.network()?.coin()
    }

    /// What is copied as the address. In test mode it is [`TEST_TEXT`], so that a buyer who doesn't read the page can't lose
    /// money, while a developer can still try the button.
    pub fn copied_wallet(&self) -> &str {
        if self.choice.test_mode {
            TEST_TEXT
        } else {
            &self.record.wallet
        }
    }

    /// What the shop needs to find the payment, one `name: value` per line. The names are those of the service's record, with
    /// `network` and `transactionHash`.
    pub fn details_for_shop(&self, invoice: &str) -> String {
        let record = &self.record;
        let (amount, code) = (self.send.amount.to_string(), self.choice.code.to_string());
        let network = self.choice.network_and_standard();
        let mut details = vec![
            ("invoiceNumber", invoice),
            ("transactionId", &record.transaction_id),
            ("quantityPay", &amount),
            ("paymentToken", &code),
            ("network", &network),
            ("wallet", &record.wallet),
        ];
        let hash = self.transaction().map(TransactionHash::as_str);
        details.extend(hash.map(|hash| ("transactionHash", hash)));
        let lines = details
            .iter()
            .map(|(name, value)| format!("{name}: {value}"));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// The explorer's page of the transaction; without a hash, the explorer's start page.
    pub fn explorer_url(&self) -> Option<String> {
        let explorer = self.choice.explorer.as_ref()?;
        Some(match self.transaction() {
            Some(hash) => explorer.transaction(hash),
            None => explorer.origin(),
        })
    }
}
