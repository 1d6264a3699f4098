//! Creating a payment link.

use tender_protocol::client::FetchResult;
use tender_protocol::client::response::parsed;
use tender_protocol::{NewOrder, PaymentLink};

use crate::effect::{Effect, Request};
use crate::state::{Dashboard, LinkDialog, LinkInput, LinkProblem};

impl Dashboard {
    pub(super) fn link_requested(&mut self) {
        if self.link == LinkDialog::Closed && self.link_limits().is_some() {
            self.link = LinkDialog::Form(None);
        }
    }

    pub(super) fn link_submitted(&mut self, input: LinkInput, effects: &mut Vec<Effect>) {
        let (LinkDialog::Form(_), Some(limits)) = (&self.link, self.link_limits()) else {
            return;
        };
        self.link = match input.read(limits) {
            Ok(order) => {
                self.send(Request::SignOrder(order.clone()), effects);
                LinkDialog::Signing(order)
            }
            Err(problem) => LinkDialog::Form(Some(problem)),
        };
    }

    /// The response belongs to the dialog only if it is still open, with the same order.
    pub(super) fn order_signed(&mut self, order: NewOrder, result: FetchResult) {
        if self.link == LinkDialog::Signing(order.clone()) {
            self.link = match parsed(result, PaymentLink::parse) {
                Ok(signed) => LinkDialog::Signed(order, signed),
                Err(failure) => LinkDialog::Form(Some(LinkProblem::Failed(failure))),
            };
        }
    }
}
