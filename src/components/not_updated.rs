//! Since when the status that is shown may be out of date.

use leptos::prelude::*;
use tender_element::date;
use tender_element::i18n::use_i18n;

use super::controls::Caution;
use super::payment_memo;
use crate::driver::use_driver;
use crate::text::Text;

/// Empty while requests for the status succeed.
#[component]
pub(super) fn NotUpdated() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let are_failing = payment_memo(driver, |payment| payment.following.reads.are_failing());
    let text = move || {
        let when = date::time(
            &driver.last_read(),
            &[("timeStyle", "short")],
            &driver.locale(),
        );
        i18n.format(Text::NotUpdated, &[("when", &when)])
    };
    view! { {move || are_failing.get().then(|| view! { <Caution text=Signal::derive(text)/> })} }
        .into_any()
}
