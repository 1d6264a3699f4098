//! Every state of the dashboard, each with its name and a function that reaches it.
//!
//! The accessibility tests and the gallery run through this list.

mod dashboard;
mod dialogs;
mod login;

use tender_sandbox::{Endpoint, Fault, Outcome};

use super::super::servers::MERCHANT_KEY;
use super::super::states::{State, states};
use super::Office;

impl State<Office> {
    /// Brings the element into this state, with its own servers.
    pub(crate) async fn reach(&self, office: &mut Office) {
        office.move_on().await;
        (self.reach)(office).await;
    }
}

/// All states, in the order in which a merchant may meet them.
pub(crate) const STATES: &[State<Office>] = states! {
    login {
        "skeleton": skeleton,
        "key wanted": key_wanted,
        "key refused": key_refused,
        "unavailable": unavailable,
        "logged out": logged_out,
        "not loaded": not_loaded,
    }
    dashboard {
        "empty shop": empty_shop,
        "payments": payments,
        "days and statuses": days_and_statuses,
        "long names and numbers": long_names,
        "nothing found": nothing_found,
        "searching": searching,
        "past the end": past_the_end,
        "new payments": new_payments,
        "open orders": open_orders,
        "notifications": notified,
        "not read": not_read,
        "crashed": crashed,
    }
    dialogs {
        "selected": selected,
        "cancel?": asked,
        "cancel several?": asked_of_several,
        "cancelling": cancelling,
        "cancelled": cancelled,
        "some rejected": some_rejected,
        "notification to be sent": notification,
        "payment link": link_form,
        "payment link refused": link_refused,
        "payment link created": link_created,
    }
};

/// Enters the key, and waits for the list.
async fn open(office: &Office) {
    office.visit().await;
    office.enter(MERCHANT_KEY).await;
    office.part("dashboard").await;
}

/// The list can't be read.
fn fail_to_list(office: &Office) {
    let away = Fault::new(Outcome::DropRequest).on(Endpoint::List);
    office.servers.service().inject(away);
}
