//! Carries out a script.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use futures_util::StreamExt as _;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::path;
use tokio::task::AbortHandle;
use tower::ServiceExt as _;

use super::buyers::{Asked, request};
use super::doors::{self, Opened};
use super::faults::{Behaviour, is_off};
use super::history::{Event, History, How, View};
use super::network::Network;
use super::operator::{MERCHANT_KEY, Run};
use super::scene::Scene;
use super::script::{Device, Order, Step, Which};
use super::{promises, shop};

/// The number of the machine of the shop and the merchant, beside those of the devices.
const MERCHANT: u8 = 200;

/// How long the proxy may take to tell everything once everything is calm, step by step: also a notification that failed
/// three times.
const CALM: [u64; 4] = [40, 60, 400, 2400];

pub(super) struct World {
    scene: Arc<Mutex<Scene>>,
    network: Network,
    run: Option<Run>,
    is_mapped: bool,
    dashboard: Option<AbortHandle>,
    file: PathBuf,
    _directory: TempDir,
    _doors: Opened,
}

/// The end of a script.
pub(super) struct Ended {
    pub(super) history: History,
    /// The promise that was broken, and how.
    pub(super) broken: Option<promises::Broken>,
    /// How long it took, in the time of the simulation.
    pub(super) time: Duration,
}

/// Carries out a script, and then waits until the proxy has told everything.
pub(super) fn play(script: &[Step]) -> Ended {
    let mut world = World::new();
    for step in script {
        world.step(*step);
        world.pass(Duration::from_secs(1));
    }
    let broken = world.calm_down();
    let time = doors::now();
    if let Some(run) = world.run.take() {
        run.kill();
    }
    let history = std::mem::take(&mut world.scene.lock().history);
    Ended {
        history,
        broken,
        time,
    }
}

impl World {
    fn new() -> Self {
        let doors = Opened::new(1);
        let memory = PathBuf::from("/dev/shm");
        let directory = if memory.is_dir() {
            tempfile::tempdir_in(memory)
        } else {
            tempfile::tempdir()
        };
        let directory = directory.unwrap();
        let scene = Arc::<Mutex<Scene>>::default();
        let mut world = Self {
            network: Network::new(&scene),
            scene,
            run: None,
            is_mapped: true,
            dashboard: None,
            file: directory.path().join("tender.db"),
            _directory: directory,
            _doors: doors,
        };
        world.note(Event::Mapped(true));
        world.start();
        world
    }

    fn note(&self, event: Event) {
        self.scene.lock().history.add(event);
    }

    fn start(&mut self) {
        self.run = Some(Run::start(&self.file, &self.network, self.is_mapped));
        self.note(Event::Runs(true));
    }

    fn stop(&mut self) {
        if let Some(run) = self.run.take() {
            run.stop();
            self.note(Event::Runs(false));
        }
    }

    fn pass(&mut self, time: Duration) {
        match &mut self.run {
            Some(run) => run.pass(time),
            None => doors::pass(time),
        }
        let scene = &mut *self.scene.lock();
        scene.service.arrive(&mut scene.history);
    }

    /// Everybody is well-behaved. Returns the promise that was broken.
    fn calm_down(&mut self) -> Option<promises::Broken> {
        {
            let scene = &mut *self.scene.lock();
            scene.service.calm_down();
            scene.shop.replies.clear();
        }
        self.map(true);
        let mut left = CALM.into_iter();
        loop {
            self.pass(Duration::from_secs(left.next()?));
            let scene = &*self.scene.lock();
            if let Some(broken) = promises::broken(&scene.history) {
                return Some(broken);
            }
            match promises::owed(&scene.history) {
                None => return None,
                owed if left.len() == 0 => return owed,
                Some(_) => {}
            }
        }
    }

    fn map(&mut self, is_mapped: bool) {
        if self.is_mapped != is_mapped {
            self.is_mapped = is_mapped;
            if let Some(run) = &mut self.run {
                run.reload(is_mapped);
            }
            self.note(Event::Mapped(is_mapped));
        }
    }

    fn step(&mut self, step: Step) {
        match step {
            Step::Pay(order, device, token) => self.create(order, device, token, false),
            Step::Replace(order, device, token) => self.create(order, device, token, true),
            Step::Open(order, device) => {
                let request = self.page(order, device, |page, machine| {
                    Some(page.find(shop::sign(order), machine))
                });
                self.ask(order, device, Asked::Find, request);
            }
            Step::Read(order, device) => {
                let request = self.page(order, device, |page, machine| page.read(machine, ""));
                self.ask(order, device, Asked::Read, request);
            }
            Step::Watch(order, device) => self.watch(order, device),
            Step::Cancel(order, device) => {
                let request = self.page(order, device, |page, machine| page.cancel(machine));
                self.ask(order, device, Asked::Cancel, request);
            }
            Step::Send(order, device) => {
                if let Some((id, request)) =
                    self.page(order, device, |page, machine| page.mark(machine))
                {
                    self.ask(order, device, Asked::Mark(id), Some(request));
                }
            }
            Step::Unmark(order, device) => {
                if let Some((id, request)) =
                    self.page(order, device, |page, machine| page.unmark(machine))
                {
                    self.ask(order, device, Asked::Unmark(id), Some(request));
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
            Step::List(order, oddity) => self.scene.lock().service.list_oddly(order, oddity),
            Step::Crowd(count) => self.scene.lock().service.crowd(count),
            Step::Wait(seconds) => self.pass(Duration::from_secs(seconds.into())),
            Step::Restart => {
                self.stop();
                self.start();
            }
            Step::Kill => {
                if let Some(run) = self.run.take() {
                    run.kill();
                }
                self.note(Event::Runs(false));
                self.start();
            }
            Step::Downtime(days) => {
                self.stop();
                self.pass(Duration::from_hours(24 * u64::from(days)));
                self.start();
                // Until what is too old is pruned.
                self.pass(Duration::from_secs(200));
            }
            Step::Clock(hours) => doors::set_clock(i64::from(hours) * 3600),
            Step::Map(is_mapped) => self.map(is_mapped),
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
        ask: impl FnOnce(&mut super::buyers::Page, u8) -> Option<T>,
    ) -> Option<T> {
        let pages = &mut self.scene.lock().pages;
        ask(pages.entry((order, device)).or_default(), device + 1)
    }

    fn create(
        &mut self,
        order: Order,
        device: Device,
        token: super::script::Token,
        replacing: bool,
    ) {
        let link = shop::sign(order);
        let request = self.page(order, device, |page, machine| {
            page.link.get_or_insert_with(|| link.clone());
            page.create(&link, token, machine, replacing)
        });
        let (Some(request), Some(_)) = (request, &self.run) else {
            return;
        };
        let creating = Creating::new(&self.scene, order);
        self.send(request, move |scene, status, body| {
            scene.answered((order, device), Asked::Create, status, body);
            creating.answered(scene);
        });
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
        if is_off(Behaviour::AskedWhileCreating) && self.scene.lock().is_creating(order) {
            return;
        }
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

/// A request to create a payment of this order, until it ends.
struct Creating {
    scene: Arc<Mutex<Scene>>,
    order: Order,
    is_answered: bool,
}

impl Creating {
    /// How long an attempt is locked after the machine has failed.
    const LOCKED: Duration = Duration::from_secs(25);

    fn new(scene: &Arc<Mutex<Scene>>, order: Order) -> Self {
        scene.lock().creating.entry(order).or_default().0 += 1;
        Self {
            scene: Arc::clone(scene),
            order,
            is_answered: false,
        }
    }

    fn answered(mut self, scene: &mut Scene) {
        scene.creating.entry(self.order).or_default().0 -= 1;
        self.is_answered = true;
    }
}

impl Drop for Creating {
    fn drop(&mut self) {
        if !self.is_answered {
            let creating = &mut self.scene.lock().creating;
            let (count, until) = creating.entry(self.order).or_default();
            *count -= 1;
            *until = doors::now() + Self::LOCKED;
        }
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
