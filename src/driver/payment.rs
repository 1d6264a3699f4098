//! What there is to do once the buyer has submitted. It comes with the later part of the module.

use gloo_timers::callback::Timeout;
use tender_checkout_core::{Config, Effect, Event, Transfer};
use tender_element::{fetch, page};

use super::Driver;
use super::stream::Stream;
use crate::{api, host};

/// Executes an effect of a payment, or of the wish to pay.
pub(crate) fn execute(driver: Driver, config: &Config, effect: Effect) {
    let proxy = config.proxy.clone();
    match effect {
        Effect::Create(attempt) => {
            let answer = api::create(&proxy, &attempt);
            driver.spawn(async move {
                driver.dispatch(Event::CreateFinished(attempt.key, answer.await));
            });
        }
        Effect::Cancel {
            transaction_id,
            receipt,
        } => driver.spawn(async move {
            let answered = fetch::cancel(&proxy, &transaction_id, receipt.as_deref()).await;
            driver.dispatch(Event::CancelFinished(transaction_id, answered));
        }),
        Effect::ReadStatus {
            transaction_id,
            receipt,
        } => driver.spawn(async move {
            let answered = api::payment(&proxy, &transaction_id, &receipt).await;
            driver.dispatch(Event::StatusFetched(transaction_id, answered));
        }),
        Effect::SchedulePoll(seconds) => {
            let timeout = Timeout::new(seconds.saturating_mul(page::about_a_second()), move || {
                // For as long as nobody sees it, time stands still: `PageSeen` goes on.
                if page::is_seen() {
                    driver.dispatch(Event::PollDue);
                }
            });
            if let Some(parts) = driver.parts() {
                parts.look.replace(Some(timeout));
            }
        }
        Effect::Subscribe {
            transaction_id,
            receipt,
        } => {
            let url = api::events(&proxy, &transaction_id, &receipt);
            let stream = Stream::open(driver, &url, transaction_id);
            driver.replace_stream(stream);
        }
        Effect::Unsubscribe => driver.replace_stream(None),
        Effect::RequestWalletPayment {
            wallet,
            transaction_id,
            transfer,
        } => {
            let paying = driver.wallets.pay(wallet, *transfer);
            driver.spawn(async move {
                driver.dispatch(Event::WalletFinished(transaction_id, paying.await));
            });
        }
        Effect::Emit(event) => driver.with_host(|host| host::tell_of_payment(host, &event)),
        // The driver itself does that.
        Effect::FetchTokens => {}
    }
}

impl Driver {
    /// Looks for the wallets that can pay, again when the page's attributes or properties change,
    /// for as long as the current owner lives. The first time is a task of its own: the page's code runs in it,
    /// and while a view is made the state is borrowed.
    pub(crate) fn discover_wallets(self, transfer: Transfer) {
        leptos::prelude::Effect::new(move || {
            self.config.track();
            self.with_host(|host| self.wallets.discover(host, &transfer));
        });
    }

    fn replace_stream(self, stream: Option<Stream>) {
        if let Some(parts) = self.parts() {
            parts.stream.replace(stream);
        }
    }
}
