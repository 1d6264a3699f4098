//! The orders that were placed, and the payments that paid them.
//!
//! They are in memory. A real shop keeps them in its database: docs/fulfilment.md shows how.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tender_protocol::{Amount, Payment, PaymentState, TokenCode};

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

    /// Records that an order is paid, if this payment is the first and the one that was asked for.
    pub fn pay(&self, payment: &Payment) -> Receipt {
        let invoice = payment.invoice_number.clone().map(Invoice::try_from);
        let mut orders = self.lock();
        let order = match invoice {
            Some(Ok(invoice)) => orders.get_mut(&invoice),
            _ => None,
        };
        let Some(order) = order else {
            return Receipt::Question("no such order");
        };
        match &order.paid_by {
            Some(first) if *first == payment.transaction_id => Receipt::Repeat,
            Some(_) => Receipt::Question("second payment"),
            None if payment.state != Some(PaymentState::Paid) => Receipt::Question("not paid"),
            None if !order.is_charged_by(payment) => Receipt::Question("other amount"),
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
    /// Whether a payment charges the price of the order. Amounts are compared as decimals: 48.5 is 48.50.
    fn is_charged_by(&self, payment: &Payment) -> bool {
        let is_price =
            |price: Price| price.to_string().parse::<Amount>().as_ref() == Ok(&payment.quantity);
        TokenCode::from(payment.token.as_str()) == TokenCode::from(TOKEN)
            && self.price.is_none_or(is_price)
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

    /// A payment with `quantity` and `rest` as JSON.
    fn payment(id: &str, invoice: &str, quantity: &str, rest: &str) -> Payment {
        Payment::parse(&format!(
            r#"{{"transactionId":"{id}","invoiceNumber":"{invoice}","quantity":{quantity},{rest},
                "paymentToken":"BTC","quantityPay":0.001,"statusId":"2","statusText":"Paid","wallet":"w"}}"#
        ))
        .unwrap()
    }

    const PAID: &str = r#""token":"USDTT","state":"paid""#;

    #[test]
    fn an_order_is_fulfilled_once() {
        let orders = shop();
        assert_eq!(orders.is_paid(&invoice("INV-1")), Some(false));
        let payment = payment("t-1", "INV-1", "48.5", PAID);
        assert_eq!(orders.pay(&payment), Receipt::Fulfil);
        assert_eq!(orders.is_paid(&invoice("INV-1")), Some(true));
        assert_eq!(orders.pay(&payment), Receipt::Repeat);

        // The buyer looks at the checkout again.
        orders.place(&invoice("INV-1"), None);
        assert_eq!(orders.pay(&payment), Receipt::Repeat);
    }

    #[test]
    fn the_payer_may_choose_the_amount() {
        let orders = Orders::default();
        orders.place(&invoice("INV-1"), None);
        let payment = payment("t-1", "INV-1", "7", PAID);
        assert_eq!(orders.pay(&payment), Receipt::Fulfil);
    }

    #[test]
    fn a_payment_that_was_not_asked_for_is_a_question() {
        let open = PAID.replace("paid", "open");
        let kxp = PAID.replace("USDTT", "KXP");
        for (question, payment) in [
            ("no such order", payment("t-1", "INV-2", "48.50", PAID)),
            ("no such order", payment("t-1", "<script>", "48.50", PAID)),
            ("other amount", payment("t-1", "INV-1", "48.49", PAID)),
            (
                "other amount",
                payment("t-1", "INV-1", "48.500000000000000001", PAID),
            ),
            ("other amount", payment("t-1", "INV-1", "48.50", &kxp)),
            ("not paid", payment("t-1", "INV-1", "48.50", &open)),
        ] {
            let orders = shop();
            assert_eq!(orders.pay(&payment), Receipt::Question(question));
            assert_eq!(orders.is_paid(&invoice("INV-1")), Some(false));
        }
        let orders = shop();
        orders.pay(&payment("t-1", "INV-1", "48.50", PAID));
        let second = payment("t-2", "INV-1", "48.50", PAID);
        assert_eq!(orders.pay(&second), Receipt::Question("second payment"));
    }
}
