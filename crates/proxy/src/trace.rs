//! The trace that a request belongs to (W3C Trace Context, `traceparent`). It is passed on to the
//! payment service with each call that the request causes.

use std::str::FromStr;

use axum::http::{HeaderName, HeaderValue};

pub(crate) const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

/// The length of version 00: version, trace-id, parent-id and flags.
const LENGTH: usize = 55;

tokio::task_local! {
    static CURRENT: Option<Trace>;
}

/// A trace: the `trace-id` with 32 hexadecimal digits, and the flags with two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trace {
    id: String,
    flags: String,
}

impl Trace {
    pub(crate) fn id(&self) -> &str {
        &self.id
    }
}

/// Parses a `traceparent`. Later versions may have more fields at the end.
impl FromStr for Trace {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let fields: Vec<_> = text.split('-').collect();
        let [version, id, parent, flags, ..] = *fields else {
            return Err(());
        };
        let is_hex = |field: &str, length: usize| {
            let digits = field.bytes();
            field.len() == length
                && digits.fold(true, |all, digit| {
                    all & matches!(digit, b'0'..=b'9' | b'a'..=b'f')
                })
        };
        let is_set = |field: &str| field.bytes().any(|digit| digit != b'0');
        let is_valid = is_hex(version, 2)
            && version != "ff"
            && (version != "00" || text.len() == LENGTH)
            && is_hex(id, 32)
            && is_set(id)
            && is_hex(parent, 16)
            && is_set(parent)
            && is_hex(flags, 2);
        is_valid
            .then(|| Self {
                id: id.to_owned(),
                flags: flags.to_owned(),
            })
            .ok_or(())
    }
}

/// Runs `work` as part of this trace.
pub(crate) async fn within<F: Future>(trace: Option<Trace>, work: F) -> F::Output {
    CURRENT.scope(trace, work).await
}

/// The trace that the current task works for.
pub(crate) fn current() -> Option<Trace> {
    CURRENT.try_with(Clone::clone).ok().flatten()
}

/// The `traceparent` of a call to the service. Its parent-id is random.
pub(crate) fn header() -> Option<HeaderValue> {
    let Trace { id, flags, .. } = current()?;
    let mut parent = [0; 8];
    aws_lc_rs::rand::fill(&mut parent).ok()?;
    let parent = hex::encode(parent);
    HeaderValue::from_str(&format!("00-{id}-{parent}-{flags}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

    #[test]
    fn only_valid_headers_are_accepted() {
        let parent = "00f067aa0ba902b7";
        for good in [
            format!("00-{ID}-{parent}-01"),
            format!("00-{ID}-{parent}-00"),
            format!("cc-{ID}-{parent}-01-what-the-future-will-be-like"),
        ] {
            assert_eq!(good.parse::<Trace>().unwrap().id(), ID);
        }
        let zeros = "0".repeat(32);
        for bad in [
            String::new(),
            format!("00-{ID}-{parent}"),
            format!("00-{ID}-{parent}-01-more"),
            format!("ff-{ID}-{parent}-01"),
            format!("00-{zeros}-{parent}-01"),
            format!("00-{ID}-0000000000000000-01"),
            format!("00-{}-{parent}-01", ID.to_uppercase()),
            format!("00-{ID}-{parent}-0x"),
            format!("00-{ID}ä-{parent}-01"),
        ] {
            assert_eq!(bad.parse::<Trace>(), Err(()), "{bad}");
        }
    }

    #[tokio::test]
    async fn each_call_has_a_parent_of_its_own() {
        assert_eq!(header(), None);
        let trace = format!("00-{ID}-00f067aa0ba902b7-01").parse().ok();
        within(trace, async {
            let (first, second) = (header().unwrap(), header().unwrap());
            assert_ne!(first, second);
            for header in [first, second] {
                let again: Trace = header.to_str().unwrap().parse().unwrap();
                assert_eq!(again.id(), ID);
            }
        })
        .await;
    }
}
