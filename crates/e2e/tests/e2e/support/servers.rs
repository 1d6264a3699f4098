//! All servers around a test: the service, the proxy with the built widget, the sample shop and a merchant.

use std::env;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
use tender_programs::free_address;
use tender_programs::shops::Settings;
use tender_proxy::{OrderKey, Secret};
use tender_sandbox::Sandbox;
use tender_shop::Shop;
use uuid::Uuid;

use super::merchant::Merchant;
use super::wait::until;

/// The `kid` of the order key, as the example shops have it.
const KID: &str = "2026-02";

/// The merchant key of the proxy, and the password of the shop's back office.
pub(crate) const MERCHANT_KEY: &str = "a-merchant-key-of-the-tests-0123456789";
pub(crate) const OFFICE_PASSWORD: &str = "demo";

/// The heading of the payment page, as long as the proxy allows.
pub(crate) const SHOP_NAME: &str = "Slow Tide, prints of the sea and the people who live by it";

/// How often the proxy looks for changes. Most tests would otherwise only wait for them.
const POLL_INTERVAL: Duration = Duration::from_millis(250);

/// The secret of notifications to the shop.
pub(crate) const NOTIFY_SECRET: &str = "whsec_dGhlIG5vdGlmeSBzZWNyZXQgb2YgdGhlIHRlc3RzLCAzMg==";

/// All servers that a buyer's browser contacts, on free local ports. Dropping it stops them.
pub(crate) struct Servers {
    pub(super) service: Sandbox,
    proxy: Option<tender_proxy::Running>,
    /// With the actual port, so that the proxy can restart at the same address.
    proxy_config: tender_proxy::Config,
    shop: tender_shop::Running,
    pub(crate) merchant: Merchant,
    order_secret: String,
}

impl Servers {
    pub(crate) async fn open() -> Self {
        Self::open_with(|_| {}).await
    }

    /// Starts the servers with a changed configuration of the proxy.
    pub(crate) async fn open_with(change: impl Fn(&mut tender_proxy::Config)) -> Self {
        Self::start(|config, _, _| change(config)).await
    }

    /// The same, with notifications to the shop, or to another one that will run at this address.
    pub(crate) async fn open_notifying(
        other: Option<SocketAddr>,
        change: impl Fn(&mut tender_proxy::Config),
    ) -> Self {
        Self::start(|config, shop, _| {
            let shop = other.unwrap_or(shop);
            notify(config, &format!("http://{shop}/notifications"));
            let origin = other.map(|other| format!("http://{other}").parse().unwrap());
            config.server.allow_origins.extend(origin);
            change(config);
        })
        .await
    }

    /// The same, with notifications to a backend whose answers the test decides: [`Merchant::answer_with`].
    pub(crate) async fn open_office(change: impl Fn(&mut tender_proxy::Config)) -> Self {
        Self::start(|config, _, merchant| {
            notify(config, &merchant.backend());
            change(config);
        })
        .await
    }

    /// `change` also gets the address of the shop, and the merchant.
    async fn start(change: impl Fn(&mut tender_proxy::Config, SocketAddr, &Merchant)) -> Self {
        let merchant = Merchant::open().await;
        let service = Sandbox::start(tender_sandbox::Config::on_free_ports());
        let service = service.await.unwrap();
        let order_secret = format!("{}{}", Uuid::new_v4(), Uuid::new_v4());

        // The proxy and the shop need each other's address before they start.
        let shop_address = free_address();
        let origins = [merchant.origin(), format!("http://{shop_address}")];
        let mut config =
            tender_proxy::Config::new(service.base_url(), service.rates_base_url()).unwrap();
        config.server.listen = free_port();
        config.upstream.token_cache = Duration::ZERO;
        config.tracking.poll_interval = POLL_INTERVAL;
        // Retries would hide the faults of the service.
        config.upstream.retries = 0;
        let origins = origins.map(|origin| origin.parse().unwrap());
        config.server.allow_origins = origins.into();
        let secret = Secret::from(order_secret.as_str());
        config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
        config.orders.keys = vec![OrderKey::hs256(Some(KID.to_owned()), &secret)];
        config.server.assets = Some(dist().join("v1"));
        config.server.brand.name = Some(SHOP_NAME.to_owned());
        change(&mut config, shop_address, &merchant);
        let proxy = tender_proxy::start(config.clone()).await.unwrap();
        config.server.listen = proxy.address();

        let allow_test_mode = config.upstream.test_mode;
        let shop = Shop::start(tender_shop::Config {
            listen: shop_address,
            proxy: format!("http://{}", proxy.address()).parse().unwrap(),
            origin: None,
            notify_secret: Some(NOTIFY_SECRET.parse().unwrap()),
            merchant_key: Some(MERCHANT_KEY.parse().unwrap()),
            office_password: OFFICE_PASSWORD.to_owned(),
            allow_test_mode,
            order_key: format!("{KID}={order_secret}").parse().unwrap(),
            logos: vec![service.rates_base_url().parse().unwrap()],
            // Its link to the service's page, as in the demo.
            sandbox: allow_test_mode.then(|| service.base_url().parse().unwrap()),
            docs: None,
            dist: dist(),
        });
        Self {
            shop: shop.await.unwrap(),
            service,
            proxy: Some(proxy),
            proxy_config: config,
            merchant,
            order_secret,
        }
    }

    /// The address of a page of the shop.
    pub(crate) fn shop_page(&self, path: &str) -> String {
        format!("http://{}{path}", self.shop.address)
    }

    /// A page of the merchant with this body.
    pub(crate) fn page(&self, body: &str) -> String {
        format!("{}{}", self.merchant.origin(), self.merchant.put_up(body))
    }

    pub(crate) fn proxy_url(&self) -> String {
        format!("http://{}", self.proxy_config.server.listen)
    }

    /// Signs an order with these claims, as the merchant's backend does. It is valid for one hour by default.
    pub(crate) fn sign(&self, mut claims: Value) -> String {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        let claims_of_order = claims.as_object_mut().unwrap();
        claims_of_order
            .entry("exp")
            .or_insert_with(|| json!(now.as_secs() + 3600));
        let header = Header {
            kid: Some(KID.to_owned()),
            ..Header::new(Algorithm::HS256)
        };
        let key = EncodingKey::from_secret(self.order_secret.as_bytes());
        jsonwebtoken::encode(&header, &claims, &key).unwrap()
    }

    /// A signed order of 48.50 USDT.
    pub(crate) fn order(&self, invoice: &str) -> String {
        self.sign(json!({ "token": "usdtt", "quantity": "48.50", "invoiceNumber": invoice }))
    }

    /// The order key as settings have it: `KID=SECRET`.
    pub(crate) fn order_key(&self) -> String {
        format!("{KID}={}", self.order_secret)
    }

    /// What a shop of this proxy has to know.
    pub(crate) fn shop_settings(&self) -> Settings {
        let (_, logos) = self.service_urls();
        Settings {
            proxy: self.proxy_url(),
            logos,
            order_key: self.order_key(),
            notify_secret: NOTIFY_SECRET.to_owned(),
            merchant_key: MERCHANT_KEY.to_owned(),
            allow_test_mode: false,
        }
    }

    /// Stops the proxy: its address refuses connections.
    pub(crate) async fn close_proxy(&mut self) {
        let proxy = self.proxy.take().expect("the proxy is up");
        assert!(proxy.stop().await, "the proxy leaves nothing unfinished");
    }

    /// Restarts the proxy at its address.
    pub(crate) async fn reopen_proxy(&mut self) {
        let config = &self.proxy_config;
        let proxy = until("the proxy to be back", async || {
            Ok(tender_proxy::start(config.clone()).await.ok())
        });
        self.proxy = Some(proxy.await);
    }

    /// Starts another instance of the proxy with a changed configuration.
    pub(crate) async fn another_proxy(
        &self,
        change: impl FnOnce(&mut tender_proxy::Config),
    ) -> tender_proxy::Running {
        let mut config = self.proxy_config.clone();
        config.server.listen = free_port();
        change(&mut config);
        tender_proxy::start(config).await.unwrap()
    }
}

/// The built files, or an error that says how to build them.
pub(crate) fn dist() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../dist");
    let dist = env::var_os("TENDER_DIST").map_or(here, PathBuf::from);
    for file in ["index.html", "v1/checkout.js", "v1/payments.js"] {
        assert!(
            dist.join(file).is_file(),
            "there is no {file} in {}: build it with `cargo xtask dist`, or say in TENDER_DIST \
             where it is",
            dist.display()
        );
    }
    dist
}

/// Sends the proxy's notifications to this address.
fn notify(config: &mut tender_proxy::Config, url: &str) {
    config.notifications.url = Some(url.parse().unwrap());
    config.notifications.secrets = vec![NOTIFY_SECRET.into()];
    config.notifications.poll_interval = POLL_INTERVAL;
}

fn free_port() -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], 0))
}
