//! The way back to a payment for which a mark or a wallet lets the page doubt whether money was sent.

use leptos::prelude::*;
use tender_checkout_core::{CheckoutPayment, PaymentEvent};
use tender_element::focus::scroll_into_view;
use tender_element::i18n::use_i18n;

use crate::components::controls::restore_focus_if;
use crate::components::payment_memo;
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

#[component]
pub(super) fn NothingSent() -> AnyView {
    let driver = use_driver();
    let may_say = payment_memo(driver, CheckoutPayment::may_say_unsent);
    // Without JavaScript, the page knows only its own hash.
    hosted_page()
        .is_none()
        .then(|| view! { {move || may_say.get().then(|| view! { <Question/> })} })
        .into_any()
}

/// What it risks, and one more question.
#[component]
fn Question() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let asks = RwSignal::new(false);
    view! {
        {move || if asks.get() {
            view! {
                <div class="question" use:scroll_into_view>
                    <p role="alert">{move || i18n.t(Text::NothingSentSure)}</p>
                    <div class="buttons">
                        // The safe choice takes the focus.
                        <button type="button" class="primary" use:restore_focus_if=true on:click=move |_| asks.set(false)>
                            {move || i18n.t(Text::SentYes)}
                        </button>
                        <button type="button" class="danger"
                            on:click=move |_| driver.dispatch(PaymentEvent::NothingSent)>
                            {move || i18n.t(Text::SentNo)}
                        </button>
                    </div>
                </div>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="link" part="nothing-sent" use:restore_focus_if=true
                    on:click=move |_| asks.set(true)>
                    {move || i18n.t(Text::NothingSent)}
                </button>
            }
            .into_any()
        }}
    }
    .into_any()
}
