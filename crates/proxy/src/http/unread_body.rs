//! Reads what a refused request goes on sending.
//!
//! A request is refused as soon as that is decided, also before its body has arrived. A connection that is then closed
//! at once is reset while the client sends, and many clients report a failed connection instead of the answer: a server
//! in front of the proxy makes a 502 of it (RFC 9112, section 9.6).

use std::mem;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Error;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::EXPECT;
use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Frame, SizeHint};

/// No page sends as much. The connection of a longer body is closed at once.
const MAX_LENGTH: usize = 1 << 20;

/// How long the rest of a body may take.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Returns the request with a body whose rest is read in a task, if the body is dropped before its end.
pub(crate) async fn read_after(request: Request) -> Request {
    // A client that sent `Expect: 100-continue` waits before it sends a body.
    if request.headers().contains_key(EXPECT) || request.body().is_end_stream() {
        return request;
    }
    request.map(|body| Body::new(ReadAfter(body)))
}

struct ReadAfter(Body);

impl HttpBody for ReadAfter {
    type Data = Bytes;
    type Error = Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Error>>> {
        Pin::new(&mut self.0).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.0.size_hint()
    }
}

impl Drop for ReadAfter {
    fn drop(&mut self) {
        if !self.0.is_end_stream() && self.0.size_hint().lower() <= MAX_LENGTH as u64 {
            let mut rest = Limited::new(mem::take(&mut self.0), MAX_LENGTH);
            // To the end, or to the first error: then nothing is left to do for the client.
            let read = async move { while let Some(Ok(_)) = rest.frame().await {} };
            tokio::spawn(tokio::time::timeout(TIMEOUT, read));
        }
    }
}
