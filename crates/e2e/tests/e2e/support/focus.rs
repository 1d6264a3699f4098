//! The focus, as exposed to assistive technology and as seen on the screen.

use reqwest::Method;
use serde_json::{Value, json};
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::error::WebDriverResult;
use thirtyfour::{ElementId, Key, RequestData, SessionId, WebElement};

use super::browser::Browser;
use super::wait::{poll, until};

const FOCUS: &str = include_str!("focus.js");

/// More than the number of Tab stops of any page in the tests.
const STOPS: usize = 120;

/// The focused element: its role (WAI-ARIA) and its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Focus {
    role: String,
    name: String,
}

impl Focus {
    pub(crate) fn on(role: &str, name: impl Into<String>) -> Self {
        Self {
            role: role.to_owned(),
            name: name.into(),
        }
    }
}

impl Browser {
    /// The focused element, in any shadow root; `None` if the page itself has the focus.
    pub(crate) async fn focus(&self) -> Option<Focus> {
        until("the focus", async || {
            let script = format!("{FOCUS} return focused ? [focused] : []");
            let found = self.driver.execute(script, vec![]).await?.elements()?;
            let Some(element) = found.first() else {
                return Ok(Some(None));
            };
            let focus = Focus {
                role: self.computed(element, "computedrole").await?,
                name: self.computed(element, "computedlabel").await?,
            };
            Ok(Some(Some(focus)))
        })
        .await
    }

    /// Presses Tab until the focus is there, and checks that each stop is visible.
    pub(crate) async fn tab_to(&self, wanted: &Focus) {
        self.tab_until(wanted, async || self.press(Key::Tab).await)
            .await;
    }

    /// The same, backwards.
    pub(crate) async fn tab_back_to(&self, wanted: &Focus) {
        self.tab_until(wanted, async || self.press_shift_tab().await)
            .await;
    }

    async fn tab_until(&self, wanted: &Focus, tab: impl AsyncFn()) {
        let mut met = Vec::new();
        for _ in 0..STOPS {
            tab().await;
            let focus = self.focus().await;
            self.shows_focus().await;
            if focus.as_ref() == Some(wanted) {
                return;
            }
            met.push(focus);
        }
        panic!("the Tab key never came to {wanted:?}, but to {met:?}");
    }

    /// Asserts that the focused element is on the screen and has a focus indicator.
    pub(crate) async fn shows_focus(&self) {
        let script = format!("{FOCUS} return seen(focused)");
        let sight: Value = self.run(&script, []).await;
        let whole = json!({ "isMarked": true, "isInSight": true });
        assert_eq!(sight, whole, "{:?}", self.focus().await);
    }

    /// Waits until the focus is there.
    pub(crate) async fn has_focus(&self, wanted: &Focus) {
        let is_there =
            poll(async || Ok((self.focus().await.as_ref() == Some(wanted)).then_some(())));
        assert!(
            is_there.await.is_ok(),
            "timed out waiting for the focus on {wanted:?}: it is on {:?}",
            self.focus().await
        );
    }

    /// The role and name that the browser exposes to assistive technology (WebDriver, "Get Computed Role" and "Get
    /// Computed Label").
    pub(super) async fn computed(
        &self,
        element: &WebElement,
        what: &'static str,
    ) -> WebDriverResult<String> {
        let element = element.element_id();
        let computed = self.driver.cmd(Computed { element, what });
        computed.await?.value()
    }
}

#[derive(Debug)]
struct Computed {
    element: ElementId,
    what: &'static str,
}

impl FormatRequestData for Computed {
    fn format_request(&self, session: &SessionId) -> RequestData {
        let Self { element, what } = self;
        RequestData::new(
            Method::GET,
            format!("session/{session}/element/{element}/{what}"),
        )
    }
}
