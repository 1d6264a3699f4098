//! The form and the payment page as HTML: the same components, rendered by the proxy.

use std::collections::HashMap;
use std::sync::LazyLock;

use leptos::prelude::*;
use rust_embed::RustEmbed;
use tender_checkout_core::{Config, Event, Failure, HttpResponse, Phase, State, step};
use tender_element::focus::FocusRestoration;
use tender_element::i18n::{I18n, Locale, Texts};
use tender_element::number;
use tender_protocol::client::typed::DecimalSeparator;

use crate::components::Checkout;
use crate::driver::Driver;
use crate::hosted::{FormAction, HostedPage};
use crate::inline::InlineForm;
use crate::text::Text;

#[derive(RustEmbed)]
#[folder = "locales"]
struct Files;

/// The texts of each language except English, which the components have, by its BCP 47 tag in lower case.
static TEXTS: LazyLock<HashMap<String, Texts>> = LazyLock::new(|| {
    let texts = |name: &str| {
        let json = String::from_utf8(Files::get(name)?.data.into_owned());
        Texts::parse(&json.ok()?).ok()
    };
    let language = |name: &str| Some((name.strip_suffix(".json")?.to_owned(), texts(name)?));
    let mut languages: HashMap<_, _> = Files::iter().filter_map(|name| language(&name)).collect();
    languages.remove("en");
    languages
});

impl FormAction {
    /// Reads the value of a button; `None` if no form has it.
    pub fn read(value: &str) -> Option<Self> {
        let all = [
            Self::Retry,
            Self::Cancel,
            Self::EnterHash,
            Self::Remove,
            Self::SaySent,
            Self::Back,
        ];
        all.into_iter().find(|action| action.as_str() == value)
    }
}

/// The HTML of the form that a page with this configuration and this token listing (JSON) shows at first, in the language of
/// `config.locale`. Texts and attributes are escaped. With `inline`, the form works in a page without scripts.
///
/// # Errors
/// [`Failure`] if the listing can't be read, or offers no token.
pub fn form(
    config: Config,
    listing: String,
    inline: Option<InlineForm>,
) -> Result<String, Failure> {
    let fetched = Ok(HttpResponse {
        status: 200,
        body: listing,
    });
    let (state, _) = step(&config, State::default(), Event::Started(None));
    let (state, _) = step(&config, state, Event::TokensFetched(fetched));
    if let Phase::Unavailable(failure) = state.phase {
        return Err(failure);
    }
    Ok(Owner::new().with(|| {
        provide(config, state);
        if let Some(inline) = inline {
            provide_context(inline);
        }
        view! { <Checkout/> }.to_html()
    }))
}

/// The styles of a form in a shop's page.
#[derive(Clone, Debug)]
pub enum Styles {
    /// A style sheet.
    Sheet(String),
    /// The address of one.
    Link(String),
}

/// What goes between the tags of a declarative shadow root (`<template shadowrootmode="open">`): the styles, the card with a
/// form, and the slot of the shop's fallback. `fingerprint` tells the loader whether it is the form of now.
pub fn shadow_root(styles: Styles, form: String, fingerprint: String) -> String {
    let styles = match styles {
        Styles::Sheet(css) => view! { <style inner_html=css></style> }.into_any(),
        Styles::Link(href) => view! { <link rel="stylesheet" href=href/> }.into_any(),
    };
    Owner::new().with(|| {
        view! {
            {styles}
            <div class="card" part="card" data-form=fingerprint inner_html=form></div>
            <slot></slot>
        }
        .to_html()
    })
}

/// How the language of `config.locale` separates decimals.
pub fn decimal_separator(config: &Config) -> DecimalSeparator {
    number::decimal_separator(&canonical(config.locale.as_deref().unwrap_or_default()))
}

/// A page of a checkout that works without JavaScript. All its addresses are relative to that of the proxy, which may have a
/// path.
#[derive(Clone, Debug)]
pub struct Page {
    /// The configuration. `locale` is the language of the page.
    pub config: Config,
    /// What the page shows.
    pub state: State,
    /// The address of the payment, with a query; links append parameters to it.
    pub address: String,
    /// The transaction hash as the buyer has entered it; `None` unless the page is for entering it.
    pub hash: Option<String>,
    /// Whether the page asks whether to remove the transaction hash, or the mark.
    pub asks_to_remove: bool,
    /// What the page's script, `src/pay.js`, replaces the page by the live element with, as JSON; `None` for a page without
    /// scripts.
    pub live: Option<String>,
    /// Seconds until the browser loads the page again, if it runs no scripts.
    pub refresh: Option<u32>,
}

/// What the shop sets for the payment page.
#[derive(Clone, Debug)]
pub struct Brand {
    /// The name of the shop, which is the heading.
    pub name: Option<String>,
    /// The address of its logo, above the name.
    pub logo: Option<String>,
    /// A style sheet with its colours.
    pub colours: Option<String>,
}

impl Page {
    /// The HTML document. Texts and attributes are escaped.
    pub fn html(self, brand: Brand) -> String {
        let Brand {
            name,
            logo,
            colours,
        } = brand;
        // In this order: the second one needs the element.
        let scripts = self.live.is_some().then(|| {
            view! {
                <script src="v1/checkout.js" defer></script>
                <script src="v1/pay.js" defer></script>
            }
        });
        let refresh = self.refresh.map(|seconds| {
            view! { <noscript><meta http-equiv="refresh" content=seconds/></noscript> }
        });
        let body = Owner::new().with(|| {
            let i18n = provide(self.config, self.state);
            provide_context(HostedPage {
                address: self.address,
                hash: self.hash,
                asks_to_remove: self.asks_to_remove,
                is_refreshed: self.refresh.is_some(),
            });
            let (heading_class, title) = match name {
                Some(name) => ("shop", i18n.format(Text::PaymentTo, &[("shop", &name)])),
                None => ("sr", i18n.t(Text::Payment)),
            };
            view! {
                <html lang=i18n.locale() dir=i18n.dir()>
                    <head>
                        <meta charset="utf-8"/>
                        <meta name="viewport" content="width=device-width, initial-scale=1"/>
                        <meta name="robots" content="noindex"/>
                        <title>{title.clone()}</title>
                        <style inner_html=STYLE.as_str()></style>
                        {colours.map(|colours| view! { <style inner_html=colours></style> })}
                        {scripts}
                        {refresh}
                    </head>
                    <body>
                        <main class="tender">
                            {logo.map(|src| view! { <img class="shop-logo" src=src alt=""/> })}
                            <h1 class=heading_class>{title}</h1>
                            <div class="card" data-live=self.live><Checkout/></div>
                        </main>
                    </body>
                </html>
            }
            .to_html()
        });
        format!("<!doctype html>{body}")
    }
}

/// The style sheet in the [`Page`]: that of the element, whose host is the page's `.tender`. It is part of the page, so that
/// the first paint needs one request only; a policy allows it by its hash.
pub static STYLE: LazyLock<String> = LazyLock::new(|| {
    let rules = [
        include_str!("../crates/element/style/element.css"),
        include_str!("../crates/element/style/controls.css"),
        include_str!("../style/checkout.css"),
        include_str!("../style/payment.css"),
    ];
    let rules = rules.concat().replace(":host(", ".tender:is(");
    rules.replace(":host", ".tender") + include_str!("../style/hosted.css")
});

/// Whether there are texts in the language of this BCP 47 tag, or in the language without its region.
pub fn has_texts(tag: &str) -> bool {
    let tag = canonical(tag);
    tag.split('-').next() == Some("en") || find(&tag).is_some()
}

/// Provides what the components find by context. Belongs to the current owner.
fn provide(mut config: Config, state: State) -> I18n {
    config.locale = config.locale.as_deref().map(canonical);
    let i18n = I18n::new();
    i18n.set_locale(locale(config.locale.as_deref().unwrap_or_default()));
    provide_context(i18n);
    provide_context(FocusRestoration::new(false));
    provide_context(Driver::of_state(i18n, config, state));
    i18n
}

fn locale(wanted: &str) -> Locale {
    find(&canonical(wanted)).map_or_else(Locale::english, |(tag, texts)| {
        Locale::new(tag, vec![texts.clone()])
    })
}

/// A tag that a program may write as `de_DE`, in lower case; and the codes of Hebrew and Indonesian before 1989.
fn canonical(tag: &str) -> String {
    let tag = tag.to_ascii_lowercase().replace('_', "-");
    let (language, rest) = tag.split_at(tag.find('-').unwrap_or(tag.len()));
    let language = match language {
        "iw" => "he",
        "in" => "id",
        language => language,
    };
    format!("{language}{rest}")
}

/// The best available texts, found as the loader does (`crates/element/loader/i18n.js`): `fr-CA`, then `fr`. Traditional
/// characters are another script than that of `zh`.
fn find(wanted: &str) -> Option<(&str, &'static Texts)> {
    if let Some(region) = wanted.strip_prefix("zh-") {
        let region = region.split('-').next().unwrap_or_default();
        if ["hant", "tw", "hk", "mo"].contains(&region) {
            return None;
        }
    }
    let mut tag = wanted;
    loop {
        if let Some(texts) = TEXTS.get(tag) {
            return Some((tag, texts));
        }
        (tag, _) = tag.rsplit_once('-')?;
    }
}
