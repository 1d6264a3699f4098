//! The transition function of a checkout.

mod awaiting;
mod cancelling;
mod choosing;
mod failed;
mod finding;
mod loading;
mod marking;
mod not_payable;
mod paying;
mod polling;
mod preparing;
mod receipts;
mod replacing;
mod submitting;

use tender_protocol::{PaymentState, TokenCode};

use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, FormEvent, SentEvent};
use crate::failure::Failure;
use crate::state::{Cancelling, CheckoutPayment, Context, LookUp, Phase, Reason, State};

/// Returns the next state and the effects to execute.
///
/// Each state says which events have a meaning in it. Any other event (a response that arrives after a reset, a second
/// click) changes nothing.
///
/// While a payment is being created or cancelled, only the response to that request changes the
/// state: until then it is unknown whether the payment exists.
#[must_use]
pub fn step(config: &Config, mut state: State, event: Event) -> (State, Vec<Effect>) {
    let event = match event {
        // A wallet may answer at any time, also when its payment is no longer shown, and so may the proxy about a mark.
        Event::Sent(event) => {
            let effects = sent(&mut state, event);
            return (state, effects);
        }
        event => event,
    };
    let chosen = submitted(&state, &event);
    let State { mut context, phase } = state;
    let (mut phase, effects) = react(config, &mut context, phase, event);
    if let (Phase::Awaiting(payment), Some(chosen)) = (&mut phase, chosen) {
        payment.facts.is_other_token = chosen != payment.choice.code;
    }
    (State { context, phase }, effects)
}

/// The phase that follows, and the effects.
type Next = (Phase, Vec<Effect>);

fn react(config: &Config, context: &mut Context, phase: Phase, event: Event) -> Next {
    let event = match event {
        Event::FindFinished(result) => return finding::finished(config, context, phase, result),
        event => event,
    };
    if let (Event::Reconfigured(before), Phase::Awaiting(_) | Phase::NotPayable(..)) =
        (&event, &phase)
    {
        // They count once the buyer is back at the form.
        context.reconfigure(config, before);
    }
    match phase {
        Phase::Loading(found) => loading::loading(config, context, found, event),
        Phase::Unavailable(failure) => loading::unavailable(config, context, failure, event),
        Phase::Choosing(choosing) => choosing::step(config, context, choosing, event),
        Phase::Submitting(choosing, attempt, step) => {
            submitting::step(config, context, choosing, attempt, step, event)
        }
        Phase::Failed(choosing, attempt, failure) => {
            failed::step(config, context, choosing, attempt, failure, event)
        }
        Phase::Awaiting(payment) => awaiting::step(context, *payment, event),
        Phase::NotPayable(reason, payment) => not_payable::step(context, reason, *payment, event),
    }
}

/// The token that the buyer has submitted, or submits.
fn submitted(state: &State, event: &Event) -> Option<TokenCode> {
    match (&state.phase, event) {
        (Phase::Submitting(_, attempt, _), _) => Some(attempt.choice.code.clone()),
        (
            Phase::Choosing(_),
            Event::Form(FormEvent::Submitted(_) | FormEvent::SavedElsewhere(_)),
        ) => state.context.form.payment_token.clone(),
        _ => None,
    }
}

/// Handles an event, and settles the mark of its payment, also while the buyer is back at the form: what may have been sent is marked
/// before the payment could be replaced.
fn sent(state: &mut State, event: SentEvent) -> Vec<Effect> {
    let (id, mut effects) = match event {
        SentEvent::WalletFinished(id, request, result) => {
            let effects = paying::finished(state, &id, request, result);
            (id, effects)
        }
        SentEvent::SecretChosen(id, secret) => {
            let effects = marking::chosen(state, &id, secret);
            (id, effects)
        }
        SentEvent::MarkFinished(id, result) => {
            let marked = |payment: &mut _| marking::marked(payment, result);
            let effects = marking::finished(state, &id, marked);
            (id, effects)
        }
        SentEvent::UnmarkFinished(id, secret, result) => {
            let removed = |payment: &mut _| marking::removed(payment, &secret, result);
            let effects = marking::finished(state, &id, removed);
            (id, effects)
        }
        SentEvent::ReceiptRead(id, hash, receipt) => {
            let effects = receipts::read(state, &id, &hash, receipt);
            (id, effects)
        }
    };
    effects.extend(marking::settle_of(state, &id));
    effects
}

/// Fetches the token listing, and sends a look-up that is due.
fn load(context: &mut Context) -> Next {
    let mut effects = vec![Effect::FetchTokens];
    if context.look_up == LookUp::Due {
        context.look_up = LookUp::Requested;
        effects.push(Effect::FindPayment);
    }
    (Phase::Loading(None), effects)
}

/// The phase that shows a payment, by what the proxy says about it. While this page cancels the payment,
/// the response decides whether it is shown as cancelled or as closed.
fn show(payment: CheckoutPayment) -> Phase {
    let payment = Box::new(payment);
    let reason = match payment.record.state {
        Some(PaymentState::Paid) => Reason::Paid,
        _ if payment.facts.is_order_paid => Reason::OrderPaid,
        Some(PaymentState::Pending) => Reason::Pending,
        Some(PaymentState::Underpaid) => Reason::Underpaid,
        _ if payment.facts.is_order_seen => Reason::OrderSeen,
        Some(PaymentState::Unknown) => Reason::Unknown,
        Some(PaymentState::Closed) if payment.cancelling != Cancelling::Requested => Reason::Closed,
        Some(PaymentState::Open | PaymentState::Closed) | None => return Phase::Awaiting(payment),
    };
    Phase::NotPayable(reason, payment)
}

fn emit(event: HostEvent) -> Effect {
    Effect::Emit(Box::new(event))
}

fn emit_error(failure: &Failure) -> Effect {
    emit(HostEvent::Error(failure.clone()))
}

/// Dispatches the event of a payment's state.
fn emit_state(payment: &CheckoutPayment) -> Option<Effect> {
    let record = payment.record.clone();
    Some(emit(match record.state? {
        PaymentState::Pending => HostEvent::Pending(record),
        PaymentState::Underpaid => HostEvent::Underpaid(record),
        PaymentState::Paid => HostEvent::Paid(record),
        PaymentState::Closed => HostEvent::Closed(record),
        PaymentState::Open | PaymentState::Unknown => return None,
    }))
}
