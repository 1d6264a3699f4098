//! Compares the proxy with its alternatives: nginx, and a small proxy on Node.js.

use std::env;
use std::path::Path;

use crate::contender::{Bench, Contender, Task};
use crate::error::Error;
use crate::figures::Figures;
use crate::load::{Load, Report, Run, THREADS};
use crate::orders::{Orders, probe};

/// Warm-up that opens connections and fills caches.
const WARM_UP_SECONDS: u32 = 1;

/// The measurements of one contender.
struct Row {
    contender: Contender,
    throughput: Figures,
    p50: Figures,
    p99: Figures,
}

impl Row {
    fn new(contender: Contender) -> Self {
        Self {
            contender,
            throughput: Figures::default(),
            p50: Figures::default(),
            p99: Figures::default(),
        }
    }
}

pub(crate) fn run(rounds: u32, seconds: u32) -> Result<(), Error> {
    let folder = tempfile::tempdir().map_err(|source| Error::File {
        path: env::temp_dir(),
        source,
    })?;
    let this = env::current_exe().map_err(|source| Error::Program {
        program: "tender-bench".to_owned(),
        source,
    })?;
    let bench = Bench {
        binaries: this.parent().unwrap_or(Path::new(".")).to_owned(),
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
    compare(&bench, Task::Tokens, &contenders, rounds, seconds)?;
    compare(&bench, Task::Create, &contenders, rounds, seconds)
}

fn compare(
    bench: &Bench,
    task: Task,
    contenders: &[Contender],
    rounds: u32,
    seconds: u32,
) -> Result<(), Error> {
    let mut rows: Vec<Row> = contenders.iter().copied().map(Row::new).collect();
    for round in 1..=rounds {
        for row in &mut rows {
            eprintln!("{task:?}, round {round}: {}", row.contender.name());
            let report = measure(bench, task, row.contender, seconds, None)?;
            row.throughput.add(report.requests_per_second);
        }
    }
    for round in 1..=rounds {
        for row in &mut rows {
            eprintln!(
                "{task:?}, {}/s, round {round}: {}",
                task.rate(),
                row.contender.name()
            );
            let report = measure(bench, task, row.contender, seconds, Some(task.rate()))?;
            row.p50.add(report.p50);
            row.p99.add(report.p99);
        }
    }
    print(task, &rows);
    Ok(())
}

fn measure(
    bench: &Bench,
    task: Task,
    contender: Contender,
    seconds: u32,
    rate: Option<f64>,
) -> Result<Report, Error> {
    let bodies = (task == Task::Create).then(|| contender.bodies(&bench.orders));
    let setup = bench.set_up(contender, task)?;
    check(contender, &setup.url, bodies)?;
    let mut run = Run {
        program: contender.name(),
        url: &setup.url,
        bodies: None,
        seconds: WARM_UP_SECONDS,
        rate,
    };
    if task == Task::Tokens {
        bench.load.run(&run)?;
    }
    run.bodies = bodies;
    run.seconds = seconds;
    bench.load.run(&run)
}

/// Checks that a contender works before it is measured.
fn check(contender: Contender, url: &str, bodies: Option<&Path>) -> Result<(), Error> {
    let (request, expected) = match bodies {
        None => (minreq::get(url), "\"network_uuid\""),
        Some(folder) => {
            let request = minreq::post(url).with_header("content-type", "application/json");
            (request.with_body(probe(folder)?), "\"transactionId\"")
        }
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

fn print(task: Task, rows: &[Row]) {
    let rate = task.rate();
    let nginx = rows.iter().find(|row| row.contender == Contender::Nginx);
    let nginx = nginx.map_or(1.0, |row| row.throughput.median());
    let title = match task {
        Task::Tokens => "Token listing, cached where there is a cache",
        Task::Create => "Create, each order once",
    };
    println!("\n### {title}\n");
    println!("| | requests/s | beside nginx | p50 ms at {rate}/s | p99 ms at {rate}/s |");
    println!("|---|--:|--:|--:|--:|");
    for row in rows {
        let ratio = row.throughput.median() / nginx;
        println!(
            "| {} | {:.0} | {ratio:.2} | {:.2} | {:.2} |",
            row.contender.name(),
            row.throughput,
            row.p50,
            row.p99
        );
    }
}
