//! Rows of the table that need more than the model has: what is stored says more than the list shows.

#[cfg(test)]
mod tests {
    use tender_ledger::{
        Action, Answer, Asked, Attempt, Cancelled, Ending, Evidence, Goal, Listed, Refusal,
        Requester, Stage, Standing, decide,
    };

    const PAYMENT: u8 = 1;

    fn decided(
        stage: Stage<u8>,
        standing: Standing,
        goal: &Goal<u8>,
        evidence: &Evidence<u8>,
    ) -> (Stage<u8>, Action<u8>) {
        let decision = decide(&Attempt { stage, standing }, goal, evidence);
        (decision.stage().clone(), decision.action().clone())
    }

    fn refused(refusal: Refusal) -> Action<u8> {
        Action::Answer(Answer::Refused(refusal))
    }

    const OPEN: Standing = Standing {
        ending: None,
        has_moved: false,
        is_marked: false,
    };
    const PAID: Standing = Standing {
        ending: Some(Ending::Paid),
        has_moved: true,
        ..OPEN
    };
    const MOVED: Standing = Standing {
        has_moved: true,
        ..OPEN
    };
    const MARKED: Standing = Standing {
        is_marked: true,
        ..OPEN
    };
    const BUYER: Goal<u8> = Goal::Cancel(Requester::Buyer);

    /// A poll, or another request, has stored that.
    #[test]
    fn a_paid_payment_is_not_cancelled() {
        for goal in [
            BUYER,
            Goal::Cancel(Requester::Merchant),
            Goal::Replace(Some(PAYMENT)),
        ] {
            for evidence in [Evidence::Resumed, Evidence::Listed(Listed::Unchanged)] {
                let (stage, action) = decided(Stage::Created(PAYMENT), PAID, &goal, &evidence);
                assert_eq!(stage, Stage::Created(PAYMENT));
                assert_eq!(action, refused(Refusal::Progressed));
            }
        }
    }

    /// It was paid while it was being cancelled, and the list shows less than what is stored.
    #[test]
    fn a_payment_that_has_moved_does_not_count_as_cancelled() {
        for standing in [PAID, MOVED] {
            let stage = Stage::Cancelling(PAYMENT, Asked::Answered);
            for evidence in [Evidence::Confirmed, Evidence::Listed] {
                let evidence = evidence(Listed::Unchanged);
                let (stage, action) = decided(stage.clone(), standing, &BUYER, &evidence);
                assert_eq!(stage, Stage::Created(PAYMENT));
                assert_eq!(action, refused(Refusal::Progressed));
            }
        }
        let stage = Stage::Cancelling(PAYMENT, Asked::Answered);
        let evidence = Evidence::Confirmed(Listed::Closed);
        let (stage, _) = decided(stage, PAID, &BUYER, &evidence);
        assert_eq!(stage, Stage::Created(PAYMENT));
    }

    /// The merchant has asked first, and the answer was lost.
    #[test]
    fn a_buyer_does_not_repeat_the_cancellation_of_a_marked_payment() {
        let stage = Stage::Cancelling(PAYMENT, Asked::Unanswered);
        let evidence = Evidence::Listed(Listed::Unchanged);
        for goal in [BUYER, Goal::Create, Goal::Cancel(Requester::Proxy)] {
            let (after, action) = decided(stage.clone(), MARKED, &goal, &evidence);
            assert_eq!((after, action), (stage.clone(), refused(Refusal::Unknown)));
        }
        let merchant = Goal::Cancel(Requester::Merchant);
        let (_, action) = decided(stage, MARKED, &merchant, &evidence);
        assert_eq!(action, Action::Cancel(PAYMENT));
    }

    #[test]
    fn a_marked_payment_that_is_closed_keeps_its_order() {
        let evidence = Evidence::Listed(Listed::Closed);
        for (goal, answer) in [
            (BUYER, Answer::Cancelled),
            (
                Goal::Replace(Some(PAYMENT)),
                Answer::Refused(Refusal::Marked),
            ),
        ] {
            let (stage, action) = decided(Stage::Created(PAYMENT), MARKED, &goal, &evidence);
            assert_eq!(stage, Stage::Created(PAYMENT));
            assert_eq!(action, Action::Answer(answer));
        }
    }

    /// In every stage, and whatever the service last said.
    #[test]
    fn a_released_order_is_free() {
        for stage in [
            Stage::Requested(Asked::Unanswered),
            Stage::Created(PAYMENT),
            Stage::Cancelling(PAYMENT, Asked::Unanswered),
            Stage::Contradictory(PAYMENT),
            Stage::Ended(Some(PAYMENT)),
        ] {
            for standing in [OPEN, MOVED, PAID, MARKED] {
                let (after, action) =
                    decided(stage.clone(), standing, &Goal::Release, &Evidence::Resumed);
                assert!(matches!(after, Stage::Ended(_)), "{stage:?}");
                assert_eq!(action, Action::Answer(Answer::Cancelled));
            }
        }
    }

    /// A refusal of the first request proves that the payment is open; of a later one, only the list shows what is.
    #[test]
    fn only_the_first_refusal_to_cancel_is_clear() {
        let evidence = Evidence::Cancelled(Cancelled::Nothing);
        let first = Stage::Cancelling(PAYMENT, Asked::Once);
        let (stage, action) = decided(first, OPEN, &BUYER, &evidence);
        assert_eq!(
            (stage, action),
            (Stage::Created(PAYMENT), Action::Answer(Answer::Failed))
        );
        let later = Stage::Cancelling(PAYMENT, Asked::Unanswered);
        let (stage, action) = decided(later.clone(), OPEN, &BUYER, &evidence);
        assert_eq!((stage, action), (later, Action::Confirm(PAYMENT)));
    }
}
