//! Rows of the table of stages, and those that need more than the model has: what is stored says more than the list shows.

#[cfg(test)]
mod tests {
    use tender_ledger::{
        Action, Answer, Asked, Cancelled, Created, Evidence, Found, Goal, Listed, OrderFacts,
        OrderMoney, Origin, PaymentFate, Refusal, Requester, Stage, decide,
    };

    const PAYMENT: u8 = 1;

    fn refused(refusal: Refusal) -> Action<u8> {
        Action::Answer(Answer::Refused(refusal))
    }

    const OPEN: OrderFacts = OrderFacts {
        fate: None,
        has_moved: false,
        is_marked: false,
        order: None,
        is_contradicted: false,
    };
    const PAID: OrderFacts = ended(PaymentFate::Paid);
    const PENDING: OrderFacts = ended(PaymentFate::Pending);
    const UNDERPAID: OrderFacts = ended(PaymentFate::Underpaid);
    /// It was pending, and its status no longer says so.
    const SEEN: OrderFacts = ended(PaymentFate::Seen);
    const CLOSED: OrderFacts = ended(PaymentFate::Closed);
    /// Money was seen for another payment of its order.
    const ORDER_SEEN: OrderFacts = OrderFacts {
        order: Some(OrderMoney::Seen),
        ..OPEN
    };
    const MOVED: OrderFacts = OrderFacts {
        has_moved: true,
        ..OPEN
    };
    const MARKED: OrderFacts = OrderFacts {
        is_marked: true,
        ..OPEN
    };
    /// Closed by its own record, although the list never showed it.
    const CLOSED_UNSEEN: OrderFacts = OrderFacts {
        has_moved: false,
        ..CLOSED
    };
    /// Another payment of its order was paid.
    const ORDER_PAID: OrderFacts = OrderFacts {
        order: Some(OrderMoney::Paid),
        ..OPEN
    };
    const CONTRADICTED: OrderFacts = OrderFacts {
        is_contradicted: true,
        ..OPEN
    };
    const BUYER: Goal<u8> = Goal::Cancel(Requester::Buyer);

    /// As a status of the list says that it has ended.
    const fn ended(fate: PaymentFate) -> OrderFacts {
        OrderFacts {
            fate: Some(fate),
            has_moved: true,
            ..OPEN
        }
    }

    /// Neither by a buyer nor by the merchant, whatever the list shows now.
    #[test]
    fn a_payment_for_which_money_was_seen_is_neither_cancelled_nor_replaced() {
        let created = Stage::Created(PAYMENT);
        let listed = [Listed::Unchanged, Listed::Closed, Listed::Changed];
        let evidence = listed.map(Evidence::Listed).into_iter();
        let evidence: Vec<_> = evidence.chain([Evidence::Resumed]).collect();
        for facts in [PAID, PENDING, UNDERPAID, SEEN] {
            for goal in [
                BUYER,
                Goal::Cancel(Requester::Merchant),
                Goal::Replace(Some(PAYMENT)),
            ] {
                for evidence in &evidence {
                    let (stage, action) = decide(&created, facts, &goal, evidence);
                    assert_eq!(stage, created);
                    assert_eq!(action, refused(Refusal::Progressed));
                }
            }
            // Its own buyer sees it.
            let (_, action) = decide(&created, facts, &Goal::Create, &Evidence::Resumed);
            assert_eq!(action, Action::Answer(Answer::Show(Origin::Repeated)));
        }
    }

    /// It was paid while it was being cancelled, and the list shows less than what is stored.
    #[test]
    fn a_payment_that_has_moved_does_not_count_as_cancelled() {
        let stage = Stage::Cancelling(PAYMENT, Asked::Answered);
        for facts in [PAID, PENDING, UNDERPAID, SEEN, MOVED] {
            for evidence in [Evidence::Confirmed, Evidence::Listed] {
                let evidence = evidence(Listed::Unchanged);
                let (stage, action) = decide(&stage, facts, &BUYER, &evidence);
                assert_eq!(stage, Stage::Created(PAYMENT));
                assert_eq!(action, refused(Refusal::Progressed));
            }
        }
        let evidence = Evidence::Confirmed(Listed::Closed);
        for facts in [PAID, PENDING, UNDERPAID, SEEN] {
            let (after, _) = decide(&stage, facts, &BUYER, &evidence);
            assert_eq!(after, Stage::Created(PAYMENT));
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
            for facts in [OPEN, MOVED, PAID, PENDING, UNDERPAID, SEEN, MARKED] {
                let (after, action) = decide(&stage, facts, &Goal::Release, &Evidence::Resumed);
                assert!(matches!(after, Stage::Ended(_)), "{stage:?}");
                assert_eq!(action, Action::Answer(Answer::Cancelled));
            }
        }
    }

    /// A row: facts, goal and evidence, then the stage to store and the action.
    type Row = (OrderFacts, Goal<u8>, Evidence<u8>, Stage<u8>, Action<u8>);

    fn check(stage: &Stage<u8>, rows: Vec<Row>) {
        for (facts, goal, evidence, after, action) in rows {
            let decided = decide(stage, facts, &goal, &evidence);
            let row = format!("{stage:?}, {facts:?}, {goal:?}, {evidence:?}");
            assert_eq!(decided, (after, action), "{row}");
        }
    }

    #[test]
    fn a_request_without_an_answer() {
        let unanswered = Stage::Requested(Asked::Unanswered);
        let created = Stage::Created(PAYMENT);
        let one = Evidence::Searched(Found::One(PAYMENT));
        let nothing = Evidence::Searched(Found::Nothing);
        let unclear = Evidence::Searched(Found::Unclear);
        let refusal = Evidence::Created(Created::Nothing);
        let found = Action::Answer(Answer::Show(Origin::Found));
        let failed = Action::Answer(Answer::Failed);
        let free = Action::Answer(Answer::Free);
        let (unidentified, progressed) =
            (refused(Refusal::Unidentified), refused(Refusal::Progressed));
        let (create, replace) = (Goal::Create, Goal::Replace(None));
        let answered = Evidence::Created(Created::Payment(PAYMENT));
        #[rustfmt::skip]
        let rows = vec![
            (OPEN, create.clone(), Evidence::Resumed, unanswered.clone(), Action::Search),
            (OPEN, create.clone(), one.clone(), created.clone(), found.clone()),
            (OPEN, Goal::Find, one.clone(), created.clone(), found),
            (OPEN, BUYER, one, created.clone(), Action::Read(PAYMENT)),
            (OPEN, create.clone(), nothing.clone(), unanswered.clone(), Action::Create),
            (ORDER_PAID, create.clone(), nothing.clone(), Stage::Ended(None), progressed.clone()),
            (ORDER_SEEN, create.clone(), nothing.clone(), Stage::Ended(None), progressed.clone()),
            (ORDER_SEEN, create.clone(), answered, created.clone(), progressed.clone()),
            (OPEN, replace, nothing, Stage::Ended(None), free),
            (OPEN, create.clone(), unclear.clone(), unanswered.clone(), unidentified.clone()),
            (OPEN, create.clone(), refusal.clone(), unanswered.clone(), failed.clone()),
        ];
        check(&unanswered, rows);
        let first = vec![
            (OPEN, create.clone(), refusal, Stage::Refused, failed),
            (OPEN, create, unclear, Stage::Refused, unidentified),
        ];
        check(&Stage::Requested(Asked::First), first);
    }

    #[test]
    fn a_created_payment() {
        let stays = Stage::Created(PAYMENT);
        let cancelling = Stage::Cancelling(PAYMENT, Asked::First);
        let ended = Stage::Ended(Some(PAYMENT));
        let unchanged = Evidence::Listed(Listed::Unchanged);
        let changed = Evidence::Listed(Listed::Changed);
        let closed = Evidence::Listed(Listed::Closed);
        let unclear = Evidence::Listed(Listed::Unclear);
        let (read, cancel) = (Action::Read(PAYMENT), Action::Cancel(PAYMENT));
        let shown = Action::Answer(Answer::Show(Origin::Repeated));
        let free = Action::Answer(Answer::Free);
        let cancelled = Action::Answer(Answer::Cancelled);
        let progressed = refused(Refusal::Progressed);
        let merchant = Goal::Cancel(Requester::Merchant);
        let (named, other) = (Goal::Replace(Some(PAYMENT)), Goal::Replace(Some(2)));
        let resumed = Evidence::Resumed;
        #[rustfmt::skip]
        let rows = vec![
            (OPEN, Goal::Create, resumed.clone(), stays.clone(), shown.clone()),
            (PAID, Goal::Create, resumed.clone(), stays.clone(), shown.clone()),
            (ORDER_PAID, Goal::Create, resumed.clone(), stays.clone(), progressed.clone()),
            (ORDER_SEEN, Goal::Create, resumed.clone(), stays.clone(), progressed.clone()),
            (CLOSED, Goal::Create, resumed.clone(), stays.clone(), read.clone()),
            (OPEN, BUYER, unchanged.clone(), cancelling.clone(), cancel.clone()),
            (MARKED, BUYER, unchanged.clone(), stays.clone(), refused(Refusal::Marked)),
            (MARKED, merchant.clone(), unchanged.clone(), cancelling.clone(), cancel.clone()),
            // Money may arrive for a payment after it was closed, so it keeps its order.
            (MARKED, BUYER, closed.clone(), stays.clone(), cancelled.clone()),
            (MARKED, named.clone(), closed.clone(), stays.clone(), refused(Refusal::Marked)),
            (ORDER_SEEN, named.clone(), resumed.clone(), stays.clone(), progressed.clone()),
            (ORDER_SEEN, named.clone(), unchanged.clone(), stays.clone(), progressed.clone()),
            (ORDER_SEEN, BUYER, unchanged.clone(), cancelling, cancel),
            (MOVED, BUYER, unchanged.clone(), stays.clone(), progressed.clone()),
            (CLOSED, BUYER, unchanged.clone(), stays.clone(), progressed.clone()),
            (CLOSED_UNSEEN, BUYER, unchanged, stays.clone(), progressed.clone()),
            (OPEN, BUYER, changed, stays.clone(), progressed.clone()),
            (OPEN, BUYER, unclear.clone(), stays.clone(), refused(Refusal::Unknown)),
            (CONTRADICTED, BUYER, unclear.clone(), stays.clone(), refused(Refusal::Unknown)),
            (CONTRADICTED, merchant.clone(), closed.clone(), stays.clone(), refused(Refusal::Unknown)),
            (CONTRADICTED, named.clone(), closed.clone(), stays.clone(), refused(Refusal::Unknown)),
            (CONTRADICTED, Goal::Create, resumed.clone(), stays.clone(), shown.clone()),
            (OPEN, named.clone(), resumed.clone(), stays.clone(), read.clone()),
            (OPEN, other.clone(), resumed.clone(), stays.clone(), refused(Refusal::Open)),
            (CLOSED, other.clone(), resumed.clone(), stays.clone(), read),
            (CLOSED, other, closed.clone(), ended.clone(), free),
            (OPEN, BUYER, closed, ended, cancelled),
            (ORDER_PAID, named, resumed, stays.clone(), progressed),
        ];
        check(&stays, rows);
    }

    #[test]
    fn a_payment_that_is_being_cancelled() {
        let once = Stage::Cancelling(PAYMENT, Asked::First);
        let unanswered = Stage::Cancelling(PAYMENT, Asked::Unanswered);
        let answered = Stage::Cancelling(PAYMENT, Asked::Answered);
        let ended = Stage::Ended(Some(PAYMENT));
        let documented = Evidence::Cancelled(Cancelled::Documented);
        let lost = Evidence::Cancelled(Cancelled::Lost);
        let unchanged = Evidence::Confirmed(Listed::Unchanged);
        let listed = Evidence::Listed(Listed::Unchanged);
        let refusal = Evidence::Cancelled(Cancelled::Nothing);
        let unknown = refused(Refusal::Unknown);
        let merchant = Goal::Cancel(Requester::Merchant);
        let confirm = Action::Confirm(PAYMENT);
        let failed = Action::Answer(Answer::Failed);
        let cancelled = Action::Answer(Answer::Cancelled);
        let free = Action::Answer(Answer::Free);
        #[rustfmt::skip]
        let first = vec![
            (OPEN, BUYER, documented, answered.clone(), confirm.clone()),
            (OPEN, BUYER, lost.clone(), unanswered.clone(), failed.clone()),
            (OPEN, BUYER, unchanged.clone(), unanswered.clone(), unknown.clone()),
            // It proves that the payment is open; of a later request, only the list shows what is.
            (OPEN, BUYER, refusal.clone(), Stage::Created(PAYMENT), failed.clone()),
        ];
        check(&once, first);
        #[rustfmt::skip]
        let repeated = vec![
            (OPEN, BUYER, refusal, unanswered.clone(), confirm),
            // The merchant has asked first, and the answer was lost.
            (MARKED, BUYER, listed.clone(), unanswered.clone(), unknown.clone()),
            (MARKED, Goal::Create, listed.clone(), unanswered.clone(), unknown),
            (MARKED, merchant, listed, unanswered.clone(), Action::Cancel(PAYMENT)),
        ];
        check(&unanswered, repeated);
        #[rustfmt::skip]
        let later = vec![
            (OPEN, BUYER, lost, answered.clone(), failed),
            (CONTRADICTED, BUYER, Evidence::Confirmed(Listed::Closed), answered.clone(), refused(Refusal::Unknown)),
            (OPEN, BUYER, unchanged.clone(), ended.clone(), cancelled),
            (OPEN, Goal::Replace(Some(PAYMENT)), unchanged, ended, free),
        ];
        check(&answered, later);
    }

    #[test]
    fn what_has_ended_is_only_answered() {
        let ended = Stage::Ended(Some(PAYMENT));
        let free = Action::Answer(Answer::Free);
        let cancelled = Action::Answer(Answer::Cancelled);
        for (stage, goal, action) in [
            (ended.clone(), Goal::Create, refused(Refusal::Ended)),
            (ended.clone(), Goal::Replace(None), free.clone()),
            (ended, BUYER, cancelled),
            (Stage::Refused, Goal::Create, free),
            (
                Stage::Contradictory(PAYMENT),
                BUYER,
                refused(Refusal::Contradictory),
            ),
        ] {
            let rows = vec![(OPEN, goal, Evidence::Resumed, stage.clone(), action)];
            check(&stage, rows);
        }
    }
}
