//! The root of the tree.

use leptos::either::EitherOf5;
use leptos::prelude::*;
use tender_checkout_core::{Phase, Reason, State};
use tender_element::components::{LocaleRoot, Skeleton, TestModeBanner};
use tender_element::{TextKey, use_i18n};

use super::contact::ReturnLink;
use super::form::TokenForm;
use super::not_payable::{NotPayable, title};
use super::payment::PaymentInstructions;
use super::unavailable::Unavailable;
use crate::driver::{Driver, use_driver};
use crate::hosted::hosted_page;
use crate::text::Text;

/// Which view a state has. The view stays while this stays the same, so a failure keeps the focus and what the buyer
/// typed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum View {
    Skeleton,
    Unavailable,
    Form,
    Payment,
    NotPayable(Reason),
}

impl From<&Phase> for View {
    fn from(phase: &Phase) -> Self {
        match phase {
            Phase::Loading(..) => Self::Skeleton,
            Phase::Unavailable(..) => Self::Unavailable,
            Phase::Choosing(..) | Phase::Submitting(..) | Phase::Failed(..) => Self::Form,
            Phase::Awaiting(_) => Self::Payment,
            Phase::NotPayable(reason, _) => Self::NotPayable(*reason),
        }
    }
}

/// The inside of the card.
#[component]
pub(crate) fn Checkout() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    // Until the texts are loaded the buyer sees the skeleton, so that they never see two languages.
    let view = Memo::new(move |_| {
        if i18n.is_loaded() {
            driver.with(|state| View::from(&state.phase))
        } else {
            View::Skeleton
        }
    });
    let is_test = driver.memo(|driver: Driver| driver.with(State::is_test));
    view! {
        <LocaleRoot copied=Text::Copied.entry() copy_failed=Text::CopyFailed.entry()>
            {hosted_page().is_none().then(|| view! { <Announcement/> })}
            {move || (i18n.is_loaded() && is_test.get()).then(|| view! {
                <TestModeBanner text=i18n.signal(Text::TestMode)/>
            })}
            {move || match view.get() {
                View::Skeleton => EitherOf5::A(view! {
                    <Skeleton label=i18n.signal(Text::Loading)/>
                }),
                View::Unavailable => EitherOf5::B(view! { <Unavailable/> }),
                View::Form => EitherOf5::C(view! { <TokenForm/> }),
                View::Payment => EitherOf5::D(view! { <PaymentInstructions/> }),
                View::NotPayable(reason) => EitherOf5::E(view! { <NotPayable reason/> }),
            }}
            {move || (view.get() != View::Skeleton).then(|| view! { <ReturnLink/> })}
        </LocaleRoot>
    }
    .into_any()
}

/// Says how a payment has ended, where the focus is elsewhere. Screen readers say only what changes in an element that was
/// there before.
#[component]
fn Announcement() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let reason = driver.memo(|driver| {
        driver.with(|state| match &state.phase {
            Phase::NotPayable(reason, _) => Some(*reason),
            _ => None,
        })
    });
    let text = move || reason.get().map(|reason| i18n.t(title(reason)));
    view! { <p class="sr" aria-live="polite">{text}</p> }.into_any()
}
