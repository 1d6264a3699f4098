//! The variants: Tender, other checkouts, and minimal implementations. `widget/shop.html` has the HTML of each.

use clap::ValueEnum;
use serde::Serialize;

/// A page with one checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Variant {
    Tender,
    /// With the preload tags of the form and the listing.
    TenderPreloaded,
    /// With those of the module, too.
    TenderAllPreloaded,
    /// With the form in the shop's HTML, and its styles inline.
    TenderInPage,
    /// With the form in the shop's HTML, and a link to its styles.
    TenderInPageLinked,
    /// Tender with a proxy that lacks `/v1/checkout.html`.
    TenderUnrouted,
    /// The proxy's own payment page, with JavaScript turned off.
    Hosted,
    Plain,
    Preact,
    Adyen,
    Depay,
    Request,
}

/// What is shown of a variant, and what is awaited.
pub(super) struct About {
    pub(super) title: &'static str,
    /// The selector of its first choice, which docs/performance/method.md describes. `None` without JavaScript, where the
    /// first choice is usable when it is painted.
    pub(super) choice: Option<&'static str>,
    /// The selector of the button that submits its form, in the view whose own code answers the press. `None` if the
    /// first view has no such button, or no script.
    pub(super) submit: Option<&'static str>,
}

impl Variant {
    pub(super) const fn about(self) -> About {
        match self {
            Self::Tender => tender("Tender, one script tag"),
            Self::TenderPreloaded => tender("Tender, with the form preloaded"),
            Self::TenderAllPreloaded => tender("Tender, with form and module preloaded"),
            Self::TenderInPage => tender("Tender, with the form in the page"),
            Self::TenderInPageLinked => {
                tender("Tender, with the form in the page and its styles linked")
            }
            Self::TenderUnrouted => tender("Tender, without the form as HTML"),
            Self::Hosted => About {
                title: "Tender's payment page, without JavaScript",
                choice: None,
                submit: None,
            },
            Self::Plain => floor("floor: plain JavaScript"),
            Self::Preact => floor("floor: Preact"),
            Self::Adyen => peer(
                "`@adyen/adyen-web` Drop-in",
                ".adyen-checkout__payment-method__header__title",
            ),
            Self::Depay => peer("`@depay/widgets`", "button.Card.small"),
            Self::Request => peer("`@requestnetwork/payment-widget`", "wui-list-wallet"),
        }
    }

    pub(super) const fn title(self) -> &'static str {
        self.about().title
    }

    /// Whether a press before the loader is there opens the payment page, where the buyer presses again.
    pub(super) const fn opens_payment_page(self) -> bool {
        matches!(self, Self::TenderInPage | Self::TenderInPageLinked)
    }
}

const TOKEN: Option<&str> = Some("[role=radiogroup] input[type=radio]");

const fn tender(title: &'static str) -> About {
    About {
        title,
        choice: TOKEN,
        // The module's view. The form as HTML has this attribute, and before the loader is there, another method.
        submit: Some(".locale-root:not([data-first-paint]) [method=post] button[type=submit]"),
    }
}

const fn floor(title: &'static str) -> About {
    About {
        title,
        choice: TOKEN,
        submit: Some("button[type=submit]"),
    }
}

const fn peer(title: &'static str, choice: &'static str) -> About {
    About {
        title,
        choice: Some(choice),
        submit: None,
    }
}
