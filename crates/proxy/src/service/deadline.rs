//! A request body with a deadline.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use axum::body::Bytes;
use http_body::{Body, Frame, SizeHint};

use crate::clock::Deadline;

/// Returns its bytes when they are about to be written to the connection, or fails if the deadline
/// has passed. Whatever delayed the request, such as a slow connection or a suspended machine, the
/// service can't execute it without its body.
pub(super) struct DeadlineBody {
    bytes: Option<Bytes>,
    send_by: Deadline,
    sent: Arc<AtomicBool>,
}

/// Whether the bytes were written.
#[derive(Clone, Default)]
pub(super) struct Sent(Arc<AtomicBool>);

impl Sent {
    pub(super) fn is_sent(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

/// The deadline has passed.
#[derive(Debug, thiserror::Error)]
#[error("the deadline for sending it has passed")]
pub(super) struct DeadlinePassed;

impl DeadlineBody {
    pub(super) fn new(bytes: Vec<u8>, send_by: Deadline, sent: &Sent) -> Self {
        Self {
            bytes: Some(bytes.into()),
            send_by,
            sent: Arc::clone(&sent.0),
        }
    }
}

impl Body for DeadlineBody {
    type Data = Bytes;
    type Error = DeadlinePassed;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, DeadlinePassed>>> {
        let Some(bytes) = self.bytes.take() else {
            return Poll::Ready(None);
        };
        if self.send_by.has_passed() {
            return Poll::Ready(Some(Err(DeadlinePassed)));
        }
        self.sent.store(true, Ordering::Release);
        Poll::Ready(Some(Ok(Frame::data(bytes))))
    }

    fn is_end_stream(&self) -> bool {
        self.bytes.is_none()
    }

    fn size_hint(&self) -> SizeHint {
        let length = self.bytes.as_ref().map_or(0, Bytes::len);
        SizeHint::with_exact(u64::try_from(length).unwrap_or(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant, SystemTime};

    use super::*;

    fn bytes_of(body: DeadlineBody) -> Option<Result<Bytes, DeadlinePassed>> {
        let mut body = Box::pin(body);
        let mut context = Context::from_waker(std::task::Waker::noop());
        match body.as_mut().poll_frame(&mut context) {
            Poll::Ready(frame) => frame.map(|frame| frame.map(|frame| frame.into_data().unwrap())),
            Poll::Pending => panic!("there is nothing to wait for"),
        }
    }

    #[test]
    fn a_body_is_not_sent_after_its_deadline() {
        let (now, wall) = (Instant::now(), SystemTime::now());
        let minute = Duration::from_mins(1);
        let sent = Sent::default();
        let late = DeadlineBody::new(
            b"body".to_vec(),
            Deadline::new(now, wall - 2 * minute, minute),
            &sent,
        );
        assert!(matches!(bytes_of(late), Some(Err(DeadlinePassed))));
        assert!(!sent.is_sent());
        let early = DeadlineBody::new(b"body".to_vec(), Deadline::new(now, wall, minute), &sent);
        assert_eq!(early.size_hint().exact(), Some(4));
        assert!(!sent.is_sent());
        assert_eq!(bytes_of(early).unwrap().unwrap(), "body");
        assert!(sent.is_sent());
    }
}
