//! A payment that is gone through once in vain, while the buyer moves on to the button.
//!
//! Browsers compile each function of WebAssembly when it is first called, and scripts likewise. What runs between the
//! answer to a request and its amount on the screen is hundreds of functions, and the buyer would wait for them
//! (docs/PERFORMANCE.md). So they are called before that, with the answer below: the same steps, the same memory, the same views.
//!
//! Nothing comes of it. Steps only compute, and what they ask for is dropped; the view is in no page, ends with this, and
//! has a driver without what effects need: the page is told nothing, and asked nothing.

use std::rc::Rc;

use leptos::prelude::Owner;
use tender_checkout_core::{AttemptKey, Config, Event, HttpResponse, State, memory, step};
use tender_element::{Live, task};

use super::Driver;
use crate::view::{self, Scene};
use crate::wallet::Wallets;

/// An answer to the request for a payment. Its wallet is no address: nothing in it could be paid, there is no code to
/// draw, and no wallet to look for.
const ANSWER: &str = r#"{
    "transactionId": "none", "statusId": "1", "statusText": "Created",
    "token": "none", "quantity": "1000.00", "paymentToken": "none", "quantityPay": "1000.00",
    "priceUsd": "1000.00", "wallet": "none", "invoiceNumber": "none", "createdAt": "2000/01/01"
}"#;

/// Goes through a payment in what the buyer has chosen, in tasks of their own so that the page is not held up. Whether
/// there is one to go through: only where the buyer could submit and has not, and nothing was begun before.
pub(crate) fn rehearse(driver: Driver) -> bool {
    let choosing = driver.state.peek(|state| match state {
        State::Choosing(choosing) if choosing.prior.is_none() && !driver.is_held_up() => {
            Some(choosing.clone())
        }
        _ => None,
    });
    let (Some(choosing), Some(config)) = (choosing.flatten(), driver.config.peek(Rc::clone)) else {
        return false;
    };
    let locale = driver.locale();
    let rehearsed = Config {
        locale: Some(locale),
        ..Config::clone(&config)
    };
    let step = move |state, event| {
        let next = step::pay(&config, state, event);
        let _ = memory::remember(&config, &next.state);
        next.state
    };
    let key = AttemptKey(String::new());
    let submitting = step(State::Choosing(choosing), Event::Submitted(key.clone()));
    let is_submitted = matches!(submitting, State::Submitting(..));
    if is_submitted {
        driver.spawn(async move {
            task::wait(0).await;
            let answer = HttpResponse {
                status: 200,
                body: ANSWER.to_owned(),
            };
            let awaiting = step(submitting, Event::CreateFinished(key, Ok(answer)));
            task::wait(0).await;
            show(driver, rehearsed, awaiting);
        });
    }
    is_submitted
}

/// Makes the view of this state, for nobody to see.
fn show(driver: Driver, config: Config, state: State) {
    let owner = Owner::new();
    owner.with(|| {
        let rehearsed = Driver {
            state: Live::new(state),
            config: Live::new(Rc::new(config)),
            speech: driver.speech,
            wallets: Wallets::new(),
            parts: None,
        };
        view::of_payment(rehearsed, Scene::Awaiting)
    });
    owner.cleanup();
}
