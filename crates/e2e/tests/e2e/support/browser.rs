//! A browser with a fresh profile.

use std::fmt::Display;
use std::time::Duration;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use thirtyfour::cdp::Cdp;
use thirtyfour::error::WebDriverResult;
use thirtyfour::{By, Capabilities, WebDriver, WebElement};
use tokio::time::timeout;

use super::checkout::Checkout;
use super::driver::Driver;
use super::engine::{Engine, Preference};
use super::wait::until;

const RECORDER: &str = include_str!("recorder.js");

/// How often a browser is started. On a busy machine, `WebKitGTK` sometimes hangs before its first page.
const STARTS: u32 = 3;

/// How long each start may take.
const START_TIMEOUT: Duration = Duration::from_mins(1);

/// A session of a browser. Dropping it ends the session, even if the test fails.
pub(crate) struct Browser {
    pub(crate) driver: WebDriver,
    engine: Engine,
    /// Declared after the session, which must end first.
    _server: Driver,
}

/// An event that reached the page.
#[derive(Debug, Deserialize)]
pub(crate) struct PageEvent {
    #[serde(rename = "type")]
    pub(crate) name: String,
    pub(crate) detail: Value,
}

/// An element that records events and policy violations, for the head of a page.
pub(crate) fn recorder() -> String {
    format!("<script>{RECORDER}</script>")
}

/// Replaces `createElement`, which the modules need, with a function that throws once.
pub(crate) const BREAKS_ONCE: &str = "
    const { createElement, createElementNS } = Document.prototype;
    const broken = () => {
        Object.assign(Document.prototype, { createElement, createElementNS });
        throw new Error('a page that breaks the browser');
    };
    Object.assign(Document.prototype, { createElement: broken, createElementNS: broken });";

impl Browser {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Chromium with these additional arguments.
    pub(crate) async fn start_with(arguments: &[&str]) -> Self {
        let mut capabilities = Engine::Chromium.capabilities(&[]);
        let given = capabilities["goog:chromeOptions"]["args"].as_array_mut();
        given
            .unwrap()
            .extend(arguments.iter().map(|argument| json!(argument)));
        // For `console_errors`.
        capabilities.insert("goog:loggingPrefs".into(), json!({ "browser": "ALL" }));
        let browser = Self::open(Engine::Chromium, capabilities).await;
        browser.install(RECORDER).await;
        browser
    }

    /// The browser of another engine. Its pages record events only if they contain [`recorder`].
    pub(crate) async fn start_in(engine: Engine, preferences: &[Preference]) -> Self {
        Self::open(engine, engine.capabilities(preferences)).await
    }

    async fn open(engine: Engine, capabilities: Map<String, Value>) -> Self {
        for _ in 0..STARTS {
            let server = engine.driver();
            let started = WebDriver::new(&server.url, Capabilities::from(capabilities.clone()));
            let problem = match timeout(START_TIMEOUT, started).await {
                Ok(Ok(driver)) => {
                    let browser = Self {
                        driver,
                        engine,
                        _server: server,
                    };
                    if engine == Engine::Chromium {
                        browser.grant_copying().await;
                    }
                    return browser;
                }
                Ok(Err(error)) => format!("{error:?}"),
                Err(elapsed) => elapsed.to_string(),
            };
            eprintln!("{engine:?} doesn't start: {problem}");
        }
        panic!("{engine:?} has not started in {STARTS} attempts");
    }

    /// Grants what a press grants in the browser, but not in its shell without windows.
    async fn grant_copying(&self) {
        let copying = json!({ "permissions": ["clipboardSanitizedWrite"] });
        self.send("Browser.grantPermissions", copying).await;
    }

    /// Adds a script that runs before the scripts of each page, like a browser extension.
    pub(crate) async fn install(&self, script: &str) {
        let devtools = self.devtools();
        let page = devtools.page();
        let installed = page.add_script_to_evaluate_on_new_document(script);
        installed.await.unwrap();
    }

    /// Opens a page.
    pub(crate) async fn go(&self, url: impl AsRef<str>) {
        self.driver.goto(url.as_ref()).await.unwrap();
    }

    /// Opens a page, and returns its checkout.
    pub(crate) async fn visit(&self, url: &str) -> Checkout<'_> {
        self.go(url).await;
        self.checkout("tender-checkout").await
    }

    /// Loads the page again, and returns its checkout.
    pub(crate) async fn reload(&self) -> Checkout<'_> {
        self.driver.refresh().await.unwrap();
        self.checkout("tender-checkout").await
    }

    /// Does this in another tab, and closes it.
    pub(crate) async fn in_tab(&self, act: impl Future<Output = ()>) {
        let before = self.driver.window().await.unwrap();
        let tab = self.driver.new_tab().await.unwrap();
        self.driver.switch_to_window(tab).await.unwrap();
        act.await;
        self.driver.close_window().await.unwrap();
        self.driver.switch_to_window(before).await.unwrap();
    }

    /// Opens a page, and proceeds until the payment in this token is shown.
    pub(crate) async fn pay(&self, url: &str, token: &str) -> Checkout<'_> {
        let checkout = self.visit(url).await;
        checkout.pay(token).await;
        checkout
    }

    /// The checkout that a CSS selector finds on this page.
    pub(crate) async fn checkout(&self, css: &str) -> Checkout<'_> {
        Checkout::new(self, self.find(By::Css(css)).await)
    }

    /// The events dispatched so far.
    pub(crate) async fn events(&self) -> Vec<PageEvent> {
        self.run("return recorded.events", []).await
    }

    /// The names of the events dispatched so far.
    pub(crate) async fn event_names(&self) -> Vec<String> {
        let events = self.events().await.into_iter();
        events.map(|event| event.name).collect()
    }

    /// Waits for the first event of this name.
    pub(crate) async fn event(&self, name: &str) -> PageEvent {
        until(format_args!("the event {name}"), async || {
            let mut events = self.events().await.into_iter();
            Ok(events.find(|event| event.name == name))
        })
        .await
    }

    /// The violations of the page's Content Security Policy.
    pub(crate) async fn refused_by_policy(&self) -> Vec<String> {
        self.run("return recorded.refused", []).await
    }

    /// The exceptions of the page that nothing caught, and the messages of the elements' `tender-error` events; none of a page
    /// without the recorder.
    pub(super) async fn errors(&self) -> WebDriverResult<Value> {
        let script = "return window.recorded?.errors ?? []";
        let returned = self.driver.execute(script, Vec::new()).await?;
        Ok(returned.json().clone())
    }

    /// The errors logged to the console since the last call.
    pub(crate) async fn console_errors(&self) -> Vec<String> {
        let entries = self.driver.browser_log().await.unwrap();
        let errors = entries.into_iter().filter(|entry| entry.level == "SEVERE");
        errors.map(|entry| entry.message).collect()
    }

    /// Turns scripts on or off, for pages that are loaded from now on.
    pub(crate) async fn scripts(&self, are_on: bool) {
        let value = json!({ "value": !are_on });
        self.send("Emulation.setScriptExecutionDisabled", value)
            .await;
    }

    /// Waits for an element of the page.
    pub(crate) async fn find(&self, element: By) -> WebElement {
        until(format_args!("{element}"), async || {
            let found = self.driver.find_all(element.clone()).await?;
            Ok(found.into_iter().next())
        })
        .await
    }

    /// Waits until the page contains this text, outside of shadow roots.
    pub(crate) async fn reads(&self, text: &str) {
        until(format_args!("{text:?}"), async || {
            let body = self.driver.find(By::Tag("body")).await?;
            Ok(body.text().await?.contains(text).then_some(()))
        })
        .await;
    }

    /// Waits until the first heading of the page is this one.
    pub(crate) async fn is_headed(&self, heading: &str) {
        until(format_args!("the heading {heading:?}"), async || {
            let shown = self.driver.find(By::Tag("h1")).await?.text().await?;
            Ok((shown == heading).then_some(()))
        })
        .await;
    }

    /// Waits until a script returns true.
    pub(crate) async fn sees<const N: usize>(
        &self,
        what: impl Display,
        script: &str,
        arguments: [Value; N],
    ) {
        until(what, async || {
            let seen = self.driver.execute(script, arguments.to_vec()).await?;
            Ok((seen.json() == &json!(true)).then_some(()))
        })
        .await;
    }

    /// The addresses that the page has requested, and had an answer from.
    pub(crate) async fn requested(&self) -> Vec<String> {
        let script = "return performance.getEntriesByType('resource').map(({ name }) => name)";
        self.run(script, []).await
    }

    /// The amount to send, which the payment page must show.
    pub(crate) async fn amount(&self) -> String {
        until("an amount", async || {
            let amount = self.driver.find(By::Css("[part=amount]")).await?;
            amount.attr("data-value").await
        })
        .await
    }

    /// Waits for an image to load.
    pub(crate) async fn has_loaded(&self, image: &WebElement) {
        let script = "return arguments[0].complete && arguments[0].naturalWidth > 0";
        self.sees("a picture", script, [image.to_json().unwrap()])
            .await;
    }

    /// Sets a style of the page, and replaces the previous one.
    pub(crate) async fn set_style(&self, css: &str) {
        let script = "
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(arguments[0]);
            document.adoptedStyleSheets = [sheet]";
        let () = self.run(script, [json!(css)]).await;
    }

    /// Waits until the page has settled: images, transitions and the next frame.
    pub(crate) async fn is_drawn(&self) {
        let script = "
            const all = (root, css) => [...root.querySelectorAll(css)];
            const roots = all(document, 'tender-checkout, tender-payments').map((host) => host.shadowRoot);
            const images = [document, ...roots].flatMap((root) => all(root, 'img'));
            const pictures = images.map((image) => image.decode().catch(() => {}));
            const ended = document.getAnimations()
                .filter((animation) => animation.effect.getComputedTiming().endTime < Infinity)
                .map((animation) => animation.finished);
            return Promise.all([...pictures, ...ended])
                .then(() => new Promise(requestAnimationFrame)).then(() => null)";
        self.execute(script).await;
    }

    /// Runs [`BREAKS_ONCE`].
    pub(crate) async fn breaks_once(&self) {
        self.execute(BREAKS_ONCE).await;
    }

    /// Runs a script in the page that returns nothing.
    pub(crate) async fn execute(&self, script: &str) {
        self.driver.execute(script, Vec::new()).await.unwrap();
    }

    /// Runs a script in the page, and returns its result, which may be a promise.
    pub(crate) async fn run<T: DeserializeOwned, const N: usize>(
        &self,
        script: &str,
        arguments: [Value; N],
    ) -> T {
        let returned = self.driver.execute(script, Vec::from(arguments)).await;
        returned.unwrap().convert().unwrap()
    }

    /// Sends a command that WebDriver lacks.
    pub(crate) async fn send(&self, method: &str, parameters: Value) {
        let sent = self.devtools().send_raw(method, parameters).await;
        sent.unwrap_or_else(|error| panic!("{method}: {error}"));
    }

    fn devtools(&self) -> Cdp {
        assert_eq!(self.engine, Engine::Chromium, "only it has these commands");
        self.driver.cdp()
    }
}
