//! The proof of "one payment per attempt": buyers pay, while the service drops answers, is slow and
//! fails, and instances of the proxy are killed, frozen and started again. In the end the service has
//! exactly one open payment for each order, and it is the one that its buyer was shown.
//!
//! What goes wrong is drawn from a seed, which is printed; `TENDER_SEED` sets it. When it goes wrong is
//! up to the machine.

#[cfg(test)]
mod buyer;
#[cfg(test)]
mod instance;
#[cfg(test)]
mod trouble;

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};
    use std::io::Write as _;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use tempfile::TempDir;
    use tender_postgres::Server;
    use tender_protocol::Status;
    use tender_sandbox::{Config, Requests, Sandbox};
    use tokio::sync::{Mutex, Semaphore};
    use tokio::task::JoinSet;

    use crate::buyer::{Checkout, Story, Told};
    use crate::instance::Instance;
    use crate::trouble::{Chaos, spoil};

    /// One at a time: each of them takes the whole machine.
    static TURN: Mutex<()> = Mutex::const_new(());

    /// Buyers at the same time.
    const CROWD: usize = 40;

    #[tokio::test(flavor = "multi_thread")]
    async fn two_instances_on_postgresql() {
        let _turn = TURN.lock().await;
        let database = Server::shared().new_database().unwrap();
        prove("two instances on PostgreSQL", &database, 2, 1000).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn one_instance_on_sqlite() {
        let _turn = TURN.lock().await;
        let directory = TempDir::new().unwrap();
        let database = format!("sqlite:{}", directory.path().join("ledger.db").display());
        prove("one instance on SQLite", &database, 1, 1000).await;
    }

    fn seed() -> u64 {
        let set = std::env::var("TENDER_SEED").ok();
        set.map_or_else(|| fastrand::u64(..), |seed| seed.parse().unwrap())
    }

    /// For whoever runs the tests, also when they pass: past the harness, which would keep it.
    fn report(line: &str) {
        writeln!(std::io::stderr(), "{line}").unwrap();
    }

    async fn prove(name: &str, database: &str, instances: usize, orders: usize) {
        let seed = seed();
        report(&format!("{name}: TENDER_SEED={seed}"));
        let begun = Instant::now();
        let mut random = fastrand::Rng::with_seed(seed);
        let sandbox = Sandbox::start(Config::on_free_ports()).await.unwrap();
        let instances: Vec<_> = (0..instances)
            .map(|_| Instance::start(&sandbox, database))
            .collect();
        let addresses = instances.iter().map(|instance| instance.address.clone());
        let checkout = Arc::new(Checkout::new(addresses.collect()));
        let spoiling = spoil(sandbox.controls().clone(), random.fork());
        let between = if instances.len() > 1 { 50..150 } else { 30..90 };
        let chaos = Chaos::begin(instances, &checkout, between, random.fork());

        let room = Arc::new(Semaphore::new(CROWD));
        let mut buyers = JoinSet::new();
        for number in 0..orders {
            let story = Story::draw(number, &mut random);
            let (checkout, room) = (Arc::clone(&checkout), Arc::clone(&room));
            buyers.spawn(async move {
                let _place = room.acquire().await.unwrap();
                story.live(checkout).await
            });
        }
        let mut told = Vec::new();
        // The last ones find it calm, or they might never come to an end.
        while told.len() + CROWD < orders {
            told.push(buyers.join_next().await.unwrap().unwrap());
        }
        let (instances, misfortunes) = chaos.end().await;
        told.extend(buyers.join_all().await);
        spoiling.abort();
        sandbox.controls().clear_faults();
        // What the service was asked and did not carry out yet, and those who came too late.
        tokio::time::sleep(Duration::from_secs(4)).await;

        let state = sandbox.controls().state();
        let mut open: HashMap<String, Vec<String>> = HashMap::new();
        for entry in &state.payments {
            if entry.payment.status == Status::Created {
                let invoice = entry.payment.invoice_number.clone().unwrap();
                let payments = open.entry(invoice).or_default();
                payments.push(entry.payment.transaction_id.clone());
            }
        }
        let created = state.payments.len();
        let live: usize = open.values().map(Vec::len).sum();
        report(&format!(
            "{name}: {} s\n  {misfortunes}\n  {}\n  the service: {created} payments \
             created, {} cancelled, {live} open, for {orders} orders",
            begun.elapsed().as_secs(),
            checkout.summary(),
            created - live,
        ));
        for (endpoint, Requests { received, handled }) in &state.requests {
            report(&format!(
                "    {endpoint:?}: {received} calls, {handled} carried out"
            ));
        }

        let mut wrong = BTreeMap::new();
        for Told {
            invoice, payments, ..
        } in &told
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
        assert_eq!(told.len(), orders);
        assert_eq!(open.len(), orders, "there are no payments but the orders'");
        // Every instance gives the same answer still.
        for told in told.iter().take(20) {
            for instance in &instances {
                checkout.confirm(told, &instance.address).await;
            }
        }
    }
}
