//! What buyers do, and the merchant with their payments.

use std::sync::Arc;

use fastrand::Rng;
use jsonwebtoken::get_current_timestamp;
use serde_json::json;
use tender_protocol::Status;
use tokio::task::JoinSet;

use crate::checkout::{BuyerResult, Checkout, Shown};
use crate::instance::{ORDER_KEY, PAID};
use crate::support::sign;

const TOKENS: [&str; 4] = ["trx", "btc", "bnb", "usdte"];

/// What a buyer does with an order.
pub(crate) struct Scenario {
    number: usize,
    order: String,
    steps: Steps,
    random: Rng,
}

enum Steps {
    /// Pays in one token.
    OneToken,
    /// Opens the page in several tabs and pays in each.
    Tabs(usize),
    /// Gets a payment and then chooses another token, several times.
    ChangesToken(usize),
    /// Chooses different tokens in two tabs at the same time, and then decides on one.
    ConcurrentChoices,
    /// Says that money may have been sent, and then asks for another token.
    MarksAsSent,
    /// The service says that the payment is paid. Then the buyer asks for another token, and the merchant cancels.
    IsPaid,
    /// The merchant cancels the payment, and the buyer pays again.
    MerchantCancels,
}

impl Scenario {
    pub(crate) fn random(number: usize, random: &mut Rng) -> Self {
        let claims = json!({
            "token": "usdtt",
            "quantity": "25.00",
            "invoiceNumber": invoice(number),
            "exp": get_current_timestamp() + 3600,
        });
        let steps = match random.u32(0..100) {
            0..35 => Steps::OneToken,
            35..52 => Steps::Tabs(random.usize(2..4)),
            52..65 => Steps::ChangesToken(random.usize(1..3)),
            65..74 => Steps::ConcurrentChoices,
            74..82 => Steps::MarksAsSent,
            82..91 => Steps::IsPaid,
            _ => Steps::MerchantCancels,
        };
        Self {
            number,
            order: sign(&claims, ORDER_KEY),
            steps,
            random: random.fork(),
        }
    }

    pub(crate) async fn run(mut self, checkout: Arc<Checkout>) -> BuyerResult {
        let shown = Shown::default();
        let mut choice = self.random.usize(..TOKENS.len());
        let mut meddler = self.random.fork();
        let body = |choice: usize| {
            let token = TOKENS[choice % TOKENS.len()];
            json!({ "order": self.order, "paymentToken": token })
        };
        let mut pay = |choice| {
            let (checkout, random) = (Arc::clone(&checkout), self.random.fork());
            let (body, shown) = (body(choice), Arc::clone(&shown));
            async move { checkout.pay(body, shown, random).await }
        };
        let payments = match self.steps {
            Steps::OneToken => vec![pay(choice).await],
            Steps::Tabs(tabs) => {
                let tabs: JoinSet<_> = (0..tabs).map(|_| pay(choice)).collect();
                tabs.join_all().await
            }
            Steps::ChangesToken(times) => {
                let mut payment = pay(choice).await;
                for _ in 0..times {
                    choice += 1;
                    payment = pay(choice).await;
                }
                vec![payment]
            }
            Steps::ConcurrentChoices => {
                let (one, other) = tokio::join!(pay(choice), pay(choice + 1));
                assert!(one.is_some() || other.is_some(), "one was the last choice");
                vec![pay(choice).await]
            }
            Steps::MarksAsSent => {
                let payment = pay(choice).await;
                let (id, receipt) = shown.lock().unwrap().clone().expect("a payment");
                checkout.mark(&id, &receipt, &mut meddler).await;
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut meddler).await;
                vec![payment]
            }
            Steps::IsPaid => {
                let payment = pay(choice).await;
                let id = payment.clone().expect("a payment");
                let paid = Status::new("2", PAID).unwrap();
                checkout.service.set_status(&id, paid).unwrap();
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut meddler).await;
                let is_cancelled = checkout.merchant_cancels(&id, &mut meddler).await;
                assert!(!is_cancelled, "{id} was paid");
                vec![payment]
            }
            Steps::MerchantCancels => {
                let first = pay(choice).await.expect("a payment");
                checkout.merchant_cancels(&first, &mut meddler).await;
                vec![pay(choice).await]
            }
        };
        let payments = payments
            .into_iter()
            .map(|payment| payment.expect("a payment"));
        BuyerResult {
            invoice: invoice(self.number),
            payments: payments.collect(),
            last: body(choice),
        }
    }
}

fn invoice(number: usize) -> String {
    format!("INV-{number}")
}
