//! The way back to a payment for which a mark or a wallet lets the page doubt whether money was sent.

use leptos::prelude::*;
use tender_checkout_core::{CheckoutPayment, PaymentEvent};

use crate::components::ask_again::{AskAgain, HostedAskAgain, Question};
use crate::components::payment_memo;
use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::text::Text;

const QUESTION: Question = Question {
    button: Text::NothingSent,
    risk: Text::NothingSentSure,
    no: Text::SentYes,
    yes: Text::SentNo,
};

#[component]
pub(super) fn NothingSent() -> AnyView {
    let driver = use_driver();
    let may_say = payment_memo(driver, CheckoutPayment::may_say_unsent);
    if let Some(hosted) = hosted_page() {
        let question = may_say
            .get_untracked()
            .then(|| view! { <HostedAskAgain question=QUESTION hosted/> });
        return question.into_any();
    }
    let act = Callback::new(move |()| driver.dispatch(PaymentEvent::NothingSent));
    view! {
        {move || may_say.get().then(|| view! { <AskAgain question=QUESTION part="nothing-sent" act/> })}
    }
    .into_any()
}
