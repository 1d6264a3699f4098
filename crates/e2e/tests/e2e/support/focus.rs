//! Where the focus is, as assistive technology is told and as it is seen.

use std::fmt;

use reqwest::Method;
use serde::Deserialize;
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::error::WebDriverResult;
use thirtyfour::{ElementId, Key, RequestData, SessionId, WebElement};

use super::browser::Browser;
use super::wait::{seen, until};

const FOCUS: &str = include_str!("focus.js");

/// More stops of the Tab key than a page and an element on it have.
const STOPS: usize = 120;

/// What has the focus: its role (WAI-ARIA) and its name.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Focus {
    role: String,
    name: String,
}

/// How what has the focus is seen.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sight {
    /// Whether it shows that it has the focus; what is no control need not.
    is_marked: bool,
    /// Whether it is on the screen, with nothing over it.
    is_in_sight: bool,
}

impl Sight {
    const WHOLE: Self = Self {
        is_marked: true,
        is_in_sight: true,
    };
}

impl fmt::Debug for Focus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} {:?}", self.role, self.name)
    }
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
    /// What has the focus, in whatever shadow root; `None` where it is the page's own.
    pub(crate) async fn focus(&self) -> Option<Focus> {
        until("a look at the focus", async || {
            let script = format!("{FOCUS} return focused ? [focused] : []");
            let found = self.driver().execute(script, vec![]).await?.elements()?;
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

    /// The Tab key, until it comes there. Wherever it stops, that is seen.
    pub(crate) async fn tab_to(&self, wanted: &Focus) {
        self.tab_until(wanted, async || self.press(Key::Tab).await)
            .await;
    }

    /// The same backwards.
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

    /// Holds that what has the focus is on the screen, and shows that it has it.
    pub(crate) async fn shows_focus(&self) {
        let script = format!("{FOCUS} return seen(focused)");
        let sight: Sight = self.run(&script, []).await;
        let focus = self.focus().await;
        assert_eq!(sight, Sight::WHOLE, "{focus:?}");
    }

    /// Waits for the focus to be there.
    pub(crate) async fn has_focus(&self, wanted: &Focus) {
        let is_there =
            seen(async || Ok((self.focus().await.as_ref() == Some(wanted)).then_some(())));
        let is_there = is_there.await.is_ok();
        let focus = self.focus().await;
        assert!(
            is_there,
            "waited in vain for the focus on {wanted:?}: it is on {focus:?}"
        );
    }

    /// What the browser tells assistive technology (WebDriver, "Get Computed Role" and "Get Computed Label").
    pub(super) async fn computed(
        &self,
        element: &WebElement,
        what: &'static str,
    ) -> WebDriverResult<String> {
        let element = element.element_id();
        let computed = self.driver().cmd(Computed { element, what });
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
