//! A service that creates a payment after another request has taken its attempt over.

use std::sync::Arc;
use std::time::Duration;

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::ledger::Reason;
use tender_protocol::request::SignedOrder;
use tender_protocol::{CreatePayment, Status, TokenCode};
use tender_sandbox::{Endpoint, Fault, Outcome, Sandbox};

use crate::checkout::attempts::Payments;
use crate::config::Config;
use crate::metrics::Metrics;
use crate::service::Service;
use crate::statuses::Statuses;
use crate::store::attempts::{Attempt, AttemptStore, Order, Timeouts};

struct World {
    sandbox: Sandbox,
    config: Config,
    store: Arc<AttemptStore>,
    payments: Payments,
}

/// The order's payment and the late one.
struct Duplicates {
    world: World,
    used: String,
    late: String,
}

impl World {
    async fn new() -> Self {
        let sandbox = tender_sandbox::Config::on_free_ports();
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let mut config = Config::new(sandbox.base_url(), sandbox.rates_base_url()).unwrap();
        config.upstream.settle = Duration::ZERO;
        config.upstream.retries = 0;
        let store = AttemptStore::open(&config.store.database, Timeouts::new(&config)).await;
        let store = Arc::new(store.unwrap());
        Self {
            payments: instance(&config, &store),
            sandbox,
            config,
            store,
        }
    }

    /// Creates the payment of the order and returns its transactionId.
    async fn create(payments: Payments) -> String {
        let payment = CreatePayment {
            token: TokenCode::from("usdtt"),
            quantity: "25".parse().unwrap(),
            payment_token: TokenCode::from("trx"),
            invoice_number: "INV-1".to_owned(),
            purchase_email: None,
            purchase_name: None,
            item_number: None,
        };
        let signed = SignedOrder {
            token: "usdtt".to_owned(),
            quantity: None,
            invoice_number: "INV-1".to_owned(),
        };
        let order = Order::new(signed, Duration::MAX);
        let attempt = Arc::new(Attempt::new(None, payment, Some(order)));
        let created = payments.create(&attempt).await;
        created.ok().unwrap().created.transaction_id
    }

    /// Lets the service execute the first create request late, after its lease was lost.
    async fn with_late_payment(&self, meanwhile: impl AsyncFnOnce()) -> String {
        let late = Fault::new(Outcome::Handle).delay_ms(3000);
        self.inject(late.on(Endpoint::Create).once());
        let creating = tokio::spawn(Self::create(self.payments.clone()));
        while self.calls(Endpoint::Create) < 1 {
            tokio::task::yield_now().await;
        }
        self.execute("UPDATE attempts SET fence = fence + 1, lease_until = 0, settles_at = 0")
            .await;
        meanwhile().await;
        creating.await.unwrap()
    }

    async fn execute(&self, statement: &'static str) {
        self.store.database().execute(statement, None).await;
    }

    /// Tries to settle the payments in this instance now, whenever they are due.
    async fn settle(&self, payments: &Payments) {
        self.execute("UPDATE surplus_payments SET due_at = 0").await;
        payments.settle_due().await.unwrap();
    }

    fn inject(&self, fault: Fault) {
        self.sandbox.controls().inject(fault);
    }

    fn calls(&self, endpoint: Endpoint) -> u64 {
        let requests = self.sandbox.controls().state().requests;
        requests
            .get(&endpoint)
            .map_or(0, |requests| requests.received)
    }

    /// The open payments, newest first.
    fn open(&self) -> Vec<String> {
        let payments = self.sandbox.controls().state().payments.into_iter();
        payments
            .map(|entry| entry.payment)
            .filter(|payment| payment.status == Status::Created)
            .map(|payment| payment.transaction_id)
            .collect()
    }

    /// The late payments that the merchant sees.
    async fn listed(&self) -> Vec<String> {
        let (orders, _) = self.store.unresolved().await.unwrap();
        let late = orders
            .into_iter()
            .filter(|order| order.reason == Reason::LateDuplicate);
        late.map(|order| order.transaction_id.unwrap()).collect()
    }
}

fn instance(config: &Config, store: &Arc<AttemptStore>) -> Payments {
    let service = Service::new(config, Metrics::new()).unwrap();
    let statuses = Arc::new(Statuses::new(config));
    Payments::new(
        Arc::new(service),
        Arc::clone(store),
        statuses,
        Metrics::new(),
    )
}

async fn duplicates() -> Duplicates {
    let world = World::new().await;
    let mut used = String::new();
    let returned = world
        .with_late_payment(async || used = World::create(world.payments.clone()).await)
        .await;
    // Both requests get the order's payment.
    assert_eq!(returned, used);
    let late = world.open().into_iter().find(|id| *id != used);
    let late = late.expect("a late payment");
    assert_eq!(world.listed().await, [&*late]);
    Duplicates { world, used, late }
}

#[tokio::test]
async fn a_duplicate_stays_open_until_any_instance_has_cancelled_it() {
    let Duplicates { world, used, late } = duplicates().await;
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::Cancel));
    for _ in 0..12 {
        world.settle(&world.payments).await;
    }
    assert_eq!(world.listed().await, [&*late]);
    assert_eq!(world.payments.metrics.late_duplicates.get(), 1);

    world.sandbox.controls().clear_faults();
    let other = instance(&world.config, &world.store);
    world.settle(&other).await;
    assert_eq!(world.open(), [used]);
    assert!(world.listed().await.is_empty());
    assert_eq!(other.metrics.late_duplicates.get(), 0);
}

#[tokio::test]
async fn a_duplicate_that_may_be_paid_is_left_to_the_merchant() {
    let Duplicates { world, late, .. } = duplicates().await;
    let paid = Status::new("2", "Paid").unwrap();
    let controls = world.sandbox.controls();
    controls.set_status(&late, paid).unwrap();
    world.settle(&world.payments).await;
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    assert_eq!(world.listed().await, [&*late]);
    // The merchant has cancelled it.
    let cancelled = Status::new("5", "Cancelled").unwrap();
    controls.set_status(&late, cancelled).unwrap();
    world.settle(&world.payments).await;
    assert!(world.listed().await.is_empty());
}

/// Whether it was the order's payment is no longer known, so only the list settles it.
#[tokio::test]
async fn a_duplicate_of_a_deleted_attempt_is_settled_by_the_list() {
    let Duplicates { world, late, .. } = duplicates().await;
    world.execute("DELETE FROM attempt_keys").await;
    world.execute("DELETE FROM attempts").await;
    let controls = world.sandbox.controls();
    for (id, name, expected) in [
        ("1", "Created", vec![&*late]),
        ("2", "Paid", vec![&*late]),
        ("5", "Cancelled", Vec::new()),
    ] {
        let status = Status::new(id, name).unwrap();
        controls.set_status(&late, status).unwrap();
        world.settle(&world.payments).await;
        assert_eq!(world.listed().await, expected, "{name}");
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

/// It may be another one's payment.
#[tokio::test]
async fn a_late_payment_that_was_not_asked_for_is_left_to_the_merchant() {
    let Duplicates { world, late, .. } = duplicates().await;
    world
        .execute("UPDATE surplus_payments SET record = REPLACE(record, 'INV-1', 'INV-9')")
        .await;
    world.settle(&world.payments).await;
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    assert_eq!(world.listed().await, [&*late]);
}

#[tokio::test]
async fn a_cancellation_that_is_not_confirmed_is_repeated() {
    let Duplicates { world, used, late } = duplicates().await;
    let empty = Fault::respond(StatusCode::OK, "[]");
    world.inject(empty.on(Endpoint::Cancel).once());
    world.settle(&world.payments).await;
    assert_eq!(world.listed().await, [&*late]);
    world.settle(&world.payments).await;
    assert_eq!(world.open(), [used]);
    assert!(world.listed().await.is_empty());
}

/// No other request came, so the late payment is the order's.
#[tokio::test]
async fn a_late_payment_without_another_one_is_kept() {
    let world = World::new().await;
    let created = world.with_late_payment(async || {}).await;
    world.settle(&world.payments).await;
    assert_eq!(world.open(), [created]);
    assert!(world.listed().await.is_empty());
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}

/// The attempt has found it in the list while this instance was about to cancel it.
#[tokio::test]
async fn a_late_payment_that_its_attempt_has_found_meanwhile_is_kept() {
    let Duplicates { world, late, .. } = duplicates().await;
    let slow = Fault::new(Outcome::Handle).delay_ms(1000);
    world.inject(slow.on(Endpoint::List).once());
    let before = world.calls(Endpoint::List);
    let settling = world.settle(&world.payments);
    let finding = async {
        while world.calls(Endpoint::List) == before {
            tokio::task::yield_now().await;
        }
        world
            .execute("UPDATE attempts SET transaction_id = (SELECT transaction_id FROM surplus_payments)")
            .await;
    };
    tokio::join!(settling, finding);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    assert!(world.open().contains(&late));
    assert!(world.listed().await.is_empty());
}

/// It may be on a page that was not read.
#[tokio::test]
async fn a_duplicate_is_not_cancelled_before_the_list_has_ended() {
    let Duplicates { world, late, .. } = duplicates().await;
    let other = |number| json!({ "transactionId": format!("other-{number}"), "statusId": "1" });
    for count in [20, 1] {
        let page: Value = (0..count).map(other).collect();
        let page = Fault::respond(StatusCode::OK, page.to_string());
        world.inject(page.on(Endpoint::List).once());
        world.inject(Fault::respond(StatusCode::NOT_FOUND, "{}").on(Endpoint::List));
        world.settle(&world.payments).await;
        world.sandbox.controls().clear_faults();
        assert_eq!(world.calls(Endpoint::Cancel), 0);
        assert_eq!(world.listed().await, [&*late]);
    }
}

#[tokio::test]
async fn a_duplicate_that_is_never_listed_stays_open() {
    let Duplicates { world, late, .. } = duplicates().await;
    world.inject(Fault::respond(StatusCode::OK, "[]").on(Endpoint::List));
    world.settle(&world.payments).await;
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    assert_eq!(world.listed().await, [&*late]);
}
