//! A stress test of "one payment per attempt": buyers pay, say that they have sent money and choose other tokens, payments are
//! paid, and the merchant cancels some, while the service drops responses, is slow and fails, and while instances of the proxy
//! are killed, suspended and restarted. In the end the service has exactly one open or paid payment per order, and it is the
//! one that the buyer was shown.
//!
//! `TENDER_SEED` chooses other faults. Their timing depends on the machine.

#![cfg(test)]

mod buyer;
mod checkout;
mod faults;
mod instance;
#[allow(dead_code, reason = "other tests use the rest")]
#[path = "../program/support.rs"]
mod support;

mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::io::Write as _;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use tempfile::TempDir;
    use tender_programs::Postgres;
    use tender_protocol::Status;
    use tender_sandbox::{Requests, Sandbox};
    use tokio::sync::{Mutex, Semaphore};
    use tokio::task::JoinSet;

    use crate::buyer::Buyer;
    use crate::checkout::{BuyerResult, Checkout};
    use crate::faults::{Chaos, inject_faults};
    use crate::instance::{Instance, PAID};
    use crate::support::sandbox;

    /// Runs the tests one at a time, because each uses the whole machine.
    static TURN: Mutex<()> = Mutex::const_new(());

    /// Few enough that a search reads the whole list of one day in at most 50 calls, although calls fail.
    const ORDERS: usize = 250;

    /// Number of concurrent buyers.
    const CROWD: usize = 40;

    /// Long enough for compensation to be tried again after several failures.
    const SETTLE_TIMEOUT: Duration = Duration::from_mins(1);

    #[tokio::test(flavor = "multi_thread")]
    async fn two_instances_on_postgresql() {
        let _turn = TURN.lock().await;
        let database = Postgres::shared().new_database();
        prove("two instances on PostgreSQL", &database, 2, ORDERS).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_instance_on_sqlite() {
        let _turn = TURN.lock().await;
        let directory = TempDir::new().unwrap();
        let database = format!("sqlite:{}", directory.path().join("tender.db").display());
        prove("one instance on SQLite", &database, 1, ORDERS).await;
    }

    /// The transactionIds of the payments that are open or paid, by invoice number.
    fn open_payments(sandbox: &Sandbox) -> HashMap<String, Vec<String>> {
        let mut open: HashMap<String, Vec<String>> = HashMap::new();
        for entry in sandbox.controls().state().payments {
            let is_paid = entry.payment.status.text() == PAID;
            if is_paid || entry.payment.status == Status::Created {
                let invoice = entry.payment.invoice_number.unwrap();
                let payments = open.entry(invoice).or_default();
                payments.push(entry.payment.transaction_id);
            }
        }
        open
    }

    fn seed() -> u64 {
        let set = std::env::var("TENDER_SEED").ok();
        set.map_or(1, |seed| seed.parse().unwrap())
    }

    /// Prints a line even if the test passes: the test harness captures the output of `println!`.
    fn report(line: &str) {
        writeln!(std::io::stderr(), "{line}").unwrap();
    }

    async fn prove(name: &str, database: &str, instances: usize, orders: usize) {
        let seed = seed();
        report(&format!("{name}: TENDER_SEED={seed}"));
        let begun = Instant::now();
        let mut random = fastrand::Rng::with_seed(seed);
        let sandbox = sandbox().await;
        let instances: Vec<_> = (0..instances)
            .map(|_| Instance::start(&sandbox, database))
            .collect();
        let addresses = instances.iter().map(|instance| instance.address.clone());
        let service = sandbox.controls().clone();
        let checkout = Arc::new(Checkout::new(addresses.collect(), service));
        let injecting = inject_faults(sandbox.controls().clone(), random.fork());
        let between = if instances.len() > 1 { 50..150 } else { 30..90 };
        let chaos = Chaos::begin(instances, &checkout, between, random.fork());

        let room = Arc::new(Semaphore::new(CROWD));
        let mut buyers = JoinSet::new();
        for number in 0..orders {
            let buyer = Buyer::new(number, &mut random);
            let (checkout, room) = (Arc::clone(&checkout), Arc::clone(&room));
            buyers.spawn(async move {
                let _place = room.acquire().await.unwrap();
                buyer.run(checkout).await
            });
        }
        let mut results = Vec::new();
        // The last buyers run without faults, so that they finish.
        while results.len() + CROWD < orders {
            results.push(buyers.join_next().await.unwrap().unwrap());
        }
        let instances = chaos.end().await;
        results.extend(buyers.join_all().await);
        injecting.abort();
        sandbox.controls().clear_faults();
        // Wait for requests that the service has not executed yet, and for compensation.
        tokio::time::sleep(Duration::from_secs(4)).await;
        let settled_by = Instant::now() + SETTLE_TIMEOUT;
        let is_settled =
            |open: &HashMap<String, Vec<String>>| open.values().all(|payments| payments.len() == 1);
        let mut open = open_payments(&sandbox);
        while !is_settled(&open) && Instant::now() < settled_by {
            tokio::time::sleep(Duration::from_millis(200)).await;
            open = open_payments(&sandbox);
        }
        let state = sandbox.controls().state();
        let created = state.payments.len();
        let live: usize = open.values().map(Vec::len).sum();
        report(&format!(
            "{name}: {} s\n  {}\n  the service: {created} payments \
             created, {} cancelled, {live} open, for {orders} orders",
            begun.elapsed().as_secs(),
            checkout.summary(),
            created - live,
        ));
        for (endpoint, Requests { received, handled }) in &state.requests {
            report(&format!(
                "    {endpoint:?}: {received} calls, {handled} handled"
            ));
        }

        let mut wrong = BTreeMap::new();
        for BuyerResult {
            invoice, payments, ..
        } in &results
        {
            let open = open.get(invoice).cloned().unwrap_or_default();
            if open.len() != 1 || payments.iter().any(|payment| *payment != open[0]) {
                wrong.insert(invoice, (open, payments));
            }
        }
        assert!(
            wrong.is_empty(),
            "order: (open, shown to its buyer): {wrong:#?}"
        );
        assert_eq!(results.len(), orders);
        assert_eq!(open.len(), orders, "there are no payments but the orders'");
        // Every instance still gives the same result.
        for results in results.iter().take(20) {
            for instance in &instances {
                checkout.confirm(results, &instance.address).await;
            }
        }
    }
}
