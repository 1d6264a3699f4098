//! The command `tender-proxy health`, for containers, which have no other program that could ask.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command};
use reqwest::Url;

pub(crate) const NAME: &str = "health";

const URL: &str = "URL";

const TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) fn command() -> Command {
    Command::new(NAME)
        .about("Ask a running proxy whether it responds; the exit code is 0 if it does")
        .arg(
            Arg::new(URL)
                .default_value("http://127.0.0.1:8081/healthz")
                .value_parser(str::parse::<Url>)
                .help("The address to ask, at `listen` or `metrics_listen`; `/readyz` tells whether the proxy can serve buyers"),
        )
}

#[tokio::main(flavor = "current_thread")]
pub(crate) async fn run(matches: &ArgMatches) -> ExitCode {
    let Some(url) = matches.get_one::<Url>(URL) else {
        return ExitCode::FAILURE;
    };
    match ask(url.clone()).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let cause = error.source().map(|cause| format!(": {cause}"));
            eprintln!("{error}{}", cause.unwrap_or_default());
            ExitCode::FAILURE
        }
    }
}

async fn ask(url: Url) -> reqwest::Result<()> {
    let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy();
    let answer = client.build()?.get(url).send().await?;
    answer.error_for_status().map(drop)
}
