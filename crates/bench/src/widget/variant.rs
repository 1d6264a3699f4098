//! The variants: Tender, other checkouts, and minimal implementations.

/// A page with one checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
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

impl Variant {
    pub(super) const ALL: [Self; 12] = [
        Self::Tender,
        Self::TenderPreloaded,
        Self::TenderAllPreloaded,
        Self::TenderInPage,
        Self::TenderInPageLinked,
        Self::TenderUnrouted,
        Self::Hosted,
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
            Self::TenderAllPreloaded => "tender-all-preloaded",
            Self::TenderInPage => "tender-in-page",
            Self::TenderInPageLinked => "tender-in-page-linked",
            Self::TenderUnrouted => "tender-unrouted",
            Self::Hosted => "hosted",
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
            Self::TenderPreloaded => "Tender, with the form preloaded",
            Self::TenderAllPreloaded => "Tender, with form and module preloaded",
            Self::TenderInPage => "Tender, with the form in the page",
            Self::TenderInPageLinked => "Tender, with the form in the page and its styles linked",
            Self::TenderUnrouted => "Tender, without the form as HTML",
            Self::Hosted => "Tender's payment page, without JavaScript",
            Self::Plain => "floor: plain JavaScript",
            Self::Preact => "floor: Preact",
            Self::Adyen => "`@adyen/adyen-web` Drop-in",
            Self::Depay => "`@depay/widgets`",
            Self::Request => "`@requestnetwork/payment-widget`",
        }
    }

    /// Whether a press before the loader is there opens the payment page, where the buyer presses again.
    pub(super) const fn opens_payment_page(self) -> bool {
        matches!(self, Self::TenderInPage | Self::TenderInPageLinked)
    }

    /// The package whose version is shown in the table.
    pub(super) const fn package(self) -> Option<&'static str> {
        match self {
            Self::Preact => Some("preact"),
            Self::Adyen => Some("@adyen/adyen-web"),
            Self::Depay => Some("@depay/widgets"),
            Self::Request => Some("@requestnetwork/payment-widget"),
            _ => None,
        }
    }

    /// The selector of its first choice. `None` without JavaScript, where the first choice is usable when it is painted.
    pub(super) const fn choice(self) -> Option<&'static str> {
        match self {
            Self::Hosted => None,
            Self::Adyen => Some(".adyen-checkout__payment-method__header__title"),
            Self::Depay => Some("button.Card.small"),
            Self::Request => Some("wui-list-wallet"),
            _ => Some("[role=radiogroup] input[type=radio]"),
        }
    }

    /// Its first choice in words.
    pub(super) const fn choice_text(self) -> &'static str {
        match self {
            Self::Hosted => "the first contentful paint, which has the tokens of the listing",
            Self::Adyen => {
                "a payment method; the page already contains the response that lists them"
            }
            Self::Depay => {
                "a wallet to connect, and tokens come after that; it includes wallet SDKs"
            }
            Self::Request => {
                "a wallet to connect, after a button that the page clicks, and currencies come after that; it includes \
                 wallet SDKs"
            }
            _ => "a token of the listing",
        }
    }

    /// The selector of the button that submits its form, in the view whose own code answers the press. `None` if the
    /// first view has no such button, or no script.
    pub(super) const fn submit(self) -> Option<&'static str> {
        match self {
            Self::Tender
            | Self::TenderPreloaded
            | Self::TenderAllPreloaded
            | Self::TenderInPage
            | Self::TenderInPageLinked
            | Self::TenderUnrouted => {
                // The module's view. The form as HTML has this attribute, and before the loader is there, another method.
                Some(".locale-root:not([data-first-paint]) [method=post] button[type=submit]")
            }
            Self::Plain | Self::Preact => Some("button[type=submit]"),
            _ => None,
        }
    }
}
