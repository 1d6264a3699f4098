//! Query parameters of the checkout page that set attributes of the widget, such as
//! `/?theme=dark&accept=btc+usdte`.

use minijinja::HtmlEscape;
use serde::Deserialize;

use crate::invoice::Invoice;

/// The query parameters. Unknown ones, such as `utm_source`, are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Options {
    /// The invoice number; a new one by default.
    pub invoice: Option<Invoice>,
    /// `amount=choose`: the payer chooses the amount.
    pub amount: Option<AmountOption>,
    /// The theme of the page and the widget.
    #[serde(default)]
    pub theme: Theme,
    /// The widget's attribute.
    pub accept: Option<String>,
    /// The widget's attribute. With it, the order contains no e-mail address.
    pub ask: Option<String>,
    /// The widget's attribute.
    pub locale: Option<String>,
    /// The widget's attribute.
    pub payment_token: Option<String>,
}

/// Who sets the amount instead of the shop.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AmountOption {
    /// The payer.
    Choose,
}

/// The theme.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// The system's setting.
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
    /// The requested attributes of the widget, as HTML.
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
    fn without_options_there_are_no_attributes() {
        assert_eq!(Options::default().attributes(), "");
    }
}
