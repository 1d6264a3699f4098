//! What an answer means, and when an event is sent again.

use std::time::Duration;

use reqwest::StatusCode;

use super::sender::Reply;
use crate::clock::{DAY, jitter};
use crate::store::outbox::{DeliveryResult, Verdict};
use crate::transport::Failure;

/// The pauses between the tries: the schedule that Standard Webhooks recommends ("Deliverability and
/// reliability"), a little more than three days in all, with two more tries in the first minutes, when a
/// developer waits.
const PAUSES: [Duration; 11] = [
    Duration::from_secs(5),
    Duration::from_secs(30),
    Duration::from_mins(2),
    Duration::from_mins(5),
    Duration::from_mins(30),
    Duration::from_hours(2),
    Duration::from_hours(5),
    Duration::from_hours(10),
    Duration::from_hours(14),
    Duration::from_hours(20),
    DAY,
];

/// The longest pause that a receiver can request with `Retry-After`.
const MAX_RETRY_AFTER: Duration = DAY;

/// What the result of a try means for an event that was sent `tries` times before.
pub(super) fn result(reply: Result<Reply, Failure>, tries: u32) -> DeliveryResult {
    let (answer, verdict) = match reply {
        Ok(reply) => (reply.answer(), verdict(&reply, tries)),
        Err(failure) => (no_answer(&failure), try_again(tries, Duration::ZERO)),
    };
    DeliveryResult { answer, verdict }
}

/// Why there is no answer, for the merchant. The log has the cause.
fn no_answer(failure: &Failure) -> String {
    let reason = match failure {
        Failure::NoConnection(_) => "The shop's server can't be reached.",
        Failure::Timeout(_) => "The shop's server did not answer in time.",
        Failure::ConnectionLost(_) => "The connection was lost before the shop's server answered.",
    };
    reason.to_owned()
}

fn verdict(reply: &Reply, tries: u32) -> Verdict {
    match reply.status {
        status if status.is_success() => Verdict::Delivered,
        // The receiver wants no more notifications.
        StatusCode::GONE => Verdict::GivenUp,
        _ => {
            let asked = reply.retry_after.unwrap_or_default();
            try_again(tries, asked.min(MAX_RETRY_AFTER))
        }
    }
}

/// Up to a tenth longer than the schedule says, so that events that failed together are not sent
/// together again.
fn try_again(tries: u32, at_least: Duration) -> Verdict {
    let pause = usize::try_from(tries)
        .ok()
        .and_then(|tries| PAUSES.get(tries));
    pause.map_or(Verdict::GivenUp, |pause| {
        Verdict::TryAgain((*pause + jitter(*pause / 10)).max(at_least))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The answer to the first try.
    fn replied(status: u16, retry_after: Option<u64>) -> DeliveryResult {
        let reply = Reply {
            status: StatusCode::from_u16(status).unwrap(),
            retry_after: retry_after.map(Duration::from_secs),
            text: String::new(),
        };
        result(Ok(reply), 0)
    }

    #[test]
    fn only_2xx_is_a_delivery() {
        for status in [200, 201, 202, 204] {
            assert_eq!(replied(status, None).verdict, Verdict::Delivered);
        }
        for status in [301, 302, 307, 400, 401, 404, 429, 500, 503] {
            let DeliveryResult { answer, verdict } = replied(status, None);
            assert!(matches!(verdict, Verdict::TryAgain(_)), "{status}");
            assert!(answer.starts_with(&status.to_string()), "{answer}");
        }
        assert_eq!(replied(410, None).verdict, Verdict::GivenUp);
    }

    fn no_connection() -> Failure {
        Failure::NoConnection("tcp connect error: Connection refused (os error 111)".to_owned())
    }

    #[test]
    fn an_event_is_tried_for_three_days() {
        let mut total = Duration::ZERO;
        for (tries, pause) in (0..).zip(PAUSES) {
            let failed = result(Err(no_connection()), tries);
            assert_eq!(failed.answer, "The shop's server can't be reached.");
            let Verdict::TryAgain(after) = failed.verdict else {
                panic!("given up after {tries} tries");
            };
            assert!((pause..=pause * 11 / 10).contains(&after), "{after:?}");
            total += pause;
        }
        assert!(total > Duration::from_hours(72) && total < Duration::from_hours(80));
        for tries in [11, 12, u32::MAX] {
            let failed = result(Err(no_connection()), tries);
            assert_eq!(failed.verdict, Verdict::GivenUp);
        }
    }

    #[test]
    fn a_receiver_can_ask_for_a_longer_pause() {
        let pause = |retry_after| replied(429, Some(retry_after)).verdict;
        let hour = Duration::from_hours(1);
        assert_eq!(pause(3600), Verdict::TryAgain(hour));
        assert_eq!(pause(u64::MAX), Verdict::TryAgain(24 * hour));
        let Verdict::TryAgain(short) = pause(1) else {
            panic!("it is tried again");
        };
        assert!(short >= Duration::from_secs(5));
    }
}
