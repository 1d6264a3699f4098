//! What can happen in a simulation, step by step.

use proptest::prelude::{Just, Strategy, any, prop_oneof};
use proptest::sample::select;

/// The number of an order of the shop.
pub(super) type Order = u8;

/// The number of a device of an order's buyer. Each has its own page and its own address.
pub(super) type Device = u8;

pub(super) const ORDERS: Order = 2;
pub(super) const DEVICES: Device = 3;

/// A step. After each one, a second passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Step {
    /// The page asks for a payment in this token.
    Pay(Order, Device, Token),
    /// The page asks for a payment in place of the one that it shows.
    Replace(Order, Device, Token),
    /// The page is opened, with the first link that the device got.
    Open(Order, Device),
    /// The page reads the payment that it shows again.
    Read(Order, Device),
    /// The page asks for everything, many times at once.
    Insist(Order, Device),
    /// The page opens a stream of the payment that it shows.
    Watch(Order, Device),
    Cancel(Order, Device),
    /// The buyer sends money, if the page's mark is the first.
    Send(Order, Device),
    /// The page marks the payment, and the answer is lost.
    LoseMark(Order, Device),
    /// The buyer says that nothing was sent.
    Unmark(Order, Device),

    /// The merchant cancels the order's latest payment.
    MerchantCancels(Order),
    /// The merchant releases the order of this payment.
    Release(Order, Which),
    /// The shop asks for the payments of an order.
    Ask(Order),
    OpenDashboard,
    CloseDashboard,
    /// How the shop's backend answers the next notification.
    Shop(Reply),

    /// How the next call to an endpoint of the service ends.
    Next(Endpoint, Fate),
    /// The service gives a payment of the order another status.
    Becomes(Order, Which, Status),
    /// The service lists the order's latest payment oddly from now on.
    List(Order, Oddity),
    /// From now on, the service lists payments a moment late, or at once.
    Lag(bool),
    /// So many payments of others are created at the service.
    Crowd(u8),

    /// Seconds pass.
    Wait(u16),
    /// The operator stops the proxy and starts it again.
    Restart,
    /// The machine fails, and starts again.
    Kill,
    /// The proxy is stopped for so many days.
    Downtime(u8),
    /// The database is copied.
    Backup,
    /// The machine fails, and the operator restores the latest copy, if there is one.
    Restore,
    /// From now on, the machine's clock is so many hours ahead, or behind.
    Clock(i16),
    /// The operator maps the statuses, or removes the mapping.
    Map(bool),
    /// The shop signs with a new key from now on. The proxy accepts the one before, too.
    RotateKeys,
    /// The service gives the first page of its list this number from now on. The operator notices it at the next start.
    CountPages(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Trx,
    Btc,
}

/// A payment of an order, by its creation at the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Which {
    Latest,
    /// The one before.
    Earlier,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Endpoint {
    Create,
    Cancel,
    List,
}

/// What becomes of a call to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    NoConnection,
    /// The connection breaks before the service has the request.
    LoseRequest,
    /// The service executes the request, and the connection breaks.
    LoseAnswer,
    /// The connection breaks, and the service executes the request a second later.
    Late,
    /// The service executes the request, and never answers.
    Hang,
    /// The service executes the request, and answers after so many seconds.
    Slow(u8),
    /// The answer ends in the middle.
    Cut,
    /// The service, or what is in front of it, answers this without executing the request.
    Fail(u16),
    /// The same after executing the request.
    FailAfter(u16),
    /// The service executes the request twice, and answers once.
    Twice,
    /// The service answers with the page before, if there is one.
    Repeat,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Status {
    Created,
    Pending,
    Underpaid,
    Paid,
    Expired,
    Cancelled,
    /// One that the operator never maps.
    Review,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    None,
    OtherWallet,
    OtherInvoice,
    /// Under the invoice number of the other order, if the proxy has the answer to its creation.
    OtherOrder,
    MovedQuote,
    /// Its date is so many days off.
    Dated(i8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Fail,
    Hang,
    Slow,
}

/// Scripts of up to `most` steps.
pub(super) fn scripts(most: usize) -> impl Strategy<Value = Vec<Step>> {
    proptest::collection::vec(step(), 1..=most)
}

fn step() -> impl Strategy<Value = Step> {
    let order = || 0..ORDERS;
    let device = || 0..DEVICES;
    let page = move || (order(), device());
    let token = || select(vec![Token::Trx, Token::Btc]);
    let which = || select(vec![Which::Latest, Which::Latest, Which::Earlier]);
    prop_oneof![
        8 => (page(), token()).prop_map(|((order, device), token)| Step::Pay(order, device, token)),
        4 => (page(), token()).prop_map(|((order, device), token)| Step::Replace(order, device, token)),
        5 => page().prop_map(|(order, device)| Step::Open(order, device)),
        3 => page().prop_map(|(order, device)| Step::Read(order, device)),
        1 => page().prop_map(|(order, device)| Step::Insist(order, device)),
        1 => page().prop_map(|(order, device)| Step::Watch(order, device)),
        4 => page().prop_map(|(order, device)| Step::Cancel(order, device)),
        // The third device has a bad connection.
        2 => page().prop_map(|(order, device)| match device {
            2 => Step::LoseMark(order, device),
            _ => Step::Send(order, device),
        }),
        1 => page().prop_map(|(order, device)| Step::Unmark(order, device)),
        1 => order().prop_map(Step::MerchantCancels),
        1 => (order(), which()).prop_map(|(order, which)| Step::Release(order, which)),
        2 => order().prop_map(Step::Ask),
        1 => Just(Step::OpenDashboard),
        1 => Just(Step::CloseDashboard),
        1 => select(vec![Reply::Fail, Reply::Hang, Reply::Slow]).prop_map(Step::Shop),
        8 => (endpoint(), fate()).prop_map(|(endpoint, fate)| Step::Next(endpoint, fate)),
        6 => (order(), which(), status()).prop_map(|(order, which, status)| Step::Becomes(order, which, status)),
        3 => (order(), oddity()).prop_map(|(order, oddity)| Step::List(order, oddity)),
        1 => any::<bool>().prop_map(Step::Lag),
        1 => (1..45_u8).prop_map(Step::Crowd),
        4 => select(vec![5, 20, 40, 90, 200]).prop_map(Step::Wait),
        1 => Just(Step::Restart),
        1 => Just(Step::Kill),
        1 => select(vec![1, 29, 31, 40]).prop_map(Step::Downtime),
        2 => Just(Step::Backup),
        2 => Just(Step::Restore),
        1 => select(vec![-170, -30, -1, 0, 1, 30, 170]).prop_map(Step::Clock),
        1 => any::<bool>().prop_map(Step::Map),
        1 => Just(Step::RotateKeys),
        1 => (0..2_u8).prop_map(Step::CountPages),
    ]
}

fn endpoint() -> impl Strategy<Value = Endpoint> {
    select(vec![
        Endpoint::Create,
        Endpoint::Create,
        Endpoint::Cancel,
        Endpoint::List,
    ])
}

fn fate() -> impl Strategy<Value = Fate> {
    select(vec![
        Fate::NoConnection,
        Fate::LoseRequest,
        Fate::LoseAnswer,
        Fate::Late,
        Fate::Hang,
        Fate::Slow(3),
        Fate::Slow(8),
        Fate::Slow(18),
        Fate::Cut,
        Fate::Fail(400),
        Fate::Fail(409),
        Fate::Fail(503),
        Fate::FailAfter(409),
        Fate::FailAfter(502),
        Fate::Twice,
        Fate::Repeat,
    ])
}

fn status() -> impl Strategy<Value = Status> {
    select(vec![
        Status::Created,
        Status::Pending,
        Status::Underpaid,
        Status::Paid,
        Status::Paid,
        Status::Expired,
        Status::Cancelled,
        Status::Review,
    ])
}

fn oddity() -> impl Strategy<Value = Oddity> {
    select(vec![
        Oddity::None,
        Oddity::OtherWallet,
        Oddity::OtherInvoice,
        Oddity::OtherOrder,
        Oddity::MovedQuote,
        Oddity::Dated(-3),
        Oddity::Dated(3),
    ])
}
