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

/// A buyer with an order.
pub(crate) struct Buyer {
    invoice: String,
    order: String,
    random: Rng,
}

impl Buyer {
    pub(crate) fn new(number: usize, random: &mut Rng) -> Self {
        let invoice = format!("INV-{number}");
        let claims = json!({
            "token": "usdtt",
            "quantity": "25.00",
            "invoiceNumber": invoice,
            "exp": get_current_timestamp() + 3600,
        });
        Self {
            invoice,
            order: sign(&claims, ORDER_KEY),
            random: random.fork(),
        }
    }

    /// Does one of the things that buyers do.
    pub(crate) async fn run(mut self, checkout: Arc<Checkout>) -> BuyerResult {
        let shown = Shown::default();
        let mut random = self.random.fork();
        let mut choice = random.usize(..TOKENS.len());
        let body = |choice: usize| {
            let token = TOKENS[choice % TOKENS.len()];
            json!({ "order": self.order, "paymentToken": token })
        };
        let mut pay = |choice| {
            let (checkout, random) = (Arc::clone(&checkout), self.random.fork());
            let (body, shown) = (body(choice), Arc::clone(&shown));
            async move { checkout.pay(body, shown, random).await }
        };
        let payments = match random.u32(0..100) {
            // Pays in one token.
            0..35 => vec![pay(choice).await],
            // Opens the page in several tabs and pays in each.
            35..52 => {
                let tabs: JoinSet<_> = (0..random.usize(2..4)).map(|_| pay(choice)).collect();
                tabs.join_all().await
            }
            // Gets a payment and then chooses another token, several times.
            52..65 => {
                let mut payment = pay(choice).await;
                for _ in 0..random.usize(1..3) {
                    choice += 1;
                    payment = pay(choice).await;
                }
                vec![payment]
            }
            // Chooses different tokens in two tabs at the same time, and then decides on one.
            65..74 => {
                let (one, other) = tokio::join!(pay(choice), pay(choice + 1));
                assert!(one.is_some() || other.is_some(), "one was the last choice");
                vec![pay(choice).await]
            }
            // Says that money may have been sent, and then asks for another token.
            74..82 => {
                let payment = pay(choice).await;
                let (id, receipt) = shown.lock().unwrap().clone().expect("a payment");
                checkout.mark(&id, &receipt, &mut random).await;
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut random).await;
                vec![payment]
            }
            // The service says that the payment is paid. Then the buyer asks for another token, and the merchant cancels.
            82..91 => {
                let payment = pay(choice).await;
                let id = payment.clone().expect("a payment");
                let paid = Status::new("2", PAID).unwrap();
                checkout.service.set_status(&id, paid).unwrap();
                let other = body(choice + 1);
                checkout.pays_no_more(&other, &shown, &mut random).await;
                let is_cancelled = checkout.merchant_cancels(&id, &mut random).await;
                assert!(!is_cancelled, "{id} was paid");
                vec![payment]
            }
            // The merchant cancels the payment, and the buyer pays again.
            _ => {
                let first = pay(choice).await.expect("a payment");
                checkout.merchant_cancels(&first, &mut random).await;
                vec![pay(choice).await]
            }
        };
        let payments = payments
            .into_iter()
            .map(|payment| payment.expect("a payment"));
        BuyerResult {
            payments: payments.collect(),
            last: body(choice),
            invoice: self.invoice,
        }
    }
}
