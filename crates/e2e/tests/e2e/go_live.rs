//! Steps 2 to 7 of docs/go-live.md: the program behind nginx with TLS, with the page's own commands and settings.

use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use axum::http::StatusCode;
use serde_json::Value;
use tempfile::TempDir;
use tender_programs::{Server, free_address};
use tender_protocol::Payment;
use thirtyfour::By;

use crate::quick_start::code;
use crate::support::{Browser, Checkout, Servers, Tls, block, proxy_binary, recorder, until};

const PAGE: &str = include_str!("../../../../docs/go-live.md");
const OPERATIONS: &str = include_str!("../../../../docs/operations.md");
const SECURITY: &str = include_str!("../../../../docs/security.md");

/// The machine of the proxy. Its files are in a folder of this test instead of `/etc` and `/usr/local/bin`.
struct Machine {
    servers: Servers,
    folder: TempDir,
    proxy: SocketAddr,
    tls: Tls,
}

impl Machine {
    /// `None` without nginx.
    async fn new() -> Option<Self> {
        let proxy = free_address();
        let replaced = [("127.0.0.1:8081", &*proxy.to_string())];
        let tls = Tls::serve(&block(OPERATIONS, "```nginx\n", &replaced)).await?;
        let machine = Self {
            servers: Servers::open().await,
            folder: TempDir::new().unwrap(),
            proxy,
            tls,
        };
        machine.install();
        // Where the documented names lead, for curl and for the commands.
        fs::write(machine.path("certificate.pem"), &machine.tls.certificate).unwrap();
        let nginx = machine.tls.nginx.address;
        let curl = format!(
            "cacert = {:?}\nconnect-to = \"pay.shop.example:443:{nginx}\"\nconnect-to = \"127.0.0.1:8081:{proxy}\"\n",
            machine.path("certificate.pem"),
        );
        fs::write(machine.path(".curlrc"), curl).unwrap();
        symlink(
            proxy_binary().canonicalize().unwrap(),
            machine.path("tender-proxy"),
        )
        .unwrap();
        let systemctl = format!(
            "#!/bin/sh\ntest \"$*\" = 'reload tender-proxy' && exec kill -HUP $(cat {})\n",
            machine.path("pid")
        );
        fs::write(machine.path("systemctl"), systemctl).unwrap();
        fs::set_permissions(machine.path("systemctl"), fs::Permissions::from_mode(0o755)).unwrap();
        Some(machine)
    }

    /// The settings and the key files of step 2.
    fn install(&self) {
        let [settings] = blocks(2, "toml")[..] else {
            panic!("step 2 has one block of settings");
        };
        let (service, rates) = self.servers.service_urls();
        let mut settings = settings.to_owned();
        for (shown, real) in [
            ("127.0.0.1:8081", self.proxy.to_string()),
            ("https://payments.service.example", service),
            ("https://rates.service.example", rates),
            ("https://shop.example", self.servers.merchant.origin()),
            ("/etc/tender/", self.path("")),
            ("/var/lib/tender/", self.path("")),
        ] {
            assert!(settings.contains(shown), "{shown}: {settings}");
            settings = settings.replace(shown, &real);
        }
        self.configure(&format!("{settings}\npoll_seconds = 1\n"));
        for (file, key) in [
            ("upstream-headers", "X-Credential: a credential".to_owned()),
            ("order-keys", self.servers.order_key()),
            ("receipt-keys", "r".repeat(32)),
            ("merchant-keys", "m".repeat(32)),
        ] {
            fs::write(self.path(file), key).unwrap();
        }
    }

    fn path(&self, name: &str) -> String {
        self.folder.path().join(name).to_str().unwrap().to_owned()
    }

    /// Adds settings to the configuration file.
    fn configure(&self, settings: &str) {
        let file = self.path("proxy.toml");
        let earlier = fs::read_to_string(&file).unwrap_or_default();
        fs::write(file, earlier + settings).unwrap();
    }

    fn command(&self, script: &str) -> Command {
        let script = script.replace("/etc/tender/", &self.path(""));
        let path = format!("{}:{}", self.path(""), std::env::var("PATH").unwrap());
        let mut command = Command::new("sh");
        command.args(["-ec", &script]);
        command
            .env("PATH", path)
            .env("TENDER_PROXY", format!("http://{}", self.proxy))
            .env("CURL_HOME", self.folder.path());
        command
    }

    /// Runs commands of the page, and returns their output.
    fn run(&self, script: &str) -> String {
        let output = self.command(script).output().unwrap();
        assert!(output.status.success(), "{script}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    async fn start(&self) -> Server {
        let script = format!(
            "echo $$ > {}; exec tender-proxy --config /etc/tender/proxy.toml",
            self.path("pid")
        );
        let folder = TempDir::new().unwrap();
        Server::start(self.proxy, folder, &mut self.command(&script)).await
    }

    /// Opens the shop's page for an order, with the documented policy.
    async fn visit<'a>(&self, browser: &'a Browser, invoice: &str) -> Checkout<'a> {
        let order = self.servers.order(invoice);
        let (_, policy) = SECURITY.split_once("Content-Security-Policy:").unwrap();
        let (_, logos) = self.servers.service_urls();
        let policy = policy.split("```").next().unwrap();
        let policy = policy.replace("https://logos.service.example", &logos);
        let page = self.servers.page(&format!(
            "{}<meta http-equiv=\"content-security-policy\" content=\"{}\">
             <script src=\"https://pay.shop.example/v1/checkout.js\" async></script>
             <tender-checkout proxy=\"https://pay.shop.example\" order=\"{order}\">
               <a id=\"otherwise\" href=\"https://pay.shop.example/pay?order={order}\">Pay without JavaScript</a>
             </tender-checkout>",
            recorder(),
            policy.replace('\n', " "),
        ));
        browser.visit(&page).await
    }

    fn payment(&self, invoice: &str) -> Payment {
        let mut payments = self.servers.payments().into_iter();
        let payment = payments.find(|payment| payment.invoice_number.as_deref() == Some(invoice));
        payment.unwrap()
    }

    /// The service receives the money.
    fn complete(&self, invoice: &str) {
        let payment = self.payment(invoice);
        self.servers.set_status_of(&payment.transaction_id, "Paid");
    }

    /// Waits for the notification that an order is paid, and returns how many there are.
    async fn until_told(&self, invoice: &str) -> usize {
        until(format_args!("the notification of {invoice}"), async || {
            let received = self.servers.merchant.notifications();
            let received = received
                .iter()
                .filter_map(|body| serde_json::from_str(body).ok());
            let paid = received.filter(|event: &Value| {
                event["type"] == "payment.paid" && event["data"]["invoiceNumber"] == invoice
            });
            Ok(Some(paid.count()).filter(|count| *count > 0))
        })
        .await
    }
}

/// The blocks of this language in a step.
fn blocks(step: u8, language: &str) -> Vec<&'static str> {
    let (_, section) = PAGE.split_once(&format!("\n## {step}. ")).unwrap();
    code(section.split("\n## ").next().unwrap(), language)
}

#[tokio::test(flavor = "multi_thread")]
async fn the_steps_lead_to_a_fulfilled_order() {
    let Some(machine) = Machine::new().await else {
        return;
    };
    let proxy = machine.start().await;

    // 3. TLS
    let [commands] = blocks(3, "sh")[..] else {
        panic!("step 3 has one block");
    };
    let output = machine.run(commands);
    assert!(
        output.contains("tender-checkout") && output.contains("\"usdtt\""),
        "{output}"
    );
    assert!(output.trim_end().ends_with("ready"), "{output}");

    // 4. The page, without JavaScript and with it
    let resolver = format!("MAP pay.shop.example:443 {}", machine.tls.nginx.address);
    let resolver = format!("--host-resolver-rules={resolver}");
    let browser = Browser::start_with(&[&resolver, "--ignore-certificate-errors"]).await;
    browser.scripts(false).await;
    machine.visit(&browser, "INV-1").await;
    // Then step 5's other way: a payment that is cancelled.
    for control in [
        "#otherwise",
        "input[value=trx]",
        "[part=submit]",
        "a[href*='view=cancel']",
        "button[value=cancel]",
    ] {
        browser.click(By::Css(control)).await;
    }
    until("the cancellation", async || {
        Ok((machine.payment("INV-1").status.text() == "Cancelled").then_some(()))
    })
    .await;
    browser.scripts(true).await;
    let checkout = machine.visit(&browser, "INV-2").await;
    checkout.is_choosing().await;
    assert!(checkout.parts("test-mode").await.unwrap().is_empty());
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);

    // 5. A first payment
    checkout.pay("Bitcoin, Bitcoin").await;
    checkout.reads("Created").await;
    machine.complete("INV-2");
    checkout.reads("Paid").await;

    // 6. The meaning of statuses, while the page stays open
    let ([statuses, reload], [mapping]) = (&blocks(6, "sh")[..], &blocks(6, "toml")[..]) else {
        panic!("step 6 has two commands and a mapping");
    };
    let listed = machine.run(statuses);
    assert!(listed.contains("2\tPaid\t1\tnot mapped"), "{listed}");
    machine.configure(mapping);
    machine.run(reload);
    checkout.reads("Payment received").await;
    let listed = machine.run(statuses);
    assert!(listed.contains("2\tPaid\t1\tpaid"), "{listed}");

    // 7. Notifications
    machine.configure(&format!(
        "notify_url = {:?}\nnotify_secret = {:?}\n",
        machine.servers.merchant.backend(),
        machine.servers.shop_settings().notify_secret,
    ));
    drop(proxy);
    let _proxy = machine.start().await;
    for (invoice, is_down) in [("INV-3", false), ("INV-4", true)] {
        let checkout = machine.visit(&browser, invoice).await;
        checkout.pay("Bitcoin, Bitcoin").await;
        browser.leave().await;
        if is_down {
            machine
                .servers
                .merchant
                .answer_with(StatusCode::SERVICE_UNAVAILABLE);
        }
        machine.complete(invoice);
        if is_down {
            machine.servers.merchant.until_refused().await;
            machine.servers.merchant.answer_with(StatusCode::OK);
        }
        assert_eq!(machine.until_told(invoice).await, 1);
    }
}
