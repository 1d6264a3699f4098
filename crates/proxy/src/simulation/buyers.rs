//! The buyers' devices: what their pages ask the proxy, and what they note of its answers.

use aws_lc_rs::digest::{SHA256, digest};
use axum::body::Body;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};
use tender_protocol::path;

use super::history::{Event, How, Mark, View};
use super::scene::Scene;
use super::script::{Device, Order, Token};
use crate::http::client_ip::Peer;

/// The address of the buyer of all orders.
pub(super) const BUYER: &str = "buyer@mail.example";

/// The page of an order on a device.
#[derive(Default)]
pub(super) struct Page {
    /// The first link that the device got.
    pub(super) link: Option<String>,
    /// How many payments the page has asked for. Each has a key of its own.
    attempts: u32,
    /// The token of the last one.
    token: Option<Token>,
    /// How many marks it has set. Each has a secret of its own.
    marks: u32,
    pub(super) shown: Option<Shown>,
}

/// The payment that a page shows.
#[derive(Clone)]
pub(super) struct Shown {
    pub(super) id: String,
    receipt: String,
    pub(super) asks: bool,
    /// The page's mark, from the first request for it.
    mark: Option<Mark>,
}

/// What a device has asked the proxy.
#[derive(Clone, Debug)]
pub(super) enum Asked {
    Create,
    Find,
    Read,
    Cancel,
    Mark(Mark),
}

impl Token {
    fn code(self) -> &'static str {
        match self {
            Self::Trx => "trx",
            Self::Btc => "btc",
        }
    }
}

/// A request to the proxy from a machine of this number.
pub(super) fn request(
    method: Method,
    path: &str,
    machine: u8,
    bearer: Option<&str>,
    body: Option<&Value>,
) -> Request<Body> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("host", "pay.shop.example")
        .extension(Peer(([192, 0, 2, machine], 443).into()));
    if let Some(bearer) = bearer {
        request = request.header(AUTHORIZATION, format!("Bearer {bearer}"));
    }
    match body {
        Some(body) => request
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_string().into()),
        None => request.body(Body::empty()),
    }
    .unwrap()
}

impl Page {
    /// Asks for a payment of an order, with its link. A page repeats the request for the token that it asked for last with the
    /// same key. `replacing`: the payment that it shows.
    pub(super) fn create(
        &mut self,
        (of, order): (Order, &str),
        token: Token,
        machine: u8,
        replacing: bool,
    ) -> Option<Request<Body>> {
        if self.token != Some(token) || replacing {
            self.token = Some(token);
            self.attempts += 1;
        }
        let token = token.code();
        let mut body = json!({ "order": order, "paymentToken": token, "purchaseEmail": BUYER });
        let mut receipt = None;
        if replacing {
            let shown = self.shown.as_ref()?;
            body["replaces"] = json!(shown.id);
            receipt = Some(&*shown.receipt);
        }
        let mut request = request(Method::POST, path::PAYMENT, machine, receipt, Some(&body));
        let number = self.attempts;
        let key = format!("{machine}-{number} of {of}");
        let headers = request.headers_mut();
        headers.insert("idempotency-key", key.parse().unwrap());
        Some(request)
    }

    pub(super) fn find(&mut self, newest: String, machine: u8) -> Request<Body> {
        let link = self.link.get_or_insert(newest);
        request(Method::GET, path::PAYMENT, machine, Some(link), None)
    }

    pub(super) fn read(&self, machine: u8, below: &str) -> Option<Request<Body>> {
        let shown = self.shown.as_ref()?;
        let path = format!("{}/{}{below}", path::PAYMENT, shown.id);
        let receipt = Some(&*shown.receipt);
        Some(request(Method::GET, &path, machine, receipt, None))
    }

    pub(super) fn cancel(&self, machine: u8) -> Option<Request<Body>> {
        let shown = self.shown.as_ref()?;
        let body = json!({ "transactionId": shown.id });
        let receipt = Some(&*shown.receipt);
        Some(request(
            Method::POST,
            path::CANCEL,
            machine,
            receipt,
            Some(&body),
        ))
    }

    /// Asks whether money may be sent for the payment, if the page asks for some: again, if it has not got an answer.
    pub(super) fn mark(&mut self, machine: u8) -> Option<(Mark, Request<Body>)> {
        let shown = self.shown.as_mut()?;
        let mark = match &shown.mark {
            Some(mark) => mark.clone(),
            None if !shown.asks => return None,
            None => {
                self.marks += 1;
                Mark {
                    id: shown.id.clone(),
                    secret: format!("{} of {machine}", self.marks),
                }
            }
        };
        shown.mark = Some(mark.clone());
        let receipt = Some(&*shown.receipt);
        let request = request(Method::PUT, &mark.path(), machine, receipt, None);
        Some((mark, request))
    }

    pub(super) fn unmark(&mut self, machine: u8) -> Option<(Mark, Request<Body>)> {
        let shown = self.shown.as_mut()?;
        let mark = shown.mark.take()?;
        let body = json!({ "secret": mark.secret });
        let receipt = Some(&*shown.receipt);
        let request = request(Method::DELETE, &mark.path(), machine, receipt, Some(&body));
        Some((mark, request))
    }
}

impl Mark {
    fn path(&self) -> String {
        let digest = hex::encode(digest(&SHA256, self.secret.as_bytes()));
        format!("{}/{}{}/{digest}", path::PAYMENT, self.id, path::SENT)
    }
}

impl Scene {
    /// Notes the answer to what a device has asked.
    pub(super) fn answered(
        &mut self,
        (order, device): (Order, Device),
        asked: Asked,
        status: StatusCode,
        body: &[u8],
    ) {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        let page = self.pages.entry((order, device)).or_default();
        let event = match asked {
            _ if !status.is_success() => Event::Refused {
                order,
                device,
                code: json["code"].as_str().unwrap_or_default().to_owned(),
            },
            Asked::Find if status == StatusCode::NO_CONTENT => {
                page.shown = None;
                Event::ShownNothing { order, device }
            }
            Asked::Create | Asked::Find => {
                let how = if matches!(asked, Asked::Find) {
                    How::Find
                } else {
                    How::Create
                };
                let view = View::of(&json);
                let mark = page
                    .shown
                    .take()
                    .filter(|shown| shown.id == view.payment.id);
                page.shown = Some(Shown {
                    id: view.payment.id.clone(),
                    receipt: json["receipt"].as_str().unwrap_or_default().to_owned(),
                    asks: view.asks,
                    mark: mark.and_then(|shown| shown.mark),
                });
                Event::Shown {
                    order,
                    device,
                    how,
                    view,
                }
            }
            Asked::Read => return self.shown((order, device), How::Read, View::of(&json)),
            Asked::Cancel => return,
            Asked::Mark(mark) => Event::Marked {
                mark,
                is_first: json["first"] == true,
            },
        };
        self.history.add(event);
    }

    /// Notes what a page shows of its payment.
    pub(super) fn shown(&mut self, (order, device): (Order, Device), how: How, view: View) {
        let page = self.pages.entry((order, device)).or_default();
        if let Some(shown) = page
            .shown
            .as_mut()
            .filter(|shown| shown.id == view.payment.id)
        {
            shown.asks = view.asks;
        }
        self.history.add(Event::Shown {
            order,
            device,
            how,
            view,
        });
    }
}
