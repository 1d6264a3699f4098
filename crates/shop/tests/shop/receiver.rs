//! A running program that receives notifications, and its database.

use reqwest::{Client, Response, StatusCode};
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, PgPool};
use tender_programs::free_address;
use tender_programs::shops::{Example, Settings};

use crate::contract::{SoldOrder, contract};
use crate::delivery::{self, Delivery, ORDER_KEY};

/// The merchant key of the receivers' proxy.
pub(crate) const MERCHANT_KEY: &str = "the merchant key of the tests, 32 characters or more";

pub(crate) struct Receiver {
    pub(crate) program: tender_programs::Server,
    client: Client,
    database: PgPool,
    pub(crate) database_url: String,
}

impl Receiver {
    /// Starts a language's program; `None` if the language is skipped.
    pub(crate) async fn start(example: &Example, allow_test_mode: bool) -> Option<Self> {
        let settings = Settings {
            allow_test_mode,
            ..settings()
        };
        let shop = example.start(free_address(), &settings).await?;
        Some(Self {
            program: shop.server,
            client: Client::builder().no_proxy().build().unwrap(),
            database: connect(&shop.database_url).await,
            database_url: shop.database_url,
        })
    }

    pub(crate) async fn post(&self, delivery: &Delivery) -> StatusCode {
        self.response_to(delivery).await.status()
    }

    pub(crate) async fn response_to(&self, delivery: &Delivery) -> Response {
        delivery::post(&self.client, &self.program.url("/notifications"), delivery).await
    }

    /// The status of a page; an error if the program does not answer.
    pub(crate) async fn status_of(&self, path: &str) -> reqwest::Result<StatusCode> {
        let response = self.client.get(self.program.url(path)).send().await?;
        Ok(response.status())
    }

    /// Adds an order of the shop.
    pub(crate) async fn place(&self, order: &SoldOrder) {
        sqlx::query("INSERT INTO orders VALUES ($1, $2, $3::numeric, now() + interval '1 hour')")
            .bind(&order.invoice_number)
            .bind(&order.token)
            .bind(&order.quantity)
            .execute(&self.database)
            .await
            .unwrap();
        if order.cancelled {
            self.cancel(&order.invoice_number).await;
        }
    }

    /// Adds an order with this price in USDT on TRON.
    pub(crate) async fn sell(&self, invoice: &str, price: &str) {
        let order = SoldOrder {
            invoice_number: invoice.to_owned(),
            token: "usdtt".to_owned(),
            quantity: price.to_owned(),
            cancelled: false,
        };
        self.place(&order).await;
    }

    pub(crate) async fn cancel(&self, invoice: &str) {
        sqlx::query("UPDATE orders SET cancelled_at = now() WHERE invoice_number = $1")
            .bind(invoice)
            .execute(&self.database)
            .await
            .unwrap();
    }

    /// Makes all orders two hours old.
    pub(crate) async fn wait(&self) {
        sqlx::raw_sql("UPDATE orders SET created_at = now() - interval '2 hours'")
            .execute(&self.database)
            .await
            .unwrap();
    }

    /// Makes an order 60 days old, which ends at this time.
    pub(crate) async fn made_long_ago(&self, invoice: &str, valid_until: &str) {
        let dates = "created_at = now() - interval '60 days', valid_until = now() + $2::interval";
        let update = format!("UPDATE orders SET {dates} WHERE invoice_number = $1");
        sqlx::query(AssertSqlSafe(update))
            .bind(invoice)
            .bind(valid_until)
            .execute(&self.database)
            .await
            .unwrap();
    }

    /// Closes the program's connections, as PostgreSQL does when it restarts.
    pub(crate) async fn close_connections(&self) {
        let others = "datname = current_database() AND application_name <> 'tests'";
        let close =
            format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}");
        sqlx::raw_sql(AssertSqlSafe(close))
            .execute(&self.database)
            .await
            .unwrap();
    }

    /// How many orders there are.
    pub(crate) async fn orders(&self) -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM orders");
        count.fetch_one(&self.database).await.unwrap()
    }

    /// What the worker packs next.
    pub(crate) async fn pack(&self) -> Option<String> {
        let packed = sqlx::query_scalar(include_str!("../../../../examples/shops/pack.sql"));
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

async fn connect(url: &str) -> PgPool {
    let options: PgConnectOptions = url.parse().unwrap();
    let options = options.application_name("tests");
    PgPool::connect_with(options).await.unwrap()
}

/// No proxy is asked for anything.
pub(crate) fn settings() -> Settings {
    Settings {
        proxy: "https://pay.shop.example".to_owned(),
        logos: "https://logos.service.example".to_owned(),
        order_key: ORDER_KEY.to_owned(),
        notify_secret: contract().secret,
        merchant_key: MERCHANT_KEY.to_owned(),
        allow_test_mode: false,
    }
}
