//! Combines what a page sends with a signed order into a request to the service.
//!
//! The service's document states no limits. What no shop needs is refused here, because the service
//! may fail on it. Lengths are in bytes of UTF-8, as most databases count them.

use tender_protocol::request::{OrderClaims, payer_chooses};
use tender_protocol::sanitize::is_unsafe;
use tender_protocol::{Amount, CreatePayment, OrderPayment, ProblemCode, Record, TokenCode};
use unicode_normalization::is_nfc;

use crate::error::{Error, parse};
use crate::order::OrderError;
use crate::order::verifier::Verifier;
use crate::store::attempts::Order;

/// The invoice number identifies the payment in the service's list.
const MAX_INVOICE: usize = 128;

/// RFC 5321, section 4.5.3.1.3, without the angle brackets.
const MAX_EMAIL: usize = 254;

const MAX_NAME: usize = 200;

const MAX_ITEM: usize = 128;

/// The decimals of common databases have at most 38 digits.
const MAX_DIGITS: usize = 38;

pub(crate) struct Purchase {
    pub(crate) payment: CreatePayment,
    pub(crate) order: Option<Order>,
    /// The name of the key that verified the order.
    pub(crate) key: Option<String>,
    /// The open payment of the order that this one replaces.
    pub(crate) replaces: Option<String>,
}

impl Purchase {
    /// Reads the body of a create request: an [`OrderPayment`], or a [`CreatePayment`] if unsigned
    /// orders are allowed.
    pub(crate) fn read(
        json: &str,
        orders: &Verifier,
        allow_unsigned_orders: bool,
    ) -> Result<Self, Error> {
        let mut purchase = if parse::<Record>(json)?.get("order").is_some() {
            let page: OrderPayment = parse(json)?;
            check_page(&page)?;
            let verified = orders.verify(&page.order)?;
            let asked = of_order(verified.claims, page.payment_token, page.quantity)?;
            Self {
                payment: CreatePayment {
                    purchase_email: asked.purchase_email.or(page.purchase_email),
                    purchase_name: asked.purchase_name.or(page.purchase_name),
                    ..asked
                },
                order: Some(Order::new(verified.signed, verified.readable_until)),
                key: Some(verified.key),
                replaces: page.replaces,
            }
        } else if allow_unsigned_orders {
            Self {
                payment: parse(json)?,
                order: None,
                key: None,
                replaces: None,
            }
        } else {
            return Err(ProblemCode::UnsignedOrderRefused.into());
        };
        let Self { payment, order, .. } = &mut purchase;
        check(payment, order.is_some())?;
        for text in [&mut payment.purchase_email, &mut payment.purchase_name] {
            // An empty form field counts as missing.
            text.take_if(|text| text.trim().is_empty());
        }
        Ok(purchase)
    }

    /// Refuses a price that can't be paid exactly: its last digits come from a computation with floating-point numbers.
    pub(crate) fn check_decimals(&self, decimals: Option<u8>) -> Result<(), Error> {
        let CreatePayment {
            token,
            quantity,
            item_number,
            ..
        } = &self.payment;
        let by_shop = self.order.is_some() && !payer_chooses(item_number.as_deref());
        match too_exact(quantity, token, decimals) {
            Some(reason) => Err(refusal(by_shop, reason)),
            None => Ok(()),
        }
    }
}

/// Why a price has more digits than its token has decimals, if they are known.
pub(super) fn too_exact(
    quantity: &Amount,
    token: &TokenCode,
    decimals: Option<u8>,
) -> Option<String> {
    let decimals = decimals?;
    quantity.round_up(decimals).1.then(|| {
        format!(
            "`quantity` is {quantity}, and {token} has {decimals} decimals; write it as a text with fewer, such as \"0.30\""
        )
    })
}

/// The payment that an order asks for in this token. The buyer's amount counts only if the order lets the payer choose it. Any
/// other amount is refused, because page and shop disagree.
pub(super) fn of_order(
    claims: OrderClaims,
    payment_token: TokenCode,
    chosen: Option<Amount>,
) -> Result<CreatePayment, Error> {
    let payer_chooses = payer_chooses(claims.item_number.as_deref());
    let quantity = match (chosen, claims.quantity) {
        (Some(chosen), _) if payer_chooses => Some(chosen),
        (Some(other), Some(price)) if other != price => {
            return Err(ProblemCode::OrderAmountMismatch.into());
        }
        (_, price) => price,
    };
    let quantity = quantity.ok_or_else(|| refusal(!payer_chooses, "`quantity` is missing"))?;
    Ok(CreatePayment {
        token: claims.token,
        quantity,
        payment_token,
        invoice_number: claims.invoice_number,
        purchase_email: claims.purchase_email,
        purchase_name: claims.purchase_name,
        item_number: claims.item_number,
    })
}

/// The payment that an order asks for with what the buyer chose in an earlier request: the token and, if the payer chooses it,
/// the amount. `None` if the order can't be paid so.
pub(crate) fn with_choice_of(
    earlier: &CreatePayment,
    claims: OrderClaims,
) -> Option<CreatePayment> {
    let chosen = payer_chooses(claims.item_number.as_deref()).then(|| earlier.quantity.clone());
    of_order(claims, earlier.payment_token.clone(), chosen).ok()
}

/// Checks what the page adds to an order, so that all other errors are those of the order.
fn check_page(page: &OrderPayment) -> Result<(), Error> {
    let (email, name) = (&page.purchase_email, &page.purchase_name);
    let amount = page.quantity.as_ref().and_then(unusable_amount);
    let reason = amount.or_else(|| unusable_buyer(email.as_deref(), name.as_deref()));
    reason.map_or(Ok(()), |reason| Err(refusal(false, reason)))
}

/// Checks a request to the service, or an order before it is signed.
pub(super) fn check(payment: &CreatePayment, signed: bool) -> Result<(), Error> {
    if payment.quantity.is_zero() {
        let by_shop = signed && !payer_chooses(payment.item_number.as_deref());
        return Err(refusal(by_shop, "`quantity` must be more than zero"));
    }
    if let Some(reason) = unusable(payment) {
        return Err(refusal(signed, reason));
    }
    for (field, code) in [
        ("token", &payment.token),
        ("paymentToken", &payment.payment_token),
    ] {
        if !code.is_accepted() {
            return Err(Error::TokenNotAccepted(field));
        }
    }
    Ok(())
}

/// Attributes an error to the shop's order or to the page's request.
fn refusal(by_shop: bool, reason: impl Into<String>) -> Error {
    let reason = reason.into();
    if by_shop {
        OrderError::Claims(reason).into()
    } else {
        Error::InvalidRequest(reason)
    }
}

/// Why a field of the payment can't be used.
fn unusable(payment: &CreatePayment) -> Option<String> {
    unusable_amount(&payment.quantity)
        .or_else(|| unusable_invoice(&payment.invoice_number))
        .or_else(|| unusable_item(payment.item_number.as_deref()?))
        .or_else(|| {
            let (email, name) = (&payment.purchase_email, &payment.purchase_name);
            unusable_buyer(email.as_deref(), name.as_deref())
        })
}

/// Why an e-mail address and a name of a buyer can't be used.
fn unusable_buyer(email: Option<&str>, name: Option<&str>) -> Option<String> {
    unusable_text("purchaseEmail", email, MAX_EMAIL)
        .or_else(|| unusable_text("purchaseName", name, MAX_NAME))
}

/// Why an amount can't be used.
fn unusable_amount(quantity: &Amount) -> Option<String> {
    let digits = quantity.to_string();
    let digits = digits.bytes().filter(u8::is_ascii_digit).count();
    (digits > MAX_DIGITS).then(|| format!("`quantity` has more than {MAX_DIGITS} digits"))
}

/// The number must come back as it was sent.
fn unusable_invoice(number: &str) -> Option<String> {
    if number.trim().is_empty() {
        Some("`invoiceNumber` is empty".to_owned())
    } else if !is_nfc(number) {
        Some("`invoiceNumber` is not in Unicode's normal form NFC".to_owned())
    } else {
        unusable_text("invoiceNumber", Some(number), MAX_INVOICE)
            .or_else(|| surrounded("invoiceNumber", number))
    }
}

/// The service may take other texts for 0, too, and let the payer choose the amount. The proxy and the shop would not know.
fn unusable_item(number: &str) -> Option<String> {
    // An amount has one zero at the beginning.
    let rest = number.trim().trim_start_matches(['+', '-', '0']);
    let amount = format!("0{rest}").parse::<Amount>();
    let is_zero = number.contains('0') && amount.is_ok_and(|amount| amount.is_zero());
    if is_zero && !payer_chooses(Some(number)) {
        return Some("`itemNumber` is 0 in another form; write `0`, with which the payer chooses the amount, or leave it out".to_owned());
    }
    unusable_text("itemNumber", Some(number), MAX_ITEM).or_else(|| surrounded("itemNumber", number))
}

/// Databases and services may ignore what is around a text, so that two of them become one.
fn surrounded(field: &str, text: &str) -> Option<String> {
    let is_ignored = |character: char| character.is_whitespace() || is_unsafe(character);
    text.trim_matches(is_ignored).ne(text).then(|| {
        format!("`{field}` begins or ends with white space or an invisible character; remove it")
    })
}

fn unusable_text(field: &str, text: Option<&str>, max: usize) -> Option<String> {
    let text = text?;
    if text.len() > max {
        Some(format!("`{field}` is longer than {max} bytes"))
    } else if text.contains(char::is_control) {
        Some(format!("`{field}` contains control characters"))
    } else {
        None
    }
}
