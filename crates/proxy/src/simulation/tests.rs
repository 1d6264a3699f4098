//! Random scripts, and those that once broke a promise.

use std::io::Write as _;

use super::history::{Event, How};
use super::runner::search;
use super::script::Endpoint::{self, Create};
use super::script::Status::{Paid, Pending, Review};
use super::script::Step::{self, *};
use super::script::Token::{Btc, Trx};
use super::script::Which::{Earlier, Latest};
use super::script::{Fate, Oddity, Reply};
use super::world::play;

/// The number of scripts in a run of the tests; `PROPTEST_CASES` changes it.
const SCRIPTS: u32 = 120;

#[test]
fn every_promise_is_kept() {
    let (played, found) = search(SCRIPTS);
    let days = played.time.as_secs_f64() / (24.0 * 60.0 * 60.0);
    // The test harness captures the output of `println!`.
    let summary = format!(
        "{} scripts, {} steps, {days:.1} days",
        played.scripts, played.steps
    );
    writeln!(std::io::stderr(), "{summary}").unwrap();
    if let Some(found) = found {
        let script = &found.script;
        panic!(
            "{}\n{}\nafter {} scripts. Add this line to the tests:\n    keeps(&{script:?});\n\n{}",
            found.broken.promise,
            found.broken.how,
            played.scripts,
            play(script).history
        );
    }
}

/// Nothing but the script decides what happens.
#[test]
fn a_script_has_one_history() {
    let script = [
        OpenDashboard,
        Pay(0, 0, Trx),
        Next(Create, Fate::LoseAnswer),
        Pay(1, 0, Btc),
        Pay(1, 1, Btc),
        Watch(0, 0),
        Replace(0, 0, Btc),
        Next(Endpoint::List, Fate::Fail(503)),
        Kill,
        Open(0, 1),
        Becomes(0, Latest, Paid),
        Wait(90),
        Restart,
        Read(0, 0),
    ];
    let history = || play(&script).history.to_string();
    let first = history();
    assert!(first.contains("payment.paid"), "{first}");
    assert_eq!(first, history());
}

/// A day without buyers takes a few seconds.
#[test]
fn a_quiet_day_passes() {
    let ended = play(&[Wait(43_200), Wait(43_200)]);
    assert_eq!(ended.broken, None);
}

/// The buyer's pages hear at once that a payment may be cancelled; the shop hears it when the work has ended without an outcome.
#[test]
fn an_open_outcome_is_told_also_after_a_kill() {
    let unread = Next(Endpoint::List, Fate::Fail(503));
    let mut script = vec![
        Pay(0, 0, Trx),
        Watch(0, 0),
        Next(Endpoint::Cancel, Fate::Hang),
        Cancel(0, 0),
        unread,
        unread,
        Kill,
    ];
    // Until the lease has ended.
    script.extend([unread; 40]);
    let ended = play(&script);
    assert_eq!(ended.broken, None, "{}", ended.history);
    let at = |is_it: fn(&Event) -> bool| {
        let mut events = ended.history.events.iter();
        let found = events.position(|(_, event)| is_it(event));
        found.unwrap_or_else(|| panic!("{}", ended.history))
    };
    let heard = at(
        |event| matches!(event, Event::Shown { how: How::Stream, view, .. } if view.state == "unknown"),
    );
    let killed = at(|event| *event == Event::Runs(false));
    let told = at(|event| matches!(event, Event::Told { view, .. } if view.state == "unknown"));
    assert!(heard < killed && killed < told, "{}", ended.history);
}

/// Scripts that the random ones have found, each a line.
#[test]
#[rustfmt::skip]
fn what_once_broke_a_promise() {
    // Two tabs of one order.
    keeps(&[Pay(0, 0, Trx), Replace(0, 0, Btc), Open(0, 1)]);
    // An order whose cancelled payment was paid got a second payment when the first one was forgotten.
    keeps(&[Pay(0, 0, Trx), Cancel(0, 0), Becomes(0, Latest, Paid), Wait(90), Downtime(40), Pay(0, 0, Trx)]);
    // The shop refused the first notification.
    keeps(&[Shop(Reply::Fail), Pay(0, 0, Trx), Becomes(0, Latest, Pending), Wait(20)]);
    // A notification lacked what the shop has signed.
    keeps(&[Pay(0, 0, Trx), Downtime(31), OpenDashboard, List(0, Oddity::Dated(-3))]);
    // A payment that the poller had read before the search identified it was never announced to the shop.
    keeps(&[OpenDashboard, Next(Create, Fate::Cut), Pay(0, 0, Trx), Wait(5), Pay(0, 0, Trx)]);
    // What the list showed before the answer arrived was shown to the buyer as the answer.
    keeps(&[OpenDashboard, Next(Create, Fate::Slow(8)), Pay(0, 0, Trx), Wait(20)]);
    // A record of another payment said that this one was cancelled.
    keeps(&[Pay(0, 0, Trx), List(0, Oddity::OtherWallet), Replace(0, 0, Btc)]);
    // The same: the shop was told that it is closed.
    keeps(&[Pay(0, 0, Trx), List(0, Oddity::OtherWallet), Cancel(0, 0)]);
    // No status was taken from a record with another amount to pay.
    keeps(&[Pay(0, 0, Trx), List(0, Oddity::MovedQuote), Becomes(0, Latest, Paid)]);
    // After one start with a clock that was a week ahead, a search ended after the first page.
    keeps(&[Clock(170), Restart, OpenDashboard, Wait(5), Clock(0), Restart, Next(Create, Fate::LoseAnswer), Pay(0, 0, Trx), Crowd(30), Wait(5), Pay(0, 0, Trx)]);
    // The answer to a mark is lost, the page asks again, and another page has asked meanwhile.
    keeps(&[Pay(0, 0, Trx), Open(0, 1), LoseMark(0, 0), Send(0, 1), Send(0, 0), Cancel(0, 1), Read(0, 1)]);
    // Money arrived for a payment that was replaced, and the other one still asked for money.
    keeps(&[Pay(0, 0, Trx), Replace(0, 0, Btc), Becomes(0, Earlier, Pending), Wait(200), Read(0, 0)]);
    // Rows aged while the proxy was stopped, so `GET /api/v1/orders` left out the order.
    keeps(&[Pay(1, 0, Trx), Downtime(31), Ask(1)]);
    keeps(&[Pay(1, 0, Trx), Downtime(29), Downtime(29), Ask(1)]);
    // While a payment was being created, the shop was told that the order has none.
    keeps(&[Next(Create, Fate::Slow(8)), Pay(0, 0, Trx), Ask(0)]);
    keeps(&[Pay(1, 0, Trx), Next(Create, Fate::Hang), Pay(0, 1, Trx), Ask(0)]);
    // A payment that was replaced was not found while the outcome of the other request was unknown.
    keeps(&[Pay(0, 1, Btc), Next(Create, Fate::LoseRequest), Replace(0, 1, Trx), Open(0, 0)]);
    // A backup lacked the order's payment: one in the same token, one that was paid, one that replaced another, one that others follow.
    keeps(&[Pay(0, 0, Trx), Backup, Pay(1, 0, Trx), Restore, Ask(1), Read(1, 0), Pay(1, 1, Trx), Open(1, 2)]);
    keeps(&[Backup, Pay(1, 0, Trx), Becomes(1, Latest, Paid), Restore, Pay(1, 1, Trx), Open(1, 2)]);
    keeps(&[Pay(0, 0, Trx), Backup, Replace(0, 0, Btc), Restore, Pay(0, 1, Trx), Pay(0, 1, Btc), Open(0, 2)]);
    keeps(&[Backup, Pay(1, 0, Trx), Crowd(44), Restore, Pay(1, 1, Trx), Pay(1, 1, Btc), Open(1, 2)]);
    // It is not known whether a payment that the backup lacked was cancelled.
    keeps(&[Backup, Pay(1, 0, Trx), Restore, Next(Endpoint::Cancel, Fate::LoseRequest), Cancel(1, 0), Pay(1, 1, Trx)]);
    // What an old backup lacked was kept for longer, by as much as the backup is old.
    keeps(&[Backup, Downtime(29), Pay(0, 0, Trx), Restore]);
    // The page of a payment whose order was released still asked for money, beside the order's next one.
    keeps(&[Pay(1, 1, Trx), Release(1, Latest), Pay(1, 0, Trx), Read(1, 1)]);
    // The merchant released the order, and then the list showed money for its payment.
    keeps(&[Pay(0, 0, Btc), Becomes(0, Latest, Pending), Release(0, Latest), Wait(90), Pay(0, 0, Trx)]);
    // The merchant released the order a moment after the proxy had read that money arrives.
    keeps(&[Pay(1, 0, Trx), Pay(1, 0, Trx), Pay(1, 0, Trx), Becomes(0, Latest, Paid), Pay(0, 0, Trx), Becomes(1, Latest, Pending), Release(1, Latest), Pay(0, 0, Trx), Downtime(1), Pay(1, 0, Btc)]);
    // The list contradicted a payment that is paid, so its buyer was not erased.
    keeps(&[Pay(0, 0, Trx), List(0, Oddity::OtherWallet), Becomes(1, Latest, Paid), OpenDashboard, Becomes(0, Latest, Paid), Pay(0, 0, Trx)]);
    // As long as the list contradicted any payment, no buyer of an attempt without one was erased.
    keeps(&[Pay(0, 0, Trx), Next(Create, Fate::LoseRequest), List(0, Oddity::OtherWallet), Pay(1, 0, Btc), Insist(1, 0), Becomes(0, Latest, Paid)]);
    // An order in doubt was remembered for longer, by the time in which the proxy had not run before.
    keeps(&[Downtime(40), Downtime(40), Next(Create, Fate::LoseRequest), Pay(0, 0, Trx)]);
    // The backup lacks a payment. It was paid before its buyer opened the order again, and the shop heard only of its creation.
    keeps(&[Backup, Pay(0, 0, Trx), Becomes(0, Latest, Paid), Restore, Pay(0, 1, Trx), Wait(60)]);
    // A request to cancel is executed after another one of the same payment.
    keeps(&[Pay(1, 0, Trx), Next(Endpoint::Cancel, Fate::Late), Insist(1, 0)]);
    // The answer is lost, and the list shows that payment with the invoice number of another one.
    keeps(&[Next(Create, Fate::LoseAnswer), Pay(0, 0, Trx), List(0, Oddity::OtherInvoice), Pay(0, 0, Trx)]);
    // A known payment is listed under the invoice number of an order that searches for its own.
    keeps(&[Pay(0, 0, Trx), List(0, Oddity::OtherOrder), Next(Create, Fate::LoseRequest), Pay(1, 0, Trx), Wait(40), Pay(1, 0, Trx), Open(1, 1), Cancel(0, 0), Ask(0)]);
}

/// A script with which every promise is kept.
#[track_caller]
fn keeps(script: &[Step]) {
    let ended = play(script);
    if let Some(broken) = ended.broken {
        panic!("{}\n{}\n{}", broken.promise, broken.how, ended.history);
    }
}

/// Old orders are on late pages of the list, and one device asks for them without end.
#[test]
fn one_stranger_costs_few_calls() {
    let orders = 0..10;
    let mut script = vec![];
    script.extend(orders.clone().map(|order| Pay(order, 0, Trx)));
    script.extend([Crowd(45); 10]);
    script.extend(orders.clone().map(|order| Becomes(order, Latest, Review)));
    // The first read finds the page.
    script.extend([Downtime(4), Open(0, 0), Wait(60)]);
    let insist: Vec<_> = orders.map(|order| Insist(order, 0)).collect();
    script.extend(insist.repeat(12));
    let ended = play(&script);
    assert_eq!(ended.broken, None);
    let calls = ended.history.events.iter();
    let calls = calls.filter_map(|(_, event)| match event {
        Event::ListCalls(count) => Some(*count),
        _ => None,
    });
    // The poller has 60 a minute.
    let most = calls.max().unwrap_or_default();
    assert!((61..=120).contains(&most), "{most}");
}
