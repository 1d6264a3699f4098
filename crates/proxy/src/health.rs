//! The command `tender-proxy health`, for containers, which have no other program that could ask.

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use reqwest::Url;

const TIMEOUT: Duration = Duration::from_secs(5);

#[derive(Args)]
pub(crate) struct Health {
    /// The address to ask, at `listen` or `metrics_listen`; `/readyz` tells whether the proxy can serve buyers
    #[arg(value_name = "URL", default_value = "http://127.0.0.1:8081/healthz")]
    url: Url,
}

impl Health {
    pub(crate) async fn run(self) -> ExitCode {
        let Err(error) = ask(self.url).await else {
            return ExitCode::SUCCESS;
        };
        let cause = error.source().map(|cause| format!(": {cause}"));
        eprintln!("{error}{}", cause.unwrap_or_default());
        ExitCode::FAILURE
    }
}

async fn ask(url: Url) -> reqwest::Result<()> {
    let client = reqwest::Client::builder().timeout(TIMEOUT).no_proxy();
    let answer = client.build()?.get(url).send().await?;
    answer.error_for_status().map(drop)
}
