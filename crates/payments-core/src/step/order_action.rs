//! What the merchant does about the order of the payment in the dialog.

use tender_protocol::client::FetchResult;
use tender_protocol::client::response::success;

use crate::effect::{Effect, Request};
use crate::state::{Dashboard, OrderAction, OrderProgress};

impl Dashboard {
    /// Asks the merchant to confirm it.
    pub(super) fn order_action_requested(&mut self, action: OrderAction) {
        let is_offered = self.order_actions().contains(&action);
        if let Some(open) = &mut self.details
            && is_offered
            && !matches!(open.order, OrderProgress::Requested(_))
        {
            open.order = OrderProgress::Confirming(action);
        }
    }

    pub(super) fn order_action_dismissed(&mut self) {
        if let Some(open) = &mut self.details
            && let OrderProgress::Confirming(_) = open.order
        {
            open.order = OrderProgress::Idle;
        }
    }

    pub(super) fn order_action_confirmed(&mut self, effects: &mut Vec<Effect>) {
        if let Some(open) = &mut self.details
            && let OrderProgress::Confirming(action) = open.order
        {
            open.order = OrderProgress::Requested(action);
            let id = open.transaction_id.clone();
            self.send(Request::ChangeOrder(id, action), effects);
        }
    }

    /// Shows the result, if the dialog still shows the payment. The marks are read again in any case.
    pub(super) fn order_action_finished(
        &mut self,
        id: &str,
        action: OrderAction,
        result: FetchResult,
        effects: &mut Vec<Effect>,
    ) {
        let requested = OrderProgress::Requested(action);
        if let Some(open) = &mut self.details
            && open.transaction_id == id
            && open.order == requested
        {
            open.order = match success(result) {
                Ok(_) => OrderProgress::Done(action),
                Err(failure) => OrderProgress::Failed(failure),
            };
        }
        self.fetch_ledger(effects);
    }
}
