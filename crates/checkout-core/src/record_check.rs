//! Compares payment records: a created one with its request, a later one with the created one.
//!
//! The service's document does not give the format of `wallet`. If the network's address format is
//! known, only a valid address is shown. Otherwise, any text without invisible characters is shown,
//! as plain text.

use std::fmt;

use tender_protocol::request::payer_chooses;
use tender_protocol::{Amount, CreatePayment, Payment, TokenCode};

use crate::address::Address;
use crate::asset::AssetInfo;
use crate::choice::{Choice, display_name};
use crate::failure::{Failure, FailureCode};
use crate::hidden::is_invisible;
use crate::status_record::StatusRecord;

/// The least length in bytes of an invoice number that may be the start of a longer one.
const MIN_CUT: usize = 16;

/// Checks a created record against its request, before it is shown.
///
/// # Errors
/// The first contradiction. Texts of the record are escaped in it.
pub(crate) fn check_created(
    request: &CreatePayment,
    choice: &Choice,
    payment: &Payment,
) -> Result<(), Failure> {
    let payer_chooses = payer_chooses(request.item_number.as_deref());
    if payment.test_mode != choice.test_mode {
        let found = payment.test_mode;
        return contradiction(format_args!(
            "`testMode` is {found}, not the token listing's"
        ));
    }
    if !is_payment_token(choice, &payment.payment_token) {
        let (found, asked) = (&payment.payment_token, &choice.code);
        return contradiction(format_args!(
            "`paymentToken` is {found:?}, not the requested `{asked}`"
        ));
    }
    if !request.token.may_be_named(&payment.token) {
        let found = &payment.token;
        return contradiction(format_args!("`token` is {found:?}, not the order's"));
    }
    if !payer_chooses && !request.quantity.may_be_listed_as(&payment.quantity) {
        let found = &payment.quantity;
        return contradiction(format_args!("`quantity` is {found}, not the order's"));
    }
    if let Some(number) = &payment.invoice_number
        && !is_same_invoice(&request.invoice_number, number)
    {
        return contradiction(format_args!(
            "`invoiceNumber` is {number:?}, not the order's"
        ));
    }
    if payment.quantity_pay.is_zero() && !payer_chooses {
        return contradiction(format_args!("`quantityPay` is 0"));
    }
    check_wallet(choice, &payment.wallet)
}

/// Checks a later record against the payment that is shown. A field that the record does not have
/// contradicts nothing.
///
/// # Errors
/// The first contradiction. Texts of the record are escaped in it.
pub(crate) fn check_later(
    shown: &Payment,
    choice: &Choice,
    record: &StatusRecord,
) -> Result<(), Failure> {
    // The other fields may change.
    let Payment {
        transaction_id: _,
        token,
        payment_token: _,
        quantity,
        quantity_pay,
        price_usd: _,
        purchase_email: _,
        purchase_name: _,
        invoice_number,
        item_number: _,
        status: _,
        wallet,
        created_at: _,
        state: _,
        test_mode: _,
    } = shown;
    let token = |name: &String| may_be_same_token(token, name);
    let payment_token = |name: &String| is_payment_token(choice, name);
    let invoice = |number: &String| {
        let shown = invoice_number.as_ref();
        shown.is_none_or(|shown| is_same_invoice(shown, number))
    };
    let wallet = |listed: &String| is_same_wallet(wallet, listed);
    let quantity = |listed: &Amount| may_be_same_amount(quantity, listed);
    let quantity_pay = |listed: &Amount| may_be_same_amount(quantity_pay, listed);
    let fields = [
        ("token", record.token.as_ref().is_none_or(token)),
        (
            "paymentToken",
            record.payment_token.as_ref().is_none_or(payment_token),
        ),
        (
            "invoiceNumber",
            record.invoice_number.as_ref().is_none_or(invoice),
        ),
        ("wallet", record.wallet.as_ref().is_none_or(wallet)),
        ("quantity", record.quantity.as_ref().is_none_or(quantity)),
        (
            "quantityPay",
            record.quantity_pay.as_ref().is_none_or(quantity_pay),
        ),
    ];
    match fields.into_iter().find(|(_, is_same)| !is_same) {
        Some((field, _)) => contradiction(format_args!("`{field}` is no longer the payment's")),
        None => Ok(()),
    }
}

/// The service returns `paymentToken` in upper case: the code, or the ticker symbol, which several tokens
/// may share.
fn is_payment_token(choice: &Choice, name: &str) -> bool {
    let name = display_name(name.trim());
    name.eq_ignore_ascii_case(choice.code.as_str()) || name.eq_ignore_ascii_case(&choice.symbol)
}

/// Whether two records may mean the same token, one by its code and the other by its ticker.
fn may_be_same_token(shown: &str, listed: &str) -> bool {
    let fits = |code: &str, name: &str| TokenCode::from(code).may_be_named(name);
    fits(shown, listed) || fits(listed, shown)
}

/// Either amount may be rounded. Zero is an amount that the payer chooses, so the service may know it later.
fn may_be_same_amount(shown: &Amount, listed: &Amount) -> bool {
    shown.is_zero() || shown.may_be_listed_as(listed) || listed.may_be_listed_as(shown)
}

/// The service may return an invoice number trimmed, in another case or cut.
fn is_same_invoice(sent: &str, listed: &str) -> bool {
    let (sent, listed) = (sent.trim(), listed.trim());
    let start = sent.get(..listed.len());
    let is_start = start.is_some_and(|start| start.eq_ignore_ascii_case(listed));
    is_start && (sent.len() == listed.len() || listed.len() >= MIN_CUT)
}

/// Addresses that begin with `0x` may be written in another case.
fn is_same_wallet(shown: &str, listed: &str) -> bool {
    let listed = listed.trim();
    shown == listed || (shown.starts_with("0x") && shown.eq_ignore_ascii_case(listed))
}

fn check_wallet(choice: &Choice, wallet: &str) -> Result<(), Failure> {
    match AssetInfo::of(&choice.code) {
        // The same address may exist on both.
        _ if choice.is_contradictory() => {
            let Choice { code, network, .. } = choice;
            contradiction(format_args!(
                "token `{code}` is not on {network:?}, as the listing says"
            ))
        }
        Some(asset) if Address::parse(wallet, &asset).is_none() => {
            let network = &choice.network;
            contradiction(format_args!(
                "`wallet` is not an address on {network:?}: {wallet:?}"
            ))
        }
        None if wallet.contains(is_invisible) => contradiction(format_args!(
            "`wallet` contains invisible characters: {wallet:?}"
        )),
        _ => Ok(()),
    }
}

fn contradiction(what: fmt::Arguments<'_>) -> Result<(), Failure> {
    let message = format!("the record's {what}");
    Err(Failure::new(FailureCode::RecordMismatch, message))
}
