//! The properties that must hold for the checkout and its requests after every event.

use tender_checkout_core::{Awaiting, State, Stream, WalletPayment};

use super::{Asked, World};

impl World {
    /// Properties of a state.
    pub(super) fn check(&self, before: &State) {
        let under_way =
            |is: fn(&Asked) -> bool| self.asked.iter().filter(|asked| is(asked)).count();
        let tokens = under_way(|asked| matches!(asked, Asked::Tokens));
        assert_eq!(tokens, usize::from(matches!(self.state, State::Loading(_))));
        let creates = under_way(|asked| matches!(asked, Asked::Create(_)));
        let cancels = under_way(|asked| matches!(asked, Asked::Cancel(_)));
        let is_changing = matches!(&self.state, State::Submitting(choosing, _)
            if choosing.open_payment().is_some());
        assert_eq!(
            creates,
            usize::from(matches!(self.state, State::Submitting(..)) && !is_changing)
        );
        assert!(
            !is_changing || cancels == 1,
            "the payment before is being cancelled"
        );
        let listening_to = match &self.state {
            State::Awaiting(awaiting) | State::Closed(awaiting)
                if matches!(awaiting.stream, Stream::Opening | Stream::Open) =>
            {
                Some(&awaiting.payment.transaction_id)
            }
            _ => None,
        };
        assert_eq!(self.stream.as_ref(), listening_to);
        let wallets = self.asked.iter().filter(|asked| {
            matches!((asked, &self.state), (Asked::Wallet(id, request), State::Awaiting(awaiting))
                if awaiting.is_wallet_asked()
                    && *id == awaiting.payment.transaction_id
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
        self.check_open_wallets();
        match (&self.state, before) {
            (State::Choosing(choosing), _) => {
                let chosen = choosing.form.payment_token.as_ref();
                assert!(
                    chosen.is_none_or(|code| choosing.offers(code)),
                    "{chosen:?}"
                );
            }
            (State::Awaiting(now), State::Awaiting(before)) => {
                assert_eq!(now.payment.transaction_id, before.payment.transaction_id);
                assert_eq!(
                    (&now.send, &now.payment.wallet),
                    (&before.send, &before.payment.wallet)
                );
            }
            (State::Awaiting(now), State::Choosing(_)) => {
                assert_eq!(
                    self.open.as_ref().map(|open| &open.request),
                    Some(&now.request)
                );
            }
            (State::Cancelled(..), State::Awaiting(before))
            | (State::Loading(_), State::Closed(before)) => {
                assert_eq!(
                    before.transaction(),
                    None,
                    "a payment with a transaction stays on the page"
                );
            }
            (State::Cancelled(..), before) => {
                assert!(matches!(before, State::Cancelled(..)), "{before:?}");
            }
            (now, State::Paid(_)) => {
                assert!(
                    matches!(now, State::Paid(_)),
                    "a paid payment stays paid: {now:?}"
                );
            }
            (State::Awaiting(_), State::Closed(_)) => {
                panic!("a closed payment is never open again")
            }
            _ => {}
        }
    }

    /// Until a wallet has answered, its payment may have been paid.
    fn check_open_wallets(&self) {
        let payment = match &self.state {
            State::Awaiting(awaiting) => Some(&**awaiting),
            State::Choosing(choosing) => choosing.open_payment(),
            _ => None,
        };
        let is_open = |asked: &Asked| {
            matches!((asked, payment), (Asked::Wallet(id, _), Some(payment))
                if *id == payment.payment.transaction_id)
        };
        if self.asked.iter().any(is_open) {
            assert!(payment.is_some_and(Awaiting::may_be_paid));
        }
    }
}
