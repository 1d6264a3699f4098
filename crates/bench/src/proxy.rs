//! Compares the proxy with its alternatives: nginx, and a small proxy on Node.js.

mod contender;
mod load;
mod table;
mod task;

use std::path::PathBuf;

use anyhow::{Result, bail};

use self::contender::Contender;
use self::load::{Report, Run, THREADS};
use self::table::{Row, Table};
use self::task::{TASKS, Task};
use crate::figures::Goals;
use crate::orders::Signer;

/// Warm-up that opens connections and fills caches.
const WARM_UP_SECONDS: u32 = 1;

/// Number of signed orders for each thread of the load generator.
const ORDERS: u32 = 120_000;

struct Bench {
    signer: Signer,
    /// The directory of the bodies with signed orders.
    bodies: tempfile::TempDir,
    rounds: u32,
    seconds: u32,
    /// Another build of the proxy.
    other: Option<PathBuf>,
}

pub(crate) fn run(rounds: u32, seconds: u32, other: Option<PathBuf>) -> Result<()> {
    let bench = Bench {
        signer: Signer::new(),
        bodies: tempfile::tempdir()?,
        rounds,
        seconds,
        other,
    };
    bench.signer.write(bench.bodies.path(), THREADS, ORDERS)?;
    println!(
        "Medians of {rounds} rounds of {seconds} s, with lowest and highest; contenders take turns."
    );
    let mut goals = Goals::default();
    for task in &TASKS {
        let table = bench.compare(task)?;
        print!("{table}");
        table.add_goals(&mut goals);
    }
    print!("{goals}");
    Ok(())
}

impl Bench {
    fn compare<'a>(&self, task: &'a Task) -> Result<Table<'a>> {
        let contenders = match self.other {
            Some(_) => task.builds(),
            None => task.contenders,
        };
        let mut rows: Vec<_> = contenders.iter().copied().map(Row::new).collect();
        for rate in [None, Some(task.rate)] {
            let load = rate.map_or_else(String::new, |rate| format!(", {rate}/s"));
            for round in 1..=self.rounds {
                for row in &mut rows {
                    let name = row.contender.name();
                    eprintln!("{}{load}, round {round}: {name}", task.name);
                    let (report, time) = self.measure(task, row.contender, rate)?;
                    row.add(rate, &report, time);
                }
            }
        }
        Ok(Table { task, rows })
    }

    /// Puts load on a contender. Returns also the processor time that it took, in seconds.
    fn measure(
        &self,
        task: &Task,
        contender: Contender,
        rate: Option<f64>,
    ) -> Result<(Report, f64)> {
        let setup = contender.set_up(task, self.other.as_deref())?;
        self.check(task, contender, &setup.url)?;
        let bodies = self.bodies.path().to_string_lossy();
        let body = contender.unsigned().unwrap_or(&bodies);
        let mut run = Run {
            url: &setup.url,
            body: task.is_create.then_some(body),
            seconds: WARM_UP_SECONDS,
            rate,
        };
        if !task.is_create {
            run.report()?;
        }
        run.seconds = self.seconds;
        let before = setup.server().processor_time()?;
        let report = run.report()?;
        let after = setup.server().processor_time()?;
        Ok((report, after - before))
    }

    /// Checks that a contender works before it is measured.
    fn check(&self, task: &Task, contender: Contender, url: &str) -> Result<()> {
        let request = if task.is_create {
            let body = match contender.unsigned() {
                Some(body) => body.replace("NUMBER", "0"),
                None => self.signer.create("INV-0")?,
            };
            minreq::post(url)
                .with_header("content-type", "application/json")
                .with_body(body)
        } else {
            minreq::get(url.replace("NUMBER", "00"))
        };
        let response = request.with_timeout(10).send()?;
        let body = response.as_str().unwrap_or_default();
        if !matches!(response.status_code, 200 | 201) || !body.contains(task.response) {
            let name = contender.name();
            bail!("{name} responded to {url}: {} {body}", response.status_code);
        }
        Ok(())
    }
}
