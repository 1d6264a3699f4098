//! What is between the proxy and the service, and between the proxy and the shop.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::{Response, StatusCode};
use futures_util::future::BoxFuture;
use futures_util::stream::iter;
use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Frame;
use parking_lot::Mutex;
use reqwest::Body;
use serde_json::Value;
use tokio::time::{sleep, timeout};

use super::history::Event;
use super::scene::Scene;
use super::script::{Fate, Reply};
use super::service::{Answer, Request};
use super::shop::Shop;
use crate::transport::{Failure, Simulated};

/// The host of the service's address.
pub(super) const SERVICE: &str = "service.example";

/// How long a request or an answer takes.
const LATENCY: Duration = Duration::from_millis(20);

/// How much later a request is executed whose connection was lost: less than `upstream_settle_seconds`.
const LATE: Duration = Duration::from_secs(1);

/// The timeout of a request that has none of its own.
const TIMEOUT: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub(super) struct Network(Arc<Mutex<Scene>>);

impl Simulated for Network {
    fn answer(
        &self,
        request: reqwest::Request,
    ) -> BoxFuture<'_, Result<reqwest::Response, Failure>> {
        Box::pin(self.send(request))
    }
}

impl Network {
    pub(super) fn new(scene: &Arc<Mutex<Scene>>) -> Self {
        Self(Arc::clone(scene))
    }

    async fn send(&self, mut request: reqwest::Request) -> Result<reqwest::Response, Failure> {
        let time = request.timeout().copied().unwrap_or(TIMEOUT);
        let body = request.body_mut().take().unwrap_or_default();
        let is_to_service = request.url().host_str() == Some(SERVICE);
        let answer = async {
            if is_to_service {
                self.ask_service(&request, body).await
            } else {
                self.notify_shop(&request, body).await
            }
        };
        let answer = timeout(time, answer).await;
        answer.unwrap_or_else(|_| Err(Failure::Timeout("the time has passed".to_owned())))
    }

    async fn ask_service(
        &self,
        request: &reqwest::Request,
        body: Body,
    ) -> Result<reqwest::Response, Failure> {
        let endpoint = read(request, &Value::Null).endpoint();
        let fate = self.0.lock().service.next_fate(endpoint);
        if fate == Some(Fate::NoConnection) {
            return Err(Failure::NoConnection("nobody listens".to_owned()));
        }
        sleep(LATENCY).await;
        let lost = || Failure::ConnectionLost("the connection broke".to_owned());
        // This is when the proxy decides whether it is too late to send it.
        let body = body.collect().await.map_err(|_| lost())?.to_bytes();
        let request = read(request, &serde_json::from_slice(&body).unwrap_or_default());
        match fate {
            Some(Fate::NoConnection | Fate::LoseRequest) => Err(lost()),
            Some(Fate::Late) => {
                self.0.lock().service.execute_later(request, LATE);
                Err(lost())
            }
            Some(Fate::Fail(status)) => self.arrives(None, refusal(status)).await,
            executed => {
                let (created, answer) = {
                    let scene = &mut *self.0.lock();
                    scene.service.arrive(&mut scene.history);
                    if executed == Some(Fate::Twice) {
                        let again = request.clone();
                        scene.service.execute_again(again, &mut scene.history);
                    }
                    let request = match request {
                        Request::List { page, .. } => {
                            let repeats = executed == Some(Fate::Repeat);
                            Request::List { page, repeats }
                        }
                        request => request,
                    };
                    scene.service.execute(request, &mut scene.history)
                };
                let _settled = Settled(self, created.clone());
                match executed {
                    Some(Fate::Hang) => std::future::pending().await,
                    Some(Fate::LoseAnswer) => Err(lost()),
                    Some(Fate::FailAfter(status)) => self.arrives(None, refusal(status)).await,
                    Some(Fate::Cut) => Ok(cut(&answer.body)),
                    Some(Fate::Slow(seconds)) => {
                        sleep(Duration::from_secs(seconds.into())).await;
                        self.arrives(created, answer).await
                    }
                    _ => self.arrives(created, answer).await,
                }
            }
        }
    }

    /// The proxy gets an answer.
    async fn arrives(
        &self,
        created: Option<String>,
        answer: Answer,
    ) -> Result<reqwest::Response, Failure> {
        sleep(LATENCY).await;
        let scene = &mut *self.0.lock();
        scene.service.answered(created.as_deref());
        answer
            .tells
            .into_iter()
            .for_each(|event| scene.history.add(event));
        Ok(response(answer.status, answer.body.into()))
    }

    async fn notify_shop(
        &self,
        request: &reqwest::Request,
        body: Body,
    ) -> Result<reqwest::Response, Failure> {
        sleep(LATENCY).await;
        let id = request.headers().get("webhook-id");
        let id = id.map_or_else(String::new, |id| id.to_str().unwrap().to_owned());
        let lost = |_| Failure::ConnectionLost("the connection broke".to_owned());
        let body = body.collect().await.map_err(lost)?.to_bytes();
        let reply = {
            let scene = &mut *self.0.lock();
            Shop::receive(id.clone(), &body, &mut scene.history);
            scene.shop.replies.pop_front()
        };
        let status = match reply {
            None => StatusCode::OK,
            Some(Reply::Fail) => StatusCode::INTERNAL_SERVER_ERROR,
            Some(Reply::Hang) => std::future::pending().await,
            Some(Reply::Slow) => {
                sleep(Duration::from_secs(10)).await;
                StatusCode::OK
            }
        };
        if status == StatusCode::OK {
            self.0.lock().history.add(Event::Accepted { id });
        }
        Ok(response(status, "{}".into()))
    }
}

/// The answer to a request to create a payment never arrives after this is dropped.
struct Settled<'a>(&'a Network, Option<String>);

impl Drop for Settled<'_> {
    fn drop(&mut self) {
        self.0.0.lock().service.answered(self.1.as_deref());
    }
}

fn read(request: &reqwest::Request, body: &Value) -> Request {
    let text = |field: &str| body[field].as_str().unwrap_or_default().to_owned();
    let url = request.url();
    match url.path() {
        "/api/v1/payment" => Request::Create {
            invoice: text("invoiceNumber"),
            payment_token: text("paymentToken"),
        },
        "/api/v1/payment/cancel" => Request::Cancel {
            id: text("transactionId"),
        },
        _ => {
            let page = url.query_pairs().find(|(name, _)| name == "page");
            let page = page.and_then(|(_, page)| page.parse().ok());
            Request::List {
                page: page.unwrap_or(1),
                repeats: false,
            }
        }
    }
}

fn refusal(status: u16) -> Answer {
    Answer::refusal(StatusCode::from_u16(status).unwrap())
}

fn response(status: StatusCode, body: Body) -> reqwest::Response {
    let response = Response::builder().status(status).body(body);
    response.unwrap().into()
}

/// An answer whose connection breaks in the middle.
fn cut(body: &str) -> reqwest::Response {
    let half = Bytes::from(body[..body.len() / 2].to_owned());
    let frames = [
        Ok(Frame::data(half)),
        Err(io::Error::from(io::ErrorKind::ConnectionReset)),
    ];
    response(StatusCode::OK, Body::wrap(StreamBody::new(iter(frames))))
}
