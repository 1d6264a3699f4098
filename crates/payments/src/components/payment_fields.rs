use leptos::prelude::*;
use tender_element::components::{CopyButton, dynamic_text};
use tender_element::focus::FocusTarget;
use tender_protocol::Payment;

use super::amount::{TokenAmount, UsdAmount};
use super::ledger_info::CreatedAt;
use super::order_cells::{amount_of, text_of};
use super::payment_summary::naming;
use super::status_pill::StatusPill;
use crate::localization::use_localization;
use crate::text::Text;

/// All fields of a payment's record.
#[component]
pub(super) fn PaymentFields(
    /// The payment's `transactionId`.
    id: String,
    payment: Memo<Payment>,
    /// What the merchant calls the payment.
    name: Signal<String>,
) -> AnyView {
    let l10n = use_localization();
    let usd = Memo::new(move |_| payment.with(|payment| payment.price_usd.clone()));
    let transaction_id = Signal::stored(id.clone());
    view! {
        <dl class="fields">
            <Field label=Text::Status><StatusPill payment=payment target=FocusTarget::new()/></Field>
            <Field label=Text::ToPay>
                <TokenAmount
                    amount=amount_of(payment, |payment| &payment.quantity_pay)
                    token=text_of(payment, |payment| Some(&payment.payment_token))
                    shows_network=true
                />
            </Field>
            <Field label=Text::Price>
                <TokenAmount
                    amount=amount_of(payment, |payment| &payment.quantity)
                    token=text_of(payment, |payment| Some(&payment.token))
                />
            </Field>
            {move || usd.get().map(|usd| view! {
                <Field label=Text::UsDollars><UsdAmount amount=usd/></Field>
            })}
            <TextField
                label=Text::Buyer
                text=text_of(payment, |payment| payment.purchase_name.as_deref())
                more=text_of(payment, |payment| payment.purchase_email.as_deref())
            />
            <TextField label=Text::Items text=text_of(payment, |payment| payment.item_number.as_deref())/>
            <Field label=Text::Date>
                <CreatedAt id=id date=text_of(payment, |payment| payment.created_at.as_deref())/>
            </Field>
            <Field label=Text::Wallet>
                <Code
                    value=text_of(payment, |payment| Some(&payment.wallet))
                    copy_label=naming(Text::CopyWallet, name)
                />
            </Field>
            <Field label=Text::Transaction>
                <Code
                    value=transaction_id
                    copy_label=naming(Text::CopyTransaction, name)
                    hint=l10n.t(Text::TransactionHint)
                />
            </Field>
        </dl>
    }
    .into_any()
}

/// One or two texts of the record; nothing if they are empty.
#[component]
fn TextField(label: Text, text: Signal<String>, #[prop(optional)] more: Signal<String>) -> AnyView {
    let texts = Memo::new(move |_| [text.get(), more.get()]);
    (move || {
        let texts = texts.get().into_iter().filter(|text| !text.is_empty());
        let lines: Vec<_> = texts
            .map(|text| view! { <bdi class="line">{text}</bdi> })
            .collect();
        (!lines.is_empty()).then(|| view! { <Field label=label>{lines}</Field> })
    })
    .into_any()
}

#[component]
fn Field(label: Text, children: Children) -> AnyView {
    let l10n = use_localization();
    view! { <div><dt>{l10n.t(label)}</dt><dd>{children()}</dd></div> }.into_any()
}

/// A wallet address or `transactionId`, with a button that copies it.
#[component]
fn Code(
    value: Signal<String>,
    copy_label: Signal<String>,
    /// What the code is, for the tooltip.
    #[prop(optional, into)]
    hint: Option<String>,
) -> AnyView {
    view! {
        <span class="code">
            <bdi dir="ltr" translate="no" title=hint use:dynamic_text=value></bdi>
            <CopyButton label=copy_label value=value/>
        </span>
    }
    .into_any()
}
