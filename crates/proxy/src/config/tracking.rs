//! Settings of status updates.

use std::time::Duration;

use clap::Args;

use super::numbers::{number, positive, positive_seconds};

/// Status updates.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Status updates")]
pub struct Tracking {
    /// Pause between two poll cycles of the service's payment list, while a payment is followed or a
    /// merchant's stream is open
    #[arg(long, id = "poll_seconds", value_name = "SECONDS", default_value = "5", value_parser = positive_seconds)]
    pub poll_interval: Duration,

    /// Maximum number of pages per poll cycle
    #[arg(long, value_name = "NUMBER", default_value = "5", value_parser = positive::<u32>)]
    pub poll_pages: u32,

    /// Maximum number of open event streams of buyers; 0 disables all streams. The merchant has 32 of
    /// its own. Each uses a connection, so keep this below `max_connections`
    #[arg(long, value_name = "NUMBER", default_value = "600", value_parser = number::<usize>)]
    pub max_streams: usize,

    /// Maximum number of open event streams that receipts of one payment can open; 0 means no limit
    #[arg(long, value_name = "NUMBER", default_value = "4", value_parser = number::<usize>)]
    pub max_streams_per_payment: usize,

    /// Maximum number of open event streams of buyers at one client address; 0 means no limit
    #[arg(long, value_name = "NUMBER", default_value = "50", value_parser = number::<usize>)]
    pub max_streams_per_address: usize,
}
