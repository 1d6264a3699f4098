//! The properties that must hold for the checkout and its requests after every event.

use tender_checkout_core::{
    Access, CheckoutPayment, LookUp, Reason, State, Stream, SubmitStep, WalletPayment,
};

use super::{Asked, World};

impl World {
    /// Properties of a state.
    pub(super) fn check(&self, before: &State) {
        let under_way =
            |is: fn(&Asked) -> bool| self.asked.iter().filter(|asked| is(asked)).count();
        let count = |is: fn(&State) -> bool| usize::from(is(&self.state));
        let tokens = under_way(|asked| matches!(asked, Asked::Tokens));
        // The look-up may say first that nothing may be bought.
        assert!(tokens >= count(|state| matches!(state, State::Loading(..))));
        let creates = under_way(|asked| matches!(asked, Asked::Create(_)));
        let is_creating =
            |state: &State| matches!(state, State::Submitting(_, _, SubmitStep::Creating));
        assert_eq!(creates, count(is_creating));
        let cancels = under_way(|asked| matches!(asked, Asked::Cancel(_)));
        let is_cancelling =
            |state: &State| matches!(state, State::Submitting(_, _, SubmitStep::Cancelling));
        assert!(
            cancels >= count(is_cancelling),
            "the payment before is being cancelled"
        );
        let finds = under_way(|asked| matches!(asked, Asked::Find));
        // A marked payment is looked up, too.
        assert!(finds >= usize::from(is_finding(&self.state)));
        let has_stream =
            |payment: &&CheckoutPayment| matches!(payment.stream, Stream::Opening | Stream::Open);
        let listening_to = self.state.payment().filter(has_stream);
        let listening_to = listening_to.map(|payment| &payment.record.transaction_id);
        assert_eq!(self.stream.as_ref(), listening_to);
        let wallets = self.asked.iter().filter(|asked| {
            matches!((asked, &self.state), (Asked::Wallet(id, request), State::Awaiting(awaiting))
                if awaiting.is_wallet_asked()
                    && *id == awaiting.record.transaction_id
                    && *request == awaiting.wallet_request)
        });
        let wallets = wallets.count();
        let is_wallet_asked = matches!(&self.state, State::Awaiting(awaiting)
            if matches!(awaiting.wallet_payment, WalletPayment::Asked(_)));
        assert_eq!(wallets, usize::from(is_wallet_asked));
        assert!(
            wallets + cancels <= 1,
            "nothing is paid and cancelled at once"
        );
        self.check_preparation();
        self.check_open_wallets();
        match (&self.state, before) {
            (State::Choosing(choosing, _), _) => {
                let chosen = choosing.form.payment_token.as_ref();
                assert!(
                    chosen.is_none_or(|code| choosing.offers(code)),
                    "{chosen:?}"
                );
            }
            (State::Awaiting(now), State::Awaiting(before)) => {
                assert_eq!(now.record.transaction_id, before.record.transaction_id);
                assert_eq!(
                    (&now.send, &now.record.wallet),
                    (&before.send, &before.record.wallet)
                );
            }
            (State::Awaiting(now), State::Choosing(..)) if now.access == Access::Owned => {
                assert_eq!(
                    self.open.as_ref().map(|open| &open.request),
                    Some(&now.request)
                );
            }
            (
                State::NotPayable(Reason::Cancelled, _),
                State::Awaiting(before) | State::NotPayable(Reason::Unknown, before),
            )
            | (State::Loading(..), State::NotPayable(Reason::Closed, before)) => {
                assert_eq!(
                    before.transaction(),
                    None,
                    "a payment with a transaction stays on the page"
                );
            }
            (State::NotPayable(Reason::Cancelled, _), before) => {
                assert!(
                    matches!(before, State::NotPayable(Reason::Cancelled, _)),
                    "{before:?}"
                );
            }
            (now, State::NotPayable(Reason::Paid, _)) => {
                assert!(
                    matches!(now, State::NotPayable(Reason::Paid, _)),
                    "a paid payment stays paid: {now:?}"
                );
            }
            (State::Awaiting(now), State::NotPayable(Reason::Closed, _)) => {
                panic!("a closed payment is never open again: {now:?}")
            }
            (
                now,
                State::NotPayable(Reason::Pending | Reason::Underpaid | Reason::OrderPaid, before),
            ) => {
                let now = now.payment().expect("a payment with money is never left");
                assert_eq!(now.record.transaction_id, before.record.transaction_id);
                assert!(!now.asks_for_money(), "nothing is asked for again");
            }
            _ => {}
        }
    }
}

/// Whether the order's payment is being looked up.
fn is_finding(state: &State) -> bool {
    match state {
        State::Loading(draft, _) | State::Unavailable(draft, _) => {
            draft.look_up == LookUp::Requested
        }
        State::Choosing(_, look_up) => *look_up == LookUp::Requested,
        State::Submitting(_, _, step) => matches!(step, SubmitStep::Finding(_)),
        _ => false,
    }
}
