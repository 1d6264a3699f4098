//! The checkout as a buyer perceives it: by roles and names, as assistive technology does, and by the parts that the
//! embedding guide documents.

use std::fmt::Display;

use serde::de::DeserializeOwned;
use serde_json::Value;
use thirtyfour::WebElement;
use thirtyfour::error::{WebDriverErrorInner, WebDriverResult};

use super::browser::Browser;
use super::wait::poll;

/// One `<tender-checkout>` in the page, or a `<tender-payments>` for what both elements have.
pub(crate) struct Checkout<'a> {
    pub(crate) browser: &'a Browser,
    host: WebElement,
}

/// A WAI-ARIA role, with its name in capitals.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    Alert,
    Button,
    Link,
    Radio,
    RadioGroup,
    Region,
}

impl Role {
    /// The elements to ask for their role, because asking all of them takes long.
    fn candidates(self) -> &'static str {
        match self {
            Self::Button => "button, [role]",
            Self::Link => "a, [role]",
            Self::Radio => "input, [role]",
            Self::RadioGroup => "fieldset, [role]",
            Self::Region => "section, [role]",
            Self::Alert => "[role]",
        }
    }
}

impl<'a> Checkout<'a> {
    pub(super) fn new(browser: &'a Browser, host: WebElement) -> Self {
        Self { browser, host }
    }

    /// The order that it is for.
    pub(crate) async fn order(&self) -> String {
        self.host.attr("order").await.unwrap().unwrap()
    }

    /// The visible text.
    pub(crate) async fn text(&self) -> String {
        words(&self.host.text().await.unwrap())
    }

    /// All elements with this role, with their names.
    pub(crate) async fn all(&self, role: Role) -> WebDriverResult<Vec<(String, WebElement)>> {
        let mut found = Vec::new();
        let name = format!("{role:?}").to_lowercase();
        for element in self.select(role.candidates()).await? {
            let computed = self.browser.computed(&element, "computedrole").await?;
            if computed == name && element.is_displayed().await? {
                let label = self.browser.computed(&element, "computedlabel").await?;
                found.push((label, element));
            }
        }
        Ok(found)
    }

    /// The names of all elements with this role.
    pub(crate) async fn names(&self, role: Role) -> Vec<String> {
        let all = self
            .until(format_args!("the roles {role:?}"), async || {
                self.all(role).await.map(Some)
            })
            .await;
        all.into_iter().map(|(name, _)| name).collect()
    }

    /// Waits for the element with this role and name.
    pub(crate) async fn get(&self, role: Role, name: &str) -> WebElement {
        self.with(role, name, async |found| Ok(found)).await
    }

    /// Waits for such an element, and does this with it, as [`act`](Self::act) does.
    async fn with<T>(
        &self,
        role: Role,
        name: &str,
        act: impl AsyncFn(WebElement) -> WebDriverResult<T>,
    ) -> T {
        let find = async || {
            let mut all = self.all(role).await?.into_iter();
            let found = all.find(|(own, _)| own == name);
            Ok(found.map(|(_, element)| element))
        };
        self.act(format_args!("the {role:?} {name:?}"), find, act)
            .await
    }

    /// Chooses a token, by its name and network.
    pub(crate) async fn choose(&self, token: &str) {
        self.with(Role::Radio, token, async |found| found.click().await)
            .await;
    }

    /// Presses a button.
    pub(crate) async fn press(&self, name: &str) {
        self.with(Role::Button, name, async |found| found.click().await)
            .await;
    }

    /// Cancels the payment and confirms it.
    pub(crate) async fn cancel(&self) {
        self.press("Cancel payment").await;
        self.press("Yes, cancel").await;
    }

    /// Presses a documented part, independent of the language.
    pub(crate) async fn press_part(&self, part: &str) {
        self.with_part(part, async |found| found.click().await)
            .await;
    }

    /// Expands the field for a transaction hash, and types this into it.
    pub(crate) async fn paste_hash(&self, hash: &str) {
        self.is_there(".hash summary").await.click().await.unwrap();
        let field = self.is_there("#hash").await;
        field.send_keys(hash).await.unwrap();
    }

    /// Expands the details of an open payment.
    pub(crate) async fn open_details(&self) {
        let summary = self.is_there(".look-up:has(.details) > summary").await;
        summary.click().await.unwrap();
    }

    /// Chooses a token and submits.
    pub(crate) async fn pay_with(&self, token: &str) {
        self.choose(token).await;
        self.press_part("submit").await;
    }

    /// The same, and returns the amount to send.
    pub(crate) async fn pay(&self, token: &str) -> String {
        self.pay_with(token).await;
        self.amount().await
    }

    /// Waits for the token choice.
    pub(crate) async fn is_choosing(&self) {
        self.get(Role::RadioGroup, "Pay with").await;
    }

    /// Waits for the payment, and returns the amount to send.
    pub(crate) async fn amount(&self) -> String {
        self.get(Role::Region, "Payment").await;
        self.attribute("amount", "data-value").await
    }

    /// Waits for an alert, and returns its text.
    pub(crate) async fn alert(&self) -> String {
        self.until("an alert", async || {
            match self.all(Role::Alert).await?.into_iter().next() {
                Some((_, alert)) => Ok(Some(words(&alert.text().await?))),
                None => Ok(None),
            }
        })
        .await
    }

    /// Sets the language, and waits until the texts have changed.
    pub(crate) async fn speak(&self, language: &str) {
        let script = "arguments[0].locale = arguments[1]";
        let () = self.run(script, language).await;
        self.has(&format!("[lang={language}]")).await;
    }

    /// Waits until there is an element in the shadow root that this CSS selector finds, of the first paint or the module.
    pub(crate) async fn has(&self, css: &str) {
        let script = "return Boolean(arguments[0].shadowRoot?.querySelector(arguments[1]))";
        let arguments = [self.host.to_json().unwrap(), css.into()];
        let what = format_args!("{css} in the shadow root");
        self.browser.sees(what, script, arguments).await;
    }

    /// Whether the fallback content is visible.
    pub(crate) async fn shows_fallback(&self) -> bool {
        let script = "return arguments[0].firstElementChild.checkVisibility()";
        self.run(script, ()).await
    }

    /// Waits until the checkout contains this text.
    pub(crate) async fn reads(&self, sentence: &str) {
        let sentence = words(sentence);
        self.until(format_args!("{sentence:?}"), async || {
            let is_said = words(&self.host.text().await?).contains(&sentence);
            Ok(is_said.then_some(()))
        })
        .await;
    }

    /// Waits for the elements in the shadow root that a CSS selector finds.
    pub(crate) async fn is_there(&self, css: &str) -> WebElement {
        self.until(format_args!("{css} in the checkout"), async || {
            Ok(self.select(css).await?.into_iter().next())
        })
        .await
    }

    /// Waits for a documented part.
    pub(crate) async fn part(&self, part: &str) -> WebElement {
        self.with_part(part, async |found| Ok(found)).await
    }

    /// All elements with this part.
    pub(crate) async fn parts(&self, part: &str) -> WebDriverResult<Vec<WebElement>> {
        self.select(&format!("[part~={part}]")).await
    }

    /// The names of all parts in the shadow root, and those of the slots after `slot`.
    pub(crate) async fn part_and_slot_names(&self) -> Vec<String> {
        let script = "return [...arguments[0].shadowRoot.querySelectorAll('[part], slot[name]')]
            .flatMap(({ part, localName, name }) => localName === 'slot' ? [`slot ${name}`] : [...part])";
        self.run(script, ()).await
    }

    /// Runs a script in the page with the element and an argument, and returns its result.
    pub(crate) async fn run<T: DeserializeOwned>(
        &self,
        script: &str,
        argument: impl Into<Value>,
    ) -> T {
        let arguments = [self.host.to_json().unwrap(), argument.into()];
        self.browser.run(script, arguments).await
    }

    /// The text of a part in one line.
    pub(crate) async fn text_of(&self, part: &str) -> String {
        words(&self.with_part(part, async |found| found.text().await).await)
    }

    /// An attribute of a part, unchanged.
    pub(crate) async fn attribute(&self, part: &str, name: &str) -> String {
        let value = self.with_part(part, async |found| found.attr(name).await);
        value
            .await
            .unwrap_or_else(|| panic!("the part {part:?} has no {name}"))
    }

    /// Waits for a documented part, and does this with it, as [`act`](Self::act) does.
    async fn with_part<T>(
        &self,
        part: &str,
        act: impl AsyncFn(WebElement) -> WebDriverResult<T>,
    ) -> T {
        let find = async || Ok(self.parts(part).await?.into_iter().next());
        self.act(format_args!("the part {part:?}"), find, act).await
    }

    /// Waits for an element, and does this with it; with the next one that is found, if the page removes it before.
    async fn act<T>(
        &self,
        what: impl Display,
        find: impl AsyncFn() -> WebDriverResult<Option<WebElement>>,
        act: impl AsyncFn(WebElement) -> WebDriverResult<T>,
    ) -> T {
        self.until(&what, async || {
            let Some(found) = find().await? else {
                return Ok(None);
            };
            match act(found).await {
                Ok(done) => Ok(Some(done)),
                Err(error) if matches!(*error, WebDriverErrorInner::StaleElementReference(_)) => {
                    Ok(None)
                }
                Err(error) => panic!("{what}: {error:?}"),
            }
        })
        .await
    }

    /// The elements in the shadow root that a CSS selector finds now. Those of the first paint are left out, as others take
    /// their place at any time.
    pub(crate) async fn select(&self, css: &str) -> WebDriverResult<Vec<WebElement>> {
        let script = "const root = arguments[0].shadowRoot;
            const isPainted = root?.querySelector('[data-first-paint]');
            return isPainted ? [] : root?.querySelectorAll(arguments[1]) ?? []";
        let arguments = vec![self.host.to_json()?, css.into()];
        self.browser
            .driver
            .execute(script, arguments)
            .await?
            .elements()
    }

    async fn until<T>(
        &self,
        what: impl Display,
        probe: impl AsyncFn() -> WebDriverResult<Option<T>>,
    ) -> T {
        match poll(probe).await {
            Ok(seen) => seen,
            Err(error) => {
                let shown = self.host.text().await;
                let errors = self.browser.errors().await;
                panic!(
                    "timed out waiting for {what}; shown: {shown:?}; the page's errors: {errors:?}; last error: {error:?}"
                )
            }
        }
    }
}

/// Joins the lines of a text.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
