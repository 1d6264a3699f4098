use leptos::prelude::*;
use tender_element::components::{CheckIcon, ClockIcon, ClosedIcon, WarningIcon, dynamic_text};
use tender_element::focus::{FocusTarget, focus_target};
use tender_protocol::{Payment, PaymentState};

use crate::localization::use_localization;
use crate::text::Text;

/// The service's status text. Where the proxy says what it means, it has a colour and an icon, and a word for screen
/// readers.
#[component]
pub(super) fn StatusPill(
    payment: Memo<Payment>,
    /// Becomes the target of the focus of a control that is removed when the payment ends.
    target: FocusTarget,
) -> AnyView {
    let l10n = use_localization();
    let state = Memo::new(move |_| payment.with(|payment| payment.state));
    let text = Signal::derive(move || payment.with(|payment| payment.status.shown()));
    let meaning = move || {
        let state = state.get()?;
        let icon = match state {
            PaymentState::Open => return None,
            PaymentState::Pending => view! { <ClockIcon/> }.into_any(),
            PaymentState::Underpaid | PaymentState::Unknown => view! { <WarningIcon/> }.into_any(),
            PaymentState::Paid => view! { <CheckIcon/> }.into_any(),
            PaymentState::Closed => view! { <ClosedIcon/> }.into_any(),
        };
        let word = l10n.labelled(&l10n.t(state_name(state)), "");
        Some(view! { {icon} <span class="sr">{word}</span> })
    };
    view! {
        <span
            class="status"
            data-state=move || state.get().map(PaymentState::as_str)
            tabindex="-1"
            use:focus_target=target
        >
            {meaning}
            <bdi part="status" translate="no" use:dynamic_text=text></bdi>
        </span>
    }
    .into_any()
}

/// The name of a state.
pub(super) fn state_name(state: PaymentState) -> Text {
    match state {
        PaymentState::Open => Text::StateOpen,
        PaymentState::Pending => Text::StatePending,
        PaymentState::Underpaid => Text::StateUnderpaid,
        PaymentState::Paid => Text::StatePaid,
        PaymentState::Closed => Text::StateClosed,
        PaymentState::Unknown => Text::StateUnknown,
    }
}
