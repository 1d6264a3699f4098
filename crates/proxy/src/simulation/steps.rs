//! Carries out each step of a script.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tender_protocol::path;
use tokio::task::AbortHandle;
use tower::ServiceExt as _;

use super::buyers::{Asked, Page, request};
use super::history::{Event, How, View};
use super::operator::MERCHANT_KEY;
use super::scene::Scene;
use super::script::{Device, Order, Step, Token, Which};
use super::world::World;
use super::{doors, shop};

/// The number of the machine of the shop and the merchant, beside those of the devices.
const MERCHANT: u8 = 200;

impl World {
    pub(super) fn step(&mut self, step: Step) {
        match step {
            Step::Pay(order, device, token) => self.create(order, device, token, false),
            Step::Replace(order, device, token) => self.create(order, device, token, true),
            Step::Open(order, device) => {
                let link = self.scene.lock().shop.sign(order);
                let request = self.page(order, device, |page, machine| {
                    Some(page.find(link, machine))
                });
                self.ask(order, device, Asked::Find, request);
            }
            Step::Read(order, device) => {
                let request = self.page(order, device, |page, machine| page.read(machine, ""));
                self.ask(order, device, Asked::Read, request);
            }
            Step::Insist(order, device) => {
                for _ in 0..10 {
                    self.step(Step::Open(order, device));
                    self.step(Step::Read(order, device));
                    self.step(Step::Cancel(order, device));
                    self.step(Step::Pay(order, device, Token::Trx));
                }
            }
            Step::Watch(order, device) => self.watch(order, device),
            Step::Cancel(order, device) => {
                let request = self.page(order, device, |page, machine| page.cancel(machine));
                self.ask(order, device, Asked::Cancel, request);
            }
            Step::Send(order, device) => self.mark(order, device, false),
            Step::LoseMark(order, device) => self.mark(order, device, true),
            Step::Unmark(order, device) => {
                if let Some((mark, request)) = self.page(order, device, Page::unmark) {
                    // From now on, because it may be done before its response arrives.
                    self.note(Event::Unmarks(mark));
                    self.send(request, |_, _, _| {});
                }
            }
            Step::MerchantCancels(order) => {
                if let Some(id) = self.payment_of(order, Which::Latest) {
                    self.note(Event::MerchantCancels { order });
                    let body = json!({ "transactionId": id });
                    let request = by_merchant(Method::POST, path::CANCEL, Some(&body));
                    self.send(request, |_, _, _| {});
                }
            }
            Step::Release(order, which) => {
                if let Some(id) = self.payment_of(order, which) {
                    let path = format!("{}/{id}{}", path::PAYMENT, path::RELEASE);
                    // From now on, because it may be done before its response arrives.
                    self.note(Event::Released { order, id });
                    self.send(by_merchant(Method::POST, &path, None), |_, _, _| {});
                }
            }
            Step::Ask(order) => self.ask_for_order(order),
            Step::OpenDashboard => self.open_dashboard(),
            Step::CloseDashboard => {
                self.dashboard.take().inspect(AbortHandle::abort);
            }
            Step::Shop(reply) => {
                let replies = &mut self.scene.lock().shop.replies;
                // After a third failure in a row, the next try is hours later.
                if replies.len() < 3 {
                    replies.push_back(reply);
                }
            }
            Step::Next(endpoint, fate) => self.scene.lock().service.will(endpoint, fate),
            Step::Becomes(order, which, status) => {
                let scene = &mut *self.scene.lock();
                if let Some(known) = scene.service.payment_of(order, which) {
                    known.status = status;
                    let id = known.payment.id.clone();
                    scene.history.add(Event::Moved { id, status });
                }
            }
            Step::List(order, oddity) => {
                let Scene {
                    service, history, ..
                } = &mut *self.scene.lock();
                service.list_oddly(order, oddity, history);
            }
            Step::Lag(lags) => self.scene.lock().service.lags = lags,
            Step::Crowd(count) => self.scene.lock().service.crowd(count),
            Step::Wait(seconds) => self.pass(Duration::from_secs(seconds.into())),
            Step::Restart => {
                self.stop();
                self.start();
            }
            Step::Kill => {
                self.kill();
                self.start();
            }
            Step::Downtime(days) => {
                self.stop();
                self.pass(Duration::from_hours(24 * u64::from(days)));
                self.start();
                // Until what is too old is pruned.
                self.pass(Duration::from_secs(200));
            }
            Step::Backup => self.back_up(),
            Step::Restore => self.restore(),
            Step::Clock(hours) => doors::set_clock(i64::from(hours) * 3600),
            Step::Map(is_mapped) => self.map(is_mapped),
            Step::RotateKeys => self.rotate_keys(),
            Step::CountPages(first) => self.scene.lock().service.first_page = first.into(),
        }
    }

    fn payment_of(&self, order: Order, which: Which) -> Option<String> {
        let known = &mut self.scene.lock().service;
        let known = known.payment_of(order, which)?;
        Some(known.payment.id.clone())
    }

    /// A request of a page, from the machine of this number.
    fn page<T>(
        &self,
        order: Order,
        device: Device,
        ask: impl FnOnce(&mut Page, u8) -> Option<T>,
    ) -> Option<T> {
        let pages = &mut self.scene.lock().pages;
        ask(pages.entry((order, device)).or_default(), device + 1)
    }

    fn create(&mut self, order: Order, device: Device, token: Token, replacing: bool) {
        let link = self.scene.lock().shop.sign(order);
        let request = self.page(order, device, |page, machine| {
            page.link.get_or_insert_with(|| link.clone());
            page.create((order, &link), token, machine, replacing)
        });
        let (Some(request), Some(_)) = (request, &self.run) else {
            return;
        };
        self.send(request, move |scene, status, body| {
            scene.answered((order, device), Asked::Create, status, body);
        });
    }

    fn mark(&mut self, order: Order, device: Device, loses_answer: bool) {
        let marking = self.page(order, device, Page::mark);
        let Some((mark, request)) = marking else {
            return;
        };
        self.note(Event::Marks(mark.clone()));
        if loses_answer {
            self.send(request, |_, _, _| {});
        } else {
            self.ask(order, device, Asked::Mark(mark), Some(request));
        }
    }

    fn ask(&mut self, order: Order, device: Device, asked: Asked, request: Option<Request<Body>>) {
        let Some(request) = request else { return };
        let note = move |scene: &mut Scene, status, body: &[u8]| {
            scene.answered((order, device), asked, status, body);
        };
        self.send(request, note);
    }

    /// Sends a request, and notes the response when it arrives.
    fn send(
        &mut self,
        request: Request<Body>,
        note: impl FnOnce(&mut Scene, StatusCode, &[u8]) + Send + 'static,
    ) {
        let Some(run) = &mut self.run else { return };
        let (router, scene) = (run.router.clone(), Arc::clone(&self.scene));
        run.spawn(async move {
            let (status, body) = answer(router, request).await;
            note(&mut scene.lock(), status, &body);
        });
    }

    fn ask_for_order(&mut self, order: Order) {
        let path = format!("{}?invoiceNumber={}", path::ORDERS, shop::invoice_of(order));
        let request = by_merchant(Method::GET, &path, None);
        self.send(request, move |scene, status, body| {
            let json: Value = serde_json::from_slice(body).unwrap_or_default();
            let count = |field: &str| json[field].as_array().cloned().unwrap_or_default();
            if status.is_success() {
                scene.history.add(Event::Asked {
                    order,
                    views: count("payments").iter().map(View::of).collect(),
                    doubts: count("doubts").len(),
                    creating: json["creating"] == true,
                    is_memory_short: json["memorySince"].is_string(),
                });
            }
        });
    }

    fn open_dashboard(&mut self) {
        let Some(run) = &mut self.run else { return };
        let router = run.router.clone();
        let request = by_merchant(Method::GET, path::EVENTS, None);
        let reading = run.spawn_stream(async move {
            let response = router.oneshot(request).await.unwrap();
            let mut body = response.into_body().into_data_stream();
            while body.next().await.is_some() {}
        });
        self.dashboard.replace(reading).inspect(AbortHandle::abort);
    }

    fn watch(&mut self, order: Order, device: Device) {
        let request = self.page(order, device, |page, machine| page.read(machine, "/events"));
        let (Some(run), Some(request)) = (&mut self.run, request) else {
            return;
        };
        let (router, scene) = (run.router.clone(), Arc::clone(&self.scene));
        run.spawn_stream(async move {
            let response = router.oneshot(request).await.unwrap();
            let mut body = response.into_body().into_data_stream();
            while let Some(Ok(event)) = body.next().await {
                let event = String::from_utf8_lossy(&event);
                let record = event.lines().find_map(|line| line.strip_prefix("data: {"));
                let record = record.map(|record| serde_json::from_str(&format!("{{{record}")));
                if let Some(Ok(record)) = record {
                    let view = View::of(&record);
                    scene.lock().shown((order, device), How::Stream, view);
                }
            }
        });
    }
}

/// The response of the proxy.
async fn answer(router: Router, request: Request<Body>) -> (StatusCode, Vec<u8>) {
    let response = router.oneshot(request).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await;
    (status, body.unwrap_or_default().into())
}

fn by_merchant(method: Method, path: &str, body: Option<&Value>) -> Request<Body> {
    request(method, path, MERCHANT, Some(MERCHANT_KEY), body)
}
