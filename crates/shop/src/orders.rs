//! The orders that were placed, and the payments that paid them.
//!
//! They are in memory. A real shop keeps them in its database: docs/fulfilment.md shows how.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tender_protocol::request::{SignedOrder, payer_chooses};
use tender_protocol::{Amount, Payment, PaymentState};

use crate::invoice::Invoice;
use crate::order::TOKEN;

/// The placed orders by their invoice number.
#[derive(Default)]
pub(crate) struct Orders(Mutex<HashMap<Invoice, PlacedOrder>>);

#[derive(Default)]
struct PlacedOrder {
    /// `None` if the payer chooses the amount.
    price: Option<&'static str>,
    /// The transactionId of the payment that paid it.
    paid_by: Option<String>,
}

/// What a notification of a paid payment means to the shop.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Receipt {
    /// The order is paid by it, for the first time.
    Fulfil,
    /// The order was paid by it before.
    Repeat,
    /// A person has to look at it, for this reason.
    Question(&'static str),
}

impl Orders {
    /// Places an order, or changes its price.
    pub(crate) fn place(&self, invoice: &Invoice, price: Option<&'static str>) {
        self.lock().entry(invoice.clone()).or_default().price = price;
    }

    /// Whether an order is paid; `None` if it was never placed.
    pub(crate) fn is_paid(&self, invoice: &Invoice) -> Option<bool> {
        let orders = self.lock();
        orders.get(invoice).map(|order| order.paid_by.is_some())
    }

    /// Records that an order is paid, if this payment is the first and of the order that the shop signed.
    pub(crate) fn pay(&self, payment: &Payment, signed: Option<&SignedOrder>) -> Receipt {
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
    /// Whether the shop signed the price of the order. Amounts are compared as decimals: 48.5 is 48.50. If the payer chose the amount,
    /// the signed one says nothing.
    fn is_signed_as(&self, signed: &SignedOrder) -> bool {
        let amount = |text: &str| text.parse::<Amount>().ok();
        let is_price = |price| {
            signed.quantity.as_deref().and_then(amount) == amount(price)
                && !payer_chooses(signed.item_number.as_deref())
        };
        signed.token == TOKEN && self.price.is_none_or(is_price)
    }
}

#[cfg(test)]
mod tests {
    use super::Receipt::{Fulfil, Question, Repeat};
    use super::*;
    use crate::order::TOTAL;

    #[test]
    fn a_payment_pays_the_order_that_was_signed_for_it_once() {
        let orders = Orders::default();
        let invoice = |text: &str| Invoice::try_from(text.to_owned()).unwrap();
        orders.place(&invoice("INV-1"), Some(TOTAL));
        // The payer chooses the amount.
        orders.place(&invoice("INV-2"), None);
        // The payment and its state, then the signed order.
        for (line, receipt) in [
            ("t-1 paid INV-3 48.50 usdtt", Question("no such order")),
            ("t-1 paid <b> 48.50 usdtt", Question("no such order")),
            ("t-1 paid INV-1 48.49 usdtt", Question("other amount")),
            (
                "t-1 paid INV-1 48.500000000000000001 usdtt",
                Question("other amount"),
            ),
            ("t-1 paid INV-1 many usdtt", Question("other amount")),
            ("t-1 paid INV-1 48.50 kxp", Question("other amount")),
            ("t-1 open INV-1 48.50 usdtt", Question("not paid")),
            ("t-1 paid INV-1 48.5 usdtt", Fulfil),
            ("t-1 paid INV-1 48.50 usdtt", Repeat),
            ("t-2 paid INV-1 48.50 usdtt", Question("second payment")),
            ("t-3 paid INV-2 7 usdtt", Fulfil),
        ] {
            let words: Vec<_> = line.split(' ').map(str::to_owned).collect();
            let [id, state, invoice_number, quantity, token] = <[_; 5]>::try_from(words).unwrap();
            let payment = Payment::parse(&format!(
                r#"{{"transactionId":"{id}","quantity":48.50,"token":"USDT","state":"{state}","paymentToken":"BTC",
                    "quantityPay":0.001,"statusId":"2","statusText":"Paid","wallet":"w"}}"#
            ));
            let signed = SignedOrder {
                token,
                quantity: Some(quantity),
                invoice_number,
                item_number: None,
            };
            let found = orders.pay(&payment.unwrap(), Some(&signed));
            assert_eq!(found, receipt, "{line}");
        }
    }
}
