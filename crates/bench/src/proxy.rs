//! Compares the proxy with its alternatives: nginx, and a small proxy on Node.js.

mod goals;
mod table;

use std::path::Path;
use std::time::Duration;

use self::table::{Row, Table};
use crate::contender::{Bench, Contender, Task};
use crate::error::Error;
use crate::load::{Load, Report, Requests, Run, THREADS};
use crate::orders::{Orders, probe};
use crate::server;

/// Warm-up that opens connections and fills caches.
const WARM_UP_SECONDS: u32 = 1;

pub(crate) fn run(rounds: u32, seconds: u32) -> Result<(), Error> {
    let folder = tempfile::tempdir()?;
    let bench = Bench {
        binaries: server::binaries()?,
        peer: Path::new(env!("CARGO_MANIFEST_DIR")).join("peer"),
        load: Load::write(folder.path())?,
        orders: Orders::write(folder.path(), THREADS)?,
    };
    println!(
        "Medians of {rounds} rounds of {seconds} s, with lowest and highest; contenders take turns."
    );
    let contenders = [
        Contender::Nothing,
        Contender::Nginx,
        Contender::NodeInMemory,
        Contender::NodeDurable,
        Contender::Tender,
    ];
    // Listings are cached and need no database.
    let with_postgres = [&contenders[..], &[Contender::TenderPostgres]].concat();
    let tables = [
        compare(&bench, Task::Tokens, &contenders, rounds, seconds)?,
        // The others have no such route.
        compare(
            &bench,
            Task::KeptForm,
            &[Contender::Tender],
            rounds,
            seconds,
        )?,
        compare(&bench, Task::NewForm, &[Contender::Tender], rounds, seconds)?,
        compare(&bench, Task::Create, &with_postgres, rounds, seconds)?,
    ];
    print!("{}", goals::compare(&tables));
    Ok(())
}

fn compare(
    bench: &Bench,
    task: Task,
    contenders: &[Contender],
    rounds: u32,
    seconds: u32,
) -> Result<Table, Error> {
    let mut rows: Vec<Row> = contenders.iter().copied().map(Row::new).collect();
    for round in 1..=rounds {
        for row in &mut rows {
            eprintln!("{task:?}, round {round}: {}", row.contender.name());
            let (report, time) = measure(bench, task, row.contender, seconds, None)?;
            row.throughput.add(report.requests_per_second());
            row.processor_time.add(time.as_secs_f64() / report.requests);
        }
    }
    for round in 1..=rounds {
        for row in &mut rows {
            eprintln!(
                "{task:?}, {}/s, round {round}: {}",
                task.rate(),
                row.contender.name()
            );
            let rate = Some(task.rate());
            let (report, _) = measure(bench, task, row.contender, seconds, rate)?;
            row.reached.add(report.requests_per_second());
            row.p50.add(report.p50);
            row.p99.add(report.p99);
        }
    }
    let table = Table { task, rows };
    print!("{table}");
    Ok(table)
}

/// Puts load on a contender. Returns also the processor time that it took.
fn measure(
    bench: &Bench,
    task: Task,
    contender: Contender,
    seconds: u32,
    rate: Option<f64>,
) -> Result<(Report, Duration), Error> {
    let requests = match task {
        Task::Tokens | Task::KeptForm => Requests::Same,
        Task::NewForm => Requests::Numbered,
        Task::Create => Requests::Bodies(contender.bodies(&bench.orders)),
    };
    let setup = bench.set_up(contender, task)?;
    check(contender, task, &setup.url, requests)?;
    let mut run = Run {
        program: contender.name(),
        url: &setup.url,
        requests,
        seconds: WARM_UP_SECONDS,
        rate,
    };
    if task != Task::Create {
        bench.load.run(&run)?;
    }
    run.seconds = seconds;
    let before = setup.server.processor_time()?;
    let report = bench.load.run(&run)?;
    let after = setup.server.processor_time()?;
    Ok((report, after.saturating_sub(before)))
}

/// Checks that a contender works before it is measured.
fn check(contender: Contender, task: Task, url: &str, requests: Requests<'_>) -> Result<(), Error> {
    let request = match requests {
        Requests::Same => minreq::get(url),
        Requests::Numbered => minreq::get(format!("{url}00")),
        Requests::Bodies(folder) => minreq::post(url)
            .with_header("content-type", "application/json")
            .with_body(probe(folder)?),
    };
    let expected = match task {
        Task::Tokens => "\"network_uuid\"",
        Task::KeptForm | Task::NewForm => "type=\"radio\"",
        Task::Create => "\"transactionId\"",
    };
    let wrong = |answer: String| Error::Wrong {
        program: contender.name().to_owned(),
        url: url.to_owned(),
        answer,
    };
    let answer = request
        .with_timeout(10)
        .send()
        .map_err(|error| wrong(error.to_string()))?;
    let body = answer.as_str().unwrap_or_default();
    if matches!(answer.status_code, 200 | 201) && body.contains(expected) {
        Ok(())
    } else {
        Err(wrong(format!("HTTP {}: {body}", answer.status_code)))
    }
}
