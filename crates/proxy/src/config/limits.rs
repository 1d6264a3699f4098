//! Settings of the limits per client address.

use clap::Args;

use super::numbers::number;

/// Limits per client address; 0 disables one.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Rate limits")]
pub struct Limits {
    /// Token listing requests per minute and client address; 0 disables the limit
    #[arg(long, id = "rate_limit_tokens", value_name = "NUMBER", default_value = "120", value_parser = number::<u32>)]
    pub tokens: u32,

    /// Create requests and payment links per minute and client address; 0 disables the limit
    #[arg(long, id = "rate_limit_create", value_name = "NUMBER", default_value = "30", value_parser = number::<u32>)]
    pub create: u32,

    /// Wrong receipts, merchant keys and webhook secrets per minute and client address, each kind on
    /// its own; 0 disables the limit. Right ones are never refused
    #[arg(long, id = "rate_limit_failures", value_name = "NUMBER", default_value = "10", value_parser = number::<u32>)]
    pub failures: u32,
}
