//! Query parameters of the checkout page that set attributes of the widget, such as
//! `/?theme=dark&accept=btc+usdte`.

use minijinja::HtmlEscape;
use serde::Deserialize;

use crate::invoice::Invoice;

/// The query parameters. Unknown ones, such as `utm_source`, are ignored.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) struct Options {
    /// The invoice number; a new one by default.
    pub(crate) invoice: Option<Invoice>,
    /// `amount=choose`: the payer chooses the amount.
    pub(crate) amount: Option<AmountOption>,
    /// The theme of the page and the widget.
    #[serde(default)]
    pub(crate) theme: Theme,
    /// The widget's attribute.
    pub(crate) accept: Option<String>,
    /// The widget's attribute. With it, the order contains no e-mail address.
    pub(crate) ask: Option<String>,
    /// The widget's attribute.
    pub(crate) locale: Option<String>,
    /// The widget's attribute.
    pub(crate) payment_token: Option<String>,
}

/// Who sets the amount instead of the shop.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AmountOption {
    /// The payer.
    Choose,
}

/// The theme.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Theme {
    /// The system's setting.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The value of the widget's `theme` attribute, whose default is the system's setting.
    pub(crate) fn attribute(self) -> Option<&'static str> {
        match self {
            Self::Auto => None,
            Self::Light => Some("light"),
            Self::Dark => Some("dark"),
        }
    }
}

impl Options {
    /// The requested attributes of the widget, as HTML.
    pub(crate) fn attributes(&self) -> String {
        [
            ("theme", self.theme.attribute()),
            ("accept", self.accept.as_deref()),
            ("ask", self.ask.as_deref()),
            ("locale", self.locale.as_deref()),
            ("payment-token", self.payment_token.as_deref()),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some(format!("{name}=\"{}\"", HtmlEscape(value?))))
        .collect::<Vec<_>>()
        .join(" ")
    }
}
