//! The properties that must hold for the checkout and its requests after every event.

use tender_checkout_core::asset::TransactionHash;
use tender_checkout_core::{
    Access, CheckoutPayment, LookUp, Phase, PriorAttempt, Reason, SentMark, State, SubmitStep,
    WalletPayment,
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
        assert!(tokens >= count(|state| matches!(state.phase, Phase::Loading(..))));
        let creates = under_way(|asked| matches!(asked, Asked::Create(_)));
        let is_creating =
            |state: &State| matches!(state.phase, Phase::Submitting(_, _, SubmitStep::Creating));
        assert_eq!(creates, count(is_creating));
        let cancels = under_way(|asked| matches!(asked, Asked::Cancel(_)));
        let is_cancelling =
            |state: &State| matches!(state.phase, Phase::Submitting(_, _, SubmitStep::Cancelling));
        assert!(
            cancels >= count(is_cancelling),
            "the payment before is being cancelled"
        );
        let finds = under_way(|asked| matches!(asked, Asked::Find));
        // A marked payment is looked up, too.
        assert!(finds >= usize::from(self.state.context.look_up == LookUp::Requested));
        let has_stream = |payment: &&CheckoutPayment| payment.following.stream.is_used();
        let listening_to = self.state.payment().filter(has_stream);
        let listening_to = listening_to.map(|payment| &payment.record.transaction_id);
        assert_eq!(self.stream.as_ref(), listening_to);
        let wallets = self.asked.iter().filter(|asked| {
            matches!((asked, &self.state.phase), (Asked::Wallet(id, request), Phase::Awaiting(awaiting))
                if awaiting.wallet.is_asked()
                    && *id == awaiting.record.transaction_id
                    && *request == awaiting.wallet.request)
        });
        let wallets = wallets.count();
        let is_wallet_asked = matches!(&self.state.phase, Phase::Awaiting(awaiting)
            if matches!(awaiting.wallet.state, WalletPayment::Asked(_)));
        assert_eq!(wallets, usize::from(is_wallet_asked));
        assert!(
            wallets + cancels <= 1,
            "nothing is paid and cancelled at once"
        );
        self.check_preparation();
        self.check_mark();
        self.check_open_wallets();
        self.check_watched();
        match (&self.state.phase, &before.phase) {
            (Phase::Choosing(choosing), _) => {
                let chosen = self.state.context.form.payment_token.as_ref();
                assert!(
                    chosen.is_none_or(|code| choosing.offers(code)),
                    "{chosen:?}"
                );
            }
            (Phase::Awaiting(now), Phase::Awaiting(before)) => {
                assert_eq!(now.record.transaction_id, before.record.transaction_id);
                assert_eq!(
                    (&now.send, &now.record.wallet),
                    (&before.send, &before.record.wallet)
                );
            }
            (Phase::Awaiting(now), Phase::Choosing(..)) if now.facts.access == Access::Owned => {
                assert_eq!(
                    self.open.as_ref().map(|open| &open.request),
                    Some(&now.request)
                );
            }
            (
                Phase::NotPayable(Reason::Cancelled, _),
                Phase::Awaiting(before) | Phase::NotPayable(Reason::Unknown, before),
            )
            | (Phase::Loading(..), Phase::NotPayable(Reason::Closed, before)) => {
                assert_eq!(
                    before.transaction(),
                    None,
                    "a payment with a transaction stays on the page"
                );
            }
            (Phase::NotPayable(Reason::Cancelled, _), before) => {
                assert!(
                    matches!(before, Phase::NotPayable(Reason::Cancelled, _)),
                    "{before:?}"
                );
            }
            (now, Phase::NotPayable(Reason::Paid, _)) => {
                assert!(
                    matches!(now, Phase::NotPayable(Reason::Paid, _)),
                    "a paid payment stays paid: {now:?}"
                );
            }
            (Phase::Awaiting(now), Phase::NotPayable(Reason::Closed, _)) => {
                panic!("a closed payment is never open again: {now:?}")
            }
            (
                _,
                Phase::NotPayable(Reason::Pending | Reason::Underpaid | Reason::OrderPaid, before),
            ) => {
                let now = self
                    .state
                    .payment()
                    .expect("a payment with money is never left");
                assert_eq!(now.record.transaction_id, before.record.transaction_id);
                assert!(!now.asks_for_money(), "nothing is asked for again");
            }
            _ => {}
        }
    }

    /// The mark of the payment on the page stands as long as the payment needs it.
    fn check_mark(&self) {
        let is_followed = !matches!(
            self.state.phase,
            Phase::NotPayable(Reason::Paid | Reason::Cancelled, _)
        );
        if let Some(payment) = self.state.payment().filter(|_| is_followed) {
            let is_left = matches!(payment.facts.mark, SentMark::Set(_)) && !payment.needs_mark();
            assert!(!is_left, "what nothing needs is removed");
        }
    }

    /// What may still be sent is watched, wherever the buyer is.
    fn check_watched(&self) {
        let context = &self.state.context;
        let kept = match &context.prior {
            Some(PriorAttempt::Ended(payment)) => Some(&**payment),
            _ => context.open_payment(),
        };
        let Some(payment) = self.state.payment().or(kept) else {
            return;
        };
        let watched = match &payment.wallet.state {
            WalletPayment::Sent(_) => payment.transaction(),
            WalletPayment::Signed(hash, _) => Some(hash),
            _ => return,
        };
        let is_read = self.asked.iter().any(|asked| {
            matches!(asked, Asked::Receipt(id, hash)
                if *id == payment.record.transaction_id
                    && Some(&**hash) == watched.map(TransactionHash::as_str))
        });
        assert!(is_read, "the receipt of what may be sent is read");
    }
}
