//! What the address of the checkout page may say about it, to try the widget's attributes:
//! `/?theme=dark&accept=btc+usdte`.

use minijinja::HtmlEscape;
use serde::Deserialize;

use crate::order::Invoice;

/// The query of the checkout page. Any other name is refused, so that a misspelt one is noticed.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// An invoice number of the visitor's choice, in place of a new one.
    pub invoice: Option<Invoice>,
    /// `amount=choose`: an order whose amount the payer chooses.
    pub amount: Option<AmountOption>,
    /// Colours of the page and the widget.
    #[serde(default)]
    pub theme: Theme,
    /// As the widget's attribute.
    pub accept: Option<String>,
    /// As the widget's attribute. The shop then leaves the buyer's address out of the order.
    pub ask: Option<String>,
    /// As the widget's attribute.
    pub locale: Option<String>,
    /// As the widget's attribute.
    pub payment_token: Option<String>,
}

/// Who sets the amount, where it is not the shop.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountOption {
    /// The payer.
    Choose,
}

/// Colours.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// As the buyer's system has it.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The value of the widget's `theme` attribute.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

impl Options {
    /// The widget's attributes that were asked for, as HTML.
    #[must_use]
    pub fn attributes(&self) -> String {
        let theme = match self.theme {
            Theme::Auto => None,
            theme => Some(theme.as_str()),
        };
        [
            ("theme", theme),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_escaped() {
        let options = Options {
            theme: Theme::Dark,
            accept: Some(r#"btc" onclick='x' <&>"#.to_owned()),
            ..Options::default()
        };
        assert_eq!(
            options.attributes(),
            r#"theme="dark" accept="btc&quot; onclick=&#x27;x&#x27; &lt;&amp;&gt;""#
        );
    }

    #[test]
    fn nothing_asked_for_adds_nothing() {
        assert_eq!(Options::default().attributes(), "");
    }
}
