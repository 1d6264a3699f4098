//! The orders that were placed, and the payments that paid them.
//!
//! They are in memory. A real shop keeps them in its database: docs/fulfilment.md shows how.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tender_protocol::request::SignedOrder;
use tender_protocol::{Amount, Payment, PaymentState};

use crate::invoice::Invoice;
use crate::order::{Price, TOKEN};

/// The placed orders by their invoice number.
#[derive(Debug, Default)]
pub struct Orders(Mutex<HashMap<Invoice, PlacedOrder>>);

#[derive(Debug)]
struct PlacedOrder {
    /// `None` if the payer chooses the amount.
    price: Option<Price>,
    /// The transactionId of the payment that paid it.
    paid_by: Option<String>,
}

/// What a notification of a paid payment means to the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receipt {
    /// The order is paid by it, for the first time.
    Fulfil,
    /// The order was paid by it before.
    Repeat,
    /// A person has to look at it, for this reason.
    Question(&'static str),
}

impl Orders {
    /// Places an order, or changes its price if it is not paid.
    pub fn place(&self, invoice: &Invoice, price: Option<Price>) {
        let mut orders = self.lock();
        let placed = orders.entry(invoice.clone()).or_insert(PlacedOrder {
            price,
            paid_by: None,
        });
        if placed.paid_by.is_none() {
            placed.price = price;
        }
    }

    /// Whether an order is paid; `None` if it was never placed.
    pub fn is_paid(&self, invoice: &Invoice) -> Option<bool> {
        let orders = self.lock();
        orders.get(invoice).map(|order| order.paid_by.is_some())
    }

    /// Records that an order is paid, if this payment is the first and of the order that the shop signed.
    pub fn pay(&self, payment: &Payment, signed: Option<&SignedOrder>) -> Receipt {
        let Some(signed) = signed else {
            return Receipt::Question("no signed order");
        };
        let mut orders = self.lock();
        let invoice = Invoice::try_from(signed.invoice_number.clone());
        let Some(order) = invoice.ok().and_then(|invoice| orders.get_mut(&invoice)) else {
            return Receipt::Question("no such order");
        };
        match &order.paid_by {
            Some(first) if *first == payment.transaction_id => Receipt::Repeat,
            Some(_) => Receipt::Question("second payment"),
            None if payment.state != Some(PaymentState::Paid) => Receipt::Question("not paid"),
            None if !order.is_signed_as(signed) => Receipt::Question("other amount"),
            None => {
                order.paid_by = Some(payment.transaction_id.clone());
                Receipt::Fulfil
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Invoice, PlacedOrder>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PlacedOrder {
    /// Whether the shop signed the price of the order. Amounts are compared as decimals: 48.5 is 48.50.
    fn is_signed_as(&self, signed: &SignedOrder) -> bool {
        let amount = |text: &str| text.parse::<Amount>().ok();
        let is_price = |price: Price| {
            signed.quantity.as_deref().and_then(amount) == amount(&price.to_string())
        };
        signed.token == TOKEN && self.price.is_none_or(is_price)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::order::{ARTICLE, SHIPPING};

    fn invoice(text: &str) -> Invoice {
        Invoice::try_from(text.to_owned()).unwrap()
    }

    fn shop() -> Orders {
        let orders = Orders::default();
        orders.place(&invoice("INV-1"), Some(ARTICLE + SHIPPING));
        orders
    }

    /// The result of a payment with this id and state, for which this was signed.
    fn pay(orders: &Orders, id: &str, state: &str, order: [&str; 3]) -> Receipt {
        let payment = Payment::parse(&format!(
            r#"{{"transactionId":"{id}","quantity":48.50,"token":"USDT","state":"{state}","paymentToken":"BTC",
                "quantityPay":0.001,"statusId":"2","statusText":"Paid","wallet":"w"}}"#
        ));
        let [invoice, quantity, token] = order.map(str::to_owned);
        let signed = SignedOrder {
            token,
            quantity: Some(quantity),
            invoice_number: invoice,
            item_number: None,
        };
        orders.pay(&payment.unwrap(), Some(&signed))
    }

    const SIGNED: [&str; 3] = ["INV-1", "48.5", TOKEN];

    #[test]
    fn an_order_is_fulfilled_once() {
        let orders = shop();
        assert_eq!(orders.is_paid(&invoice("INV-1")), Some(false));
        assert_eq!(pay(&orders, "t-1", "paid", SIGNED), Receipt::Fulfil);
        assert_eq!(orders.is_paid(&invoice("INV-1")), Some(true));
        assert_eq!(pay(&orders, "t-1", "paid", SIGNED), Receipt::Repeat);

        // The buyer looks at the checkout again.
        orders.place(&invoice("INV-1"), None);
        assert_eq!(pay(&orders, "t-1", "paid", SIGNED), Receipt::Repeat);
    }

    #[test]
    fn the_payer_may_choose_the_amount() {
        let orders = Orders::default();
        orders.place(&invoice("INV-1"), None);
        let order = ["INV-1", "7", TOKEN];
        assert_eq!(pay(&orders, "t-1", "paid", order), Receipt::Fulfil);
    }

    #[test]
    fn a_payment_that_was_not_asked_for_is_a_question() {
        for (question, state, order) in [
            ("no such order", "paid", ["INV-2", "48.50", TOKEN]),
            ("no such order", "paid", ["<script>", "48.50", TOKEN]),
            ("other amount", "paid", ["INV-1", "48.49", TOKEN]),
            (
                "other amount",
                "paid",
                ["INV-1", "48.500000000000000001", TOKEN],
            ),
            ("other amount", "paid", ["INV-1", "many", TOKEN]),
            ("other amount", "paid", ["INV-1", "48.50", "kxp"]),
            ("not paid", "open", SIGNED),
        ] {
            let orders = shop();
            let receipt = pay(&orders, "t-1", state, order);
            assert_eq!(receipt, Receipt::Question(question));
            assert_eq!(orders.is_paid(&invoice("INV-1")), Some(false));
        }
        let orders = shop();
        pay(&orders, "t-1", "paid", SIGNED);
        let second = pay(&orders, "t-2", "paid", SIGNED);
        assert_eq!(second, Receipt::Question("second payment"));
    }
}
