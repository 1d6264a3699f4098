//! The table of stages.

use crate::{
    Action, Answer, Asked, Cancelled, Created, Evidence, Found, Goal, Listed, OrderFacts, Origin,
    PaymentFate, Refusal, Requester, Stage,
};

/// What follows from a piece of evidence: the stage, which is stored first, and then the action to carry out.
pub type Decision<P> = (Stage<P>, Action<P>);

/// Decides what follows from a piece of evidence for an attempt that is worked on for a goal.
///
/// Stage and facts must be what is stored when the decision is stored: both are one transaction.
pub fn decide<P: Clone + PartialEq>(
    stage: &Stage<P>,
    facts: OrderFacts,
    goal: &Goal<P>,
    evidence: &Evidence<P>,
) -> Decision<P> {
    match stage {
        Stage::Requested(asked) => requested(*asked, facts, goal, evidence),
        Stage::Created(payment) => created(payment, facts, goal, evidence),
        Stage::Cancelling(payment, asked) => cancelling(payment, *asked, facts, goal, evidence),
        Stage::Ended(payment) => answer(
            Stage::Ended(payment.clone()),
            match goal {
                Goal::Cancel(_) | Goal::Release => Answer::Cancelled,
                Goal::Replace(_) => Answer::Free,
                Goal::Create | Goal::Find => Answer::Refused(Refusal::Ended),
            },
        ),
        Stage::Contradictory(_) => match goal {
            // The payment may be another order's.
            Goal::Release => answer(Stage::Ended(None), Answer::Cancelled),
            _ => refuse(stage.clone(), Refusal::Contradictory),
        },
        Stage::Refused => answer(Stage::Refused, Answer::Free),
    }
}

/// No answer of the service is stored. Before it is asked again, its list is searched.
fn requested<P: Clone + PartialEq>(
    asked: Asked,
    facts: OrderFacts,
    goal: &Goal<P>,
    evidence: &Evidence<P>,
) -> Decision<P> {
    let unanswered = || Stage::Requested(Asked::Unanswered);
    match (evidence, goal) {
        (Evidence::Resumed, Goal::Release) => answer(Stage::Ended(None), Answer::Cancelled),
        (Evidence::Resumed, _) => (unanswered(), Action::Search),

        (Evidence::Searched(Found::One(payment)), Goal::Create | Goal::Find) => {
            show(payment, Origin::Found, facts)
        }
        (Evidence::Searched(Found::One(payment)), _) => {
            created(payment, facts, goal, &Evidence::Resumed)
        }
        (Evidence::Searched(Found::Nothing), Goal::Create) if facts.is_order_seen() => {
            refuse(Stage::Ended(None), Refusal::Progressed)
        }
        (Evidence::Searched(Found::Nothing), Goal::Create) => (unanswered(), Action::Create),
        (Evidence::Searched(Found::Nothing), Goal::Replace(_)) => {
            answer(Stage::Ended(None), Answer::Free)
        }
        // Nothing was asked for yet, so nothing is left open.
        (Evidence::Searched(_), _) if asked == Asked::First => {
            refuse(Stage::Refused, Refusal::Unidentified)
        }
        (Evidence::Searched(_), _) => refuse(unanswered(), Refusal::Unidentified),

        (Evidence::Created(Created::Payment(payment)), _) => show(payment, Origin::Created, facts),
        (Evidence::Created(Created::Contradictory(payment)), _) => refuse(
            Stage::Contradictory(payment.clone()),
            Refusal::Contradictory,
        ),
        (Evidence::Created(Created::Nothing), _) if asked == Asked::First => {
            answer(Stage::Refused, Answer::Failed)
        }
        _ => answer(unanswered(), Answer::Failed),
    }
}

/// The service created the payment. Before it is cancelled or its order is freed, the list is read.
fn created<P: Clone + PartialEq>(
    payment: &P,
    facts: OrderFacts,
    goal: &Goal<P>,
    evidence: &Evidence<P>,
) -> Decision<P> {
    let stays = || Stage::Created(payment.clone());
    let is_closed = facts.fate == Some(PaymentFate::Closed);
    let refusal = match goal {
        Goal::Create | Goal::Find if !is_closed => {
            return show(payment, Origin::Repeated, facts);
        }
        Goal::Release => return answer(Stage::Ended(Some(payment.clone())), Answer::Cancelled),
        _ if facts.is_money_seen() => Some(Refusal::Progressed),
        Goal::Replace(_) if facts.is_order_seen() => Some(Refusal::Progressed),
        _ if facts.is_contradicted => Some(Refusal::Unknown),
        Goal::Cancel(Requester::Merchant) => None,
        _ if facts.is_marked => Some(Refusal::Marked),
        Goal::Replace(named) if !is_closed && named.as_ref() != Some(payment) => {
            Some(Refusal::Open)
        }
        _ => None,
    };
    match (evidence, refusal) {
        // Money may arrive for a payment after it was closed.
        (Evidence::Listed(Listed::Closed), Some(Refusal::Marked))
            if matches!(goal, Goal::Cancel(_)) =>
        {
            answer(stays(), Answer::Cancelled)
        }
        (_, Some(refusal)) => refuse(stays(), refusal),
        (Evidence::Listed(Listed::Closed), None) => ended(payment, goal),
        (Evidence::Listed(Listed::Unchanged), None) if !facts.has_moved && !is_closed => (
            Stage::Cancelling(payment.clone(), Asked::First),
            Action::Cancel(payment.clone()),
        ),
        (Evidence::Listed(Listed::Unchanged | Listed::Changed), None) => {
            refuse(stays(), Refusal::Progressed)
        }
        (Evidence::Listed(Listed::Unclear), None) => refuse(stays(), Refusal::Unknown),
        _ => (stays(), Action::Read(payment.clone())),
    }
}

/// The service is asked to cancel the payment. It counts as cancelled if the list shows it as closed, or unchanged after a
/// documented answer, because the documented record of a cancelled payment still says "Created".
fn cancelling<P: Clone + PartialEq>(
    payment: &P,
    asked: Asked,
    facts: OrderFacts,
    goal: &Goal<P>,
    evidence: &Evidence<P>,
) -> Decision<P> {
    let stays = |asked| Stage::Cancelling(payment.clone(), asked);
    let created = || Stage::Created(payment.clone());
    let asked_before = match asked {
        Asked::Answered => Asked::Answered,
        Asked::First | Asked::Unanswered => Asked::Unanswered,
    };
    let listed = match evidence {
        Evidence::Resumed if *goal == Goal::Release => {
            return answer(Stage::Ended(Some(payment.clone())), Answer::Cancelled);
        }
        Evidence::Cancelled(Cancelled::Documented) => {
            return (stays(Asked::Answered), Action::Confirm(payment.clone()));
        }
        Evidence::Cancelled(Cancelled::Nothing) if asked == Asked::First => {
            return answer(created(), Answer::Failed);
        }
        Evidence::Cancelled(Cancelled::Odd | Cancelled::Nothing) => {
            return (stays(asked_before), Action::Confirm(payment.clone()));
        }
        Evidence::Cancelled(Cancelled::Lost) => {
            return answer(stays(asked_before), Answer::Failed);
        }
        Evidence::Listed(listed) | Evidence::Confirmed(listed) => *listed,
        _ => return (stays(asked_before), Action::Read(payment.clone())),
    };
    let may_ask = matches!(evidence, Evidence::Listed(_))
        && (!facts.is_marked || *goal == Goal::Cancel(Requester::Merchant));
    match listed {
        _ if facts.is_money_seen() => refuse(created(), Refusal::Progressed),
        _ if facts.is_contradicted => refuse(stays(asked_before), Refusal::Unknown),
        Listed::Closed => ended(payment, goal),
        Listed::Changed => refuse(created(), Refusal::Progressed),
        Listed::Unchanged if facts.has_moved => refuse(created(), Refusal::Progressed),
        Listed::Unchanged if asked == Asked::Answered => ended(payment, goal),
        Listed::Unchanged if may_ask => (
            Stage::Cancelling(payment.clone(), Asked::Unanswered),
            Action::Cancel(payment.clone()),
        ),
        Listed::Unchanged | Listed::Unclear => refuse(stays(asked_before), Refusal::Unknown),
    }
}

/// Shows the payment, unless money was seen for another one of the order.
fn show<P: Clone>(payment: &P, origin: Origin, facts: OrderFacts) -> Decision<P> {
    let created = Stage::Created(payment.clone());
    if facts.is_order_seen() {
        refuse(created, Refusal::Progressed)
    } else {
        answer(created, Answer::Show(origin))
    }
}

/// The payment is cancelled or closed, so its order is free.
fn ended<P: Clone>(payment: &P, goal: &Goal<P>) -> Decision<P> {
    let answered = match goal {
        Goal::Create | Goal::Replace(_) => Answer::Free,
        Goal::Find | Goal::Cancel(_) | Goal::Release => Answer::Cancelled,
    };
    answer(Stage::Ended(Some(payment.clone())), answered)
}

fn refuse<P>(stage: Stage<P>, refusal: Refusal) -> Decision<P> {
    answer(stage, Answer::Refused(refusal))
}

fn answer<P>(stage: Stage<P>, answer: Answer) -> Decision<P> {
    (stage, Action::Answer(answer))
}
