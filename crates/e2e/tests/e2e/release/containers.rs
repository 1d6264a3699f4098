//! What the containers of an archive run. The tests have no engine for containers: the programs are started from the archive
//! as the definition says, without any other file and variable.

use std::fs;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use tender_programs::{Server, free_address};

use super::Unpacked;
use super::definition::{BIN, compose, fields, make_secrets, texts};
use crate::support::{Browser, output, until};
use crate::test_mode::{mark, sandbox_page};

/// The definition, with the paths of the unpacked archive and with free ports.
struct Definition {
    compose: Value,
    secrets: PathBuf,
    shop: SocketAddr,
    proxy: SocketAddr,
    sandbox: SocketAddr,
}

impl Definition {
    fn of(archive: &Unpacked) -> Self {
        let secrets = make_secrets(archive);
        let root = archive.root.to_str().unwrap();
        let mut yaml = archive
            .text("container/compose.yaml")
            .replace("/run/secrets", secrets.to_str().unwrap())
            .replace(BIN, &format!("{root}/"))
            .replace("/usr/local/share/tender", root);
        // With the colon, no port is found inside another one, such as 38081.
        let [shop, proxy, sandbox, _rates] = [":8080", ":8081", ":8082", ":8083"].map(|port| {
            let free = free_address();
            yaml = yaml.replace(port, &format!(":{}", free.port()));
            free
        });
        Self {
            compose: compose(&yaml),
            secrets,
            shop,
            proxy,
            sandbox,
        }
    }

    /// The program of this service with its variables and no others.
    fn command(&self, name: &str) -> Command {
        let service = &self.compose["services"][name];
        let mut words = texts(&service["entrypoint"]);
        if words.is_empty() {
            words = self.health(name)[..1].to_vec();
        }
        words.extend(texts(&service["command"]));
        // A container's folder can't be written to either.
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "cd / && exec \"$@\"", "sh"])
            .args(words);
        command.env_clear();
        for (name, value) in fields(&service["environment"]) {
            command.env(name, value.as_str().unwrap());
        }
        for file in texts(&service["env_file"]) {
            let folder = self.secrets.parent().unwrap();
            let lines = fs::read_to_string(folder.join(file)).unwrap();
            command.envs(lines.lines().map(|line| line.split_once('=').unwrap()));
        }
        command
    }

    /// The command that tells whether this service is healthy.
    fn health(&self, name: &str) -> Vec<String> {
        let test = texts(&self.compose["services"][name]["healthcheck"]["test"]);
        assert_eq!(test[0], "CMD");
        test[1..].to_vec()
    }

    async fn start(&self, name: &str, address: SocketAddr) -> Server {
        Server::start(address, TempDir::new().unwrap(), &mut self.command(name)).await
    }

    async fn is_healthy(&self, name: &str) {
        let health = self.health(name);
        until(format_args!("{name} to be healthy"), async || {
            let mut ask = Command::new(&health[0]);
            let asked = ask
                .args(&health[1..])
                .env_clear()
                .stderr(Stdio::null())
                .status();
            Ok(asked.unwrap().success().then_some(()))
        })
        .await;
    }
}

/// With PostgreSQL, in test mode, until the shop has been notified.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_definition_starts_sells_a_print() {
    let archive = Unpacked::new();
    let definition = Definition::of(&archive);
    let database_url = definition.secrets.join("database_url");
    fs::remove_file(&database_url).unwrap();
    let database = tender_programs::Postgres::shared().new_database();
    fs::write(&database_url, database).unwrap();

    let checked = output(definition.command("proxy").arg("--check"));
    assert!(
        checked.starts_with("The configuration is valid.\n"),
        "{checked}"
    );
    assert!(!checked.contains("Warning: "), "{checked}");

    let sandbox = definition.start("sandbox", definition.sandbox).await;
    let _proxy = definition.start("proxy", definition.proxy).await;
    definition.is_healthy("proxy").await;
    let shop = definition.start("shop", definition.shop).await;

    let browser = Browser::start().await;
    browser
        .pay(&shop.url("/?invoice=INV-1042"), "Bitcoin, Bitcoin")
        .await;
    browser.go(shop.url("/")).await;
    mark(&browser, &sandbox_page(&browser).await, "Paid").await;
    let url = browser.driver.current_url().await.unwrap();
    assert!(url.as_str().starts_with(&sandbox.url("/")), "{url}");
    browser.go(shop.url("/order/INV-1042")).await;
    browser.is_headed("Paid, we are packing").await;
}
