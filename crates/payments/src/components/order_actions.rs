use leptos::prelude::*;
use tender_element::components::{DynamicText, WarningIcon};
use tender_element::focus::restore_focus;
use tender_payments_core::{Dashboard, Event, OrderAction, OrderProgress, PaymentDetails};

use super::controls::ActionButton;
use super::modal::initial_focus;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What the merchant can do about the order of the payment in the dialog: that money may have been sent for it, removing
/// the marks that say so, and releasing the order.
#[component]
pub(super) fn OrderActions(details: Memo<PaymentDetails>) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let is_marked = driver.memo(Dashboard::is_marked);
    let progress = Memo::new(move |_| details.with(|details| details.order.clone()));
    let offered = driver.memo(Dashboard::order_actions);
    let controls = move || {
        match progress.get() {
        OrderProgress::Confirming(action) => view! { <Confirmation action=action/> }.into_any(),
        OrderProgress::Requested(_) => view! {
            <p class="hint" role="status" tabindex="-1" use:restore_focus>{l10n.t(Text::OrderActionProgress)}</p>
        }
        .into_any(),
        OrderProgress::Idle | OrderProgress::Done(_) | OrderProgress::Failed(_) => {
            let buttons = offered.get().into_iter();
            let buttons = buttons.map(|action| view! { <RequestButton action=action/> });
            view! { <div class="buttons">{buttons.collect_view()}</div> }.into_any()
        }
    }
    };
    let result = move || result(l10n, &progress.get());
    view! {
        <div class="order-actions" part="order-actions">
            {move || is_marked.get().then(|| view! {
                <p class="caution"><WarningIcon/><span>{l10n.t(Text::Marked)}</span></p>
            })}
            {move || result().map(|(text, role)| view! {
                <p class="hint" role=role tabindex="-1" use:restore_focus>
                    <DynamicText text=Signal::stored(text)/>
                </p>
            })}
            {controls}
        </div>
    }
    .into_any()
}

/// The action as a button's label.
fn label(action: OrderAction) -> Text {
    match action {
        OrderAction::RemoveMarks => Text::MarksRemove,
        OrderAction::Release => Text::Release,
    }
}

/// The result of the last action, and the role of that text.
fn result(l10n: Localization, progress: &OrderProgress) -> Option<(String, &'static str)> {
    match progress {
        OrderProgress::Done(OrderAction::RemoveMarks) => {
            Some((l10n.t(Text::MarksRemoved), "status"))
        }
        OrderProgress::Done(OrderAction::Release) => Some((l10n.t(Text::Released), "status")),
        OrderProgress::Failed(failure) => {
            let reason = [("reason", &*failure.message)];
            Some((l10n.format(Text::OrderActionFailed, &reason), "alert"))
        }
        OrderProgress::Idle | OrderProgress::Confirming(_) | OrderProgress::Requested(_) => None,
    }
}

#[component]
fn RequestButton(action: OrderAction) -> AnyView {
    let part = match action {
        OrderAction::RemoveMarks => "remove-marks",
        OrderAction::Release => "release",
    };
    view! {
        <ActionButton
            class="quiet"
            part=part
            text=label(action)
            event=Event::OrderActionRequested(action)
            use:restore_focus
        />
    }
    .into_any()
}

/// Asks whether to do it, and says what it does.
#[component]
fn Confirmation(action: OrderAction) -> AnyView {
    let l10n = use_localization();
    let question = match action {
        OrderAction::RemoveMarks => Text::MarksRemoveAsk,
        OrderAction::Release => Text::ReleaseAsk,
    };
    view! {
        <p role="alert">{l10n.t(question)}</p>
        <div class="buttons">
            // The safe choice has the focus.
            <ActionButton
                class="quiet"
                part="keep-order"
                text=Text::CancelNo
                event=Event::OrderActionDismissed
                use:initial_focus
            />
            <ActionButton
                class="danger"
                part="confirm-order"
                text=label(action)
                event=Event::OrderActionConfirmed
            />
        </div>
    }
    .into_any()
}
