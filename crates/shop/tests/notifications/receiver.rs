//! A program of the page that is running, and its database.

use std::fs::{self, File};
use std::io::Write as _;
use std::net::TcpListener;
use std::process::{Child, Stdio};
use std::time::Duration;

use reqwest::StatusCode;
use sqlx::PgPool;
use tempfile::TempDir;
use tender_postgres::Server;

use crate::delivery::{self, Delivery, SECRET};
use crate::language::Language;

pub(crate) const PAGE: &str = include_str!("../../../../docs/fulfilment.md");

/// The file with the output of the program, which is shown if the test fails.
const LOG: &str = "output.log";

pub(crate) struct Receiver {
    address: String,
    client: reqwest::Client,
    database: PgPool,
    process: Child,
    folder: TempDir,
}

impl Receiver {
    /// Starts a language's program; `None` if the language is skipped.
    pub(crate) async fn start(language: &Language) -> Option<Self> {
        let folder = TempDir::new().unwrap();
        if !language.is_here(folder.path()) {
            // Written directly, because the test harness captures the output of `println!`.
            let left_out = format!(
                "LEFT OUT: notifications received in {}, which is not here\n",
                language.name
            );
            std::io::stderr().write_all(left_out.as_bytes()).unwrap();
            return None;
        }
        let url = database_url();
        let database = PgPool::connect(&url).await.unwrap();
        let [schema, _worker] = <[_; 2]>::try_from(programs("## In the database")).unwrap();
        sqlx::raw_sql(schema).execute(&database).await.unwrap();

        let port = free_port();
        language.write_program(folder.path());
        let log = File::create(folder.path().join(LOG)).unwrap();
        let process = language
            .command(language.run, folder.path())
            .env("NOTIFY_SECRET", SECRET)
            .env("DATABASE_URL", url)
            .env("PORT", port.to_string())
            .stdin(Stdio::null())
            .stdout(log.try_clone().unwrap())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut receiver = Self {
            address: format!("http://127.0.0.1:{port}/notifications"),
            client: reqwest::Client::builder().no_proxy().build().unwrap(),
            database,
            process,
            folder,
        };
        receiver.wait_until_ready(language.name).await;
        Some(receiver)
    }

    async fn wait_until_ready(&mut self, name: &str) {
        // Unsigned, so it is refused.
        while self.client.post(&self.address).send().await.is_err() {
            let ended = self.process.try_wait().unwrap();
            assert!(ended.is_none(), "{name} ended: {ended:?}");
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    pub(crate) async fn post(&self, delivery: &Delivery) -> StatusCode {
        delivery::post(&self.client, &self.address, delivery).await
    }

    /// Adds an order of the shop.
    pub(crate) async fn sell(&self, invoice: &str, price: &str) {
        sqlx::query("INSERT INTO orders VALUES ($1, 'USDTT', $2::numeric)")
            .bind(invoice)
            .bind(price)
            .execute(&self.database)
            .await
            .unwrap();
    }

    pub(crate) async fn cancel(&self, invoice: &str) {
        sqlx::query("UPDATE orders SET cancelled_at = now() WHERE invoice_number = $1")
            .bind(invoice)
            .execute(&self.database)
            .await
            .unwrap();
    }

    /// What the worker packs next.
    pub(crate) async fn pack(&self) -> Option<String> {
        let [_schema, worker] = <[_; 2]>::try_from(programs("## In the database")).unwrap();
        let packed = sqlx::query_scalar(worker);
        packed.fetch_optional(&self.database).await.unwrap()
    }

    /// How many notifications were stored.
    pub(crate) async fn notifications(&self) -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM notifications");
        count.fetch_one(&self.database).await.unwrap()
    }

    pub(crate) async fn questions(&self) -> Vec<String> {
        let questions =
            sqlx::query_scalar("SELECT question FROM notifications WHERE question IS NOT NULL");
        questions.fetch_all(&self.database).await.unwrap()
    }

    pub(crate) async fn answer_questions(&self) {
        sqlx::raw_sql("UPDATE notifications SET question = NULL")
            .execute(&self.database)
            .await
            .unwrap();
    }

    pub(crate) async fn drop_tables(&self) {
        sqlx::raw_sql("DROP TABLE notifications, orders CASCADE")
            .execute(&self.database)
            .await
            .unwrap();
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        if std::thread::panicking() {
            let log = fs::read_to_string(self.folder.path().join(LOG));
            eprintln!("{}", log.unwrap_or_default());
        }
    }
}

/// The programs in a section of the page.
pub(crate) fn programs(heading: &str) -> Vec<&'static str> {
    let (_, section) = PAGE
        .split_once(&format!("{heading}\n"))
        .expect("the page has it");
    let section = section.split("\n#").next().unwrap();
    let blocks = section.split("```").skip(1).step_by(2);
    let program = |block: &'static str| block.split_once('\n').unwrap().1;
    blocks.map(program).collect()
}

/// The address of a new database, in a form that the clients of all languages read.
fn database_url() -> String {
    let url = Server::shared().new_database().unwrap();
    let (socket, name) = (url.strip_prefix("postgres://postgres@"))
        .and_then(|place| place.split_once('/'))
        .unwrap();
    let socket = socket.replace("%2F", "/");
    format!("postgres:///{name}?host={socket}&user=postgres&sslmode=disable")
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
