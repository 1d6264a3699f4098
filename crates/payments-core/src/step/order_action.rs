//! What the merchant does about the order of the payment in the dialog.

use tender_protocol::client::FetchResult;
use tender_protocol::client::response::success;

use crate::effect::Effect;
use crate::state::{Dashboard, OrderAction, OrderProgress};

impl Dashboard {
    /// Asks the merchant to confirm it.
    pub(super) fn order_action_requested(&mut self, action: OrderAction) {
        let Some(open) = &self.details else { return };
        let is_offered = self.order_actions(&open.transaction_id).contains(&action);
        if is_offered && !matches!(open.order, OrderProgress::Requested(_)) {
            self.set_order_progress(OrderProgress::Confirming(action));
        }
    }

    pub(super) fn order_action_dismissed(&mut self) {
        if self.confirming().is_some() {
            self.set_order_progress(OrderProgress::Idle);
        }
    }

    pub(super) fn order_action_confirmed(&mut self, effects: &mut Vec<Effect>) {
        if let Some((transaction_id, action)) = self.confirming() {
            self.set_order_progress(OrderProgress::Requested(action));
            effects.push(Effect::ChangeOrder {
                key: self.key.clone(),
                transaction_id,
                action,
            });
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

    /// The payment and the action that the merchant is asked to confirm.
    fn confirming(&self) -> Option<(String, OrderAction)> {
        let open = self.details.as_ref()?;
        match open.order {
            OrderProgress::Confirming(action) => Some((open.transaction_id.clone(), action)),
            OrderProgress::Idle
            | OrderProgress::Requested(_)
            | OrderProgress::Done(_)
            | OrderProgress::Failed(_) => None,
        }
    }

    fn set_order_progress(&mut self, progress: OrderProgress) {
        if let Some(open) = &mut self.details {
            open.order = progress;
        }
    }
}
