use leptos::either::EitherOf3;
use leptos::prelude::*;
use tender_element::components::{CheckIcon, ClosedIcon, dynamic_text};
use tender_element::focus::{FocusTarget, focus_target};
use tender_protocol::{Payment, PaymentState};

use crate::localization::use_localization;
use crate::text::Text;

/// The service's status text. Where the proxy says what it means, it has a colour and an icon, and a word for screen
/// readers.
#[component]
pub(super) fn StatusPill(
    payment: Memo<Option<Payment>>,
    /// Becomes the target of the focus of a control that is removed when the payment ends.
    target: FocusTarget,
) -> AnyView {
    let locale = use_localization();
    let state = Memo::new(move |_| payment.with(|payment| payment.as_ref()?.state));
    let text = Signal::derive(move || {
        payment.with(|payment| {
            let status = payment.as_ref().map(|payment| payment.status.text());
            status.unwrap_or_default().to_owned()
        })
    });
    let meaning = move || match state.get() {
        Some(PaymentState::Paid) => {
            EitherOf3::A(view! { <CheckIcon/> <Meaning text=locale.t(Text::StatePaid)/> })
        }
        Some(PaymentState::Closed) => {
            EitherOf3::B(view! { <ClosedIcon/> <Meaning text=locale.t(Text::StateClosed)/> })
        }
        Some(
            PaymentState::Open
            | PaymentState::Pending
            | PaymentState::Underpaid
            | PaymentState::Unknown,
        )
        | None => EitherOf3::C(()),
    };
    view! {
        <span
            class="status"
            class:paid=move || state.get() == Some(PaymentState::Paid)
            class:closed=move || state.get() == Some(PaymentState::Closed)
            tabindex="-1"
            use:focus_target=target
        >
            {meaning}
            <bdi part="status" translate="no" use:dynamic_text=text></bdi>
        </span>
    }
    .into_any()
}

/// What the status means, for screen readers.
#[component]
fn Meaning(text: String) -> AnyView {
    view! { <span class="sr">{text}": "</span> }.into_any()
}
