//! A merchant proxy that answers `fetch` from a script and remembers what it was sent.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use js_sys::{Array, Function, Promise, Reflect, TypeError};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, future_to_promise};
use web_sys::{DomException, Request, Response, ResponseInit, Url, window};

use crate::{page, record, stream};

/// The token listing.
pub const TOKENS: &str = "GET /api/v1/rates/my-tokens";
/// Create a payment.
pub const CREATE: &str = "POST /api/v1/payment";
/// The payment of a signed order.
pub const FIND: &str = "GET /api/v1/payment";
/// Cancel a payment.
pub const CANCEL: &str = "POST /api/v1/payment/cancel";

/// The latest record of the payment of [`record`].
pub fn status() -> String {
    format!("GET /api/v1/payment/{}", record::ID)
}

thread_local! {
    static NEXT: Cell<u32> = const { Cell::new(1) };
    static SCRIPTS: RefCell<HashMap<String, Rc<Script>>> = RefCell::default();
}

/// One proxy; each has an address of its own, so that no test receives another's requests.
pub struct Proxy {
    address: String,
    script: Rc<Script>,
}

/// Answers every request on a route.
type Service = dyn Fn(&Sent) -> Reply;

#[derive(Default)]
struct Script {
    replies: RefCell<HashMap<String, VecDeque<Reply>>>,
    services: RefCell<HashMap<String, Rc<Service>>>,
    requests: RefCell<Vec<Sent>>,
}

/// A request, as it would be on the wire.
#[derive(Clone, Debug)]
pub struct Sent {
    /// Method and path, with [`MARK`] for a mark.
    pub route: String,
    /// The path as it was sent.
    pub path: String,
    /// What is behind the path, with its `?`; empty where there is nothing.
    pub query: String,
    pub accept: Option<String>,
    pub authorization: Option<String>,
    pub idempotency_key: Option<String>,
    pub body: String,
}

impl Sent {
    /// The body, read.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// What a request gets.
#[derive(Clone)]
pub enum Reply {
    /// An answer: HTTP status and body.
    Answer(u16, String),
    /// Nothing: no network, no server, or a CORS refusal.
    Lost,
    /// Nothing for longer than the page waits.
    TimedOut,
    /// Nothing yet: what a [`Gate`] lets through.
    Held(Promise),
}

impl Reply {
    /// A success.
    pub fn ok(body: impl Into<String>) -> Self {
        Self::Answer(200, body.into())
    }

    /// A refusal or a failure as the proxy states it (RFC 9457).
    pub fn problem(status: u16, code: &str) -> Self {
        let problem = json!({
            "type": format!("https://tender.example/problems#{code}"),
            "title": "Title", "status": status, "detail": format!("Detail of {code}."), "code": code,
        });
        Self::Answer(status, problem.to_string())
    }

    fn outcome(self) -> Result<JsValue, JsValue> {
        match self {
            Self::Answer(status, body) => {
                let init = ResponseInit::new();
                init.set_status(status);
                // A response without content may have no body, not even an empty one.
                let body = (status != 204).then_some(&*body);
                Response::new_with_opt_str_and_init(body, &init).map(Into::into)
            }
            Self::Lost => Err(TypeError::new("Failed to fetch").into()),
            Self::TimedOut => Err(DomException::new_with_message_and_name(
                "signal timed out",
                "TimeoutError",
            )?
            .into()),
            Self::Held(promise) => Ok(promise.into()),
        }
    }
}

/// Holds a reply back until a test opens it.
pub struct Gate {
    resolve: Function,
    reject: Function,
}

impl Gate {
    /// Lets the reply go.
    pub fn open(self, reply: Reply) {
        let (through, value) = match reply.outcome() {
            Ok(value) => (self.resolve, value),
            Err(error) => (self.reject, error),
        };
        through.call1(&JsValue::UNDEFINED, &value).unwrap();
    }
}

impl Proxy {
    /// A proxy that lists the tokens of [`record::listing`] and answers nothing else.
    pub fn new() -> Self {
        page::prepare();
        let number = NEXT.replace(NEXT.get() + 1);
        Self::at(format!("https://proxy-{number}.example"))
    }

    /// A proxy at the page's own origin, on any path.
    pub fn here() -> Self {
        page::prepare();
        Self::at(window().unwrap().location().origin().unwrap())
    }

    fn at(address: String) -> Self {
        let script = Rc::<Script>::default();
        SCRIPTS.with_borrow_mut(|all| all.insert(address.clone(), Rc::clone(&script)));
        Self { address, script }
    }

    /// What goes into the `proxy` attribute.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The next answer on this route; later ones come after it.
    pub fn reply(&self, route: &str, reply: Reply) {
        let mut replies = self.script.replies.borrow_mut();
        replies
            .entry(route.to_owned())
            .or_default()
            .push_back(reply);
    }

    /// Answers on this route from now on, where no [`reply`](Self::reply) waits.
    pub fn serve(&self, route: &str, service: impl Fn(&Sent) -> Reply + 'static) {
        let mut services = self.script.services.borrow_mut();
        services.insert(route.to_owned(), Rc::new(service));
    }

    /// Holds back the next answer on this route.
    pub fn hold(&self, route: &str) -> Gate {
        let mut gate = None;
        let promise = Promise::new(&mut |resolve, reject| {
            gate = Some(Gate { resolve, reject });
        });
        self.reply(route, Reply::Held(promise));
        gate.unwrap()
    }

    /// What came in on this route.
    pub fn sent(&self, route: &str) -> Vec<Sent> {
        let requests = self.script.requests.borrow();
        let here = |sent: &&Sent| sent.route == route;
        requests.iter().filter(here).cloned().collect()
    }

    /// Forgets the requests so far.
    pub fn forget_requests(&self) {
        self.script.requests.take();
    }

    /// All that came in, in its order.
    pub fn everything(&self) -> Vec<Sent> {
        self.script.requests.borrow().clone()
    }

    /// How many requests came in, on any route.
    pub fn total(&self) -> usize {
        self.script.requests.borrow().len()
    }
}

impl Script {
    /// The next reply.
    fn next(&self, sent: &Sent) -> Reply {
        let route = &*sent.route;
        let mut replies = self.replies.borrow_mut();
        if let Some(scripted) = replies.get_mut(route).and_then(VecDeque::pop_front) {
            return match scripted {
                Reply::Answer(200, record) if route == CREATE => {
                    Reply::ok(record::answering(&record, &sent.json()))
                }
                other => other,
            };
        }
        let service = self.services.borrow().get(route).cloned();
        service.map_or_else(|| unserved(route), |service| service(sent))
    }
}

/// What follows the payment in the route of a mark.
pub const MARK: &str = "/sent/{digest}";

/// Without a script the tokens are listed, no order has a payment, marks are stored and removed, and every other request is
/// lost.
fn unserved(route: &str) -> Reply {
    if route.ends_with("/my-tokens") {
        Reply::ok(record::listing())
    } else if route == FIND {
        Reply::Answer(204, String::new())
    } else if route.ends_with(MARK) {
        Reply::ok(r#"{"first":true,"removable":true}"#)
    } else {
        Reply::Lost
    }
}

/// A proxy without the form of the first paint. The browser would look up the proxy's host name, which can take longer than
/// a test waits.
const NO_FORM: &str =
    "XMLHttpRequest = class { open() {} send() { queueMicrotask(() => this.onloadend()); } }";

/// Takes the place of the page's `fetch`; what is not for a [`Proxy`] goes to the browser.
pub(crate) fn install() {
    let window = window().unwrap();
    Function::new_no_args(NO_FORM)
        .call0(&JsValue::UNDEFINED)
        .unwrap();
    let native: Function = Reflect::get(&window, &"fetch".into())
        .unwrap()
        .unchecked_into();
    let stand_in =
        Closure::<dyn FnMut(JsValue, JsValue) -> Promise>::new(move |input, init: JsValue| {
            let request = request(&input, &init);
            if let Some(answer) = stream::answer(&request) {
                return answer;
            }
            match script(&request) {
                Some((script, route)) => future_to_promise(answer(script, route, request)),
                None => native
                    .call1(&JsValue::UNDEFINED, &request)
                    .unwrap()
                    .unchecked_into(),
            }
        });
    Reflect::set(&window, &"fetch".into(), &stand_in.into_js_value()).unwrap();
}

/// As `fetch` reads its arguments.
fn request(input: &JsValue, init: &JsValue) -> Request {
    let class = Reflect::get(&js_sys::global(), &"Request".into()).unwrap();
    let class: &Function = class.unchecked_ref();
    let request = Reflect::construct(class, &Array::of2(input, init));
    request.unwrap().unchecked_into()
}

fn script(request: &Request) -> Option<(Rc<Script>, String)> {
    let url = Url::new(&request.url()).unwrap();
    let script = SCRIPTS.with_borrow(|all| all.get(&url.origin()).cloned())?;
    let mut path = url.pathname();
    // Tests can't predict the digest, because the page's secret is random.
    if let Some((of_payment, _)) = path.split_once("/sent/") {
        path = format!("{of_payment}{MARK}");
    }
    Some((script, format!("{} {path}", request.method())))
}

async fn answer(script: Rc<Script>, route: String, request: Request) -> Result<JsValue, JsValue> {
    let header = |name| request.headers().get(name).unwrap();
    // A request without a body is recorded before any other task runs; reading its body can take longer than what a test
    // waits for.
    let body = match &*request.method() {
        "GET" | "HEAD" => String::new(),
        _ => JsFuture::from(request.text()?).await?.as_string().unwrap(),
    };
    let url = Url::new(&request.url())?;
    let sent = Sent {
        path: url.pathname(),
        query: url.search(),
        accept: header("accept"),
        authorization: header("authorization"),
        idempotency_key: header("idempotency-key"),
        body,
        route,
    };
    script.requests.borrow_mut().push(sent.clone());
    match script.next(&sent).outcome()?.dyn_into::<Promise>() {
        Ok(held) => JsFuture::from(held).await,
        Err(answer) => Ok(answer),
    }
}
