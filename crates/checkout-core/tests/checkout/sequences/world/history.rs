//! What the checkout has requested and dispatched, compared with what came before.

use tender_checkout_core::{Attempt, AttemptKey, HostEvent, PaymentReceipt, Phase, Reason};
use tender_protocol::PaymentState;

use super::World;
use super::replies::Asked;

impl World {
    pub(super) fn create(&mut self, attempt: Attempt, replaced: Option<&PaymentReceipt>) {
        let is_creating = self
            .asked
            .iter()
            .any(|asked| matches!(asked, Asked::Create(_)));
        assert!(!is_creating, "a create is under way");
        assert!(
            self.live.is_none() || replaced.map(|it| &it.transaction_id) == self.live.as_ref(),
            "the payment before is cancelled first, or named"
        );
        if let Some(open) = &self.open
            && open.request == attempt.request
        {
            assert_eq!(
                open.key, attempt.key,
                "the same request again is the same attempt"
            );
        }
        let AttemptKey(name) = attempt.key.clone();
        let (known, count) = self.attempts.entry(name).or_insert((attempt.clone(), 0));
        assert_eq!(*known, attempt, "a key belongs to one request");
        assert_eq!(*count, 0, "what is a payment is not sent again");
        self.asked.push(Asked::Create(attempt.key.clone()));
        if replaced.is_none() {
            self.open = Some(attempt);
        }
    }

    /// Checks an event that was dispatched; `answered` is the key of the create that was just answered.
    pub(super) fn dispatched(&mut self, event: HostEvent, answered: Option<&str>) {
        match event {
            HostEvent::Created(payment) => {
                let name = answered.expect("a payment is reported when its create is answered");
                assert_eq!(payment.transaction_id, format!("payment of {name}"));
                let (attempt, count) = self.attempts.get_mut(name).unwrap();
                self.open = Some(attempt.clone());
                *count += 1;
                assert_eq!(*count, 1, "a payment is reported once");
                self.live = Some(payment.transaction_id);
            }
            HostEvent::Cancelled(payment) => {
                assert!(
                    matches!(
                        self.state.phase,
                        Phase::NotPayable(Reason::Cancelled, _) | Phase::Submitting(..)
                    ) || answered.is_some(),
                    "it was cancelled here, or replaced"
                );
                if let Some(live) = self.live.take() {
                    assert_eq!(live, payment.transaction_id);
                }
                self.open = None;
            }
            HostEvent::Paid(payment) => {
                assert!(
                    matches!(&self.state.phase, Phase::NotPayable(Reason::Paid, paid) if paid.record == payment)
                );
                self.live = None;
                self.open = None;
            }
            HostEvent::Closed(payment) => {
                let Phase::NotPayable(
                    Reason::Closed | Reason::OrderPaid | Reason::OrderSeen,
                    closed,
                ) = &self.state.phase
                else {
                    panic!("it is shown as ended: {:?}", self.state);
                };
                assert_eq!(closed.record, payment);
                self.live = None;
                self.open = None;
            }
            HostEvent::Pending(payment) => {
                assert!(matches!(
                    &self.state.phase,
                    Phase::NotPayable(Reason::Pending | Reason::OrderPaid, _)
                ));
                assert_eq!(payment.state, Some(PaymentState::Pending));
            }
            HostEvent::Underpaid(payment) => {
                assert!(matches!(
                    &self.state.phase,
                    Phase::NotPayable(Reason::Underpaid | Reason::OrderPaid, _)
                ));
                assert_eq!(payment.state, Some(PaymentState::Underpaid));
            }
            HostEvent::Status { payment, previous } => assert_ne!(payment.status, previous),
            HostEvent::Ready(codes) => assert!(!codes.is_empty()),
            HostEvent::Transaction { .. } | HostEvent::Error(_) => {}
        }
    }
}
