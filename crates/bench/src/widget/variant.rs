//! The variants: Tender, other checkouts, and minimal implementations.

use super::site::Site;

/// A page with one checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Variant {
    Tender,
    TenderPreloaded,
    Plain,
    Preact,
    Adyen,
    Depay,
    Request,
}

impl Variant {
    pub(super) const ALL: [Self; 7] = [
        Self::Tender,
        Self::TenderPreloaded,
        Self::Plain,
        Self::Preact,
        Self::Adyen,
        Self::Depay,
        Self::Request,
    ];

    /// The name for `--only`.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Tender => "tender",
            Self::TenderPreloaded => "tender-preloaded",
            Self::Plain => "plain",
            Self::Preact => "preact",
            Self::Adyen => "adyen",
            Self::Depay => "depay",
            Self::Request => "request",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Tender => "Tender, one script tag",
            Self::TenderPreloaded => "Tender, with the preload lines",
            Self::Plain => "floor: plain JavaScript",
            Self::Preact => "floor: Preact",
            Self::Adyen => "`@adyen/adyen-web` Drop-in",
            Self::Depay => "`@depay/widgets`",
            Self::Request => "`@requestnetwork/payment-widget`",
        }
    }

    /// The package whose version is shown in the table.
    pub(super) const fn package(self) -> Option<&'static str> {
        match self {
            Self::Tender | Self::TenderPreloaded | Self::Plain => None,
            Self::Preact => Some("preact"),
            Self::Adyen => Some("@adyen/adyen-web"),
            Self::Depay => Some("@depay/widgets"),
            Self::Request => Some("@requestnetwork/payment-widget"),
        }
    }

    /// Its first choice, as a selector and in words.
    pub(super) const fn choice(self) -> (&'static str, &'static str) {
        match self {
            Self::Tender | Self::TenderPreloaded | Self::Plain | Self::Preact => (
                "[role=radiogroup] input[type=radio]",
                "a token of the listing",
            ),
            Self::Adyen => (
                ".adyen-checkout__payment-method__header__title",
                "a payment method; the page already contains the response that lists them",
            ),
            Self::Depay => (
                "button.Card.small",
                "a wallet to connect, and tokens come after that; it includes wallet SDKs",
            ),
            Self::Request => (
                "wui-list-wallet",
                "a wallet to connect, after a button that the page clicks, and currencies come after that; it includes wallet SDKs",
            ),
        }
    }

    /// The head and the body of the shop's page.
    pub(super) fn page(self, site: &Site, order: &str) -> (String, String) {
        let address = &site.address;
        match self {
            Self::Tender => (String::new(), tender(address, order)),
            Self::TenderPreloaded => (site.preload_lines.clone(), tender(address, order)),
            Self::Plain | Self::Preact => {
                let key = self.key();
                let script = format!(
                    "<script src=\"{address}/floors/{key}.js\" async></script>
                     <div id=\"checkout\" data-proxy=\"{address}\" data-order=\"{order}\"></div>"
                );
                (String::new(), script)
            }
            Self::Adyen | Self::Depay | Self::Request => {
                let key = self.key();
                let head = if self == Self::Depay {
                    String::new()
                } else {
                    format!(
                        "<link rel=\"stylesheet\" href=\"{address}/peers/{key}.css\" crossorigin>"
                    )
                };
                let body = format!(
                    "<div id=\"checkout\" data-answers=\"{address}/answers\"></div>
                     <script type=\"application/json\" id=\"answer\">{}</script>
                     <script type=\"module\" src=\"{address}/peers/{key}.js\" async></script>",
                    if self == Self::Adyen {
                        site.payment_methods.as_str()
                    } else {
                        "{}"
                    },
                );
                (head, body)
            }
        }
    }
}

fn tender(address: &str, order: &str) -> String {
    format!(
        "<script src=\"{address}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{address}\" order=\"{order}\"></tender-checkout>"
    )
}
