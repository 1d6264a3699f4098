//! What the containers of an archive run. The tests have no engine for containers: the programs are started from the archive
//! as the definition says, without any other file and variable.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tender_programs::free_address;

use super::Unpacked;
use super::definition::{BIN, compose, make_secrets, texts};
use crate::support::{Browser, output, until};
use crate::test_mode::{mark, sandbox_page};

/// A program of the definition. It is killed when the test ends; its log is printed if the test has failed.
struct Running {
    process: Child,
    log: PathBuf,
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            eprintln!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        }
    }
}

/// The definition, with the paths of the unpacked archive and with free ports.
struct Definition {
    compose: Value,
    secrets: PathBuf,
    addresses: [String; 2],
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
        let mut addresses = Vec::new();
        for port in ["8080", "8081", "8082", "8083"] {
            let free = free_address();
            yaml = yaml.replace(port, &free.port().to_string());
            addresses.push(format!("http://{free}"));
        }
        let [shop, _proxy, sandbox, _rates] = <[String; 4]>::try_from(addresses).unwrap();
        Self {
            compose: compose(&yaml),
            secrets,
            addresses: [shop, sandbox],
        }
    }

    /// The program of this service with its variables and no others.
    fn command(&self, name: &str) -> Command {
        let service = &self.compose["services"][name];
        let mut words = match service.get("entrypoint") {
            Some(entrypoint) => texts(entrypoint),
            None => self.health(name)[..1].to_vec(),
        };
        words.extend(service.get("command").map(texts).unwrap_or_default());
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).env_clear();
        for (name, value) in service
            .get("environment")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
        {
            command.env(name, value.as_str().unwrap());
        }
        for file in service.get("env_file").map(texts).unwrap_or_default() {
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

    fn start(&self, name: &str, folder: &Path) -> Running {
        let log = folder.join(format!("{name}.log"));
        let output = File::create(&log).unwrap();
        let mut command = self.command(name);
        command
            // A container's folder can't be written to either.
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(output.try_clone().unwrap())
            .stderr(output);
        let process = command.spawn().unwrap();
        Running { process, log }
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
    assert_eq!(checked, "The configuration is valid.\n");

    let folder = archive.folder.path();
    let _sandbox = definition.start("sandbox", folder);
    let _proxy = definition.start("proxy", folder);
    definition.is_healthy("proxy").await;
    let _shop = definition.start("shop", folder);
    let [shop, sandbox] = &definition.addresses;
    until("the shop to listen", async || {
        let answer = reqwest::get(format!("{shop}/healthz")).await;
        Ok(answer.ok().filter(|answer| answer.status().is_success()))
    })
    .await;

    let browser = Browser::start().await;
    browser
        .pay(&format!("{shop}/?invoice=INV-1042"), "Bitcoin, Bitcoin")
        .await;
    browser.go(shop).await;
    mark(&browser, &sandbox_page(&browser).await, "Paid").await;
    let url = browser.driver().current_url().await.unwrap();
    assert!(url.as_str().starts_with(sandbox), "{url}");
    browser.go(format!("{shop}/order/INV-1042")).await;
    browser.is_headed("Paid, we are packing").await;
}
