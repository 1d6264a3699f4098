//! A browser without JavaScript: it keeps cookies, follows redirects, and submits forms.

use reqwest::redirect::Policy;
use reqwest::{Client, RequestBuilder, Url};

use crate::prelude::*;

pub(crate) struct Browser {
    http: Client,
    /// Names and values, the oldest first.
    pub(super) cookies: Vec<(String, String)>,
    /// The address of the page that is shown.
    pub(crate) address: Url,
}

impl Browser {
    pub(crate) fn new(world: &World) -> Self {
        Self::at(&format!("http://{}", world.proxy.address()))
    }

    /// A browser with the form of a new order.
    pub(super) async fn with_form(world: &World) -> (Self, Answer) {
        let mut browser = Self::new(world);
        let form = browser.open_order(&order(json!({}))).await;
        (browser, form)
    }

    /// A browser with a payment in TRX of a new order, and the page that shows it.
    pub(super) async fn with_payment(world: &World) -> (Self, Answer) {
        let (mut browser, _) = Self::with_form(world).await;
        let page = browser.submit(&[("payment-token", "trx")]).await;
        (browser, page)
    }

    /// A browser of the payment page of a proxy at this address.
    pub(crate) fn at(proxy: &str) -> Self {
        Self {
            http: Client::builder().redirect(Policy::none()).build().unwrap(),
            cookies: Vec::new(),
            address: proxy.parse().unwrap(),
        }
    }

    /// Opens the page of an order.
    pub(crate) async fn open_order(&mut self, order: &str) -> Answer {
        self.open(&format!("pay?order={order}")).await
    }

    /// Opens an address, which may be relative to that of the page.
    pub(crate) async fn open(&mut self, address: &str) -> Answer {
        self.address = self.address.join(address).unwrap();
        self.reload().await
    }

    /// The content of the scripts of a page.
    pub(crate) async fn scripts(&self, page: &Answer) -> Vec<String> {
        let mut scripts = Vec::new();
        for rest in page.body.split("<script src=\"").skip(1) {
            let address = rest.split('"').next().unwrap();
            let script = self.http.get(self.address.join(address).unwrap());
            scripts.push(Answer::to(script).await.body);
        }
        scripts
    }

    /// Follows the first link of a page with this text.
    pub(crate) async fn click(&mut self, page: &Answer, text: &str) -> Answer {
        self.open(&link(page, text)).await
    }

    pub(super) async fn reload(&mut self) -> Answer {
        let answer = Answer::to(self.request(Method::GET)).await;
        self.keep_cookies(&answer);
        answer
    }

    /// A request for the address of the page, with the cookies.
    pub(super) fn request(&self, method: Method) -> RequestBuilder {
        let cookies: Vec<_> = (self.cookies.iter())
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        self.http
            .request(method, self.address.clone())
            .header("cookie", cookies.join("; "))
    }

    /// Submits the form of the page, and follows the redirect if there is one.
    pub(crate) async fn submit(&mut self, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(fields).await;
        self.follow(answer).await
    }

    /// The page that this answer leads to, if it is a redirect.
    pub(super) async fn follow(&mut self, answer: Answer) -> Answer {
        if answer.status != StatusCode::SEE_OTHER {
            return answer;
        }
        let address = answer.header("location").to_owned();
        self.open(&address).await
    }

    /// Submits the form of the page, as browsers do.
    pub(super) async fn post(&mut self, fields: &[(&str, &str)]) -> Answer {
        let request = self.form(fields).header("sec-fetch-site", "same-origin");
        let answer = Answer::to(request).await;
        self.keep_cookies(&answer);
        answer
    }

    pub(super) fn form(&self, fields: &[(&str, &str)]) -> RequestBuilder {
        let body = reqwest::Url::parse_with_params("http://form", fields).unwrap();
        self.request(Method::POST)
            .header("content-type", "application/x-www-form-urlencoded")
            .body(body.query().unwrap_or_default().to_owned())
    }

    fn keep_cookies(&mut self, answer: &Answer) {
        for cookie in answer.headers.get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            let (pair, attributes) = cookie.split_once("; ").unwrap();
            let (name, value) = pair.split_once('=').unwrap();
            assert!(name.starts_with("__Host-tender-"), "{name}");
            let end = attributes.strip_prefix("Path=/; Secure; HttpOnly; SameSite=Strict");
            let is_removed = end == Some("; Max-Age=0");
            assert!(is_removed || end == Some(""), "{attributes}");
            let known = self.cookies.iter().position(|(other, _)| other == name);
            match known {
                Some(place) if is_removed => _ = self.cookies.remove(place),
                Some(place) => value.clone_into(&mut self.cookies[place].1),
                None => self.cookies.push((name.to_owned(), value.to_owned())),
            }
        }
    }
}

/// Seconds after which a browser without scripts loads the page again; empty if it doesn't.
pub(super) fn refresh(page: &Answer) -> &str {
    assert_eq!(page.header("refresh"), "");
    let tag = "<noscript><meta http-equiv=\"refresh\" content=\"";
    let (_, rest) = page.body.split_once(tag).unwrap_or_default();
    rest.split_once('"').unwrap_or_default().0
}

/// The page without the tags of its scripts.
pub(super) fn without_scripts(page: &Answer) -> String {
    let tag = |name: &str| format!("<script src=\"v1/{name}.js\" defer></script>");
    let scripts = [tag("checkout"), tag("pay")].concat();
    page.body.replacen(&scripts, "", 1)
}

/// The address of the first link or form control with this text.
pub(super) fn link(page: &Answer, text: &str) -> String {
    let tagged = format!(">{text}</a>");
    let (before, _) = page.body.split_once(&tagged).expect(text);
    let (_, href) = before.rsplit_once("href=\"").unwrap();
    let (href, _) = href.split_once('"').unwrap();
    href.replace("&amp;", "&")
}
