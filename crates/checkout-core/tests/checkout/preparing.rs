//! Wallets that are asked step by step: each answer decides whether the next step is still wanted.

use tender_checkout_core::{
    Effect, Event, FormEvent, MarkSecret, PaymentEvent, PaymentProgress, Phase, Receipt, SentEvent,
    SentMark, Shortfall, StatusEvent, WalletAnswer, WalletFailure, WalletId, WalletPayment,
    WalletQuestion, WalletRequest, WalletTransaction, WalletTransfer,
};

use crate::support::{
    self, Checkout, HASH, PAYER, ok, payment_of, payment_record_in, text, wallet_of, well,
};
use crate::wallets::awaiting;

const WALLET: WalletId = WalletId(3);
const OTHER: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

type Answer = Result<WalletAnswer, WalletFailure>;

/// A checkout with marks, whose test answers each question to a wallet.
fn open(token: &str) -> Checkout {
    Checkout {
        has_marks: true,
        has_slow_wallet: true,
        ..awaiting(token, "null", "0.5", wallet_of(token))
    }
}

/// The question in these effects, with its number.
fn question(effects: &[Effect]) -> Option<(WalletQuestion, u32)> {
    let mut questions = effects.iter().filter_map(|effect| match effect {
        Effect::AskWallet {
            question, number, ..
        } => Some((question.clone(), *number)),
        _ => None,
    });
    let question = questions.next();
    assert_eq!(questions.next(), None, "one question at a time");
    question
}

fn answered(number: u32, answer: Answer) -> PaymentEvent {
    PaymentEvent::WalletAnswered("p-1".to_owned(), WalletRequest(1), number, answer)
}

fn stored() -> SentEvent {
    let first = ok(r#"{"first":true,"removable":true}"#);
    SentEvent::MarkFinished("p-1".to_owned(), first)
}

/// The same checkout after the buyer has chosen a wallet that has answered this many questions well, and the next question.
fn after(token: &str, answers: usize) -> (Checkout, Option<(WalletQuestion, u32)>) {
    let mut checkout = open(token);
    let mut effects = checkout.on(PaymentEvent::WalletChosen(WALLET));
    for _ in 0..answers {
        let (asked, number) = question(&effects).unwrap();
        effects = checkout.on(answered(number, Ok(well(&asked))));
        if matches!(effects[..], [Effect::MarkSent(..)]) {
            effects = checkout.on(stored());
        }
    }
    let next = question(&effects);
    (checkout, next)
}

/// How many questions there are until the money is asked for.
fn questions(token: &str) -> usize {
    if token == "bnb" { 5 } else { 6 }
}

fn is_asked_to_send(effects: &[Effect]) -> bool {
    effects
        .iter()
        .any(|effect| matches!(effect, Effect::AskToSend(..)))
}

/// A wallet of this token that was asked to send, or to sign.
fn asked(token: &str) -> Checkout {
    let (mut checkout, last) = after(token, questions(token) - 1);
    let (asked, number) = last.unwrap();
    assert!(is_asked_to_send(
        &checkout.on(answered(number, Ok(well(&asked))))
    ));
    checkout
}

#[test]
fn a_wallet_is_asked_step_by_step_and_for_the_money_at_last() {
    let account = PAYER.to_owned();
    let begin = [
        WalletQuestion::Connect,
        WalletQuestion::Chain,
        WalletQuestion::Funds(account.clone()),
    ];
    let end = [WalletQuestion::Account, WalletQuestion::Chain];
    let build = [WalletQuestion::Build(account)];
    for (token, expected) in [
        ("bnb", [&begin[..], &end].concat()),
        ("trx", [&begin[..], &build, &end].concat()),
    ] {
        for (at, expected) in expected.iter().enumerate() {
            let (checkout, next) = after(token, at);
            let (question, number) = next.unwrap();
            assert_eq!((&question, number > 0), (expected, true), "{token} {at}");
            let stands = checkout.payment().facts.mark != SentMark::None;
            assert_eq!(
                stands,
                at >= begin.len(),
                "the mark is set last: {token} {at}"
            );
        }
        assert_eq!(expected.len(), questions(token));
        let checkout = asked(token);
        assert_eq!(
            checkout.payment().wallet.state,
            WalletPayment::Asked(WALLET)
        );
    }
}

/// Whether it answers that it has switched is not what counts.
#[test]
fn a_wallet_on_another_network_is_asked_to_switch_once() {
    let wrong = || Err(WalletFailure::WrongNetwork);
    for (switched, reads, expected) in [
        (Ok(WalletAnswer::Yes), Ok(WalletAnswer::Yes), None),
        (Err(WalletFailure::Declined), Ok(WalletAnswer::Yes), None),
        (
            Ok(WalletAnswer::Yes),
            wrong(),
            Some(WalletPayment::Failed(WalletFailure::WrongNetwork)),
        ),
        (
            Err(WalletFailure::Busy),
            wrong(),
            Some(WalletPayment::Failed(WalletFailure::Busy)),
        ),
        (
            Err(WalletFailure::Declined),
            wrong(),
            Some(WalletPayment::Idle),
        ),
    ] {
        let (mut checkout, next) = after("bnb", 1);
        let (asked, number) = question(&checkout.on(answered(next.unwrap().1, wrong()))).unwrap();
        assert_eq!(asked, WalletQuestion::SwitchChain);
        let (asked, number) = question(&checkout.on(answered(number, switched.clone()))).unwrap();
        assert_eq!(asked, WalletQuestion::Chain);
        let next = question(&checkout.on(answered(number, reads)));
        let is_on = expected.is_none();
        assert_eq!(next.is_some(), is_on, "{switched:?}");
        if let Some(expected) = expected {
            assert_eq!(checkout.payment().wallet.state, expected, "{switched:?}");
        }
    }
    let (mut tron, next) = after("trx", 1);
    assert_eq!(
        tron.on(answered(next.unwrap().1, wrong())),
        [],
        "TRON's can't be asked"
    );
    assert!(!tron.payment().wallet.is_asked());
}

/// The record of the payment, with these fields.
fn record(token: &str, fields: &[(&str, &str)]) -> String {
    payment_record_in(token, &[&[("quantityPay", "0.5")], fields].concat())
}

fn poll(checkout: &mut Checkout, fields: &[(&str, &str)]) {
    let token = checkout.payment().choice.code.as_str().to_owned();
    checkout.poll(ok(record(&token, fields)));
}

/// What may happen while a wallet is slow.
type Meanwhile = (&'static str, fn(&mut Checkout));

const MEANWHILE: [Meanwhile; 12] = [
    ("paid", |it| poll(it, &[("state", &text("paid"))])),
    ("closed", |it| poll(it, &[("state", &text("closed"))])),
    ("pending", |it| poll(it, &[("state", &text("pending"))])),
    ("underpaid", |it| poll(it, &[("state", &text("underpaid"))])),
    ("unknown", |it| poll(it, &[("state", &text("unknown"))])),
    ("another payment is paid", |it| {
        poll(it, &[("state", &text("open")), ("orderPaid", "true")]);
    }),
    ("money was seen for another payment", |it| {
        poll(it, &[("state", &text("open")), ("orderSeen", "true")]);
    }),
    ("another status", |it| {
        poll(it, &[("statusText", &text("Seen"))]);
    }),
    ("contradicted", |it| poll(it, &[("quantityPay", "0.6")])),
    ("a hash is entered", |it| {
        let prefix = if it.payment().choice.code.as_str() == "bnb" {
            "0x"
        } else {
            ""
        };
        it.on(PaymentEvent::HashEntered(format!("{prefix}{HASH}")));
    }),
    ("abandoned", |it| {
        it.on(PaymentEvent::WalletAbandoned);
    }),
    ("back at the form", |it| {
        it.on(PaymentEvent::WalletAbandoned);
        it.on(Event::Reset);
    }),
];

/// Nothing was sent, so nothing is left of the request, and nothing is said.
#[test]
fn nothing_more_is_asked_once_there_is_nothing_to_pay_or_nobody_waits() {
    for token in ["bnb", "trx"] {
        for answers in 0..questions(token) {
            for (name, happens) in MEANWHILE {
                let (mut checkout, next) = after(token, answers);
                let (asked, number) = next.unwrap();
                happens(&mut checkout);
                let count = checkout.host_events.len();
                for answer in [Ok(well(&asked)), Err(WalletFailure::Unclear)] {
                    let effects = checkout.on(answered(number, answer));
                    assert_eq!(effects, [], "{token} {asked:?} {name}");
                }
                assert_eq!(
                    checkout.host_events.len(),
                    count,
                    "{token} {asked:?} {name}"
                );
                if let Some(payment) = checkout.state.payment() {
                    assert_eq!(payment.wallet.state, WalletPayment::Idle, "{name}");
                    assert!(!payment.wallet.is_unclear(), "{name}");
                }
            }
        }
    }
}

/// The mark of a request that was not asked to send is removed, unless something else needs it.
#[test]
fn what_was_not_wanted_leaves_no_mark() {
    let removed = |effects: &[Effect]| matches!(effects, [.., Effect::UnmarkSent(..)]);
    let last = questions("bnb") - 1;
    assert!(removed(
        &after("bnb", last).0.on(PaymentEvent::WalletAbandoned)
    ));
    let (mut moved, _) = after("bnb", last);
    moved.on(StatusEvent::PollDue);
    assert!(removed(
        &moved.fetch(ok(record("bnb", &[("statusText", &text("Seen"))])))
    ));
    let (mut entered, _) = after("bnb", last);
    assert_eq!(
        entered.on(PaymentEvent::HashEntered(format!("0x{HASH}"))),
        []
    );
    assert_eq!(
        entered.payment().facts.mark,
        SentMark::Set(MarkSecret("s-1".to_owned()))
    );
}

#[test]
fn only_the_answer_to_the_latest_question_of_the_latest_request_counts() {
    for answers in 0..questions("trx") {
        let (mut checkout, next) = after("trx", answers);
        let (asked, number) = next.unwrap();
        let well = || Ok(well(&asked));
        // It answers earlier questions again, and questions that it was not asked.
        for other in (0..number).chain([number + 1]) {
            checkout.ignores(answered(other, well()));
        }
        let of = |id: &str, request| {
            PaymentEvent::WalletAnswered(id.to_owned(), WalletRequest(request), number, well())
        };
        checkout.ignores_all([of("p-2", 1), of("p-1", 0), of("p-1", 2)]);
        checkout.ignores_all([WalletId(0), WALLET].map(PaymentEvent::WalletChosen));
        checkout.stays();
        // The buyer stops waiting and begins again: the first request's answers come late.
        checkout.on(PaymentEvent::WalletAbandoned);
        checkout.on(SentEvent::UnmarkFinished(
            "p-1".to_owned(),
            MarkSecret("s-1".to_owned()),
            support::answer(204, ""),
        ));
        assert!(question(&checkout.on(PaymentEvent::WalletChosen(WALLET))).is_some());
        checkout.ignores(answered(number, well()));
        checkout.ignores(answered(1, well()));
    }
}

/// An answer of the wrong kind is no account.
#[test]
fn what_is_no_answer_ends_the_request() {
    let (mut checkout, next) = after("bnb", 0);
    assert_eq!(
        checkout.on(answered(next.unwrap().1, Ok(WalletAnswer::Yes))),
        []
    );
    let failed = WalletPayment::Failed(WalletFailure::NoAccount);
    assert_eq!(checkout.payment().wallet.state, failed);
}

#[test]
fn a_wallet_that_has_switched_its_network_or_account_is_not_asked_for_the_money() {
    for token in ["bnb", "trx"] {
        let (mut checkout, next) = after(token, questions(token) - 1);
        let wrong = Err(WalletFailure::WrongNetwork);
        let effects = checkout.on(answered(next.unwrap().1, wrong));
        assert!(
            matches!(effects[..], [Effect::UnmarkSent(..)]),
            "{effects:?}"
        );
        let failed = WalletPayment::Failed(WalletFailure::WrongNetwork);
        assert_eq!(checkout.payment().wallet.state, failed);

        // The other account is read from the beginning.
        let (mut checkout, next) = after(token, questions(token) - 2);
        let (asked, number) = next.unwrap();
        assert_eq!(asked, WalletQuestion::Account);
        let effects = checkout.on(answered(
            number,
            Ok(WalletAnswer::Account(OTHER.to_owned())),
        ));
        let (asked, number) = question(&effects).unwrap();
        assert_eq!(asked, WalletQuestion::Chain);
        let (asked, _) = question(&checkout.on(answered(number, Ok(WalletAnswer::Yes)))).unwrap();
        assert_eq!(asked, WalletQuestion::Funds(OTHER.to_owned()));

        // Another spelling is the same account.
        let (mut checkout, next) = after(token, questions(token) - 2);
        let same = Ok(WalletAnswer::Account(PAYER.to_ascii_lowercase()));
        let (_, number) = question(&checkout.on(answered(next.unwrap().1, same))).unwrap();
        assert!(is_asked_to_send(
            &checkout.on(answered(number, Ok(WalletAnswer::Yes)))
        ));
    }
}

/// After the warning, a second press opens the wallet: the estimate may be wrong.
#[test]
fn funds_are_not_checked_again_after_the_warning() {
    let (mut checkout, next) = after("bnb", 2);
    let missing = Err(WalletFailure::Short(Shortfall::Fee(14_000_000)));
    assert_eq!(checkout.on(answered(next.unwrap().1, missing)), []);
    assert!(!checkout.payment().may_be_paid());
    checkout.has_slow_wallet = false;
    assert!(matches!(
        checkout.on(PaymentEvent::WalletChosen(WALLET))[..],
        [Effect::MarkSent(..)]
    ));
    let payment = checkout.payment();
    let WalletPayment::Preparing(preparation) = &payment.wallet.state else {
        panic!("it waits for the mark: {payment:?}");
    };
    assert!(!preparation.checks_funds);
}

fn signed(expiration: Option<u64>) -> SentEvent {
    let hash = HASH.to_owned();
    let signed = WalletTransaction::Signed { hash, expiration };
    SentEvent::WalletFinished("p-1".to_owned(), WalletRequest(1), Ok(signed))
}

fn receipt(receipt: Receipt) -> SentEvent {
    SentEvent::ReceiptRead("p-1".to_owned(), HASH.to_owned(), receipt)
}

/// The first effect is the broadcast: nothing is awaited between the decision and it.
#[test]
fn on_tron_what_was_signed_is_broadcast_while_it_is_wanted() {
    let mut checkout = asked("trx");
    let effects = checkout.on(signed(Some(7)));
    let transfer = Box::new(
        payment_of("trx", "null", "0.5", wallet_of("trx"))
            .transfer()
            .unwrap(),
    );
    let broadcast = Effect::Broadcast(WalletTransfer {
        wallet: WALLET,
        request: WalletRequest(1),
        transaction_id: "p-1".to_owned(),
        transfer: transfer.clone(),
    });
    let read = Effect::ReadReceipt {
        wallet: Some(WALLET),
        transaction_id: "p-1".to_owned(),
        transfer,
        hash: HASH.to_owned(),
        expiration: Some(7),
        seconds: 5,
    };
    assert_eq!(effects, [broadcast, read]);
    assert_eq!(checkout.payment().transaction().unwrap().as_str(), HASH);
    // It is broadcast once.
    checkout.ignores(signed(Some(7)));
}

#[test]
fn on_tron_what_was_signed_and_is_not_wanted_is_not_broadcast_and_keeps_its_mark_until_it_expires()
{
    for (name, happens) in MEANWHILE {
        let mut checkout = asked("trx");
        happens(&mut checkout);
        let effects = checkout.on(signed(None));
        assert!(
            matches!(effects[..], [Effect::ReadReceipt { seconds: 5, .. }]),
            "{name}: {effects:?}"
        );
        if name != "abandoned" {
            continue;
        }
        assert!(checkout.payment().wallet.is_unclear() && checkout.payment().is_held_by_mark());
        checkout.ignores(PaymentEvent::WalletChosen(WALLET));
        checkout.ignores(signed(None));
        let again = checkout.on(receipt(Receipt::Unknown));
        assert!(
            matches!(again[..], [Effect::ReadReceipt { seconds: 10, .. }]),
            "{again:?}"
        );
        let mut sent = Checkout::new(support::config(&[]));
        sent.state = checkout.state.clone();
        // It has expired.
        let effects = checkout.on(receipt(Receipt::Failed));
        assert!(
            matches!(effects[..], [Effect::UnmarkSent(..)]),
            "{effects:?}"
        );
        assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
        assert_eq!(checkout.payment().facts.progress(), PaymentProgress::Open);
        // The wallet has broadcast it itself.
        assert_eq!(sent.on(receipt(Receipt::Succeeded)), []);
        assert_eq!(sent.payment().transaction().unwrap().as_str(), HASH);
    }
}

/// A checkout whose wallet has signed a transaction that was not wanted any more, and that expires.
fn unwanted() -> Checkout {
    let mut checkout = asked("trx");
    checkout.on(PaymentEvent::WalletAbandoned);
    checkout.on(signed(Some(7)));
    checkout
}

/// Any wallet in the page can say what became of it.
#[test]
fn after_a_reload_what_was_signed_and_is_not_wanted_keeps_its_mark_until_it_expires() {
    let mut checkout = unwanted();
    for _ in 0..2 {
        let (mut next, effects) = checkout.reload();
        let reads = |effect: &&Effect| {
            matches!(effect, Effect::ReadReceipt { wallet: None, hash, expiration: Some(7), seconds: 5, .. }
                if hash == HASH)
        };
        assert_eq!(effects.iter().filter(reads).count(), 1, "{effects:?}");
        // Its mark is set again, because it is not known to stand.
        let is_mark = |effect: &Effect| matches!(effect, Effect::MarkSent(..));
        assert!(effects.iter().any(is_mark), "{effects:?}");
        next.on(stored());
        assert!(next.payment().is_held_by_mark() && next.payment().wallet.is_unclear());
        let again = next.on(receipt(Receipt::Unknown));
        assert!(matches!(
            again[..],
            [Effect::ReadReceipt { seconds: 10, .. }]
        ));
        checkout = next;
    }
    let mut sent = Checkout::new(support::config(&[]));
    sent.state = checkout.state.clone();
    let effects = checkout.on(receipt(Receipt::Failed));
    assert!(matches!(effects[..], [Effect::UnmarkSent(..)]));
    let gone = SentEvent::UnmarkFinished(
        "p-1".to_owned(),
        MarkSecret("s-1".to_owned()),
        support::answer(204, ""),
    );
    checkout.on(gone);
    assert!(checkout.payment().may_cancel() && !checkout.payment().may_be_paid());
    let next = checkout.reload().0;
    assert_eq!(next.payment().wallet.state, WalletPayment::Idle);
    // The wallet has broadcast it itself.
    sent.on(receipt(Receipt::Succeeded));
    assert_eq!(sent.payment().transaction().unwrap().as_str(), HASH);
}

/// The answer comes late: the buyer has gone back to the form, or the payment is not to be paid any more.
#[test]
fn what_was_signed_and_is_not_wanted_is_watched_wherever_the_buyer_is() {
    let leaves: [fn(&mut Checkout); 2] = [
        |it| {
            it.on(Event::Reset);
        },
        |it| poll(it, &[("state", &text("unknown"))]),
    ];
    for leave in leaves {
        let mut checkout = unwanted();
        leave(&mut checkout);
        assert!(!matches!(checkout.state.phase, Phase::Awaiting(_)));
        let again = checkout.on(receipt(Receipt::Unknown));
        assert!(matches!(
            again[..],
            [Effect::ReadReceipt { seconds: 10, .. }]
        ));
        let removed = checkout.on(receipt(Receipt::Failed));
        assert!(matches!(removed[..], [Effect::UnmarkSent(..)]));
        checkout.ignores(receipt(Receipt::Failed));
        if matches!(checkout.state.phase, Phase::NotPayable(..)) {
            checkout.poll(ok(record("trx", &[("state", &text("open"))])));
        } else {
            checkout.on(Event::TokensFetched(ok(support::offered())));
            checkout.on(FormEvent::Resumed);
        }
        assert_eq!(checkout.payment().wallet.state, WalletPayment::Idle);
        let mark = &checkout.payment().facts.mark;
        assert!(matches!(mark, SentMark::Removing(_)), "{mark:?}");
    }
}

/// The payment has closed before the wallet has signed. The mark stays until the transaction has expired, not for ever.
#[test]
fn on_tron_the_receipt_is_read_also_once_the_payment_has_ended() {
    let closed = || {
        let mut checkout = asked("trx");
        poll(&mut checkout, &[("state", &text("closed"))]);
        checkout.on(signed(None));
        checkout
    };
    let mut checkout = closed();
    let again = checkout.on(receipt(Receipt::Unknown));
    assert!(
        matches!(again[..], [Effect::ReadReceipt { seconds: 10, .. }]),
        "{again:?}"
    );
    let effects = checkout.on(receipt(Receipt::Failed));
    assert!(
        matches!(effects[..], [Effect::UnmarkSent(..)]),
        "{effects:?}"
    );
    let mut sent = closed();
    sent.on(receipt(Receipt::Succeeded));
    let payment = sent.state.payment().unwrap();
    assert_eq!(payment.transaction().unwrap().as_str(), HASH);
    sent.ignores(Event::Reset);
}
