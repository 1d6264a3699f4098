//! A payment that exists.

use super::finding::LookUpResult;
use super::{
    Next, cancelling, emit, emit_state, finding, load, marking, paying, polling, preparing,
    receipts, show,
};
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, PaymentEvent};
use crate::order::Request;
use crate::response::Created;
use crate::state::{
    Attempt, Cancelling, CheckoutPayment, Context, LookUp, PaymentProgress, Phase, PriorAttempt,
};

/// Shows a payment that was just created, or that a repeated request returned and that may have ended.
pub(super) fn begin(attempt: Attempt, created: Created) -> Next {
    let mut effects = vec![emit(HostEvent::Created(created.payment.clone()))];
    let mut payment = CheckoutPayment::new(created, attempt.request, attempt.choice);
    effects.extend(emit_state(&payment));
    effects.extend(polling::begin(&mut payment));
    (show(payment), effects)
}

/// Shows a payment that was found by its order. It was created elsewhere, so only its state is dispatched.
pub(super) fn found(mut payment: CheckoutPayment) -> Next {
    let mut effects: Vec<_> = emit_state(&payment).into_iter().collect();
    effects.extend(polling::begin(&mut payment));
    (show(payment), effects)
}

pub(super) fn step(context: &mut Context, mut payment: CheckoutPayment, event: Event) -> Next {
    let mut effects = match event {
        Event::Payment(PaymentEvent::CancelFinished(id, result))
            if id == payment.record.transaction_id =>
        {
            return cancelling::finish(payment, result);
        }
        Event::Payment(PaymentEvent::ChangeRequested) if payment.may_change() => {
            return return_to_form(context, payment);
        }
        // A buyer who may have paid is offered no choice.
        Event::Reset
            if payment.facts.progress() == PaymentProgress::Open
                && payment.cancelling != Cancelling::Requested
                && !payment.wallet.is_asked() =>
        {
            return return_to_form(context, payment);
        }
        Event::Payment(event) => pay_or_cancel(&mut payment, event).into_iter().collect(),
        Event::Status(event) => polling::step(&mut payment, event),
        Event::Refreshed => polling::refresh(&mut payment),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured(_)
        | Event::Form(_)
        | Event::Sent(_) => Vec::new(),
    };
    effects.extend(marking::settle(&mut payment));
    (show(payment), effects)
}

fn pay_or_cancel(payment: &mut CheckoutPayment, event: PaymentEvent) -> Option<Effect> {
    match event {
        PaymentEvent::HashEntered(text) => return paying::enter_hash(payment, &text),
        PaymentEvent::HashRemoved => paying::remove_hash(payment),
        PaymentEvent::WalletChosen(wallet) => return preparing::begin(payment, wallet),
        PaymentEvent::WalletAnswered(id, request, number, answer)
            if id == payment.record.transaction_id && request == payment.wallet.request =>
        {
            return preparing::answered(payment, number, answer);
        }
        PaymentEvent::WalletAbandoned => preparing::abandon(payment),
        PaymentEvent::NothingSent => preparing::say_unsent(payment),
        PaymentEvent::CancelRequested => cancelling::ask(payment),
        PaymentEvent::CancelDismissed => payment.cancelling.dismiss(),
        PaymentEvent::CancelConfirmed => return cancelling::confirm(payment),
        PaymentEvent::ChangeRequested
        | PaymentEvent::WalletAnswered(..)
        | PaymentEvent::CancelFinished(..) => {}
    }
    None
}

/// Goes back to the form and keeps the payment. Responses to open requests are ignored.
fn return_to_form(context: &mut Context, mut payment: CheckoutPayment) -> Next {
    payment.cancelling = Cancelling::Idle;
    payment.facts.is_other_token = false;
    context.look_up = LookUp::Done;
    let mut effects = polling::end(&mut payment);
    context.prior = Some(PriorAttempt::Payment(Box::new(payment)));
    let (phase, load) = load(context);
    effects.extend(load);
    (phase, effects)
}

/// Goes on with the payment that the look-up names, or shows that nothing may be bought, unless money may be on its way for the
/// one that is shown.
pub(super) fn looked_up(
    context: &mut Context,
    mut payment: CheckoutPayment,
    result: LookUpResult,
) -> Next {
    let may_leave = !payment.may_be_paid() && !payment.wallet.is_asked();
    let found = match result {
        LookUpResult::Found(found) if found.is_payment(&payment.record.transaction_id) => {
            let was_marked = payment.facts.is_marked;
            let facts = &found.created.facts;
            payment.hear_mark(facts.is_marked);
            payment.facts.has_status_changed |= was_marked && facts.has_status_changed;
            None
        }
        LookUpResult::Found(found) if may_leave => Some(Ok(found)),
        LookUpResult::Refused(failure) if may_leave => Some(Err(failure)),
        LookUpResult::Found(_)
        | LookUpResult::Refused(_)
        | LookUpResult::Nothing
        | LookUpResult::Failed(_) => None,
    };
    let Some(found) = found else {
        let mark = marking::settle(&mut payment);
        return (show(payment), mark.into_iter().collect());
    };
    let mut effects = polling::end(&mut payment);
    context.prior = Some(PriorAttempt::Payment(Box::new(payment)));
    let (phase, more) = match found {
        // The listing names its token.
        Ok(found) => (Phase::Loading(Some(found)), vec![Effect::FetchTokens]),
        Err(failure) => finding::refuse(context, failure),
    };
    effects.extend(more);
    (phase, effects)
}

/// Shows a payment again. Its record may be old, so its status is requested at once.
pub(super) fn resume(mut payment: CheckoutPayment) -> Next {
    let effects = polling::poll(&mut payment);
    (show(payment), effects)
}

/// Shows the payment that the tab has saved. The order may have another one meanwhile.
pub(super) fn resume_restored(context: &mut Context, mut payment: CheckoutPayment) -> Next {
    let mut effects: Vec<_> = marking::retry(&mut payment).into_iter().collect();
    effects.extend(marking::settle(&mut payment));
    effects.extend(receipts::read_next(&mut payment));
    let is_open = matches!(
        payment.facts.progress(),
        PaymentProgress::Open | PaymentProgress::Marked
    );
    let is_requested = context.look_up == LookUp::Requested;
    if is_open && !is_requested && matches!(payment.request, Request::Signed(_)) {
        context.look_up = LookUp::Requested;
        effects.push(Effect::FindPayment);
    }
    let (phase, resumed) = resume(payment);
    effects.extend(resumed);
    (phase, effects)
}

/// Shows a payment for which the buyer says that they have sent money, and marks it.
pub(super) fn resume_sent(mut payment: CheckoutPayment) -> Next {
    payment.facts.said_sent |= payment.facts.transaction.is_none();
    let mark = marking::settle(&mut payment);
    let (phase, effects) = resume(payment);
    (phase, mark.into_iter().chain(effects).collect())
}
