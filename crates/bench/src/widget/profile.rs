//! The conditions of a measurement.

use clap::ValueEnum;
use serde::Serialize;

/// The device and the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Profile {
    /// A slow phone on a slow network: CPU slowed down four times, 1.6 Mbit/s, 150 ms.
    Slow,
    /// This machine without throttling.
    Plain,
}

/// Latency of the slow network in milliseconds.
pub(super) const ROUND_TRIP: u32 = 150;

impl Profile {
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Plain => "No throttling",
            Self::Slow => "CPU 4x, 1.6 Mbit/s, 150 ms",
        }
    }

    /// How many times slower the main thread runs.
    pub(super) const fn slowdown(self) -> u32 {
        match self {
            Self::Plain => 1,
            Self::Slow => 4,
        }
    }

    /// Latency in milliseconds and bandwidth in bytes per second.
    pub(super) const fn network(self) -> Option<(u32, u32)> {
        match self {
            Self::Plain => None,
            Self::Slow => Some((ROUND_TRIP, 1_600_000 / 8)),
        }
    }
}
